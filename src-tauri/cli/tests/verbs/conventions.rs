//! What holds for every verb: help, streams, exit status, colour, pipes that close.

use std::{io::Read, process::Stdio};

use crate::program::Folder;

#[test]
fn every_verb_has_help() {
    let folder = Folder::new();
    let help = folder.run(&["--help"]);
    assert_eq!((help.status, help.err.as_str()), (0, ""));
    let verbs: Vec<&str> = help
        .out
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| line.starts_with("  "))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(verbs.contains(&"hydrate"), "{verbs:?}");
    for verb in verbs.into_iter().filter(|verb| *verb != "help") {
        let help = folder.run(&[verb, "--help"]);
        assert_eq!(help.status, 0, "{verb}");
        assert!(
            help.out.contains(&format!("promptdeck {verb}")),
            "{verb}: {}",
            help.out
        );
    }
}

#[test]
fn wrong_usage_ends_with_2() {
    let folder = Folder::new();
    for args in [
        &["--no-such-flag"][..],
        &[],
        &["no-such-verb"],
        &["hydrate"],
        &["hydrate", "registry.json", "--batch"],
        &["hydrate", "registry.json", "--seed", "-1"],
        &["hydrate", "registry.json", "--seed", "9007199254740992"],
        &["hydrate", "registry.json", "--select", "greeting"],
        &["hydrate", "registry.json", "--mode", "lists=all"],
        &["hydrate", "registry.json", "--var", "name=x"],
        &["hydrate", "registry.json", "--slider", "moods=much"],
        &["hydrate", "registry.json", "--format", "yaml"],
    ] {
        folder.run(args).refuses(2, &[]);
    }
}

#[test]
fn nothing_is_coloured_in_a_pipe() {
    let folder = Folder::new();
    folder.write("broken.json", "{");
    let run = folder.run(&["hydrate", "broken.json"]);
    assert!(
        run.err.starts_with("error: broken.json: line 1, column "),
        "{:?}",
        run.err
    );
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let folder = Folder::new();
    let line = format!("{{\"registry\":{}}}\n", crate::batch::one_line_registry());
    let mut child = folder
        .command(&["hydrate", "--batch"])
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().expect("it was piped");
    let writer = std::thread::spawn(move || {
        use std::io::Write;
        while stdin.write_all(line.as_bytes()).is_ok() {}
    });
    let status = child.wait().expect("the program ends by itself");
    writer.join().expect("writing does not panic");
    let mut said = String::new();
    child
        .stderr
        .take()
        .expect("piped")
        .read_to_string(&mut said)
        .expect("UTF-8");
    assert_eq!((status.code(), said.as_str()), (Some(0), ""));
}

#[test]
fn completions_and_the_page_know_every_verb() {
    let folder = Folder::new();
    for args in [
        &["completions", "bash"][..],
        &["completions", "zsh"],
        &["completions", "fish"],
        &["man"],
    ] {
        let run = folder.run(args);
        assert_eq!((run.status, run.err.as_str()), (0, ""));
        for verb in ["hydrate", "export", "fmt"] {
            assert!(run.out.contains(verb), "{args:?} without {verb}");
        }
    }
}
