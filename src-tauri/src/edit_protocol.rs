//! Transports edits to the service. The page waits for the reply, but never longer than a frame.
//!
//! After an asynchronous request the page would draw the typed text first, and the reply would wait
//! for that frame, which takes longer than the service. The page therefore sends a synchronous
//! request to a custom scheme, and the typed text and its prompt appear in one frame. A reply that
//! takes longer is replaced by a ticket, which the command `applied` redeems.

use std::iter::once;
use std::time::Duration;

use promptdeck_service::Studio;
use promptdeck_service::wire::{Change, EditGroup, Failure, PromptEditRequest};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tauri::http::header::{ACCESS_CONTROL_ALLOW_ORIGIN, CONTENT_TYPE, HeaderValue, ORIGIN};
use tauri::http::{Request, Response, StatusCode};
use tauri::{Manager, UriSchemeContext, Url, Wry};

use crate::deferred_replies::{DeferredReplies, Reply};

/// The scheme: `edit://localhost/apply` on Linux, and `prompt` for edits in the prompt.
pub const SCHEME: &str = "edit";

/// Longest time that the page waits: one frame.
const TIMEOUT: Duration = Duration::from_millis(16);

/// Reply to an edit.
pub type EditReply = Result<Change, Failure>;

/// A group of edits of a document.
#[derive(Deserialize)]
struct EditRequest {
    document: String,
    group: EditGroup,
}

/// An edit in the prompt of a document.
#[derive(Deserialize)]
struct PromptRequest {
    document: String,
    request: PromptEditRequest,
}

/// The failure of an edit whose work ended without a result.
pub fn lost_reply() -> Failure {
    Failure::new(
        "lost",
        "an error inside Promptdeck; the edit was not applied",
    )
}

/// Responds to an edit: 200 with the change, 202 with a ticket, 422 with the failure. Serves only
/// the page that the window shows.
pub fn serve(context: &UriSchemeContext<'_, Wry>, request: Request<Vec<u8>>) -> Response<Vec<u8>> {
    let app = context.app_handle();
    let page = app.get_webview_window(context.webview_label());
    let page = page.and_then(|page| page.url().ok());
    let Some(origin) = page.and_then(|page| page_origin(&page, &request)) else {
        return answer(StatusCode::FORBIDDEN, None, &Value::Null);
    };
    let origin = Some(origin);
    let studio = app.clone();
    // Parsed on the working thread: a large paste may take longer to parse than the page waits.
    let in_prompt = request.uri().path() == "/prompt";
    let work = move || {
        let studio = studio.state::<Studio>();
        if in_prompt {
            edit_prompt(&studio, request.body())
        } else {
            apply(&studio, request.body())
        }
    };
    match app
        .state::<DeferredReplies<EditReply>>()
        .wait_timeout(TIMEOUT, work)
    {
        Reply::Done(Ok(change)) => answer(StatusCode::OK, origin, &change),
        Reply::Done(Err(failure)) => answer(StatusCode::UNPROCESSABLE_ENTITY, origin, &failure),
        Reply::Deferred(ticket) => answer(StatusCode::ACCEPTED, origin, &ticket),
        Reply::Lost => answer(StatusCode::UNPROCESSABLE_ENTITY, origin, &lost_reply()),
    }
}

fn apply(studio: &Studio, body: &[u8]) -> EditReply {
    // Through `Value`, like the arguments of commands, so that both read the numbers in edits
    // alike.
    let edit = serde_json::from_slice::<Value>(body).and_then(serde_json::from_value);
    let EditRequest { document, group } =
        edit.map_err(|fault| Failure::new("bad_edit", format!("not a group of edits: {fault}")))?;
    studio.apply(&document, &group).map_err(Failure::from)
}

fn edit_prompt(studio: &Studio, body: &[u8]) -> EditReply {
    let PromptRequest { document, request } = serde_json::from_slice(body)
        .map_err(|fault| Failure::new("bad_edit", format!("not an edit: {fault}")))?;
    studio
        .edit_prompt(&document, &request)
        .map_err(Failure::from)
}

/// The request's origin, if it is the page's own.
fn page_origin(page: &Url, request: &Request<Vec<u8>>) -> Option<HeaderValue> {
    let origin = request.headers().get(ORIGIN)?;
    let rest = page.as_str().strip_prefix(origin.to_str().ok()?)?;
    // The URL of a custom scheme may end with its host.
    let whole = rest.is_empty() || rest.starts_with(['/', '?', '#']);
    whole.then(|| origin.clone())
}

fn answer(
    status: StatusCode,
    origin: Option<HeaderValue>,
    body: &impl Serialize,
) -> Response<Vec<u8>> {
    // The service's types always serialize: their maps have string keys.
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

    #[test]
    fn only_the_page_itself_may_ask() {
        let asks = |page: &str, origin: Option<&str>| {
            let mut request = Request::new(Vec::new());
            if let Some(origin) = origin {
                let origin = HeaderValue::from_str(origin).expect("a header");
                request.headers_mut().insert(ORIGIN, origin);
            }
            page_origin(&page.parse().expect("an address"), &request).is_some()
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
