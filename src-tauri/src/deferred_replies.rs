//! Waits for a result up to a timeout, then hands out a ticket for it.

use std::collections::HashMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tauri::async_runtime::spawn_blocking;

/// Results that missed the timeout, by ticket.
pub struct DeferredReplies<T>(Mutex<Tickets<T>>);

struct Tickets<T> {
    next: u32,
    waiting: HashMap<u32, Receiver<T>>,
}

impl<T> Default for DeferredReplies<T> {
    fn default() -> Self {
        Self(Mutex::new(Tickets {
            next: 0,
            waiting: HashMap::new(),
        }))
    }
}

impl<T: Send + 'static> DeferredReplies<T> {
    /// Runs work on a separate thread and waits for its result up to the timeout.
    pub fn wait_timeout(
        &self,
        timeout: Duration,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Reply<T> {
        let (sender, answer) = sync_channel(1);
        // The receiver is gone if the reply was dropped meanwhile.
        drop(spawn_blocking(move || drop(sender.send(work()))));
        match answer.recv_timeout(timeout) {
            Ok(answer) => Reply::Done(answer),
            Err(RecvTimeoutError::Timeout) => Reply::Deferred(self.ticket(answer)),
            Err(RecvTimeoutError::Disconnected) => Reply::Lost,
        }
    }

    /// Waits for the result of a ticket and removes it. `None` if the work failed or the ticket is
    /// unknown.
    pub fn take(&self, ticket: u32) -> Option<T> {
        let answer = self.tickets(|tickets| tickets.waiting.remove(&ticket));
        answer?.recv().ok()
    }

    /// Drops all replies: the page that holds their tickets is gone.
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

/// Result of a wait.
#[derive(Debug, PartialEq)]
pub enum Reply<T> {
    Done(T),
    /// The work continues; the ticket stands for its result.
    Deferred(u32),
    /// The work ended without a result.
    Lost,
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_mins(1);

    #[test]
    fn what_is_done_in_time_is_answered() {
        let replies = DeferredReplies::default();
        assert_eq!(replies.wait_timeout(LONG, || "done"), Reply::Done("done"));
        assert_eq!(replies.take(0), None, "no ticket was given");
    }

    #[test]
    fn what_takes_longer_is_answered_by_ticket_once() {
        let replies = DeferredReplies::default();
        let (first, second) = (sync_channel::<()>(0), sync_channel::<()>(0));
        let blocked_by = |gate: Receiver<()>, answer| move || gate.recv().map(|()| answer).ok();
        let soon = Duration::from_millis(1);
        assert_eq!(
            replies.wait_timeout(soon, blocked_by(first.1, "a")),
            Reply::Deferred(0)
        );
        assert_eq!(
            replies.wait_timeout(soon, blocked_by(second.1, "b")),
            Reply::Deferred(1)
        );
        second.0.send(()).expect("waited for");
        assert_eq!(replies.take(1), Some(Some("b")));
        first.0.send(()).expect("waited for");
        assert_eq!(replies.take(0), Some(Some("a")));
        assert_eq!(replies.take(0), None, "given already");
    }

    #[test]
    fn a_page_that_begins_leaves_no_answers_to_the_one_before() {
        let replies = DeferredReplies::default();
        let (gate, gate_receiver) = sync_channel::<()>(0);
        let work = move || gate_receiver.recv().is_ok();
        let soon = Duration::from_millis(1);
        assert_eq!(replies.wait_timeout(soon, work), Reply::Deferred(0));
        replies.forget();
        gate.send(()).expect("the work goes on");
        assert_eq!(replies.take(0), None);
        let (_gate, gate_receiver) = sync_channel::<()>(0);
        let next = move || gate_receiver.recv().is_ok();
        assert_eq!(
            replies.wait_timeout(soon, next),
            Reply::Deferred(1),
            "no number is given twice"
        );
    }

    #[test]
    fn work_that_fails_is_lost_at_once_and_by_ticket() {
        let replies = DeferredReplies::<()>::default();
        assert_eq!(
            replies.wait_timeout(LONG, || panic!("on purpose")),
            Reply::Lost
        );
        let (gate, gate_receiver) = sync_channel::<()>(0);
        let work = move || gate_receiver.recv().expect("never");
        assert_eq!(
            replies.wait_timeout(Duration::from_millis(1), work),
            Reply::Deferred(0)
        );
        drop(gate);
        assert_eq!(replies.take(0), None);
    }
}
