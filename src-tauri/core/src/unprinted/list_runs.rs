//! The entries of an assembly order whose lists may print as one list, whatever is selected.
//!
//! Headings are compared as written. Which items are in use is not known here, so that lists are taken
//! to merge where those of any two items do.

use std::collections::BTreeSet;

use serde_json::Value;

use super::insertion::ENDINGS;
use super::reach::{UNDER_HEADING, has_field, prints_pool_only, section_of, whole_field};
use crate::{
    hydrate::Token,
    registry::{Item, Registry, Section},
};

/// The headings that the list before a place may stand under; empty if no list can go on there.
type Open<'r> = BTreeSet<&'r str>;

/// The lists of one assembly order.
pub(super) struct ListRuns<'r> {
    registry: &'r Registry,
    /// By position: the headings of each entry's lists.
    lists: Vec<Vec<Option<&'r str>>>,
    /// By position: what is open before the entry.
    open: Vec<Open<'r>>,
}

impl<'r> ListRuns<'r> {
    pub fn new(registry: &'r Registry, order: &[String]) -> Self {
        let mut open = Open::new();
        let mut runs = Self {
            registry,
            lists: Vec::with_capacity(order.len()),
            open: Vec::with_capacity(order.len()),
        };
        for text in order {
            let lists = Token::parse(text).map_or_else(|_| Vec::new(), |token| runs.lists(&token));
            let next = after(&lists, &open);
            runs.open.push(std::mem::replace(&mut open, next));
            runs.lists.push(lists);
        }
        runs
    }

    /// Whether an entry that is added at the position parts lists that print as one without it.
    pub fn are_parted_by(&self, token: &Token, position: usize) -> bool {
        let (Some(open), Some(next)) = (self.open.get(position), self.lists.get(position)) else {
            return false;
        };
        merges(next, open) && !merges(next, &after(&self.lists(token), open))
    }

    /// Whether the entry may print a list.
    pub fn is_list(&self, token: &Token) -> bool {
        !self.lists(token).is_empty()
    }

    /// Whether the entry at the position may print its list as the end of one of the section.
    pub fn continues(&self, section: &Section, position: usize) -> bool {
        let items = section.items().iter();
        let with_list = items.filter(|item| {
            let mut lists = UNDER_HEADING.into_iter();
            lists.any(|list| item.fields().get(list).is_some_and(Value::is_array))
        });
        let headings: Open<'_> = with_list.filter_map(|item| item.heading()).collect();
        let next = self.lists.get(position);
        next.is_some_and(|next| merges(next, &headings))
    }

    /// The headings of the lists that an entry may print, none where a list has none.
    fn lists(&self, token: &Token) -> Vec<Option<&'r str>> {
        let Some(section) = section_of(token, self.registry) else {
            return Vec::new();
        };
        if section.name() == ENDINGS {
            return Vec::new();
        }
        let items = section.items().iter();
        items
            .filter_map(|item| {
                let field = printed_field(token, section, item)?;
                let list = item.fields().get(field)?.as_array()?;
                let heading = item.heading().filter(|_| UNDER_HEADING.contains(&field));
                (!list.is_empty()).then_some(heading)
            })
            .collect()
    }
}

/// The field that an entry prints of an item.
fn printed_field<'t>(token: &'t Token, section: &Section, item: &Item) -> Option<&'t str> {
    let is_whole_field = whole_field(section, item);
    match token {
        Token::Bare { .. } => (!prints_pool_only(section, item)).then_some(is_whole_field),
        Token::Bracket { .. } => Some(is_whole_field),
        Token::Dotted { field, .. } if has_field(item, field) => Some(field),
        Token::Dotted { field, .. } if item.label() == Some(field) => Some(is_whole_field),
        Token::Dotted { .. } => item.pool().map(|_| "items"),
    }
}

fn merges(lists: &[Option<&str>], open: &Open<'_>) -> bool {
    !open.is_empty()
        && lists
            .iter()
            .any(|heading| heading.is_none_or(|heading| open.contains(heading)))
}

/// What is open after an entry with these lists.
fn after<'r>(lists: &[Option<&'r str>], open: &Open<'r>) -> Open<'r> {
    let mut next: Open<'r> = lists.iter().copied().flatten().collect();
    if lists.contains(&None) {
        next.extend(open);
    }
    next
}
