//! Promises that follow from the source's by comparing both functions are kept on runs: tested for generated pairs with
//! metadata on accesses of the same few bytes. A pair counts if its target does what the source allows on all tried
//! inputs and promises nothing beyond it.
//!
//! `BACKEDGE_CASES` sets the number of pairs, `BACKEDGE_SEED` the first seed.

use backedge_smt::promises::beyond;
use backedge_smt::refinement::FunctionRef;
use backedge_testkit::generate::promising_pair;
use backedge_testkit::{module, number};
use backedge_validate::check::{Options, Side};
use backedge_validate::target_promises::check;
use rayon::prelude::*;

/// Result for a pair.
#[derive(PartialEq, Eq, Debug)]
enum Outcome {
    /// The target does more than its source allows, or is never defined.
    Apart,
    /// The comparison finds that the target promises more; if tried, whether a run shows it too.
    More(Option<bool>),
    /// The comparison finds nothing, and no run breaks a promise.
    Kept,
    /// The comparison finds nothing, but a run breaks this promise.
    Broken(String),
}

/// Runs check one in this many refused pairs.
const SAMPLE: u64 = 8;

fn judge(seed: u64) -> Outcome {
    let text = promising_pair(seed);
    let module = module(&text);
    let func = |name| module.env.func_named(name).expect("it has both");
    let [source, target] = ["src", "tgt"].map(|name| Side { module: &module, func: func(name) });
    let [s, t] = [source, target].map(|side| FunctionRef { module: side.module, func: side.func });
    let is_refused = !beyond(s, t).is_empty();
    if is_refused && !seed.is_multiple_of(SAMPLE) {
        return Outcome::More(None);
    }
    let kept = check(source, target, &Options::default());
    match kept.broken {
        _ if kept.differs || kept.shown == 0 => Outcome::Apart,
        broken if is_refused => Outcome::More(Some(broken.is_some())),
        None => Outcome::Kept,
        Some(broken) => Outcome::Broken(format!("seed {seed}: {broken}\n{text}")),
    }
}

#[test]
fn what_follows_is_kept_on_runs() {
    let cases = number("BACKEDGE_CASES", 2000);
    let first = number("BACKEDGE_SEED", 0);
    let all: Vec<Outcome> = (first..first + cases).into_par_iter().map(judge).collect();
    let count = |of: &Outcome| all.iter().filter(|outcome| *outcome == of).count() as u64;
    let kept = count(&Outcome::Kept);
    let [shown, needless] = [true, false].map(|is_shown| count(&Outcome::More(Some(is_shown))));
    println!(
        "{cases} pairs: {kept} accepted and kept; of one in {SAMPLE} of those refused, {shown} are broken on a run, \
         {needless} on none"
    );
    let broken: Vec<&str> =
        all.iter().filter_map(|o| if let Outcome::Broken(what) = o { Some(&**what) } else { None }).collect();
    assert!(broken.is_empty(), "{} are accepted but broken:\n{}", broken.len(), broken.join("\n"));
    assert!(kept * 20 > cases && shown > 0, "too few pairs show something");
}
