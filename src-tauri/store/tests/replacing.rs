//! Replacing a file: expected content, permissions of the temporary file, and left-overs of killed
//! programs.

use std::fs::{self, File};
use std::path::Path;
use std::time::{Duration, SystemTime};

use promptdeck_store::Hash;
use promptdeck_store::files::{self, Expected, Replaced};

fn names(folder: &Path) -> Vec<String> {
    let files = fs::read_dir(folder).expect("listed");
    let mut names: Vec<_> = files
        .map(|file| {
            file.expect("listed")
                .file_name()
                .into_string()
                .expect("a name")
        })
        .collect();
    names.sort();
    names
}

#[test]
fn a_file_is_replaced_only_when_it_holds_what_is_expected() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.json");
    let expected_content = |bytes: &[u8]| Expected::Content(Hash::of(bytes));
    let check = |now: Option<&[u8]>, expected: Expected, replaced: Replaced| {
        match now {
            Some(bytes) => fs::write(&path, bytes).expect("written"),
            None => drop(fs::remove_file(&path)),
        }
        let then = files::replace(&path, b"new", expected).expect("answered");
        assert_eq!(then, replaced, "{now:?}, {expected:?}");
        let holds: Option<&[u8]> = match replaced {
            Replaced::ChangedOutside => now,
            Replaced::Written | Replaced::Unchanged => Some(b"new"),
        };
        assert_eq!(fs::read(&path).ok().as_deref(), holds);
    };
    use Replaced::{ChangedOutside, Unchanged, Written};
    check(Some(b"old"), expected_content(b"old"), Written);
    check(Some(b"old"), Expected::Anything, Written);
    check(None, Expected::Anything, Written);
    check(None, Expected::Absent, Written);
    check(Some(b"edit"), expected_content(b"old"), ChangedOutside);
    check(Some(b"edit"), Expected::Absent, ChangedOutside);
    check(None, expected_content(b"old"), ChangedOutside);
    // Another program wrote exactly the new bytes: nothing is lost.
    check(Some(b"new"), expected_content(b"old"), Unchanged);
    check(Some(b"new"), Expected::Absent, Unchanged);
    assert_eq!(names(folder.path()), ["a.json"], "no temporary file stays");
    assert_eq!(
        files::current(&path).expect("looked at"),
        expected_content(b"new")
    );
    fs::remove_file(&path).expect("removed");
    assert_eq!(files::current(&path).expect("looked at"), Expected::Absent);
}

#[cfg(unix)]
#[test]
fn the_temporary_file_is_never_readable_by_more_than_the_file_is() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::sync::atomic::{AtomicBool, Ordering};
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.json");
    fs::write(&path, b"old").expect("written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("set");
    let over = AtomicBool::new(false);
    let (seen, widest) = std::thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            let (mut seen, mut widest) = (0, 0);
            while !over.load(Ordering::Relaxed) {
                for file in fs::read_dir(folder.path()).expect("listed").flatten() {
                    let Ok(found) = file.metadata() else { continue };
                    if file.file_name() != "a.json" {
                        (seen, widest) = (seen + 1, widest | found.mode() & 0o7777);
                    }
                }
            }
            (seen, widest)
        });
        for number in 0..50u64 {
            let bytes = number.to_string().repeat(100_000);
            let replaced = files::replace(&path, bytes.as_bytes(), Expected::Anything);
            assert_eq!(replaced.expect("replaced"), Replaced::Written);
        }
        over.store(true, Ordering::Relaxed);
        watcher.join().expect("watched")
    });
    println!("the temporary file was seen {seen} times, mode {widest:o} at the widest");
    assert!(seen > 0 && widest == 0o600, "{seen}, {widest:o}");
}

#[test]
fn left_overs_go_and_an_outside_edit_among_them_becomes_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let short = |bytes: &[u8]| Hash::of(bytes).to_string()[..16].to_owned();
    let exchanged = format!("{}-{}", short(b"old"), short(b"new"));
    let write = |name: &str, bytes: &[u8], age: Duration| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).expect("written");
        let file = File::options().write(true).open(path).expect("opened");
        file.set_modified(SystemTime::now() - age).expect("set");
    };
    let (fresh, stale) = (Duration::ZERO, Duration::from_mins(5));
    write(".promptdeck-aaaaaa.part", b"half of", stale);
    write(".promptdeck-bbbbbb.part", b"half of", fresh);
    write(
        &format!(".promptdeck-cccccc-{exchanged}.part"),
        b"old",
        stale,
    );
    write(
        &format!(".promptdeck-dddddd-{exchanged}.part"),
        b"new",
        stale,
    );
    write(
        &format!(".promptdeck-eeeeee-{exchanged}.part"),
        b"an edit",
        stale,
    );
    write(".promptdeck-notes of mine.part", b"not ours", stale);
    write("download.part", b"not ours", stale);
    // A file whose program still has it locked is in use, whatever its age.
    let locked_file = File::open(folder.path().join(".promptdeck-bbbbbb.part")).expect("opened");
    locked_file.lock().expect("locked");
    files::clean(folder.path());
    let left = [
        ".promptdeck-bbbbbb.part",
        ".promptdeck-notes of mine.part",
        "download.part",
        "recovered.json",
    ];
    assert_eq!(names(folder.path()), left);
    let edit = fs::read(folder.path().join("recovered.json")).expect("read");
    assert_eq!(edit, b"an edit");
    drop(locked_file);
    files::clean(folder.path());
    assert_eq!(names(folder.path()), left[1..]);
    // While one of our programs writes in the folder, nothing is a left-over.
    write(".promptdeck-aaaaaa.part", b"half of", stale);
    let busy = File::open(folder.path()).expect("opened");
    busy.lock_shared().expect("locked");
    files::clean(folder.path());
    assert!(folder.path().join(".promptdeck-aaaaaa.part").exists());
    drop(busy);
    files::clean(folder.path());
    assert!(!folder.path().join(".promptdeck-aaaaaa.part").exists());
}
