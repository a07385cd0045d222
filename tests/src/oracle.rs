//! Runs the programs that the engine is compared with: a Python script answers JSON lines with JSON
//! lines. Does not interpret the questions.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;

/// Environment variable with the path of the Python that has the package installed.
pub const PYTHON_VARIABLE: &str = "PROMPTDECK_ORACLE_PYTHON";

/// Environment variable with the folder of environments for other releases.
pub const RELEASES_VARIABLE: &str = "PROMPTDECK_RELEASES";

/// The answers of `conformance/{script}` with that release of promptlibretto.
///
/// # Panics
/// As [`ask`].
#[must_use]
pub fn ask_release(release: &str, script: &str, questions: &[Value]) -> Vec<Value> {
    let folder = std::env::var(RELEASES_VARIABLE).unwrap_or_else(|_| {
        panic!(
            "{RELEASES_VARIABLE} is not set: run `npm test`, which installs the releases, or name \
             a folder that has them"
        )
    });
    let python = format!("{folder}/promptlibretto-{release}/bin/python");
    answers(&python, script, questions)
}

/// The answers of `conformance/{script}` to `questions`, one per question.
///
/// # Panics
/// If Python is missing or does not answer every question: a comparison that did not happen is a
/// failure.
#[must_use]
pub fn ask(script: &str, questions: &[Value]) -> Vec<Value> {
    let python = std::env::var(PYTHON_VARIABLE).unwrap_or_else(|_| {
        panic!(
            "{PYTHON_VARIABLE} is not set: run `npm test`, which installs \
             conformance/requirements.txt, or name a Python that has it"
        )
    });
    answers(&python, script, questions)
}

fn answers(python: &str, script: &str, questions: &[Value]) -> Vec<Value> {
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("conformance")
        .join(script);
    let mut child = Command::new(python)
        .arg(&script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("cannot start {python}: {error}"));
    let mut lines = String::new();
    for question in questions {
        lines.push_str(&question.to_string());
        lines.push('\n');
    }
    let mut input = child.stdin.take().expect("standard input is piped");
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()));
    let output = child
        .wait_with_output()
        .expect("the oracle can be waited for");
    let _ = writer.join();
    assert!(output.status.success(), "{} failed", script.display());
    let answers: Vec<Value> = String::from_utf8(output.stdout)
        .expect("answers are UTF-8")
        .lines()
        .map(|line| serde_json::from_str(line).expect("answers are JSON"))
        .collect();
    assert_eq!(
        answers.len(),
        questions.len(),
        "one answer for each question"
    );
    answers
}
