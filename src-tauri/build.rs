//! Generates the Tauri context: configuration, capabilities and the embedded page.

fn main() {
    tauri_build::build();
}
