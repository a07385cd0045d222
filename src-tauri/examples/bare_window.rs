//! A window that shows one word: the baseline of `npm run bench` for the studio's start time and
//! memory. Same libraries, build and renderer; no service, no plugin, one line of page.

#[cfg(target_os = "linux")]
#[path = "../src/webkit_rendering.rs"]
mod webkit_rendering;

use tauri::http::{Response, header::CONTENT_TYPE};
use tauri::{WebviewUrl, WebviewWindowBuilder};

/// Shows a word, so that the first frame is detectable.
const PAGE: &[u8] = b"<!doctype html>bare";

fn main() {
    #[cfg(target_os = "linux")]
    webkit_rendering::choose();
    let mut context = tauri::generate_context!();
    context.config_mut().app.windows.clear();
    let bare = tauri::Builder::default()
        .register_uri_scheme_protocol("bare", |_, _| {
            let page = Response::builder().header(CONTENT_TYPE, "text/html");
            page.body(PAGE).unwrap_or_default()
        })
        .setup(|app| {
            let page = WebviewUrl::CustomProtocol("bare://localhost".parse()?);
            WebviewWindowBuilder::new(app, "main", page)
                .inner_size(1440.0, 900.0)
                .build()?;
            Ok(())
        })
        .run(context);
    if let Err(fault) = bare {
        eprintln!("bare_window: {fault}");
        std::process::exit(1);
    }
}
