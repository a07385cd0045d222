//! `fmt`: canonical form, in place.

use std::fs;

use serde_json::Value;

use crate::program::{Folder, REGISTRY};

fn compact() -> String {
    serde_json::from_str::<Value>(REGISTRY)
        .expect("JSON")
        .to_string()
}

#[test]
fn a_file_is_rewritten_in_canonical_form() {
    let folder = Folder::new();
    folder.write("registry.json", compact());
    folder.run(&["fmt", "registry.json"]).gives("");
    assert_eq!(folder.read("registry.json"), REGISTRY);
}

#[test]
fn a_canonical_file_is_not_touched() {
    let folder = Folder::new();
    let written = || fs::metadata(folder.path("registry.json")).and_then(|data| data.modified());
    let before = written().expect("it is there");
    folder.run(&["fmt", "registry.json"]).gives("");
    assert_eq!(written().expect("it is there"), before);
}

#[test]
fn check_names_the_files_and_changes_nothing() {
    let folder = Folder::new();
    folder.write("other.json", compact());
    let run = folder.run(&["fmt", "--check", "registry.json", "other.json"]);
    assert_eq!((run.out.as_str(), run.status), ("other.json\n", 1));
    assert_eq!(folder.read("other.json"), compact());
    folder.run(&["fmt", "--check", "registry.json"]).gives("");
}

#[test]
fn standard_input_goes_to_standard_output() {
    Folder::new()
        .run_with(&["fmt", "-"], &compact())
        .gives(REGISTRY);
}

#[test]
fn one_unreadable_file_does_not_keep_the_others_from_it() {
    let folder = Folder::new();
    folder.write("a.json", "{");
    folder.write("b.json", compact());
    folder
        .run(&["fmt", "a.json", "b.json"])
        .refuses(2, &["a.json"]);
    assert_eq!(folder.read("b.json"), REGISTRY);
}

#[test]
fn what_a_killed_run_left_over_goes_with_the_next() {
    let folder = Folder::new();
    let left_over = ".promptdeck-aB3dE6.part";
    for text in [REGISTRY.to_owned(), REGISTRY.replace("  ", " ")] {
        folder.write("registry.json", text);
        folder.write(left_over, "half of");
        folder.write(".promptdeck-notes.part", "not ours");
        assert_ne!(folder.run(&["fmt", "--check", "registry.json"]).status, 2);
        assert!(folder.path(left_over).exists(), "a check changes nothing");
        folder.run(&["fmt", "registry.json"]).gives("");
        assert!(!folder.path(left_over).exists());
        assert!(folder.path(".promptdeck-notes.part").exists());
    }
}
