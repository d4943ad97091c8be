//! Closed forms of HIR trees against runs: operands, results, addresses, strides and trip counts have the values that
//! runs compute. `BACKEDGE_CASES` sets the number of programs, `BACKEDGE_SEED` the first seed.

use crate::nests;
use backedge_fuzz::generate::Generated;
use backedge_fuzz::oracles::forms::{Seen, check, check_on};
use backedge_testkit::seeds;

/// Statistics of checking the functions that `look_at` visits.
fn seen(look_at: impl FnOnce(&mut nests::Look<'_>)) -> Seen {
    let mut seen = Seen::default();
    look_at(&mut |module, func, inputs, what| {
        if let Err(wrong) = check_on(module, func, inputs, &mut seen) {
            panic!("{wrong}\n{what}");
        }
    });
    println!("{seen:?}");
    seen
}

#[test]
fn generated_nests() {
    let seen = seen(|look| nests::in_generated(600, look));
    assert!(seen.defined * 4 > seen.runs, "{seen:?}");
    assert!(seen.scalars.min(seen.addresses).min(seen.strides).min(seen.bounds) > 500, "{seen:?}");
}

#[test]
fn generated_programs() {
    let mut all = Seen::default();
    for seed in seeds(2_000) {
        let program = Generated::from_seed(seed);
        for (func, _) in program.module.bodies() {
            match check(&program.module, func, seed) {
                Ok(seen) => {
                    all.runs += seen.runs;
                    all.defined += seen.defined;
                    all.scalars += seen.scalars;
                    all.addresses += seen.addresses;
                    all.strides += seen.strides;
                    all.bounds += seen.bounds;
                }
                Err(wrong) => {
                    panic!("{wrong}\nseed {seed}\n{}", backedge_ir::print::module_to_string(&program.module))
                }
            }
        }
    }
    println!("{all:?}");
    assert!(all.scalars.min(all.addresses).min(all.strides).min(all.bounds) > 500, "{all:?}");
}

/// The functions of the corpus and of LLVM's loop tests.
#[test]
fn files() {
    let seen = seen(|look| nests::in_files("closed forms of LLVM's loop tests", look));
    assert!(seen.scalars.min(seen.addresses).min(seen.bounds) > 500, "{seen:?}");
}
