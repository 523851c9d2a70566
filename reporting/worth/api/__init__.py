"""What a round was worth, over HTTP for programs."""
