//! Which pass of a pipeline broke it: a binary search over how much of the pipeline is run.
//!
//! [`first_bad`] is the search. What it counts is the caller's: runs of our passes (`--stop-after=N`), LLVM's applications
//! of passes (`-opt-bisect-limit=N`, whose lines [`llvm`] reads), or the passes that a `-passes=` text names ([`prefix`]).

pub mod llvm;
pub mod prefix;

/// The least number above `good` that is bad, as far as halving finds it: `bad` is, `good` is not, and of the number that
/// comes out the one before it was found good. Where good and bad take turns it is one of several such numbers.
///
/// # Errors
///
/// The first one of `is_bad`.
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
        // A number that is bad behind one that is good, whatever lies between.
        let found = first_bad(0, 100, |n| Ok::<_, ()>(n % 3 == 0)).unwrap();
        assert!(found % 3 == 0 || found == 100);
    }
}
