//! The transforms of loop nests, LLVM's options for them, and the evidence that LLVM applied them.
//!
//! LLVM is asked to apply everything that is legal, as far as its options permit. Its loop fusion emits no remarks in
//! builds without statistics; there a function counts if its code has changed.

use backedge_hir::Hir;
use backedge_hir::node::Node;
use backedge_hir::transform::{Outcome, Profit, TransformMissed, fuse, interchange, perfect, unroll_and_jam};

/// The number of iterations that become one.
const FACTOR: u64 = 4;

/// A transform.
pub(crate) struct Case {
    /// The name in the table.
    pub(crate) name: &'static str,
    pub(crate) llvm: &'static str,
    /// LLVM's additional options.
    pub(crate) options: &'static [&'static str],
    /// The names of LLVM's remarks that report the transform; empty if the code is compared instead.
    pub(crate) acts: &'static [&'static str],
    /// Backedge's transform; `None` if there is no such pass.
    pub(crate) ours: Option<Ours>,
}

/// A transform of Backedge.
#[derive(Copy, Clone)]
pub(crate) struct Ours {
    /// Prepares the nests of a region.
    pub(crate) prepare: fn(&mut Hir, Node),
    /// Checks the legality for a loop.
    pub(crate) check: fn(&mut Hir, Node) -> Result<(), TransformMissed>,
    /// Applies the transform to the loops of a region where it is profitable.
    pub(crate) run: fn(&mut Hir, Node) -> Vec<Outcome>,
}

/// All transforms that are compared.
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
