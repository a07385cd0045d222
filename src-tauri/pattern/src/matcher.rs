//! A backtracking matcher with Python's rules, for what no automaton can do: look-around,
//! back-references, atomic groups, conditionals, word boundaries beyond ASCII.
//!
//! Each step is charged before it is taken, so that a pattern that would try for ever is stopped
//! after the same number of steps on every machine.

use memchr::memchr;

use super::budget::{Meter, OutOfBudget};
use super::class::Class;
use super::program::{Instruction, Program};
use super::syntax::{Assertion, Greed};

/// Units of one instruction, and of going back to an earlier choice.
const STEP: u64 = 8;
/// Units of beginning a match at a place, or a body whose choices are final.
const ENTER: u64 = 16;
/// Units of one character of a run.
const CHARACTER: u64 = 4;
/// Units of looking up one character beyond ASCII, beside.
const BEYOND_ASCII: u64 = 12;
/// Choices that are remembered at most: 32 MiB.
const MOST_FRAMES: usize = 2 << 20;
/// No place, in slots and registers.
const NOWHERE: u32 = u32::MAX;

/// A choice to come back to, or something to put back on the way there.
#[derive(Debug, Clone, Copy)]
enum Frame {
    /// Go on there.
    Branch {
        next: u32,
        at: u32,
    },
    Slot {
        slot: u32,
        old: u32,
    },
    Register {
        register: u32,
        old: Counter,
    },
    /// A greedy run: give back one character, down to `low`.
    Greedy {
        next: u32,
        low: u32,
        at: u32,
    },
    /// A lazy run: take one more character.
    Lazy {
        run: u32,
        at: u32,
        taken: u32,
    },
    /// A lazy repetition: once more.
    Again {
        repeat: u32,
        at: u32,
    },
}

/// How often a repetition has begun its body, and where last.
#[derive(Debug, Clone, Copy)]
struct Counter {
    count: u32,
    last: u32,
}

/// The matcher at work on one text.
pub(super) struct Matcher<'p, 't> {
    program: &'p Program,
    text: &'t str,
    text_is_ascii: bool,
    slots: Vec<u32>,
    registers: Vec<Counter>,
    frames: Vec<Frame>,
    /// An empty match here is none.
    no_empty_match_at: u32,
}

impl<'p, 't> Matcher<'p, 't> {
    pub fn new(program: &'p Program, text: &'t str) -> Self {
        let counter = Counter {
            count: 0,
            last: NOWHERE,
        };
        Self {
            slots: vec![NOWHERE; program.slots],
            registers: vec![counter; program.registers],
            frames: Vec::new(),
            no_empty_match_at: NOWHERE,
            text_is_ascii: text.is_ascii(),
            program,
            text,
        }
    }

    /// The first match at or after byte `from`.
    pub fn find(
        &mut self,
        mut from: usize,
        meter: &mut Meter,
    ) -> Result<Option<(usize, usize)>, OutOfBudget> {
        if self.text.len() >= NOWHERE as usize {
            return Err(OutOfBudget);
        }
        let bytes = self.text.as_bytes();
        loop {
            match self.program.leading {
                Some(Assertion::TextStart) if from > 0 => return Ok(None),
                Some(Assertion::LineStart) if from > 0 && bytes[from - 1] != b'\n' => {
                    let skipped = memchr(b'\n', &bytes[from..]);
                    meter.take(skipped.unwrap_or(bytes.len() - from) as u64)?;
                    match skipped {
                        Some(skipped) => from += skipped + 1,
                        None => return Ok(None),
                    }
                }
                _ => {}
            }
            if let Some(first) = &self.program.first_bytes
                && self.program.leading.is_none()
            {
                let wanted = bytes[from..]
                    .iter()
                    .position(|byte| first[usize::from(*byte)]);
                meter.take(wanted.unwrap_or(bytes.len() - from) as u64)?;
                let Some(skipped) = wanted else {
                    return Ok(None);
                };
                from += skipped;
            }
            if self.text.is_char_boundary(from)
                && let Some(end) = self.match_at(from, meter)?
            {
                return Ok(Some((from, end)));
            }
            from += 1;
            if from > bytes.len() {
                return Ok(None);
            }
        }
    }

    /// The end of the match of at least one character that begins at byte `from`.
    pub fn not_empty_at(
        &mut self,
        from: usize,
        meter: &mut Meter,
    ) -> Result<Option<usize>, OutOfBudget> {
        self.no_empty_match_at = from as u32;
        let end = self.match_at(from, meter);
        self.no_empty_match_at = NOWHERE;
        end
    }

    fn match_at(&mut self, from: usize, meter: &mut Meter) -> Result<Option<usize>, OutOfBudget> {
        meter.take(ENTER)?;
        self.slots.fill(NOWHERE);
        self.frames.clear();
        let end = self.run(0, from as u32, true, meter)?;
        Ok(end.map(|end| end as usize))
    }

    /// Runs from an instruction to `Accept`; the end of what matched. Frames of before are not
    /// touched; after success, those of this run are left on the stack.
    fn run(
        &mut self,
        start: usize,
        mut at: u32,
        outermost: bool,
        meter: &mut Meter,
    ) -> Result<Option<u32>, OutOfBudget> {
        let base = self.frames.len();
        let program = self.program;
        let mut next = start;
        loop {
            meter.take(STEP)?;
            let current = next;
            next += 1;
            let matched = match &program.instructions[current] {
                Instruction::Accept => {
                    if outermost && at == self.no_empty_match_at {
                        false
                    } else {
                        return Ok(Some(at));
                    }
                }
                Instruction::Class(class) => {
                    let next = self.after(at);
                    if next.is_some_and(|(character, _)| !character.is_ascii()) {
                        meter.take(BEYOND_ASCII)?;
                    }
                    match next {
                        Some((character, after)) if program.classes[*class].holds(character) => {
                            at = after;
                            true
                        }
                        _ => false,
                    }
                }
                Instruction::Assert(assertion) => {
                    if !self.text_is_ascii {
                        meter.take(BEYOND_ASCII)?;
                    }
                    self.holds(*assertion, at)
                }
                Instruction::Save(slot) => {
                    let old = self.slots[*slot];
                    self.push(Frame::Slot {
                        slot: *slot as u32,
                        old,
                    })?;
                    self.slots[*slot] = at;
                    true
                }
                Instruction::Split(second) => {
                    self.push(Frame::Branch {
                        next: *second as u32,
                        at,
                    })?;
                    true
                }
                Instruction::Jump(to) => {
                    next = *to;
                    true
                }
                Instruction::Fail => false,
                Instruction::Backreference { group, ignore_case } => {
                    match self.repeated(*group, *ignore_case, at, meter)? {
                        Some(end) => {
                            at = end;
                            true
                        }
                        None => false,
                    }
                }
                Instruction::Conditional { group, no } => {
                    if self.group(*group).is_none() {
                        next = *no;
                    }
                    true
                }
                Instruction::Look {
                    back,
                    negative,
                    next: following,
                } => {
                    next = *following;
                    let found = match self.before(at, *back, meter)? {
                        Some(from) => self.settle(current + 1, from, *negative, meter)?.is_some(),
                        None => false,
                    };
                    found != *negative
                }
                Instruction::Atomic { next: following } => {
                    next = *following;
                    match self.settle(current + 1, at, false, meter)? {
                        Some(end) => {
                            at = end;
                            true
                        }
                        None => false,
                    }
                }
                Instruction::Run {
                    class,
                    min,
                    max,
                    greed,
                } => {
                    let class = &program.classes[*class];
                    match self.run_of(class, (current, *min, *max), *greed, at, meter)? {
                        Some(end) => {
                            at = end;
                            true
                        }
                        None => false,
                    }
                }
                Instruction::Begin(register) => {
                    self.count(*register, 0, NOWHERE)?;
                    true
                }
                Instruction::Repeat {
                    register,
                    min,
                    max,
                    lazy,
                    exit,
                } => {
                    let Counter { count, last } = self.registers[*register];
                    if count < *min {
                        self.count(*register, count + 1, last)?;
                    } else if *lazy {
                        self.push(Frame::Again {
                            repeat: current as u32,
                            at,
                        })?;
                        next = *exit;
                    } else if max.is_none_or(|max| count < max) && at != last {
                        self.push(Frame::Branch {
                            next: *exit as u32,
                            at,
                        })?;
                        self.count(*register, count.saturating_add(1), at)?;
                    } else {
                        next = *exit;
                    }
                    true
                }
            };
            if !matched {
                match self.back(base, meter)? {
                    Some((to, place)) => (next, at) = (to, place),
                    None => return Ok(None),
                }
            }
        }
    }

    /// Runs a body whose choices are final once it matched; with `undo`, nothing of it stays.
    fn settle(
        &mut self,
        start: usize,
        at: u32,
        undo: bool,
        meter: &mut Meter,
    ) -> Result<Option<u32>, OutOfBudget> {
        meter.take(ENTER)?;
        let base = self.frames.len();
        let end = self.run(start, at, false, meter)?;
        if end.is_some() {
            meter.take((self.frames.len() - base) as u64)?;
            if undo {
                while self.frames.len() > base {
                    self.put_back();
                }
            } else {
                let mut retained_frames = base;
                for index in base..self.frames.len() {
                    let frame = self.frames[index];
                    if matches!(frame, Frame::Slot { .. } | Frame::Register { .. }) {
                        self.frames[retained_frames] = frame;
                        retained_frames += 1;
                    }
                }
                self.frames.truncate(retained_frames);
            }
        }
        Ok(end)
    }

    /// Takes the last frame away and puts back what it remembers.
    fn put_back(&mut self) -> Option<Frame> {
        let frame = self.frames.pop()?;
        match frame {
            Frame::Slot { slot, old } => self.slots[slot as usize] = old,
            Frame::Register { register, old } => self.registers[register as usize] = old,
            _ => {}
        }
        Some(frame)
    }

    /// The next choice that is left above `base`: an instruction and a place.
    fn back(
        &mut self,
        base: usize,
        meter: &mut Meter,
    ) -> Result<Option<(usize, u32)>, OutOfBudget> {
        while self.frames.len() > base {
            meter.take(STEP / 2)?;
            match self.put_back() {
                Some(Frame::Branch { next, at }) => return Ok(Some((next as usize, at))),
                Some(Frame::Greedy { next, low, at }) => {
                    let at = self.previous(at);
                    if at > low {
                        self.push(Frame::Greedy { next, low, at })?;
                    }
                    return Ok(Some((next as usize, at)));
                }
                Some(Frame::Lazy { run, at, taken }) => {
                    let Instruction::Run { class, max, .. } =
                        &self.program.instructions[run as usize]
                    else {
                        continue;
                    };
                    let room = max.is_none_or(|max| taken < max);
                    if let (true, Some((character, after))) = (room, self.after(at))
                        && self.program.classes[*class].holds(character)
                    {
                        self.push(Frame::Lazy {
                            run,
                            at: after,
                            taken: taken + 1,
                        })?;
                        return Ok(Some((run as usize + 1, after)));
                    }
                }
                Some(Frame::Again { repeat, at }) => {
                    let Instruction::Repeat { register, max, .. } =
                        &self.program.instructions[repeat as usize]
                    else {
                        continue;
                    };
                    let Counter { count, last } = self.registers[*register];
                    if max.is_none_or(|max| count < max) && at != last {
                        self.count(*register, count.saturating_add(1), at)?;
                        return Ok(Some((repeat as usize + 1, at)));
                    }
                }
                _ => {}
            }
        }
        Ok(None)
    }

    fn push(&mut self, frame: Frame) -> Result<(), OutOfBudget> {
        if self.frames.len() == MOST_FRAMES {
            return Err(OutOfBudget);
        }
        self.frames.push(frame);
        Ok(())
    }

    fn count(&mut self, register: usize, count: u32, last: u32) -> Result<(), OutOfBudget> {
        let old = self.registers[register];
        self.push(Frame::Register {
            register: register as u32,
            old,
        })?;
        self.registers[register] = Counter { count, last };
        Ok(())
    }

    /// Takes a run of characters, as few or as many as its greed asks for first.
    fn run_of(
        &mut self,
        class: &Class,
        (run, min, max): (usize, u32, Option<u32>),
        greed: Greed,
        from: u32,
        meter: &mut Meter,
    ) -> Result<Option<u32>, OutOfBudget> {
        let lazy = greed == Greed::Lazy;
        let most = if lazy { Some(min) } else { max };
        let (mut at, mut taken, mut low) = (from, 0, from);
        while most.is_none_or(|most| taken < most) {
            let Some((character, after)) = self.after(at) else {
                break;
            };
            meter.take(match character.is_ascii() {
                true => CHARACTER,
                false => CHARACTER + BEYOND_ASCII,
            })?;
            if !class.holds(character) {
                break;
            }
            at = after;
            taken += 1;
            if taken == min {
                low = at;
            }
        }
        if taken < min {
            return Ok(None);
        }
        if lazy {
            self.push(Frame::Lazy {
                run: run as u32,
                at,
                taken,
            })?;
        } else if greed == Greed::Greedy && at > low {
            self.push(Frame::Greedy {
                next: run as u32 + 1,
                low,
                at,
            })?;
        }
        Ok(Some(at))
    }

    /// The character at a place and the place behind it.
    #[inline]
    fn after(&self, at: u32) -> Option<(char, u32)> {
        let byte = *self.text.as_bytes().get(at as usize)?;
        if byte.is_ascii() {
            return Some((char::from(byte), at + 1));
        }
        let character = self.text[at as usize..].chars().next()?;
        Some((character, at + character.len_utf8() as u32))
    }

    /// The place of the character before a place that is not the start.
    #[inline]
    fn previous(&self, at: u32) -> u32 {
        let mut at = at - 1;
        while !self.text.is_char_boundary(at as usize) {
            at -= 1;
        }
        at
    }

    /// The place `count` characters before `at`.
    fn before(&self, at: u32, count: u64, meter: &mut Meter) -> Result<Option<u32>, OutOfBudget> {
        if count > u64::from(at) {
            return Ok(None);
        }
        if self.text_is_ascii {
            return Ok(Some(at - count as u32));
        }
        meter.take(STEP / 2 * count)?;
        let mut place = at;
        for _ in 0..count {
            if place == 0 {
                return Ok(None);
            }
            place = self.previous(place);
        }
        Ok(Some(place))
    }

    /// The bounds of a group that took part.
    fn group(&self, group: usize) -> Option<(u32, u32)> {
        let start = *self.slots.get(2 * group)?;
        let end = *self.slots.get(2 * group + 1)?;
        (start != NOWHERE && end != NOWHERE && start <= end).then_some((start, end))
    }

    /// The end of the text of a group when it stands at `at` again.
    fn repeated(
        &self,
        group: usize,
        ignore_case: bool,
        at: u32,
        meter: &mut Meter,
    ) -> Result<Option<u32>, OutOfBudget> {
        let Some((start, end)) = self.group(group) else {
            return Ok(None);
        };
        let wanted = &self.text[start as usize..end as usize];
        let found = &self.text[at as usize..];
        if !ignore_case {
            meter.take(wanted.len() as u64)?;
            let same = found.starts_with(wanted);
            return Ok(same.then_some(at + (end - start)));
        }
        meter.take(wanted.len() as u64 * STEP)?;
        let mut rest = found.chars();
        for character in wanted.chars() {
            match rest.next() {
                Some(other) if lower_case(other) == lower_case(character) => {}
                _ => return Ok(None),
            }
        }
        Ok(Some((self.text.len() - rest.as_str().len()) as u32))
    }

    fn holds(&self, assertion: Assertion, at: u32) -> bool {
        let bytes = self.text.as_bytes();
        let place = at as usize;
        match assertion {
            Assertion::TextStart => place == 0,
            Assertion::TextEnd => place == bytes.len(),
            Assertion::LineStart => place == 0 || bytes[place - 1] == b'\n',
            Assertion::LineEnd => place == bytes.len() || bytes[place] == b'\n',
            Assertion::TextEndOrLastNewline => matches!(bytes[place..], [] | [b'\n']),
            Assertion::WordBoundary { ascii } => self.between_word_and_other(ascii, at),
            // Python finds no inner place in a text without any character.
            Assertion::NotWordBoundary { ascii } => {
                !bytes.is_empty() && !self.between_word_and_other(ascii, at)
            }
        }
    }

    fn between_word_and_other(&self, ascii: bool, at: u32) -> bool {
        let word = match ascii {
            true => &self.program.ascii_word,
            false => &self.program.word,
        };
        let before = (at > 0)
            .then(|| self.after(self.previous(at)))
            .flatten()
            .is_some_and(|(character, _)| word.holds(character));
        let after = self
            .after(at)
            .is_some_and(|(character, _)| word.holds(character));
        before != after
    }
}

/// The simple lower case, as Python compares repeated groups.
fn lower_case(character: char) -> char {
    character.to_lowercase().next().unwrap_or(character)
}
