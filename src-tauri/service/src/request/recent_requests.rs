//! The latest requests, so that each can be compared with the previous one. As with undo, a burst
//! of typing counts as one request, and the request it is compared with stays the same until the
//! author does something else.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, PoisonError};

use promptdeck_request::span::Span;

use crate::wire::RequestParams;

/// Steps of the registry's history and of the call's at which a request was built.
pub type Steps = (u64, u64);

/// A request that was built.
#[derive(Debug, Clone, PartialEq)]
pub struct RecentRequest {
    /// Its text in spans.
    pub spans: Vec<Span>,
    /// Time, in milliseconds since 1970.
    pub at: u64,
    /// Steps of the histories.
    pub steps: Steps,
    /// The items used by each section.
    pub items: BTreeMap<String, Vec<String>>,
    /// Length of the prefix shared with the previous request as a share, if there was one.
    pub share: Option<f64>,
}

#[derive(Debug)]
struct Pair {
    before: Option<RecentRequest>,
    latest: RecentRequest,
}

/// Scope of comparison: a registry and the parameters of a request.
type Key = (String, RequestParams);

/// The last two requests of each scope.
#[derive(Debug, Default)]
pub struct RecentRequests(Mutex<HashMap<Key, Pair>>);

impl RecentRequests {
    /// Records a request and returns the one to compare it with. One that equals the latest is
    /// not recorded again; one of the same steps replaces the latest.
    pub fn note(
        &self,
        document: &str,
        params: &RequestParams,
        made: RecentRequest,
    ) -> Option<RecentRequest> {
        let mut pairs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (document.to_owned(), params.clone());
        let Some(pair) = pairs.get_mut(&key) else {
            let latest = made;
            pairs.insert(
                key,
                Pair {
                    before: None,
                    latest,
                },
            );
            return None;
        };
        if pair.latest.spans == made.spans {
            pair.latest.steps = made.steps;
        } else if pair.latest.steps == made.steps {
            pair.latest = made;
        } else {
            pair.before = Some(std::mem::replace(&mut pair.latest, made));
        }
        pair.before.clone()
    }

    /// Records how much of the latest request is shared with the one before.
    pub fn note_share(&self, document: &str, params: &RequestParams, share: f64) {
        let mut pairs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pair) = pairs.get_mut(&(document.to_owned(), params.clone())) {
            pair.latest.share = Some(share);
        }
    }

    /// Drops the requests of a registry.
    pub fn forget(&self, document: &str) {
        let mut pairs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        pairs.retain(|(known, _), _| known != document);
    }
}

#[cfg(test)]
mod tests {
    use promptdeck_request::span::SpanOrigin;

    use super::*;
    use crate::wire::RequestTarget;

    /// Records texts with their steps in order, and checks with which text the last is compared.
    fn check(recent: &[(&str, Steps)], expected: Option<&str>) {
        let requests = RecentRequests::default();
        let params = RequestParams {
            call: None,
            target: RequestTarget::Openai,
            family: None,
        };
        let mut before = None;
        for (text, steps) in recent {
            let recent = RecentRequest {
                spans: vec![Span::new(*text, SpanOrigin::Glue)],
                at: 0,
                steps: *steps,
                items: BTreeMap::new(),
                share: None,
            };
            before = requests.note("deck.json", &params, recent);
        }
        let text = before.map(|recent| recent.spans[0].text.clone());
        assert_eq!(text.as_deref(), expected, "{recent:?}");
    }

    #[test]
    fn a_request_is_compared_with_the_one_before_its_step() {
        check(&[("a", (0, 0))], None);
        check(&[("a", (0, 0)), ("b", (1, 0))], Some("a"));
        check(&[("a", (0, 0)), ("b", (0, 1))], Some("a"));
        check(&[("a", (0, 0)), ("b", (1, 0)), ("c", (2, 0))], Some("b"));
    }

    #[test]
    fn a_burst_of_typing_is_one_request() {
        let typing = [
            ("a", (0, 0)),
            ("ab", (1, 0)),
            ("abc", (1, 0)),
            ("abcd", (1, 0)),
        ];
        check(&typing, Some("a"));
    }

    #[test]
    fn an_unchanged_request_is_not_recorded() {
        check(&[("a", (0, 0)), ("b", (1, 0)), ("b", (2, 0))], Some("a"));
        check(
            &[("a", (0, 0)), ("b", (1, 0)), ("b", (2, 0)), ("c", (3, 0))],
            Some("b"),
        );
    }
}
