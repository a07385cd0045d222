//! Positions of JSON values in the text they were parsed from.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::json;

/// A position in a text, for people: both counted from 1, the column in Unicode scalar values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Position {
    /// The line, counted from 1.
    pub line: u32,
    /// The column within the line, counted from 1 in Unicode scalar values.
    pub column: u32,
}

/// One value in the order of the text; its children follow it directly.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// Where the value starts.
    pub offset: u32,
    /// Where its key starts, or [`Node::NO_KEY`].
    pub key: u32,
    /// The node after the value and all its children.
    pub next: u32,
}

impl Node {
    /// The key of a value that has none.
    pub const NO_KEY: u32 = u32::MAX;
}

/// The positions of every value of one JSON text, found by JSON pointer.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    text: Arc<str>,
    nodes: Arc<[Node]>,
    lines: Arc<[u32]>,
    wrapped: bool,
}

impl SourceMap {
    pub(super) fn new(text: &str, nodes: Vec<Node>) -> Self {
        Self {
            text: text.into(),
            nodes: nodes.into(),
            lines: line_starts(text),
            wrapped: false,
        }
    }

    pub(crate) fn wrapped(mut self, wrapped: bool) -> Self {
        self.wrapped = wrapped;
        self
    }

    /// What precedes a registry pointer in the file: `/registry` when the registry is wrapped.
    #[must_use]
    pub fn root(&self) -> &'static str {
        if self.wrapped { "/registry" } else { "" }
    }

    /// The position of the value that a pointer into the file names, if it exists.
    #[must_use]
    pub fn find(&self, pointer: &str) -> Option<Position> {
        self.offset(pointer).map(|offset| self.at(offset))
    }

    /// The position of the key of that value, or of the value itself if it has no key.
    #[must_use]
    pub fn find_key(&self, pointer: &str) -> Option<Position> {
        let node = self.node(pointer)?;
        let offset = if node.key == Node::NO_KEY {
            node.offset
        } else {
            node.key
        };
        Some(self.at(offset as usize))
    }

    /// The text of the file.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The byte offset of the value that a pointer into the file names.
    #[must_use]
    pub fn offset(&self, pointer: &str) -> Option<usize> {
        self.node(pointer).map(|node| node.offset as usize)
    }

    /// The position of a byte offset in the text.
    #[must_use]
    pub fn at(&self, offset: usize) -> Position {
        position_at(&self.text, &self.lines, offset)
    }

    fn node(&self, pointer: &str) -> Option<Node> {
        let mut at = 0;
        let mut steps = pointer.split('/');
        if !steps.next()?.is_empty() {
            return None;
        }
        for step in steps {
            let step = step.replace("~1", "/").replace("~0", "~");
            at = self.child(at, &step)?;
        }
        self.nodes.get(at).copied()
    }

    fn child(&self, parent: usize, step: &str) -> Option<usize> {
        let end = self.nodes.get(parent)?.next as usize;
        let mut child = parent + 1;
        let wanted: Option<usize> = step.parse().ok();
        let mut index = 0;
        while child < end {
            let node = self.nodes[child];
            let found = if node.key == Node::NO_KEY {
                wanted == Some(index)
            } else {
                json::string_at(&self.text, node.key as usize).is_some_and(|key| key == step)
            };
            if found {
                return Some(child);
            }
            index += 1;
            child = node.next as usize;
        }
        None
    }
}

/// The positions of byte offsets in a text of any kind.
pub(crate) struct TextPositions<'t> {
    text: &'t str,
    lines: Arc<[u32]>,
}

impl<'t> TextPositions<'t> {
    pub fn new(text: &'t str) -> Self {
        Self {
            text,
            lines: line_starts(text),
        }
    }

    /// The position of a byte offset; an offset beyond the end is the end.
    pub fn at(&self, offset: usize) -> Position {
        position_at(self.text, &self.lines, offset)
    }
}

/// The offsets at which lines start.
pub(super) fn line_starts(text: &str) -> Arc<[u32]> {
    std::iter::once(0)
        .chain(
            text.bytes()
                .enumerate()
                .filter_map(|(at, byte)| (byte == b'\n').then_some(at as u32 + 1)),
        )
        .collect()
}

/// The position of a byte offset; an offset beyond the end is the end.
pub(super) fn position_at(text: &str, lines: &[u32], offset: usize) -> Position {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let line = lines
        .partition_point(|&start| start as usize <= offset)
        .max(1);
    let start = lines.get(line - 1).map_or(0, |&start| start as usize);
    Position {
        line: line as u32,
        column: text[start..offset].chars().count() as u32 + 1,
    }
}
