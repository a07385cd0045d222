//! The system's file dialogs as futures: an open dialog blocks no thread.

use std::path::PathBuf;

use tauri::async_runtime::channel;
use tauri_plugin_dialog::FilePath;

/// Callback that receives the dialog's result.
pub type Answer = Box<dyn FnOnce(Option<FilePath>) + Send>;

/// Opens a dialog with `open` and returns the chosen path; `None` if it is cancelled.
pub async fn pick(open: impl FnOnce(Answer)) -> Option<PathBuf> {
    let (sender, mut receiver) = channel(1);
    // The receiver is gone if the page was closed.
    open(Box::new(move |path| drop(sender.try_send(path))));
    receiver.recv().await.flatten()?.into_path().ok()
}
