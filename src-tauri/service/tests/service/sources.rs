//! Plain prompts that the author imports: how they are read and split, and the registries made of them.

use promptdeck_service::Studio;
use promptdeck_service::wire::{
    ImportEntry, ImportStatus, NewRegistry, NoEffect, PromptPart, SourceChange, SourceType,
    SourceView, SplitAt, SplitEdit, SplitPoint,
};

use crate::home::{Home, prompt};

const PROMPT: &str = "You are the night guide.\nVisitors leave slowly.\n\n\
    ## Rules\n- Answer in two sentences.\n- Never guess a date.\n\n\
    <tone>\nDry and kind.\n</tone>\n\n## Examples\n- The sextant?\n- Room four.\n";

pub fn brought(studio: &Studio, text: &str) -> SourceView {
    studio
        .read_source("", text.as_bytes().to_vec())
        .expect("read")
}

fn parts(view: &SourceView) -> Vec<(String, u32)> {
    let split = view.split.as_ref().expect("a split");
    let part = |part: &PromptPart| (part.name.clone(), part.line);
    split.parts.iter().map(part).collect()
}

fn edit(studio: &Studio, view: &SourceView, edit: SplitEdit) -> SourceView {
    let change = SourceChange::Split {
        split: view.split.clone().expect("a split"),
        edit: Some(edit),
    };
    studio.change_source(view.number, &change).expect("changed")
}

pub fn create(studio: &Studio, view: &SourceView, name: &str) -> String {
    let content = NewRegistry::Source {
        number: view.number,
    };
    studio.new_registry(&content, "", name).expect("created")
}

#[test]
fn a_pasted_prompt_is_split_adjusted_and_prints_its_bytes() {
    let home = Home::new();
    let (studio, _) = home.studio();
    let view = brought(&studio, PROMPT);
    assert_eq!(view.as_type, SourceType::Plain);
    assert_eq!(view.lines[3], "## Rules");
    let proposed = [
        ("base_context", 1),
        ("rules", 4),
        ("tone", 8),
        ("examples_text", 12),
    ];
    assert_eq!(
        parts(&view),
        proposed.map(|(name, line)| (name.to_owned(), line))
    );
    let view = edit(
        &studio,
        &view,
        SplitEdit::Rename {
            part: 1,
            name: " limits ".into(),
        },
    );
    let view = edit(&studio, &view, SplitEdit::Move { part: 2, line: 7 });
    let view = edit(&studio, &view, SplitEdit::Divide { line: 2 });
    let view = edit(&studio, &view, SplitEdit::Merge { part: 4 });
    let expected = [
        ("base_context", 1),
        ("paragraph", 2),
        ("limits", 4),
        ("tone", 7),
    ];
    assert_eq!(
        parts(&view),
        expected.map(|(name, line)| (name.to_owned(), line))
    );
    let conversion = view.conversion.as_ref().expect("a registry");
    assert_eq!(conversion.same, Some(true));
    assert_eq!(conversion.sections[2].field.as_deref(), Some("items"));
    let lines = conversion.sections[2].lines.as_ref().expect("lines");
    assert_eq!((lines.entries, lines.headed), (2, true));
    let file = create(&studio, &view, "night guide");
    assert_eq!(file, "night_guide.json");
    assert_eq!(
        prompt(&studio.open_document(&file).expect("opened")),
        PROMPT.trim_end()
    );
}

#[test]
fn kinds_of_places_that_change_nothing_are_named_for_each_proposal() {
    let home = Home::new();
    let (studio, _) = home.studio();
    let ineffective = |view: &SourceView| -> Vec<(SplitPoint, NoEffect)> {
        let points = view.ineffective_points.iter();
        points
            .map(|ineffective| (ineffective.point, ineffective.reason))
            .collect()
    };
    let view = brought(&studio, PROMPT);
    // Its lists become texts without that tick.
    assert_eq!(
        ineffective(&view),
        [(SplitPoint::BlankLines, NoEffect::Structured)]
    );
    let at = SplitAt {
        headings: false,
        tags: false,
        ..view.split.expect("a split").at
    };
    let view = studio.change_source(view.number, &SourceChange::Propose { at });
    let view = view.expect("proposed");
    assert_eq!(ineffective(&view), []);
    let view = edit(&studio, &view, SplitEdit::Merge { part: 1 });
    assert_eq!(ineffective(&view), []);
    let card = studio.read_source(
        "card.json",
        br#"{"name": "Ada", "first_mes": "Hi."}"#.to_vec(),
    );
    assert_eq!(ineffective(&card.expect("read")), []);
}

#[test]
fn the_report_says_that_a_split_is_full() {
    let home = Home::new();
    let (studio, _) = home.studio();
    let capped = |view: &SourceView| {
        let entries = &view.conversion.as_ref().expect("a registry").entries;
        let full = entries.iter().find(|it| it.message.contains("at most 500"));
        full.map(|entry| entry.line)
    };
    let view = brought(&studio, &vec!["Be kind."; 600].join("\n\n"));
    assert_eq!(parts(&view).len(), 500);
    assert_eq!(capped(&view), Some(Some(999)));
    let name = "other".to_owned();
    let view = edit(&studio, &view, SplitEdit::Rename { part: 1, name });
    assert_eq!(
        capped(&view),
        Some(Some(999)),
        "the borders are as proposed"
    );
    let view = edit(&studio, &view, SplitEdit::Merge { part: 1 });
    assert_eq!(capped(&view), None);
    // As many parts as there can be, but not those that were proposed.
    let view = edit(&studio, &view, SplitEdit::Divide { line: 1_001 });
    assert_eq!((parts(&view).len(), capped(&view)), (500, None));
}

#[test]
fn an_invalid_change_is_reported_and_creates_nothing() {
    let home = Home::new();
    let (studio, _) = home.studio();
    let view = brought(&studio, PROMPT);
    let name = "rules".to_owned();
    let view = edit(&studio, &view, SplitEdit::Rename { part: 0, name });
    let problem = view.problem.clone().expect("a problem");
    assert!(
        problem.message.contains("another part has that name"),
        "{problem:?}"
    );
    let content = NewRegistry::Source {
        number: view.number,
    };
    assert!(studio.new_registry(&content, "", "x").is_err());
    assert!(!home.path("x.json").exists());
    let name = "scene".to_owned();
    let view = edit(&studio, &view, SplitEdit::Rename { part: 0, name });
    assert_eq!(view.problem, None);
    create(&studio, &view, "x");
}

#[test]
fn bytes_that_would_be_lost_are_named_and_trimmed_on_request() {
    let home = Home::new();
    let (studio, _) = home.studio();
    let view = brought(&studio, "One.\n\n\n\nTwo.  \n");
    let conversion = view.conversion.expect("a registry");
    assert_eq!(conversion.same, Some(false));
    assert_eq!(conversion.entries[0].status, ImportStatus::NotSupported);
    assert_eq!(conversion.entries[0].line, Some(3));
    let content = NewRegistry::Source {
        number: view.number,
    };
    assert!(studio.new_registry(&content, "", "lossy").is_err());
    let trim = SourceChange::Trim { split: view.split };
    let view = studio.change_source(view.number, &trim).expect("trimmed");
    assert_eq!(view.lines, ["One.", "", "Two."]);
    assert_eq!(view.conversion.expect("a registry").same, Some(true));
}

#[test]
fn borders_stay_between_the_same_texts_when_a_text_is_trimmed() {
    let home = Home::new();
    let (studio, _) = home.studio();
    let text = "\n One.\n\n\n\nTwo.\nThree.\n\n\nFour.\n";
    let view = brought(&studio, text);
    let mut split = view.split.expect("a split");
    let part = |name: &str, line| PromptPart {
        name: name.to_owned(),
        line,
    };
    split.parts = vec![
        part("one", 1),
        part("two", 6),
        part("three", 7),
        part("four", 10),
    ];
    let original = (view.lines, split.parts.clone());
    let trim = SourceChange::Trim {
        split: Some(split.clone()),
    };
    let view = studio.change_source(view.number, &trim).expect("trimmed");
    assert_eq!(view.lines, ["One.", "", "Two.", "Three.", "", "Four."]);
    let expected = [
        part("one", 1),
        part("two", 3),
        part("three", 4),
        part("four", 6),
    ];
    assert_eq!(view.split.expect("a split").parts, expected);
    assert_eq!(view.conversion.expect("a registry").same, Some(true));
    let undo = SourceChange::UndoTrim { split };
    let view = studio.change_source(view.number, &undo).expect("undone");
    assert_eq!((view.lines, view.split.expect("a split").parts), original);
    assert_eq!(view.conversion.expect("a registry").same, Some(false));
    assert!(studio.change_source(view.number, &undo).is_err());
}

#[test]
fn other_line_ends_are_converted_and_named() {
    let home = Home::new();
    let (studio, _) = home.studio();
    let view = brought(&studio, "Rules:\r\n- One.\r\n- Two.\r\n");
    assert_eq!(view.lines, ["Rules:", "- One.", "- Two.", ""]);
    let conversion = view.conversion.as_ref().expect("a registry");
    assert_eq!((conversion.same, conversion.line_ends), (Some(true), true));
    let named = |entry: &ImportEntry| entry.message.starts_with("3 line ends");
    assert!(conversion.entries.iter().any(named), "{conversion:?}");
    let file = create(&studio, &view, "rules");
    let made = studio.open_document(&file).expect("opened");
    assert_eq!(prompt(&made), "Rules:\n- One.\n- Two.");
    let view = brought(&studio, "One.\n");
    assert!(!view.conversion.expect("a registry").line_ends);
}

#[test]
fn only_the_view_shown_last_is_created() {
    let home = Home::new();
    let (studio, _) = home.studio();
    let first = brought(&studio, "First.");
    let second = brought(&studio, "Second.");
    let stale = NewRegistry::Source {
        number: first.number,
    };
    let fault = studio.new_registry(&stale, "", "a").expect_err("stale");
    assert_eq!(fault.code(), "other_source");
    assert!(
        studio
            .change_source(first.number, &SourceChange::Trim { split: None })
            .is_err()
    );
    studio.forget_source(first.number);
    let file = create(&studio, &second, "b");
    assert_eq!(
        home.read(&file)["registry"]["base_context"]["items"][0]["text"],
        "Second."
    );
}
