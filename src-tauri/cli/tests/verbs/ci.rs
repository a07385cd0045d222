//! The workflow of docs/ci.md: its shell steps run in a Git repository whose registries have names
//! that break careless scripts. Only `gh` and `cargo` are stand-ins.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use saphyr_parser::{Event, Parser};
use tempfile::TempDir;

use crate::program::REGISTRY;

/// The shell steps of the workflow, by name, the unnamed ones by their commands.
fn steps() -> Vec<(String, String)> {
    let doc = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/ci.md");
    let doc = fs::read_to_string(doc).expect("docs/ci.md");
    let (_, yaml) = doc.split_once("```yaml\n").expect("a workflow");
    let (yaml, _) = yaml.split_once("```").expect("its end");
    let scalars: Vec<String> = Parser::new_from_str(yaml)
        .filter_map(|event| match event.expect("YAML").0 {
            Event::Scalar(text, ..) => Some(text.into_owned()),
            _ => None,
        })
        .collect();
    let mut steps = Vec::new();
    let mut name = None;
    for pair in scalars.windows(2) {
        match pair {
            [key, value] if key == "name" => name = Some(value.clone()),
            [key, _] if key == "uses" => name = None,
            [key, value] if key == "run" => {
                let name = name.take().unwrap_or_else(|| value.clone());
                steps.push((name, value.clone()));
            }
            _ => {}
        }
    }
    steps
}

/// A repository with a merge commit, as a pull request is checked out.
struct Repository {
    root: TempDir,
}

impl Repository {
    fn new() -> Self {
        let runner = Self {
            root: TempDir::new().expect("a temporary folder"),
        };
        fs::create_dir_all(runner.path("work")).expect("made");
        fs::create_dir_all(runner.path("bin")).expect("made");
        runner.git(&["init", "--quiet", "--initial-branch=main"]);
        runner.stand_in("cargo", "exit 0");
        // Comments are files, one for each.
        runner.stand_in(
            "gh",
            r#"echo "$@" | head -n 1 >> "$GH_HOME/calls"
case "$1 $2" in
  "api --paginate") for each in "$GH_HOME"/[0-9]*; do
      if [ -f "$each" ] && head -n 1 "$each" | grep -q '^<!-- promptdeck impact -->$'; then basename "$each"; fi
    done ;;
  "api --method") case "$3" in
      POST) to="$GH_HOME/7" ;;
      PATCH) to="$GH_HOME/${4##*/}" ;;
    esac
    cp "${6#body=@}" "$to" ;;
  *) exit 64 ;;
esac"#,
        );
        fs::create_dir_all(runner.path("gh")).expect("made");
        fs::write(runner.path("gh/3"), "Looks good.\n").expect("written");
        runner
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    fn stand_in(&self, name: &str, script: &str) {
        let path = self.path("bin").join(name);
        // A shell writes it: a file that this process writes itself may still be open in a program
        // that another test has just forked, and the system refuses to start it ("text file busy").
        let written = Command::new("sh")
            .args([
                "-c",
                "printf '#!/bin/sh\\n%s\\n' \"$1\" > \"$0\" && chmod 755 \"$0\"",
            ])
            .arg(path)
            .arg(script)
            .status();
        assert!(written.expect("it starts").success());
    }

    fn write(&self, name: &str, content: &str) {
        let path = self.path("work").join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, content).expect("written");
    }

    fn remove(&self, name: &str) {
        fs::remove_file(self.path("work").join(name)).expect("removed");
    }

    fn command(&self, program: &str) -> Command {
        let binary_dir = Path::new(env!("CARGO_BIN_EXE_promptdeck")).parent();
        let path = format!(
            "{}:{}:{}",
            self.path("bin").display(),
            binary_dir.expect("a folder").display(),
            std::env::var("PATH").unwrap_or_default()
        );
        let mut command = Command::new(program);
        command
            .current_dir(self.path("work"))
            .env("PATH", path)
            .env("HOME", self.root.path())
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("RUNNER_TEMP", self.root.path())
            .env("REGISTRIES", "registries")
            .env("GITHUB_REPOSITORY", "me/decks")
            .env("NUMBER", "12")
            .env("GH_TOKEN", "none")
            .env("GH_HOME", self.path("gh"));
        command
    }

    fn git(&self, args: &[&str]) {
        let done = self
            .command("git")
            .args(["-c", "user.name=A", "-c", "user.email=a@example.com"])
            .args(args)
            .output();
        let done = done.expect("git starts");
        assert!(done.status.success(), "git {args:?}: {done:?}");
    }

    fn commit(&self) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message", "change"]);
    }

    /// Merges the branch `change` into `main`, as the checkout of a pull request does.
    fn merge(&self) {
        self.git(&["checkout", "--quiet", "main"]);
        self.git(&[
            "merge",
            "--quiet",
            "--no-ff",
            "--message",
            "merge",
            "change",
        ]);
    }

    /// Runs the steps as GitHub's default shell does and gives the status of each; a step runs also
    /// when one before it failed, as the workflow has it from `Impact` on.
    fn run(&self) -> Vec<(String, i32, String)> {
        let old = self.path("old");
        if old.exists() {
            self.git(&["worktree", "remove", "--force", &old.to_string_lossy()]);
        }
        let steps = steps().into_iter();
        let run = steps.map(|(name, script)| {
            let done = self.command("bash").args(["-e", "-c", &script]).output();
            let done = done.expect("bash starts");
            let stderr = String::from_utf8_lossy(&done.stderr).into_owned();
            (name, done.status.code().expect("no signal"), stderr)
        });
        run.collect()
    }

    fn comment(&self, number: u32) -> Option<String> {
        fs::read_to_string(self.path(&format!("gh/{number}"))).ok()
    }
}

fn statuses(run: &[(String, i32, String)]) -> Vec<(&str, i32)> {
    run.iter()
        .map(|(name, status, _)| (name.as_str(), *status))
        .collect()
}

const INSTALL: &str = "cargo install --locked --path promptdeck/src-tauri/cli";
const ODD: &str = "registries/sub folder/it's an \u{e4} deck $HOME.json";

/// A registry that is like no other.
const FRESH: &str = r#"{"assembly_order": ["a"], "a": {"items": [{"id": "x", "text": "Hi."}]}}"#;

/// A registry whose names tell it from others.
fn deck(name: &str) -> String {
    let text = REGISTRY.replace("greeting", name);
    text.replace("Hello", &format!("Hello from {name}"))
}

fn repository() -> Repository {
    let repository = Repository::new();
    repository.write("registries/plain.json", REGISTRY);
    repository.write(ODD, &deck("odd"));
    repository.write("registries/before.json", &deck("moved"));
    repository.write("registries/gone.json", &deck("gone"));
    repository.write(
        "registries/other.schema.json",
        r#"{"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object"}"#,
    );
    repository.write(
        "registries/plain.checks.json",
        r#"{"checks": [{"name": "prints", "expect": [{"matches": "."}]}]}"#,
    );
    repository.commit();
    repository.git(&["checkout", "--quiet", "-b", "change"]);
    repository
}

#[test]
fn the_steps_of_the_workflow_compare_every_registry_and_keep_one_comment() {
    let repository = repository();
    repository.write(ODD, &deck("odd").replace("Hello", "Good day"));
    repository.remove("registries/before.json");
    repository.write("registries/new/after.json", &deck("moved"));
    repository.remove("registries/gone.json");
    repository.write("registries/fresh one.json", FRESH);
    repository.commit();
    repository.merge();
    let run = repository.run();
    assert_eq!(
        statuses(&run),
        [(INSTALL, 0), ("Checks", 0), ("Impact", 1), ("Comment", 0)],
        "{run:?}"
    );
    assert!(run[2].2.contains("over the limit of 10 %"), "{run:?}");
    let checks = fs::read_to_string(repository.path("work/checks.xml")).expect("a report");
    assert!(roxmltree::Document::parse(&checks).is_ok(), "{checks}");
    let comment = repository.comment(7).expect("a comment");
    for part in [
        "<!-- promptdeck impact -->\n**Promptdeck: prompts change in 1 of 3 registries, 1 new, 1 deleted, 1 renamed**",
        "<code>sub folder&#47;it&#39;s an \u{e4} deck &#36;HOME.json</code> | 100.0 % |",
        "<code>before.json</code> → <code>new&#47;after.json</code> | none |",
        "<code>gone.json</code> | deleted |",
        "<code>fresh one.json</code> | new |",
    ] {
        assert!(comment.contains(part), "no {part} in {comment}");
    }
    for other in ["plain", "schema", "checks"] {
        assert!(!comment.contains(other), "{other} in {comment}");
    }

    // The next push replaces the comment, also when nothing is left to say.
    repository.git(&["checkout", "--quiet", "change"]);
    repository.git(&["checkout", "--quiet", "HEAD~1", "--", "registries"]);
    repository.remove("registries/new/after.json");
    repository.remove("registries/fresh one.json");
    repository.commit();
    repository.merge();
    let run = repository.run();
    assert_eq!(
        statuses(&run),
        [(INSTALL, 0), ("Checks", 0), ("Impact", 1), ("Comment", 0)],
        "the merge restores what the one before took away: {run:?}"
    );
    assert_ne!(repository.comment(7).as_deref(), Some(comment.as_str()));
    assert_eq!(repository.comment(3).as_deref(), Some("Looks good.\n"));
    let calls = fs::read_to_string(repository.path("gh/calls")).expect("calls");
    assert_eq!(calls.matches("--method POST").count(), 1, "{calls}");
    assert_eq!(calls.matches("--method PATCH").count(), 1, "{calls}");
}

#[test]
fn a_registry_that_cannot_be_read_ends_the_steps_with_2() {
    let repository = repository();
    repository.write(ODD, "{\"broken\": ");
    repository.commit();
    repository.merge();
    let run = repository.run();
    assert_eq!(
        statuses(&run),
        [(INSTALL, 0), ("Checks", 2), ("Impact", 2), ("Comment", 0)],
        "{run:?}"
    );
    let comment = repository.comment(7).expect("a comment");
    assert!(comment.contains("1 unreadable"), "{comment}");
}

#[test]
fn a_change_beside_the_registries_is_not_commented() {
    let repository = repository();
    repository.write("README.md", "Decks.\n");
    repository.commit();
    repository.merge();
    let run = repository.run();
    assert!(run.iter().all(|(_, status, _)| *status == 0), "{run:?}");
    assert_eq!(repository.comment(7), None);
}
