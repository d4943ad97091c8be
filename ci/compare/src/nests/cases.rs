//! The transforms of nests, how LLVM is asked for them, and by what it is told that it acted.
//!
//! LLVM is asked to do all that is legal, as far as it can be asked. Its fusion says nothing in builds without statistics:
//! there a function counts if its code has changed.

use backedge_hir::Hir;
use backedge_hir::node::Node;
use backedge_hir::transform::{Missed, Outcome, Profit, fuse, interchange, perfect, unroll_and_jam};

/// How many iterations become one.
const FACTOR: u64 = 4;

/// A transform.
pub(crate) struct Case {
    /// What it is called in the table.
    pub(crate) name: &'static str,
    pub(crate) llvm: &'static str,
    /// LLVM's options beside it.
    pub(crate) options: &'static [&'static str],
    /// The names of LLVM's remarks that say it acted; none if that is told by the code.
    pub(crate) acts: &'static [&'static str],
    /// Ours; `None` if there is no such pass.
    pub(crate) ours: Option<Ours>,
}

/// A transform of ours.
#[derive(Copy, Clone)]
pub(crate) struct Ours {
    /// What it does first to the nests of a region.
    pub(crate) prepare: fn(&mut Hir, Node),
    /// Whether it may be done to a loop.
    pub(crate) check: fn(&mut Hir, Node) -> Result<(), Missed>,
    /// Does it to the loops of a region where something is gained.
    pub(crate) run: fn(&mut Hir, Node) -> Vec<Outcome>,
}

/// All that are compared.
pub(crate) const CASES: &[Case] = &[
    Case {
        name: "interchange",
        llvm: "function(loop(loop-interchange))",
        options: &["-loop-interchange-profitabilities=ignore"],
        acts: &["Interchanged"],
        ours: Some(Ours {
            prepare: perfect::run,
            check: |hir, l| interchange::check(hir, l).map(drop),
            run: |hir, region| interchange::run(hir, region, Profit::Asked),
        }),
    },
    Case {
        name: "fusion",
        llvm: "function(loop-fusion)",
        options: &[],
        acts: &[],
        ours: Some(Ours {
            prepare: |_, _| (),
            check: |hir, l| fuse::check(hir, l).map(drop),
            run: |hir, region| fuse::run(hir, region, Profit::Asked),
        }),
    },
    Case {
        name: "unroll-and-jam",
        llvm: "function(loop-unroll-and-jam)",
        options: &["-allow-unroll-and-jam", "-unroll-and-jam-count=4", "-unroll-and-jam-threshold=10000"],
        acts: &["PartialUnrolled", "FullyUnrolled"],
        ours: Some(Ours {
            prepare: perfect::run,
            check: |hir, l| unroll_and_jam::check(hir, l, FACTOR).map(drop),
            run: |hir, region| unroll_and_jam::run(hir, region, FACTOR, Profit::Asked),
        }),
    },
    Case {
        name: "flatten",
        llvm: "function(loop(loop-flatten))",
        options: &["-loop-flatten-cost-threshold=10000"],
        acts: &["Flattened"],
        ours: None,
    },
];
