//! The prompt under construction: text and its trace, cut and trimmed together.

use std::sync::LazyLock;

use memchr::memmem::Finder;
use promptdeck_python::text::is_space;

use super::{
    PromptLimit,
    trace::{NoTrace, SourceRef, Trace},
};

/// How large a prompt may be, in bytes. Each value of a variable is printed as often as its name stands
/// in the text, and each text as often as the order has its entry, so that a small registry can ask for
/// any size.
pub const MAX_PROMPT_BYTES: usize = 64 << 20;

/// Of how many pieces a prompt may consist: literal texts, values, bullets and what joins them. Each
/// takes some hundred bytes where its source is recorded.
pub const MAX_PROMPT_PIECES: usize = 4_000_000;

/// More newlines in a row than a prompt keeps.
static NEWLINES: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("\n\n\n"));

/// A text as a prompt holds it: at most two newlines in a row, no whitespace at either end.
#[must_use]
pub fn normalized(text: &str) -> String {
    let mut prompt = String::with_capacity(text.len());
    let mut writer = Writer::new(&mut prompt, NoTrace);
    writer.text.push_str(text);
    writer.normalize_newlines();
    prompt
}

/// A text without its whitespace, to tell whether two differ in anything else.
#[must_use]
pub fn without_space(text: &str) -> String {
    text.chars().filter(|one| !is_space(*one)).collect()
}

/// Appends to a text and keeps its trace in step.
pub(super) struct Writer<'o, T> {
    pub text: &'o mut String,
    pub trace: T,
    /// The length of the text before the prompt.
    base: usize,
    /// How many bytes and pieces may follow.
    room: Room,
}

/// The room left in a prompt. Once something does not fit, nothing does.
#[derive(Clone, Copy)]
struct Room {
    bytes: usize,
    pieces: usize,
    exceeded: Option<PromptLimit>,
}

impl<'o, T> Writer<'o, T> {
    pub fn new(text: &'o mut String, trace: T) -> Self {
        let base = text.len();
        Self {
            text,
            trace,
            base,
            room: Room {
                bytes: MAX_PROMPT_BYTES,
                pieces: MAX_PROMPT_PIECES,
                exceeded: None,
            },
        }
    }

    /// The length of the whole text, including what precedes the prompt.
    pub fn len(&self) -> usize {
        self.text.len()
    }

    /// The limit that the prompt exceeds: what did not fit was left out.
    pub fn exceeded(&self) -> Option<PromptLimit> {
        self.room.exceeded
    }

    /// Whether so many pieces of so many bytes in all still fit. Bytes that are cut again count.
    #[inline]
    fn fits(&mut self, bytes: usize, pieces: usize) -> bool {
        let Room {
            bytes: left,
            pieces: pieces_left,
            ..
        } = self.room;
        if bytes > left || pieces > pieces_left {
            self.exceed(bytes);
            return false;
        }
        self.room.bytes = left - bytes;
        self.room.pieces = pieces_left - pieces;
        true
    }

    #[cold]
    fn exceed(&mut self, bytes: usize) {
        let limit = match bytes > self.room.bytes {
            true => PromptLimit::Bytes,
            false => PromptLimit::Pieces,
        };
        self.room = Room {
            bytes: 0,
            pieces: 0,
            exceeded: self.room.exceeded.or(Some(limit)),
        };
    }

    /// Whether the prompt is still empty.
    pub fn is_empty(&self) -> bool {
        self.text.len() == self.base
    }
}

impl<T> Writer<'_, T> {
    /// Appends text with its source.
    #[inline]
    pub fn push<'p>(&mut self, text: &str, source: SourceRef<'p>)
    where
        T: Trace<'p>,
    {
        if !self.fits(text.len(), 1) {
            return;
        }
        self.text.push_str(text);
        self.trace.mark(self.text.len(), Some(source));
    }

    /// Appends glue, which has no source.
    #[inline]
    pub fn glue<'p>(&mut self, text: &str)
    where
        T: Trace<'p>,
    {
        if !self.fits(text.len(), 1) {
            return;
        }
        self.text.push_str(text);
        self.trace.mark(self.text.len(), None);
    }

    /// Appends what would else be so many pieces, for a trace that records no sources.
    #[inline]
    pub fn append(&mut self, text: &str, pieces: usize) {
        if self.fits(text.len(), pieces) {
            self.text.push_str(text);
        }
    }

    /// Removes everything after `length`.
    pub fn truncate<'p>(&mut self, length: usize)
    where
        T: Trace<'p>,
    {
        self.text.truncate(length);
        self.trace.truncate(length);
    }

    /// Removes the prompt.
    pub fn clear<'p>(&mut self)
    where
        T: Trace<'p>,
    {
        self.truncate(self.base);
    }

    /// Trims whitespace from both ends of the text from `start` on.
    pub fn trim_from<'p>(&mut self, start: usize)
    where
        T: Trace<'p>,
    {
        let trimmed_length = self.text[start..].trim_end_matches(is_space).len();
        if start + trimmed_length < self.text.len() {
            self.text.truncate(start + trimmed_length);
            self.trace.trim(start + trimmed_length);
        }
        let blanks = trimmed_length - self.text[start..].trim_start_matches(is_space).len();
        if blanks > 0 {
            let cut = start..start + blanks;
            self.text.drain(cut.clone());
            self.trace.remove(std::slice::from_ref(&cut));
        }
    }

    /// Collapses three or more newlines into two, and trims whitespace from both ends.
    pub fn normalize_newlines<'p>(&mut self)
    where
        T: Trace<'p>,
    {
        self.collapse();
        self.trim_from(self.base);
    }

    fn collapse<'p>(&mut self)
    where
        T: Trace<'p>,
    {
        let mut cuts = Vec::new();
        let bytes = self.text.as_bytes();
        // Where the newlines left over from a run end: nothing before is looked at again.
        let mut from = self.base;
        while let Some(run) = NEWLINES.find(&bytes[from..]) {
            let cut_start = from + run + 2;
            let newlines = bytes[cut_start..].iter().take_while(|byte| **byte == b'\n');
            from = cut_start + newlines.count();
            cuts.push(cut_start..from);
        }
        let Some(first) = cuts.first() else {
            return;
        };
        // Rebuilt from the first cut on, so that any number of cuts costs one pass.
        let tail_start = first.start;
        let tail = self.text.split_off(tail_start);
        let mut from = tail_start;
        for cut in &cuts {
            self.text
                .push_str(&tail[from - tail_start..cut.start - tail_start]);
            from = cut.end;
        }
        self.text.push_str(&tail[from - tail_start..]);
        self.trace.remove(&cuts);
    }
}
