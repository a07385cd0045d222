//! Whether two names are the same. They are short: two words that may overlap are read and compared
//! sooner than memcmp is called.

/// Whether two names are the same bytes.
#[inline]
pub(super) fn same(left: &str, right: &str) -> bool {
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
    use super::same;

    #[test]
    fn names_differ_wherever_they_differ() {
        let name: String = ('!'..='~').collect();
        for length in 0..name.len() {
            let left = &name[..length];
            assert!(same(left, left), "{left}");
            assert!(!same(left, &name[..=length]), "{left}");
            for at in 0..length {
                let mut right = left.to_owned();
                right.replace_range(at..=at, " ");
                assert!(!same(left, &right), "{left} {right}");
            }
        }
    }
}
