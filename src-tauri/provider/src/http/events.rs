//! Splits a response body into events: server-sent events or lines of JSON, with limits per event
//! and in total. Does not interpret the events.

use std::pin::Pin;

use futures_util::{Stream, StreamExt, future::ready, stream};
use sse_stream::SseByteStream;
use tokio_util::{
    bytes::Bytes,
    codec::{FramedRead, LinesCodec, LinesCodecError},
    io::StreamReader,
};

use super::Limits;

/// How a stream is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// Server-sent events.
    Sse,
    /// One JSON document per line.
    JsonLines,
}

/// Why a stream cannot be read further.
#[derive(Debug, thiserror::Error)]
pub(super) enum StreamError {
    /// The connection failed.
    #[error(transparent)]
    Read(#[from] reqwest::Error),
    /// A limit was exceeded.
    #[error("the {what} is larger than {limit} bytes, which is the limit")]
    TooLarge {
        /// What is too large.
        what: &'static str,
        /// The limit, in bytes.
        limit: usize,
    },
    /// The stream is not UTF-8.
    #[error("the answer is not UTF-8")]
    NotText,
}

impl From<StreamError> for std::io::Error {
    fn from(error: StreamError) -> Self {
        Self::other(error)
    }
}

/// The data of each event, in order. Events without data are skipped.
pub(super) struct Events<'a>(Pin<Box<dyn Stream<Item = Result<String, StreamError>> + 'a>>);

impl<'a> Events<'a> {
    pub(super) fn new(
        body: impl Stream<Item = reqwest::Result<Bytes>> + 'a,
        framing: Framing,
        limits: Limits,
    ) -> Self {
        let mut meter = Meter::new(framing, limits);
        let body = body.flat_map(move |piece| {
            stream::iter(match piece {
                Ok(piece) => {
                    let (good, error) = meter.take(&piece);
                    [Some(Ok(piece.slice(..good))), error.map(Err)]
                }
                Err(error) => [Some(Err(StreamError::Read(error))), None],
            })
            .filter_map(ready)
        });
        Self(match framing {
            Framing::Sse => Box::pin(SseByteStream::new(Box::pin(body)).filter_map(|event| {
                ready(match event {
                    Ok(event) => event.data.filter(|data| !data.is_empty()).map(Ok),
                    Err(sse_stream::Error::Body(error)) => Some(Err(unwrap_error(error))),
                    Err(_) => Some(Err(StreamError::NotText)),
                })
            })),
            Framing::JsonLines => {
                let lines = FramedRead::new(StreamReader::new(Box::pin(body)), LinesCodec::new());
                Box::pin(lines.filter_map(|line| {
                    ready(match line {
                        Ok(line) => (!line.trim().is_empty()).then_some(Ok(line)),
                        Err(LinesCodecError::Io(error)) => Some(Err(error
                            .into_inner()
                            .map_or(StreamError::NotText, unwrap_error))),
                        // Unreachable: the meter enforces the limit.
                        Err(LinesCodecError::MaxLineLengthExceeded) => None,
                    })
                }))
            }
        })
    }

    pub(super) async fn next(&mut self) -> Option<Result<String, StreamError>> {
        self.0.next().await
    }
}

/// Recovers our own error from the wrapping of the reader.
fn unwrap_error(error: Box<dyn std::error::Error + Send + Sync>) -> StreamError {
    match error.downcast::<StreamError>() {
        Ok(error) => *error,
        Err(_) => StreamError::NotText,
    }
}

/// Counts incoming bytes, so that no reader behind it buffers more than the limits.
struct Meter {
    framing: Framing,
    limits: Limits,
    total: usize,
    event: usize,
    line: usize,
    after_cr: bool,
}

impl Meter {
    fn new(framing: Framing, limits: Limits) -> Self {
        Self {
            framing,
            limits,
            total: 0,
            event: 0,
            line: 0,
            after_cr: false,
        }
    }

    /// Number of bytes of a piece that are within the limits, and the error if that is not all of
    /// them.
    fn take(&mut self, piece: &[u8]) -> (usize, Option<StreamError>) {
        let refuse = |good, what, limit| (good, Some(StreamError::TooLarge { what, limit }));
        let Limits { stream, event, .. } = self.limits;
        for (at, &byte) in piece.iter().enumerate() {
            self.total += 1;
            self.event += 1;
            match byte {
                b'\n' if self.after_cr => {}
                b'\n' | b'\r' => {
                    if self.line == 0 || self.framing == Framing::JsonLines {
                        self.event = 0;
                    }
                    self.line = 0;
                }
                _ => self.line += 1,
            }
            self.after_cr = byte == b'\r';
            if self.event > event {
                return refuse(at, "event", event);
            }
            if self.total > stream {
                return refuse(at, "answer", stream);
            }
        }
        (piece.len(), None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits() -> Limits {
        Limits {
            event: 64,
            stream: 1000,
            ..Limits::default()
        }
    }

    /// The events of a body that arrives in pieces of `size` bytes.
    fn events(framing: Framing, body: &[u8], size: usize) -> Vec<String> {
        let pieces: Vec<_> = body
            .chunks(size)
            .map(|piece| Ok(Bytes::copy_from_slice(piece)))
            .collect();
        let mut events = Events::new(stream::iter(pieces), framing, limits());
        let mut got = Vec::new();
        futures_util::FutureExt::now_or_never(async {
            while let Some(event) = events.next().await {
                let failed = event.is_err();
                got.push(event.unwrap_or_else(|error| format!("! {error}")));
                if failed {
                    break;
                }
            }
        })
        .expect("nothing to wait for");
        got
    }

    fn check(framing: Framing, body: &str, expect: &[&str]) {
        for size in [1, 2, 7, 4096] {
            assert_eq!(
                events(framing, body.as_bytes(), size),
                expect,
                "{body:?} by {size}"
            );
        }
    }

    #[test]
    fn server_sent_events() {
        check(Framing::Sse, "data: a\n\ndata: b\n\n", &["a", "b"]);
        check(Framing::Sse, "data: a\r\n\r\ndata: b\r\n\r\n", &["a", "b"]);
        check(Framing::Sse, "data: a\rdata: b\r\r", &["a\nb"]);
        check(
            Framing::Sse,
            ": comment\n\nevent: x\nid: 1\ndata:é\n\n",
            &["é"],
        );
        check(Framing::Sse, "event: only\n\ndata:\n\n", &[]);
        check(Framing::Sse, "data: a\n\ndata: never ended", &["a"]);
        let many = "data: 0123456789\n\n".repeat(50);
        check(Framing::Sse, &many, &["0123456789"; 50]);
    }

    #[test]
    fn lines() {
        check(Framing::JsonLines, "{}\n\n[1]\r\n2", &["{}", "[1]", "2"]);
    }

    #[test]
    fn what_is_too_long() {
        let long = format!("data: a\n\ndata: {}\n\n", "x".repeat(90));
        check(
            Framing::Sse,
            &long,
            &[
                "a",
                "! the event is larger than 64 bytes, which is the limit",
            ],
        );
        let many_lines = "data: x\n".repeat(20);
        check(
            Framing::Sse,
            &many_lines,
            &["! the event is larger than 64 bytes, which is the limit"],
        );
        let line = format!("1\n{}", "x".repeat(90));
        check(
            Framing::JsonLines,
            &line,
            &[
                "1",
                "! the event is larger than 64 bytes, which is the limit",
            ],
        );
        let all = events(Framing::JsonLines, "12\n".repeat(400).as_bytes(), 10);
        assert_eq!(
            all.last().map(String::as_str),
            Some("! the answer is larger than 1000 bytes, which is the limit")
        );
    }

    #[test]
    fn not_utf8() {
        let expect = ["! the answer is not UTF-8"];
        assert_eq!(events(Framing::Sse, b"data: \xff\n\n", 4), expect);
        assert_eq!(events(Framing::JsonLines, b"\xff\n", 4), expect);
    }
}
