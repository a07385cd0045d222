//! Runs numbered work on several threads; the results are in the order of the numbers.

use std::{
    panic,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

/// The results of `work` for 0 to `count`, computed on at most `jobs` threads.
pub fn in_parallel<T: Send>(count: usize, jobs: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let jobs = jobs.min(count);
    if jobs <= 1 {
        return (0..count).map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let take = || {
        let mut results = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count {
                return results;
            }
            results.push((index, work(index)));
        }
    };
    let mut results: Vec<(usize, T)> = thread::scope(|scope| {
        let threads: Vec<_> = (1..jobs)
            .map_while(|_| thread::Builder::new().spawn_scoped(scope, take).ok())
            .collect();
        // This thread works too, alone if the system starts no other.
        let mut results = take();
        for thread in threads {
            match thread.join() {
                Ok(more) => results.extend(more),
                Err(cause) => panic::resume_unwind(cause),
            }
        }
        results
    });
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::in_parallel;

    #[test]
    fn results_are_in_order_for_any_number_of_threads() {
        let expected: Vec<usize> = (0..1000).map(|number| number * number).collect();
        for jobs in [0, 1, 2, 7, 64] {
            assert_eq!(in_parallel(1000, jobs, |number| number * number), expected);
        }
        assert!(in_parallel(0, 4, |number| number).is_empty());
    }
}
