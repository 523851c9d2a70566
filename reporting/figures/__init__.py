"""Figures: rolled up from the records by buckets, added up in reports."""
