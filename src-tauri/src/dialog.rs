//! The system's file dialogs, awaited: while one is open, no thread waits for it.

use std::path::PathBuf;

use tauri::async_runtime::channel;
use tauri_plugin_dialog::FilePath;

/// Takes the dialog's answer.
pub type Answer = Box<dyn FnOnce(Option<FilePath>) + Send>;

/// Opens a dialog by `open` and gives the path that was chosen; none when it was closed.
pub async fn chosen(open: impl FnOnce(Answer)) -> Option<PathBuf> {
    let (sender, mut receiver) = channel(1);
    // Nobody listens any more when the page that asked is gone.
    open(Box::new(move |path| drop(sender.try_send(path))));
    receiver.recv().await.flatten()?.into_path().ok()
}
