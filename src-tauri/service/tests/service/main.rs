//! The service as its users see it, in one test program.

mod calls;
mod chat;
mod documents;
mod edits;
mod home;
mod kept;
mod runs;
mod typescript;
