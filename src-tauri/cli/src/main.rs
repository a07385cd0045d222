//! `promptdeck`, the command line: arguments in, service calls, text or JSON out.

fn main() {}
