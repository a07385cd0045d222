//! The chat templates used in tests: those of pinned packages, and our own.

use std::path::PathBuf;

use super::oracle;

/// Overrides the folder of the fetched templates, by default beside the oracle's Python.
const TEMPLATES_VARIABLE: &str = "PROMPTDECK_TEMPLATES";

/// The templates of the pinned packages, by file name.
///
/// # Panics
/// If they have not been fetched: a comparison that did not happen is a failure.
#[must_use]
pub fn fetched() -> Vec<(String, String)> {
    let folder = std::env::var(TEMPLATES_VARIABLE).map_or_else(
        |_| {
            let python = std::env::var(oracle::PYTHON_VARIABLE).unwrap_or_default();
            let environment = PathBuf::from(python);
            let environment = environment.parent().and_then(|bin| bin.parent());
            environment
                .map(|root| root.join("templates"))
                .unwrap_or_default()
        },
        PathBuf::from,
    );
    let listing = std::fs::read_dir(&folder).unwrap_or_else(|error| {
        panic!(
            "no templates in {}: {error}; run `npm test`, which fetches them with \
             conformance/fetch_templates.py, or name their folder in {TEMPLATES_VARIABLE}",
            folder.display()
        )
    });
    let mut found: Vec<(String, String)> = listing
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let name = path.file_name()?.to_str()?.to_owned();
            (path.extension()? == "jinja").then(|| (name, std::fs::read_to_string(&path).ok()))
        })
        .filter_map(|(name, source)| Some((name, source?)))
        .collect();
    found.sort();
    found
}

/// The hand-written templates of the repository.
///
/// # Panics
/// If they cannot be read.
#[must_use]
pub fn repository_templates() -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("chat-templates");
    let listing = std::fs::read_dir(&folder).expect("the repository's own templates");
    let mut found: Vec<(String, String)> = listing
        .map(|entry| {
            let path = entry.expect("a folder entry").path();
            let source = std::fs::read_to_string(&path).expect("a readable template");
            (
                path.file_name()
                    .expect("a name")
                    .to_string_lossy()
                    .into_owned(),
                source,
            )
        })
        .collect();
    found.sort();
    found
}
