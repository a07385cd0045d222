//! A stable sort over an order that may fail or be none, such as that of values with a NaN among
//! them. Stops at the first failure; the standard library's sorts would go on, and may panic.

use super::error::Result;

/// Sorts stably by `less`, with the comparisons of a merge sort. Moves places, not items.
pub(super) fn sorted<T>(
    items: Vec<T>,
    less: &mut impl FnMut(&T, &T) -> Result<bool>,
) -> Result<Vec<T>> {
    let mut order: Vec<usize> = (0..items.len()).collect();
    let mut merged = Vec::with_capacity(items.len());
    let mut width = 1;
    while width < items.len() {
        for run in order.chunks(2 * width) {
            let (first, second) = run.split_at(width.min(run.len()));
            merge(first, second, &mut merged, |a, b| {
                less(&items[a], &items[b])
            })?;
        }
        std::mem::swap(&mut order, &mut merged);
        merged.clear();
        width *= 2;
    }
    let mut items: Vec<Option<T>> = items.into_iter().map(Some).collect();
    Ok(order
        .into_iter()
        .filter_map(|at| items[at].take())
        .collect())
}

fn merge(
    first: &[usize],
    second: &[usize],
    merged: &mut Vec<usize>,
    mut less: impl FnMut(usize, usize) -> Result<bool>,
) -> Result<()> {
    let mut first = first.iter().copied().peekable();
    for item in second.iter().copied() {
        // Stable: the first one stays first unless the other is less.
        while let Some(head) = first.peek() {
            if less(item, *head)? {
                break;
            }
            merged.extend(first.next());
        }
        merged.push(item);
    }
    merged.extend(first);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::error::{ErrorKind, fail};
    use super::*;

    #[test]
    fn sorts_stably_and_stops_at_a_failure() {
        let items = vec![(3, 'a'), (1, 'b'), (3, 'c'), (2, 'd'), (1, 'e')];
        let ordered = sorted(items, &mut |a, b| Ok(a.0 < b.0)).expect("an order");
        assert_eq!(ordered, [(1, 'b'), (1, 'e'), (2, 'd'), (3, 'a'), (3, 'c')]);
        assert_eq!(
            sorted(Vec::<u8>::new(), &mut |_, _| Ok(true)).ok(),
            Some(vec![])
        );
        let failed = sorted(vec![2, 1], &mut |_, _| fail!(Type, "no order"));
        assert_eq!(failed.map_err(|error| error.kind()), Err(ErrorKind::Type));
    }

    #[test]
    fn what_has_no_order_loses_nothing() {
        let items: Vec<f64> = (0..100)
            .map(|at| {
                if at % 7 == 0 {
                    f64::NAN
                } else {
                    f64::from(at % 13)
                }
            })
            .collect();
        let sorted = sorted(items, &mut |a, b| Ok(a < b)).expect("no failure");
        assert_eq!(sorted.len(), 100);
    }
}
