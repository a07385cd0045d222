//! Checks for a display and opens the window, with a temporary data folder if that of its engine cannot
//! be created.

#[cfg(target_os = "linux")]
use std::env;
use std::fs;
use std::path::PathBuf;

use tauri::{App, Manager as _, WebviewWindowBuilder};

/// Why no window can be opened here; `None` if there is a display.
#[cfg(target_os = "linux")]
pub fn missing_display() -> Option<String> {
    // Tauri ends the program with a panic if this fails.
    gtk::init().err()?;
    let named = ["WAYLAND_DISPLAY", "DISPLAY"].map(|name| {
        let value = env::var_os(name).filter(|value| !value.is_empty());
        value.map(|value| format!("{name}={}", value.to_string_lossy()))
    });
    Some(missing(&named.into_iter().flatten().collect::<Vec<_>>()))
}

#[cfg(target_os = "linux")]
fn missing(named: &[String]) -> String {
    let reason = match named {
        [] => "there is no display (DISPLAY and WAYLAND_DISPLAY are empty)".to_owned(),
        named => format!("the display cannot be opened ({})", named.join(", ")),
    };
    format!("{reason}; the command promptdeck works without one")
}

/// Opens the window that the configuration describes. Its engine keeps its own data, nothing of an
/// author's, in the user's data folder; where that cannot be created, in a temporary one.
///
/// # Errors
/// If the window cannot be opened.
pub fn open(app: &App) -> tauri::Result<()> {
    for config in &app.config().app.windows {
        let mut window = WebviewWindowBuilder::from_config(app.handle(), config)?;
        if let Some(folder) = replacement(app) {
            window = window.data_directory(folder);
        }
        let window = window.build()?;
        #[cfg(target_os = "linux")]
        crate::pressed_tooltip::end_on_press(&window);
        #[cfg(not(target_os = "linux"))]
        drop(window);
    }
    Ok(())
}

/// A temporary folder without access for other users, if the user's folder cannot be created.
fn replacement(app: &App) -> Option<PathBuf> {
    let usual = app.path().app_local_data_dir().ok()?;
    let fault = fs::create_dir_all(&usual).err()?;
    let folder = tempfile::Builder::new().prefix("promptdeck-").tempdir();
    let folder = folder.ok()?.keep();
    eprintln!(
        "promptdeck-studio: {} cannot be created ({fault}); the window keeps its data in {}",
        usual.display(),
        folder.display()
    );
    Some(folder)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_named() {
        assert_eq!(
            missing(&[]),
            "there is no display (DISPLAY and WAYLAND_DISPLAY are empty); the command promptdeck works \
             without one"
        );
        assert_eq!(
            missing(&["DISPLAY=:77".to_owned()]),
            "the display cannot be opened (DISPLAY=:77); the command promptdeck works without one"
        );
    }
}
