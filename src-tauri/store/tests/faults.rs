//! Faults that the store and its files must survive: kill -9, full disks, missing permissions. Each
//! test prints its number of cases. Further store tests are in `tests/tests/reliability/store`.
//!
//! A case runs in a separate process: this test program, which an environment variable turns into
//! the child.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use promptdeck_store::drafts::DraftCheckpoint;
use promptdeck_store::snapshots::{NewSnapshot, Query};
use promptdeck_store::{Hash, Store, files};

const ROLE: &str = "PROMPTDECK_TEST_ROLE";
const FOLDER: &str = "PROMPTDECK_TEST_FOLDER";

/// A small generator: the same cases on every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.roll() % bound
    }
}

fn content(number: u64) -> Vec<u8> {
    let line = format!("{{\"number\": {number}}}\n");
    line.repeat(1 + usize::try_from(number % 700).unwrap())
        .into_bytes()
}

fn new(name: &str, content: &[u8], act: impl FnOnce(&NewSnapshot<'_>)) {
    act(&NewSnapshot {
        name,
        note: "",
        file: "/registries/a.json",
        content,
        state: "{}",
        route: None,
        seed: 7,
        target: None,
        glance: "defaults",
        taken_at: 1_700_000_000_000,
        automatic: false,
    });
}

fn take(store: &Store, number: u64) -> i64 {
    let mut id = 0;
    new(&number.to_string(), &content(number), |snapshot| {
        id = store.take_snapshot(snapshot).expect("taken").id;
    });
    id
}

/// The child's work. Runs as a test, and does nothing unless the variable is set.
#[test]
fn child() {
    let (Ok(role), Some(folder)) = (env::var(ROLE), env::var_os(FOLDER)) else {
        return;
    };
    let folder = Path::new(&folder);
    let path = folder.join("store.sqlite");
    match role.as_str() {
        "open" => {
            println!("\nack 0 -");
            Store::open(&path).expect("opened");
        }
        "refused" => refused(folder),
        other => panic!("no role {other}"),
    }
}

/// Every write meets a full disk or missing permissions and must end in a clear error.
fn refused(folder: &Path) {
    let big = vec![b'x'; 4 << 20];
    let replaced = files::replace(&folder.join("a.json"), &big, files::Expected::Anything);
    println!("\nerror replace {}", replaced.expect_err("refused").code());
    let created = files::create(&folder.join("new.json"), &big);
    println!("\nerror create {}", created.expect_err("refused").code());
    match Store::open(&folder.join("store.sqlite")) {
        Err(fault) => println!("\nerror open {}", fault.code()),
        Ok(opened) => new("big", &big, |snapshot| {
            let fault = opened.store.take_snapshot(snapshot).expect_err("refused");
            println!("\nerror snapshot {}", fault.code());
            let checkpoint = DraftCheckpoint {
                owner: 1,
                replaces: None,
                base: Hash::of(b""),
                tree: &big,
                modified: true,
                saved_at: 1,
            };
            let written = opened.store.checkpoint_draft("/a.json", &checkpoint);
            let fault = written.expect_err("refused");
            println!("\nerror draft {}", fault.code());
        }),
    }
}

fn spawn(role: &str, folder: &Path) -> Child {
    Command::new(env::current_exe().expect("this program"))
        .args(["child", "--exact", "--nocapture", "--test-threads=1"])
        .env(ROLE, role)
        .env(FOLDER, folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("a child")
}

/// Kills the child some time after its first acknowledgement; returns all acknowledgements.
fn killed_after(mut child: Child, time: Duration) -> Vec<(String, String)> {
    let mut output = BufReader::new(child.stdout.take().expect("its output"));
    let mut acknowledged = Vec::new();
    let mut deadline = None;
    let mut line = String::new();
    while output.read_line(&mut line).expect("its lines") > 0 {
        if let Some(rest) = line.strip_prefix("ack ") {
            let (id, hash) = rest.trim().split_once(' ').expect("two words");
            acknowledged.push((id.to_owned(), hash.to_owned()));
            let deadline = *deadline.get_or_insert_with(|| Instant::now() + time);
            if Instant::now() >= deadline {
                let _ = child.kill();
            }
        }
        line.clear();
    }
    child.wait().expect("its end");
    acknowledged
}

#[test]
fn a_store_whose_making_was_killed_opens() {
    let (mut dice, kills) = (Dice(0xdead_beef), 60);
    for _ in 0..kills {
        let folder = tempfile::tempdir().expect("a folder");
        killed_after(spawn("open", folder.path()), Duration::ZERO);
        std::thread::sleep(Duration::from_micros(dice.below(300)));
        let opened = Store::open(&folder.path().join("store.sqlite")).expect("opened");
        assert_eq!(opened.salvage, None);
        take(&opened.store, 1);
    }
    println!("{kills} kills while the schema was made, every store opened");
}

/// Runs the "refused" role and returns the codes by step.
fn codes(command: &mut Command, folder: &Path) -> BTreeMap<String, String> {
    let output = command
        .env(ROLE, "refused")
        .env(FOLDER, folder)
        .output()
        .expect("a child");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| line.strip_prefix("error ")?.split_once(' '))
        .map(|(step, code)| (step.to_owned(), code.to_owned()))
        .collect()
}

fn prepared() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("a.json"), b"old").expect("written");
    let store = Store::open(&folder.path().join("store.sqlite"))
        .expect("opened")
        .store;
    take(&store, 3);
    folder
}

fn still_there(folder: &Path) {
    assert_eq!(fs::read(folder.join("a.json")).expect("readable"), b"old");
    assert!(!folder.join("new.json").exists());
    let store = Store::open(&folder.join("store.sqlite"))
        .expect("opened")
        .store;
    let page = store
        .snapshots(&Query {
            limit: 10,
            ..Query::default()
        })
        .expect("listed");
    assert_eq!((page.total, page.damaged), (1, 0));
    let left_over = fs::read_dir(folder)
        .expect("listed")
        .flatten()
        .filter(|file| file.file_name().to_string_lossy().ends_with(".part"));
    assert_eq!(left_over.count(), 0, "no temporary file stays");
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_reported_and_loses_nothing() {
    let folder = prepared();
    let program = env::current_exe().expect("this program");
    let mut limited = Command::new("sh");
    // 1 MiB per file and no signal: writes fail as on a full disk.
    limited
        .arg("-c")
        .arg("ulimit -f 1024; trap '' XFSZ; exec \"$0\" child --exact --nocapture");
    let codes = codes(limited.arg(program), folder.path());
    for step in ["replace", "create"] {
        assert_eq!(codes[step], "disk_full", "{step}");
    }
    for step in ["snapshot", "draft"] {
        assert!(
            ["disk_full", "store_sqlite"].contains(&codes[step].as_str()),
            "{codes:?}"
        );
    }
    still_there(folder.path());
    println!("{} writes met a full disk", codes.len());
}

#[cfg(unix)]
#[test]
fn missing_permissions_are_reported_and_lose_nothing() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    let folder = prepared();
    let set = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("set");
    };
    // World-readable and not writable; root switches to `nobody` first.
    for file in fs::read_dir(folder.path()).expect("listed").flatten() {
        set(&file.path(), 0o444);
    }
    set(folder.path(), 0o555);
    let program = tempfile::tempdir().expect("a folder");
    set(program.path(), 0o755);
    let copy = program.path().join("faults");
    // `cp` copies it: a file that this process writes itself may still be open in a program that
    // another test has just forked, and the system refuses to start it ("text file busy").
    let test_binary = env::current_exe().expect("this program");
    let copied = Command::new("cp").args([&test_binary, &copy]).status();
    assert!(copied.expect("it starts").success());
    let mut command = Command::new(copy);
    command
        .args(["child", "--exact", "--nocapture"])
        .current_dir("/");
    let root = fs::metadata("/proc/self")
        .is_ok_and(|process| std::os::unix::fs::MetadataExt::uid(&process) == 0);
    if root {
        command.uid(65534).gid(65534);
    }
    let codes = codes(&mut command, folder.path());
    set(folder.path(), 0o755);
    for file in fs::read_dir(folder.path()).expect("listed").flatten() {
        set(&file.path(), 0o644);
    }
    assert_eq!(codes.len(), 3, "{codes:?}");
    for (step, code) in &codes {
        assert_eq!(code, "permission_denied", "{step}");
    }
    still_there(folder.path());
    println!("{} writes met missing rights", codes.len());
}
