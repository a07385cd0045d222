//! Work that follows edits gives way to them: its threads have low priority, and it rests while an
//! edit is applied and drawn.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::setpriority_process;
use rustix::thread::gettid;

use crate::CancellationToken;

/// The nice value of background threads. A tenth of the time that a thread of the window gets when
/// both want the same core: enough for a result on a busy machine.
const NICE: i32 = 10;

/// How long background work rests after an edit begins, by when the window has drawn it.
const REST: Duration = Duration::from_millis(40);

/// Runs work on a thread of low priority, which the threads it starts inherit. A separate thread,
/// since without privileges no thread gets its priority back.
pub(crate) fn with_low_priority<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| {
        let working = scope.spawn(|| {
            // Refused at worst by a sandbox, where the work is done all the same. On Linux a thread
            // has its own priority.
            let _ = setpriority_process(Some(gettid()), NICE);
            work()
        });
        match working.join() {
            Ok(done) => done,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// When the last edit began.
#[derive(Debug)]
pub(crate) struct EditPause {
    created: Instant,
    /// The end of the rest, in microseconds since the creation.
    until: AtomicU64,
}

impl Default for EditPause {
    fn default() -> Self {
        Self {
            created: Instant::now(),
            until: AtomicU64::new(0),
        }
    }
}

impl EditPause {
    /// Notes that an edit begins.
    pub fn edit_begins(&self) {
        let until = micros(self.created.elapsed() + REST);
        self.until.fetch_max(until, Ordering::Relaxed);
    }

    /// For background work, every few rolls: rests if an edit has begun. Returns whether to continue.
    pub fn proceed(&self, cancel: &CancellationToken) -> bool {
        while !cancel.is_cancelled() {
            let until = self.until.load(Ordering::Relaxed);
            let now = micros(self.created.elapsed());
            if now >= until {
                return true;
            }
            thread::sleep(Duration::from_micros(until - now));
        }
        false
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::Arc;

    use rustix::process::getpriority_process;
    use serde_json::{Value, json};

    use super::*;
    use crate::wire::{Edit, EditGroup, Step};
    use crate::{Options, Studio};

    #[test]
    fn every_edit_of_a_document_begins_a_rest() {
        let home = tempfile::tempdir().expect("a folder");
        let folder = home.path().join("registries");
        fs::create_dir_all(folder.join("calls")).expect("made");
        let write = |file: &str, value: Value| {
            fs::write(folder.join(file), value.to_string()).expect("written");
        };
        let tone = json!({"required": true, "items": [{"name": "warm", "text": "Be warm."}]});
        write(
            "deck.json",
            json!({"registry": {"assembly_order": ["tone"], "tone": tone}}),
        );
        write("calls/one.json", json!({"registry": "../deck.json"}));
        let studio = Studio::open(Options {
            folder,
            file: None,
            store: Some(home.path().join("store.sqlite")),
            listener: Arc::new(|_| ()),
            tokenizer: "estimate".to_owned(),
            mock_pause: Duration::ZERO,
        });
        let studio = studio.expect("opened");
        studio.open_document("deck.json").expect("opened");
        studio.open_call("calls/one.json").expect("opened");
        let checks = studio.open_checks("deck.json").expect("opened").document;
        let set = |path: &[&str], value: Value| EditGroup {
            base: 0,
            edits: vec![Edit::Set {
                path: path
                    .iter()
                    .map(|step| Step::Key((*step).to_owned()))
                    .collect(),
                value,
            }],
            label: "Edit".to_owned(),
            burst: None,
        };
        let begins = |what: &str, edit: &dyn Fn()| {
            let until = || studio.inner.pause.until.load(Ordering::Relaxed);
            let before = until();
            edit();
            assert!(until() > before, "{what}");
        };
        begins("a card", &|| {
            let group = set(&["registry", "title"], "Deck".into());
            studio.apply("deck.json", &group).expect("applied");
        });
        begins("undo", &|| {
            studio.undo("deck.json").expect("undone");
        });
        begins("a call document", &|| {
            let group = set(&["title"], "One".into());
            studio
                .apply_call("calls/one.json", &group)
                .expect("applied");
        });
        begins("checks", &|| {
            let group = set(&["checks"], json!([]));
            studio.apply_checks(&checks, &group).expect("applied");
        });
    }

    fn nice() -> i32 {
        getpriority_process(Some(gettid())).expect("a priority")
    }

    #[test]
    fn only_the_work_has_low_priority() {
        let before = nice();
        let (niceness, started) = with_low_priority(|| (nice(), thread::spawn(nice).join()));
        assert_eq!(niceness, NICE);
        assert_eq!(started.expect("no panic"), NICE, "a thread that it starts");
        assert_eq!(nice(), before);
    }

    #[test]
    fn work_rests_while_an_edit_is_drawn() {
        let pause = EditPause::default();
        let cancel = CancellationToken::new();
        let rested = |cancel| {
            let begun = Instant::now();
            (pause.proceed(cancel), begun.elapsed())
        };
        assert!(rested(&cancel).0);
        pause.edit_begins();
        let (proceeds, time) = rested(&cancel);
        assert!(proceeds && time >= REST / 2, "{time:?}");
        assert!(rested(&cancel).1 < REST, "once");
        pause.edit_begins();
        cancel.cancel();
        assert!(!rested(&cancel).0, "cancelled work ends");
    }
}
