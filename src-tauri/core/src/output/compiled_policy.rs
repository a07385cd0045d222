//! The output policy compiled: `clean`, then `validate`.
//!
//! Compiled once per registry and route, then applied to any number of texts.

use std::borrow::Cow;

use promptdeck_pattern::{CompileBudget, Pattern, PatternError, SearchBudget, SearchLimit};
use promptdeck_python::{
    repr,
    text::{lstrip, rstrip, strip},
};
use serde::Serialize;
use thiserror::Error;

use super::{policy::OutputPolicy, whitespace::collapse};

/// A policy with a pattern that does not compile.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{field}[{index}] {pattern:?}: {error}")]
pub struct PolicyFault {
    /// The policy field that holds the pattern.
    pub field: &'static str,
    /// Its index there, from 0.
    pub index: usize,
    /// The pattern as written.
    pub pattern: String,
    /// What is wrong with it.
    #[source]
    pub error: PatternError,
}

impl PolicyFault {
    /// The stable code of this error.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.error.code()
    }
}

/// The result of a policy for one text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// The cleaned text.
    pub text: String,
    /// Whether the cleaned text passes.
    pub accepted: bool,
    /// The first rule that it breaks, when it does not.
    pub reason: Option<String>,
}

/// An output policy with its patterns compiled.
///
/// ```
/// use promptdeck_core::output::{CompiledPolicy, OutputPolicy};
///
/// let policy = CompiledPolicy::new(OutputPolicy {
///     strip_prefixes: vec!["Answer:".to_owned()],
///     forbidden_substrings: vec!["as an AI".to_owned()],
///     ..OutputPolicy::default()
/// })?;
/// let verdict = policy.apply("answer:  Well  played. ")?;
/// assert_eq!((verdict.text.as_str(), verdict.accepted), ("Well played.", true));
///
/// let verdict = policy.apply("I can't, as an AI.")?;
/// assert_eq!(verdict.reason.as_deref(), Some("forbidden substring: 'as an AI'"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct CompiledPolicy {
    policy: OutputPolicy,
    prefixes: Vec<Prefix>,
    strip: Vec<Pattern>,
    forbidden: Vec<Pattern>,
    required: Vec<Pattern>,
}

impl CompiledPolicy {
    /// Compiles the patterns of `policy`.
    ///
    /// # Errors
    ///
    /// The first pattern that does not compile.
    pub fn new(policy: OutputPolicy) -> Result<Self, PolicyFault> {
        let mut faults = Vec::new();
        let compiled = Self::with_faults(policy, &mut faults);
        match faults.into_iter().next() {
            None => Ok(compiled),
            Some(fault) => Err(fault),
        }
    }

    /// Lists every pattern of `policy` that does not compile, in the order of the fields.
    #[must_use]
    pub fn faults(policy: &OutputPolicy) -> Vec<PolicyFault> {
        let mut faults = Vec::new();
        Self::with_faults(policy.clone(), &mut faults);
        faults
    }

    fn with_faults(policy: OutputPolicy, faults: &mut Vec<PolicyFault>) -> Self {
        let mut budget = CompileBudget::default();
        let mut compile =
            |field, patterns: &[String], compile_pattern: CompileFn| -> Vec<Pattern> {
                let mut compiled = Vec::new();
                for (index, pattern) in patterns.iter().enumerate() {
                    if pattern.is_empty() {
                        continue;
                    }
                    match compile_pattern(pattern, &mut budget) {
                        Ok(pattern) => compiled.push(pattern),
                        Err(error) => faults.push(PolicyFault {
                            field,
                            index,
                            pattern: pattern.clone(),
                            error,
                        }),
                    }
                }
                compiled
            };
        Self {
            strip: compile(
                "strip_patterns",
                &policy.strip_patterns,
                Pattern::for_removal_within,
            ),
            forbidden: compile(
                "forbidden_patterns",
                &policy.forbidden_patterns,
                Pattern::for_search_within,
            ),
            required: compile(
                "require_patterns",
                &policy.require_patterns,
                Pattern::for_search_within,
            ),
            prefixes: policy
                .strip_prefixes
                .iter()
                .map(|prefix| Prefix::new(prefix))
                .collect(),
            policy,
        }
    }

    /// The policy as parsed.
    #[must_use]
    pub fn policy(&self) -> &OutputPolicy {
        &self.policy
    }

    /// Cleans a text and validates the result. All patterns share one budget.
    ///
    /// # Errors
    ///
    /// [`SearchLimit`] if a pattern exceeds the search budget on this text.
    pub fn apply(&self, text: &str) -> Result<Verdict, SearchLimit> {
        self.verdict(text, &never)
    }

    /// As [`CompiledPolicy::apply`], but returns `None` once `is_cancelled` returns true; it is called
    /// before each pattern.
    ///
    /// # Errors
    ///
    /// [`SearchLimit`] if a pattern exceeds the search budget on this text.
    pub fn apply_unless(
        &self,
        text: &str,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<Option<Verdict>, SearchLimit> {
        let verdict = self.verdict(text, is_cancelled)?;
        Ok((!is_cancelled()).then_some(verdict))
    }

    fn verdict(&self, text: &str, is_cancelled: IsCancelled<'_>) -> Result<Verdict, SearchLimit> {
        let mut budget = SearchBudget::default();
        let text = self.clean_within(text, &mut budget, is_cancelled)?;
        let reason = self.validate_within(&text, &mut budget, is_cancelled)?;
        Ok(Verdict {
            accepted: reason.is_none(),
            text,
            reason,
        })
    }

    /// Strips, collapses and cuts a text by the policy, and appends its suffix.
    ///
    /// # Errors
    ///
    /// [`SearchLimit`] if a pattern exceeds the search budget on this text.
    pub fn clean(&self, text: &str) -> Result<String, SearchLimit> {
        self.clean_within(text, &mut SearchBudget::default(), &never)
    }

    /// The result is meaningless if cancelled.
    fn clean_within(
        &self,
        text: &str,
        budget: &mut SearchBudget,
        is_cancelled: IsCancelled<'_>,
    ) -> Result<String, SearchLimit> {
        let rest = self.strip_prefixes(text, budget)?;
        let mut text = rest.to_owned();
        for pattern in self.strip.iter().take_while(|_| !is_cancelled()) {
            if let Cow::Owned(shorter) = pattern.remove_all_within(&text, budget)? {
                text = shorter;
            }
        }
        let mut cleaned = if self.policy.collapse_whitespace {
            strip(&collapse(strip(&text))).to_owned()
        } else {
            strip(&text).to_owned()
        };
        if let Some(end) = self
            .policy
            .max_length
            .and_then(|most| byte_offset(&cleaned, most))
        {
            cleaned.truncate(rstrip(&cleaned[..end]).len());
        }
        if let Some(suffix) = self
            .policy
            .append_suffix
            .as_deref()
            .filter(|s| !s.is_empty())
        {
            cleaned.push_str(suffix);
            cleaned = strip(&cleaned).to_owned();
        }
        Ok(cleaned)
    }

    fn strip_prefixes<'t>(
        &self,
        text: &'t str,
        budget: &mut SearchBudget,
    ) -> Result<&'t str, SearchLimit> {
        let mut rest = text;
        // Trimmed once, not once for each prefix that is not there.
        let mut start = lstrip(rest);
        for prefix in &self.prefixes {
            if let Some(stripped) = prefix.strip_from(start, budget)? {
                rest = stripped;
                start = lstrip(rest);
            }
        }
        Ok(rest)
    }

    /// Returns a message about the first rule that a cleaned text breaks, or `None` if it passes.
    ///
    /// # Errors
    ///
    /// [`SearchLimit`] if a pattern exceeds the search budget on this text.
    pub fn validate(&self, text: &str) -> Result<Option<String>, SearchLimit> {
        self.validate_within(text, &mut SearchBudget::default(), &never)
    }

    fn validate_within(
        &self,
        text: &str,
        budget: &mut SearchBudget,
        is_cancelled: IsCancelled<'_>,
    ) -> Result<Option<String>, SearchLimit> {
        let length = text.chars().count() as u64;
        if let Some(least) = self.policy.min_length.filter(|least| length < *least) {
            return Ok(Some(format!("too short (<{least})")));
        }
        if let Some(most) = self.policy.max_length.filter(|most| length > *most) {
            return Ok(Some(format!("too long (>{most})")));
        }
        for forbidden in &self.policy.forbidden_substrings {
            if !forbidden.is_empty() && text.contains(forbidden.as_str()) {
                return Ok(Some(format!(
                    "forbidden substring: {}",
                    repr::text(forbidden)
                )));
            }
        }
        for pattern in self.forbidden.iter().take_while(|_| !is_cancelled()) {
            if pattern.is_match_within(text, budget)? {
                let pattern = repr::text(pattern.source());
                return Ok(Some(format!("forbidden pattern: {pattern}")));
            }
        }
        for pattern in self.required.iter().take_while(|_| !is_cancelled()) {
            if !pattern.is_match_within(text, budget)? {
                let pattern = repr::text(pattern.source());
                return Ok(Some(format!("missing required pattern: {pattern}")));
            }
        }
        Ok(None)
    }
}

/// Whether the caller no longer needs the verdict.
type IsCancelled<'a> = &'a dyn Fn() -> bool;

fn never() -> bool {
    false
}

type CompileFn = fn(&str, &mut CompileBudget) -> Result<Pattern, PatternError>;

#[derive(Debug)]
struct Prefix {
    lower_case: String,
    /// Characters of the prefix as written, and of its lower case.
    length: usize,
    lower_length: usize,
}

impl Prefix {
    fn new(prefix: &str) -> Self {
        let lower_case = prefix.to_lowercase();
        Self {
            length: prefix.chars().count(),
            lower_length: lower_case.chars().count(),
            lower_case,
        }
    }

    /// Removes the prefix from `start`, a text without leading whitespace: as many characters as the
    /// prefix has. `None` if the text does not start with the prefix, ignoring letter case.
    fn strip_from<'t>(
        &self,
        start: &'t str,
        budget: &mut SearchBudget,
    ) -> Result<Option<&'t str>, SearchLimit> {
        if self.lower_case.is_empty() {
            return Ok(None);
        }
        let head = match byte_offset(start, self.lower_length as u64) {
            // How a capital sigma is lowered depends on what follows it.
            Some(end) if !start[..end].contains('\u{3A3}') => &start[..end],
            _ => start,
        };
        if !budget.lower_case(head.len()) {
            return Err(SearchLimit {
                pattern: self.lower_case.clone(),
                length: start.len(),
            });
        }
        if !head.to_lowercase().starts_with(&self.lower_case) {
            return Ok(None);
        }
        Ok(Some(
            byte_offset(start, self.length as u64).map_or("", |end| &start[end..]),
        ))
    }
}

/// The byte offset of character number `count`, from 0; `None` if the text is shorter.
fn byte_offset(text: &str, count: u64) -> Option<usize> {
    let count = usize::try_from(count).ok()?;
    text.char_indices().nth(count).map(|(offset, _)| offset)
}
