//! Restricts the window to the studio's own page. Navigation elsewhere by a link, a script or a
//! dropped file is refused. Without a handler for new windows the web view opens none.

use tauri::plugin::{Builder, TauriPlugin};
use tauri::{Url, Wry};

/// Refuses every navigation away from the page.
pub fn guard() -> TauriPlugin<Wry> {
    Builder::new("navigation")
        .on_navigation(|_, to| is_page(to, cfg!(not(feature = "custom-protocol"))))
        .build()
}

/// Whether a URL is the page's own; `served` if a development server delivers the page.
fn is_page(address: &Url, served: bool) -> bool {
    match (address.scheme(), address.host_str()) {
        ("tauri", Some("localhost")) | ("http" | "https", Some("tauri.localhost")) => true,
        ("http", Some("localhost")) => served && address.port() == Some(DEV_PORT),
        _ => false,
    }
}

/// Port of `devUrl` in `tauri.conf.json`.
const DEV_PORT: u16 = 5183;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_stays_on_its_page() {
        let allowed = |to: &str, served| is_page(&to.parse().expect("an address"), served);
        for page_address in [
            "tauri://localhost",
            "tauri://localhost/#x",
            "http://tauri.localhost/",
        ] {
            assert!(allowed(page_address, false), "{page_address}");
        }
        assert!(allowed("http://localhost:5183/index.html", true));
        for other in [
            "http://localhost:5183/",
            "file:///home/author/deck.json",
            "https://example.org/",
            "tauri://example.org/",
            "about:blank",
            "data:text/html,x",
            "edit://localhost/apply",
        ] {
            assert!(!allowed(other, false), "{other}");
        }
        assert!(!allowed("http://localhost:80/", true));
    }

    #[test]
    fn the_port_is_that_of_the_configuration() {
        let configuration = include_str!("../tauri.conf.json");
        assert!(configuration.contains(&format!("http://localhost:{DEV_PORT}\"")));
    }
}
