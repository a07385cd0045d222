//! Rows in, texts out, on several threads. A row that fails is a fault of its own; a signal, such as
//! Ctrl+C, stops all threads. Threads end with the call, so that a process may fork between calls.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use arrow_array::LargeStringArray;
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use pyo3::prelude::*;

use crate::fault::{Fault, Raised};
use crate::work;

/// The most rows of a batch: the texts of more do not fit any memory.
const MAX_ROWS: usize = 1 << 32;
/// The most rows that one thread takes at a time.
const BLOCK: usize = 1024;
/// How many blocks each thread should get, so that all end at about the same time.
const BLOCKS_PER_THREAD: usize = 8;
/// How often the interpreter is asked for signals.
const SIGNALS: Duration = Duration::from_millis(50);
/// After how many rows the clock is read for that.
const ROWS_PER_LOOK: usize = 16;

/// What happens to a row that fails.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum OnError {
    /// Its fault is raised and ends the batch.
    Raise,
    /// Its fault is a row of the error column.
    Column,
}

impl OnError {
    /// Reads the argument `on_error`.
    pub fn named(name: &str) -> PyResult<Self> {
        match name {
            "raise" => Ok(Self::Raise),
            "column" => Ok(Self::Column),
            _ => {
                let message = format!("on_error is \"raise\" or \"column\", not {name:?}");
                Err(Fault::new(Raised::Column, "wrong_argument", message).into())
            }
        }
    }
}

/// The texts of a batch; a row that failed is null and has a fault.
pub struct Answers {
    /// A text for each row.
    pub texts: LargeStringArray,
    /// The rows that failed, in their order.
    pub faults: Vec<(usize, Fault)>,
}

/// The texts of consecutive rows.
#[derive(Default)]
struct Block {
    text: String,
    ends: Vec<usize>,
    faults: Vec<(usize, Fault)>,
}

/// What the threads share.
struct Job<'a, M, R> {
    rows: usize,
    block: usize,
    make: &'a M,
    row: &'a R,
    on_error: OnError,
    next: AtomicUsize,
    stopped: AtomicBool,
    done: Mutex<Vec<(usize, Block)>>,
}

/// Answers `rows` rows: `make` makes what a thread reuses, `row` appends the text of a row.
pub fn run<W, M, R>(
    py: Python<'_>,
    rows: usize,
    threads: usize,
    on_error: OnError,
    make: M,
    row: R,
) -> PyResult<Answers>
where
    M: Fn() -> W + Sync,
    R: Fn(&mut W, usize, &mut String) -> Result<(), Fault> + Sync,
{
    if rows > MAX_ROWS {
        let message = format!("{rows} rows; a batch has {MAX_ROWS} at most: split it");
        return Err(Fault::new(Raised::Column, "too_many_rows", message).into());
    }
    let job = Job {
        rows,
        block: (rows / (threads * BLOCKS_PER_THREAD)).clamp(1, BLOCK),
        make: &make,
        row: &row,
        on_error,
        next: AtomicUsize::new(0),
        stopped: AtomicBool::new(false),
        done: Mutex::default(),
    };
    let threads = threads.min(rows.div_ceil(job.block));
    py.detach(|| {
        let mut signal = None;
        thread::scope(|scope| {
            for _ in 1..threads {
                let started = thread::Builder::new().spawn_scoped(scope, || job.work(&mut || true));
                if started.is_err() {
                    // This thread does their work as well.
                    break;
                }
            }
            let mut looked = Instant::now();
            job.work(&mut || {
                if looked.elapsed() < SIGNALS {
                    return true;
                }
                looked = Instant::now();
                // The method itself is not general enough in its lifetime.
                #[allow(clippy::redundant_closure_for_method_calls)]
                let checked = Python::attach(|py| py.check_signals());
                match checked {
                    Ok(()) => true,
                    Err(raised) => {
                        signal = Some(raised);
                        false
                    }
                }
            });
        });
        match signal {
            Some(raised) => Err(raised),
            None => Ok(work::caught(|| job.answers())?),
        }
    })
}

impl<W, M, R> Job<'_, M, R>
where
    M: Fn() -> W + Sync,
    R: Fn(&mut W, usize, &mut String) -> Result<(), Fault> + Sync,
{
    /// Works on blocks until none is left or the job is stopped. `go_on` is asked every few rows.
    fn work(&self, go_on: &mut dyn FnMut() -> bool) {
        let mut worker = (self.make)();
        // Blocks are about as long as each other: none has to grow and be copied.
        let mut length = 0;
        while !self.stopped.load(Ordering::Relaxed) {
            let start = self.next.fetch_add(self.block, Ordering::Relaxed);
            if start >= self.rows {
                return;
            }
            let end = self.rows.min(start + self.block);
            let mut block = Block {
                text: String::with_capacity(length),
                ends: Vec::with_capacity(end - start),
                ..Block::default()
            };
            for row in start..end {
                if row % ROWS_PER_LOOK == 0 && !go_on() {
                    self.stopped.store(true, Ordering::Relaxed);
                    return;
                }
                let before = block.text.len();
                let answered = work::caught(|| (self.row)(&mut worker, row, &mut block.text));
                if let Err(fault) = answered {
                    block.text.truncate(before);
                    block.faults.push((row, fault.in_row(row)));
                    // What was being reused may be half changed after a panic.
                    worker = (self.make)();
                }
                block.ends.push(block.text.len());
                if !block.faults.is_empty() && self.on_error == OnError::Raise {
                    self.stopped.store(true, Ordering::Relaxed);
                    break;
                }
            }
            length = block.text.len();
            let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
            done.push((start, block));
        }
    }

    /// Joins the blocks. If faults are raised, the first row that failed is always the same: the
    /// blocks before it were taken before.
    fn answers(self) -> Result<Answers, Fault> {
        let mut blocks = self
            .done
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        blocks.sort_unstable_by_key(|(start, _)| *start);
        if self.on_error == OnError::Raise {
            let mut faults = blocks
                .iter_mut()
                .flat_map(|(_, block)| block.faults.drain(..));
            if let Some((_, fault)) = faults.next() {
                return Err(fault);
            }
        }
        let bytes = blocks.iter().map(|(_, block)| block.text.len()).sum();
        let mut text = Vec::with_capacity(bytes);
        let mut offsets = Vec::with_capacity(self.rows + 1);
        let mut faults = Vec::new();
        offsets.push(0);
        for (_, block) in blocks {
            let before = text.len();
            offsets.extend(block.ends.iter().map(|end| (before + end) as i64));
            text.extend_from_slice(block.text.as_bytes());
            faults.extend(block.faults);
        }
        let nulls = (!faults.is_empty()).then(|| {
            let mut valid = vec![true; self.rows];
            for (row, _) in &faults {
                valid[*row] = false;
            }
            NullBuffer::from(valid)
        });
        let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
        let texts = LargeStringArray::try_new(offsets, Buffer::from_vec(text), nulls);
        let texts =
            texts.map_err(|error| Fault::new(Raised::Internal, "internal", error.to_string()))?;
        Ok(Answers { texts, faults })
    }
}
