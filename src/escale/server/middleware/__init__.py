"""Around everything: headers, origins, sizes, rates, compression."""
