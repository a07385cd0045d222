//! Divides a rendered conversation into blocks for display: one per message, consisting of special
//! tokens, parts of the registry's prompt, and plain text.

use std::ops::Range;

use super::rendering::{Mark, MarkedText};
use super::special_tokens;
use crate::saturating::saturating_u32;
use crate::wire::{ChatBlock, ChatBlockKind, ChatPiece, Segment, Source};

/// Inputs for attributing text to messages.
pub struct Cast<'a> {
    /// For each message of the request, its number for the author: 0 is the prompt. `None` for an
    /// added message.
    pub numbers: &'a [Option<usize>],
    /// Roles by that number.
    pub roles: Vec<String>,
    /// The segments of the prompt.
    pub prompt: &'a [Segment],
    /// All text that the format can produce without a message.
    pub words: &'a str,
    /// The model's special tokens.
    pub named: Vec<&'a str>,
}

/// A part of the text with a source in the registry.
struct Stretch<'a> {
    range: Range<usize>,
    source: Option<&'a Source>,
}

/// The text in blocks. Concatenated they are the text. Tokens are not counted yet.
pub fn blocks(written: &MarkedText, cast: &Cast<'_>) -> Vec<ChatBlock> {
    let text = &written.text;
    let specials = special_tokens::find(text, cast.words, &cast.named);
    let stretches = prompt_in(written, cast);
    let mut cuts: Vec<usize> = vec![text.len()];
    cuts.extend(written.marks.iter().map(|mark| mark.end));
    cuts.extend(stretches.iter().map(|one| one.range.end));
    cuts.extend(stretches.first().map(|one| one.range.start));
    cuts.push(written.generation.min(text.len()));
    let generated = &written.generated;
    cuts.extend(generated.iter().flat_map(|range| [range.start, range.end]));
    // A token is one piece even if several sources wrote its parts.
    let token_from = |at: usize| specials.get(specials.partition_point(|token| token.end <= at));
    cuts.retain(|cut| token_from(*cut).is_none_or(|token| token.start >= *cut));
    cuts.extend(specials.iter().flat_map(|token| [token.start, token.end]));
    cuts.sort_unstable();
    cuts.dedup();

    let mut blocks = Blocks::default();
    let mut start = 0;
    for end in cuts {
        if start == end {
            continue;
        }
        let mark = written.marks.partition_point(|mark| mark.end <= start);
        let mark = written.marks.get(mark);
        let special = token_from(start).is_some_and(|token| token.start == start);
        let stretch = stretches.partition_point(|one| one.range.end <= start);
        let stretch = stretches
            .get(stretch)
            .filter(|one| one.range.contains(&start));
        let source = stretch.and_then(|one| one.source).cloned();
        let piece = ChatPiece {
            text: text[start..end].to_owned(),
            special,
            generated: generated.iter().any(|range| range.contains(&start)),
            place: mark.and_then(|mark| mark.place),
            source: if special { None } else { source },
        };
        let owner = if start >= written.generation {
            Owner::Generation
        } else {
            owner(mark, cast)
        };
        blocks.add(owner, piece, cast);
        start = end;
    }
    blocks.blocks
}

/// Source of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    /// The message of that number; `None` if a polyfill added it.
    Message(Option<usize>),
    Generation,
    Nobody,
}

fn owner(mark: Option<&Mark>, cast: &Cast<'_>) -> Owner {
    match mark.and_then(|mark| mark.message) {
        Some(index) => Owner::Message(cast.numbers.get(index).copied().flatten()),
        None => Owner::Nobody,
    }
}

#[derive(Default)]
struct Blocks {
    blocks: Vec<ChatBlock>,
    last: Option<Owner>,
}

impl Blocks {
    /// Text without a source joins the block before it, or at the start the block after it: it
    /// opens and closes messages.
    fn add(&mut self, owner: Owner, piece: ChatPiece, cast: &Cast<'_>) {
        let goes_on = match (self.last, owner) {
            (None, _) => false,
            (Some(Owner::Generation), Owner::Nobody) => false,
            (Some(_), Owner::Nobody) => true,
            (Some(Owner::Nobody), _) => owner != Owner::Generation,
            (Some(last), _) => last == owner,
        };
        if !goes_on {
            self.blocks.push(begun(owner, cast));
            self.last = Some(owner);
        }
        let Some(block) = self.blocks.last_mut() else {
            return;
        };
        if self.last == Some(Owner::Nobody) && owner != Owner::Nobody {
            let pieces = std::mem::take(&mut block.pieces);
            *block = ChatBlock {
                pieces,
                ..begun(owner, cast)
            };
            self.last = Some(owner);
        }
        match block.pieces.last_mut() {
            Some(open)
                if !open.special
                    && !piece.special
                    && open.generated == piece.generated
                    && open.place == piece.place
                    && open.source == piece.source =>
            {
                open.text.push_str(&piece.text);
            }
            _ => block.pieces.push(piece),
        }
    }
}

fn begun(owner: Owner, cast: &Cast<'_>) -> ChatBlock {
    let number = match owner {
        Owner::Message(number) => number,
        _ => None,
    };
    let kind = match (owner, number) {
        (Owner::Generation, _) => ChatBlockKind::Generation,
        (_, Some(0)) => ChatBlockKind::Prompt,
        (_, Some(_)) => ChatBlockKind::Message,
        (_, None) => ChatBlockKind::Template,
    };
    ChatBlock {
        kind,
        role: number
            .and_then(|number| cast.roles.get(number))
            .cloned()
            .unwrap_or_default(),
        message: number.map(saturating_u32),
        polyfills: Vec::new(),
        calls: 0,
        tokens: 0,
        pieces: Vec::new(),
    }
}

/// The position of the prompt in the text, cut as the preview cuts it. A template may trim it; one
/// that changes it otherwise shows it without its sources.
fn prompt_in<'a>(written: &MarkedText, cast: &Cast<'a>) -> Vec<Stretch<'a>> {
    let prompt: String = cast.prompt.iter().map(|one| one.text.as_str()).collect();
    let trimmed = prompt.trim();
    if trimmed.is_empty() {
        return Vec::new();
    }
    let skipped = prompt.len() - prompt.trim_start().len();
    let Some(start) = written.text.find(trimmed) else {
        return Vec::new();
    };
    let end = start + trimmed.len();
    let mut found = Vec::with_capacity(cast.prompt.len());
    let mut at = 0;
    for segment in cast.prompt {
        let (from, to) = (at, at + segment.text.len());
        at = to;
        let from = start + from.saturating_sub(skipped);
        let to = (start + to.saturating_sub(skipped)).min(end);
        if from < to {
            found.push(Stretch {
                range: from..to,
                source: segment.source.as_ref(),
            });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::ChatPlace;

    fn segment(text: &str, section: Option<&str>) -> Segment {
        Segment {
            text: text.into(),
            source: section.map(|section| Source {
                token: None,
                section: section.into(),
                item: 0,
                item_name: "#0".into(),
                field: "text".into(),
                entry: None,
                fragment: None,
                variable: None,
            }),
            ..Segment::default()
        }
    }

    /// Marks as `(text, message, line)`, the text being their concatenation.
    fn written(parts: &[(&str, Option<usize>, u32)], generation: usize) -> MarkedText {
        let mut text = String::new();
        let mut marks = Vec::new();
        for (part, message, line) in parts {
            text.push_str(part);
            marks.push(Mark {
                end: text.len(),
                message: *message,
                place: Some(ChatPlace {
                    line: *line,
                    column: 1,
                }),
            });
        }
        MarkedText {
            text,
            marks,
            generation,
            generated: Vec::new(),
        }
    }

    fn preview(blocks: &[ChatBlock]) -> Vec<String> {
        let piece = |piece: &ChatPiece| {
            let section = piece.source.as_ref().map(|source| &*source.section);
            match (piece.special, section) {
                (true, _) => format!("[{}]", piece.text),
                (_, Some(section)) => format!("{section}({})", piece.text),
                _ => piece.text.clone(),
            }
        };
        blocks
            .iter()
            .map(|block| {
                let pieces: Vec<_> = block.pieces.iter().map(piece).collect();
                format!("{:?} {:?}: {}", block.kind, block.message, pieces.join("·"))
            })
            .collect()
    }

    fn cast<'a>(prompt: &'a [Segment], numbers: &'a [Option<usize>]) -> Cast<'a> {
        Cast {
            numbers,
            roles: vec!["system".into(), "user".into()],
            prompt,
            words: "",
            named: vec!["<s>"],
        }
    }

    #[test]
    fn a_block_for_every_message_with_what_opens_and_closes_it() {
        let prompt = [
            segment(" One.", Some("a")),
            segment("\n", None),
            segment("Two. ", Some("b")),
        ];
        let rendering = written(
            &[
                ("<s><|sys", None, 1),
                ("tem|>", None, 1),
                ("One.\nTwo.", Some(0), 2),
                ("<|end|>", None, 3),
                ("<|user|>Hi", Some(1), 4),
                ("<|bot|>", None, 9),
            ],
            39,
        );
        let numbers = [Some(0), Some(1)];
        let blocks = blocks(&rendering, &cast(&prompt, &numbers));
        assert_eq!(
            preview(&blocks),
            [
                "Prompt Some(0): [<s>]·[<|system|>]·a(One.)·\n·b(Two.)·[<|end|>]",
                "Message Some(1): [<|user|>]·Hi",
                "Generation None: [<|bot|>]",
            ]
        );
        let whole: String = blocks
            .iter()
            .flat_map(|one| &one.pieces)
            .map(|one| one.text.as_str())
            .collect();
        assert_eq!(whole, rendering.text);
        assert_eq!(
            blocks[0].pieces[1].place,
            Some(ChatPlace { line: 1, column: 1 })
        );
    }

    #[test]
    fn text_marked_as_generated_is_a_separate_piece() {
        let marked_text = MarkedText {
            generated: vec![6..10, 10..12],
            ..written(
                &[
                    ("<s>a: ", Some(0), 1),
                    ("Yes.", Some(0), 2),
                    ("</", Some(0), 3),
                ],
                usize::MAX,
            )
        };
        let blocks = blocks(&marked_text, &cast(&[], &[Some(1)]));
        let pieces = blocks[0].pieces.iter();
        let pieces: Vec<_> = pieces
            .map(|piece| (piece.text.as_str(), piece.generated))
            .collect();
        assert_eq!(
            pieces,
            [("<s>", false), ("a: ", false), ("Yes.", true), ("</", true)]
        );
    }

    #[test]
    fn an_added_message_belongs_to_nobody_the_author_knows() {
        let marked_text = written(&[("tools", Some(0), 1), ("Hi", Some(1), 2)], usize::MAX);
        let numbers = [None, Some(1)];
        assert_eq!(
            preview(&blocks(&marked_text, &cast(&[], &numbers))),
            ["Template None: tools", "Message Some(1): Hi"]
        );
    }
}
