//! Model providers behind the core's trait.
