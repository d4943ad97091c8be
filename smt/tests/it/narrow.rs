//! Proofs found over narrower integers: they are proofs of the original pair, and remain valid when rechecked.

use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use backedge_smt::proof::{Options, Outcome, prove, recheck};
use backedge_smt::refinement::{FunctionRef, Uninit};
use backedge_testkit::corpus_dir;
use std::time::Duration;

/// Too few units for the search at the pairs' original integer widths.
const UNITS: u64 = 12_000_000;

fn function<'m>(module: &'m Module, name: &str) -> FunctionRef<'m> {
    FunctionRef { module, func: module.env.func_named(name).expect("a function") }
}

fn proved(pair: &str) {
    let path = corpus_dir().join("proofs").join(pair);
    let text = std::fs::read(&path).expect("a corpus file");
    let module = parse_module(&text).expect("a module").module;
    let options = Options {
        units: UNITS,
        time: Duration::from_secs(600),
        memory: 4096,
        uninit: Uninit::Undef,
        undef_inputs: true,
        poison_inputs: true,
    };
    let (source, target) = (function(&module, "src"), function(&module, "tgt"));
    let report = prove(source, target, &options);
    let certificate = match report.outcome {
        Outcome::Refines(proved) => proved.into_certificate(),
        Outcome::NotProved(why) => panic!("{pair}: {why} ({} units)", report.cost.units),
    };
    let again = recheck(source, target, &certificate, &options);
    assert!(matches!(again.outcome, Outcome::Refines(_)), "{pair}: {:?}", again.outcome);
    assert!(again.cost.units * 2 < report.cost.units, "a check costs less than the search");
}

#[test]
fn a_split_at_a_bound_is_proved_and_checked_again() {
    proved("split/at-a-bound.ll");
}
