//! Words of a prompt that are moved into another text: they are printed there and nowhere else, as one step, or the
//! document stays as it was.

use std::fs;
use std::path::Path;

use promptdeck_service::Studio;
use promptdeck_service::wire::{
    Change, OpenDocument, Passage, PromptEdit, PromptEditRequest, Segment,
};
use serde_json::json;

use crate::home::{Home, prompt};

fn opened(studio: &Studio) -> OpenDocument {
    studio.open_document("deck.json").expect("open")
}

fn segments(document: &OpenDocument) -> &[Segment] {
    &document.preview.segments.middle
}

fn units(text: &str) -> u32 {
    text.encode_utf16().count() as u32
}

/// Moves words to a place of a segment.
fn move_to(
    studio: &Studio,
    moved: Passage,
    words: &str,
    (segment, at): (u32, u32),
) -> Result<Change, String> {
    let request = PromptEditRequest {
        base: opened(studio).status.revision,
        edit: PromptEdit::Replace {
            segment,
            start: at,
            end: at,
            text: words.into(),
        },
        label: "Edit".into(),
        pasted: true,
        written: None,
        moved: Some(moved),
    };
    let made = studio.edit_prompt("deck.json", &request);
    made.map_err(|fault| fault.code().to_owned())
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}

/// The number of bytes at which two texts are the same from their start.
fn common(one: impl Iterator<Item = char>, other: impl Iterator<Item = char>) -> usize {
    let same = one.zip(other).take_while(|(one, other)| one == other);
    same.map(|(one, _)| one.len_utf8()).sum()
}

/// Whether a text is another one with at most one part left out.
fn has_one_gap(text: &str, whole: &str) -> bool {
    let start = common(text.chars(), whole.chars());
    let end = common(text.chars().rev(), whole.chars().rev());
    text.len() <= whole.len() && start + end >= text.len()
}

/// The parts of a segment that are moved: all of it, its start and its end, in bytes.
fn parts(text: &str) -> Vec<(usize, usize)> {
    let middle = text.char_indices().nth(text.chars().count() / 2);
    let middle = middle.map_or(0, |(at, _)| at);
    let mut parts = vec![(0, text.len()), (0, middle), (middle, text.len())];
    parts.dedup();
    parts.retain(|(start, end)| start < end);
    parts
}

#[test]
fn words_of_a_sample_are_moved_and_moved_back_by_undo_or_stay() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../registries");
    let (mut made, mut refused) = (0, 0);
    for sample in [
        "code_reviewer",
        "night_stream",
        "support_desk",
        "trivia_host",
    ] {
        let home = Home::new();
        let text = fs::read(folder.join(format!("{sample}.json"))).expect("a sample");
        fs::write(home.path("deck.json"), text).expect("written");
        let (studio, _) = home.open();
        let document = opened(&studio);
        let state = |document: &OpenDocument| (document.tree.to_string(), prompt(document));
        let before = state(&document);
        let all = segments(&document);
        let start_of = |index: usize| all[..index].iter().map(|one| one.text.len()).sum::<usize>();
        for (from, source) in all.iter().enumerate() {
            for (start, end) in parts(&source.text) {
                for to in [
                    from.saturating_sub(5),
                    from.saturating_sub(2),
                    from + 2,
                    from + 3,
                ] {
                    let Some(target) = all.get(to).filter(|_| to != from) else {
                        continue;
                    };
                    let at = parts(&target.text).last().map_or(0, |part| part.0);
                    let words = &source.text[start..end];
                    let moved = Passage {
                        segment: from as u32,
                        start: units(&source.text[..start]),
                        last: from as u32,
                        end: units(&source.text[..end]),
                    };
                    let place = (to as u32, units(&target.text[..at]));
                    match move_to(&studio, moved, words, place) {
                        Ok(change) => {
                            made += 1;
                            let after = opened(&studio);
                            let printed = prompt(&after);
                            let target = start_of(to) + at;
                            let taken = start_of(from) + start..start_of(from) + end;
                            let mut whole = before.1.clone();
                            if target <= taken.start {
                                whole.replace_range(taken, "");
                                whole.insert_str(target, words);
                            } else {
                                whole.insert_str(target, words);
                                whole.replace_range(taken, "");
                            }
                            let (printed_words, whole) = (squeezed(&printed), squeezed(&whole));
                            let is_moved = if (start, end) == (0, source.text.len()) {
                                // What joined a text that has no words any more goes with it.
                                has_one_gap(&printed_words, &whole)
                            } else {
                                printed_words == whole
                            };
                            assert!(is_moved, "{sample}: {words:?} to {to}:\n{printed}");
                            let caret = change.caret.expect("a caret") as usize;
                            let head: String = printed.chars().take(caret).collect();
                            if printed.is_ascii() {
                                assert!(
                                    squeezed(&head).ends_with(&squeezed(words)),
                                    "{sample}: {words:?} to {to}: {head}"
                                );
                            }
                            studio.undo("deck.json").expect("undone");
                        }
                        Err(code) => {
                            refused += 1;
                            assert!(code.starts_with("prompt_"), "{sample}: {code}");
                        }
                    }
                    assert_eq!(
                        state(&opened(&studio)),
                        before,
                        "{sample}: {words:?} to {to}"
                    );
                }
            }
        }
    }
    assert!(made > 100 && refused > 20, "{made} made, {refused} refused");
}

#[test]
fn a_number_that_is_set_by_a_slider_is_not_moved() {
    let home = Home::new();
    let (studio, _) = home.open();
    let before = opened(&studio);
    let index = |words: &str| {
        let found = segments(&before).iter().position(|one| one.text == words);
        found.unwrap_or_else(|| panic!("{words:?} is not printed")) as u32
    };
    let moved = Passage {
        segment: index("5"),
        start: 0,
        last: index("5"),
        end: 1,
    };
    let refused = move_to(&studio, moved, "5", (index("Go."), 0));
    assert_eq!(refused.map(|_| ()), Err("prompt_slider".to_owned()));
    assert_eq!(opened(&studio).tree, before.tree);
    assert!(opened(&studio).status.undo.is_none());
}

#[test]
fn words_are_not_moved_into_a_text_that_is_printed_on_both_sides_of_them() {
    let home = Home::new();
    let section = |text: &str| json!({"required": true, "items": [{"id": "one", "text": text}]});
    let registry = json!({
        "assembly_order": ["greeting.text", "task.text", "greeting.text"],
        "greeting": section("Hello there."),
        "task": section("Count all the sheep."),
    });
    home.write("deck.json", &json!({ "registry": registry }));
    let (studio, _) = home.open();
    let before = opened(&studio);
    let index = |text: &str| {
        let found = segments(&before).iter().position(|one| one.text == text);
        found.expect("printed") as u32
    };
    let moved = Passage {
        segment: index("Count all the sheep."),
        start: 6,
        last: index("Count all the sheep."),
        end: 10,
    };
    let refused = move_to(&studio, moved, "all ", (index("Hello there."), 6));
    assert_eq!(refused.map(|_| ()), Err("prompt_other_text".to_owned()));
    assert_eq!(opened(&studio).tree, before.tree);
}
