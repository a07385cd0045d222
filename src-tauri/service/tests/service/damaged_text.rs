//! The text of a registry that cannot be opened is edited, kept and saved; nothing that the author or
//! another program wrote is lost.

use std::fs;

use promptdeck_service::Studio;
use promptdeck_service::wire::DamagedText;

use crate::home::Home;

const FILE: &str = "deck.json";
const BROKEN: &str = "{\r\n  \"registry\": {\"title\": \"Mine\" \"version\": 22}\r\n}\r\n";
const WHOLE: &str = "{\"title\": \"Mine\", \"assembly_order\": [], \"a\": {\"items\": []}}\n";

fn home() -> Home {
    let home = Home::new();
    fs::write(home.path(FILE), BROKEN).expect("written");
    home
}

fn opened(studio: &Studio) -> DamagedText {
    studio.open_damaged(FILE).expect("opened")
}

fn keep(studio: &Studio, text: &str, version: &str) -> Option<(u32, String)> {
    let problem = studio.keep_damaged(FILE, text.into(), version.into());
    let problem = problem.expect("kept")?;
    Some((problem.line?, problem.code))
}

fn text(home: &Home) -> String {
    fs::read_to_string(home.path(FILE)).expect("read")
}

#[test]
fn a_damaged_file_is_mended_and_opens() {
    let home = home();
    let (studio, _) = home.studio();
    studio.open_document(FILE).expect_err("damaged");
    let damaged = opened(&studio);
    assert_eq!((damaged.text.as_str(), damaged.draft), (BROKEN, None));
    let problem = damaged.problem.expect("a problem");
    assert_eq!((problem.code.as_str(), problem.line), ("syntax", Some(2)));

    assert_eq!(keep(&studio, WHOLE, &damaged.version), None);
    let saved = studio.save_damaged(FILE, WHOLE, &damaged.version, false);
    let saved = saved.expect("saved");
    assert_eq!((saved.problem, saved.kept), (None, None));
    assert_eq!(text(&home), WHOLE);
    assert_eq!(opened(&studio).draft, None);
    assert_eq!(opened(&studio).version, saved.version);
    studio.open_document(FILE).expect("opened");
}

#[test]
fn a_text_that_is_damaged_too_is_kept_and_saved() {
    let home = home();
    let (studio, _) = home.studio();
    let version = opened(&studio).version;
    let typed = format!("\n{BROKEN}");
    assert_eq!(keep(&studio, &typed, &version), Some((3, "syntax".into())));
    drop(studio);
    let (studio, _) = home.studio();
    let draft = opened(&studio).draft.expect("a draft");
    assert_eq!(
        (draft.text.as_str(), draft.version),
        (typed.as_str(), version.clone())
    );
    assert_eq!(text(&home), BROKEN);
    let saved = studio.save_damaged(FILE, &typed, &version, false);
    assert!(saved.expect("saved").problem.is_some());
    assert_eq!(text(&home), typed);

    // The text of the file itself is no draft.
    let version = opened(&studio).version;
    keep(&studio, "{", &version);
    assert!(opened(&studio).draft.is_some());
    keep(&studio, &typed, &version);
    assert_eq!(opened(&studio).draft, None);
}

#[test]
fn two_windows_keep_their_texts_of_one_file_and_the_list_marks_it() {
    let home = home();
    let (first, _) = home.studio();
    let (second, _) = home.studio();
    let is_marked = |studio: &Studio| {
        let registries = studio.workspace().registries;
        let entry = registries.iter().find(|entry| entry.file == FILE);
        entry.expect("listed").modified
    };
    let version = opened(&first).version;
    assert!(!is_marked(&first));
    keep(&first, "first {", &version);
    keep(&second, "second {", &version);
    let texts =
        |studios: [&Studio; 2]| studios.map(|studio| opened(studio).draft.expect("kept").text);
    assert_eq!(texts([&first, &second]), ["first {", "second {"]);
    assert!(is_marked(&first) && is_marked(&second));

    // Another window takes over the draft of a window that ended, and is then its only owner.
    drop((first, second));
    let (third, _) = home.studio();
    let restored = opened(&third).draft.expect("kept");
    assert_eq!(restored.text, "second {");
    keep(&third, &restored.text, &restored.version);
    keep(&third, BROKEN, &version);
    assert_eq!(opened(&third).draft.expect("kept").text, "first {");
    keep(&third, "first {", &version);
    keep(&third, BROKEN, &version);
    assert_eq!(opened(&third).draft, None);
    assert!(!is_marked(&third));
}

#[test]
fn a_version_of_another_program_is_replaced_on_purpose_only_and_kept_beside() {
    let home = home();
    let (studio, _) = home.studio();
    let version = opened(&studio).version;
    keep(&studio, WHOLE, &version);
    fs::write(home.path(FILE), "theirs {").expect("written");
    let refused = studio.save_damaged(FILE, WHOLE, &version, false);
    assert_eq!(refused.expect_err("refused").code(), "changed_outside");
    assert_eq!(text(&home), "theirs {");
    let damaged = opened(&studio);
    assert_eq!(damaged.text, "theirs {");
    assert_eq!(damaged.draft.expect("still there").text, WHOLE);

    let saved = studio.save_damaged(FILE, WHOLE, &damaged.version, true);
    let copy = saved.expect("saved").kept.expect("a copy");
    assert_eq!(text(&home), WHOLE);
    assert_eq!(
        fs::read_to_string(home.path(&copy)).expect("read"),
        "theirs {"
    );
}

#[test]
fn a_deleted_file_is_written_again_and_one_that_came_back_is_not_replaced() {
    let home = home();
    let (studio, _) = home.studio();
    let version = opened(&studio).version;
    keep(&studio, WHOLE, &version);
    fs::remove_file(home.path(FILE)).expect("removed");
    let damaged = opened(&studio);
    assert_eq!((damaged.text.as_str(), damaged.version.as_str()), ("", ""));
    assert_eq!(damaged.draft.expect("still there").text, WHOLE);
    fs::write(home.path(FILE), BROKEN).expect("written");
    let refused = studio.save_damaged(FILE, WHOLE, "", false);
    assert_eq!(refused.expect_err("refused").code(), "changed_outside");
    fs::remove_file(home.path(FILE)).expect("removed");
    studio
        .save_damaged(FILE, WHOLE, "", false)
        .expect("written");
    assert_eq!(text(&home), WHOLE);
}

#[test]
fn what_is_not_utf_8_is_left_to_other_programs() {
    let home = home();
    fs::write(home.path(FILE), b"{\"title\": \"caf\xe9\"}").expect("written");
    let (studio, _) = home.studio();
    let refused = studio.open_damaged(FILE).expect_err("refused");
    assert_eq!(refused.code(), "encoding");
}
