//! End-to-end tests of the command line: the real program in a temporary folder.

mod bad_input;
mod batch;
mod bounds;
mod chat;
mod check;
#[cfg(unix)]
mod ci;
mod conventions;
mod damage;
mod doctor;
mod export;
mod fmt;
mod gaps;
mod helps;
mod hydrate;
mod ignored;
mod impact;
mod impact_folders;
mod import;
mod inspect;
mod keys;
mod kinds;
mod messages;
mod policy;
mod profile;
mod program;
mod providers;
mod request_budget;
mod requests;
mod run;
mod shards;
mod snapshot;
mod streams;
#[cfg(target_os = "linux")]
mod targets;
mod terminal;
mod test;
mod unknown_names;
mod variants;
mod wrong_documents;
