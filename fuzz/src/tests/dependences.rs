//! Graphs of dependences against runs: no two accesses conflict that no edge covers with a direction and distance that
//! allows it. `BACKEDGE_CASES` sets how many nests are made (600 without), `BACKEDGE_SEED` the first.

mod nests;

use backedge_fuzz::oracle::dependences::{Seen, check_on};

/// What was seen by looking at functions in that way.
fn seen(look_at: impl FnOnce(&mut nests::Look<'_>)) -> Seen {
    let mut seen = Seen::default();
    look_at(&mut |module, func, inputs, what| {
        if let Err(uncovered) = check_on(module, func, inputs, &mut seen) {
            panic!("{uncovered}\n{what}");
        }
    });
    println!("{seen:?}");
    seen
}

#[test]
fn generated_nests() {
    let seen = seen(|look| nests::in_generated(600, look));
    assert!(seen.defined * 4 > seen.runs, "{seen:?}");
    assert!(seen.conflicts > 100 && seen.said.independent > 10, "{seen:?}");
}

/// The functions of the corpus and of LLVM's loop tests.
#[test]
fn files() {
    let seen = seen(|look| nests::in_files("dependences on LLVM's loop tests", look));
    assert!(seen.defined > 100 && seen.said.all > 100, "{seen:?}");
}
