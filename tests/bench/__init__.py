"""Benchmarks: they print figures and the machine; no test waits for them."""
