//! Standard streams: lost output, a reader that leaves, input that is requested twice, failing lines.

use std::{
    fs::OpenOptions,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    process::{Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

use serde_json::{Map, Value, json};

use crate::program::{Folder, REGISTRY};

#[cfg(target_os = "linux")]
#[test]
fn output_that_is_lost_is_an_error() {
    let folder = Folder::new();
    for args in [
        &["--help"][..],
        &["--version"],
        &["help", "hydrate"],
        &["chat", "--help"],
        &["hydrate", "registry.json"],
        &["schema"],
        &["man"],
        &["completions", "bash"],
        &["run", "registry.json", "--stream"],
        &["check", "registry.json", "--format", "json"],
    ] {
        let full = OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .expect("Linux has it");
        let mut command = folder.command(args);
        command.stdin(Stdio::null()).stdout(full);
        let output = command.output().expect("the program runs");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
        assert!(
            stderr.contains("error: cannot write to standard output"),
            "{args:?}: {stderr}"
        );
    }
}

#[test]
fn help_goes_to_a_reader_that_leaves() {
    let folder = Folder::new();
    let mut child = folder
        .command(&["--help"])
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(
        (output.status.code(), output.stderr.as_slice()),
        (Some(0), &b""[..])
    );
}

#[test]
fn work_ends_with_the_reader_of_its_output() {
    let folder = many_prompts();
    for args in [
        &["--rolls", "1000000"][..],
        &["--rolls", "1000000", "--format", "json"],
        &["--enumerate", "1000000000"],
        &["--sample", "random", "--rolls", "9007199254740991"],
        &["--sample", "shuffle", "--rolls", "9007199254740991"],
        &["--sample", "pairwise"],
        &["--sample", "exhaustive"],
        &["--format", "prompts", "--rolls", "9007199254740991"],
        &["--format", "messages", "--rolls", "9007199254740991"],
    ] {
        let args = [&["variants", "many.json"], args].concat();
        ends_with_its_reader(folder.command(&args), None);
    }
    for args in [
        &["run", "many.json", "--repeat", "1000"][..],
        &["run", "many.json", "--repeat", "1000", "--stream"],
        &["run", "many.json", "--repeat", "1000", "--format", "json"],
    ] {
        ends_with_its_reader(folder.command(args), None);
    }
}

#[test]
fn a_batch_ends_with_the_reader_of_its_output() {
    let folder = Folder::new();
    for (verb, line) in BATCHES {
        let args = [*verb, &["--batch"]].concat();
        ends_with_its_reader(folder.command(&args), Some(line));
    }
}

#[test]
fn a_verdict_outlives_its_reader() {
    let folder = Folder::new();
    let broken = REGISTRY.replace("\"moods\",\n", "\"modds\",\n");
    let names: Vec<String> = (0..2_000).map(|number| format!("{number}.json")).collect();
    for name in &names {
        folder.write(name, &broken);
    }
    for args in [
        &["check", "."][..],
        &["check", ".", "--format", "json"],
        &["test", "."],
        &["test", ".", "--format", "json"],
        &["test", ".", "--format", "junit"],
    ] {
        let mut command = folder.command(args);
        // The closing line goes to standard error if all was written before the reader left.
        command.stderr(Stdio::null());
        ends_without_its_reader(command, None, 1);
    }
}

/// A folder with `many.json`, which has millions of prompts.
fn many_prompts() -> Folder {
    let folder = Folder::new();
    let names: Vec<String> = (0..8).map(|section| format!("s{section}")).collect();
    let section = |name: &String| {
        let item = |number: u32| json!({"id": format!("i{number}"), "text": format!("{number}")});
        let items: Vec<Value> = (0..12).map(item).collect();
        (
            name.clone(),
            json!({"section_random": true, "items": items}),
        )
    };
    let mut registry: Map<String, Value> = names.iter().map(section).collect();
    registry.insert("assembly_order".to_owned(), json!(names));
    folder.write("many.json", Value::Object(registry).to_string());
    folder
}

/// Reads one line of output, closes the pipe, and expects a quiet end with status 0, though there is
/// more work or, with a line of input, no end of input.
fn ends_with_its_reader(command: Command, input: Option<&'static str>) {
    ends_without_its_reader(command, input, 0);
}

/// As [`ends_with_its_reader`], with that status.
fn ends_without_its_reader(mut command: Command, input: Option<&'static str>, expected: i32) {
    let mut child = command.spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("it was piped");
    let writer = thread::spawn(move || {
        let Some(line) = input else {
            return;
        };
        let line = format!("{line}\n");
        while stdin.write_all(line.as_bytes()).is_ok() {}
    });
    let mut reader = BufReader::new(child.stdout.take().expect("it was piped"));
    let mut line = String::new();
    reader.read_line(&mut line).expect("a line of output");
    assert!(!line.is_empty(), "no output: {command:?}");
    drop(reader);
    let limit = Instant::now() + Duration::from_mins(1);
    let status: ExitStatus = loop {
        if let Some(status) = child.try_wait().expect("the program can be waited for") {
            break status;
        }
        if Instant::now() > limit {
            child.kill().expect("the program can be ended");
            panic!("it runs on without a reader: {command:?}");
        }
        thread::sleep(Duration::from_millis(5));
    };
    writer.join().expect("writing does not panic");
    let mut stderr = String::new();
    if let Some(mut messages) = child.stderr.take() {
        messages.read_to_string(&mut stderr).expect("UTF-8");
    }
    assert_eq!(status.code(), Some(expected), "{command:?}: {stderr}");
    assert!(!stderr.contains("error"), "{command:?}: {stderr}");
}

#[test]
fn standard_input_is_read_once() {
    let folder = Folder::new();
    folder.write("call.json", "{}");
    let call = r#"{"registry": "registry.json", "message": {"text": "Hi"}}"#;
    for (args, input) in [
        (&["hydrate", "-", "--state", "-"][..], REGISTRY),
        (&["hydrate", "--batch", "--state", "-"], "{}"),
        (&["hydrate", "--batch", "--registry", "-"], REGISTRY),
        (&["run", "-", "--state", "-"], REGISTRY),
        (&["request", "-", "--against", "-"], call),
        (
            &["chat", "render", "-", "--template", "-"],
            r#"{"messages": []}"#,
        ),
    ] {
        let run = folder.run_with(args, input);
        run.refuses(2, &["standard input is read once"]);
    }
}

/// The verbs that read batches, each with a valid line.
const BATCHES: &[(&[&str], &str)] = &[
    (
        &["hydrate", "--registry", "registry.json"],
        r#"{"seed": 1}"#,
    ),
    (&["policy"], r#"{"policy": {}, "text": "a"}"#),
    (&["history"], r#"{"messages": []}"#),
    (&["arguments"], r#"{"now": "2026-01-01T00:00:00Z"}"#),
    (&["layers"], r#"{"turns": []}"#),
    (
        &["chat", "render"],
        r#"{"family": "chatml", "messages": []}"#,
    ),
    (&["chat", "inspect"], r#"{"template": "x"}"#),
    (&["chat", "extract"], r#"{"output": "a"}"#),
];

#[test]
fn a_line_that_fails_shows_in_the_exit_status() {
    let folder = Folder::new();
    for (verb, line) in BATCHES {
        let args = [*verb, &["--batch"]].concat();
        let run = folder.run_with(&args, &format!("{line}\n{line}\n"));
        assert_eq!(
            (run.status, run.out.lines().count()),
            (0, 2),
            "{args:?}: {run:?}"
        );
        let run = folder.run_with(&args, &format!("{line}\nnothing\n{line}\n"));
        assert_eq!(
            (run.status, run.out.lines().count()),
            (1, 3),
            "{args:?}: {run:?}"
        );
        let help = folder.run(&[*verb, &["--help"]].concat()).out;
        let help: Vec<&str> = help.split_whitespace().collect();
        assert!(
            help.join(" ").contains("the exit status is then 1"),
            "{verb:?}"
        );
    }
}

#[cfg(unix)]
#[test]
fn an_output_that_cannot_be_written_to_is_an_error() {
    let folder = Folder::new();
    let read_only = std::fs::File::open(folder.path("registry.json")).expect("a file");
    let output = folder
        .command(&["hydrate", "registry.json", "--seed", "1"])
        .stdout(read_only)
        .output()
        .expect("the program");
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{err}");
    assert!(err.contains("Bad file descriptor"), "{err}");
}
