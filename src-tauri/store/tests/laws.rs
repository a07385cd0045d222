//! Invariants of the store's rows and of replacing files.

use std::fs;
use std::path::Path;

use promptdeck_store::drafts::{DraftCheckpoint, DraftVersion};
use promptdeck_store::files::{self, Expected, Replaced};
use promptdeck_store::snapshots::{NewSnapshot, Query, Summary};
use promptdeck_store::{Hash, Store, StoreError};

fn store() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(&folder.path().join("data/store.sqlite"))
        .expect("opened")
        .store;
    (folder, store)
}

fn take(store: &Store, file: &str, name: &str, content: &[u8], at: i64) -> Summary {
    let snapshot = NewSnapshot {
        name,
        note: "a note",
        file,
        content,
        state: r#"{"sliders":{"sentiment":7}}"#,
        route: Some("short"),
        seed: (1 << 53) - 1,
        target: None,
        glance: "deadpan, positive 7",
        taken_at: at,
        automatic: false,
    };
    store.take_snapshot(&snapshot).expect("taken")
}

fn names(store: &Store, query: &Query<'_>) -> Vec<String> {
    let page = store.snapshots(query).expect("listed");
    page.snapshots
        .into_iter()
        .map(|snapshot| snapshot.name)
        .collect()
}

fn blob_count(store: &Store) -> i64 {
    rusqlite::Connection::open(store.path())
        .and_then(|conn| conn.query_row("SELECT count(*) FROM contents", [], |row| row.get(0)))
        .expect("counted")
}

fn all() -> Query<'static> {
    Query {
        limit: 200,
        ..Query::default()
    }
}

#[test]
fn content_is_kept_once_however_many_share_it() {
    let (_folder, store) = store();
    for at in 0..20 {
        take(&store, "/a.json", "same", b"the same registry", at);
    }
    take(&store, "/b.json", "other", b"another registry", 1);
    assert_eq!(blob_count(&store), 2);
    assert_eq!(
        store
            .content(&Hash::of(b"another registry"))
            .expect("there"),
        b"another registry"
    );
}

#[test]
fn a_snapshot_comes_back_as_it_was_taken() {
    let (_folder, store) = store();
    let taken = take(&store, "/a.json", "Opening night", b"{}", 12);
    assert_eq!(store.snapshot(taken.id).expect("there"), taken);
    assert_eq!(taken.seed, (1 << 53) - 1);
    assert_eq!(taken.route.as_deref(), Some("short"));
}

#[test]
fn the_list_has_pins_first_then_the_newest() {
    let (_folder, store) = store();
    for (at, name) in [(1, "one"), (2, "two"), (3, "three")] {
        take(&store, "/a.json", name, b"{}", at);
    }
    take(&store, "/b.json", "elsewhere", b"{}", 9);
    let of_a = Query {
        file: Some("/a.json"),
        ..all()
    };
    assert_eq!(names(&store, &of_a), ["three", "two", "one"]);
    store.pin_snapshot(1, Some(4)).expect("pinned");
    assert_eq!(names(&store, &of_a), ["one", "three", "two"]);
    store.pin_snapshot(2, Some(4)).expect("pinned");
    assert_eq!(names(&store, &of_a), ["two", "three", "one"]);
    assert_eq!(
        store.snapshot(1).expect("there").pinned,
        None,
        "the key moved"
    );
    assert!(store.pin_snapshot(1, Some(10)).is_err());
    let second = Query {
        offset: 1,
        limit: 1,
        ..of_a
    };
    assert_eq!(names(&store, &second), ["three"]);
    assert_eq!(store.snapshots(&second).expect("listed").total, 3);
}

#[test]
fn search_finds_every_word_in_name_or_note() {
    let (_folder, store) = store();
    take(&store, "/a.json", "Opening night", b"{}", 1);
    take(&store, "/a.json", "100% dry", b"{}", 2);
    let check = |text: &str, expected: &[&str]| {
        assert_eq!(
            names(
                &store,
                &Query {
                    text: Some(text),
                    ..all()
                }
            ),
            expected,
            "{text:?}"
        );
    };
    check("NIGHT", &["Opening night"]);
    check("note opening", &["Opening night"]);
    check("%", &["100% dry"]);
    check("_", &[]);
    check("'; DROP TABLE snapshots; --", &[]);
    check("  ", &["100% dry", "Opening night"]);
}

#[test]
fn deletion_can_be_taken_back_until_it_is_forgotten() {
    let (_folder, store) = store();
    let taken = take(&store, "/a.json", "one", b"only here", 1);
    store.pin_snapshot(taken.id, Some(1)).expect("pinned");
    store.delete_snapshot(taken.id, 1000).expect("deleted");
    assert_eq!(names(&store, &all()), [""; 0]);
    let other = take(&store, "/a.json", "two", b"{}", 2);
    store
        .pin_snapshot(other.id, Some(1))
        .expect("the key is free");
    assert_eq!(
        store.undelete_snapshot(taken.id).expect("back").pinned,
        None
    );
    store.delete_snapshot(taken.id, 1000).expect("deleted");
    let month = promptdeck_store::snapshots::KEPT_AFTER_DELETION;
    assert_eq!(store.forget_deleted(1000 + month).expect("looked"), 0);
    assert_eq!(store.forget_deleted(1001 + month).expect("looked"), 1);
    assert!(matches!(
        store.snapshot(taken.id),
        Err(StoreError::Missing { .. })
    ));
    assert_eq!(blob_count(&store), 1, "its content went with it");
    assert_ne!(
        take(&store, "/a.json", "three", b"{}", 3).id,
        taken.id,
        "numbers are not reused"
    );
}

#[test]
fn deleted_snapshots_are_listed_apart_the_last_deleted_first() {
    let (_folder, store) = store();
    for (at, name) in [(1, "one"), (2, "two"), (3, "three")] {
        take(&store, "/a.json", name, b"{}", at);
    }
    let elsewhere = take(&store, "/b.json", "elsewhere", b"{}", 9);
    store.pin_snapshot(2, Some(1)).expect("pinned");
    for (id, at) in [(2, 1000), (elsewhere.id, 1001), (1, 1002)] {
        store.delete_snapshot(id, at).expect("deleted");
    }
    let deleted = Query {
        file: Some("/a.json"),
        deleted: true,
        ..all()
    };
    assert_eq!(names(&store, &deleted), ["one", "two"]);
    store.undelete_snapshot(1).expect("back");
    assert_eq!(names(&store, &deleted), ["two"]);
}

#[test]
fn the_snapshot_before_is_of_the_same_file_pinned_or_not_and_not_deleted() {
    let (_folder, store) = store();
    let taken: Vec<_> = (1..=5)
        .map(|at| take(&store, "/a.json", &format!("{at}"), b"{}", at.min(4)))
        .collect();
    take(&store, "/b.json", "other", b"{}", 3);
    let pinned = store.pin_snapshot(taken[1].id, Some(2)).expect("pinned");
    store.delete_snapshot(taken[2].id, 9).expect("deleted");
    let before: Vec<_> = store
        .previous_snapshots(&[taken[0].clone(), pinned, taken[3].clone(), taken[4].clone()])
        .expect("looked")
        .into_iter()
        .map(|before| before.map(|before| before.name))
        .collect();
    let name = |name: &str| Some(name.to_owned());
    assert_eq!(
        before,
        [None, name("1"), name("2"), name("4")],
        "of two at one time, the one taken first"
    );
}

#[test]
fn the_size_of_a_content_is_known_without_reading_it() {
    let (_folder, store) = store();
    let taken = take(&store, "/a.json", "one", b"{\"version\":22}", 1);
    assert_eq!(store.content_size(&taken.content).expect("looked"), 14);
    assert_eq!(store.content_size(&Hash::of(b"none")).expect("looked"), 0);
}

/// What a writer finds, and puts in its place.
fn checkpoint(store: &Store, owner: i64, base: &[u8], tree: &[u8], saved_at: i64) -> bool {
    let checkpoint = DraftCheckpoint {
        owner,
        replaces: store.draft_version("/a.json").expect("looked"),
        base: Hash::of(base),
        tree,
        modified: owner == 2,
        saved_at,
    };
    let written = store.checkpoint_draft("/a.json", &checkpoint);
    written.expect("written")
}

#[test]
fn a_draft_is_its_checkpoint_and_the_edits_since() {
    let (_folder, store) = store();
    let append = |owner: i64, edits: &[u8]| {
        let appended = store.append_draft("/a.json", owner, edits, true, 2);
        appended.expect("written")
    };
    let draft = || store.draft("/a.json").expect("whole").expect("there");
    assert_eq!(store.draft("/a.json").expect("looked"), None);
    assert!(!append(1, b"early"), "nothing to append to");
    assert!(checkpoint(&store, 1, b"file", b"tree", 1));
    assert_eq!(store.modified_files().expect("listed"), [""; 0]);
    for edits in [b"one".as_slice(), b"two"] {
        assert!(append(1, edits));
    }
    assert_eq!(draft().edits, [b"one", b"two"]);
    assert_eq!(
        (draft().tree.as_slice(), draft().modified, draft().saved_at),
        (&b"tree"[..], true, 2)
    );
    assert_eq!(store.modified_files().expect("listed"), ["/a.json"]);
    assert!(checkpoint(&store, 2, b"file", b"tree 2", 3));
    assert_eq!(draft().edits, [[]; 0]);
    assert!(!append(1, b"late"), "another owner's");
    assert_eq!(draft().edits, [[]; 0]);
    assert_eq!(blob_count(&store), 1, "the first tree went");
}

#[test]
fn a_draft_that_came_after_the_writer_looked_is_not_replaced() {
    let (_folder, store) = store();
    let write = |owner: i64, replaces: Option<DraftVersion>, tree: &[u8], saved_at: i64| {
        let checkpoint = DraftCheckpoint {
            owner,
            replaces,
            base: Hash::of(b"file"),
            tree,
            modified: true,
            saved_at,
        };
        let written = store.checkpoint_draft("/a.json", &checkpoint);
        written.expect("written")
    };
    let tree = || store.draft("/a.json").expect("whole").expect("there").tree;
    let found = || store.draft_version("/a.json").expect("looked");
    // Both windows found none.
    assert!(write(1, None, b"mine", 1));
    assert!(!write(2, None, b"theirs", 1));
    assert_eq!(tree(), b"mine");
    // The second found that one, and the first wrote on.
    let before = found();
    assert!(write(1, before, b"mine, longer", 2));
    assert!(!write(2, before, b"theirs", 3));
    assert_eq!(tree(), b"mine, longer");
    assert!(write(2, found(), b"theirs", 3));
    assert_eq!(tree(), b"theirs");
    assert_eq!(blob_count(&store), 1, "what was refused is not kept");
}

#[test]
fn the_version_a_draft_is_based_on_is_kept_as_long_as_the_draft_has_it() {
    let (_folder, store) = store();
    let write = |base: &[u8], tree: &[u8]| assert!(checkpoint(&store, 1, base, tree, 1));
    store.keep_base("/a.json", b"file").expect("no draft");
    assert_eq!(blob_count(&store), 0);
    write(b"file", b"tree");
    store
        .keep_base("/a.json", b"another")
        .expect("another version");
    store.keep_base("/a.json", b"file").expect("kept");
    assert_eq!(blob_count(&store), 2);
    write(b"file", b"tree 2");
    assert_eq!(store.content(&Hash::of(b"file")).expect("there"), b"file");
    write(b"saved", b"tree 2");
    assert_eq!(blob_count(&store), 1, "the version of before went");
}

#[test]
fn settings_come_back() {
    let (_folder, store) = store();
    assert_eq!(store.setting("window").expect("looked"), None);
    store.set_setting("window", "{}").expect("kept");
    store
        .set_setting("window", r#"{"theme":"dark"}"#)
        .expect("kept");
    assert_eq!(
        store.setting("window").expect("there").as_deref(),
        Some(r#"{"theme":"dark"}"#)
    );
}

#[test]
fn other_programs_databases_are_refused_and_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("other.sqlite");
    let other = rusqlite::Connection::open(&path).expect("made");
    other
        .execute_batch("CREATE TABLE mail (text TEXT); PRAGMA user_version = 3;")
        .expect("filled");
    drop(other);
    let before = fs::read(&path).expect("read");
    let fault = Store::open(&path).expect_err("refused");
    assert_eq!(fault.code(), "store_foreign");
    assert_eq!(fs::read(&path).expect("read"), before);
}

#[test]
fn a_newer_store_is_refused_and_left_alone() {
    let (folder, store) = store();
    let path = folder.path().join("data/store.sqlite");
    drop(store);
    let newer = rusqlite::Connection::open(&path).expect("opened");
    newer
        .execute_batch(
            "CREATE TABLE later (id INTEGER); PRAGMA user_version = 99;
             PRAGMA wal_checkpoint(TRUNCATE)",
        )
        .expect("set");
    drop(newer);
    let before = fs::read(&path).expect("read");
    let fault = Store::open(&path).expect_err("refused");
    assert_eq!(fault.code(), "store_newer");
    assert!(fault.to_string().contains("99"), "{fault}");
    assert_eq!(fs::read(&path).expect("read"), before);
}

#[test]
fn replacing_touches_nothing_when_nothing_changed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.json");
    let check = |bytes: &[u8], expected: Replaced| {
        let replaced = files::replace(&path, bytes, Expected::Anything).expect("replaced");
        assert_eq!(replaced, expected);
        assert_eq!(fs::read(&path).expect("read"), bytes);
    };
    check(b"one", Replaced::Written);
    let before = fs::metadata(&path)
        .expect("there")
        .modified()
        .expect("known");
    check(b"one", Replaced::Unchanged);
    assert_eq!(
        fs::metadata(&path)
            .expect("there")
            .modified()
            .expect("known"),
        before
    );
    check(b"two", Replaced::Written);
    check(b"", Replaced::Written);
    check(b"", Replaced::Unchanged);
    assert_eq!(
        fs::read_dir(folder.path()).expect("listed").count(),
        1,
        "no temporary file stays"
    );
    assert_eq!(
        files::create(&path, b"three").expect_err("is there").code(),
        "file_exists"
    );
    assert_eq!(fs::read(&path).expect("read"), b"");
}

#[cfg(unix)]
#[test]
fn replacing_keeps_permissions_and_follows_links() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().expect("a folder");
    let (real, link) = (
        folder.path().join("real.json"),
        folder.path().join("link.json"),
    );
    fs::write(&real, b"old").expect("written");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).expect("set");
    symlink(Path::new("real.json"), &link).expect("linked");
    files::replace(&link, b"new", Expected::Anything).expect("replaced");
    assert!(
        fs::symlink_metadata(&link)
            .expect("there")
            .file_type()
            .is_symlink()
    );
    assert_eq!(fs::read(&real).expect("read"), b"new");
    assert_eq!(
        fs::metadata(&real).expect("there").permissions().mode() & 0o777,
        0o640
    );
    let circle = folder.path().join("circle.json");
    symlink(&circle, &circle).expect("linked");
    assert!(files::replace(&circle, b"never", Expected::Anything).is_err());
}

#[test]
fn a_file_larger_than_the_limit_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.json");
    fs::write(&path, b"12345").expect("written");
    assert_eq!(files::read(&path, 5).expect("fits"), b"12345");
    assert_eq!(
        files::read(&path, 4).expect_err("too large").code(),
        "file_too_large"
    );
    assert_eq!(
        files::read(folder.path(), 4).expect_err("a folder").code(),
        "file"
    );
}
