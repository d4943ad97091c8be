//! The default pipelines: what `default<O0>` to `default<O3>`, `default<Os>` and `default<Oz>` stand for, as
//! pipeline text.
//!
//! The order is that of LLVM's loop pipelines, with this project's own passes where they find their input: first what
//! makes loops canonical and simple, then what takes work out of them, then what depends on how often they run, and what
//! copies them last. What stores go out of loops then leaves loops that do nothing, which go behind it; blocks that only
//! the forms of loops need go at the very end. How much is copied is a matter of cost, for the machine that is asked for.

/// Nothing is optimized.
pub(crate) const O0: &str = "no-op-module";

/// What never makes code larger, and full unrolling of small loops.
pub(crate) const O1: &str = "function(instsimplify,simplifycfg,early-cse,loop-simplify,lcssa,\
    loop-mssa(loop-instsimplify,loop-simplifycfg,licm<no-allowspeculation>,loop-rotate<no-header-duplication>,\
    licm<allowspeculation>,simple-loop-unswitch),simplifycfg,instsimplify,\
    loop(loop-idiom,indvars,loop-deletion),loop-unroll-full,instsimplify,early-cse,dce,simplifycfg<no-keep-loops>)";

/// And rotation by copying, iterations that do nothing not made, peeling, and unrolling where the cost model says so.
pub(crate) const O2: &str = "function(instsimplify,simplifycfg,early-cse,loop-simplify,lcssa,\
    loop-mssa(loop-instsimplify,loop-simplifycfg,licm<no-allowspeculation>,loop-rotate,licm<allowspeculation>,\
    simple-loop-unswitch),simplifycfg,instsimplify,\
    loop(loop-idiom,indvars,loop-deletion),loop(bound-restriction,early-exit-inversion),\
    loop-mssa(licm<allowspeculation>),loop-unroll-full,loop(loop-peel),loop-unroll<runtime>,\
    loop(indvars,loop-deletion),loop-mssa(licm<allowspeculation>),loop(indvars,loop-deletion),early-cse,\
    instsimplify,dce,simplifycfg<no-keep-loops>)";

/// And what makes two loops of one.
pub(crate) const O3: &str = "function(instsimplify,simplifycfg,early-cse,loop-simplify,lcssa,\
    loop-mssa(loop-instsimplify,loop-simplifycfg,licm<no-allowspeculation>,loop-rotate,licm<allowspeculation>,\
    simple-loop-unswitch<nontrivial>),simplifycfg,instsimplify,\
    loop(loop-idiom,indvars,loop-deletion),loop(bound-restriction,early-exit-inversion),\
    loop-mssa(licm<allowspeculation>),loop-unroll-full,loop(loop-peel),loop(iteration-set-split),\
    loop(indvars,loop-deletion),loop-unroll<runtime;partial>,loop(indvars,loop-deletion),\
    loop-mssa(licm<allowspeculation>),loop(indvars,loop-deletion),early-cse,instsimplify,dce,\
    simplifycfg<no-keep-loops>)";

/// As O2, but nothing is peeled or unrolled in part, and completely only what comes to little.
pub(crate) const OS: &str = "function(instsimplify,simplifycfg,early-cse,loop-simplify,lcssa,\
    loop-mssa(loop-instsimplify,loop-simplifycfg,licm<no-allowspeculation>,loop-rotate,licm<allowspeculation>,\
    simple-loop-unswitch),simplifycfg,instsimplify,\
    loop(loop-idiom,indvars,loop-deletion),loop(bound-restriction,early-exit-inversion),\
    loop-mssa(licm<allowspeculation>),loop-unroll-full<threshold=24>,instsimplify,early-cse,dce,\
    simplifycfg<no-keep-loops>)";

/// Nothing is copied.
pub(crate) const OZ: &str = "function(instsimplify,simplifycfg,early-cse,loop-simplify,lcssa,\
    loop-mssa(loop-instsimplify,loop-simplifycfg,licm<no-allowspeculation>,loop-rotate<no-header-duplication>,\
    licm<allowspeculation>,simple-loop-unswitch),simplifycfg,instsimplify,\
    loop(loop-idiom,indvars,loop-deletion),instsimplify,early-cse,dce,simplifycfg<no-keep-loops>)";
