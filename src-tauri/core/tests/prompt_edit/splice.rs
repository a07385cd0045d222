//! What has to hold of a splice in a prompt.

use promptdeck_core::hydrate::{Hydration, Part, Segment, Source, TextOrigin};
use promptdeck_core::prompt_edit::{Position, PromptEdit, VariablePrint, pasted};
use proptest::prelude::*;

use crate::session::Session;

/// A range of whole characters of a text.
pub fn range_in(text: &str, [from, to]: [prop::sample::Index; 2]) -> std::ops::Range<usize> {
    let mut ends: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    ends.push(text.len());
    let (from, to) = (*from.get(&ends), *to.get(&ends));
    from.min(to)..from.max(to)
}

/// Whether a segment prints what an edit of another one changes as well.
fn is_changed(hydration: &Hydration, edited: usize, at: usize) -> bool {
    let (one, other) = (&hydration.segments[edited], &hydration.segments[at]);
    let (Some(a), Some(b)) = (&one.source, &other.source) else {
        return false;
    };
    if one.origin == Some(TextOrigin::Variable) {
        return other.origin == one.origin && a.section == b.section && a.variable == b.variable;
    }
    if a.part == Part::Scale && one.origin != Some(TextOrigin::Emotion) {
        let is_number = one.origin == Some(TextOrigin::Slider);
        return other.origin == one.origin
            && (a.part, &a.section) == (b.part, &b.section)
            && (!is_number || rank(hydration, edited) == rank(hydration, at));
    }
    let without_token = |source: &Source| {
        let mut source = source.clone();
        source.token = None;
        source
    };
    one.origin == other.origin && without_token(a) == without_token(b)
}

/// Which of the numbers of its sentence a segment prints.
fn rank(hydration: &Hydration, index: usize) -> usize {
    let source = &hydration.segments[index].source;
    let before = hydration.segments[..index].iter().rev();
    before
        .take_while(|segment| segment.source == *source)
        .filter(|segment| segment.origin == Some(TextOrigin::Slider))
        .count()
}

/// A prompt with the values of the variables of a section in place of the names that it spells out,
/// unless the prompt before spelled them out as well.
fn with_values(session: &Session, before: &Hydration, source: &Source, text: &str) -> String {
    let section = &session.0["registry"][&*source.section];
    let names = section["template_vars"].as_array().into_iter().flatten();
    names.fold(text.to_owned(), |text, name| {
        let name = name.as_str().unwrap_or_default();
        let spelled = format!("{{{name}}}");
        if before.text.contains(&spelled) {
            return text;
        }
        let set = &session.0["state"]["template_vars"][format!("{}::{name}", source.section)];
        let set = set.as_str().filter(|text| !text.is_empty());
        let default = section["template_var_defaults"][name].as_str();
        text.replace(&spelled, set.or(default).unwrap_or_default())
    })
}

fn without_space(text: &str) -> String {
    text.split_whitespace().collect()
}

/// A text without the whitespace that a prompt leaves out, save in an injected text.
fn bare(text: &str) -> String {
    let last = pasted(text).pop().unwrap_or_default();
    // Blank text has no such form.
    if last.trim().is_empty() {
        return String::new();
    }
    last
}

/// For any segment and any splice inside it, the new prompt is the old one with that splice at every
/// place that prints the same text, or the edit is refused. A name in braces that the splice completes
/// prints the variable's value.
pub fn splice_prints(
    session: &Session,
    seed: u64,
    segment: prop::sample::Index,
    ends: [prop::sample::Index; 2],
    inserted: &str,
) -> Result<(), TestCaseError> {
    let hydration = session.hydration(seed);
    prop_assume!(!hydration.segments.is_empty());
    let index = segment.index(hydration.segments.len());
    let segment = &hydration.segments[index];
    let range = range_in(&segment.text, ends);
    let edit = PromptEdit::Replace {
        segment: index,
        range: range.clone(),
        text: inserted,
    };
    let Ok((after, caret)) = session.edited(seed, &edit) else {
        return Ok(());
    };
    // The end of a prompt cuts the space of a bullet off, until an entry begins behind it.
    let mut changed = segment.text.clone();
    changed.replace_range(range.clone(), inserted);
    let mut end = range.start + inserted.len();
    if segment.origin == Some(TextOrigin::Bullet) {
        changed = format!("- {inserted}");
        end = changed.len();
    }
    let (mut before, mut expected) = (String::new(), String::new());
    let mut parts = Vec::new();
    let mut once = 0;
    for (at, other) in hydration.segments.iter().enumerate() {
        let mut text = other.text.clone();
        if at == index || (is_changed(&hydration, index, at) && text == segment.text) {
            text.clone_from(&changed);
        } else if is_changed(&hydration, index, at) {
            // Printed with other white space cut off: the core alone knows where the splice is.
            return Ok(());
        }
        if at == index {
            once = expected.len() + end;
        }
        expected.push_str(&text);
        before.push_str(&other.text);
        let lost = if text == other.text {
            0
        } else {
            trailing_newlines(&before).saturating_sub(trailing_newlines(&expected))
        };
        parts.push((text, lost));
    }
    let printed = after.hydration(seed).text;
    let source = segment.source.as_ref();
    let named = source.map(|source| with_values(session, &hydration, source, &expected));
    if let Some(named) = named.filter(|named| *named != expected && !prints(&printed, &parts)) {
        let with_values = |text: &str| match source {
            Some(source) => with_values(session, &hydration, source, text),
            None => text.to_owned(),
        };
        let parts: Vec<_> = parts
            .iter()
            .map(|(text, lost)| (with_values(text), *lost))
            .collect();
        if prints(&printed, &parts) {
            return Ok(());
        }
        prop_assert_eq!(bare(&printed), bare(&named));
        return Ok(());
    }
    // The last letter of a text takes along what joined it to the texts beside it; beside a variable
    // without a value, and behind a bullet, the whitespace that it kept.
    let is_last = range == (0..segment.text.len()) && inserted.is_empty();
    if is_last && printed != expected {
        prop_assert_eq!(without_space(&printed), without_space(&expected));
        return Ok(());
    }
    if prints(&printed, &parts) && printed != expected {
        return Ok(());
    }
    prop_assert_eq!(&printed, &expected);
    if is_last {
        // Of a heading with newlines at its end nothing joined it to its list.
        let between = printed.get(caret..once);
        prop_assert!(between.is_some_and(|text| text.trim().is_empty()));
        return Ok(());
    }
    prop_assert_eq!(caret, once);
    // The caret is where what was typed ends.
    prop_assert!(printed[..caret].ends_with(inserted));
    Ok(())
}

/// For any passage, the new prompt is the old one with it replaced, there and wherever its segments
/// are printed again, or the edit is refused.
pub fn passage_prints(
    session: &Session,
    seed: u64,
    segment: prop::sample::Index,
    more: usize,
    [from, to]: [prop::sample::Index; 2],
    inserted: &str,
) -> Result<(), TestCaseError> {
    let hydration = session.hydration(seed);
    let segments = &hydration.segments;
    prop_assume!(segments.len() > more);
    let first = segment.index(segments.len() - more);
    let last = first + more;
    let start = range_in(&segments[first].text, [from, from]).start;
    let end = range_in(&segments[last].text, [to, to]).end;
    let edit = PromptEdit::ReplacePassage {
        from: Position {
            segment: first,
            offset: start,
        },
        to: Position {
            segment: last,
            offset: end,
        },
        text: inserted,
    };
    let Ok((after, caret)) = session.edited(seed, &edit) else {
        return Ok(());
    };
    let is_one = segments[first..=last].windows(2).all(|pair| {
        let texts = (&pair[0].source, &pair[1].source);
        pair[1].origin != Some(TextOrigin::Bullet)
            && matches!(texts, (Some(a), Some(b)) if a.token == b.token && is_same_text(a, b))
    });
    if !is_one || segments[first].origin == Some(TextOrigin::Bullet) {
        let range = [(first, start), (last, end)];
        return across_prints(session, seed, &hydration, range, inserted, (&after, caret));
    }
    let text = |range: &[Segment]| {
        range
            .iter()
            .map(|one| one.text.as_str())
            .collect::<String>()
    };
    let head = text(&segments[..first]) + &segments[first].text[..start] + inserted;
    let left = &segments[last].text[end..];
    let rest = text(&segments[last + 1..]);
    let printed = after.hydration(seed).text;
    let expected = [&*head, left, &*rest].concat();
    let source = segments[first].source.as_ref();
    if source.is_some_and(|source| with_values(session, &hydration, source, &expected) != expected)
    {
        return Ok(());
    }
    prop_assert!(printed[..caret].ends_with(inserted));
    let is_printed_again = |at: usize| {
        segments.get(at..=at + more).is_some_and(|found| {
            let mut pairs = found.iter().zip(&segments[first..=last]);
            at != first && pairs.all(|(one, other)| one.text == other.text)
        })
    };
    if (0..segments.len()).any(is_printed_again) {
        return Ok(());
    }
    // A text of which nothing is left takes along what joined it to others.
    let is_whole = inserted.is_empty() && start == 0 && end == segments[last].text.len();
    if is_whole && printed != expected {
        prop_assert_eq!(without_space(&printed), without_space(&expected));
        return Ok(());
    }
    prop_assert_eq!(caret, head.len());
    let edited = head + left;
    let lost =
        trailing_newlines(&text(&segments[..=last])).saturating_sub(trailing_newlines(&edited));
    if prints(&printed, &[(edited, lost), (rest, 0)]) {
        return Ok(());
    }
    prop_assert_eq!(printed, expected);
    Ok(())
}

fn trailing_newlines(text: &str) -> usize {
    text.len() - text.trim_end_matches('\n').len()
}

/// Whether a prompt is made of these parts, each followed by at most so many newlines: what joins a text to
/// the next one prints again what a newline at the end of the text had left out.
fn prints(printed: &str, parts: &[(String, usize)]) -> bool {
    let Some(((text, lost), rest)) = parts.split_first() else {
        return printed.is_empty();
    };
    let Some(printed) = printed.strip_prefix(&**text) else {
        return false;
    };
    (0..=*lost).any(|more| {
        let after = printed.strip_prefix(&*"\n".repeat(more));
        after.is_some_and(|after| prints(after, rest))
    })
}

/// Whether two sources are of one text of the registry.
fn is_same_text(one: &Source, other: &Source) -> bool {
    let bare = |source: &Source| Source {
        token: None,
        variable: None,
        ..source.clone()
    };
    bare(one) == bare(other)
}

/// Nothing but what a range over several texts covers is gone, save bullets and the space between texts,
/// and what was typed is where the range began.
fn across_prints(
    session: &Session,
    seed: u64,
    before: &Hydration,
    [(first, start), (last, end)]: [(usize, usize); 2],
    inserted: &str,
    (after, caret): (&Session, usize),
) -> Result<(), TestCaseError> {
    let segments = &before.segments;
    let is_same = |wanted: &Source, at: usize| {
        let source = segments[at].source.as_ref();
        source.is_some_and(|source| {
            is_same_text(wanted, source) || (wanted.part, source.part) == (Part::Scale, Part::Scale)
        })
    };
    // Printed elsewhere as well.
    let is_again = |at: usize| {
        let Some(source) = &segments[at].source else {
            return false;
        };
        (0..segments.len()).any(|other| {
            let mut between = at.min(other)..=at.max(other);
            // Prints of a text that ends with two newlines follow each other without glue.
            let mut after = between.clone().skip(1);
            let begins_again = after.any(|at| segments[at].origin == Some(TextOrigin::Bullet))
                || (segments[other].source.as_ref())
                    .is_some_and(|other| other.token != source.token);
            is_same(source, other) && (begins_again || !between.all(|at| is_same(source, at)))
        })
    };
    let covered = |at: &usize| {
        let from = if *at == first { start } else { 0 };
        let to = if *at == last {
            end
        } else {
            segments[*at].text.len()
        };
        from < to && segments[*at].source.is_some()
    };
    // What is left of the range without glue may be of one text, as a value is.
    let is_several = (first..=last).filter(covered).nth(1).is_some();
    // Text typed at the start of glue belongs to the text before it.
    if !is_several || (first.saturating_sub(1)..=last).any(is_again) {
        return Ok(());
    }
    let length = |range: &[Segment]| {
        range
            .iter()
            .map(|segment| segment.text.len())
            .sum::<usize>()
    };
    let from = length(&segments[..first]) + start;
    let to = length(&segments[..last]) + end;
    let (head, tail) = (&before.text[..from], &before.text[to..]);
    let expected = format!("{head}{inserted}{tail}");
    let sources = segments
        .iter()
        .filter_map(|segment| segment.source.as_ref());
    for source in sources {
        if with_values(session, before, source, &expected) != expected {
            return Ok(());
        }
    }
    let bare = |text: &str| {
        text.replace(
            |character: char| character == '-' || character.is_whitespace(),
            "",
        )
    };
    let printed = after.hydration(seed).text;
    prop_assert_eq!(
        bare(&printed),
        bare(&expected),
        "{:?} {:?}",
        segments
            .iter()
            .map(|character| &*character.text)
            .collect::<Vec<_>>(),
        (first, start, last, end)
    );
    // Whitespace at the end of the prompt may be cut.
    let begun = printed.get(..caret).unwrap_or(&printed);
    prop_assert_eq!(bare(begun), bare(&format!("{head}{inserted}")));
    prop_assert!(begun.ends_with(inserted));
    Ok(())
}

/// The variables that a prompt has, with their sources and the offsets at which they start and end.
fn variables(hydration: &Hydration) -> Vec<(VariablePrint, &Source, [usize; 2])> {
    let lengths = hydration.segments.iter().map(|segment| segment.text.len());
    let ends: Vec<usize> = std::iter::once(0)
        .chain(lengths.scan(0, |sum, length| {
            *sum += length;
            Some(*sum)
        }))
        .collect();
    let gaps = hydration.gaps.iter().enumerate().map(|(index, gap)| {
        let at = ends[gap.segment];
        (VariablePrint::Gap(index), &gap.source, [at, at])
    });
    let segments = hydration.segments.iter().enumerate();
    let values = segments.filter_map(|(index, segment)| {
        let source = segment.source.as_ref()?;
        (segment.origin == Some(TextOrigin::Variable)).then(|| {
            (
                VariablePrint::Value(index),
                source,
                [ends[index], ends[index + 1]],
            )
        })
    });
    gaps.chain(values).collect()
}

/// What is typed beside a variable is printed there, with no more than whitespace that the end of a text
/// cut off, or is refused; the variable stays. Between the words and a variable without a value
/// whitespace need not be printed.
pub fn text_beside_variables_prints(
    session: &Session,
    seed: u64,
    inserted: &str,
) -> Result<(), TestCaseError> {
    let hydration = session.hydration(seed);
    let all = variables(&hydration);
    for (variable, variable_source, edges) in &all {
        for after in [false, true] {
            let edit = PromptEdit::Beside {
                variable: *variable,
                after,
                text: inserted,
            };
            let Ok((changed, caret)) = session.edited(seed, &edit) else {
                continue;
            };
            prop_assert_eq!(&changed.0["state"], &session.0["state"]);
            let hydrated = changed.hydration(seed);
            let (head, tail) = hydration.text.split_at(edges[usize::from(after)]);
            let expected = format!("{head}{inserted}{tail}");
            if with_values(session, &hydration, variable_source, &expected) != expected {
                continue;
            }
            // Whitespace between the words and a variable without a value may wait for that.
            let beside_name = match (variable, after) {
                (VariablePrint::Value(_), _) => inserted,
                (_, true) => inserted.trim_start(),
                (_, false) => inserted.trim_end(),
            };
            let ends = hydrated.text.split_at(caret);
            let printed: Vec<&str> = [inserted, beside_name]
                .into_iter()
                .filter(|text| inserted.is_empty() || !text.is_empty())
                .filter_map(|text| ends.0.strip_suffix(text))
                .collect();
            prop_assert!(!printed.is_empty(), "{ends:?} {inserted:?}");
            let stays = |source: &Source| source == *variable_source;
            prop_assert!(
                variables(&hydrated)
                    .iter()
                    .any(|(_, source, _)| stays(source))
            );
            let is_print = |source: &Source| {
                let token = variable_source.token;
                Source {
                    token,
                    ..source.clone()
                } == **variable_source
            };
            let prints = all.iter().filter(|(_, source, _)| is_print(source));
            if prints.count() > 1 {
                continue;
            }
            let blank = |text: Option<&str>| text.is_some_and(|text| text.trim().is_empty());
            prop_assert!(
                printed.iter().any(|start| blank(start.strip_prefix(head))),
                "{printed:?} {head:?}"
            );
            prop_assert!(blank(ends.1.strip_suffix(tail)), "{ends:?} {tail:?}");
        }
    }
    Ok(())
}

/// A segment of the entry after that of a source.
pub fn next_entry(hydration: &Hydration, source: &Source) -> Option<usize> {
    hydration.segments.iter().position(|segment| {
        let segment = segment.source.as_ref();
        segment.is_some_and(|segment| {
            (&segment.section, segment.item, &segment.field)
                == (&source.section, source.item, &source.field)
                && segment.entry == source.entry.map(|entry| entry + 1)
        })
    })
}

/// An entry that is split beside a variable and joined again is as it was.
pub fn split_beside_joins(session: &Session, seed: u64) -> Result<(), TestCaseError> {
    let hydration = session.hydration(seed);
    for (variable, source, _) in variables(&hydration) {
        for after in [false, true] {
            let edit = PromptEdit::SplitBeside {
                variable,
                after,
                lines: "",
            };
            let Ok((split, _)) = session.edited(seed, &edit) else {
                continue;
            };
            let next = next_entry(&split.hydration(seed), source).expect("the new entry");
            let join = PromptEdit::Join { segment: next };
            let (joined, _) = split.edited(seed, &join).expect("joined");
            prop_assert_eq!(&joined, session);
        }
    }
    Ok(())
}
