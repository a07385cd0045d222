//! The texts that a template can become, with their weights, up to a bound.

use std::collections::BTreeMap;

use super::{
    Wildcards,
    spot::{SourceText, Spot},
    syntax::{Choice, Node, Piece, Wildcard, parse},
};
use crate::{
    import::{ConversionStatus, text_input::fault},
    registry::{MAX_WEIGHT, ParseCode, ParseError, Position},
};

/// Maximum number of texts of a section.
pub(super) const MAX_TEXTS: usize = 1000;

/// Maximum total size of the texts of a section, in bytes.
pub(super) const MAX_BYTES: usize = 4 << 20;

/// Maximum number of pieces expanded for a section, which bounds wildcards that include others.
const MAX_STEPS: usize = 200_000;

/// Number of bytes of a value that count as one piece.
const STEP_BYTES: usize = 64;

/// Maximum depth at which wildcards include each other.
const MAX_OPEN: usize = 32;

/// The texts of a template.
#[derive(Debug, PartialEq)]
pub(super) enum Expansion {
    /// Every text with its weight; the weights sum up to 1.
    All(Vec<(String, f64)>),
    /// More texts than a section may have.
    TooMany,
}

/// A remark for the report.
#[derive(Debug)]
pub(super) struct Remark {
    pub status: ConversionStatus,
    pub message: String,
    pub place: Option<Position>,
}

/// Expands templates.
pub(super) struct Expander<'w> {
    wildcards: &'w Wildcards,
    /// The wildcards that are being expanded, outermost first.
    open: Vec<String>,
    /// Where the template refers to the outermost of them.
    reference: Option<Position>,
    steps: usize,
    /// What is the same in several places is remarked at the first.
    remarks: BTreeMap<String, Remark>,
}

/// Like `?` for expansions.
macro_rules! all {
    ($expansion:expr) => {
        match $expansion {
            Expansion::All(texts) => texts,
            Expansion::TooMany => return Ok(Expansion::TooMany),
        }
    };
}

impl<'w> Expander<'w> {
    pub fn new(wildcards: &'w Wildcards) -> Self {
        Self {
            wildcards,
            open: Vec::new(),
            reference: None,
            steps: 0,
            remarks: BTreeMap::new(),
        }
    }

    /// Begins a section.
    pub fn begin(&mut self) {
        self.steps = 0;
    }

    /// Adds a remark for the report: what prints as written.
    pub fn remark(&mut self, spot: &Spot, remark: String) {
        self.remark_as(ConversionStatus::NotSupported, spot, remark);
    }

    fn remark_as(&mut self, status: ConversionStatus, spot: &Spot, note: String) {
        let reference = self.reference;
        self.remarks.entry(note).or_insert_with_key(|note| {
            let (message, place) = spot.located(note.clone(), reference);
            Remark {
                status,
                message,
                place,
            }
        });
    }

    /// The remarks since the last call.
    pub fn remarks(&mut self) -> impl Iterator<Item = Remark> {
        std::mem::take(&mut self.remarks).into_values()
    }

    /// An error about what is at a spot.
    pub fn error(&self, spot: &Spot, error: ParseError) -> ParseError {
        let (message, place) = spot.located(error.message, self.reference);
        ParseError {
            message,
            place,
            ..error
        }
    }

    /// The texts of consecutive pieces.
    pub fn sequence(
        &mut self,
        pieces: &[Piece<'_>],
        source: SourceText<'_>,
    ) -> Result<Expansion, ParseError> {
        let mut texts = vec![(String::new(), 1.0)];
        for Piece { at, node } in pieces {
            self.steps += 1;
            if self.steps > MAX_STEPS {
                return Ok(Expansion::TooMany);
            }
            let next = match node {
                Node::Text(text) => vec![((*text).to_owned(), 1.0)],
                Node::Unread(text) => {
                    self.remark(&source.spot(*at), format!("{text} prints as written"));
                    vec![((*text).to_owned(), 1.0)]
                }
                Node::Unpaired(brace) => {
                    self.unpaired(brace, &source.spot(*at));
                    vec![((*brace).to_owned(), 1.0)]
                }
                Node::Choice(choice) => {
                    self.sampler(choice.sampler, &source.spot(*at));
                    all!(self.choice(choice, source)?)
                }
                Node::Wildcard(wildcard) => {
                    all!(self.wildcard(*wildcard, &source.spot(*at))?)
                }
            };
            texts = all!(product(&texts, &next));
        }
        Ok(Expansion::All(texts))
    }

    /// Remarks a brace without its counterpart.
    pub fn unpaired(&mut self, brace: &str, spot: &Spot) {
        let reason = match brace {
            "{" => "is not closed",
            _ => "closes nothing",
        };
        self.remark(spot, format!("{brace} {reason} and prints as written"));
    }

    /// Remarks a sampler that does not pick at random.
    fn sampler(&mut self, mark: Option<char>, spot: &Spot) {
        let name = match mark {
            Some('@') => "cyclical",
            Some('!') => "combinatorial",
            _ => return,
        };
        let mark = mark.unwrap_or_default();
        let note =
            format!("{mark}, the {name} sampler, is not supported: the seed picks at random");
        self.remark(spot, note);
    }

    /// The texts of a wildcard by the weights of its values; `spot` refers to it.
    pub fn wildcard(
        &mut self,
        Wildcard { name, sampler }: Wildcard<'_>,
        spot: &Spot,
    ) -> Result<Expansion, ParseError> {
        let values = self.wildcards.find(name);
        if values.is_empty() {
            let mark = sampler.map(String::from).unwrap_or_default();
            let note = format!("there is no wildcard {name}: __{mark}{name}__ prints as written");
            self.remark(spot, note);
            return Ok(Expansion::All(vec![(format!("__{mark}{name}__"), 1.0)]));
        }
        self.sampler(sampler, spot);
        if let Some(first) = self.open.iter().position(|open| open == name) {
            let mut path = self.open[first..].to_vec();
            path.push(name.to_owned());
            let message = format!(
                "the wildcard {name} includes itself ({}); remove one of the references",
                path.join(", ")
            );
            return Err(self.error(spot, fault(ParseCode::TooDeep, message, None)));
        }
        if self.open.len() >= MAX_OPEN {
            let message = format!("the wildcard {name} nests deeper than {MAX_OPEN} wildcards");
            return Err(self.error(spot, fault(ParseCode::TooDeep, message, None)));
        }
        // A name that matches no wildcard exactly is compared with all of them.
        self.steps += if self.wildcards.values(name).is_some() {
            1
        } else {
            self.wildcards.len()
        };
        if values.len() > MAX_TEXTS {
            return Ok(Expansion::TooMany);
        }
        if self.open.is_empty() && spot.file.is_none() {
            self.reference = spot.position;
        }
        self.open.push(name.to_owned());
        if let Some(value) = values.iter().find(|value| value.weight_of_text_file) {
            let note = format!(
                "numbers before :: in the lines of {name} are read as weights; sd-dynamic-prompts \
                 reads weights in YAML and JSON files only and prints these"
            );
            let spot = value.source.spot(&value.text, 0);
            self.remark_as(ConversionStatus::Ambiguous, &spot, note);
        }
        let total: f64 = values.iter().map(|value| value.weight).sum();
        let share = |weight: f64| match total > 0.0 {
            true => weight / total,
            false => 1.0 / values.len() as f64,
        };
        let mut texts = Vec::new();
        let mut too_many = false;
        for value in &values {
            self.steps += value.text.len() / STEP_BYTES;
            if self.steps > MAX_STEPS {
                too_many = true;
                break;
            }
            // The rest is read all the same: it may include the wildcard itself.
            let weight = share(value.weight);
            let source = SourceText {
                text: &value.text,
                begin: 0,
                source: &value.source,
            };
            let pieces = parse(&value.text)
                .map_err(|deep| self.error(&source.spot(deep.at), deep.into()))?;
            match self.sequence(&pieces, source)? {
                Expansion::All(alternatives) if !too_many => {
                    texts.extend(
                        alternatives
                            .into_iter()
                            .map(|(text, part)| (text, part * weight)),
                    );
                    too_many = !fits(&texts);
                }
                _ => too_many = true,
            }
        }
        self.open.pop();
        if self.open.is_empty() {
            self.reference = None;
        }
        Ok(match too_many {
            true => Expansion::TooMany,
            false => Expansion::All(texts),
        })
    }

    /// The values of a piece that is not expanded, as written: the options of a choice, the values of a
    /// wildcard. `room` is how many bytes of them fit, and is reduced. What does not fit is remarked.
    pub fn unexpanded(&mut self, node: &Node<'_>, spot: &Spot, room: &mut usize) -> Vec<String> {
        let (values, of): (Vec<&str>, _) = match node {
            Node::Choice(choice) => {
                let texts = choice.options.iter().zip(&choice.texts);
                let picked = texts.filter(|((weight, _), _)| *weight > 0.0);
                (
                    picked.map(|(_, text)| *text).collect(),
                    "a choice".to_owned(),
                )
            }
            Node::Wildcard(wildcard) => {
                let values = self.wildcards.find(wildcard.name);
                let texts = values.into_iter().map(|value| value.text.as_str());
                (texts.collect(), wildcard.name.to_owned())
            }
            Node::Text(text) | Node::Unread(text) | Node::Unpaired(text) => {
                return vec![(*text).to_owned()];
            }
        };
        let all = values.len();
        let mut fitting = Vec::new();
        for value in values.into_iter().take(MAX_TEXTS) {
            let Some(left) = room.checked_sub(value.len()) else {
                break;
            };
            *room = left;
            fitting.push(value.to_owned());
        }
        let missing = match all - fitting.len() {
            0 => String::new(),
            missing => format!("; {missing} of {all} do not fit and are left out"),
        };
        self.remark(
            spot,
            format!("{of} has too many combinations: its values print as written{missing}"),
        );
        fitting
    }

    fn choice(
        &mut self,
        choice: &Choice<'_>,
        source: SourceText<'_>,
    ) -> Result<Expansion, ParseError> {
        for (at, number) in &choice.invalid_weights {
            let note = format!(
                "{number}:: is not a weight, which is a number from 0, and prints as written"
            );
            self.remark(&source.spot(*at), note);
        }
        let total: f64 = choice.options.iter().map(|(weight, _)| weight).sum();
        if total <= 0.0 {
            return Ok(Expansion::All(vec![(String::new(), 1.0)]));
        }
        let mut options = Vec::new();
        for (weight, pieces) in choice.options.iter().filter(|(weight, _)| *weight > 0.0) {
            options.push((weight / total, all!(self.sequence(pieces, source)?)));
        }
        // Several values of one wildcard, without repetition.
        if let ([(_, pieces)], [(_, texts)]) = (choice.options.as_slice(), options.as_slice())
            && let [Piece { node, .. }] = pieces.as_slice()
            && matches!(node, Node::Wildcard(_))
            && choice.count != (1, 1)
        {
            let values = texts.clone();
            options = values
                .into_iter()
                .map(|(text, weight)| (weight, vec![(text, 1.0)]))
                .collect();
        }
        let most = choice.count.1.min(options.len());
        let least = choice.count.0.min(most);
        let mut texts = Vec::new();
        for count in least..=most {
            let share = 1.0 / (most - least + 1) as f64;
            for (text, weight) in all!(self.take(&options, count, choice.separator)) {
                texts.push((text, weight * share));
            }
            if !fits(&texts) {
                return Ok(Expansion::TooMany);
            }
        }
        Ok(Expansion::All(texts))
    }

    /// The texts of that many options in sequence, without repetition.
    fn take(
        &mut self,
        options: &[(f64, Vec<(String, f64)>)],
        count: usize,
        separator: &str,
    ) -> Expansion {
        // The options taken so far, the text and the weight.
        let mut rows: Vec<(Vec<usize>, String, f64)> = vec![(Vec::new(), String::new(), 1.0)];
        for _ in 0..count {
            let mut next = Vec::new();
            let mut bytes = 0;
            for (taken, text, weight) in &rows {
                let left: f64 = (0..options.len())
                    .filter(|index| !taken.contains(index))
                    .map(|index| options[index].0)
                    .sum();
                for (index, (share, texts)) in options.iter().enumerate() {
                    self.steps += 1;
                    if taken.contains(&index) {
                        continue;
                    }
                    for (alternative, part) in texts {
                        let mut taken = taken.clone();
                        taken.push(index);
                        let glue = if taken.len() > 1 { separator } else { "" };
                        let text = format!("{text}{glue}{alternative}");
                        bytes += text.len();
                        next.push((taken, text, weight * share / left * part));
                        if !in_bounds(next.len(), bytes) || self.steps > MAX_STEPS {
                            return Expansion::TooMany;
                        }
                    }
                }
            }
            rows = next;
        }
        let texts = rows.into_iter().map(|(_, text, weight)| (text, weight));
        Expansion::All(texts.collect())
    }
}

/// Each text of one list followed by each of another.
fn product(one: &[(String, f64)], other: &[(String, f64)]) -> Expansion {
    let bytes = |texts: &[(String, f64)]| texts.iter().map(|(text, _)| text.len()).sum::<usize>();
    let count = one.len().saturating_mul(other.len());
    let size = (bytes(one).saturating_mul(other.len()))
        .saturating_add(bytes(other).saturating_mul(one.len()));
    if !in_bounds(count, size) {
        return Expansion::TooMany;
    }
    let pairs = one.iter().flat_map(|(first, weight)| {
        other
            .iter()
            .map(move |(second, part)| (format!("{first}{second}"), weight * part))
    });
    Expansion::All(pairs.collect())
}

fn fits(texts: &[(String, f64)]) -> bool {
    let bytes = texts.iter().map(|(text, _)| text.len()).sum();
    in_bounds(texts.len(), bytes)
}

/// Whether a section may have that many texts of that size together. A single one is as long as it is.
fn in_bounds(count: usize, bytes: usize) -> bool {
    count <= MAX_TEXTS && (count < 2 || bytes <= MAX_BYTES)
}

/// The texts with the weights of their items: whole numbers if small ones can say it, else the least
/// is 1.
pub(super) fn weights(texts: Vec<(String, f64)>) -> Vec<(String, f64)> {
    let least = texts
        .iter()
        .map(|(_, weight)| *weight)
        .filter(|weight| *weight > 0.0)
        .fold(f64::INFINITY, f64::min);
    if least.is_infinite() {
        return texts.into_iter().map(|(text, _)| (text, 1.0)).collect();
    }
    let whole = (1..=20).find_map(|factor| {
        let whole = |(_, weight): &(String, f64)| {
            let multiple = weight / least * f64::from(factor);
            let whole = multiple.round();
            ((multiple - whole).abs() < 1e-6 && whole <= MAX_WEIGHT).then_some(whole)
        };
        texts.iter().map(whole).collect::<Option<Vec<f64>>>()
    });
    let relative = || {
        let relative = texts.iter().map(|(_, weight)| weight / least);
        relative.map(|weight| ((weight * 1e6).round() / 1e6).min(MAX_WEIGHT))
    };
    let weights = whole.unwrap_or_else(|| relative().collect());
    let texts = texts.into_iter().map(|(text, _)| text);
    texts.zip(weights).collect()
}
