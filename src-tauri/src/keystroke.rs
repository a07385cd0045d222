//! The way of an edit to the service and back: the page waits for the answer, though never longer
//! than a frame.
//!
//! A page that asks and goes on draws what was typed first, and the answer waits until that frame is
//! done: it takes longer than the service does. So the page asks by a synchronous request to a scheme
//! of its own, and what was typed and the prompt it makes are one frame. An answer that takes longer
//! is replaced by a ticket; the command `applied` has the answer to it.

use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use std::{collections::HashMap, iter::once};

use promptdeck_service::Studio;
use promptdeck_service::wire::{Applied, Change, Failure};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tauri::async_runtime::spawn_blocking;
use tauri::http::header::{ACCESS_CONTROL_ALLOW_ORIGIN, CONTENT_TYPE, HeaderValue, ORIGIN};
use tauri::http::{Request, Response, StatusCode};
use tauri::{Manager, UriSchemeContext, Url, Wry};

/// The scheme: `edit://localhost/apply` on Linux.
pub const SCHEME: &str = "edit";

/// How long the page waits: one frame.
const PATIENCE: Duration = Duration::from_millis(16);

/// What an edit is answered with.
pub type Edited = Result<Change, Failure>;

/// A group of edits of a document.
#[derive(Deserialize)]
struct Asked {
    document: String,
    group: Applied,
}

/// Answers that were not there in time, by ticket.
pub struct Late<T>(Mutex<Tickets<T>>);

struct Tickets<T> {
    next: u32,
    waiting: HashMap<u32, Receiver<T>>,
}

impl<T> Default for Late<T> {
    fn default() -> Self {
        Self(Mutex::new(Tickets {
            next: 0,
            waiting: HashMap::new(),
        }))
    }
}

impl<T> Late<T> {
    /// The answer of a ticket, as soon as it is there; given once, and never when the work failed.
    pub fn redeem(&self, ticket: u32) -> Option<T> {
        let answer = self.tickets(|tickets| tickets.waiting.remove(&ticket));
        answer?.recv().ok()
    }

    /// Gives up the answers nobody asks for any more: the page that has the tickets is gone.
    pub fn forget(&self) {
        self.tickets(|tickets| tickets.waiting.clear());
    }

    fn ticket(&self, answer: Receiver<T>) -> u32 {
        self.tickets(|tickets| {
            let ticket = tickets.next;
            tickets.next = ticket.wrapping_add(1);
            tickets.waiting.insert(ticket, answer);
            ticket
        })
    }

    fn tickets<R>(&self, work: impl FnOnce(&mut Tickets<T>) -> R) -> R {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// What work comes to within the page's patience.
#[derive(Debug, PartialEq)]
enum Outcome<T> {
    Done(T),
    /// It goes on; the ticket is for its answer.
    Late(u32),
    /// It ended without an answer.
    Lost,
}

fn within<T: Send + 'static>(
    patience: Duration,
    late: &Late<T>,
    work: impl FnOnce() -> T + Send + 'static,
) -> Outcome<T> {
    let (sender, answer) = sync_channel(1);
    // Nobody listens any more when another page began meanwhile.
    drop(spawn_blocking(move || drop(sender.send(work()))));
    match answer.recv_timeout(patience) {
        Ok(answer) => Outcome::Done(answer),
        Err(RecvTimeoutError::Timeout) => Outcome::Late(late.ticket(answer)),
        Err(RecvTimeoutError::Disconnected) => Outcome::Lost,
    }
}

/// The failure of an edit whose work ended without an answer.
pub fn lost() -> Failure {
    failure("lost", "the studio failed over this edit; it was left out")
}

fn failure(code: &str, message: &str) -> Failure {
    Failure {
        code: code.to_owned(),
        message: message.to_owned(),
        file: None,
        pointer: None,
        line: None,
        column: None,
    }
}

/// Answers a page's edit: 200 with the change, 202 with a ticket, 422 with the failure. Only the page
/// that the window shows is answered.
pub fn serve(context: &UriSchemeContext<'_, Wry>, request: Request<Vec<u8>>) -> Response<Vec<u8>> {
    let app = context.app_handle();
    let page = app.get_webview_window(context.webview_label());
    let page = page.and_then(|page| page.url().ok());
    let Some(origin) = page.and_then(|page| asked_by(&page, &request)) else {
        return answer(StatusCode::FORBIDDEN, None, &Value::Null);
    };
    let origin = Some(origin);
    let studio = app.clone();
    // Read where it is applied: a paste may take longer to read than the page waits.
    let work = move || apply(&studio.state::<Studio>(), request.body());
    match within(PATIENCE, &app.state::<Late<Edited>>(), work) {
        Outcome::Done(Ok(change)) => answer(StatusCode::OK, origin, &change),
        Outcome::Done(Err(failure)) => answer(StatusCode::UNPROCESSABLE_ENTITY, origin, &failure),
        Outcome::Late(ticket) => answer(StatusCode::ACCEPTED, origin, &ticket),
        Outcome::Lost => answer(StatusCode::UNPROCESSABLE_ENTITY, origin, &lost()),
    }
}

fn apply(studio: &Studio, body: &[u8]) -> Edited {
    // By way of a value, as a command's arguments are read: numbers in edits are read alike.
    let asked = serde_json::from_slice::<Value>(body).and_then(serde_json::from_value);
    let Asked { document, group } = asked
        .map_err(|fault| failure("bad_edit", &format!("this is no group of edits: {fault}")))?;
    studio.apply(&document, &group).map_err(Failure::from)
}

/// The origin that asks, when it is the page's own.
fn asked_by(page: &Url, request: &Request<Vec<u8>>) -> Option<HeaderValue> {
    let origin = request.headers().get(ORIGIN)?;
    let rest = page.as_str().strip_prefix(origin.to_str().ok()?)?;
    // An address whose scheme the web does not know may end with its host.
    let whole = rest.is_empty() || rest.starts_with(['/', '?', '#']);
    whole.then(|| origin.clone())
}

fn answer(
    status: StatusCode,
    origin: Option<HeaderValue>,
    body: &impl Serialize,
) -> Response<Vec<u8>> {
    // Whatever the service answers is JSON without maps by anything but text.
    let mut response = Response::new(serde_json::to_vec(body).unwrap_or_default());
    *response.status_mut() = status;
    let json = HeaderValue::from_static("application/json");
    let headers = once((CONTENT_TYPE, json))
        .chain(origin.map(|origin| (ACCESS_CONTROL_ALLOW_ORIGIN, origin)));
    response.headers_mut().extend(headers);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_mins(1);

    #[test]
    fn what_is_done_in_time_is_answered() {
        let late = Late::default();
        assert_eq!(within(LONG, &late, || "done"), Outcome::Done("done"));
        assert_eq!(late.redeem(0), None, "no ticket was given");
    }

    #[test]
    fn what_takes_longer_is_answered_by_ticket_once() {
        let late = Late::default();
        let (first, second) = (sync_channel::<()>(0), sync_channel::<()>(0));
        let held = |gate: Receiver<()>, answer| move || gate.recv().map(|()| answer).ok();
        let soon = Duration::from_millis(1);
        assert_eq!(within(soon, &late, held(first.1, "a")), Outcome::Late(0));
        assert_eq!(within(soon, &late, held(second.1, "b")), Outcome::Late(1));
        second.0.send(()).expect("waited for");
        assert_eq!(late.redeem(1), Some(Some("b")));
        first.0.send(()).expect("waited for");
        assert_eq!(late.redeem(0), Some(Some("a")));
        assert_eq!(late.redeem(0), None, "given already");
    }

    #[test]
    fn a_page_that_begins_leaves_no_answers_to_the_one_before() {
        let late = Late::default();
        let (gate, held) = sync_channel::<()>(0);
        let work = move || held.recv().is_ok();
        let soon = Duration::from_millis(1);
        assert_eq!(within(soon, &late, work), Outcome::Late(0));
        late.forget();
        gate.send(()).expect("the work goes on");
        assert_eq!(late.redeem(0), None);
        let (_gate, held) = sync_channel::<()>(0);
        let next = move || held.recv().is_ok();
        assert_eq!(
            within(soon, &late, next),
            Outcome::Late(1),
            "no number is given twice"
        );
    }

    #[test]
    fn work_that_fails_is_lost_at_once_and_by_ticket() {
        let late = Late::<()>::default();
        assert_eq!(within(LONG, &late, || panic!("on purpose")), Outcome::Lost);
        let (gate, held) = sync_channel::<()>(0);
        let work = move || held.recv().expect("never");
        assert_eq!(
            within(Duration::from_millis(1), &late, work),
            Outcome::Late(0)
        );
        drop(gate);
        assert_eq!(late.redeem(0), None);
    }

    #[test]
    fn only_the_page_itself_may_ask() {
        let asks = |page: &str, origin: Option<&str>| {
            let mut request = Request::new(Vec::new());
            if let Some(origin) = origin {
                let origin = HeaderValue::from_str(origin).expect("a header");
                request.headers_mut().insert(ORIGIN, origin);
            }
            asked_by(&page.parse().expect("an address"), &request).is_some()
        };
        assert!(asks("tauri://localhost", Some("tauri://localhost")));
        assert!(asks("tauri://localhost/", Some("tauri://localhost")));
        assert!(asks(
            "http://localhost:5183/#x",
            Some("http://localhost:5183")
        ));
        assert!(!asks("tauri://localhost/", None));
        assert!(!asks("tauri://localhost/", Some("")));
        assert!(!asks("tauri://localhost/", Some("null")));
        assert!(!asks("tauri://localhost/", Some("https://example.org")));
        assert!(!asks(
            "http://localhost:5183/",
            Some("http://localhost:518")
        ));
        assert!(!asks("https://example.org/", Some("https://example.or")));
    }
}
