//! Edits in the printed prompt: they are edits of the document, with its undo and its drafts.

use crate::home::{Home, group, path, prompt, set};
use promptdeck_service::Studio;
use promptdeck_service::wire::{
    Change, Edit, OpenDocument, PromptEdit, PromptEditRequest, Segment,
};
use serde_json::json;

fn opened(studio: &Studio) -> OpenDocument {
    studio.open_document("deck.json").expect("open")
}

fn segments(document: &OpenDocument) -> &[Segment] {
    &document.preview.segments.middle
}

/// The segment with these words, and where in it they start and end, in UTF-16 units.
fn place(document: &OpenDocument, words: &str) -> (u32, u32, u32) {
    let found = segments(document)
        .iter()
        .zip(0..)
        .find_map(|(segment, index)| {
            let at = segment.text.find(words)?;
            let units = |text: &str| text.encode_utf16().count() as u32;
            let start = units(&segment.text[..at]);
            Some((index, start, start + units(words)))
        });
    found.unwrap_or_else(|| panic!("{words:?} is not printed"))
}

fn request(document: &OpenDocument, edit: PromptEdit) -> PromptEditRequest {
    PromptEditRequest {
        base: document.status.revision,
        edit,
        label: "Edit".into(),
        pasted: false,
        written: None,
        moved: None,
    }
}

/// Replaces words of the prompt.
fn replace(studio: &Studio, words: &str, text: &str) -> Result<Change, String> {
    let document = opened(studio);
    let (segment, start, end) = place(&document, words);
    let edit = PromptEdit::Replace {
        segment,
        start,
        end,
        text: text.into(),
    };
    let made = studio.edit_prompt("deck.json", &request(&document, edit));
    made.map_err(|fault| fault.code().to_owned())
}

#[test]
fn an_edit_in_the_prompt_reaches_the_draft_and_undo_restores_the_document() {
    let home = Home::new();
    let (studio, events) = home.open();
    let before = opened(&studio);
    let change = replace(&studio, "Go.", "Go 🎲 on.").expect("edited");
    let text = path(json!(["registry", "prompt_endings", "items", 0, "text"]));
    let splice = Edit::Splice {
        path: text,
        at: 0,
        delete: 3,
        insert: "Go 🎲 on.".into(),
    };
    assert_eq!(change.edits, [splice]);
    let after = opened(&studio);
    let printed = prompt(&after);
    assert!(printed.ends_with("Go 🎲 on."));
    assert_eq!(change.caret, Some(printed.encode_utf16().count() as u32));
    events.draft_saved(1);
    // A crash: nothing is flushed, no destructor runs.
    std::mem::forget(studio);
    let (studio, _) = home.studio();
    assert_eq!(prompt(&opened(&studio)), printed);
    drop(studio);

    let home = Home::new();
    let (studio, _) = home.open();
    let seedless = |document: &OpenDocument| document.tree["registry"].to_string();
    replace(&studio, "Go.", "Go on.").expect("edited");
    studio.undo("deck.json").expect("undone");
    assert_eq!(seedless(&opened(&studio)), seedless(&before));
    assert!(!opened(&studio).status.modified);
}

#[test]
fn typing_in_the_prompt_and_on_the_card_is_one_step() {
    let home = Home::new();
    let (studio, _) = home.open();
    replace(&studio, "Go.", "Go.!").expect("edited");
    let mut typed = group(
        1,
        vec![Edit::Splice {
            path: path(json!(["registry", "prompt_endings", "items", 0, "text"])),
            at: 4,
            delete: 0,
            insert: "?".into(),
        }],
    );
    typed.burst = Some("type:registry/prompt_endings/items/0/text".into());
    studio.apply("deck.json", &typed).expect("typed");
    assert!(prompt(&opened(&studio)).ends_with("Go.!?"));
    studio.undo("deck.json").expect("undone");
    assert!(prompt(&opened(&studio)).ends_with("Go."));
}

#[test]
fn a_value_is_set_where_it_is_printed_or_missing() {
    let home = Home::new();
    let (studio, _) = home.open();
    let document = opened(&studio);
    let gap = segments(&document)
        .iter()
        .position(|segment| segment.text.is_empty());
    let fill = PromptEdit::Replace {
        segment: gap.expect("a gap") as u32,
        start: 0,
        end: 0,
        text: "sea".into(),
    };
    let change = studio.edit_prompt("deck.json", &request(&document, fill));
    let value = set(
        json!(["state", "template_vars", "base_context::place"]),
        json!("sea"),
    );
    assert_eq!(change.expect("filled").edits, [value]);
    assert!(prompt(&opened(&studio)).starts_with("You are at sea."));
    replace(&studio, "sea", "lake").expect("edited");
    assert!(prompt(&opened(&studio)).starts_with("You are at lake."));
}

#[test]
fn a_refused_edit_leaves_the_document_as_it_was() {
    let home = Home::new();
    let (studio, _) = home.open();
    for (words, text, code) in [
        ("5", "6", "prompt_slider"),
        ("Go.", "Go. ", "prompt_whitespace"),
    ] {
        let refused = replace(&studio, words, text).expect_err(words);
        assert_eq!(refused, code, "{words}");
    }
    let document = opened(&studio);
    assert_eq!(document.status.revision, 0);
    assert!(document.status.undo.is_none() && !document.status.modified);
    let number = segments(&document)
        .iter()
        .find(|segment| segment.text == "5");
    let reason = number
        .and_then(|segment| segment.fixed.as_ref())
        .expect("a reason");
    assert_eq!(reason.pointer.as_deref(), Some("/sentiment/slider"));
    let stale = PromptEditRequest {
        base: 3,
        ..request(&document, PromptEdit::Join { segment: 0 })
    };
    let refused = studio.edit_prompt("deck.json", &stale).expect_err("stale");
    assert_eq!(refused.code(), "stale_revision");
    let beyond = request(&document, PromptEdit::Join { segment: 99 });
    let refused = studio.edit_prompt("deck.json", &beyond).expect_err("stale");
    assert_eq!(refused.code(), "prompt_stale");
}

#[test]
fn whitespace_that_the_prompt_does_not_print_is_left_out_of_a_pasted_text() {
    let paste_into = |studio: &Studio, words: &str, text: &str| {
        let document = opened(studio);
        let (segment, _, end) = place(&document, words);
        let edit = PromptEdit::Replace {
            segment,
            start: end,
            end,
            text: text.into(),
        };
        let request = PromptEditRequest {
            pasted: true,
            ..request(&document, edit)
        };
        let made = studio.edit_prompt("deck.json", &request);
        made.map(|change| (prompt(&opened(studio)), change.fewer_blank_lines))
            .map_err(|fault| fault.code().to_owned())
    };
    let paste = |words: &str, text: &str| {
        let home = Home::new();
        let (studio, _) = home.open();
        paste_into(&studio, words, text)
    };
    for (text, printed, fewer_blank_lines) in [
        (" Stop.\n", "Go. Stop.", false),
        ("\nStop.\nRest.\n\n", "Go.\nStop.\nRest.", false),
        (" Stop.\n\nRest.\n\n\n", "Go. Stop.\n\nRest.", false),
        (" Stop.\n\n\nRest.", "Go. Stop.\n\nRest.", true),
        ("\n\n\n\nStop.\n\n\n", "Go.\n\nStop.", true),
    ] {
        let (prompt, fewer) = paste("Go.", text).expect("pasted");
        assert!(prompt.contains(printed), "{text:?}: {prompt}");
        assert_eq!(fewer, fewer_blank_lines, "{text:?}");
    }
    assert_eq!(paste("Go.", "\n"), Err("prompt_whitespace".into()));

    // Behind a line break the prompt holds one more.
    let home = Home::new();
    let (studio, _) = home.open();
    replace(&studio, "Go.", "Go.\n\nRest.").expect("a blank line");
    let (prompt, _) = paste_into(&studio, "Go.\n", "\n\nStop.").expect("pasted");
    assert!(prompt.contains("Go.\n\nStop.\nRest."), "{prompt}");
}

#[test]
fn the_last_line_of_a_text_goes_with_the_line_break_before_it() {
    let home = Home::new();
    let (studio, _) = home.open();
    replace(&studio, "Go.", "Go.\nStop.").expect("two lines");
    let change = replace(&studio, "Stop.", "").expect("deleted");
    let prompt_text = prompt(&opened(&studio));
    assert!(
        prompt_text.contains("Go.") && !prompt_text.contains("Stop."),
        "{prompt_text}"
    );
    let caret = change.caret.expect("a caret") as usize;
    let before: String = prompt_text.chars().take(caret).collect();
    assert!(before.ends_with("Go."), "{before}");
}

#[test]
fn what_is_typed_into_a_default_is_one_step_and_leaves_the_default() {
    let home = Home::new();
    let mut deck = crate::home::registry();
    deck["registry"]["base_context"]["template_var_defaults"] = json!({"place": "the mill"});
    home.write("deck.json", &deck);
    let (studio, _) = home.open();
    let before = opened(&studio).tree;
    for (letter, at) in ["o", "l", "d"].into_iter().zip(4..) {
        let document = opened(&studio);
        let (segment, ..) = place(&document, "the ");
        let edit = PromptEdit::Replace {
            segment,
            start: at,
            end: at,
            text: letter.into(),
        };
        let made = studio.edit_prompt("deck.json", &request(&document, edit));
        made.expect("typed");
    }
    assert!(prompt(&opened(&studio)).contains("at the oldmill."));
    studio.undo("deck.json").expect("undone");
    assert_eq!(opened(&studio).tree, before);
}

#[test]
fn a_text_that_was_cut_keeps_its_variables_where_they_print_the_same() {
    let home = Home::new();
    let mut deck = crate::home::registry();
    deck["registry"]["base_context"]["template_var_defaults"] = json!({"place": "the mill"});
    home.write("deck.json", &deck);
    let (studio, _) = home.open();
    let paste = |words: &str, text: &str, written: &str| {
        let document = opened(&studio);
        let (segment, _, end) = place(&document, words);
        let edit = PromptEdit::Replace {
            segment,
            start: end,
            end,
            text: text.into(),
        };
        let request = PromptEditRequest {
            pasted: true,
            written: Some(written.into()),
            ..request(&document, edit)
        };
        studio.edit_prompt("deck.json", &request).expect("pasted");
        opened(&studio).tree["registry"]["base_context"]["items"][0]["text"].clone()
    };
    // The value of a variable elsewhere is no reason to refuse: the text is pasted as it was printed.
    assert_eq!(
        paste("You are ", "at the mill, ", "at {place}, "),
        "You are at {place}, at {place}."
    );
    assert_eq!(
        paste("You are ", "in the mine, ", "in {place}, "),
        "You are in the mine, at {place}, at {place}."
    );
}

#[test]
fn entries_are_split_joined_and_chosen_among_those_rolled() {
    let home = Home::new();
    let (studio, _) = home.open();
    let document = opened(&studio);
    let (segment, at, _) = place(&document, "Two.");
    let split = PromptEdit::Split {
        segment,
        at: at + 3,
        lines: String::new(),
    };
    studio
        .edit_prompt("deck.json", &request(&document, split))
        .expect("split");
    assert!(prompt(&opened(&studio)).contains("- Two\n- .\n- Three."));
    let document = opened(&studio);
    let (segment, ..) = place(&document, "Three.");
    let join = request(&document, PromptEdit::Join { segment });
    studio.edit_prompt("deck.json", &join).expect("joined");
    assert!(prompt(&opened(&studio)).contains("- Two\n- .Three.\n- Four."));
    for _ in 0..2 {
        studio.undo("deck.json").expect("undone");
    }

    let none = studio.alternatives("deck.json", segment).expect("asked");
    assert_eq!(none, None, "nothing is rolled");
    let mode = set(
        json!(["state", "array_modes", "sentiment"]),
        json!({"nudges": "random:2"}),
    );
    let base = opened(&studio).status.revision;
    studio
        .apply("deck.json", &group(base, vec![mode]))
        .expect("rolled");
    let document = opened(&studio);
    let nudge = segments(&document).iter().position(|segment| {
        segment
            .source
            .as_ref()
            .is_some_and(|source| *source.field == *"nudges")
            && !segment.bullet
    });
    let segment = nudge.expect("a nudge") as u32;
    let found = studio.alternatives("deck.json", segment).expect("asked");
    let found = found.expect("rolled");
    assert_eq!((found.drawn, found.choices.len()), (2, 4));
    assert_eq!(found.choices[found.current as usize].position, Some(0));
    let other = found
        .choices
        .iter()
        .position(|entry| entry.position.is_none());
    let entry = other.expect("one that lost") as u32;
    let choose = request(
        &document,
        PromptEdit::Choose {
            segment,
            choice: entry,
        },
    );
    studio.edit_prompt("deck.json", &choose).expect("chosen");
    let after = opened(&studio);
    let mode = after.tree["state"]["array_modes"]["sentiment"]["nudges"].as_str();
    assert!(
        mode.is_some_and(|mode| mode.starts_with(&format!("indices:{entry},"))),
        "{mode:?}"
    );
    assert_eq!(
        segments(&after)[segment as usize].text,
        found.choices[entry as usize].text
    );
}

#[test]
fn a_text_is_emptied_and_undo_restores_it() {
    let home = Home::new();
    let (studio, _) = home.open();
    let before = prompt(&opened(&studio));
    replace(&studio, "Go.", "").expect("emptied");
    let after = opened(&studio);
    assert_eq!(
        prompt(&after),
        before.strip_suffix("\n\nGo.").expect("the last text")
    );
    studio.undo("deck.json").expect("undone");
    assert_eq!(prompt(&opened(&studio)), before);
}
