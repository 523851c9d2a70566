"""What-ifs over HTTP for programs."""
