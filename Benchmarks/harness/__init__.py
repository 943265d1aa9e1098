"""What `Benchmarks/compare` is made of."""
