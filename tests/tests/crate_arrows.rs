//! Checks the dependencies between the crates of the workspace: each crate uses only the crates
//! listed for it, except in tests and examples. The same for the modules of the core.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Folder under `src-tauri` (empty for the application itself) and the crates it may use.
const ALLOWED: &[(&str, &[&str])] = &[
    ("python", &[]),
    ("pattern", &["python"]),
    ("jinja", &["python"]),
    ("json", &[]),
    ("chat", &["python", "jinja", "json"]),
    ("core", &["python", "pattern", "jinja", "json", "chat"]),
    ("population", &["python", "core"]),
    ("checks", &["pattern", "json", "core", "population"]),
    (
        "request",
        &["python", "jinja", "json", "chat", "core", "checks"],
    ),
    ("model", &["chat", "core"]),
    ("store", &[]),
    ("provider", &["chat", "core"]),
    (
        "service",
        &[
            "jinja",
            "json",
            "chat",
            "core",
            "population",
            "checks",
            "request",
            "model",
            "provider",
            "store",
        ],
    ),
    (
        "cli",
        &[
            "jinja",
            "json",
            "chat",
            "core",
            "population",
            "checks",
            "request",
            "model",
            "provider",
            "service",
        ],
    ),
    ("", &["service"]),
];

/// Our crates under `[dependencies]` of a manifest, without their common prefix.
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

/// Modules of the core and the modules that each must not use.
const FORBIDDEN: &[(&str, &[&str])] = &[
    ("registry", &["hydrate", "lint", "export"]),
    ("output", &["hydrate", "registry"]),
    ("hydrate", &["lint", "export"]),
];

/// Whether a line of code names a module of the core.
fn names(line: &str, module: &str) -> bool {
    !line.trim_start().starts_with("//")
        && line.match_indices(module).any(|(at, _)| {
            let before = line[..at].chars().next_back();
            let after = line[at + module.len()..].chars().next();
            let path = matches!(after, Some(':' | ';' | ',' | '}'));
            let start =
                before.is_none_or(|character| !character.is_alphanumeric() && character != '_');
            start && path && !line[..at].contains('"')
        })
}

/// The Rust files below a folder, without tests, which may use more.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && !path.ends_with("tests.rs")
        {
            found.push(path);
        }
    }
}

#[test]
fn modules_of_the_core_point_one_way() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src-tauri/core/src");
    for (module, forbidden) in FORBIDDEN {
        let mut files = Vec::new();
        sources(&root.join(module), &mut files);
        assert!(!files.is_empty(), "core/src/{module} has no sources");
        for file in files {
            let text = fs::read_to_string(&file).expect("a source");
            let code = text
                .split("#[cfg(test)]\nmod tests {")
                .next()
                .unwrap_or_default();
            for (number, line) in code.lines().enumerate() {
                for other in *forbidden {
                    assert!(
                        !names(line, other),
                        "{}:{} uses `{other}`: {line}",
                        file.display(),
                        number + 1
                    );
                }
            }
        }
    }
}

#[test]
fn a_module_is_found_however_it_is_imported() {
    for line in [
        "use crate::hydrate::State;",
        "use crate::{hydrate::{self, State}, plural};",
        "    hydrate::State,",
        "    hydrate,",
        "use crate::hydrate;",
        "use crate::{plural, hydrate};",
        "let state = crate::hydrate::State::default();",
    ] {
        assert!(names(line, "hydrate"), "{line}");
    }
    for line in [
        "//! [`crate::hydrate`] does.",
        "let rehydrate: u8 = 1;",
        "hydrates::x",
    ] {
        assert!(!names(line, "hydrate"), "{line}");
    }
}
