"""The bar above everything: runtime, grants, limit, Run and Stop, and the figures of the run."""
