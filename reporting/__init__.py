"""What is read from the records: figures of buckets, and the reports drawn from them."""
