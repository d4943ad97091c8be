//! Confines a panic to one piece of work, so that the run continues.
//!
//! The process's panic hook is extended once: while a thread is inside [`caught`], a panic's message and location are
//! recorded for the result instead of printed; elsewhere the previous hook still runs.

use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    /// `Some` inside of [`caught`].
    static CAUGHT: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs `work`; a panic becomes its message with its location in the code. After a panic the caller must discard
/// everything that `work` was changing.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let kept = CAUGHT.with_borrow_mut(|slot| match slot {
                Some(text) => {
                    *text = info.to_string();
                    true
                }
                None => false,
            });
            if !kept {
                before(info);
            }
        }));
    });
    let outer = CAUGHT.replace(Some(String::new()));
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    let message = CAUGHT.replace(outer).unwrap_or_default();
    result.map_err(|_| message)
}

#[cfg(test)]
mod tests {
    use super::caught;

    #[test]
    fn a_panic_is_a_message() {
        assert_eq!(caught(|| 7), Ok(7));
        let message = caught(|| [1][std::hint::black_box(3)]).unwrap_err();
        assert!(message.contains("out of bounds") && message.contains("panics.rs"), "{message}");
        let nested = caught(|| (caught(|| panic!("inner")), 1)).unwrap();
        assert!(matches!(nested, (Err(m), 1) if m.contains("inner")));
    }
}
