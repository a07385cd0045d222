//! Files dropped on the window. The toolkit reports the paths for every source program; the page
//! receives the files of some programs only.

use std::path::PathBuf;

use promptdeck_service::Studio;
use promptdeck_service::command::Command;
use promptdeck_service::wire::Event;
use tauri::{AppHandle, DragDropEvent, Manager as _, Window, WindowEvent};

use crate::commands::execute;
use crate::events::Events;

/// Notifies the page of a drag over the window, and of the first thing that was dropped: a folder to
/// open, a registry of this folder to open, or a file to read.
pub fn on_window_event(window: &Window, event: &WindowEvent) {
    let WindowEvent::DragDrop(event) = event else {
        return;
    };
    let app = window.app_handle();
    let over = |over| app.state::<Events>().emit(Event::Dragged { over });
    match event {
        DragDropEvent::Enter { .. } => over(true),
        DragDropEvent::Drop { paths, .. } => {
            over(false);
            if let Some(path) = paths.first() {
                tauri::async_runtime::spawn(take(app.clone(), path.clone()));
            }
        }
        DragDropEvent::Leave => over(false),
        _ => {}
    }
}

async fn take(app: AppHandle, path: PathBuf) {
    let work = move |studio: &Studio| {
        if path.is_dir() {
            let folder = studio.choose_folder(&path)?;
            return Ok(Event::FolderDropped { folder });
        }
        if let Some(file) = studio.own_file(&path) {
            return Ok(Event::RegistryDropped { file });
        }
        let source = Some(studio.read_source_file(&path)?);
        let problem = None;
        Ok(Event::Dropped { source, problem })
    };
    let answer = execute(app.clone(), Command::ReadSource, work).await;
    let event = answer.unwrap_or_else(|problem| Event::Dropped {
        source: None,
        problem: Some(problem),
    });
    app.state::<Events>().emit(event);
}
