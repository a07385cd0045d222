//! What one more message adds. Templates see whole conversations and may rewrite what they wrote
//! before, so that the text so far is a prefix of the longer one is checked, never assumed.

use serde::Serialize;

use super::jinja::{Template, Value};
use super::request::{RenderError, Request};

/// What a message adds to a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Added {
    /// The whole text.
    pub text: String,
    /// The byte the two texts part at. What follows is to be fed to the model; when
    /// [`Added::is_prefix`] holds this is the length of the earlier text.
    pub from: usize,
    /// Whether the earlier text is a prefix of the whole: what was cached of it stays good.
    pub is_prefix: bool,
    /// How many templates were rendered for this answer: 1 when the earlier text was remembered.
    pub renderings: u8,
}

impl Added {
    /// Compares an earlier text with the whole.
    #[must_use]
    pub fn between(earlier: &str, text: String) -> Self {
        let from = common_prefix(earlier, &text);
        Self {
            is_prefix: from == earlier.len(),
            from,
            text,
            renderings: 2,
        }
    }

    /// What is new: the end of the text from [`Added::from`] on.
    #[must_use]
    pub fn new_text(&self) -> &str {
        &self.text[self.from..]
    }
}

/// The length of the longest common beginning, ending between characters.
fn common_prefix(a: &str, b: &str) -> usize {
    let same = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let mut same = same;
    while !a.is_char_boundary(same) || !b.is_char_boundary(same) {
        same -= 1;
    }
    same
}

/// Renders growing conversations and remembers the last one: its messages as the template sees
/// them, and its text. What is remembered is found by content, not by how many messages there are.
#[derive(Default)]
pub struct Incremental {
    last: Option<Last>,
}

struct Last {
    source: String,
    request: Request,
    values: Vec<Value>,
    text: String,
}

impl Incremental {
    /// What the last message of the conversation adds. The conversation without it is taken from
    /// memory when it is what was rendered last, and rendered otherwise.
    ///
    /// # Errors
    /// When the template fails on the conversation; when it fails on the part without the last
    /// message, everything is new.
    pub fn add(&mut self, template: &Template, request: &Request) -> Result<Added, RenderError> {
        let earlier = before(request);
        let mut remembered = self
            .last
            .take()
            .filter(|last| last.source == template.source());
        let mut values = match &mut remembered {
            Some(last) if grows(&last.request, request) => std::mem::take(&mut last.values),
            _ => Vec::new(),
        };
        for message in &request.messages[values.len()..] {
            values.push(request.message_value(message)?);
        }
        let hit = remembered.filter(|last| last.request == earlier);
        let (earlier_text, renderings) = match hit {
            Some(last) => (last.text, 1),
            None => {
                let count = earlier.messages.len();
                let text = earlier.render_values(template, &values[..count]);
                (text.unwrap_or_default(), 2)
            }
        };
        let text = match request.continue_field {
            Some(_) => request.render(template)?,
            None => request.render_values(template, &values)?,
        };
        let mut added = Added::between(&earlier_text, text);
        added.renderings = renderings;
        self.last = Some(Last {
            source: template.source().to_owned(),
            request: request.clone(),
            values,
            text: added.text.clone(),
        });
        Ok(added)
    }
}

/// Whether a conversation begins with all the messages of an earlier one, read in the same way.
fn grows(earlier: &Request, request: &Request) -> bool {
    earlier.alias_reasoning == request.alias_reasoning
        && request.messages.starts_with(&earlier.messages)
}

/// The conversation without its last message and without a generation prompt.
fn before(request: &Request) -> Request {
    let count = request.messages.len().saturating_sub(1);
    Request {
        messages: request.messages[..count].to_vec(),
        add_generation_prompt: false,
        continue_field: None,
        ..request.clone()
    }
}

/// Where a conversation first stops growing at its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Break {
    /// Index of the message that changes what was written before it.
    pub message: usize,
    /// Byte of the earlier text that changes.
    pub from: usize,
    /// The earlier text around there.
    pub before: String,
    /// The longer text around there.
    pub after: String,
}

/// The first message after which the text so far is no longer a prefix; `None` when there is none.
///
/// # Errors
/// When the template fails on the whole conversation.
pub fn first_break(template: &Template, request: &Request) -> Result<Option<Break>, RenderError> {
    let mut earlier: Option<String> = None;
    for count in 1..=request.messages.len() {
        let part = Request {
            messages: request.messages[..count].to_vec(),
            add_generation_prompt: false,
            ..request.clone()
        };
        let text = match part.render(template) {
            Ok(text) => text,
            Err(error) if count == request.messages.len() => return Err(error),
            // Half a conversation may be one the template refuses, such as a lone system message.
            Err(_) => continue,
        };
        if let Some(earlier) = &earlier {
            let from = common_prefix(earlier, &text);
            if from < earlier.len() {
                return Ok(Some(Break {
                    message: count - 1,
                    from,
                    before: excerpt(earlier, from),
                    after: excerpt(&text, from),
                }));
            }
        }
        earlier = Some(text);
    }
    Ok(None)
}

fn excerpt(text: &str, from: usize) -> String {
    text[from..].chars().take(80).collect()
}
