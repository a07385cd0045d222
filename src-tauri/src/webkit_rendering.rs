//! Selects how `WebKit` renders the page on Linux: with the graphics card, or with its own
//! rasterizer if there is none.
//!
//! Without a card, as on virtual machines, remote desktops and headless displays, `WebKitGTK` still
//! paints through OpenGL, which is then emulated on all cores. The emulation takes 60 MB more than
//! the rasterizer and delays typing.

use std::fs;
use std::path::Path;

/// `WebKit` reads this variable when its page process starts; there is no setting for it.
const PAINT_WITHOUT_CARD: &str = "WEBKIT_SKIA_ENABLE_CPU_RENDERING";

/// Selects the rasterizer if there is no card, unless the user has set the variable. Must run
/// before the first window, which inherits the environment, and before the first thread.
pub fn choose() {
    if !has_card(Path::new("/dev")) {
        // Fails only for names with an equals sign.
        drop(glib::setenv(PAINT_WITHOUT_CARD, "1", false));
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
