//! Turns of conversations: a tree that is read back unchanged, also from a damaged store.

use std::fs;

use promptdeck_store::turns::{NewTurn, Turn, TurnState};
use promptdeck_store::{OpenedStore, Store};

fn new(call: Option<&str>, parent: Option<i64>) -> NewTurn<'_> {
    NewTurn {
        file: "a.json",
        call,
        parent,
        run: None,
        created_at: 1_700_000_000_000,
        state: TurnState::Complete,
        message: r#"{"role":"user","content":"Hello"}"#,
        outcome: "null",
    }
}

fn ids(turns: &[Turn]) -> Vec<i64> {
    turns.iter().map(|turn| turn.id).collect()
}

#[test]
fn each_call_document_has_a_separate_tree() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(&folder.path().join("store.sqlite"))
        .expect("opens")
        .store;
    let first = store.add_turn(&new(None, None)).expect("added");
    let other = store
        .add_turn(&new(Some("calls/b.json"), None))
        .expect("added");
    let answer = NewTurn {
        run: Some(9),
        state: TurnState::Streaming,
        ..new(None, Some(first.id))
    };
    let answer = store.add_turn(&answer).expect("added");
    let tree = store.turns("a.json", None).expect("a tree");
    assert_eq!(
        (ids(&tree.turns), tree.damaged),
        (vec![first.id, answer.id], 0)
    );
    let tree = store.turns("a.json", Some("calls/b.json")).expect("a tree");
    assert_eq!(ids(&tree.turns), [other.id]);
    // Turns that are added together are a branch.
    let branch = [new(None, Some(first.id)), new(None, None)];
    let branch = store.add_turns(&branch).expect("added");
    let parents: Vec<_> = branch.iter().map(|turn| turn.parent).collect();
    assert_eq!(parents, [Some(first.id), Some(branch[0].id)]);
    assert_eq!(store.turn(branch[1].id).expect("found"), branch[1]);
    assert_eq!(store.turns("b.json", None).expect("a tree").turns, []);
    assert_eq!(store.first_turns("calls/b.json").expect("read"), [other]);
    let part = r#"{"role":"assistant","content":"Go"}"#;
    let ended = store.update_turn(answer.id, TurnState::Stopped, part, "{}");
    let ended = ended.expect("updated");
    assert_eq!(
        (ended.parent, ended.run, ended.state),
        (Some(first.id), Some(9), TurnState::Stopped)
    );
    assert_eq!(store.turn(answer.id).expect("found"), ended);
}

#[test]
fn a_conversation_follows_a_file_that_is_renamed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("store.sqlite");
    let store = Store::open(&path).expect("opens").store;
    let first = store.add_turn(&new(None, None)).expect("added");
    store.add_turn(&new(None, Some(first.id))).expect("added");
    store.move_file("a.json", "b.json", &[]).expect("moved");
    assert_eq!(store.turns("a.json", None).expect("a tree").turns, []);
    let moved = store.turns("b.json", None).expect("a tree").turns;
    assert_eq!(ids(&moved), [1, 2]);
    assert!(store.is_sound().expect("checked"));
}

#[test]
fn a_damaged_store_gives_its_turns_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("store.sqlite");
    let store = Store::open(&path).expect("opens").store;
    let mut parent = None;
    for _ in 0..40 {
        parent = Some(store.add_turn(&new(None, parent)).expect("added").id);
    }
    let written = store.turns("a.json", None).expect("a tree");
    drop(store);
    let mut bytes = fs::read(&path).expect("read");
    bytes[..100].fill(0);
    fs::write(&path, bytes).expect("written");
    let OpenedStore { store, salvage } = Store::open_damaged(&path).expect("salvaged");
    let salvage = salvage.expect("reported");
    assert!(salvage.complete && salvage.turns == 40, "{salvage}");
    assert_eq!(store.turns("a.json", None).expect("a tree"), written);
    assert_eq!(store.add_turn(&new(None, None)).expect("added").id, 41);
}

#[test]
fn a_store_from_before_conversations_is_no_damaged_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("store.sqlite");
    let mut conn = rusqlite::Connection::open(&path).expect("opens");
    promptdeck_store::schema::create(&mut conn, 4).expect("created");
    drop(conn);
    let OpenedStore { store, salvage } = Store::open(&path).expect("opens");
    assert_eq!(salvage, None);
    assert_eq!(store.add_turn(&new(None, None)).expect("added").id, 1);
    assert!(store.is_sound().expect("checked"));
}
