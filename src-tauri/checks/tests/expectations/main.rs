//! Each expectation, where it holds and where it does not, with what a failure says.

mod answers;
mod case;
mod printed;
mod refusals;
mod texts;
