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
    /// Index of the message that it shows, or of the loop iteration that wrote it.
    pub message: Option<usize>,
}

/// The trace of one rendering.
#[derive(Default)]
pub(super) struct Trace {
    pub spans: Vec<Span>,
    /// The parts inside `{% generation %}`.
    pub generations: Vec<(usize, usize)>,
    /// Index of each message by the address of its mapping.
    messages: HashMap<usize, usize>,
    /// The message of the current loop iteration.
    pub message: Option<usize>,
    /// The message that an expression accessed last.
    pub touched: Option<usize>,
    /// The message that the text in each variable or attribute came from.
    origins: HashMap<SlotAddress, usize>,
    /// The namespaces of these attributes, kept alive so that their addresses are not reused.
    namespaces: HashMap<usize, Arc<Namespace>>,
}

/// Identifies a variable of an activation, or an attribute of a namespace.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum SlotAddress {
    Variable(usize, u16),
    Attribute(usize, Arc<str>),
}

impl SlotAddress {
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
        let mut trace = Self::default();
        if let Some(Value::List(seq)) = messages {
            for (index, message) in seq.items().iter().enumerate() {
                if let Value::Dict(dict) = message {
                    trace.messages.insert(address(dict), index);
                }
            }
        }
        trace
    }

    fn index(&self, dict: &Arc<Dict>) -> Option<usize> {
        self.messages.get(&address(dict)).copied()
    }

    /// Called with the item of each loop iteration.
    pub fn turn(&mut self, item: &Value) {
        if let Value::Dict(dict) = item
            && let Some(index) = self.index(dict)
        {
            self.message = Some(index);
        }
    }

    /// Called when an expression accesses this mapping.
    pub fn look(&mut self, dict: &Arc<Dict>) {
        if let Some(index) = self.index(dict) {
            self.touched = Some(index);
        }
    }

    /// Called when a value is assigned to an attribute of a namespace.
    pub fn record_attribute_origin(
        &mut self,
        namespace: &Arc<Namespace>,
        name: &Arc<str>,
        value: &Value,
    ) {
        self.namespaces
            .entry(Arc::as_ptr(namespace).addr())
            .or_insert_with(|| Arc::clone(namespace));
        self.record_origin(SlotAddress::attribute(namespace, name), value);
    }

    /// Called when a value is assigned: a text comes from the message accessed for it.
    pub fn record_origin(&mut self, slot: SlotAddress, value: &Value) {
        match self.touched.filter(|_| value.as_str().is_some()) {
            Some(message) => self.origins.insert(slot, message),
            None => self.origins.remove(&slot),
        };
    }

    /// Called when a variable or attribute is read.
    pub fn read_slot(&mut self, slot: &SlotAddress) {
        if let Some(message) = self.origins.get(slot) {
            self.touched = Some(*message);
        }
    }

    /// Called when output is written. Adjacent parts of the same origin become one span.
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
