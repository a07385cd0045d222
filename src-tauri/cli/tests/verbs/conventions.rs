//! Conventions of all verbs: help, streams, exit status, colour, closed pipes.

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
        &["hydrate", "registry.json", "--mode", "lists.items=some"],
        &["hydrate", "registry.json", "--mode", "lists.items=index:"],
        &[
            "hydrate",
            "registry.json",
            "--mode",
            "lists.items=indices:1,x",
        ],
        &[
            "hydrate",
            "registry.json",
            "--mode",
            "lists.items=random:-1",
        ],
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
    let mut stderr = String::new();
    child
        .stderr
        .take()
        .expect("piped")
        .read_to_string(&mut stderr)
        .expect("UTF-8");
    assert_eq!((status.code(), stderr.as_str()), (Some(0), ""));
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

#[test]
fn every_verb_has_a_page_of_its_own() {
    let folder = Folder::new();
    let whole = folder.run(&["man"]).out;
    for verb in [
        &["hydrate"][..],
        &["chat", "render"],
        &["snapshot", "save"],
        &["man"],
    ] {
        let page = folder.run(&[&["man"], verb].concat());
        assert_eq!((page.status, page.err.as_str()), (0, ""), "{verb:?}");
        let name = verb.join("\\-");
        assert!(
            page.out.contains(&format!("promptdeck\\-{name}")),
            "{verb:?}: {}",
            page.out
        );
        assert!(
            whole.contains(&format!(".SH \"promptdeck {}\"", verb.join(" "))),
            "{verb:?}"
        );
        assert_eq!(
            folder.run(&[&["help"], verb].concat()).status,
            0,
            "{verb:?}"
        );
    }
    folder
        .run(&["man", "hydrat"])
        .refuses(2, &["did you mean \"hydrate\"?"]);
}

#[test]
fn all_pages_are_written_and_refer_to_each_other_only() {
    let folder = Folder::new();
    let pages = folder.path("man");
    std::fs::create_dir(&pages).expect("made");
    let run = folder.run(&["man", "--all", &pages.display().to_string()]);
    assert_eq!(
        (run.status, run.out.as_str(), run.err.as_str()),
        (0, "", "")
    );
    for name in ["promptdeck", "promptdeck-hydrate", "promptdeck-chat-render"] {
        let page = std::fs::read_to_string(pages.join(format!("{name}.1"))).expect("a page");
        let source = concat!("\"promptdeck ", env!("CARGO_PKG_VERSION"), "\"");
        assert!(page.contains(&format!(".TH {name} 1")) && page.contains(source));
        let named = page.lines().filter_map(|line| line.strip_suffix("(1)"));
        for other in named.map(|name| name.replace('\\', "")) {
            assert!(
                pages.join(format!("{other}.1")).is_file(),
                "{name}: {other}"
            );
        }
    }
    let parts = folder.run(&["man", "chat", "render"]).out;
    folder.run(&["man", "chat render"]).gives(&parts);
    folder
        .run(&["man", "nope"])
        .refuses(2, &["no verb \"nope\"; known are hydrate, check, "]);
    folder
        .run(&["man", "hydrate", "now"])
        .refuses(2, &["hydrate has no verbs of its own"]);
    folder
        .run(&["man", "hydrate", "--all", "."])
        .refuses(2, &["cannot be used with"]);
    folder
        .run(&["man", "--all", "nowhere"])
        .refuses(2, &["nowhere"]);
}

#[test]
fn what_is_wrong_with_a_negative_number_is_said_of_the_number() {
    let folder = Folder::new();
    for (args, words) in [
        (
            &["hydrate", "registry.json", "--seed", "-1"][..],
            "a seed is an integer",
        ),
        (
            &["hydrate", "registry.json", "--slider", "-1"],
            "SECTION=NUMBER",
        ),
        (
            &["run", "registry.json", "--repeat", "-1"],
            "write a whole number from 1 to 1000",
        ),
    ] {
        folder.run(args).refuses(2, &[words]);
    }
}

#[test]
fn help_marks_required_arguments() {
    let folder = Folder::new();
    for (verb, document) in [
        (&["hydrate"][..], "REGISTRY"),
        (&["policy"], "DOCUMENT"),
        (&["history"], "DOCUMENT"),
        (&["arguments"], "DOCUMENT"),
        (&["layers"], "DOCUMENT"),
        (&["chat", "render"], "DOCUMENT"),
        (&["chat", "extract"], "DOCUMENT"),
    ] {
        let help = folder.run(&[verb, &["--help"]].concat()).out;
        let name = verb.join(" ");
        assert!(
            help.contains(&format!(
                "Usage: promptdeck {name} [OPTIONS] <{document}>\n"
            )),
            "{help}"
        );
        assert!(
            help.contains(&format!("promptdeck {name} [OPTIONS] --batch\n")),
            "{help}"
        );
    }
}

#[test]
fn every_synopsis_is_the_usage_of_the_help() {
    let folder = Folder::new();
    let bare = |text: &str| {
        let mut text = text.to_owned();
        for (from, to) in [("\\fB", ""), ("\\fR", ""), ("\\fI", ""), ("\\-", "-")] {
            text = text.replace(from, to);
        }
        text
    };
    let verbs = folder.run(&["--help"]).out;
    let (_, verbs) = verbs.split_once("Commands:\n").expect("commands");
    let verbs = verbs
        .lines()
        .map_while(|line| line.split_whitespace().next());
    let mut verbs: Vec<Vec<&str>> = verbs
        .filter(|verb| *verb != "help")
        .map(|verb| vec![verb])
        .collect();
    assert!(verbs.len() > 20, "{verbs:?}");
    verbs.extend([
        vec![],
        vec!["chat", "render"],
        vec!["chat", "inspect"],
        vec!["snapshot", "save"],
    ]);
    for verb in verbs {
        let help = folder.run(&[&verb[..], &["--help"]].concat()).out;
        let (_, usage) = help.split_once("Usage: ").expect("a usage");
        let usage = usage
            .lines()
            .map(str::trim)
            .take_while(|line| !line.is_empty());
        let page = folder.run(&[&["man"], &verb[..]].concat()).out;
        let (_, synopsis) = page.split_once(".SH SYNOPSIS\n").expect("a synopsis");
        let (synopsis, _) = synopsis.split_once("\n.SH").expect("a section follows");
        let synopsis = bare(synopsis);
        let synopsis = synopsis.lines().filter(|line| *line != ".br");
        assert_eq!(
            synopsis.collect::<Vec<_>>(),
            usage.collect::<Vec<_>>(),
            "{verb:?}"
        );
    }
}
