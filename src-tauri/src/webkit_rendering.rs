//! Selects how `WebKit` renders the page on Linux: with the graphics card, or with its own
//! rasterizer and without layers if there is none.
//!
//! Without a card, as on virtual machines, remote desktops and headless displays, `WebKitGTK` still
//! paints and composes layers through OpenGL, which is then emulated on all cores. docs/performance.md
//! has the time and the memory that this takes.

use std::env;
use std::fs;
use std::path::Path;

// `WebKit` reads both variables when its page process starts. A setting of the window would come too
// late for the first frame, and does not exist for the rasterizer.
const PAINT_WITHOUT_CARD: &str = "WEBKIT_SKIA_ENABLE_CPU_RENDERING";
const DRAW_WITHOUT_LAYERS: &str = "WEBKIT_DISABLE_COMPOSITING_MODE";

/// Set by `tauri-driver`, and by the tests, for the programs that a driver starts.
const DRIVEN: &str = "TAURI_WEBVIEW_AUTOMATION";

/// Does without OpenGL if there is no card; a variable that the user has set stays. Must run
/// before the first window, which inherits the environment, and before the first thread.
///
/// A program started by a driver keeps its layers: `WebKitGTK` 2.50 never answers a driver that
/// asks for a picture of a window without them while nothing in it changes.
pub fn choose() {
    let driven = env::var_os(DRIVEN).is_some();
    for name in variables(has_card(Path::new("/dev")), driven) {
        // Fails only for names with an equals sign.
        drop(glib::setenv(name, "1", false));
    }
}

/// What is set for a machine with or without a card, in a window that a driver started or not.
const fn variables(card: bool, driven: bool) -> &'static [&'static str] {
    match (card, driven) {
        (true, _) => &[],
        (false, true) => &[PAINT_WITHOUT_CARD],
        (false, false) => &[PAINT_WITHOUT_CARD, DRAW_WITHOUT_LAYERS],
    }
}

/// Whether programs can draw in hardware: through a render node of the kernel, Nvidia's driver, or
/// the host's card under WSL.
fn has_card(devices: &Path) -> bool {
    let named = ["nvidia0", "dxg"].map(|name| devices.join(name));
    named.iter().any(|device| device.exists())
        || fs::read_dir(devices.join("dri")).is_ok_and(|nodes| {
            nodes
                .flatten()
                .any(|node| node.file_name().as_encoded_bytes().starts_with(b"renderD"))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_window_of_a_person_without_a_card_has_no_layers() {
        assert_eq!(variables(true, false).len(), 0);
        assert_eq!(variables(true, true).len(), 0);
        assert!(variables(false, false).contains(&DRAW_WITHOUT_LAYERS));
        assert_eq!(variables(false, true), [PAINT_WITHOUT_CARD]);
    }

    #[test]
    fn a_render_node_is_a_card() {
        let devices = tempfile::tempdir().expect("a folder");
        assert!(!has_card(devices.path()), "no devices at all");
        let dri = devices.path().join("dri");
        fs::create_dir(&dri).expect("made");
        fs::write(dri.join("card0"), "").expect("written");
        assert!(!has_card(devices.path()), "a screen that nothing draws for");
        fs::write(dri.join("renderD128"), "").expect("written");
        assert!(has_card(devices.path()));
    }

    #[test]
    fn drivers_without_render_nodes_are_cards() {
        for device in ["nvidia0", "dxg"] {
            let devices = tempfile::tempdir().expect("a folder");
            fs::write(devices.path().join(device), "").expect("written");
            assert!(has_card(devices.path()), "{device}");
        }
    }
}
