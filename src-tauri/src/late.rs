//! Work whose answer is waited for a while, and after that asked for by a ticket.

use std::collections::HashMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tauri::async_runtime::spawn_blocking;

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

impl<T: Send + 'static> Late<T> {
    /// Has work done on a thread of its own, and waits for it that long.
    pub fn within(
        &self,
        patience: Duration,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Outcome<T> {
        let (sender, answer) = sync_channel(1);
        // Nobody listens any more when the answer was given up meanwhile.
        drop(spawn_blocking(move || drop(sender.send(work()))));
        match answer.recv_timeout(patience) {
            Ok(answer) => Outcome::Done(answer),
            Err(RecvTimeoutError::Timeout) => Outcome::Late(self.ticket(answer)),
            Err(RecvTimeoutError::Disconnected) => Outcome::Lost,
        }
    }

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

/// What work comes to within a patience.
#[derive(Debug, PartialEq)]
pub enum Outcome<T> {
    Done(T),
    /// It goes on; the ticket is for its answer.
    Late(u32),
    /// It ended without an answer.
    Lost,
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_mins(1);

    #[test]
    fn what_is_done_in_time_is_answered() {
        let late = Late::default();
        assert_eq!(late.within(LONG, || "done"), Outcome::Done("done"));
        assert_eq!(late.redeem(0), None, "no ticket was given");
    }

    #[test]
    fn what_takes_longer_is_answered_by_ticket_once() {
        let late = Late::default();
        let (first, second) = (sync_channel::<()>(0), sync_channel::<()>(0));
        let held = |gate: Receiver<()>, answer| move || gate.recv().map(|()| answer).ok();
        let soon = Duration::from_millis(1);
        assert_eq!(late.within(soon, held(first.1, "a")), Outcome::Late(0));
        assert_eq!(late.within(soon, held(second.1, "b")), Outcome::Late(1));
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
        assert_eq!(late.within(soon, work), Outcome::Late(0));
        late.forget();
        gate.send(()).expect("the work goes on");
        assert_eq!(late.redeem(0), None);
        let (_gate, held) = sync_channel::<()>(0);
        let next = move || held.recv().is_ok();
        assert_eq!(
            late.within(soon, next),
            Outcome::Late(1),
            "no number is given twice"
        );
    }

    #[test]
    fn work_that_fails_is_lost_at_once_and_by_ticket() {
        let late = Late::<()>::default();
        assert_eq!(late.within(LONG, || panic!("on purpose")), Outcome::Lost);
        let (gate, held) = sync_channel::<()>(0);
        let work = move || held.recv().expect("never");
        assert_eq!(
            late.within(Duration::from_millis(1), work),
            Outcome::Late(0)
        );
        drop(gate);
        assert_eq!(late.redeem(0), None);
    }
}
