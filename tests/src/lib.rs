//! What crosses crates: conformance with other programs, faults, and the shared tools of both.
