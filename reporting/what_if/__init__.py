"""What if the rules were others: asked by a person, worked out by a worker, shown beside today."""
