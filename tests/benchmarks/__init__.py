"""Speed as ratios within one run: ours, the peer, the floor, interleaved. `make bench` runs them all."""
