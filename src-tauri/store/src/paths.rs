//! Where the store lies: one file for studio and command line.

use std::env;
use std::path::PathBuf;

/// Environment variable that names another store file.
pub const STORE_VARIABLE: &str = "PROMPTDECK_STORE";

/// The store's file: `$PROMPTDECK_STORE`; else `promptdeck/store.sqlite` in the user's data
/// folder, which is `$XDG_DATA_HOME` or `~/.local/share` on Linux,
/// `~/Library/Application Support` on macOS, `%APPDATA%` on Windows. None without a home.
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
        // A relative XDG path is to be ignored, says the XDG base directory specification.
        named("XDG_DATA_HOME")
            .filter(|path| path.is_absolute())
            .or_else(|| env::home_dir().map(|home| home.join(".local/share")))
    };
    Some(data?.join("promptdeck").join("store.sqlite"))
}
