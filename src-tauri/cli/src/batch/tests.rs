//! Order, errors, limits and warnings of a batch, with workers for the tests.

use std::{io::Cursor, sync::Condvar, time::Duration};

use super::*;

#[derive(serde::Deserialize)]
struct Number {
    n: u64,
}

/// Answers a number with its double.
struct Double;

impl Worker for Double {
    fn answer(
        &mut self,
        line: &[u8],
        answer: &mut Vec<u8>,
        warnings: &mut Warnings,
    ) -> Result<(), Failure> {
        answer.extend_from_slice(b"half an answer");
        let unreadable = |_| Failure::input("invalid_line", "unreadable");
        let Number { n } = serde_json::from_slice(line).map_err(unreadable)?;
        if n == 7 {
            warnings.add("seven", "seven".to_owned())?;
        }
        answer.truncate(answer.len() - b"half an answer".len());
        answer.extend_from_slice((n * 2).to_string().as_bytes());
        Ok(())
    }
}

/// The answers, and the number of errors among them.
fn counted(input: impl Read + Send + 'static) -> (Vec<String>, u64) {
    let mut out = Vec::new();
    let refused = stream(input, &mut out, 3, StrictArgs::default(), || Double);
    let answers = String::from_utf8(out).expect("JSON is UTF-8");
    let answers = answers.lines().map(str::to_owned).collect();
    (answers, refused.expect("nothing to fail here"))
}

fn answers(input: impl Read + Send + 'static) -> Vec<String> {
    counted(input).0
}

/// Yields one line per read, like a program that writes line by line.
struct OneByOne(std::vec::IntoIter<&'static [u8]>);

impl Read for OneByOne {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.next().map_or(Ok(0), |line| (&*line).read(buffer))
    }
}

/// Answers only once another line is being processed as well.
struct WaitsForOther(Arc<(Mutex<usize>, Condvar)>);

impl Worker for WaitsForOther {
    fn answer(&mut self, _: &[u8], answer: &mut Vec<u8>, _: &mut Warnings) -> Result<(), Failure> {
        let (at_work, changed) = &*self.0;
        let mut working = locked(at_work);
        *working += 1;
        changed.notify_all();
        let (working, _) = changed
            .wait_timeout_while(working, Duration::from_secs(20), |working| *working < 2)
            .expect("nobody panics");
        answer.extend_from_slice(if *working < 2 { b"alone" } else { b"together" });
        Ok(())
    }
}

#[test]
fn lines_are_worked_on_at_once() {
    let at_work = Arc::new((Mutex::new(0), Condvar::new()));
    let lines = OneByOne(vec![&b"1\n"[..], &b"2\n"[..]].into_iter());
    let mut out = Vec::new();
    let make = move || WaitsForOther(Arc::clone(&at_work));
    stream(lines, &mut out, 2, StrictArgs::default(), make).expect("nothing fails");
    assert_eq!(out, b"together\ntogether\n");
}

fn input(text: &str) -> Cursor<Vec<u8>> {
    Cursor::new(text.as_bytes().to_vec())
}

#[test]
fn order_is_kept_over_many_chunks() {
    let numbers: Vec<String> = (0..200_000)
        .map(|number| format!("{{\"n\":{number}}}"))
        .collect();
    let expected: Vec<String> = (0..200_000)
        .map(|number| (number * 2).to_string())
        .collect();
    assert_eq!(answers(input(&numbers.join("\n"))), expected);
}

#[test]
fn a_bad_line_is_answered_and_ends_nothing() {
    let (got, refused) = counted(input("{\"n\":1}\nx\n\n{\"n\":3}"));
    assert_eq!(refused, 2);
    assert_eq!((got[0].as_str(), got[3].as_str(), got.len()), ("2", "6", 4));
    for refused in &got[1..3] {
        assert!(
            refused.starts_with(r#"{"ok":false,"error":{"code":"invalid_line","message":"#),
            "{refused}"
        );
    }
}

#[test]
fn a_line_over_the_limit_is_refused_unread() {
    let long = io::repeat(b'7').take(MAX_LINE as u64 + 1);
    let got = answers(
        input("{\"n\":1}\n")
            .chain(long)
            .chain(input("\n{\"n\":2}\n")),
    );
    assert_eq!((got[0].as_str(), got[2].as_str(), got.len()), ("2", "4", 3));
    assert!(got[1].contains(r#""code":"too_large""#), "{}", got[1]);
}

#[test]
fn no_input_gives_no_output() {
    assert_eq!(answers(input("")), Vec::<String>::new());
}
