//! The store under faults. Each test prints its number of cases.
//!
//! A case that needs a separate process runs this test program, which an environment variable
//! turns into the child.

mod crash_tests;
mod damage_in_use;
mod damage_per_area;
mod flips;
mod full;
mod interrupted;
mod migrations;
mod misidentified_stores;
mod refused;
mod together;
mod waiting;

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use promptdeck_store::drafts::DraftCheckpoint;
use promptdeck_store::snapshots::{NewSnapshot, Query, Summary};
use promptdeck_store::{Hash, SalvageKind, Store, StoreError};

const ROLE: &str = "PROMPTDECK_TEST_ROLE";
const FOLDER: &str = "PROMPTDECK_TEST_FOLDER";

/// A small generator: the same cases on every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % bound as u64).expect("below a size")
    }
}

/// Snapshots by number, with their contents.
type Truth = BTreeMap<i64, (Summary, Vec<u8>)>;

fn content(number: u64) -> Vec<u8> {
    let line = format!("{{\"number\": {number}}}\n");
    let times = 1 + usize::try_from(number % 700).expect("small");
    line.repeat(times).into_bytes()
}

/// Takes a snapshot whose name and content are derived from a number.
fn take(store: &Store, number: u64) -> Summary {
    try_take(store, number).expect("taken")
}

fn try_take(store: &Store, number: u64) -> Result<Summary, StoreError> {
    let content = content(number);
    let new = NewSnapshot {
        name: &number.to_string(),
        note: "",
        file: "/registries/a.json",
        content: &content,
        state: "{}",
        route: None,
        seed: 7,
        target: None,
        glance: "defaults",
        taken_at: 1_700_000_000_000,
        automatic: false,
    };
    store.take_snapshot(&new)
}

fn path_in(folder: &Path) -> PathBuf {
    folder.join("store.sqlite")
}

/// Writes a draft in place of the one that is there.
fn checkpoint(store: &Store, tree: &[u8], saved_at: i64) -> Result<bool, StoreError> {
    let checkpoint = DraftCheckpoint {
        owner: 1,
        replaces: store.draft_version("/a.json")?,
        base: Hash::of(b"base"),
        tree,
        modified: true,
        saved_at,
    };
    store.checkpoint_draft("/a.json", &checkpoint)
}

/// Fills a store with snapshots, one of them deleted, and a draft with edits.
fn fill(store: &Store, snapshots: u64) -> Truth {
    let mut truth = Truth::new();
    for number in 0..snapshots {
        let summary = take(store, number * 31);
        truth.insert(summary.id, (summary, content(number * 31)));
    }
    assert!(checkpoint(store, b"{\"tree\": 1}", 5).expect("kept"));
    let appended = store.append_draft("/a.json", 1, b"[]", true, 6);
    assert!(appended.expect("kept"));
    store.set_setting("window", "{}").expect("kept");
    truth
}

/// Every snapshot that can be read completely, by the list.
fn listed(store: &Store) -> Truth {
    let mut all = Truth::new();
    let mut query = Query {
        limit: 200,
        ..Query::default()
    };
    loop {
        let page = store.snapshots(&query).expect("listed");
        for summary in page.snapshots {
            if let Ok(content) = store.content(&summary.content) {
                all.insert(summary.id, (summary, content));
            }
        }
        query.offset += query.limit;
        if u64::from(query.offset) >= page.total {
            return all;
        }
    }
}

/// Names and contents of all files in a folder. The index of the log contains only locks.
fn files_of(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    fs::read_dir(folder)
        .expect("listed")
        .flatten()
        .map(|file| {
            let name = file.file_name().to_string_lossy().into_owned();
            (name, fs::read(file.path()).expect("read"))
        })
        .filter(|(name, _)| !name.ends_with("-shm"))
        .collect()
}

fn write_files(folder: &Path, files: &BTreeMap<String, Vec<u8>>) {
    for (name, bytes) in files {
        fs::write(folder.join(name), bytes).expect("written");
    }
}

/// Result of reading and repairing a damaged store.
struct Repaired {
    /// Number of snapshots lost.
    missing: usize,
    /// Whether the damage was reported.
    reported: bool,
}

/// Reads a damaged store, which must not change it, and then repairs it. Every listed snapshot must
/// be as written, and every missing one reported.
fn repair(folder: &Path, truth: &Truth, case: &str) -> Repaired {
    let path = path_in(folder);
    let before = files_of(folder);
    let read = Store::open_to_read(&path).unwrap_or_else(|fault| panic!("{case}: {fault}"));
    for (id, found) in listed(&read.store) {
        assert_eq!(
            truth.get(&id),
            Some(&found),
            "{case}: read as it was written"
        );
    }
    let _ = read.store.problems();
    drop(read);
    assert!(files_of(folder) == before, "{case}: reading changed a file");
    let mut opened = Store::open(&path).unwrap_or_else(|fault| panic!("{case}: {fault}"));
    if opened.salvage.is_none() && !opened.store.is_sound().expect("checked") {
        opened = Store::open_damaged(&path).unwrap_or_else(|fault| panic!("{case}: {fault}"));
        assert!(opened.salvage.is_some(), "{case}");
    }
    let found = listed(&opened.store);
    for (id, snapshot) in &found {
        assert_eq!(truth.get(id), Some(snapshot), "{case}: as it was written");
    }
    let missing = truth.keys().filter(|id| !found.contains_key(id)).count();
    let problems = opened.store.problems().expect("checked");
    assert_eq!(problems, [""; 0], "{case}: repaired");
    if let Some(salvage) = &opened.salvage {
        assert_eq!(
            salvage.complete,
            salvage.lost.is_empty() && salvage.complete
        );
        assert!(
            missing == 0 || !salvage.complete,
            "{case}: {missing} missing, but reported: {salvage}"
        );
        assert!(
            missing == 0
                || ["lost", "not known", "are missing"]
                    .iter()
                    .any(|word| salvage.to_string().contains(word)),
            "{salvage}"
        );
        if salvage.kind == SalvageKind::Damaged {
            let damaged_copy = salvage.damaged_copy.as_ref().expect("kept");
            let copied = fs::read(damaged_copy).expect("kept");
            assert!(
                before.values().any(|bytes| *bytes == copied),
                "{case}: as it was"
            );
        }
    } else {
        assert_eq!(missing, 0, "{case}: silently lost");
    }
    Repaired {
        missing,
        reported: opened.salvage.is_some(),
    }
}

/// The child's work. Runs as a test, and does nothing unless the variable is set.
#[test]
fn child() {
    let (Ok(role), Some(folder)) = (env::var(ROLE), env::var_os(FOLDER)) else {
        return;
    };
    let folder = Path::new(&folder);
    let from = u64::from(std::process::id()) << 24;
    match role.as_str() {
        "snapshots" => crash_tests::save_until_killed(folder, from),
        "studio" => crash_tests::write_as_studio(folder, from),
        "commands" => crash_tests::write_as_commands(folder, from),
        "open" => {
            println!("\nack opening");
            let opened = Store::open(&path_in(folder)).expect("opened");
            println!("\nack {}", opened.salvage.is_some());
        }
        "holder" => together::hold(folder, from),
        "waiter" => waiting::wait(folder),
        "migration" => migrations::migrate_and_die(folder),
        "full" => full::meet_a_limit(folder),
        other => panic!("no role {other}"),
    }
}

/// The command that runs this program as a child.
fn child_command(role: &str, folder: &Path) -> Command {
    let mut command = Command::new(env::current_exe().expect("this program"));
    command
        .args(["--exact", "store::child", "--nocapture", "--test-threads=1"])
        .env(ROLE, role)
        .env(FOLDER, folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit());
    command
}

/// A child and its acknowledgements.
struct Running {
    child: Child,
    output: BufReader<ChildStdout>,
}

impl Running {
    fn new(role: &str, folder: &Path) -> Self {
        let mut child = child_command(role, folder).spawn().expect("a child");
        let output = BufReader::new(child.stdout.take().expect("its output"));
        Self { child, output }
    }

    /// The next acknowledgement; `None` at the end.
    fn ack(&mut self) -> Option<String> {
        let mut line = String::new();
        while self.output.read_line(&mut line).expect("its lines") > 0 {
            if let Some(rest) = line.strip_prefix("ack ")
                && rest.ends_with('\n')
            {
                return Some(rest.trim().to_owned());
            }
            line.clear();
        }
        None
    }

    /// Lets a waiting child continue.
    fn go_on(&mut self) {
        let input = self.child.stdin.as_mut().expect("its input");
        input.write_all(b"\n").expect("written");
    }

    fn kill(&mut self) {
        let _ = self.child.kill();
    }

    fn end(mut self) {
        self.child.wait().expect("its end");
    }
}
