//! Other programs edit the file of a document with unsaved edits, in every order.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use promptdeck_service::Studio;
use serde_json::json;

use super::home::{DECK, Home, typed};

/// Seven moves; the bits of `case` determine who moves. Returns whether there was a conflict.
fn interleave(case: usize) -> bool {
    let folder = tempfile::tempdir().expect("a folder");
    let home = Home::at(folder.path());
    home.furnish();
    let studio = home.studio();
    let mut revision = studio.open_document(DECK).expect("opened").status.revision;
    let (mut mine, mut theirs, mut elsewhere) = (Vec::new(), Vec::new(), Vec::new());
    for turn in 0..7 {
        if case >> turn & 1 == 1 {
            let text = format!("mine{turn} ");
            revision = write_mine(&studio, revision, &text);
            mine.push(text);
        } else {
            let text = format!("theirs{turn}");
            let mut outside = home.read(DECK);
            // Alternates between the section that the studio edits and another one.
            let same = turn % 2 == 0;
            let section = if same { "prompt_endings" } else { "personas" };
            outside["registry"][section]["items"][0][&text] = json!(text);
            home.write(DECK, &outside);
            if !same {
                elsewhere.push(text.clone());
            }
            theirs.push(text);
        }
        // Sometimes the watcher reports before the next move, sometimes after it.
        thread::sleep(Duration::from_millis(if case.is_multiple_of(3) {
            90
        } else {
            1
        }));
    }
    let conflict = studio.save(DECK).expect("answered").conflict.is_some();
    if conflict {
        let open = studio.open_document(DECK).expect("open");
        let (tree, disk) = (
            open.tree["registry"].to_string(),
            home.read(DECK).to_string(),
        );
        for (texts, version) in [(&mine, tree), (&theirs, disk)] {
            for text in texts {
                assert!(
                    version.contains(text.trim()),
                    "case {case:07b}: {text} is lost before the choice in {version}"
                );
            }
        }
        studio.resolve(DECK, &BTreeMap::new()).expect("resolved");
        studio.save(DECK).expect("saved");
    }
    let open = studio.open_document(DECK).expect("open");
    let all = format!("{}{}", open.tree, home.read(DECK));
    for text in mine.iter().chain(&elsewhere) {
        assert!(
            all.contains(text.trim()),
            "case {case:07b}: {text} is lost in {all}"
        );
    }
    assert_eq!(
        home.read(DECK)["registry"],
        open.tree["registry"],
        "case {case:07b}"
    );
    conflict
}

/// Types a text and returns the new revision.
fn write_mine(studio: &Studio, revision: u32, text: &str) -> u32 {
    let change = studio.apply(DECK, &typed(revision, text)).or_else(|fault| {
        // A document without edits was reloaded meanwhile: fetch the revision again, as the page
        // does.
        assert_eq!(fault.code(), "stale_revision");
        let revision = studio.open_document(DECK).expect("open").status.revision;
        studio.apply(DECK, &typed(revision, text))
    });
    change.expect("applied").status.revision
}

#[test]
fn a_hundred_interleavings_of_outside_edits_keep_both_versions() {
    let interleavings = 100;
    let (next, conflicts) = (AtomicUsize::new(0), AtomicUsize::new(0));
    // Cases mostly wait, so several run at a time.
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                loop {
                    let case = next.fetch_add(1, Ordering::Relaxed);
                    if case >= interleavings {
                        break;
                    }
                    conflicts.fetch_add(usize::from(interleave(case)), Ordering::Relaxed);
                }
            });
        }
    });
    let conflicts = conflicts.into_inner();
    println!("{interleavings} interleavings, {conflicts} conflicts, nothing lost");
    assert!(conflicts > 0);
}
