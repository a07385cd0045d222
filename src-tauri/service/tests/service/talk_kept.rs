//! Branches of a conversation that are kept as a call document, and what that leaves to the others.

use promptdeck_service::Studio;
use promptdeck_service::wire::{Edit, TalkParams, TalkTurn};
use serde_json::{Value, json};

use crate::home::{group, path};
use crate::talk::{CALL, home, message, open, over, params, send, sent};

#[test]
fn a_branch_is_kept_as_the_call_in_one_step() {
    let home = home();
    let (studio, events) = open(&home);
    let answer = send(&studio, &events, &params(None), &[message("user", "One")]);
    let change = studio
        .keep_call("deck.json", &params(Some(answer.id)), CALL)
        .expect("kept");
    // History, message and the seed.
    assert_eq!((change.edits.len(), change.status.modified), (3, true));
    let tree = studio.open_call(CALL).expect("open").tree;
    assert_eq!(tree["history"].as_array().map(Vec::len), Some(5));
    assert_eq!(
        tree["history"][2],
        json!({"role": "user", "content": "What is new?", "language": "en"})
    );
    assert_eq!(
        (&tree["message"]["text"], &tree["own"]["kept"]),
        (&json!(""), &json!(1.50))
    );
    studio.undo_call(CALL).expect("undone");
    let tree = studio.open_call(CALL).expect("open").tree;
    assert_eq!(tree, home.read(CALL));
}

/// The texts that come before the first turn of a branch, and whether the call has others by now.
fn before(studio: &Studio, params: &TalkParams) -> (Vec<String>, bool) {
    let view = studio
        .talk_request("deck.json", params, &[])
        .expect("a view");
    let texts = view.before.into_iter().map(|message| message.content);
    (texts.collect(), view.is_earlier)
}

#[test]
fn other_branches_stay_as_they_were_answered_when_one_is_kept_as_the_call() {
    let home = home();
    let (studio, events) = open(&home);
    let one = send(&studio, &events, &params(None), &[message("user", "One")]);
    let two = send(&studio, &events, &params(None), &[message("user", "Two")]);
    let (texts_before, _) = before(&studio, &params(None));
    let to_second = params(Some(two.id));
    studio
        .keep_call("deck.json", &to_second, CALL)
        .expect("kept");

    let (texts, is_earlier) = before(&studio, &params(None));
    assert_eq!((texts.len(), is_earlier), (texts_before.len() + 2, false));
    for answer in [&one, &two] {
        let found = before(&studio, &params(Some(answer.id)));
        assert_eq!(found, (texts_before.clone(), true));
    }
    // A turn beside the first one, by hand and as an answer, has the same before it.
    let beside = TalkParams {
        beside: one.parent,
        ..params(None)
    };
    assert_eq!(before(&studio, &beside), (texts_before.clone(), true));
    let texts_sent = |answer: &TalkTurn| {
        let messages = sent(&studio, answer)["messages"].clone();
        let messages = messages.as_array().cloned().unwrap_or_default();
        let text = |message: Value| message["content"].as_str().unwrap_or_default().to_owned();
        messages.into_iter().map(text).collect::<Vec<_>>()
    };
    let three = send(&studio, &events, &beside, &[message("user", "Three")]);
    let [one_sent, three_sent] = [&one, &three].map(texts_sent);
    assert_eq!(
        one_sent[..one_sent.len() - 1],
        three_sent[..three_sent.len() - 1]
    );
    assert_eq!(three_sent.last().map(String::as_str), Some("Three"));
    let rolled = send(&studio, &events, &beside, &[]);
    assert_eq!(rolled.parent, None);
    for answer in [&three, &rolled] {
        let found = before(&studio, &params(Some(answer.id)));
        assert_eq!(found, (texts_before.clone(), true));
    }
    // Kept as well, a branch brings what came before it.
    let to_third = params(Some(three.id));
    studio
        .keep_call("deck.json", &to_third, CALL)
        .expect("kept");
    let mut expected = texts_before.clone();
    expected.extend(["Three".to_owned(), three.content.clone()]);
    assert_eq!(before(&studio, &params(None)), (expected, false));
    for _ in 0..2 {
        studio.undo_call(CALL).expect("undone");
    }
    assert_eq!(
        before(&studio, &params(Some(one.id))),
        (texts_before, false)
    );
}

#[test]
fn a_conversation_without_a_call_is_kept_as_a_new_one() {
    let home = home();
    let (studio, events) = open(&home);
    let alone = |leaf: Option<u32>| TalkParams {
        call: None,
        ..params(leaf)
    };
    let started = studio.send_turns("deck.json", &alone(None), &[message("user", "One")], true);
    let wanted = started.expect("started").batch.expect("a batch");
    over(&events, wanted);
    let answered_turns = studio.talk("deck.json", None).expect("read").turns;
    let answer = answered_turns.last().expect("an answer");
    let mood = Edit::Set {
        path: path(json!(["state", "template_vars"])),
        value: json!({"personas::mood": "dry"}),
    };
    studio
        .apply("deck.json", &group(0, vec![mood]))
        .expect("applied");
    let deck = studio.use_seed("deck.json", 4711).expect("a seed").document;
    let made = studio.new_call("deck.json", None).expect("made");
    studio.open_call(&made).expect("open");
    studio
        .keep_call("deck.json", &alone(Some(answer.id)), &made)
        .expect("kept");
    let tree = studio.open_call(&made).expect("open").tree;
    let registry_tree = studio.open_document(&deck).expect("open").tree;
    for key in ["state", "route", "seed"] {
        assert_eq!(
            tree[key], registry_tree[key],
            "{key}: the call makes the same request"
        );
    }
    assert_eq!(tree["seed"], 4711);
    studio.undo_call(&made).expect("undone");
    let tree_before = studio.open_call(&made).expect("open").tree;
    assert!(tree_before.get("seed").is_none(), "one step");
    let history = tree["history"].as_array().expect("a list");
    assert_eq!(history.len(), 2, "{history:?}");
    assert_eq!(history[0], json!({"role": "user", "content": "One"}));
    let turns = studio.talk("deck.json", None).expect("read").turns;
    assert_eq!(turns.len(), 2, "the conversation stays");
}
