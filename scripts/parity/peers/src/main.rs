//! Renders chat templates with the crates minijinja and hf-chat-template. Reads cases from standard
//! input, a JSON document each line, and writes what each crate makes of it.

use std::collections::HashMap;
use std::io::{self, BufRead as _, Write as _};
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use chrono::NaiveDateTime;
use hf_chat_template::{ChatTemplate, Civil, Clock};
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{Environment, Error, ErrorKind, Value};
use serde_json::{Map, Value as Json, json};

/// How often a case is rendered; the fastest time counts.
const ROUNDS: usize = 5;

/// The time of all cases.
#[derive(Clone, Copy)]
struct Now(NaiveDateTime);

impl Clock for Now {
    fn now(&self) -> Civil {
        Civil::from_unix_secs(self.0.and_utc().timestamp())
    }
}

/// A template compiled by both crates; none where one refuses it.
struct Compiled {
    minijinja: Option<Environment<'static>>,
    hf: Option<ChatTemplate>,
}

impl Compiled {
    fn new(source: &str, now: Now) -> Self {
        let hf = ChatTemplate::builder(source).clock(now).build().ok();
        Self {
            minijinja: environment(source, now).ok(),
            hf,
        }
    }
}

/// minijinja with the options and the functions that transformers has.
fn environment(source: &str, now: Now) -> Result<Environment<'static>, Error> {
    let mut environment = Environment::new();
    let mut syntax = SyntaxConfig::builder();
    syntax.trim_blocks(true).lstrip_blocks(true);
    environment.set_syntax(syntax.build()?);
    environment.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
    environment.set_unknown_method_callback(minijinja_contrib::pycompat::unknown_method_callback);
    environment.add_function("raise_exception", |message: String| {
        Err::<Value, _>(Error::new(ErrorKind::InvalidOperation, message))
    });
    environment.add_function("strftime_now", move |format: String| {
        now.0.format(&format).to_string()
    });
    environment.add_template_owned("chat", source.to_owned())?;
    Ok(environment)
}

/// The text and the time that it takes in nanoseconds; no text where the engine fails or panics.
fn rendered(render: impl Fn() -> Option<String>) -> Json {
    let mut fastest = u128::MAX;
    let mut text = None;
    for _ in 0..ROUNDS {
        let began = Instant::now();
        text = catch_unwind(AssertUnwindSafe(&render)).unwrap_or_default();
        fastest = fastest.min(began.elapsed().as_nanos());
        if text.is_none() {
            break;
        }
    }
    json!({"text": text, "nanoseconds": u64::try_from(fastest).ok()})
}

fn answer(case: &Json, templates: &mut HashMap<String, Compiled>, now: Now) -> Json {
    let source = case["template"].as_str().unwrap_or_default();
    let context = &case["context"];
    let compiled = templates
        .entry(source.to_owned())
        .or_insert_with(|| Compiled::new(source, now));
    let minijinja = rendered(|| {
        let template = compiled.minijinja.as_ref()?.get_template("chat").ok()?;
        template.render(Value::from(Serde(context))).ok()
    });
    let hf = rendered(|| compiled.hf.as_ref()?.render_context(context).ok());
    let mut answers = Map::new();
    answers.insert("minijinja".to_owned(), minijinja);
    answers.insert("hf-chat-template".to_owned(), hf);
    Json::Object(answers)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let argument = std::env::args()
        .nth(1)
        .ok_or("the time of the cases is missing")?;
    let now = Now(NaiveDateTime::parse_from_str(
        &argument,
        "%Y-%m-%dT%H:%M:%S",
    )?);
    // A panic of an engine is an answer, not a message.
    panic::set_hook(Box::new(|_| ()));
    let mut templates = HashMap::new();
    let mut output = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let case = serde_json::from_str(&line?)?;
        writeln!(output, "{}", answer(&case, &mut templates, now))?;
    }
    Ok(())
}
