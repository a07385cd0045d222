//! Selects how `WebKit` renders the page on Linux: with the graphics card, or with its own rasterizer
//! where there is none.
//!
//! `WebKitGTK` paints through OpenGL also on machines without a card. There it is an emulation of one
//! on all cores, which takes 60 MB more than painting without it and makes whoever types wait:
//! virtual machines, remote desktops, displays without a screen.

use std::fs;
use std::path::Path;

/// What `WebKit` reads when its page process starts; there is no setting for it.
const PAINT_WITHOUT_CARD: &str = "WEBKIT_SKIA_ENABLE_CPU_RENDERING";

/// Lets `WebKit` paint for itself where there is no card. Who set the variable has chosen already.
/// Before the first window, and before there is a second thread: the environment is inherited.
pub fn choose() {
    if !has_card(Path::new("/dev")) {
        // It fails for names with an equals sign in them only.
        drop(glib::setenv(PAINT_WITHOUT_CARD, "1", false));
    }
}

/// Whether programs can draw by hardware: a render node of the kernel's, the driver of Nvidia's own,
/// or the host's card below Windows.
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
