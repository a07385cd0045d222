//! Location of the store, shared by studio and command line.

use std::env;
use std::path::PathBuf;

/// Environment variable that overrides the path of the store.
pub const STORE_VARIABLE: &str = "PROMPTDECK_STORE";

/// Path of the store: `$PROMPTDECK_STORE`, otherwise `promptdeck/store.sqlite` in the user's data
/// folder, which is `$XDG_DATA_HOME` or `~/.local/share` on Linux, `~/Library/Application Support`
/// on macOS, `%APPDATA%` on Windows. `None` without a home folder.
#[must_use]
pub fn default_path() -> Option<PathBuf> {
    let named = |name: &str| {
        env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    if let Some(path) = named(STORE_VARIABLE) {
        return Some(path);
    }
    let data = if cfg!(windows) {
        named("APPDATA")
    } else if cfg!(target_os = "macos") {
        env::home_dir().map(|home| home.join("Library/Application Support"))
    } else {
        // The XDG Base Directory specification ignores relative paths.
        named("XDG_DATA_HOME")
            .filter(|path| path.is_absolute())
            .or_else(|| env::home_dir().map(|home| home.join(".local/share")))
    };
    Some(data?.join("promptdeck").join("store.sqlite"))
}
