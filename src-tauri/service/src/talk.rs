//! Conversations with the deck: a tree of turns per registry and call document, stored in the run
//! history. Every answer is a run with its exact request, so the tree holds what was said and the
//! run how it came about. `branch` makes the call of a branch, `answer` writes an answer that is
//! arriving, `record` is the stored form of a turn, `verdict` judges tool calls and their results.

pub(crate) mod answer;
mod branch;
pub(crate) mod record;
mod verdict;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use promptdeck_core::hydrate::{Seed, State};
use promptdeck_core::registry::DataKey;
use promptdeck_core::run::{Input, Plan};
use promptdeck_provider::server::ServerKind;
use promptdeck_request::call::Call;
use promptdeck_request::call_prompt::CallPrompt;
use promptdeck_request::codes;
use promptdeck_store::turns::{NewTurn, Turn, TurnState, TurnTree};
use serde_json::{Map, Value, json};

use self::answer::AnswerTurn;
use self::record::CallMessages;
use crate::calls::folder;
use crate::open_documents::{FileDocument as _, lock};
use crate::runs::OpenedTarget;
use crate::session::Session;
use crate::wire::{
    CallChange, CallMessage, DiagnosticNote, Edit, EditGroup, Part, RequestParams, RequestTarget,
    Severity, Talk, TalkCall, TalkMessage, TalkParams, TalkStarted, TalkView,
};
use crate::workspace::{parts, relative};
use crate::{ServiceError, Studio, calls, clock, connections, diff, snapshots};

/// Makes arguments that a model wrote a note: they are sent as they are, and their verdict is beside the
/// call. `own` is the number of the call document's messages, which the author can mend.
fn excuse_answers(diagnostics: &mut [DiagnosticNote], call_messages: usize) {
    let is_answered = |found: &DiagnosticNote| {
        found.code == codes::CALL_ARGUMENTS.as_str()
            && found.data.number(DataKey::Turn) >= Some(call_messages as u64)
    };
    for found in diagnostics.iter_mut().filter(|found| is_answered(found)) {
        found.severity = Severity::Note;
    }
}

/// Targets in the order of the page.
const TARGETS: [RequestTarget; 3] = [
    RequestTarget::Gemini,
    RequestTarget::Openai,
    RequestTarget::ChatTemplate,
];

const ARRIVING: &str = "the answer is still arriving; wait for it or stop it";

/// What a registry's document and a call document both set.
const SETTINGS: [&str; 3] = ["state", "route", "seed"];

/// The settings of a registry's document, and their values in its tree.
struct Settings {
    state: State,
    route: Option<String>,
    seed: Seed,
    values: [Value; 3],
}

impl Settings {
    fn of(session: &Session) -> Self {
        let tree = session.copy().tree();
        Self {
            state: session.state().clone(),
            route: session.route().map(str::to_owned),
            seed: session.seed(),
            values: SETTINGS.map(|key| tree[key].clone()),
        }
    }

    /// Those that a call document does not have.
    fn other_than(self, call: &Call) -> impl Iterator<Item = (&'static str, Value)> {
        let differs = [
            call.state != self.state,
            call.route != self.route,
            call.seed != Some(self.seed),
        ];
        let settings = SETTINGS.into_iter().zip(self.values).zip(differs);
        settings.filter_map(|(setting, differs)| differs.then_some(setting))
    }
}

impl TalkParams {
    fn request(&self) -> RequestParams {
        RequestParams {
            call: self.call.clone(),
            target: self.target,
            family: self.family.clone(),
        }
    }
}

impl Studio {
    /// The conversation of a registry and a call document.
    ///
    /// # Errors
    /// If the document is not open or the store cannot be read.
    pub fn talk(&self, document: &str, call: Option<&str>) -> Result<Talk, ServiceError> {
        let tree = self.tree(document, call)?;
        let live = self.inner.active_runs.live().clone();
        let turns = tree.turns.iter().map(|turn| record::turn(turn, &live));
        Ok(Talk {
            turns: turns.collect::<Result<_, _>>()?,
            damaged: tree.damaged,
        })
    }

    /// The request of a branch with messages after it, built as the Request tab builds it.
    ///
    /// # Errors
    /// If a document is not open, the branch does not exist, or the store cannot be read.
    pub fn talk_request(
        &self,
        document: &str,
        params: &TalkParams,
        messages: &[TalkMessage],
    ) -> Result<TalkView, ServiceError> {
        let tree = self.tree(document, params.call.as_deref())?;
        let path = branch::path(&tree.turns, params.leaf)?;
        let earlier = before_first(&tree.turns, &path, params)?;
        let mut call = self.call_of(params)?;
        let is_earlier = earlier.is_some_and(|earlier| earlier.replace_in(&mut call));
        let mut branch_messages = branch::messages(&path)?;
        branch_messages.extend(messages.iter().map(message));
        let wanted = branch::with_messages(&call, branch_messages);
        let kind = self.kind(params)?;
        let targets = targets(kind);
        let (mut request, body) = self.request_of(document, &params.request(), wanted)?;
        let mut problem = refusal(params.target, &targets);
        // The mock model is sent nothing: its request is what the target would get.
        if let (Some(kind), Some(body), None) = (kind, body, &problem) {
            match self.sent(document, params, kind, body) {
                Ok(sent) => {
                    request.body = serde_json::to_string_pretty(&sent)?;
                    request.text = None;
                }
                Err(fault) => problem = Some(fault),
            }
        }
        excuse_answers(&mut request.diagnostics, call.messages().len());
        Ok(TalkView {
            request,
            problem: problem.map(Into::into),
            targets,
            before: before(&call),
            is_earlier,
            tools: tools(&call),
            verdicts: verdict::verdicts(&call, &path, messages)?,
            rounds: branch::rounds(&path),
            most_rounds: branch::MOST_ROUNDS,
        })
    }

    /// Adds messages to a branch and, if `ask` is set, requests an answer; its progress is reported
    /// by events. Without messages the last turn is answered once more.
    ///
    /// # Errors
    /// If a document is not open, the branch cannot be continued, the request cannot be built, the
    /// connection cannot be opened, or the store cannot be used. Nothing is added then. Only if no
    /// thread can be started for the answer, the messages are there without one.
    pub fn send_turns(
        &self,
        document: &str,
        params: &TalkParams,
        messages: &[TalkMessage],
        ask: bool,
    ) -> Result<TalkStarted, ServiceError> {
        let store = self.inner.store_handle.store()?;
        let tree = self.tree(document, params.call.as_deref())?;
        let path = branch::path(&tree.turns, params.leaf)?;
        if path.last().is_some_and(|turn| self.is_live(turn)) {
            return Err(ServiceError::Talk(ARRIVING.to_owned()));
        }
        let live = self.inner.active_runs.live().clone();
        let earlier = before_first(&tree.turns, &path, params)?;
        let job = match ask {
            true => {
                let mut call = self.call_of(params)?;
                if let Some(earlier) = &earlier {
                    earlier.clone().replace_in(&mut call);
                }
                Some(self.prepare(document, params, call, &path, messages)?)
            }
            false => None,
        };
        // Turns after the first one have it from there.
        let mut before = earlier.filter(|_| params.leaf.is_none());
        let mut texts = Vec::with_capacity(messages.len());
        for typed in messages {
            let mut outcome = self.judge(document, typed)?;
            outcome.before = before.take();
            texts.push((message(typed).to_string(), serde_json::to_string(&outcome)?));
        }
        let file = self.talk_file(document)?;
        let stored_call = self.stored_call(document, params.call.as_deref());
        let parent = params.leaf.map(i64::from);
        let new: Vec<_> = texts
            .iter()
            .map(|(message, outcome)| NewTurn {
                file: &file,
                call: stored_call.as_deref(),
                parent,
                run: None,
                created_at: clock::now_signed(),
                state: TurnState::Complete,
                message,
                outcome,
            })
            .collect();
        let added = store.add_turns(&new)?;
        let parent = added.last().map(|turn| turn.id).or(parent);
        let turns = added.iter().map(|turn| record::turn(turn, &live));
        let turns = turns.collect::<Result<_, _>>()?;
        let batch = match job {
            Some(Prepared {
                target,
                plan,
                model,
            }) => {
                let answer = AnswerTurn {
                    inner: Arc::clone(&self.inner),
                    call: stored_call,
                    parent,
                    before,
                    model,
                    turn: None,
                    written_at: Instant::now(),
                };
                Some(self.start_answer(document, target, plan, answer)?.batch)
            }
            None => None,
        };
        Ok(TalkStarted { batch, turns })
    }

    /// Writes a branch into a call document: the turns become the history, a last message of the
    /// user the new message, and state, route and seed become those of the registry's document as it
    /// is now: the call makes the request that Run would send. One step that can be undone.
    /// The branch of a conversation without a call can be written into any call document. Conversations
    /// that this call document began keep the messages it had before, also once that step is undone.
    ///
    /// # Errors
    /// If a document is not open, the branch does not exist, or the first answer of a conversation that
    /// the call document began is still arriving.
    pub fn keep_call(
        &self,
        document: &str,
        params: &TalkParams,
        call: &str,
    ) -> Result<CallChange, ServiceError> {
        let tree = self.tree(document, params.call.as_deref())?;
        let path = branch::path(&tree.turns, params.leaf)?;
        let branch_messages = branch::messages(&path)?;
        let earlier = before_first(&tree.turns, &path, params)?;
        let settings = Settings::of(&lock(&*self.inner.session(document)?));
        self.keep_messages_before(call)?;
        self.with_call(call, |open| {
            let mut call = open.call().clone();
            if let Some(earlier) = earlier {
                earlier.replace_in(&mut call);
            }
            let call = branch::with_messages(&call, branch_messages);
            let none = || Map::from_iter([("text".to_owned(), Value::from(""))]);
            let set = |key: &str, value: Value| Edit::Set {
                path: vec![key.into()],
                value,
            };
            let mut edits = vec![
                set("history", call.history.into()),
                set("message", call.message.unwrap_or_else(none).into()),
            ];
            let others = settings.other_than(open.call());
            edits.extend(others.map(|(key, value)| set(key, value)));
            let base = open.copy().revision();
            let mut change = open.apply(&EditGroup {
                base,
                edits: edits.clone(),
                label: "Keep a branch as the call".to_owned(),
                burst: None,
            })?;
            change.edits = edits;
            Ok(change)
        })
    }

    /// The difference between the texts of two turns, word by word.
    ///
    /// # Errors
    /// If a turn does not exist or is damaged.
    pub fn compare_turns(&self, left: u32, right: u32) -> Result<Vec<Part>, ServiceError> {
        let store = self.inner.store_handle.store()?;
        let text = |id: u32| -> Result<String, ServiceError> {
            let message: Value = serde_json::from_str(&store.turn(id.into())?.message)?;
            Ok(message["content"].as_str().unwrap_or_default().to_owned())
        };
        Ok(diff::text::words(&text(left)?, &text(right)?))
    }

    fn tree(&self, document: &str, call: Option<&str>) -> Result<TurnTree, ServiceError> {
        let file = self.talk_file(document)?;
        let call = self.stored_call(document, call);
        Ok(self
            .inner
            .store_handle
            .store()?
            .turns(&file, call.as_deref())?)
    }

    /// The name of a call document in the turns of a registry.
    fn stored_call(&self, document: &str, call: Option<&str>) -> Option<String> {
        call.map(|call| folder::stored_name(&self.inner.folder, document, call))
    }

    fn talk_file(&self, document: &str) -> Result<String, ServiceError> {
        let session = self.inner.session(document)?;
        let file = snapshots::key(lock(&session).copy().path());
        Ok(file)
    }

    fn call_of(&self, params: &TalkParams) -> Result<Call, ServiceError> {
        match &params.call {
            None => Ok(Call::default()),
            Some(name) => Ok(lock(&*self.inner.calls.get(name)?).call().clone()),
        }
    }

    /// Notes with the first turns of a call document's conversations what it has before them now, where
    /// that is not noted: its messages are about to be replaced.
    fn keep_messages_before(&self, call: &str) -> Result<(), ServiceError> {
        let open = self.inner.calls.get(call)?;
        let before = CallMessages::of(lock(&open).call());
        let store = self.inner.store_handle.store()?;
        let workspace = snapshots::path(&snapshots::key(&self.inner.folder.path()));
        let beside = format!("{}/{}", folder::CALLS, parts(call).1);
        let mut first = Vec::new();
        for stored in BTreeSet::from([call, beside.as_str()]) {
            let is_of_call = |turn: &Turn| {
                relative(&workspace, &snapshots::path(&turn.file)).is_some_and(|registry| {
                    folder::stored_name(&self.inner.folder, &registry, call) == stored
                })
            };
            first.extend(store.first_turns(stored)?.into_iter().filter(is_of_call));
        }
        if first.iter().any(|turn| self.is_live(turn)) {
            return Err(ServiceError::Talk(ARRIVING.to_owned()));
        }
        for turn in first {
            let mut outcome = record::outcome(&turn)?;
            if outcome.before.is_some() {
                continue;
            }
            outcome.before = Some(before.clone());
            let outcome = serde_json::to_string(&outcome)?;
            store.update_turn(turn.id, turn.state, &turn.message, &outcome)?;
        }
        Ok(())
    }

    fn is_live(&self, turn: &Turn) -> bool {
        let live = self.inner.active_runs.live();
        branch::is_open(turn) && turn.run.is_some_and(|run| live.contains(&run))
    }

    /// Kind of the connection's server; `None` for the mock provider.
    fn kind(&self, params: &TalkParams) -> Result<Option<ServerKind>, ServiceError> {
        let Some(name) = &params.connection else {
            return Ok(None);
        };
        let store = self.inner.store_handle.store()?;
        connections::kind(&connections::find(&store, name)?).map(Some)
    }

    /// The verdict on a message written by hand: the output policy judges those of the assistant.
    fn judge(
        &self,
        document: &str,
        message: &TalkMessage,
    ) -> Result<record::TurnRecord, ServiceError> {
        let mut outcome = record::TurnRecord::default();
        if message.role == "assistant" {
            let session = self.inner.session(document)?;
            let session = lock(&session);
            let plan = Plan::new(session.engine().registry(), session.route())?;
            match plan.policy().apply(&message.content) {
                Ok(verdict) => {
                    outcome.accepted = Some(verdict.accepted);
                    outcome.reason = verdict.reason;
                }
                Err(limit) => {
                    outcome.accepted = Some(false);
                    outcome.reason = Some(limit.to_string());
                }
            }
        }
        Ok(outcome)
    }

    /// Builds the request of an answer and opens its target, before anything is added.
    fn prepare(
        &self,
        document: &str,
        params: &TalkParams,
        call: Call,
        path: &[&Turn],
        messages: &[TalkMessage],
    ) -> Result<Prepared, ServiceError> {
        if let Some(refusal) = refusal(params.target, &targets(self.kind(params)?)) {
            return Err(refusal);
        }
        if branch::rounds(path) > branch::MOST_ROUNDS {
            return Err(ServiceError::Talk(format!(
                "the model called tools {} times since the last message; write as the user or roll \
                 an earlier answer again",
                branch::rounds(path)
            )));
        }
        let mut branch_messages = branch::messages(path)?;
        branch_messages.extend(messages.iter().map(message));
        let call = branch::with_messages(&call, branch_messages);
        let prompts = CallPrompt::new(&call, calls::now())?;
        let body = self.body_of(document, &params.request(), call)?;
        let (plan, input) = self.plan(document, params, body)?;
        let plan = plan.with_renderer(Arc::new(prompts)).with_input(input);
        plan.check_input()?;
        // Last, as it may ask for a key.
        let store = self.inner.store_handle.store()?;
        Ok(Prepared {
            target: OpenedTarget::open(
                &store,
                params.connection.as_deref(),
                self.inner.mock_pause,
            )?,
            model: plan.generation().model.clone(),
            plan,
        })
    }

    /// The body that a server gets for the body of a target.
    fn sent(
        &self,
        document: &str,
        params: &TalkParams,
        kind: ServerKind,
        body: Value,
    ) -> Result<Value, ServiceError> {
        let (plan, input) = self.plan(document, params, body)?;
        let sent = kind.body(&plan.request(input, true));
        sent.map_err(|reason| ServiceError::Talk(reason.to_owned()))
    }

    /// How an answer is requested with a body, and the input made from it: the model is that of the
    /// connection, if it has one.
    fn plan(
        &self,
        document: &str,
        params: &TalkParams,
        mut body: Value,
    ) -> Result<(Plan, Input), ServiceError> {
        let mut plan = {
            let session = self.inner.session(document)?;
            let session = lock(&session);
            Plan::new(session.engine().registry(), session.route())?
        };
        if let Some(name) = &params.connection {
            let store = self.inner.store_handle.store()?;
            let connection = connections::find(&store, name)?;
            if !connection.model.is_empty() {
                let mut generation = plan.generation().clone();
                generation.model.clone_from(&connection.model);
                plan = plan.with_generation(generation);
                if let Some(named) = body.get_mut("model") {
                    *named = connection.model.into();
                }
            }
        }
        let raw = self.kind(params)? == Some(ServerKind::Completions);
        let input = match body["prompt"].as_str().filter(|_| raw) {
            Some(text) => Input::Text(text.to_owned()),
            None => Input::Body(body),
        };
        Ok((plan, input))
    }
}

/// An answer that can be requested.
struct Prepared {
    target: OpenedTarget,
    plan: Plan,
    model: String,
}

/// The targets that a server understands; all for the mock provider.
fn targets(kind: Option<ServerKind>) -> Vec<RequestTarget> {
    match kind {
        None => TARGETS.to_vec(),
        Some(ServerKind::Ollama | ServerKind::Openai) => vec![RequestTarget::Openai],
        Some(ServerKind::Gemini) => vec![RequestTarget::Gemini],
        Some(ServerKind::Completions) => vec![RequestTarget::ChatTemplate],
    }
}

fn refusal(target: RequestTarget, targets: &[RequestTarget]) -> Option<ServiceError> {
    let reason = match target {
        RequestTarget::ChatTemplate => {
            "the connection takes messages and no raw text; choose a connection for raw completions \
             or another target"
        }
        _ => {
            "the connection does not take requests of this target; choose another target or \
             connection"
        }
    };
    (!targets.contains(&target)).then(|| ServiceError::Talk(reason.to_owned()))
}

/// A message in the format of OpenAI.
fn message(message: &TalkMessage) -> Value {
    match &message.answers {
        Some(id) => json!({"role": message.role, "tool_call_id": id, "content": message.content}),
        None => json!({"role": message.role, "content": message.content}),
    }
}

/// What came before the first turn of a branch, or of the branch that begins beside it, if that is noted:
/// the call document got other messages since.
fn before_first(
    turns: &[Turn],
    path: &[&Turn],
    params: &TalkParams,
) -> Result<Option<CallMessages>, ServiceError> {
    let beside = branch::path(turns, params.beside)?;
    let first = path.first().or(beside.first());
    Ok(first
        .map(|turn| record::outcome(turn))
        .transpose()?
        .and_then(|earlier| earlier.before))
}

/// The messages of a call document: their text and their tool calls.
fn before(call: &Call) -> Vec<CallMessage> {
    let text = |value: Option<&Value>| {
        let text = value.and_then(promptdeck_request::pipeline::content_text);
        text.unwrap_or_default()
    };
    let messages = call.messages();
    let messages = messages.iter().map(|message| CallMessage {
        role: text(message.get("role")),
        content: text(message.get("content")),
        calls: tool_calls(message),
        answers: message["tool_call_id"].as_str().map(str::to_owned),
    });
    messages.collect()
}

/// The tool calls of a message in the format of `OpenAI`.
fn tool_calls(message: &Value) -> Vec<TalkCall> {
    let calls = message["tool_calls"].as_array().into_iter().flatten();
    let calls = calls.map(|call| {
        let function = &call["function"];
        TalkCall {
            id: call["id"].as_str().unwrap_or_default().to_owned(),
            name: function["name"].as_str().unwrap_or_default().to_owned(),
            arguments: match &function["arguments"] {
                Value::String(text) => text.clone(),
                other => other.to_string(),
            },
        }
    });
    calls.collect()
}

fn tools(call: &Call) -> Vec<String> {
    let names = call.tools.iter().map(|tool| {
        let function = tool.get("function").unwrap_or(tool);
        function["name"].as_str().unwrap_or_default().to_owned()
    });
    names.collect()
}
