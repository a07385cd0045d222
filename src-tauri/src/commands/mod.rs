//! The commands that the page may call: one file per area, one line over the service per command.
//!
//! Every command is async and does its work through [`execute`]. Work that computes, waits or takes
//! a lock on a worker of the async runtime would block the delivery of all other commands.

pub mod chat;
pub mod checks;
pub mod documents;
pub mod export;
pub mod files;
pub mod impact;
pub mod new_registry;
pub mod profile;
pub mod request;
pub mod run;
pub mod snapshots;
pub mod talk;
pub mod workspace;

use promptdeck_service::command::Command;
use promptdeck_service::executor::Executor;
use promptdeck_service::wire::Failure;
use promptdeck_service::{CancellationToken, ServiceError, Studio};
use tauri::{AppHandle, Manager as _};

/// Result of a command.
pub(crate) type Answer<T> = Result<T, Failure>;

/// Runs a command's work on a blocking thread, which frees the async worker.
pub(crate) async fn execute<T: Send + 'static>(
    app: AppHandle,
    command: Command,
    work: impl FnOnce(&Studio) -> Result<T, ServiceError> + Send + 'static,
) -> Answer<T> {
    execute_cancellable(app, command, |studio, _| work(studio)).await
}

/// The same for work that polls whether it is cancelled.
async fn execute_cancellable<T: Send + 'static>(
    app: AppHandle,
    command: Command,
    work: impl FnOnce(&Studio, &CancellationToken) -> Result<T, ServiceError> + Send + 'static,
) -> Answer<T> {
    let shared = app.clone();
    let work = move |cancel: &CancellationToken| work(&shared.state::<Studio>(), cancel);
    Ok(app.state::<Executor>().run(command, work).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The command files of this folder.
    const FILES: [&str; 13] = [
        include_str!("new_registry.rs"),
        include_str!("chat.rs"),
        include_str!("checks.rs"),
        include_str!("documents.rs"),
        include_str!("export.rs"),
        include_str!("files.rs"),
        include_str!("impact.rs"),
        include_str!("profile.rs"),
        include_str!("request.rs"),
        include_str!("run.rs"),
        include_str!("talk.rs"),
        include_str!("workspace.rs"),
        include_str!("snapshots.rs"),
    ];

    /// The source text of each command, from its attribute to the next one.
    fn commands() -> impl Iterator<Item = &'static str> {
        let attribute = "#[tauri::command]\n";
        FILES
            .iter()
            .flat_map(move |file| file.split(attribute).skip(1))
    }

    fn name(command: &'static str) -> Option<&'static str> {
        let (name, _) = command.strip_prefix("pub async fn ")?.split_once('(')?;
        Some(name)
    }

    #[test]
    fn every_command_is_async_and_runs_as_the_command_it_is() {
        let mut names: Vec<&str> = commands()
            .map(|command| name(command).unwrap_or_else(|| panic!("not async: {command}")))
            .collect();
        for command in commands() {
            let name = name(command).unwrap_or_default();
            let known = Command::ALL.iter().find(|own| own.name() == name);
            let command_value = known.unwrap_or_else(|| panic!("{name} is no Command"));
            assert!(
                command.contains(&format!("Command::{command_value:?}")),
                "{name}"
            );
        }
        names.sort_unstable();
        let mut known: Vec<String> = Command::ALL
            .iter()
            .map(|known_command| known_command.name())
            .collect();
        known.sort_unstable();
        assert_eq!(names, known);
        // The test would miss attributes with arguments.
        let attributes = FILES.map(|file| file.matches("#[tauri::command").count());
        assert_eq!(attributes.iter().sum::<usize>(), known.len());
    }

    #[test]
    fn every_command_is_registered_and_allowed() {
        let places = [
            include_str!("../main.rs"),
            include_str!("../../build.rs"),
            include_str!("../../capabilities/main.json"),
        ];
        for command in Command::ALL {
            let name = command.name();
            let allowed = format!("\"allow-{}\"", name.replace('_', "-"));
            let wanted = [format!("::{name},"), format!("\"{name}\""), allowed];
            for (place, wanted) in places.iter().zip(wanted) {
                assert!(place.contains(&wanted), "{wanted} is missing");
            }
        }
    }
}
