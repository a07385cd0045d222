//! The spell checker of `WebKitGTK`, which is off by default.
//!
//! The `spellcheck` attributes of the page determine which fields are checked. This module turns
//! the window's checker on and selects its languages. It finds dictionaries only through `WebKit`;
//! without one for any of the languages the checker stays off.

use glib::Priority;
use tauri::{AppHandle, Manager as _};
use webkit2gtk::{WebContext, WebContextExt as _, WebViewExt as _};

/// Language used if the locale has no dictionary.
const FALLBACK: &str = "en_US";

/// Turns spell checking on or off in all windows. Returns at once.
pub fn switch(app: &AppHandle, enabled: bool) {
    for window in app.webview_windows().into_values() {
        // Fails only for a closed window.
        drop(window.with_webview(move |webview| {
            let Some(context) = webview.inner().context() else {
                return;
            };
            // Loading a dictionary takes longer than a frame, so pending drawing goes first.
            glib::idle_add_local_full(Priority::LOW, move || {
                switch_context(&context, enabled);
                glib::ControlFlow::Break
            });
        }));
    }
}

fn switch_context(context: &WebContext, enabled: bool) {
    if context.is_spell_checking_enabled() != enabled {
        context.set_spell_checking_enabled(enabled && has_dictionary(context));
    }
}

/// Loads the dictionaries of the locale, or of the fallback, unless some are loaded. Returns
/// whether there are any.
fn has_dictionary(context: &WebContext) -> bool {
    let names = glib::language_names();
    let preferred = languages(names.iter().map(glib::GString::as_str));
    let loaded = || !context.spell_checking_languages().is_empty();
    loaded()
        || [preferred, vec![FALLBACK]].iter().any(|wanted| {
            context.set_spell_checking_languages(wanted);
            loaded()
        })
}

/// The languages to check, from the locale names of `g_get_language_names`, best first. One name
/// per language: a dictionary search already falls back from `de_AT` to `de`.
fn languages<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let language = |name: &'a str| name.split('_').next();
    let mut found: Vec<&str> = Vec::new();
    for name in names {
        let spelled = !matches!(name, "C" | "POSIX") && !name.contains(['.', '@']);
        if spelled
            && !found
                .iter()
                .any(|listed| language(listed) == language(name))
        {
            found.push(name);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_language_of_the_locale_is_checked_once() {
        let cases: [(&[&str], &[&str]); 6] = [
            (&["C"], &[]),
            (&["C.UTF-8", "C"], &[]),
            (&["POSIX", "C"], &[]),
            (&["de_AT.UTF-8", "de_AT", "de.UTF-8", "de", "C"], &["de_AT"]),
            (
                &["ca_ES.UTF-8@valencia", "ca_ES@valencia", "ca_ES", "ca", "C"],
                &["ca_ES"],
            ),
            (&["de", "en_GB", "en", "C"], &["de", "en_GB"]),
        ];
        for (names, expected) in cases {
            assert_eq!(languages(names.iter().copied()), expected, "{names:?}");
        }
    }
}
