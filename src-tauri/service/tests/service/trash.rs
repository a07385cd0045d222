//! Deleting a registry: it goes to the system's trash with what belongs to it, and comes back whole.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use promptdeck_service::wire::NewRegistry;

use crate::files::{names, query};
use crate::home::{Home, prompt, registry, typed};

/// Runs a test of this program alone, in a process with these variables.
pub fn alone(test: &str, variables: &[(&str, &Path)]) {
    let program = env::current_exe().expect("this program");
    let done = Command::new(program)
        .args(["--exact", test, "--ignored", "--nocapture"])
        .envs(variables.iter().copied())
        .output()
        .expect("started");
    let output = String::from_utf8_lossy(&done.stdout);
    assert!(
        done.status.success() && output.contains("1 passed"),
        "{output}\n{}",
        String::from_utf8_lossy(&done.stderr)
    );
}

#[test]
fn deleting_uses_the_trash() {
    let data = tempfile::tempdir().expect("a folder");
    alone(
        "trash::in_a_separate_trash",
        &[("XDG_DATA_HOME", data.path()), ("HOME", data.path())],
    );
}

fn trashed() -> Vec<PathBuf> {
    let data = PathBuf::from(env::var_os("XDG_DATA_HOME").expect("set"));
    let files = fs::read_dir(data.join("Trash/files"));
    let files = files.into_iter().flatten().flatten();
    files.map(|entry| entry.path()).collect()
}

#[test]
#[ignore = "run by deleting_uses_the_trash, which gives it a trash"]
fn in_a_separate_trash() {
    let home = Home::new();
    home.write("other.json", &registry());
    let (studio, _) = home.open();
    studio
        .take_snapshot("deck.json", Some("First"))
        .expect("taken");
    studio
        .apply("deck.json", &typed(0, 0, "Now "))
        .expect("applied");
    let bytes = fs::read(home.path("deck.json")).expect("there");

    let deleted = studio.delete_registry("deck.json").expect("deleted");
    assert_eq!(names(&studio), ["other.json"]);
    let files = trashed();
    assert_eq!(files.len(), 1, "{files:?}");
    assert_eq!(fs::read(&files[0]).expect("there"), bytes);
    assert_eq!(
        studio.save("deck.json").expect_err("gone").code(),
        "not_open"
    );

    // Its name is not given to a new file while its unsaved edits wait for it.
    let fault = studio
        .new_registry(&NewRegistry::Blank, "", "deck")
        .expect_err("kept");
    assert_eq!(fault.code(), "name_kept");
    assert_eq!(
        studio.restore_registry(deleted.id).expect("restored"),
        "deck.json"
    );
    assert!(trashed().is_empty());
    let opened = studio.open_document("deck.json").expect("open");
    assert!(
        prompt(&opened).ends_with("Now Go."),
        "the unsaved edits came back"
    );
    assert_eq!(opened.conflict, None);
    assert!(opened.status.undo.is_some(), "and the steps to undo");
    assert_eq!(
        studio.snapshots(&query("deck.json")).expect("read").total,
        1
    );
    let twice = studio
        .restore_registry(deleted.id)
        .expect_err("done already");
    assert_eq!(twice.code(), "nothing_to_do");

    // A file that came back meanwhile is not replaced.
    let deleted = studio.delete_registry("deck.json").expect("deleted");
    fs::write(home.path("deck.json"), "{}").expect("written");
    let taken = studio.restore_registry(deleted.id).expect_err("taken");
    assert_eq!(taken.code(), "name_taken");
    assert_eq!(fs::read(home.path("deck.json")).expect("there"), b"{}");
    fs::remove_file(home.path("deck.json")).expect("removed");
    studio.restore_registry(deleted.id).expect("restored");
    // Each deletion can be undone, in any order, also after a copy was taken away.
    let first = studio.delete_registry("deck.json").expect("deleted");
    let copy = studio.duplicate_registry("other.json").expect("copied");
    studio.open_document(&copy).expect("open");
    studio.delete_registry(&copy).expect("deleted");
    let second = studio.delete_registry("other.json").expect("deleted");
    assert_eq!(names(&studio), [""; 0]);
    studio.restore_registry(first.id).expect("restored");
    let opened = studio.open_document("deck.json").expect("open");
    assert!(prompt(&opened).ends_with("Now Go."));
    assert!(opened.status.undo.is_some(), "the steps to undo are kept");
    studio.restore_registry(second.id).expect("restored");
    assert_eq!(names(&studio), ["deck.json", "other.json"]);
    // Only while the trash has the file.
    studio.delete_registry("deck.json").expect("deleted");
    let emptied = studio.delete_registry("other.json").expect("deleted");
    for file in trashed() {
        fs::remove_file(file).expect("emptied");
    }
    let emptied = studio.restore_registry(emptied.id).expect_err("emptied");
    assert_eq!(emptied.code(), "not_in_trash");

    // After a restart the unsaved edits are still there for a file put back by hand.
    fs::write(home.path("deck.json"), &bytes).expect("put back");
    drop(studio);
    let (studio, _) = home.studio();
    let opened = studio.open_document("deck.json").expect("open");
    assert!(prompt(&opened).ends_with("Now Go."));
}

#[cfg(unix)]
#[test]
fn without_a_trash_nothing_is_deleted() {
    // A file in the place of the folder of data: no trash can be made in it.
    let data = tempfile::NamedTempFile::new().expect("a file");
    alone(
        "trash::without_a_trash",
        &[("XDG_DATA_HOME", data.path()), ("HOME", data.path())],
    );
}

#[test]
#[ignore = "run by without_a_trash_nothing_is_deleted, which takes its trash away"]
fn without_a_trash() {
    let home = Home::new();
    let (studio, _) = home.open();
    let fault = studio.delete_registry("deck.json").expect_err("refused");
    assert_eq!(fault.code(), "no_trash", "{fault}");
    assert!(fault.to_string().contains("nothing was deleted"), "{fault}");
    assert!(home.path("deck.json").exists());
    assert_eq!(names(&studio), ["deck.json"]);
    assert!(
        studio.apply("deck.json", &typed(0, 0, "a")).is_ok(),
        "it is still open"
    );
}
