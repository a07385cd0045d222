//! Equality of short names: comparing two words that may overlap is faster than calling memcmp.

/// Whether two names are equal.
#[inline]
pub(super) fn short_eq(left: &str, right: &str) -> bool {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    if left.len() != right.len() {
        return false;
    }
    if let (Some(l), Some(r)) = (ends::<8>(left), ends::<8>(right)) {
        if left.len() <= 16 {
            return l == r;
        }
    } else if let (Some(l), Some(r)) = (ends::<4>(left), ends::<4>(right)) {
        return l == r;
    }
    left == right
}

/// The first and the last bytes: together all, when there are no more than twice as many.
#[inline]
fn ends<const N: usize>(name: &[u8]) -> Option<(&[u8; N], &[u8; N])> {
    Some((name.first_chunk()?, name.last_chunk()?))
}

#[cfg(test)]
mod tests {
    use super::short_eq;

    #[test]
    fn names_differ_wherever_they_differ() {
        let name: String = ('!'..='~').collect();
        for length in 0..name.len() {
            let left = &name[..length];
            assert!(short_eq(left, left), "{left}");
            assert!(!short_eq(left, &name[..=length]), "{left}");
            for at in 0..length {
                let mut right = left.to_owned();
                right.replace_range(at..=at, " ");
                assert!(!short_eq(left, &right), "{left} {right}");
            }
        }
    }
}
