//! Very large registries: opened or clearly rejected while other documents are edited as usual.

use std::fmt::Write as _;
use std::fs;
use std::time::{Duration, Instant};

use promptdeck_service::command::Command;

use super::window::{DECK, Window};

/// Maximum response time for an edit of another document.
const ANSWERED: Duration = Duration::from_millis(100);

/// A registry with this many sections, items per section and characters per text.
fn sized(title: &str, sections: usize, items: usize, text: usize) -> String {
    let order: Vec<_> = (0..sections)
        .map(|section| format!("\"s{section}\""))
        .collect();
    let mut json = format!(
        r#"{{"version": 22, "title": "{title}", "assembly_order": [{}]"#,
        order.join(", ")
    );
    let text = "all work and no play ".repeat(text / 21 + 1);
    for section in 0..sections {
        write!(
            json,
            ",\n\"s{section}\": {{\"required\": true, \"items\": ["
        )
        .expect("text");
        for item in 0..items {
            let comma = if item == 0 { "" } else { ",\n" };
            write!(json, r#"{comma}{{"id": "i{item}", "text": "{text}"}}"#).expect("text");
        }
        json.push_str("]}");
    }
    json.push('}');
    json
}

/// A registry of at least this many bytes.
pub fn padded(title: &str, bytes: usize) -> String {
    sized(title, bytes.div_ceil(100 << 10), 100, 1000)
}

#[test]
fn very_large_registries_open_or_are_refused_while_other_documents_are_edited() {
    let cases = [
        ("fifty_megabytes.json", padded("Fifty", 50 << 20), None),
        ("one_item.json", sized("One item", 1, 1, 10 << 20), None),
        ("many_items.json", sized("Many items", 10, 10_000, 20), None),
        (
            "too_large.json",
            padded("Too large", 65 << 20),
            Some("file_too_large"),
        ),
    ];
    let window = Window::new(|path| {
        for (name, text, _) in &cases {
            fs::write(path(name), text).expect("written");
        }
    });
    window.studio.open_document(DECK).expect("opened");
    let mut revision = 0;
    let (mut late, mut slowest) = (0, Duration::ZERO);
    for (name, text, refused) in cases {
        let bytes = text.len();
        drop(text);
        let begun = Instant::now();
        let open = window.call(Command::Open, move |studio, _| {
            studio.open_document(name).map(drop)
        });
        loop {
            let took = window.type_into(DECK, revision);
            revision += 1;
            slowest = slowest.max(took);
            late += u32::from(took > ANSWERED);
            if open.is_finished() {
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        let (opened, _) = window.answer(open);
        match (opened, refused) {
            (Ok(()), None) => {}
            (Err(fault), Some(code)) => assert_eq!(fault.code(), code, "{fault}"),
            (opened, _) => panic!("{name}: {opened:?}"),
        }
        println!("{name}: {bytes} bytes, {:?}", begun.elapsed());
        let close = window.call(Command::Close, move |studio, _| {
            studio.close(name);
            Ok(())
        });
        while !close.is_finished() {
            let took = window.type_into(DECK, revision);
            revision += 1;
            slowest = slowest.max(took);
            late += u32::from(took > ANSWERED);
            std::thread::sleep(Duration::from_millis(10));
        }
    }
    println!(
        "large registries: 4, edits meanwhile: {revision}, later than 100 ms: {late}, slowest {slowest:?}"
    );
    // Tolerates some late responses on a machine with other load.
    assert!(
        late * 100 <= revision,
        "{late} of {revision} were late, the latest {slowest:?}"
    );
    assert!(slowest < 10 * ANSWERED, "{slowest:?}");
}
