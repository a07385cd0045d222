//! Prompts put together from texts that were assembled before. What a token prints is decided by the
//! item of its section, the entries and the slider's position that are rolled, and the list before
//! it. So it is assembled once for each item, and cut where the rolled entries and numbers stand.
//!
//! Left to the assembler: tokens whose text white space is cut from, as that depends on its
//! neighbours; look-ups by rolled text; and everything beyond a limit of memory.

use std::cell::OnceCell;

use promptdeck_python::text::is_space;
use smallvec::SmallVec;

use super::{
    HashedKey, MAX_PROMPT_BYTES, MAX_PROMPT_PIECES, PromptLimit, State,
    assembler::Assembler,
    choose::ItemSet,
    item_program::{FieldProgram, ListProgram},
    number,
    pick::Picker,
    render::Heading,
    roll_trace::RollTrace,
    route_program::{TokenForm, TokenTarget},
    segment::{Part, TextOrigin},
    trace::{RolledArray, SourceRef},
    writer::Writer,
};

/// The bytes of all texts of a cache, at most.
const MAX_BYTES: usize = 8 << 20;

/// Positions of a rolled slider.
const POSITIONS: usize = 10;

/// The texts that the tokens of a route print under a state.
#[derive(Default)]
pub(super) struct PrintCache<'e> {
    /// By token, and by the item of its section if that is rolled.
    tokens: Vec<Vec<Option<CachedToken<'e>>>>,
    /// The injections at the end, if they print anything.
    injections: OnceCell<Result<Option<u32>, PromptLimit>>,
    store: TextStore<'e>,
    /// The texts of the last prompt, each with its start.
    used: Vec<(usize, u32)>,
}

#[derive(Default)]
struct TextStore<'e> {
    texts: Vec<CachedText<'e>>,
    headings: Vec<Box<str>>,
    bytes: usize,
}

/// A text with its sources.
pub(super) struct CachedText<'e> {
    pub text: Box<str>,
    /// As in [`super::trace::Marks`].
    pub marks: Box<[(usize, Option<SourceRef<'e>>)]>,
}

enum CachedToken<'e> {
    /// It prints nothing, and the tokens around it do not notice it.
    Absent,
    Present(Box<TokenPrint<'e>>),
    /// It has to be assembled.
    Uncached,
}

struct TokenPrint<'e> {
    arrays: SmallVec<[CachedArray<'e>; 1]>,
    /// What it prints unless it is merged; nothing if it is blank.
    alone: Vec<Step<'e>>,
    /// The heading of the list that it leaves open.
    opens: Option<u32>,
    /// If it is a list that can be merged into an open one.
    merged: Option<MergedPrint<'e>>,
}

struct MergedPrint<'e> {
    /// The heading that the open list has to have; none if any will do.
    heading: Option<u32>,
    steps: Vec<Step<'e>>,
}

enum Step<'e> {
    Text(u32),
    /// The entry that the array rolled in that place.
    Entry {
        array: usize,
        place: usize,
        bulleted: bool,
    },
    Slider(Box<CachedSlider<'e>>),
}

/// An array whose entries are rolled.
struct CachedArray<'e> {
    rolled: RolledArray<'e>,
    list: &'e ListProgram,
    /// The source of its entries, but for the entry.
    source: SourceRef<'e>,
    /// The texts of its entries, plain and with bullets.
    texts: [Vec<EntryText>; 2],
}

#[derive(Clone, Copy)]
enum EntryText {
    /// Not assembled yet.
    Unknown,
    /// White space may be cut from it.
    Untidy,
    /// The number of the text.
    Cached(u32),
}

struct CachedSlider<'e> {
    source: SourceRef<'e>,
    /// By position, once known.
    texts: [Option<u32>; POSITIONS + 1],
}

/// What is rolled beside the arrays.
#[derive(Default)]
pub(super) struct Dice {
    /// Whether the item of a slot of the route is rolled.
    pub slots: Vec<bool>,
    /// The sections whose slider is rolled, with its position.
    pub sliders: Vec<(u32, u32)>,
}

impl<'e> PrintCache<'e> {
    /// Appends the prompt of an assembler's choices to an empty text, and records the arrays rolled.
    /// Returns whether it could; if not, both have to be cleared.
    pub fn print(
        &mut self,
        assembler: &Assembler<'e, 'e, State>,
        dice: &Dice,
        text: &mut String,
        trace: &mut RollTrace<'e>,
    ) -> bool {
        let route = assembler.route;
        self.used.clear();
        self.tokens.resize_with(route.tokens.len(), Vec::new);
        let mut previous_section = None;
        let mut open_list = None;
        let mut pieces = 0;
        for ((token, cached), position) in route.tokens.iter().zip(&mut self.tokens).zip(0..) {
            let Ok(target) = &token.target else {
                continue;
            };
            let is_rolled = dice.slots[target.slot as usize];
            let item = match assembler.choices[target.slot as usize].chosen {
                ItemSet::Single(item) if is_rolled => item as usize,
                _ => 0,
            };
            if cached.is_empty() {
                let items = assembler.program(target.section).len();
                cached.resize_with(if is_rolled { items.max(1) } else { 1 }, || None);
            }
            let cached = match &mut cached[item] {
                Some(cached) => cached,
                None if self.store.bytes > MAX_BYTES => return false,
                missing @ None => {
                    let cached = self.store.token(assembler, dice, position, target);
                    missing.insert(cached.unwrap_or(CachedToken::Uncached))
                }
            };
            let TokenPrint {
                arrays,
                alone,
                opens,
                merged,
            } = match cached {
                CachedToken::Absent => continue,
                CachedToken::Present(print) => &mut **print,
                CachedToken::Uncached => return false,
            };
            let first_array = trace.arrays.len();
            for array in &*arrays {
                let total = array.list.entries.len();
                let mut picker = Picker::new(assembler.seed, array.list.pick);
                let entries = picker.sample(u64::from(array.rolled.rolled), total);
                trace.roll(array.rolled, &entries);
            }
            let is_merged = |merged: &&mut MergedPrint<'e>| {
                open_list.is_some_and(|open| merged.heading.is_none_or(|heading| heading == open))
            };
            let steps = match merged.as_mut().filter(is_merged) {
                Some(merged) => &mut merged.steps,
                None => {
                    open_list = None;
                    if alone.is_empty() {
                        continue;
                    }
                    if let Some(section) = previous_section {
                        text.push_str(glue(section == target.section));
                    }
                    previous_section = Some(target.section);
                    open_list = *opens;
                    alone
                }
            };
            for step in steps {
                let number = match step {
                    Step::Text(number) => Some(*number),
                    Step::Entry {
                        array,
                        place,
                        bulleted,
                    } => {
                        let (_, range) = &trace.arrays[first_array + *array];
                        let entry = trace.decisions[range.start + *place];
                        arrays[*array].text(entry, *bulleted, assembler, &mut self.store)
                    }
                    Step::Slider(slider) => slider.text(dice, &mut self.store),
                };
                let Some(number) = number else {
                    return false;
                };
                self.used.push((text.len(), number));
                let cached = &self.store.texts[number as usize];
                text.push_str(&cached.text);
                pieces += cached.marks.len();
            }
            // The assembly decides whether it is too large.
            if text.len() > MAX_PROMPT_BYTES || pieces > MAX_PROMPT_PIECES {
                return false;
            }
        }
        if !route.places_injections && assembler.injections.is_some() {
            let injections = *self
                .injections
                .get_or_init(|| self.store.injections(assembler));
            let Ok(injections) = injections else {
                return false;
            };
            if let Some(number) = injections {
                if !text.is_empty() {
                    text.push_str("\n\n");
                }
                self.used.push((text.len(), number));
                text.push_str(&self.store.texts[number as usize].text);
            }
        }
        true
    }

    /// Forgets the last prompt.
    pub fn clear(&mut self) {
        self.used.clear();
    }

    /// The texts of the last prompt, each with its start and number.
    pub fn used(
        &self,
    ) -> impl DoubleEndedIterator<Item = (usize, usize, &CachedText<'e>)> + ExactSizeIterator + Clone
    {
        let numbers = self.used.iter();
        numbers.map(|(start, number)| {
            let number = *number as usize;
            (*start, number, &self.store.texts[number])
        })
    }
}

/// What joins the texts of two tokens.
fn glue(same_section: bool) -> &'static str {
    if same_section { "\n" } else { "\n\n" }
}

impl<'e> TextStore<'e> {
    /// Assembles a token on its own. `None` if what it prints is decided by more than its dice.
    fn token(
        &mut self,
        assembler: &Assembler<'e, 'e, State>,
        dice: &Dice,
        position: u32,
        target: &'e TokenTarget,
    ) -> Option<CachedToken<'e>> {
        let section = target.section;
        let injections = assembler.injections.as_ref();
        if injections.is_some_and(|injections| !injections.admits(section)) {
            return Some(CachedToken::Absent);
        }
        let mut rolls = RollTrace::default();
        let resolved = assembler.resolve(target, &mut &mut rolls);
        let looks_up_rolled = match &target.form {
            TokenForm::Bracket(Ok(inner)) => !rolls.arrays.is_empty() || !dice.decide_no(inner),
            _ => false,
        };
        if !rolls.incomplete.is_empty() || looks_up_rolled {
            return None;
        }
        let Ok(found) = resolved else {
            // Another entry may not be blank.
            return rolls.arrays.is_empty().then_some(CachedToken::Absent);
        };
        let program = assembler.program(section);
        let mut arrays = SmallVec::new();
        for (rolled, _) in &rolls.arrays {
            arrays.push(CachedArray::new(*rolled, assembler, target, position)?);
        }
        let mut text = String::new();
        let mut marks = RollTrace::default();
        let mut writer = Writer::new(&mut text, &mut marks);
        let heading = assembler.write(section, Some(position), &found, &mut writer);
        if writer.exceeded().is_some() || !is_tidy(&text) {
            return None;
        }
        let alone = self.cut(&text, &marks, &rolls, dice)?;
        let never_merges = assembler.never_merges(section);
        let opens = match heading {
            Some(Heading::Printed(range)) if !range.is_empty() && !never_merges => {
                Some(self.heading(&text[range]))
            }
            _ => None,
        };
        let mut merged = None;
        if found.is_list() && !never_merges {
            let mut text = String::new();
            let mut marks = RollTrace::default();
            let mut writer = Writer::new(&mut text, &mut marks);
            assembler.merge_list(section, Some(position), &found, &mut writer);
            if writer.exceeded().is_some() {
                return None;
            }
            // It begins with the end of the line before.
            if !is_tidy(text.strip_prefix('\n')?) {
                return None;
            }
            let heading = assembler.list_heading(&found);
            let heading = heading.map(|heading| {
                let printed: String = assembler.printed(program, heading).collect();
                self.heading(&printed)
            });
            let steps = self.cut(&text, &marks, &rolls, dice)?;
            merged = Some(MergedPrint { heading, steps });
        }
        Some(CachedToken::Present(Box::new(TokenPrint {
            arrays,
            alone,
            opens,
            merged,
        })))
    }

    /// The injections on their own.
    fn injections(
        &mut self,
        assembler: &Assembler<'e, 'e, State>,
    ) -> Result<Option<u32>, PromptLimit> {
        let mut text = String::new();
        let mut marks = RollTrace::default();
        let mut writer = Writer::new(&mut text, &mut marks);
        assembler.inject(&mut writer);
        if let Some(limit) = writer.exceeded() {
            return Err(limit);
        }
        Ok((!text.is_empty()).then(|| self.add(&text, marks.marks.0)))
    }

    /// Cuts a text where its rolled entries and numbers stand.
    fn cut(
        &mut self,
        text: &str,
        marks: &RollTrace<'e>,
        rolls: &RollTrace<'e>,
        dice: &Dice,
    ) -> Option<Vec<Step<'e>>> {
        let mut steps = Vec::new();
        let mut fixed = Vec::new();
        let mut fixed_start = 0;
        let mut start = 0;
        // The array and the entry of the last piece.
        let mut last_entry = None;
        for (end, source) in &marks.marks.0 {
            let rolled = source.as_ref().and_then(|source| {
                let is_own = |array: &RolledArray<'_>| {
                    array.item == source.item && array.field == source.field
                };
                let array = rolls.arrays.iter().position(|(array, _)| is_own(array))?;
                Some((array, source.entry?, source.origin == TextOrigin::Bullet))
            });
            let slider = source.filter(|source| {
                source.origin == TextOrigin::Slider && dice.position(source.section).is_some()
            });
            if rolled.is_none() && slider.is_none() {
                fixed.push((*end - fixed_start, *source));
                start = *end;
                last_entry = None;
                continue;
            }
            if fixed_start < start {
                let number = self.add(&text[fixed_start..start], std::mem::take(&mut fixed));
                steps.push(Step::Text(number));
            }
            fixed.clear();
            (fixed_start, start) = (*end, *end);
            if let Some(source) = slider {
                let texts = [None; POSITIONS + 1];
                steps.push(Step::Slider(Box::new(CachedSlider { source, texts })));
            }
            if let Some((array, entry, bulleted)) = rolled
                && last_entry != Some((array, entry))
            {
                last_entry = Some((array, entry));
                let (_, range) = &rolls.arrays[array];
                let mut entries = rolls.decisions[range.clone()].iter();
                let place = entries.position(|rolled| *rolled == entry)?;
                steps.push(Step::Entry {
                    array,
                    place,
                    bulleted,
                });
            }
        }
        if fixed_start < text.len() {
            steps.push(Step::Text(self.add(&text[fixed_start..], fixed)));
        }
        Some(steps)
    }

    fn add(&mut self, text: &str, marks: Vec<(usize, Option<SourceRef<'e>>)>) -> u32 {
        self.bytes += text.len() + std::mem::size_of_val(&*marks);
        self.texts.push(CachedText {
            text: text.into(),
            marks: marks.into(),
        });
        self.texts.len() as u32 - 1
    }

    /// The number of a heading: equal headings have the same.
    fn heading(&mut self, heading: &str) -> u32 {
        let known = self.headings.iter().position(|known| **known == *heading);
        let number = known.unwrap_or_else(|| {
            self.headings.push(heading.into());
            self.headings.len() - 1
        });
        number as u32
    }
}

impl<'e> CachedArray<'e> {
    fn new(
        rolled: RolledArray<'e>,
        assembler: &Assembler<'e, 'e, State>,
        target: &TokenTarget,
        position: u32,
    ) -> Option<Self> {
        let item = assembler.program(target.section).item(rolled.item);
        let (_, FieldProgram::List(list)) = item.field(&HashedKey::new(rolled.field))? else {
            return None;
        };
        let source = SourceRef {
            token: Some(position),
            section: target.section,
            item: rolled.item,
            field: rolled.field,
            part: Part::Entry,
            entry: None,
            fragment: None,
            variable: None,
            origin: TextOrigin::Bullet,
        };
        Some(Self {
            rolled,
            list,
            source,
            texts: [Vec::new(), Vec::new()],
        })
    }

    /// The number of the text of an entry.
    fn text(
        &mut self,
        entry: u32,
        bulleted: bool,
        assembler: &Assembler<'e, 'e, State>,
        store: &mut TextStore<'e>,
    ) -> Option<u32> {
        let texts = &mut self.texts[usize::from(bulleted)];
        if texts.is_empty() {
            texts.resize(self.list.entries.len(), EntryText::Unknown);
        }
        match texts[entry as usize] {
            EntryText::Cached(number) => return Some(number),
            EntryText::Untidy => return None,
            EntryText::Unknown => {}
        }
        let source = SourceRef {
            entry: Some(entry),
            ..self.source
        };
        let mut text = String::new();
        let mut marks = RollTrace::default();
        let mut writer = Writer::new(&mut text, &mut marks);
        if bulleted {
            writer.push("- ", source);
        }
        let start = writer.len();
        assembler.text(&self.list.entries[entry as usize], source, &mut writer);
        if writer.exceeded().is_some() || !is_tidy(&text[start..]) || text.len() == start {
            texts[entry as usize] = EntryText::Untidy;
            return None;
        }
        let number = store.add(&text, marks.marks.0);
        texts[entry as usize] = EntryText::Cached(number);
        Some(number)
    }
}

impl<'e> CachedSlider<'e> {
    /// The number of the text of the position rolled.
    fn text(&mut self, dice: &Dice, store: &mut TextStore<'e>) -> Option<u32> {
        let position = dice.position(self.source.section)?;
        let known = self.texts.get_mut(position as usize)?;
        Some(*known.get_or_insert_with(|| {
            let text = number::truncated(f64::from(position));
            store.add(&text, vec![(text.len(), Some(self.source))])
        }))
    }
}

impl Dice {
    /// The position of a rolled slider.
    fn position(&self, section: u32) -> Option<u32> {
        let mut sliders = self.sliders.iter();
        sliders
            .find(|(rolled, _)| *rolled == section)
            .map(|(_, position)| *position)
    }

    /// Whether neither the items nor the sliders that a token is printed from are rolled.
    fn decide_no(&self, target: &TokenTarget) -> bool {
        let inner = match &target.form {
            TokenForm::Bracket(Ok(inner)) => self.decide_no(inner),
            _ => true,
        };
        inner && !self.slots[target.slot as usize] && self.position(target.section).is_none()
    }
}

/// Whether a text remains whole wherever it stands between others: no white space is cut from its
/// ends, and no line break from its middle.
fn is_tidy(text: &str) -> bool {
    !text.starts_with(is_space) && !text.ends_with(is_space) && !text.contains("\n\n\n")
}
