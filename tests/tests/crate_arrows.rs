//! Dependencies between the crates of the workspace point one way: each may use those listed for it
//! and no other of ours, tests and examples apart.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Folder under `src-tauri` (empty for the application itself), and the crates that it may use.
const ALLOWED: &[(&str, &[&str])] = &[
    ("python", &[]),
    ("pattern", &["python"]),
    ("jinja", &["python"]),
    ("json", &[]),
    ("chat", &["python", "jinja", "json"]),
    ("core", &["python", "pattern", "json", "chat"]),
    ("request", &["python", "jinja", "json", "chat", "core"]),
    ("model", &["chat", "core"]),
    ("store", &[]),
    ("provider", &["chat", "core"]),
    (
        "service",
        &[
            "jinja", "json", "chat", "core", "request", "model", "provider", "store",
        ],
    ),
    (
        "cli",
        &[
            "jinja", "json", "chat", "core", "request", "model", "provider", "service",
        ],
    ),
    ("", &["service"]),
];

/// The crates of ours under `[dependencies]` of a manifest, without their common prefix.
fn ours(manifest: &str) -> Vec<&str> {
    let lines = manifest
        .lines()
        .skip_while(|line| *line != "[dependencies]");
    let section = lines.skip(1).take_while(|line| !line.starts_with('['));
    section
        .filter_map(|line| line.strip_prefix("promptdeck-"))
        .filter_map(|line| line.split(['.', ' ', '=']).next())
        .collect()
}

#[test]
fn dependencies_point_one_way() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src-tauri");
    let allowed: BTreeMap<_, _> = ALLOWED.iter().copied().collect();
    let mut seen = 0;
    let folders = fs::read_dir(&root).expect("src-tauri can be listed");
    let folders = folders.map(|entry| entry.expect("an entry").path());
    for folder in folders.chain([root.clone()]) {
        let Ok(manifest) = fs::read_to_string(folder.join("Cargo.toml")) else {
            continue;
        };
        let name = folder.strip_prefix(&root).expect("below src-tauri");
        let name = name.to_str().expect("a plain name");
        let Some(allowed) = allowed.get(name) else {
            panic!("src-tauri/{name} is a crate that this list does not know");
        };
        for used in ours(&manifest) {
            assert!(
                allowed.contains(&used),
                "src-tauri/{name} uses promptdeck-{used}"
            );
        }
        seen += 1;
    }
    assert_eq!(seen, ALLOWED.len(), "crates that are listed and not there");
}
