//! The declared Rust version builds every dependency in the lock file.

use std::process::Command;

use serde_json::Value;

/// The parts of a version such as `1.95` or `1.95.0`.
fn version(text: &str) -> Vec<u32> {
    let parts = text.split('.').map(|part| part.parse().expect("a number"));
    let mut parts: Vec<u32> = parts.collect();
    parts.resize(3, 0);
    parts
}

#[test]
fn no_dependency_needs_a_newer_rust() {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml");
    let run = Command::new(env!("CARGO"))
        .args(["metadata", "--locked", "--format-version", "1"])
        .args(["--manifest-path", manifest])
        .output()
        .expect("cargo runs");
    assert!(
        run.status.success(),
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
    let metadata: Value = serde_json::from_slice(&run.stdout).expect("JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    let of = |package: &Value| package["rust_version"].as_str().map(version);
    let ours = packages
        .iter()
        .find(|package| package["name"] == "promptdeck-core")
        .and_then(of)
        .expect("the workspace declares a version");
    let needed = packages
        .iter()
        .filter_map(|package| Some((of(package)?, package)));
    let newer: Vec<String> = needed
        .filter(|(needed, _)| *needed > ours)
        .map(|(needed, package)| format!("{} needs {needed:?}", package["name"]))
        .collect();
    assert!(newer.is_empty(), "{}", newer.join(", "));
    let builds = packages.iter().filter_map(of).max();
    assert_eq!(builds, Some(ours), "a lower version would do");
}
