"""Reports over HTTP for programs."""
