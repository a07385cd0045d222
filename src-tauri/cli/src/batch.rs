//! Answers JSON lines with JSON lines, one for one and in order, while reading. All cores work on
//! the lines. A line that cannot be answered gets its error as the answer and does not end the
//! batch. The verbs interpret the lines.

use std::{
    io::{self, Read, Write},
    mem,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread,
};

use memchr::{memchr, memchr_iter, memrchr};
use serde::Serialize;

use crate::{
    failure::{ErrorReport, Failure},
    input,
    output::{ExitStatus, Output},
    warnings::{BatchWarnings, StrictArgs, Warning, Warnings},
};

/// Maximum length of a line in bytes; a longer one is answered with an error.
const MAX_LINE: usize = 64 << 20;
/// Size of a read in bytes. The lines that have arrived by then form one unit of work.
const CHUNK: usize = 1 << 18;
/// Maximum number of pending chunks per worker, which bounds the memory of a run.
const DEPTH: usize = 4;
/// Buffers above this capacity, in bytes, are released after use.
const MAX_POOLED: usize = 32 * CHUNK;

/// Answers single lines. Each thread has its own worker, which may cache what it compiled.
pub trait Worker {
    /// Appends the answer's JSON, without a line end, to `answer`. If the call fails, the caller
    /// removes what it wrote. Ignored parts of the line are reported as warnings.
    fn answer(
        &mut self,
        line: &[u8],
        answer: &mut Vec<u8>,
        warnings: &mut Warnings,
    ) -> Result<(), Failure>;
}

/// Help of `--batch`.
pub const HELP: &str = "Answer each JSON line of standard input with one JSON line, in order. A line that \
                        fails is answered with its error and \"ok\": false, and the batch continues; \
                        the exit status is then 1. A rejected text or an invalid history is an answer \
                        and no failure";

/// Answers every line of standard input. A line that cannot be answered counts as a problem.
pub fn run<W: Worker>(
    make: impl Fn() -> W + Send + Sync + 'static,
    strict: StrictArgs,
    out: &mut Output,
) -> Result<ExitStatus, Failure> {
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let refused = stream(input::stdin()?, out, workers, strict, make)?;
    Ok(match refused {
        0 => ExitStatus::Done,
        _ => ExitStatus::Problems,
    })
}

/// The input. Whichever worker is free reads the next lines itself, so they are in the cache of the
/// core that answers them.
struct Source<R> {
    input: R,
    /// Start of a line whose end has not arrived.
    partial_line: Vec<u8>,
    /// Whether that line exceeds [`MAX_LINE`].
    oversized: bool,
    /// Number of lines read before.
    lines: u64,
    /// Sends the writer, in the order of the lines, the channels on which their answers will
    /// arrive.
    queue: SyncSender<io::Result<Receiver<Answers>>>,
}

/// The answers to a chunk.
struct Answers {
    /// JSON lines.
    lines: Vec<u8>,
    /// Number of lines answered with an error.
    refused: u64,
    /// Warnings, each with its line number.
    warnings: Vec<(u64, Warning)>,
}

/// Complete lines and the channel for their answers.
struct Chunk {
    lines: Lines,
    /// Whether a line above [`MAX_LINE`] precedes these.
    oversized: bool,
    /// Number of the first line, from 1.
    first: u64,
    answers: SyncSender<Answers>,
}

/// Answers the lines of an input and counts those answered with an error.
///
/// The threads are not scoped: once nobody reads the answers, a thread that still waits for input
/// must not keep the process alive.
fn stream<W: Worker>(
    input: impl Read + Send + 'static,
    out: &mut impl Write,
    workers: usize,
    strict: StrictArgs,
    make: impl Fn() -> W + Send + Sync + 'static,
) -> Result<u64, Failure> {
    let (queue, queued) = sync_channel(workers * DEPTH);
    let source = Mutex::new(Source {
        input,
        partial_line: Vec::new(),
        oversized: false,
        lines: 0,
        queue,
    });
    let pool = Arc::new(BufferPool::default());
    let shared = Arc::new((source, make));
    for _ in 0..workers {
        let (shared, pool) = (Arc::clone(&shared), Arc::clone(&pool));
        thread::spawn(move || {
            let (source, make) = &*shared;
            let mut worker = make();
            let mut lines = Lines::default();
            loop {
                // A separate statement, so that the lock is released before the lines are answered.
                let next = locked(source).next_chunk(lines);
                let Some(chunk) = next else { return };
                let mut answers = Answers {
                    lines: pool.take(),
                    refused: 0,
                    warnings: Vec::new(),
                };
                answer_chunk(&mut worker, &chunk, strict, &mut answers);
                if chunk.answers.send(answers).is_err() {
                    return;
                }
                lines = chunk.lines.emptied();
            }
        });
    }
    drop(shared);
    write_answers(&queued, &pool, out)
}

impl<R: Read> Source<R> {
    /// The next complete lines, in a reused buffer. `None` at the end of the input, after a read
    /// error, and once nobody reads the answers.
    fn next_chunk(&mut self, mut lines: Lines) -> Option<Chunk> {
        let (queue, answers) = match self.read_lines(&mut lines) {
            Ok(None) => return None,
            Ok(Some(oversized)) => {
                let (answers, receiver) = sync_channel(1);
                let first = self.lines + 1;
                let ends = memchr_iter(b'\n', lines.bytes()).count();
                let unended = !lines.bytes().is_empty() && !lines.bytes().ends_with(b"\n");
                self.lines += (ends + usize::from(unended) + usize::from(oversized)) as u64;
                let chunk = Chunk {
                    lines,
                    oversized,
                    first,
                    answers,
                };
                (Ok(receiver), Some(chunk))
            }
            Err(error) => (Err(error), None),
        };
        self.queue.send(queue).ok().and(answers)
    }

    /// Fills an empty buffer with complete lines. Returns whether a line above [`MAX_LINE`]
    /// precedes them, or `None` at the end of the input.
    fn read_lines(&mut self, lines: &mut Lines) -> io::Result<Option<bool>> {
        lines.begin_with(&mut self.partial_line);
        loop {
            let before = lines.len;
            let arrived = match self.input.read(lines.room()) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                other => other?,
            };
            lines.len += arrived;
            if arrived == 0 {
                let oversized = mem::take(&mut self.oversized);
                return Ok((oversized || lines.len > 0).then_some(oversized));
            }
            // The bytes before were searched already.
            let Some(end) = memrchr(b'\n', &lines.bytes()[before..]) else {
                if self.oversized || lines.len > MAX_LINE {
                    *lines = Lines::default();
                    self.oversized = true;
                }
                continue;
            };
            self.partial_line
                .extend_from_slice(&lines.bytes()[before + end + 1..]);
            lines.len = before + end + 1;
            let oversized = mem::take(&mut self.oversized);
            if oversized {
                let ended = memchr(b'\n', lines.bytes()).unwrap_or(end);
                lines.forget(ended + 1);
            }
            return Ok(Some(oversized));
        }
    }
}

/// A reusable buffer of lines. Its memory is zeroed only once.
#[derive(Default)]
struct Lines {
    memory: Vec<u8>,
    /// Length of the part that holds lines.
    len: usize,
}

impl Lines {
    fn bytes(&self) -> &[u8] {
        &self.memory[..self.len]
    }

    /// Moves the start of a line into an empty buffer.
    fn begin_with(&mut self, partial_line: &mut Vec<u8>) {
        if self.memory.len() < partial_line.len() {
            self.memory.resize(partial_line.len(), 0);
        }
        self.memory[..partial_line.len()].copy_from_slice(partial_line);
        self.len = partial_line.len();
        partial_line.clear();
    }

    /// Free space for the next read.
    fn room(&mut self) -> &mut [u8] {
        let end = self.len + CHUNK;
        if self.memory.len() < end {
            self.memory.resize(end, 0);
        }
        &mut self.memory[self.len..end]
    }

    /// Removes bytes from the front.
    fn forget(&mut self, bytes: usize) {
        self.memory.copy_within(bytes..self.len, 0);
        self.len -= bytes;
    }

    /// Clears the buffer; releases its memory if it is unusually large.
    fn emptied(self) -> Self {
        let memory = if self.memory.len() > MAX_POOLED {
            Vec::new()
        } else {
            self.memory
        };
        Self { memory, len: 0 }
    }
}

/// Buffers of answers already written. Reusing their memory is faster than allocating.
#[derive(Default)]
struct BufferPool(Mutex<Vec<Vec<u8>>>);

impl BufferPool {
    fn take(&self) -> Vec<u8> {
        locked(&self.0).pop().unwrap_or_default()
    }

    fn give(&self, mut buffer: Vec<u8>) {
        if buffer.capacity() <= MAX_POOLED {
            buffer.clear();
            locked(&self.0).push(buffer);
        }
    }
}

fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn answer_chunk(
    worker: &mut impl Worker,
    chunk: &Chunk,
    strict: StrictArgs,
    answers: &mut Answers,
) {
    let mut number = chunk.first;
    let mut warnings = strict.warnings();
    if chunk.oversized {
        let message = format!(
            "the line is longer than {} MiB, which is the limit",
            MAX_LINE >> 20
        );
        let failure = Failure::input("too_large", message);
        refuse(&failure, number, answers);
        number += 1;
    }
    let mut rest = chunk.lines.bytes();
    while !rest.is_empty() {
        let end = memchr(b'\n', rest).map_or(rest.len(), |newline| newline + 1);
        let (line, after) = rest.split_at(end);
        rest = after;
        let start = answers.lines.len();
        match worker.answer(line, &mut answers.lines, &mut warnings) {
            Ok(()) => answers.lines.push(b'\n'),
            Err(failure) => {
                answers.lines.truncate(start);
                refuse(&failure, number, answers);
            }
        }
        let line_warnings = warnings.take().into_iter();
        answers
            .warnings
            .extend(line_warnings.map(|message| (number, message)));
        number += 1;
    }
}

fn refuse(failure: &Failure, line: u64, answers: &mut Answers) {
    let answer = ErrorAnswer {
        ok: false,
        error: failure.on_line(line),
    };
    let answer = serde_json::to_vec(&answer).unwrap_or_default();
    answers.lines.extend(answer);
    answers.lines.push(b'\n');
    answers.refused += 1;
}

fn write_answers(
    queued: &Receiver<io::Result<Receiver<Answers>>>,
    pool: &BufferPool,
    out: &mut impl Write,
) -> Result<u64, Failure> {
    let mut refused = 0;
    let mut warnings = BatchWarnings::default();
    for receiver in queued {
        let receiver = receiver.map_err(|error| {
            Failure::input("unreadable", format!("cannot read standard input: {error}"))
        })?;
        // The channel closes early only if a worker panicked; its lines have no answers.
        let answers = receiver
            .recv()
            .map_err(|_| io::Error::other("a worker died"))?;
        out.write_all(&answers.lines)?;
        out.flush()?;
        pool.give(answers.lines);
        refused += answers.refused;
        for (line, warning) in answers.warnings {
            warnings.add(line, warning);
        }
    }
    warnings.finish();
    Ok(refused)
}

/// Answer to a line that failed.
#[derive(Serialize)]
struct ErrorAnswer {
    ok: bool,
    error: ErrorReport,
}

#[cfg(test)]
mod tests;
