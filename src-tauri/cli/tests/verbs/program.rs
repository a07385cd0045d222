//! Starts the program under test in a temporary folder and records its output. Contains no
//! expectations.

use std::{
    fs,
    io::Write,
    path::PathBuf,
    process::{Command, Stdio},
};

use tempfile::TempDir;

/// A small registry: a greeting, some moods, a list.
pub const REGISTRY: &str = r#"{
  "registry": {
    "version": 22,
    "assembly_order": [
      "greeting",
      "moods",
      "lists.items"
    ],
    "greeting": {
      "required": true,
      "template_vars": [
        "name"
      ],
      "items": [
        {
          "id": "hello",
          "text": "Hello {name}."
        },
        {
          "id": "bye",
          "text": "Goodbye {name}."
        }
      ],
      "template_var_defaults": {
        "name": "you"
      }
    },
    "moods": {
      "required": false,
      "template_vars": [],
      "items": [
        {
          "id": "calm",
          "text": "Be calm."
        },
        {
          "id": "brief",
          "text": "Be brief."
        }
      ]
    },
    "lists": {
      "required": true,
      "template_vars": [],
      "items": [
        {
          "id": "colours",
          "items": [
            "red",
            "green",
            "blue"
          ]
        }
      ]
    },
    "routes": {
      "short": {
        "assembly_order": [
          "greeting"
        ]
      }
    }
  }
}
"#;

/// A temporary folder with a registry, in which the program runs.
pub struct Folder(TempDir);

/// Result of a run.
#[derive(Debug)]
pub struct Run {
    pub out: String,
    pub err: String,
    pub status: i32,
}

impl Folder {
    /// A folder with `registry.json`.
    pub fn new() -> Self {
        let folder = Self(TempDir::new().expect("a temporary folder"));
        folder.write("registry.json", REGISTRY);
        folder
    }

    /// Path of a file in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).expect("the folder is writable");
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("the file is there")
    }

    /// A command that runs the program in the folder with these arguments.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_promptdeck"));
        command
            .args(args)
            .current_dir(self.0.path())
            .env("PROMPTDECK_STORE", self.path("store.sqlite"))
            .env_remove("NO_COLOR")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Runs the program with empty standard input.
    pub fn run(&self, args: &[&str]) -> Run {
        self.run_with(args, "")
    }

    /// Runs the program with empty standard input and little memory, in which it cannot build a
    /// document that it should reject first.
    pub fn run_in_little_memory(&self, args: &[&str]) -> Run {
        const KILOBYTES: u32 = 700_000;
        let program = self.command(args);
        let mut command = Command::new("sh");
        command
            .arg("-c")
            .arg(format!("ulimit -v {KILOBYTES} && exec \"$0\" \"$@\""))
            .arg(program.get_program())
            .args(program.get_args())
            .current_dir(self.0.path())
            .env("PROMPTDECK_STORE", self.path("store.sqlite"))
            .env_remove("NO_COLOR")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        finish(command, "")
    }

    /// Runs the program with a text on standard input.
    pub fn run_with(&self, args: &[&str], input: &str) -> Run {
        finish(self.command(args), input)
    }
}

/// Runs a command with a text on standard input.
fn finish(mut command: Command, input: &str) -> Run {
    let mut child = command.spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("it was piped");
    let input = input.to_owned();
    let writer = std::thread::spawn(move || {
        // A program that rejects its arguments does not read its input.
        let _ = stdin.write_all(input.as_bytes());
    });
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("writing does not panic");
    Run {
        out: String::from_utf8(output.stdout).expect("output is UTF-8"),
        err: String::from_utf8(output.stderr).expect("messages are UTF-8"),
        status: output.status.code().expect("no signal ended it"),
    }
}

impl Run {
    /// Expects exit status 0, this standard output and an empty standard error.
    #[track_caller]
    pub fn gives(&self, out: &str) {
        assert_eq!(
            (self.out.as_str(), self.err.as_str(), self.status),
            (out, "", 0)
        );
    }

    /// Expects this exit status, an empty standard output, and all these words in one line of
    /// standard error.
    #[track_caller]
    pub fn refuses(&self, status: i32, words: &[&str]) {
        assert_eq!(
            (self.out.as_str(), self.status),
            ("", status),
            "{}",
            self.err
        );
        for word in words {
            assert!(self.err.contains(word), "no {word:?} in {:?}", self.err);
        }
        assert!(!self.err.contains("panicked"), "{}", self.err);
    }
}
