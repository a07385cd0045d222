//! Edits in the printed prompt: each prints what it shows, or is refused with a reason.

mod across;
mod beside;
mod choices;
mod entries;
mod generated;
mod moves;
mod numbers;
mod passages;
mod samples;
mod session;
mod splice;
mod texts;
