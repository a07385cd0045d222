//! Every write of a file meets a full disk, a limit, or a folder or file without permissions.
//!
//! Each situation runs in its own process: root drops its privileges first, since it is never
//! denied anything, and a small disk is mounted where no other process sees it.

use std::env;
use std::fs::{self, Permissions};
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use promptdeck_service::wire::{Failure, NewRegistry};
use promptdeck_service::{ServiceError, Studio};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::home::{DECK, Home, asked, registry, text, typed};
use super::{CHILD, FOLDER, ROLE, promptdeck};

const SITUATION: &str = "PROMPTDECK_TEST_SITUATION";
const PROGRAM: &str = "PROMPTDECK_TEST_PROGRAM";
/// The user id of `nobody`.
const NOBODY: u32 = 65534;

/// The obstacle to writing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Situation {
    FullDisk,
    SizeLimit,
    ReadOnlyFolder,
    ReadOnlyFile,
}

use Situation::{FullDisk, ReadOnlyFile, ReadOnlyFolder, SizeLimit};

impl Situation {
    const ALL: [Self; 4] = [FullDisk, SizeLimit, ReadOnlyFolder, ReadOnlyFile];

    fn name(self) -> &'static str {
        match self {
            FullDisk => "full disk",
            SizeLimit => "file size limit",
            ReadOnlyFolder => "read-only folder",
            ReadOnlyFile => "read-only files",
        }
    }

    /// Creates or removes the obstacle.
    fn arrange(self, home: &Home, present: bool) {
        let mode = |path: &Path, mode| {
            fs::set_permissions(path, Permissions::from_mode(mode)).expect("set");
        };
        match self {
            FullDisk => {
                let filler = home.path("filler");
                if !present {
                    return fs::remove_file(filler).expect("removed");
                }
                let mut file = fs::File::create(filler).expect("made");
                while file.write_all(&[b'x'; 512]).is_ok() {}
            }
            SizeLimit => {
                let maximum = getrlimit(Resource::Fsize).maximum;
                let current = if present { Some(100) } else { maximum };
                setrlimit(Resource::Fsize, Rlimit { current, maximum }).expect("set");
            }
            ReadOnlyFolder => {
                for folder in [home.registries(), home.path("calls")] {
                    mode(&folder, if present { 0o555 } else { 0o755 });
                }
            }
            ReadOnlyFile => {
                for file in [DECK, "calls/deck.json", "model.json"] {
                    mode(&home.path(file), if present { 0o444 } else { 0o644 });
                }
            }
        }
    }

    /// Whether a message describes the situation in one line.
    fn check(self, what: &str, file: &str, message: &str) {
        let words: &[&str] = match self {
            FullDisk => &["is full", "bytes are needed", "are missing", "registries"],
            SizeLimit => &["ulimit -f", "bytes"],
            ReadOnlyFolder => &["is not writable"],
            ReadOnlyFile => &["the file is not writable; allow writing to it"],
        };
        for word in words.iter().chain([&file]) {
            assert!(message.contains(word), "{what}: no {word:?} in {message:?}");
        }
        assert!(!message.contains(".part"), "{what}: {message:?}");
        assert_eq!(message.trim_end().lines().count(), 1, "{what}: {message:?}");
    }

    fn code(self) -> &'static str {
        match self {
            FullDisk | SizeLimit => "disk_full",
            ReadOnlyFolder | ReadOnlyFile => "permission_denied",
        }
    }
}

/// Runs the command line on this home; returns its error message.
fn refused_verb(home: &Home, args: &[&str]) -> String {
    let output = Command::new(env::var_os(PROGRAM).expect("named"))
        .args(args)
        .current_dir(home.registries())
        .env("PROMPTDECK_STORE", home.store())
        .output()
        .expect("it runs");
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
    // A note on what the store preserved is not part of the error.
    let error = message.lines().find(|line| line.starts_with("error: "));
    error
        .unwrap_or_else(|| panic!("{args:?}: {message}"))
        .to_owned()
}

/// The child: tries every write and prints the number of errors.
pub fn try_everything(folder: &Path) {
    let name = env::var(SITUATION).expect("named");
    let mut all = Situation::ALL.into_iter();
    let situation = all.find(|each| each.name() == name).expect("known");
    let home = Home::at(folder);
    home.furnish();
    let studio = home.studio();
    let call = studio.new_call(DECK, None).expect("made");
    assert_eq!(call, "calls/deck.json");
    fs::write(home.path("model.json"), "old model").expect("written");
    studio.open_document(DECK).expect("opened");
    studio.open_call(&call).expect("opened");
    studio.take_snapshot(DECK, Some("first")).expect("taken");
    studio.apply(DECK, &typed(0, "Kept. ")).expect("applied");
    studio
        .apply_call(&call, &asked(0, "Kept too."))
        .expect("applied");
    studio.flush();
    let files = [DECK, "calls/deck.json", "model.json"];
    let contents = files.map(|file| fs::read(home.path(file)).expect("read"));

    situation.arrange(&home, true);
    let mut refused = try_services(situation, &home, &studio, &call);
    let mut verbs: Vec<(&[&str], &str)> = vec![
        (&["fmt", DECK], DECK),
        (&["export", DECK, "-o", "model.json"], "model.json"),
    ];
    if situation != SizeLimit {
        // The store reaches that limit first.
        verbs.push((
            &["snapshot", "export", "first", "-o", "model.json"],
            "model.json",
        ));
        verbs.push((&["snapshot", "restore", "first"], DECK));
        verbs.push((&["snapshot", "restore", "first", "-o", DECK], DECK));
    }
    for (args, file) in verbs {
        situation.check(&args.join(" "), file, &refused_verb(&home, args));
        refused += 1;
    }
    situation.arrange(&home, false);

    for (file, content) in files.iter().zip(contents) {
        assert_eq!(
            fs::read(home.path(file)).expect("readable"),
            content,
            "{file}"
        );
    }
    let left_over = |folder: PathBuf| {
        let files = fs::read_dir(folder).expect("listed").flatten();
        files
            .filter(|file| {
                file.path()
                    .extension()
                    .is_some_and(|ending| ending == "part")
            })
            .count()
    };
    assert_eq!(
        left_over(home.registries()) + left_over(home.path("calls")),
        0
    );
    // In memory, and in the draft after a restart.
    still_there(&studio, &call);
    drop(studio);
    let studio = home.studio();
    still_there(&studio, &call);
    assert!(
        studio.save(DECK).expect("saved").written,
        "as soon as it can be"
    );
    println!("\nrefused {refused}");
}

fn still_there(studio: &Studio, call: &str) {
    let open = studio.open_document(DECK).expect("open");
    assert!(open.status.modified && open.conflict.is_none());
    assert!(open.tree.to_string().contains("Kept. Go."));
    let open = studio.open_call(call).expect("open");
    assert!(open.status.modified && open.conflict.is_none());
    assert!(open.tree.to_string().contains("Kept too."));
}

/// Every write that a window requests; returns their number.
fn try_services(situation: Situation, home: &Home, studio: &Studio, call: &str) -> usize {
    let mut refused = 0;
    let mut check = |what: &str, file: &str, result: Result<(), ServiceError>| {
        let failure = Failure::from(result.expect_err(what));
        assert_eq!(
            failure.code,
            situation.code(),
            "{what}: {}",
            failure.message
        );
        situation.check(what, file, &failure.message);
        refused += 1;
    };
    check("save", DECK, studio.save(DECK).map(drop));
    check("save of a call", call, studio.save_call(call).map(drop));
    let model = home.path("model.json");
    check(
        "export",
        "model.json",
        studio.export_to(DECK, &model).map(drop),
    );
    if situation != ReadOnlyFile {
        let new = studio.new_registry(&NewRegistry::Blank, "", "news");
        check("new", "news.json", new.map(drop));
        let copy = studio.duplicate_registry(DECK).map(drop);
        check("duplicate", "deck_copy.json", copy);
        let source = studio.read_source("old.json", text(&registry()).into_bytes());
        let number = source.expect("a registry").number;
        let import = studio.new_registry(&NewRegistry::Source { number }, "", "old.json");
        check("import", "old.json", import.map(drop));
        check(
            "new call",
            "deck.json",
            studio.new_call(DECK, None).map(drop),
        );
    }
    refused
}

/// Copies a program to a path that everybody may read.
fn copied(program: &Path, folder: &Path) -> PathBuf {
    let copy = folder.join(program.file_name().expect("a name"));
    // `cp` copies it: a file that this process writes itself may still be open in a program that
    // another test has just forked, and the system refuses to start it ("text file busy").
    let copied = Command::new("cp").args([program, &copy]).status();
    assert!(copied.expect("it starts").success());
    copy
}

#[test]
fn a_refused_write_is_a_clear_error_and_loses_nothing() {
    let open = |folder: &tempfile::TempDir| {
        fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).expect("set");
    };
    let programs = tempfile::tempdir().expect("a folder");
    open(&programs);
    let test_binary = copied(&env::current_exe().expect("this program"), programs.path());
    let verbs = copied(promptdeck(), programs.path());
    let root = fs::metadata("/proc/self").is_ok_and(|found| found.uid() == 0);
    let mut in_all = 0;
    for situation in Situation::ALL {
        let folder = tempfile::tempdir().expect("a folder");
        open(&folder);
        let home = Home::at(folder.path());
        fs::create_dir(home.registries()).expect("made");
        let mut command = match situation {
            FullDisk => {
                let mut command = Command::new("unshare");
                let script = "mount -t tmpfs -o size=256k tmpfs \"$0\" && exec \"$@\"";
                command.arg(if root { "-m" } else { "-rm" });
                command.args(["sh", "-c", script]).arg(home.registries());
                command
            }
            _ => {
                let mut command = Command::new("sh");
                // No signal: the write itself fails.
                command.args(["-c", "trap '' XFSZ; exec \"$@\"", "sh"]);
                if root {
                    for path in [folder.path(), &home.registries()] {
                        chown(path, Some(NOBODY), Some(NOBODY)).expect("given");
                    }
                    command.uid(NOBODY).gid(NOBODY);
                }
                command
            }
        };
        let output = command
            .arg(&test_binary)
            .args(CHILD)
            .env(ROLE, "refused")
            .env(FOLDER, folder.path())
            .env(SITUATION, situation.name())
            .env(PROGRAM, &verbs)
            .env("NO_COLOR", "1")
            .current_dir("/")
            .output()
            .expect("a child");
        let (out, err) = (
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr),
        );
        if situation == FullDisk && err.contains("unshare") && out.is_empty() {
            println!(
                "full disk: not tried, no disk may be mounted here: {}",
                err.trim()
            );
            continue;
        }
        assert!(output.status.success(), "{}: {out}{err}", situation.name());
        let refused = out.lines().find_map(|line| line.strip_prefix("refused "));
        let refused: usize = refused.expect("counted").parse().expect("a number");
        println!("{}: {refused} writes refused", situation.name());
        in_all += refused;
    }
    println!("{in_all} writes refused, each with a clear error, nothing lost");
}
