//! Hostile patterns: in every field of an output policy, each is rejected or processes a megabyte
//! within a tenth of a second. The assertion is on counted work, which is the same on every
//! machine; the time limit catches only work that is not counted.

use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use promptdeck_core::output::{CompiledPolicy, OutputPolicy};
use promptdeck_pattern::{Pattern, SearchBudget};
use promptdeck_tests::hostile_patterns;

use super::clock::timed;

const MEGABYTE: usize = 1 << 20;
const THREADS: usize = 2;
/// The promised time. Printed, not asserted, since machines differ.
const PROMISED: Duration = Duration::from_millis(100);
/// Far above the promise, and far below the time of an uncounted pattern.
const BACKSTOP: Duration = Duration::from_secs(2);

/// Counts the outcomes.
#[derive(Default)]
struct Tally {
    runs: usize,
    refused: usize,
    stopped: usize,
    late: usize,
    slowest: (Duration, String),
    wrong: Vec<String>,
}

impl Tally {
    fn took(&mut self, time: Duration, what: impl FnOnce() -> String) {
        self.late += usize::from(time > PROMISED);
        if time > self.slowest.0 {
            self.slowest = (time, what());
            if time > BACKSTOP {
                self.wrong.push(format!("{time:.1?}: {}", self.slowest.1));
            }
        }
    }

    /// Records a search with its counted work and its time.
    fn searched(&mut self, done: bool, budget: &SearchBudget, time: Duration, what: String) {
        self.runs += 1;
        self.stopped += usize::from(!done);
        if budget.spent() > SearchBudget::most_for(MEGABYTE + 1) {
            self.wrong.push(format!("{} units: {what}", budget.spent()));
        }
        self.took(time, || what);
    }

    fn add(&mut self, other: Self) {
        self.runs += other.runs;
        self.refused += other.refused;
        self.stopped += other.stopped;
        self.late += other.late;
        self.wrong.extend(other.wrong);
        if other.slowest.0 > self.slowest.0 {
            self.slowest = other.slowest;
        }
    }
}

/// Compiles a shape for removal and for search and runs it on every text: like `strip_patterns`,
/// and like `forbidden_patterns` and `require_patterns`, which search alike.
fn run(shape: &str, texts: &[(&str, String)]) -> Tally {
    let mut tally = Tally::default();
    let short = shape.chars().take(60).collect::<String>();
    let (removal, took) = timed(|| Pattern::for_removal(shape));
    tally.took(took, || format!("compiling {short} for removal"));
    let (search, took) = timed(|| Pattern::for_search(shape));
    tally.took(took, || format!("compiling {short} for search"));
    tally.refused += usize::from(removal.is_err());
    for (name, text) in texts {
        if let Ok(removal) = &removal {
            let mut budget = SearchBudget::default();
            let (done, took) = timed(|| removal.remove_all_within(text, &mut budget).is_ok());
            tally.searched(done, &budget, took, format!("{short} stripped from {name}"));
        }
        if let Ok(search) = &search {
            let mut budget = SearchBudget::default();
            let (done, took) = timed(|| search.is_match_within(text, &mut budget).is_ok());
            tally.searched(done, &budget, took, format!("{short} looked for in {name}"));
        }
    }
    tally
}

fn policy(field: &str, entries: Vec<String>) -> OutputPolicy {
    let mut policy = OutputPolicy::default();
    match field {
        "strip_prefixes" => policy.strip_prefixes = entries,
        "strip_patterns" => policy.strip_patterns = entries,
        "forbidden_substrings" => policy.forbidden_substrings = entries,
        "forbidden_patterns" => policy.forbidden_patterns = entries,
        _ => policy.require_patterns = entries,
    }
    policy
}

/// Fills every field of a policy with hostile entries and applies it to a megabyte, with one budget
/// for all.
fn policies(shapes: &[String], text: &str, tally: &mut Tally) {
    let compiles = |shape: &String| Pattern::for_search(shape).is_ok();
    let usable = |ending: &str| -> Vec<String> {
        let ended = shapes.iter().map(|shape| format!("(?:{shape}){ending}"));
        ended.filter(compiles).take(60).collect()
    };
    let sigmas = (0..500).map(|index| format!("ΑΣ{index}")).collect();
    let absent = (0..500).map(|index| format!("aaaaaaaaab{index}")).collect();
    let fields = [
        ("strip_prefixes", sigmas),
        ("strip_patterns", usable("§")),
        ("forbidden_substrings", absent),
        ("forbidden_patterns", usable("§")),
        ("require_patterns", usable("")),
    ];
    for (field, entries) in fields {
        let text = match field {
            "strip_prefixes" => format!("ΑΣ{text}"),
            _ => text.to_owned(),
        };
        let entries = policy(field, entries);
        let (compiled, took) = timed(|| {
            let faults = CompiledPolicy::faults(&entries);
            (CompiledPolicy::new(entries.clone()), faults.len())
        });
        println!(
            "{field:<22} compiled in {took:>8.1?}, {} refused",
            compiled.1
        );
        let Ok(compiled) = compiled.0 else {
            tally.wrong.push(format!("{field} is refused as a whole"));
            continue;
        };
        let (verdict, took) = timed(|| compiled.apply(&text));
        println!(
            "{field:<22} applied in  {took:>8.1?}, done: {}",
            verdict.is_ok()
        );
        tally.runs += 1;
        tally.stopped += usize::from(verdict.is_err());
        if took > 3 * BACKSTOP {
            tally.wrong.push(format!("{field}: {took:.1?}"));
        }
    }
    // So many that compiling them would take minutes.
    let many = policy("forbidden_patterns", vec![r"\w{1,25}@".to_owned(); 5_000]);
    let (faults, took) = timed(|| CompiledPolicy::faults(&many).len());
    println!("5000 large patterns: {faults} refused, {took:.1?}");
    if faults < 4_000 || took > 3 * BACKSTOP {
        tally
            .wrong
            .push(format!("{faults} of 5000 refused in {took:.1?}"));
    }
}

#[test]
fn no_pattern_hangs() {
    let shapes = hostile_patterns::all();
    let texts = hostile_patterns::texts(MEGABYTE);
    let whole = Mutex::new(Tally::default());
    thread::scope(|scope| {
        for part in 0..THREADS {
            let (shapes, texts, whole) = (&shapes, &texts, &whole);
            scope.spawn(move || {
                for shape in shapes.iter().skip(part).step_by(THREADS) {
                    let tally = run(shape, texts);
                    whole.lock().expect("no panic").add(tally);
                }
            });
        }
    });
    let mut tally = whole.into_inner().expect("no panic");
    policies(&shapes, &texts[0].1, &mut tally);
    println!(
        "{} shapes x {} texts x 5 fields, {} runs: {} refused, {} stopped, {} later than \
         {PROMISED:?}; the slowest {:.1?}: {}",
        shapes.len(),
        texts.len(),
        tally.runs,
        tally.refused,
        tally.stopped,
        tally.late,
        tally.slowest.0,
        tally.slowest.1,
    );
    assert!(shapes.len() >= 300, "{} shapes", shapes.len());
    assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
    // Most searches complete: a budget that stops everything would be useless.
    assert!(tally.stopped * 2 < tally.runs, "{} stopped", tally.stopped);
}
