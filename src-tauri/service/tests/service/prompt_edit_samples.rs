//! Edits in the prompts of the samples: undo gives back the document to the byte, and what is refused
//! has a reason.

use std::fs;
use std::path::Path;

use promptdeck_service::Studio;
use promptdeck_service::wire::{OpenDocument, PromptEdit, PromptEditRequest, Segment};

use crate::home::Home;

/// The document as it is, and its prompt.
fn state(document: &OpenDocument) -> (String, String) {
    let segments = &document.preview.segments.middle;
    let prompt = segments
        .iter()
        .map(|segment| segment.text.as_str())
        .collect();
    (document.tree.to_string(), prompt)
}

fn opened(studio: &Studio) -> OpenDocument {
    studio.open_document("deck.json").expect("open")
}

/// Splices of a text: its start, its middle, its end and all of it. Offsets are UTF-16 units.
fn splices(text: &str) -> Vec<(u32, u32, &'static str)> {
    let units = |text: &str| text.encode_utf16().count() as u32;
    let middle = text.char_indices().nth(text.chars().count() / 2);
    let (middle, end) = (middle.map_or(0, |(at, _)| units(&text[..at])), units(text));
    vec![
        (0, 0, "x"),
        (middle, middle, "😀\n"),
        (end, end, " 7"),
        (0, middle, ""),
        (middle, end, "{"),
        (0, end, ""),
    ]
}

/// Ranges from the start, the middle or the end of a segment to those of a later one.
fn passages(segments: &[Segment]) -> Vec<PromptEdit> {
    let places = |segment: &Segment| {
        let end = segment.text.encode_utf16().count() as u32;
        let cut = splices(&segment.text)[1].0;
        [0, cut, end]
    };
    let mut passages = Vec::new();
    for (index, segment) in segments.iter().enumerate() {
        for (place, start) in places(segment).into_iter().enumerate() {
            for more in [1, 2, 3, 7, segments.len() - 1] {
                let Some(other) = segments.get(index + more) else {
                    continue;
                };
                passages.push(PromptEdit::ReplacePassage {
                    segment: index as u32,
                    start,
                    last: (index + more) as u32,
                    end: places(other)[(place + more) % 3],
                    text: ["", "x"][more % 2].into(),
                });
            }
        }
    }
    passages
}

const SAMPLES: [&str; 5] = [
    "code_reviewer",
    "night_stream",
    "noir_roller",
    "support_desk",
    "trivia_host",
];

/// Moves to and fro between the segments of a sample.
fn moves(segments: &[Segment]) -> Vec<PromptEdit> {
    let length = |segment: &Segment| segment.text.encode_utf16().count() as u32;
    let mut moves = Vec::new();
    for (index, segment) in segments.iter().enumerate() {
        for (start, end, _) in splices(&segment.text) {
            for beside in [index.saturating_sub(2), index, index + 1, index + 2] {
                let Some(other) = segments.get(beside) else {
                    continue;
                };
                moves.push(PromptEdit::Move {
                    segment: index as u32,
                    start,
                    last: index as u32,
                    end,
                    target: beside as u32,
                    at: if beside < index { 0 } else { length(other) },
                });
            }
        }
    }
    moves
}

/// Makes the edits in the prompt of each sample and undoes them.
fn hold(edits: impl Fn(&[Segment]) -> Vec<PromptEdit>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../registries");
    let (mut made, mut refused) = (0, 0);
    for sample in SAMPLES {
        let home = Home::new();
        let text = fs::read(folder.join(format!("{sample}.json"))).expect("a sample");
        fs::write(home.path("deck.json"), text).expect("written");
        let (studio, _) = home.open();
        let document = opened(&studio);
        let before = state(&document);
        for edit in edits(&document.preview.segments.middle) {
            let request = PromptEditRequest {
                base: opened(&studio).status.revision,
                edit: edit.clone(),
                label: "Edit".into(),
                pasted: false,
                written: None,
                moved: None,
            };
            match studio.edit_prompt("deck.json", &request) {
                Ok(change) if change.edits.is_empty() => {}
                Ok(_) => {
                    made += 1;
                    studio.undo("deck.json").expect("undone");
                }
                Err(error) => {
                    refused += 1;
                    assert!(error.code().starts_with("prompt_"), "{sample}: {error}");
                }
            }
            assert_eq!(state(&opened(&studio)), before, "{sample}, {edit:?}");
        }
    }
    assert!(made > 100 && refused > 20, "{made} made, {refused} refused");
}

#[test]
fn an_edit_over_several_texts_of_a_sample_is_undone_to_the_byte() {
    hold(passages);
}

#[test]
fn a_move_of_words_of_a_sample_is_undone_to_the_byte() {
    hold(moves);
}

#[test]
fn an_edit_in_the_prompt_of_a_sample_is_undone_to_the_byte() {
    hold(|segments| {
        let in_segment = |(index, segment): (usize, &Segment)| {
            let replacements = splices(&segment.text).into_iter();
            replacements.map(move |(start, end, text)| PromptEdit::Replace {
                segment: index as u32,
                start,
                end,
                text: text.into(),
            })
        };
        segments.iter().enumerate().flat_map(in_segment).collect()
    });
}
