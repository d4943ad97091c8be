//! The default pipelines: the pipeline text of `default<O0>` to `default<O3>`, `default<Os>` and `default<Oz>`.
//!
//! The order is that of LLVM's loop pipelines, with this project's own passes at the points where they find their
//! input: first the passes that bring loops into canonical form and simplify them, then those that move work out of
//! loops, then those that depend on trip counts, and finally those that copy code. Moving stores out of loops leaves
//! empty loops, which are deleted afterwards. Blocks that exist only for loop forms are removed at the very end. The
//! amount of copying depends on the cost model of the target machine.

/// No optimization.
pub(crate) const O0: &str = "no-op-module";

/// Passes that never increase code size, and full unrolling of small loops.
pub(crate) const O1: &str = "function(instsimplify,simplifycfg,early-cse,loop-simplify,lcssa,\
    loop-mssa(loop-instsimplify,loop-simplifycfg,licm<no-allowspeculation>,loop-rotate<no-header-duplication>,\
    licm<allowspeculation>,simple-loop-unswitch),simplifycfg,instsimplify,\
    loop(loop-idiom,indvars,loop-deletion),loop-unroll-full,instsimplify,early-cse,dce,simplifycfg<no-keep-loops>)";

/// `O1` plus rotation with header duplication, removal of iterations without effect, peeling, and unrolling according
/// to the cost model.
pub(crate) const O2: &str = "function(instsimplify,simplifycfg,early-cse,loop-simplify,lcssa,\
    loop-mssa(loop-instsimplify,loop-simplifycfg,licm<no-allowspeculation>,loop-rotate,licm<allowspeculation>,\
    simple-loop-unswitch),simplifycfg,instsimplify,\
    loop(loop-idiom,indvars,loop-deletion),loop(bound-restriction,early-exit-inversion),\
    loop-mssa(licm<allowspeculation>),loop-unroll-full,loop(loop-peel),loop-unroll<runtime>,\
    loop(indvars,loop-deletion),loop-mssa(licm<allowspeculation>),loop(indvars,loop-deletion),early-cse,\
    instsimplify,dce,simplifycfg<no-keep-loops>)";

/// `O2` plus the passes that split one loop into several.
pub(crate) const O3: &str = "function(instsimplify,simplifycfg,early-cse,loop-simplify,lcssa,\
    loop-mssa(loop-instsimplify,loop-simplifycfg,licm<no-allowspeculation>,loop-rotate,licm<allowspeculation>,\
    simple-loop-unswitch<nontrivial>),simplifycfg,instsimplify,\
    loop(loop-idiom,indvars,loop-deletion),loop(bound-restriction,early-exit-inversion),\
    loop-mssa(licm<allowspeculation>),loop-unroll-full,loop(loop-peel),loop(iteration-set-split),\
    loop(indvars,loop-deletion),loop-unroll<runtime;partial>,loop(indvars,loop-deletion),\
    loop-mssa(licm<allowspeculation>),loop(indvars,loop-deletion),early-cse,instsimplify,dce,\
    simplifycfg<no-keep-loops>)";

/// `O2` without peeling and partial unrolling; full unrolling only for small results.
pub(crate) const OS: &str = "function(instsimplify,simplifycfg,early-cse,loop-simplify,lcssa,\
    loop-mssa(loop-instsimplify,loop-simplifycfg,licm<no-allowspeculation>,loop-rotate,licm<allowspeculation>,\
    simple-loop-unswitch),simplifycfg,instsimplify,\
    loop(loop-idiom,indvars,loop-deletion),loop(bound-restriction,early-exit-inversion),\
    loop-mssa(licm<allowspeculation>),loop-unroll-full<threshold=24>,instsimplify,early-cse,dce,\
    simplifycfg<no-keep-loops>)";

/// No copying.
pub(crate) const OZ: &str = "function(instsimplify,simplifycfg,early-cse,loop-simplify,lcssa,\
    loop-mssa(loop-instsimplify,loop-simplifycfg,licm<no-allowspeculation>,loop-rotate<no-header-duplication>,\
    licm<allowspeculation>,simple-loop-unswitch),simplifycfg,instsimplify,\
    loop(loop-idiom,indvars,loop-deletion),instsimplify,early-cse,dce,simplifycfg<no-keep-loops>)";
