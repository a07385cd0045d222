//! What the store and its files survive: kill -9, full disks, missing rights, flipped bits,
//! eight writers. Each test prints how many cases it ran.
//!
//! A case runs in a process of its own: this very test program, asked by an environment variable
//! to be the child.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use promptdeck_store::snapshots::{NewSnapshot, Query, Summary};
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

/// What the child does. Runs as a test of its own, and does nothing unless it was asked.
#[test]
fn child() {
    let (Ok(role), Some(folder)) = (env::var(ROLE), env::var_os(FOLDER)) else {
        return;
    };
    let folder = Path::new(&folder);
    let path = folder.join("store.sqlite");
    let from = u64::from(std::process::id()) << 24;
    match role.as_str() {
        "snapshots" => {
            let store = Store::open(&path).expect("opened").store;
            for number in from.. {
                let id = take(&store, number);
                println!("\nack {id} {}", Hash::of(&content(number)));
            }
        }
        "open" => {
            println!("\nack 0 -");
            Store::open(&path).expect("opened");
        }
        "writer" => {
            let store = Store::open(&path).expect("opened").store;
            for number in from..from + 25 {
                let id = take(&store, number);
                store
                    .describe_snapshot(id, "named", "noted")
                    .expect("described");
                store
                    .checkpoint_draft("/a.json", 1, &Hash::of(b""), &content(number), true, 1)
                    .expect("kept");
                println!("\nack {id} {}", Hash::of(&content(number)));
            }
        }
        "refused" => refused(folder),
        other => panic!("no role {other}"),
    }
}

/// Every write meets a full disk or missing rights; each has to end in a clear error.
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
            let fault = opened
                .store
                .checkpoint_draft("/a.json", 1, &Hash::of(b""), &big, true, 1)
                .expect_err("refused");
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

/// Kills the child some time after its first acknowledgement; gives all it acknowledged.
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
fn no_acknowledged_snapshot_is_lost_to_kill_9() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut dice, mut all) = (Dice(0x9e37_79b9), BTreeMap::new());
    let kills = 200;
    for _ in 0..kills {
        let time = Duration::from_micros(dice.below(20_000));
        all.extend(killed_after(spawn("snapshots", folder.path()), time));
        let store = Store::open(&folder.path().join("store.sqlite")).expect("opened");
        assert_eq!(store.salvage, None);
        let Some((id, hash)) = all.last_key_value() else {
            continue;
        };
        let summary = store
            .store
            .snapshot(id.parse().expect("a number"))
            .expect("there");
        assert_eq!(summary.content.to_string(), *hash);
    }
    let store = Store::open(&folder.path().join("store.sqlite"))
        .expect("opened")
        .store;
    assert!(store.is_sound().expect("checked"));
    for (id, hash) in &all {
        let summary = store
            .snapshot(id.parse().expect("a number"))
            .expect("there");
        assert_eq!(summary.content.to_string(), *hash);
        let bytes = store.content(&summary.content).expect("whole");
        assert_eq!(bytes, content(summary.name.parse().expect("a number")));
    }
    assert!(all.len() >= kills);
    println!(
        "{kills} kills, {} acknowledged snapshots, none lost, none half there",
        all.len()
    );
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

#[test]
fn eight_writers_lose_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let writers: Vec<_> = (0..8).map(|_| spawn("writer", folder.path())).collect();
    let mut all = BTreeMap::new();
    for writer in writers {
        all.extend(killed_after(writer, Duration::from_mins(10)));
    }
    assert_eq!(all.len(), 8 * 25, "every write was acknowledged");
    let store = Store::open(&folder.path().join("store.sqlite"))
        .expect("opened")
        .store;
    for (id, hash) in &all {
        let summary = store
            .snapshot(id.parse().expect("a number"))
            .expect("there");
        assert_eq!(
            (summary.name.as_str(), summary.content.to_string()),
            ("named", hash.clone())
        );
    }
    assert!(store.draft("/a.json").expect("whole").is_some());
    println!(
        "8 writers, {} snapshots, no busy error, nothing lost",
        all.len()
    );
}

/// Runs the "refused" role and gives the codes by step.
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
fn a_full_disk_is_told_and_harms_nothing() {
    let folder = prepared();
    let program = env::current_exe().expect("this program");
    let mut limited = Command::new("sh");
    // 1 MiB per file, and no signal: writes fail as on a full disk.
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
fn missing_rights_are_told_and_harm_nothing() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    let folder = prepared();
    let set = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("set");
    };
    // Readable by anybody, writable by nobody; root is let down to nobody first.
    for file in fs::read_dir(folder.path()).expect("listed").flatten() {
        set(&file.path(), 0o444);
    }
    set(folder.path(), 0o555);
    let program = tempfile::tempdir().expect("a folder");
    set(program.path(), 0o755);
    let copy = program.path().join("faults");
    fs::copy(env::current_exe().expect("this program"), &copy).expect("copied");
    let mut command = Command::new(copy);
    command
        .args(["child", "--exact", "--nocapture"])
        .current_dir("/");
    let root =
        fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0);
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

/// A store of some snapshots and a draft; gives the snapshots with their contents.
fn filled(path: &Path) -> BTreeMap<i64, (Summary, Vec<u8>)> {
    let mut truth = BTreeMap::new();
    let store = Store::open(path).expect("opened").store;
    for number in 0..24 {
        let id = take(&store, number * 31);
        truth.insert(
            id,
            (store.snapshot(id).expect("there"), content(number * 31)),
        );
    }
    store
        .checkpoint_draft("/a.json", 1, &Hash::of(b"base"), b"{\"tree\": 1}", true, 5)
        .expect("kept");
    store
        .append_draft("/a.json", 1, b"[]", true, 6)
        .expect("kept");
    truth
}

#[test]
fn flipped_bits_are_noticed_and_never_believed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("store.sqlite");
    let truth = filled(&path);
    let draft = Store::open(&path)
        .expect("opened")
        .store
        .draft("/a.json")
        .expect("whole");
    let sound = fs::read(&path).expect("read");
    let (mut dice, flips) = (Dice(0xfeed_f00d), 500);
    let (mut salvaged, mut refused, mut noticed, mut kept) = (0, 0, 0, 0);
    for flip in 0..flips {
        let case = tempfile::tempdir().expect("a folder");
        let path = case.path().join("store.sqlite");
        let mut bytes = sound.clone();
        let place = usize::try_from(dice.below(bytes.len() as u64)).expect("a place");
        bytes[place] ^= 1 << dice.below(8);
        fs::write(&path, &bytes).expect("written");
        let opened = match Store::open(&path) {
            Ok(opened) => opened,
            // The header says another program's or a newer schema: refused, left as it is.
            Err(fault) => {
                assert!(
                    ["store_newer", "store_foreign"].contains(&fault.code()),
                    "flip {flip} at {place}: {fault}"
                );
                assert_eq!(fs::read(&path).expect("read"), bytes);
                refused += 1;
                continue;
            }
        };
        let mut store = opened.store;
        let mut told = opened.salvage.is_some();
        if opened.salvage.is_none() && !matches!(store.is_sound(), Ok(true)) {
            drop(store);
            let opened = Store::open_damaged(&path).expect("salvaged");
            assert!(
                opened
                    .salvage
                    .as_ref()
                    .is_some_and(|salvage| salvage.aside.exists())
            );
            store = opened.store;
            told = true;
        }
        salvaged += u32::from(told);
        let mut lost = 0;
        for (id, (summary, content)) in &truth {
            match store.snapshot(*id).and_then(|found| {
                let bytes = store.content(&found.content)?;
                Ok((found, bytes))
            }) {
                Ok((found, bytes)) => {
                    assert_eq!(
                        (&found, &bytes),
                        (summary, content),
                        "flip {flip} at {place}"
                    );
                    kept += 1;
                }
                Err(_) => lost += 1,
            }
        }
        if let Ok(Some(found)) = store.draft("/a.json") {
            let whole = draft.as_ref().expect("there");
            assert_eq!((&found.tree, &found.base), (&whole.tree, &whole.base));
            assert!(found.edits == whole.edits || found.lost > 0);
        }
        assert!(
            store
                .snapshots(&Query {
                    limit: 200,
                    ..Query::default()
                })
                .is_ok()
                || told
                || lost > 0
        );
        noticed += u32::from(told || lost > 0);
        assert!(lost <= 24);
    }
    println!(
        "{flips} flips: {noticed} noticed, {salvaged} salvaged, {refused} refused, \
         {kept} of {} snapshots read, each as it was written",
        flips * truth.len() - refused * truth.len()
    );
    assert!(noticed > 0 && kept > flips * truth.len() / 2);
}
