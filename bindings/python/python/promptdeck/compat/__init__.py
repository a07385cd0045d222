"""The surfaces of other packages over this engine, for programs that come from them."""
