//! The service as its users see it, in one test program.

mod calls;
mod chat;
mod chat_chosen;
mod documents;
mod drafts;
mod edits;
mod home;
mod imports;
mod keys;
mod rolls;
mod runs;
mod settings;
mod snapshots;
mod startup;
mod typescript;
mod value_labels;
