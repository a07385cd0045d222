//! What one more message adds. Templates see whole conversations and may change the text of earlier
//! messages: whether the text so far is a prefix of the longer one is checked, never assumed. Earlier
//! messages are rendered again unless the engine proves that their text cannot change.

use promptdeck_jinja::{
    IncrementalRender, LimitPool, SharedMessages, Template, TextPool, Variables,
};
use serde::Serialize;
use serde_json::{Map, Value as Json};

use super::request::{RenderError, Request};

/// What a message adds to a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RenderDelta {
    /// The whole text.
    pub text: String,
    /// The byte where the two texts begin to differ. What follows is to be fed to the model; if
    /// [`RenderDelta::is_prefix`] holds, this is the length of the earlier text.
    pub from: usize,
    /// Whether the earlier text is a prefix of the whole, so that a cache of it stays valid.
    pub is_prefix: bool,
    /// How many renderings this took: 1 if the earlier text was cached.
    pub renderings: u8,
    /// How many of the first messages were not rendered again, as their text cannot depend on those
    /// that follow.
    #[serde(rename = "kept")]
    pub reused_messages: usize,
}

impl RenderDelta {
    /// Compares an earlier text with the whole.
    #[must_use]
    pub fn between(earlier: &str, text: String) -> Self {
        let from = common_prefix(earlier, &text);
        Self {
            is_prefix: from == earlier.len(),
            from,
            text,
            renderings: 2,
            reused_messages: 0,
        }
    }

    /// What is new: the end of the text from [`RenderDelta::from`] on.
    #[must_use]
    pub fn new_text(&self) -> &str {
        &self.text[self.from..]
    }
}

/// The length of the longest common beginning, ending between characters.
fn common_prefix(a: &str, b: &str) -> usize {
    const BLOCK: usize = 256;
    let shorter = a.len().min(b.len());
    let (left, right) = (&a.as_bytes()[..shorter], &b.as_bytes()[..shorter]);
    // Whole blocks are compared at once: most of two texts is the same.
    let blocks = left.chunks(BLOCK).zip(right.chunks(BLOCK));
    let equal = blocks.take_while(|(a, b)| a == b).count() * BLOCK;
    let equal = equal.min(shorter);
    let rest = left[equal..].iter().zip(&right[equal..]);
    let mut same = equal + rest.take_while(|(a, b)| a == b).count();
    while !a.is_char_boundary(same) || !b.is_char_boundary(same) {
        same -= 1;
    }
    same
}

/// Renders growing conversations and caches the last one: its messages as the template sees them, its
/// texts, and the checkpoints to resume from. The cache is matched by content, not by the number of
/// messages.
#[derive(Default)]
pub struct Incremental {
    known: Option<Known>,
}

/// The cache of one template and one conversation.
struct Known {
    source: String,
    /// The request without its messages.
    setting: Request,
    messages: Vec<Json>,
    values: SharedMessages,
    texts: TextPool,
    /// The text without and with a generation prompt, which templates may read anywhere.
    closed: Line,
    open: Line,
}

/// The text of the first messages.
#[derive(Default)]
struct Line {
    variables: Option<Variables>,
    grown: Option<IncrementalRender>,
    /// The number of messages in the text, and how many of them are unchanged in the conversation.
    count: usize,
    same: usize,
}

/// A rendering: how many of its messages were reused, and whether the template ran at all.
struct Rendered {
    reused_messages: usize,
    was_rendered: bool,
}

impl Incremental {
    /// What the last message of the conversation adds. Earlier messages are not rendered again unless
    /// the template may have looked beyond them.
    ///
    /// # Errors
    /// If the template fails on the conversation. If it fails only without the last message, all text
    /// is new.
    pub fn add(
        &mut self,
        template: &Template,
        request: &Request,
    ) -> Result<RenderDelta, RenderError> {
        request.check_messages()?;
        let known = self.cache_for(template, request);
        let count = request.messages.len();
        let pool = request.pool.as_ref();
        let earlier = known.render(template, request, count.saturating_sub(1), false, pool);
        let was_rendered = earlier
            .as_ref()
            .map_or(true, |rendered| rendered.was_rendered);
        let earlier = earlier.is_ok();
        // Rendering overwrites this line's text, so it is copied first.
        let before = match (earlier, request.add_generation_prompt) {
            (true, false) => Some(known.closed.text().to_owned()),
            _ => None,
        };
        let (text, whole) = match request.continue_field {
            Some(_) => (
                request.render(template)?,
                Rendered {
                    reused_messages: 0,
                    was_rendered: true,
                },
            ),
            None => {
                let open = request.add_generation_prompt;
                let whole = known.render(template, request, count, open, pool)?;
                (known.line(open).text().to_owned(), whole)
            }
        };
        let earlier = match (&before, earlier) {
            (Some(before), _) => before,
            (None, true) => known.closed.text(),
            (None, false) => "",
        };
        let mut added = RenderDelta::between(earlier, text);
        added.renderings = u8::from(was_rendered) + u8::from(whole.was_rendered);
        added.reused_messages = whole.reused_messages;
        Ok(added)
    }

    /// The cache of this conversation; a cache of another template or setting is dropped.
    fn cache_for(&mut self, template: &Template, request: &Request) -> &mut Known {
        self.known.take_if(|known| {
            known.source != template.source() || !same_setting(&known.setting, request)
        });
        let known = self.known.get_or_insert_with(|| Known {
            source: template.source().to_owned(),
            setting: setting_of(request),
            messages: Vec::new(),
            values: SharedMessages::default(),
            texts: TextPool::default(),
            closed: Line::default(),
            open: Line::default(),
        });
        known.adopt(request);
        known
    }
}

impl Line {
    /// The text of the last rendering.
    fn text(&self) -> &str {
        self.grown.as_ref().map_or("", |grown| &grown.text)
    }
}

impl Known {
    fn line(&mut self, add_generation_prompt: bool) -> &mut Line {
        match add_generation_prompt {
            true => &mut self.open,
            false => &mut self.closed,
        }
    }

    /// Drops the messages that differ from the request's, and records how much of the texts is valid.
    fn adopt(&mut self, request: &Request) {
        let pairs = self.messages.iter().zip(&request.messages);
        let same = pairs.take_while(|(a, b)| same_json(a, b)).count();
        self.messages.truncate(same);
        self.values.truncate(same);
        for line in [&mut self.closed, &mut self.open] {
            line.same = line.same.min(same);
            if self.setting.now != request.now {
                line.grown.take_if(|grown| grown.asked_time);
            }
        }
        self.setting.now = request.now;
    }

    /// The text of the first `count` messages.
    fn render(
        &mut self,
        template: &Template,
        request: &Request,
        count: usize,
        add_generation_prompt: bool,
        pool: Option<&LimitPool>,
    ) -> Result<Rendered, RenderError> {
        for index in self.messages.len()..count {
            self.values
                .push(request.message_value(index, &mut self.texts)?);
            self.messages.push(request.messages[index].clone());
        }
        let line = match add_generation_prompt {
            true => &mut self.open,
            false => &mut self.closed,
        };
        if line.grown.is_some() && (line.count, line.same) == (count, count) {
            return Ok(Rendered {
                reused_messages: count,
                was_rendered: false,
            });
        }
        // Their sizes include messages that are gone.
        if line.same < line.count {
            line.variables = None;
        }
        let variables = match &mut line.variables {
            Some(variables) => variables,
            none => none.insert(
                Request {
                    add_generation_prompt,
                    ..setting_of(request)
                }
                .variables_around()?,
            ),
        };
        let past = line.grown.take();
        let same = line.same.min(count);
        (line.count, line.same) = (count, count);
        let messages = (&self.values, count);
        let (now, limits) = (request.now, (request.limits, pool));
        let grown = template.render_incremental(past, same, messages, variables, now, limits)?;
        let rendered = Rendered {
            reused_messages: grown.reused,
            was_rendered: true,
        };
        line.grown = Some(grown);
        Ok(rendered)
    }
}

/// A request without its messages.
fn setting_of(request: &Request) -> Request {
    Request {
        messages: Vec::new(),
        tools: request.tools.clone(),
        add_generation_prompt: false,
        bos_token: request.bos_token.clone(),
        eos_token: request.eos_token.clone(),
        extra: request.extra.clone(),
        thinking: request.thinking,
        now: request.now,
        continue_field: None,
        alias_reasoning: request.alias_reasoning,
        limits: request.limits,
        pool: request.pool.clone(),
    }
}

/// Whether all that matters but the messages, the generation prompt and the clock is the same.
fn same_setting(setting: &Request, request: &Request) -> bool {
    let same_tools = match (&setting.tools, &request.tools) {
        (Some(a), Some(b)) => same_json(a, b),
        (None, None) => true,
        _ => false,
    };
    same_tools
        && setting.bos_token == request.bos_token
        && setting.eos_token == request.eos_token
        && setting.thinking == request.thinking
        && setting.alias_reasoning == request.alias_reasoning
        && setting.limits == request.limits
        && same_entries(&setting.extra, &request.extra)
}

/// Whether two documents are the same in content and in the order of their keys, which templates
/// can see.
fn same_json(a: &Json, b: &Json) -> bool {
    match (a, b) {
        (Json::Object(a), Json::Object(b)) => same_entries(a, b),
        (Json::Array(a), Json::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_json(a, b))
        }
        _ => a == b,
    }
}

fn same_entries(a: &Map<String, Json>, b: &Map<String, Json>) -> bool {
    let pairs = || a.iter().zip(b);
    a.len() == b.len() && pairs().all(|((a, x), (b, y))| a == b && same_json(x, y))
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

/// How far a conversation was rendered message by message, and what came of it.
#[derive(Debug, Default)]
pub struct PrefixCheck {
    /// How many messages were looked at, from the first on.
    pub checked: usize,
    /// The first message after which the text so far is no longer a prefix.
    pub first_break: Option<Break>,
    /// Why the rest was not looked at: the renderings used up their budget.
    pub stopped: Option<RenderError>,
}

/// How many renderings of the whole conversation, at their limits, all renderings of a check may
/// take together. The walk of a template that can be continued takes one.
const RENDERINGS: u64 = 2;

/// Finds the first message after which the text so far is no longer a prefix. All renderings take
/// from one pool, a part of the request's if it has one: a template that has to be rendered from
/// the start for every message is looked at as far as it goes.
///
/// # Errors
/// When the template fails on the whole conversation.
pub fn first_break(template: &Template, request: &Request) -> Result<PrefixCheck, RenderError> {
    request.check_messages()?;
    let pool = match &request.pool {
        Some(pool) => pool.part(RENDERINGS),
        None => LimitPool::new(RENDERINGS),
    };
    let mut memory = Incremental::default();
    let known = memory.cache_for(template, request);
    let mut earlier: Option<String> = None;
    let messages = request.messages.len();
    for count in 1..=messages {
        match known.render(template, request, count, false, Some(&pool)) {
            Ok(_) => {}
            Err(error) if pool.is_exhausted() => {
                return Ok(PrefixCheck {
                    checked: count - 1,
                    first_break: None,
                    stopped: Some(error),
                });
            }
            Err(error) if count == messages => return Err(error),
            // Half a conversation may be one the template refuses, such as a lone system message.
            Err(_) => continue,
        }
        let Some(grown) = &known.closed.grown else {
            continue;
        };
        let text = &grown.text;
        // What the rendering continued is the same by construction; comparing and copying only
        // the rest keeps the walk linear.
        let mut reused = 0;
        if let Some(earlier) = &earlier {
            reused = grown.reused_bytes.min(earlier.len());
            let from = reused + common_prefix(&earlier[reused..], &text[reused..]);
            if from < earlier.len() {
                return Ok(PrefixCheck {
                    checked: count,
                    first_break: Some(Break {
                        message: count - 1,
                        from,
                        before: excerpt(earlier, from),
                        after: excerpt(text, from),
                    }),
                    stopped: None,
                });
            }
        }
        let earlier = earlier.get_or_insert_default();
        earlier.truncate(reused);
        earlier.push_str(&text[reused..]);
    }
    Ok(PrefixCheck {
        checked: messages,
        ..PrefixCheck::default()
    })
}

fn excerpt(text: &str, from: usize) -> String {
    text[from..].chars().take(80).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn conversation(messages: usize) -> Request {
        let message = |index: usize| {
            let role = if index.is_multiple_of(2) {
                "user"
            } else {
                "assistant"
            };
            json!({"role": role, "content": format!("message {index}")})
        };
        Request::of((0..messages).map(message).collect())
    }

    fn checked(template: &str, messages: usize) -> PrefixCheck {
        let template = Template::compile(template).expect("a template");
        first_break(&template, &conversation(messages)).expect("a check")
    }

    const APPENDS: &str = "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}";

    /// Every message depends on the number of messages, and so is rendered again for each.
    const LOOKS_AHEAD: &str = "{% set n = messages | length %}\
        {% for m in messages %}{% if n %}<{{ m.role }}>{{ m.content }}{% endif %}{% endfor %}";

    #[test]
    fn a_template_that_appends_is_checked_whole_out_of_one_budget() {
        for messages in [1, 2, 400, 6_000] {
            let found = checked(APPENDS, messages);
            assert_eq!(found.checked, messages);
            assert!(found.stopped.is_none() && found.first_break.is_none());
        }
    }

    #[test]
    fn what_is_rendered_from_the_start_each_time_is_checked_as_far_as_the_budget_goes() {
        assert_eq!(checked(LOOKS_AHEAD, 100).checked, 100);
        let found = checked(LOOKS_AHEAD, 6_000);
        let stopped = found.stopped.expect("a budget that is used up");
        assert_eq!(stopped.code(), "template_limit");
        assert!((100..6_000).contains(&found.checked), "{}", found.checked);
        assert_eq!(found.first_break, None);
        // Four times the messages are not sixteen times the work: they are hardly checked further.
        let further = checked(LOOKS_AHEAD, 24_000);
        assert_eq!(further.checked, found.checked);
    }

    #[test]
    fn what_precedes_the_messages_is_rendered_once() {
        let preamble = "{% for n in range(20000) %}{% endfor %}{% for m in messages %}{{ m.content }}\
                        {% endfor %}";
        let found = checked(preamble, 2_000);
        assert_eq!((found.checked, found.stopped.is_none()), (2_000, true));
        let counts = "{% for n in range(20000) %}{% endfor %}{% set n = messages | length %}\
                      {% for m in messages %}{{ m.content }}{% endfor %}";
        assert!(checked(counts, 2_000).stopped.is_some());
    }

    #[test]
    fn a_break_within_the_budget_is_found() {
        let marks_last = "{% for m in messages %}{% if loop.last and loop.index > 40 %}!{% endif %}\
                          {{ m.content }};{% endfor %}";
        let found = checked(marks_last, 6_000);
        let first_break = found.first_break.expect("a break");
        assert_eq!((first_break.message, found.checked), (41, 42));
        assert!(first_break.before.starts_with('!'), "{first_break:?}");
        assert!(
            first_break.after.starts_with("message 40;"),
            "{first_break:?}"
        );
    }

    #[test]
    fn a_refused_half_is_passed_over() {
        let pairs = "{% if messages[-1].role == 'assistant' %}{{ raise_exception('odd') }}{% endif %}\
                     {% for m in messages %}{{ m.content }};{% endfor %}";
        let found = checked(pairs, 5);
        assert_eq!((found.checked, found.first_break), (5, None));
        let template = Template::compile(pairs).expect("a template");
        assert!(first_break(&template, &conversation(4)).is_err());
    }
}
