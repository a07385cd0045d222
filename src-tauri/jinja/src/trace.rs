//! Records which line of the template and which message produced each part of the output. Only
//! [`Template::trace`](super::Template::trace) turns it on.

use std::collections::HashMap;
use std::sync::Arc;

use super::namespace::Namespace;
use super::value::{Dict, Value};

/// A part of the output: its bytes, the byte of the template that wrote it, and its message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Span {
    /// First byte of the output.
    pub start: usize,
    /// Byte after the last.
    pub end: usize,
    /// Byte offset of the text or tag in [`Template::source`](super::Template::source).
    pub at: usize,
    /// Index of the message that it shows or was written for.
    pub message: Option<usize>,
}

/// The notes of one rendering.
#[derive(Default)]
pub(super) struct Trace {
    pub spans: Vec<Span>,
    /// The parts inside `{% generation %}`.
    pub generations: Vec<(usize, usize)>,
    /// Index of each message by the address of its mapping.
    messages: HashMap<usize, usize>,
    /// The message of the current turn of a loop.
    pub message: Option<usize>,
    /// The message an expression looked at last.
    pub touched: Option<usize>,
    /// The messages that texts kept in variables are from.
    origins: HashMap<Holder, usize>,
    /// The namespaces among what keeps them, so that no other one is made at their addresses.
    namespaces: HashMap<usize, Arc<Namespace>>,
}

/// What keeps a text: a variable of an activation, or an attribute of a namespace.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Holder {
    Variable(usize, u16),
    Attribute(usize, Arc<str>),
}

impl Holder {
    /// The attribute of a namespace.
    pub fn attribute(namespace: &Arc<Namespace>, name: &Arc<str>) -> Self {
        Self::Attribute(Arc::as_ptr(namespace).addr(), Arc::clone(name))
    }
}

fn address(dict: &Arc<Dict>) -> usize {
    Arc::as_ptr(dict) as usize
}

impl Trace {
    /// A trace that knows the messages of a conversation.
    pub fn new(messages: Option<&Value>) -> Self {
        let mut own = Self::default();
        if let Some(Value::List(seq)) = messages {
            for (index, message) in seq.items().iter().enumerate() {
                if let Value::Dict(dict) = message {
                    own.messages.insert(address(dict), index);
                }
            }
        }
        own
    }

    fn index(&self, dict: &Arc<Dict>) -> Option<usize> {
        self.messages.get(&address(dict)).copied()
    }

    /// A loop took this item.
    pub fn turn(&mut self, item: &Value) {
        if let Value::Dict(dict) = item
            && let Some(index) = self.index(dict)
        {
            self.message = Some(index);
        }
    }

    /// An expression looked into this value.
    pub fn look(&mut self, dict: &Arc<Dict>) {
        if let Some(index) = self.index(dict) {
            self.touched = Some(index);
        }
    }

    /// A value is kept by an attribute of a namespace.
    pub fn keep_attribute(&mut self, namespace: &Arc<Namespace>, name: &Arc<str>, value: &Value) {
        self.namespaces
            .entry(Arc::as_ptr(namespace).addr())
            .or_insert_with(|| Arc::clone(namespace));
        self.keep(Holder::attribute(namespace, name), value);
    }

    /// A value is kept: a text is of the message that was looked at for it.
    pub fn keep(&mut self, holder: Holder, value: &Value) {
        match self.touched.filter(|_| value.as_str().is_some()) {
            Some(message) => self.origins.insert(holder, message),
            None => self.origins.remove(&holder),
        };
    }

    /// A kept value was read.
    pub fn recall(&mut self, holder: &Holder) {
        if let Some(message) = self.origins.get(holder) {
            self.touched = Some(*message);
        }
    }

    /// Output was written. Neighbours of one origin become one span.
    pub fn note(&mut self, start: usize, end: usize, at: u32) {
        let message = self.touched.take().or(self.message);
        let at = at as usize;
        if let Some(last) = self.spans.last_mut()
            && last.end == start
            && last.at == at
            && last.message == message
        {
            last.end = end;
            return;
        }
        self.spans.push(Span {
            start,
            end,
            at,
            message,
        });
    }
}
