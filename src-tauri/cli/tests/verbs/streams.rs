//! Standard streams: lost output, input that is requested twice, failing lines.

use std::{fs::OpenOptions, process::Stdio};

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
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(
            said.contains("error: cannot write to standard output"),
            "{args:?}: {said}"
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

#[test]
fn a_line_that_fails_shows_in_the_exit_status() {
    let folder = Folder::new();
    let good = [
        (
            &["hydrate", "--registry", "registry.json"][..],
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
    for (verb, line) in good {
        let args = [verb, &["--batch"]].concat();
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
        let help = folder.run(&[verb, &["--help"]].concat()).out;
        let help: Vec<&str> = help.split_whitespace().collect();
        assert!(
            help.join(" ").contains("the exit status is then 1"),
            "{verb:?}"
        );
    }
}
