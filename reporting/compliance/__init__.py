"""How dealers and records keep to the rules: rounds audited by settling them again."""
