"""The product as it is deployed: real processes, a real broker, HTTP from outside."""
