//! What a check expects: one value per key of the format.

use super::share::ShareRange;

/// A number of tokens and the tokenizer that counts them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenLimit {
    /// The number of tokens.
    pub tokens: u64,
    /// Name of the tokenizer.
    pub tokenizer: String,
}

/// One expectation. Those about a prompt have to hold for every roll.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expectation {
    /// The text contains this.
    Contains(String),
    /// The text does not contain this.
    NotContains(String),
    /// The pattern matches somewhere in the text.
    Matches(String),
    /// The pattern matches nowhere in the text.
    NotMatches(String),
    /// The text starts with this.
    StartsWith(String),
    /// The text ends with this.
    EndsWith(String),
    /// The text has at most so many tokens.
    MaxTokens(TokenLimit),
    /// The text has at least so many tokens.
    MinTokens(TokenLimit),
    /// The text has at most so many characters (Unicode scalar values).
    MaxCharacters(u64),
    /// The prompt is this golden text.
    Text(String),
    /// A section, item or token prints.
    Renders(String),
    /// A section, item or token does not print.
    NeverRenders(String),
    /// The share of rolls in which a section, item or token prints.
    Share(String, ShareRange),
    /// So many tokens, at least, are the same at the start of all rolls.
    StablePrefixTokens(TokenLimit),
    /// Neither lint nor the hydration finds an error or a warning of another code.
    NoProblems {
        /// The codes of problems that may occur.
        allow: Vec<String>,
    },
    /// The output policy accepts the answer.
    Accepted,
    /// The output policy rejects the answer, for a reason that contains this text.
    Rejected(Option<String>),
    /// The output policy cleans the answer to this golden text.
    Cleaned(String),
}

impl Expectation {
    /// The key in the document.
    #[must_use]
    pub fn key(&self) -> &'static str {
        match self {
            Self::Contains(_) => "contains",
            Self::NotContains(_) => "not_contains",
            Self::Matches(_) => "matches",
            Self::NotMatches(_) => "not_matches",
            Self::StartsWith(_) => "starts_with",
            Self::EndsWith(_) => "ends_with",
            Self::MaxTokens(_) => "max_tokens",
            Self::MinTokens(_) => "min_tokens",
            Self::MaxCharacters(_) => "max_characters",
            Self::Text(_) => "text",
            Self::Renders(_) => "renders",
            Self::NeverRenders(_) => "never_renders",
            Self::Share(..) => "share",
            Self::StablePrefixTokens(_) => "stable_prefix_tokens",
            Self::NoProblems { .. } => "no_problems",
            Self::Accepted => "accepted",
            Self::Rejected(_) => "rejected",
            Self::Cleaned(_) => "cleaned",
        }
    }

    /// What is expected, in words.
    #[must_use]
    pub fn label(&self) -> String {
        match self {
            Self::Contains(text) => format!("text that contains {text:?}"),
            Self::NotContains(text) => format!("no {text:?}"),
            Self::Matches(pattern) => format!("a match of the pattern {pattern:?}"),
            Self::NotMatches(pattern) => format!("no match of the pattern {pattern:?}"),
            Self::StartsWith(text) => format!("text that starts with {text:?}"),
            Self::EndsWith(text) => format!("text that ends with {text:?}"),
            Self::MaxTokens(limit) => format!("at most {}", limit.label()),
            Self::MinTokens(limit) => format!("at least {}", limit.label()),
            Self::MaxCharacters(limit) => format!("at most {limit} characters"),
            Self::Text(_) => "the golden text".to_owned(),
            Self::Renders(target) => format!("{target} printed"),
            Self::NeverRenders(target) => format!("{target} not printed"),
            Self::Share(target, range) => {
                format!("{target} printed in {} of the rolls", range.label())
            }
            Self::StablePrefixTokens(limit) => {
                format!("at least {} that all rolls start with", limit.label())
            }
            Self::NoProblems { allow } if allow.is_empty() => "no problems".to_owned(),
            Self::NoProblems { allow } => format!("no problems but {}", allow.join(", ")),
            Self::Accepted => "an accepted answer".to_owned(),
            Self::Rejected(None) => "a rejected answer".to_owned(),
            Self::Rejected(Some(reason)) => format!("an answer rejected for {reason:?}"),
            Self::Cleaned(_) => "the golden text of the cleaned answer".to_owned(),
        }
    }
}

impl TokenLimit {
    fn label(&self) -> String {
        format!("{} tokens ({})", self.tokens, self.tokenizer)
    }
}
