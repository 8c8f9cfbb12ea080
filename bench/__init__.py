"""What benchmarks need besides `escale bench`: references in plain C, and a comparison of runs."""
