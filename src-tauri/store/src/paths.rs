//! Location of the store, shared by studio and command line.

use std::env;
use std::path::PathBuf;

/// Environment variable that overrides the path of the store.
pub const STORE_VARIABLE: &str = "PROMPTDECK_STORE";

/// Path of the store that `$PROMPTDECK_STORE` names, if it does.
#[must_use]
pub fn named_path() -> Option<PathBuf> {
    path_in(STORE_VARIABLE)
}

fn path_in(variable: &str) -> Option<PathBuf> {
    env::var_os(variable)
        .filter(|value| !value.is_empty())
        .map(PathBuf::from)
}

/// Path of the store: `$PROMPTDECK_STORE`, otherwise `promptdeck/store.sqlite` in the user's data
/// folder, which is `$XDG_DATA_HOME` or `~/.local/share` on Linux, `~/Library/Application Support`
/// on macOS, `%APPDATA%` on Windows. `None` without a home folder.
#[must_use]
pub fn default_path() -> Option<PathBuf> {
    if let Some(path) = named_path() {
        return Some(path);
    }
    let data = if cfg!(windows) {
        path_in("APPDATA")
    } else if cfg!(target_os = "macos") {
        env::home_dir().map(|home| home.join("Library/Application Support"))
    } else {
        // The XDG Base Directory specification ignores relative paths.
        path_in("XDG_DATA_HOME")
            .filter(|path| path.is_absolute())
            .or_else(|| env::home_dir().map(|home| home.join(".local/share")))
    };
    Some(data?.join("promptdeck").join("store.sqlite"))
}
