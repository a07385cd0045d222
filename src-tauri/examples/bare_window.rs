//! A window with a word in it and nothing else: what `npm run bench` holds the studio's start and
//! memory against. Same libraries, same build, same renderer; no service, no plugin, a page of one
//! line.

#[cfg(target_os = "linux")]
#[path = "../src/webkit_rendering.rs"]
mod webkit_rendering;

use tauri::http::{Response, header::CONTENT_TYPE};
use tauri::{WebviewUrl, WebviewWindowBuilder};

/// With a word in it, so that there is a first frame with something to see.
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
