//! VPlan: vectorization plans for loop nests, as a hierarchical CFG.
//!
//! | contents | module |
//! |---|---|
//! | plans: blocks, regions, recipes, values | [`plan`] |
//! | selection of a function's loop nests; their plain CFG | [`build`](mod@build) |
//! | transforms that prepare a plain CFG for regions | [`massage`] |
//! | loop regions, and regions between a branch and its join | [`hierarchy`] |
//! | verifier of plans | [`verify`] |
//! | translation of plans back to LLVM IR | [`execute`](mod@execute) |
//! | legality: which loops may be vectorized, and how each of their instructions is widened | [`legality`] |
//! | vector code of a loop, recipe by recipe, for each number of lanes | [`widen`] |
//! | cost per number of lanes | [`cost`] |
//! | vector code for innermost loops, and for outer loops with uniform inner control flow | [`vectorize`] |
//! | plans as text and as graphs; all plans of a function | [`print`](mod@print), [`dot`]; [`report`] |
//!
//! # Names from the literature
//!
//! The constructs follow "VPlan Hierarchical CFG Builder" (D. Caballero and others, 2017) called "the paper" in this
//! crate, and use its names. docs/vplan-terms.md defines each of them.
//!
//! | paper | here |
//! |---|---|
//! | VPlan, VPBasicBlock | [`VPlan`], [`plan::VPBasicBlock`] |
//! | VPRegionBlock, VPLoopRegion | [`plan::VPRegionBlock`], [`plan::VPLoopRegion`] |
//! | VPOneByOneRecipe, VPVectorizeOneByOneRecipe | [`plan::Recipe::VectorizeOneByOne`] |
//! | VPConditionBitRecipe | [`plan::Recipe::ConditionBit`] |
//! | Top Region, dummy Entry and Exit | [`VPlan::top`], [`VPlan::entry`], [`VPlan::exit`] |
//! | VPLoop, VPLoopInfo | loops of a [`plan::Graph`] |
//! | Build Plain CFG, Simplify Plain CFG | [`build::build`], [`massage::Massagings::run`] |
//! | Build Hierarchical CFG | [`hierarchy::build`] |
//! | landing pad of all loop exits; blocks up to the common post-dominator | [`build::Landing`] |
//! | regionIsBackEdgeCompliant | [`plan::Graph::post_dominators_forward`] |
//!
//! Points that the paper leaves open: the plan includes *all basic blocks up to the common postdominator of all loop
//! exits* if possible. *Inner loop non-uniform control flow* is massaged with a loop-carried mask
//! ([`massage::Massaging::NonUniform`]). Regions that would share an exit get separate exits, and their phis are split
//! ([`massage::Massaging::SharedExit`]). Uniform control flow is left unchanged ([`massage::Uniformity`]). Regions are
//! known to be acyclic without a search ([`hierarchy`]).

pub mod build;
pub mod cost;
pub mod dot;
pub mod execute;
pub mod hierarchy;
pub mod legality;
pub mod massage;
pub mod plan;
pub mod print;
pub mod report;
pub mod vectorize;
pub mod verify;
pub mod widen;

pub use plan::VPlan;
