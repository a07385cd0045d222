//! The service as its users see it, in one test program.

mod calls;
mod chat;
mod chat_chosen;
mod documents;
mod edits;
mod home;
mod imports;
mod kept;
mod keys;
mod runs;
mod settings;
mod typescript;
mod value_labels;
