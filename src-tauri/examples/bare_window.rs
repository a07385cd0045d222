//! A window with a word in it and nothing else: what `npm run bench` holds the studio's start and
//! memory against. Same libraries, same build; no service, no page, no plugin.

use tauri::{WebviewUrl, WebviewWindowBuilder};

/// Says when its first frame was drawn under the name by which the studio says it of its first card.
const MARK: &str = "addEventListener('DOMContentLoaded', () => {
  document.body.textContent = 'bare';
  requestAnimationFrame(() => performance.mark('first-card'));
});";

fn main() {
    let mut context = tauri::generate_context!();
    context.config_mut().app.windows.clear();
    let bare = tauri::Builder::default()
        .setup(|app| {
            let blank = WebviewUrl::External("about:blank".parse()?);
            WebviewWindowBuilder::new(app, "main", blank)
                .initialization_script(MARK)
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
