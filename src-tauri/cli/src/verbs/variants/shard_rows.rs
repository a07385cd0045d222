//! The rows of a shard: one line of JSON for each seed, made in chunks by all cores and handed over
//! in order.

use std::{
    ops::Range,
    sync::mpsc::{Receiver, SyncSender, sync_channel},
    thread,
};

use promptdeck_core::{
    control_chars,
    hydrate::{Call, Engine, Roller, Seed, State},
    run::{Input, Plan, Request},
};
use promptdeck_provider::server::ServerKind;
use promptdeck_request::prompt::Prompt;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::failure::Failure;

/// Number of rows in a chunk, and in a frame of a compressed file.
pub const CHUNK: u64 = 1024;

/// Maximum number of finished chunks per core that wait to be written, which bounds the memory.
const DEPTH: usize = 2;

/// What a row says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowFormat {
    /// `custom_id` and `prompt`.
    Prompts,
    /// `custom_id` and `messages`, with the prompt as the message of the user.
    Messages,
    /// A request of OpenAI's Batch API, with the registry's generation settings.
    OpenaiBatch,
}

impl RowFormat {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Prompts => "prompts",
            Self::Messages => "messages",
            Self::OpenaiBatch => "openai-batch",
        }
    }
}

/// Prints the rows of seeds.
pub struct Rows<'e> {
    engine: &'e Engine,
    state: &'e State,
    route: Option<&'e str>,
    first_seed: Seed,
    format: RowFormat,
    /// The fields beside the messages of a request of a batch.
    body: Map<String, Value>,
}

#[derive(Serialize)]
struct PromptRow<'a> {
    custom_id: &'a str,
    prompt: &'a str,
}

#[derive(Serialize)]
struct MessagesRow<'a> {
    custom_id: &'a str,
    messages: [UserMessage<'a>; 1],
}

#[derive(Serialize)]
struct BatchRow<'a> {
    custom_id: &'a str,
    method: &'a str,
    url: &'a str,
    body: Body<'a>,
}

#[derive(Serialize)]
struct Body<'a> {
    #[serde(flatten)]
    settings: &'a Map<String, Value>,
    messages: [UserMessage<'a>; 1],
}

#[derive(Serialize)]
struct UserMessage<'a> {
    role: &'a str,
    content: &'a str,
}

impl<'e> Rows<'e> {
    /// Rows of a call, whose seed is the first of all shards. Refuses a format that cannot express
    /// the registry.
    pub fn new(
        engine: &'e Engine,
        call: &Call<'e>,
        format: RowFormat,
        model: Option<&str>,
    ) -> Result<Self, Failure> {
        if format != RowFormat::Prompts && Prompt::is_template(engine.registry()) {
            let message = format!(
                "--format {} needs finished texts, and these are Jinja templates: build each \
                 request with `promptdeck request`, or write them with --format prompts",
                format.name()
            );
            return Err(Failure::input("template_not_rendered", message));
        }
        let body = match format {
            RowFormat::OpenaiBatch => batch_settings(engine, call.route, model)?,
            RowFormat::Prompts | RowFormat::Messages => Map::new(),
        };
        Ok(Self {
            engine,
            state: call.state,
            route: call.route,
            first_seed: call.seed,
            format,
            body,
        })
    }

    /// The fields beside the messages of a request of a batch; empty in other formats.
    pub fn settings(&self) -> &Map<String, Value> {
        &self.body
    }

    /// The lines of these rows.
    pub fn lines(&self, rows: Range<u64>) -> Result<Vec<u8>, Failure> {
        let mut lines = Vec::new();
        self.append(&mut self.roller()?, rows, &mut lines)?;
        Ok(lines)
    }

    /// Makes the chunks of these rows on all cores, transforms each on the core that made it, and
    /// hands them over in order with their number of rows.
    pub fn for_each_chunk(
        &self,
        rows: Range<u64>,
        finish: impl Fn(Vec<u8>) -> Result<Vec<u8>, Failure> + Sync,
        mut write: impl FnMut(&[u8], u64) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let workers = thread::available_parallelism().map_or(1, usize::from);
        // An unknown route is reported here, before any thread.
        drop(self.roller()?);
        thread::scope(|scope| {
            let mut queues: Vec<Receiver<Result<Vec<u8>, Failure>>> = Vec::new();
            for worker in 0..workers as u64 {
                let (queue, chunks) = sync_channel(DEPTH);
                queues.push(chunks);
                let (rows, finish) = (rows.clone(), &finish);
                scope.spawn(move || self.work(worker, workers as u64, &rows, finish, &queue));
            }
            let mut next = rows.start;
            for queue in queues.iter().cycle() {
                if next >= rows.end {
                    return Ok(());
                }
                let end = rows.end.min(next + CHUNK);
                // A worker that is gone has panicked; the scope passes the panic on.
                let Ok(chunk) = queue.recv() else {
                    return Ok(());
                };
                write(&chunk?, end - next)?;
                next = end;
            }
            Ok(())
        })
    }

    /// Produces the chunks of this worker until the receiver is closed.
    fn work(
        &self,
        worker: u64,
        workers: u64,
        rows: &Range<u64>,
        finish: &impl Fn(Vec<u8>) -> Result<Vec<u8>, Failure>,
        queue: &SyncSender<Result<Vec<u8>, Failure>>,
    ) {
        let mut roller = match self.roller() {
            Ok(roller) => roller,
            Err(failure) => {
                let _ = queue.send(Err(failure));
                return;
            }
        };
        let mut start = rows.start.saturating_add(worker * CHUNK);
        while start < rows.end {
            let mut lines = Vec::new();
            let chunk = start..rows.end.min(start + CHUNK);
            let made = self.append(&mut roller, chunk, &mut lines);
            if queue.send(made.and_then(|()| finish(lines))).is_err() {
                return;
            }
            start = start.saturating_add(workers * CHUNK);
        }
    }

    fn roller(&self) -> Result<Roller<'e>, Failure> {
        Ok(Roller::new(self.engine, self.state, self.route)?)
    }

    fn append(
        &self,
        roller: &mut Roller<'_>,
        rows: Range<u64>,
        lines: &mut Vec<u8>,
    ) -> Result<(), Failure> {
        for index in rows {
            let seed = self.first_seed.after(index);
            let roll = roller.roll(seed);
            if let Some(error) = roll.too_large() {
                return Err(error.clone().into());
            }
            let row = self.row(&seed.to_string(), roll.text);
            lines.extend_from_slice(control_chars::escape_json(&row).as_bytes());
            lines.push(b'\n');
        }
        Ok(())
    }

    fn row(&self, custom_id: &str, prompt: &str) -> String {
        let messages = [UserMessage {
            role: "user",
            content: prompt,
        }];
        let row = match self.format {
            RowFormat::Prompts => serde_json::to_string(&PromptRow { custom_id, prompt }),
            RowFormat::Messages => serde_json::to_string(&MessagesRow {
                custom_id,
                messages,
            }),
            RowFormat::OpenaiBatch => serde_json::to_string(&BatchRow {
                custom_id,
                method: "POST",
                url: "/v1/chat/completions",
                body: Body {
                    settings: &self.body,
                    messages,
                },
            }),
        };
        row.expect("texts and numbers are JSON")
    }
}

/// The body that `run` sends to OpenAI, without its messages.
fn batch_settings(
    engine: &Engine,
    route: Option<&str>,
    model: Option<&str>,
) -> Result<Map<String, Value>, Failure> {
    let plan = Plan::new(engine.registry(), route)?;
    let mut generation = plan.generation().clone();
    if let Some(model) = model {
        model.clone_into(&mut generation.model);
    } else if !generation.names_model() {
        let message = "--format openai-batch needs a model, and the registry names none: give one \
                       with --model NAME";
        return Err(Failure::input("no_model", message));
    }
    let request = Request {
        input: Input::Messages(Vec::new()),
        generation,
        stream: false,
    };
    let body = ServerKind::Openai
        .body(&request)
        .map_err(|reason| Failure::input("unsupported", reason))?;
    let Value::Object(mut body) = body else {
        unreachable!("a body is an object")
    };
    // Of a single exchange: a batch has no streams.
    body.remove("messages");
    body.remove("stream");
    Ok(body)
}
