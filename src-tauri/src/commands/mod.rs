//! What the page may call: one file per area, each command a line over the service.

pub mod chat;
pub mod documents;
pub mod export;
pub mod request;
pub mod shelf;
pub mod snapshots;

use promptdeck_service::ServiceError;
use promptdeck_service::wire::Failure;

/// What a command answers.
type Answer<T> = Result<T, Failure>;

fn answer<T>(result: Result<T, ServiceError>) -> Answer<T> {
    result.map_err(Failure::from)
}
