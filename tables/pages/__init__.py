"""The pages of the floor: they call the same services as the API."""
