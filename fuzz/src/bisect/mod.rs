//! Finds the pass of a pipeline that breaks a program, with a binary search over the length of the executed prefix.
//!
//! [`first_bad`] is the search. The caller defines the unit: runs of this project's passes (`--stop-after=N`), LLVM's
//! pass applications (`-opt-bisect-limit=N`, whose output [`llvm`] parses), or the passes in a `-passes=` text
//! ([`prefix`]).

pub mod llvm;
pub mod prefix;

/// Bisects to a bad number in `good + 1..=bad` whose predecessor is good, given that `bad` is bad and `good` is good.
/// If the predicate is not monotone, it returns one of several such numbers.
///
/// # Errors
///
/// The first error of `is_bad`.
pub fn first_bad<E>(
    mut good: u64,
    mut bad: u64,
    mut is_bad: impl FnMut(u64) -> Result<bool, E>,
) -> Result<u64, E> {
    while good.saturating_add(1) < bad {
        let middle = good + (bad - good) / 2;
        if is_bad(middle)? {
            bad = middle;
        } else {
            good = middle;
        }
    }
    Ok(bad)
}

#[cfg(test)]
mod tests {
    use super::first_bad;

    #[test]
    fn the_first_bad_number_is_found_with_few_questions() {
        for bad in 1..200u64 {
            let mut asked = 0;
            let found = first_bad(0, 200, |n| {
                asked += 1;
                Ok::<_, ()>(n >= bad)
            });
            assert_eq!(found, Ok(bad));
            assert!(asked <= 8, "{asked}");
        }
        assert_eq!(first_bad(0, 1, |_| Err(())), Ok(1));
        assert_eq!(first_bad(0, 2, |_| Err(7)), Err(7));
        // The result is bad and its predecessor is good, whatever lies between the ends.
        let found = first_bad(0, 100, |n| Ok::<_, ()>(n % 3 == 0)).unwrap();
        assert!(found % 3 == 0 || found == 100);
    }
}
