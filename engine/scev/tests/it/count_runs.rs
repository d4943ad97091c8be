//! Counts against their definition: generated loops are executed on all inputs, and every claim must hold in every
//! execution.
//!
//! `BACKEDGE_COUNT_LOOPS` sets the number of loops, `BACKEDGE_COUNT_SEED` the first seed.

use crate::common::bodies::Text;
use crate::common::judge;
use backedge_testkit::generate::random_loop;

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().map_or(default, |s| s.parse().expect("a number"))
}

#[test]
fn counts_hold_on_all_runs_of_generated_loops() {
    let first = number("BACKEDGE_COUNT_SEED", 0);
    let (mut confirmed, mut exact, mut bad) = (0, 0, 0);
    for seed in first..first + number("BACKEDGE_COUNT_LOOPS", 1500) {
        let source = random_loop(seed);
        let text = Text::new(&source);
        let verdict = text.with(|scev| {
            let forest = scev.loops();
            if seed % 2 == 0 {
                scev.settle();
            }
            for l in forest.ids().rev() {
                let counts = scev.counts(l);
                exact += usize::from(!scev.is_could_not_compute(counts.exact));
            }
            let choosers =
                if source.contains("call void @stop") || source.contains("call i1 @unknown") { 3 } else { 1 };
            judge::judge(scev, &text.module, text.func, choosers)
        });
        confirmed += verdict.confirmed;
        if let Some(first) = verdict.violations.first() {
            bad += 1;
            eprintln!("seed {seed}: {} violations, the first: {first}\n{source}", verdict.violations.len());
            if bad >= 3 {
                break;
            }
        }
    }
    eprintln!("{exact} exact counts; {confirmed} times a loop was left as one said");
    assert_eq!(bad, 0, "claims are refuted");
    assert!(exact > 0 && confirmed > 0);
}
