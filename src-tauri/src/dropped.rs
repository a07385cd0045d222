//! Files dropped on the window. The toolkit reports the paths for every source program; the page
//! receives the files of some programs only.

use std::path::PathBuf;

use promptdeck_service::command::Command;
use promptdeck_service::wire::Event;
use tauri::{AppHandle, DragDropEvent, Manager as _, Window, WindowEvent};

use crate::commands::execute;
use crate::events::Events;

/// Notifies the page of a drag over the window, and imports the first dropped file.
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
                tauri::async_runtime::spawn(import(app.clone(), path.clone()));
            }
        }
        DragDropEvent::Leave => over(false),
        _ => {}
    }
}

async fn import(app: AppHandle, path: PathBuf) {
    let work = move |studio: &promptdeck_service::Studio| studio.import_file(&path);
    let answer = execute(app.clone(), Command::ImportRegistry, work).await;
    let (imported, problem) = match answer {
        Ok(imported) => (Some(imported), None),
        Err(problem) => (None, Some(problem)),
    };
    app.state::<Events>()
        .emit(Event::Dropped { imported, problem });
}
