//! Other programs edit the file while this one replaces it.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use promptdeck_service::Studio;
use serde_json::{Value, json};

use super::home::{DECK, Home, registry, text, typed};
use super::{Dice, promptdeck};

/// How editors write: into the file, by replacing it, or a few bytes of it.
#[derive(Debug, Clone, Copy)]
enum Way {
    InPlace,
    Renamed,
    Patched,
}

const WAYS: [Way; 3] = [Way::InPlace, Way::Renamed, Way::Patched];

/// The title of a version of the file; all have the same length.
fn tag(number: usize) -> String {
    format!("edit {number:06}")
}

fn tagged(number: usize) -> Value {
    let mut registry = registry();
    registry["registry"]["title"] = json!(tag(number));
    registry
}

/// A program that writes into a file later than this after opening it may write into the old file,
/// undetected: see `GRACE` in the store.
const GRACE: Duration = Duration::from_millis(2);

/// Sets a flag when the work ends, also on a panic.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Makes an edit; returns the time between opening the file and writing to it.
fn edit(file: &Path, way: Way, number: usize) -> Duration {
    let bytes = text(&tagged(number));
    match way {
        Way::InPlace => fs::write(file, bytes).expect("written"),
        Way::Renamed => {
            let other = file.with_extension("new");
            fs::write(&other, bytes).expect("written");
            fs::rename(other, file).expect("renamed");
        }
        Way::Patched => {
            let place = |text: &str| text.find("edit ").expect("tagged") as u64;
            let (mut at, known) = (place(&bytes), bytes.len() as u64);
            let opened = Instant::now();
            let mut file = (File::options().read(true).write(true))
                .open(file)
                .expect("opened");
            // If opened after the rename, it is another file with the tag elsewhere.
            if file.metadata().expect("known").len() != known {
                let mut text = String::new();
                file.read_to_string(&mut text).expect("read");
                at = place(&text);
            }
            file.seek(SeekFrom::Start(at)).expect("there");
            file.write_all(tag(number).as_bytes()).expect("written");
            return opened.elapsed();
        }
    }
    // Truncated on opening, or never opened.
    Duration::ZERO
}

/// Whether a file is being replaced: our temporary file exists.
fn begun(folder: &Path) -> bool {
    let mut files = fs::read_dir(folder).expect("listed").flatten();
    files.any(|file| {
        file.path()
            .extension()
            .is_some_and(|ending| ending == "part")
    })
}

/// Does the work, and edits the file soon after its temporary file appears. Returns the result of
/// the work and whether the edit was made.
fn racing<T>(
    file: &Path,
    way: Way,
    number: usize,
    later: Duration,
    work: impl FnOnce() -> T,
) -> (T, Option<Duration>) {
    let (over, folder) = (AtomicBool::new(false), file.parent().expect("a folder"));
    thread::scope(|scope| {
        let editor = scope.spawn(|| {
            while !begun(folder) {
                if over.load(Ordering::Relaxed) {
                    return None;
                }
            }
            let from = Instant::now();
            while from.elapsed() < later {
                std::hint::spin_loop();
            }
            Some(edit(file, way, number))
        });
        let answer = {
            let _over = Over(&over);
            work()
        };
        (answer, editor.join().expect("edited"))
    })
}

/// A way to replace a file.
trait Work {
    /// Name in the table.
    fn name(&self) -> &'static str;
    /// Path of the file that is replaced.
    fn file(&self) -> PathBuf;
    /// Writes a version into the file that the work will replace.
    fn prepare(&mut self, number: usize);
    /// Does the work; returns whether it reports an outside change.
    fn replace(&mut self) -> bool;
    /// Checks the result when the file was changed, from version `number` by edit `theirs`.
    fn check_changed(&mut self, number: usize, theirs: usize);
}

/// A verb of the command line.
struct Verb {
    home: Home,
    name: &'static str,
    args: Vec<String>,
}

impl Verb {
    fn command(&self) -> Command {
        let mut command = Command::new(promptdeck());
        command
            .args(&self.args)
            .env("PROMPTDECK_STORE", self.home.store());
        command
    }
}

impl Work for Verb {
    fn name(&self) -> &'static str {
        self.name
    }

    fn file(&self) -> PathBuf {
        self.home.path(DECK)
    }

    fn prepare(&mut self, number: usize) {
        self.home.write(DECK, &tagged(number));
    }

    fn replace(&mut self) -> bool {
        let output = self.command().output().expect("it runs");
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        let changed = message.contains("another program changed it");
        let status = if changed { 2 } else { 0 };
        assert_eq!(output.status.code(), Some(status), "{message}");
        if changed {
            assert_eq!(
                message
                    .lines()
                    .filter(|line| line.contains("error"))
                    .count(),
                1
            );
            assert!(
                message.contains(DECK) && !message.contains(".part"),
                "{message}"
            );
        }
        changed
    }

    fn check_changed(&mut self, _: usize, _: usize) {}
}

/// Saving in a window.
struct Save {
    home: Home,
    studio: Studio,
}

impl Work for Save {
    fn name(&self) -> &'static str {
        "save"
    }

    fn file(&self) -> PathBuf {
        self.home.path(DECK)
    }

    fn prepare(&mut self, number: usize) {
        self.studio.close(DECK);
        self.home.write(DECK, &tagged(number));
        let revision = self
            .studio
            .open_document(DECK)
            .expect("opened")
            .status
            .revision;
        let typed = self
            .studio
            .apply(DECK, &typed(revision, &format!("mine {number} ")));
        typed.expect("applied");
    }

    fn replace(&mut self) -> bool {
        self.studio.save(DECK).expect("answered").conflict.is_some()
    }

    fn check_changed(&mut self, number: usize, theirs: usize) {
        let mine = format!("mine {number} ");
        let open_text = self
            .studio
            .open_document(DECK)
            .expect("open")
            .tree
            .to_string();
        assert!(open_text.contains(&mine), "{open_text}");
        // The edit may have been incomplete when the conflict was detected. It is complete now, and
        // resolving merges both versions.
        assert!(self.studio.save(DECK).expect("answered").conflict.is_some());
        self.studio
            .resolve(DECK, &BTreeMap::new())
            .expect("resolved");
        assert!(self.studio.save(DECK).expect("saved").written);
        let both = self.home.read(DECK).to_string();
        assert!(
            both.contains(&mine) && both.contains(&tag(theirs)),
            "{both}"
        );
    }
}

/// All ways to replace a file, each in its own folder.
fn works(folder: &Path) -> Vec<Box<dyn Work>> {
    let verb = |name: &'static str, args: &dyn Fn(&Home) -> Vec<String>| -> Box<dyn Work> {
        let home = Home::at(&folder.join(name));
        home.furnish();
        let args = args(&home);
        Box::new(Verb { home, name, args })
    };
    let path = |home: &Home| home.path(DECK).display().to_string();
    let words = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<_>>();
    let home = Home::at(&folder.join("save"));
    home.furnish();
    vec![
        Box::new(Save {
            studio: home.studio(),
            home,
        }),
        verb("fmt", &|home| words(&["fmt", &path(home)])),
        verb("snapshot restore", &|home| {
            drop(home.studio());
            home.write(DECK, &tagged(0));
            let taken = Command::new(promptdeck())
                .args(["snapshot", "save", &path(home), "--name", "first"])
                .env("PROMPTDECK_STORE", home.store())
                .output()
                .expect("it runs");
            assert!(taken.status.success(), "{taken:?}");
            words(&["snapshot", "restore", "first"])
        }),
        verb("export -o", &|home| {
            let source = home.path("source.json");
            fs::write(&source, text(&tagged(0))).expect("written");
            words(&["export", &source.display().to_string(), "-o", &path(home)])
        }),
    ]
}

#[test]
fn outside_edits_between_check_and_rename_survive() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut dice, mut in_all) = (Dice(0x5eed), 0);
    for mut work in works(folder.path()) {
        let (mut trials, mut in_gap, mut after, mut slow) = (0, 0, 0, 0);
        // 50 edits of each kind within the critical period, however many come later; fewer if the
        // machine is too busy for the editor.
        let begun_at = Instant::now();
        while in_gap < 50 && (in_gap < 10 || begun_at.elapsed() < Duration::from_secs(6)) {
            trials += 1;
            assert!(
                trials < 10_000,
                "{}: {in_gap} edits hit the gap",
                work.name()
            );
            work.prepare(2 * trials);
            let later = Duration::from_micros(dice.below(1500));
            let (file, number) = (work.file(), 2 * trials + 1);
            let way = WAYS[trials % WAYS.len()];
            let (changed, edited) = racing(&file, way, number, later, || work.replace());
            let Some(open_for) = edited else { continue };
            let found = fs::read_to_string(&file).expect("read");
            let is_saved = found.contains(&tag(number));
            if !is_saved && open_for >= GRACE {
                slow += 1;
                continue;
            }
            assert!(
                is_saved,
                "{}: the edit ({way:?}, {later:?}) of trial {trials} vanished; {changed}, {found}",
                work.name()
            );
            if changed {
                in_gap += 1;
                work.check_changed(2 * trials, number);
            } else {
                after += 1;
            }
            let left_over = begun(file.parent().expect("a folder"));
            assert!(!left_over, "{}: a temporary file stays", work.name());
        }
        in_all += in_gap;
        println!(
            "{}: {in_gap} edits in the gap, all kept; {after} after the rename; {slow} by an editor \
             that was stopped between opening and writing",
            work.name()
        );
    }
    println!("{in_all} outside edits between check and rename, none vanished");
}
