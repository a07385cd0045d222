//! The service as its users see it, in one test program.

mod calls;
mod chat;
mod chat_chosen;
mod checks;
mod documents;
mod drafts;
mod edits;
mod files;
mod folders;
mod home;
mod impact;
mod insertions;
mod keys;
mod profile;
mod prompt_edits;
mod rolls;
mod runs;
mod sampling;
mod settings;
mod snapshots;
mod sources;
mod starters;
mod startup;
mod talk;
mod typescript;
mod value_labels;
