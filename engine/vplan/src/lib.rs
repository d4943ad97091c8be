//! VPlan: plans by which loop nests are vectorized, as a hierarchical CFG.
//!
//! | what | module |
//! |---|---|
//! | plans: blocks, regions, recipes, values | [`plan`] |
//! | which nests of a function, and their plain CFG | [`build`](mod@build) |
//! | what makes a plain CFG fit for regions | [`massage`] |
//! | regions of loops, and of what lies between branches and where their ways meet | [`hierarchy`] |
//! | whether all that is right | [`verify`] |
//! | plans as LLVM IR again | [`execute`](mod@execute) |
//! | which loops may be vectorized, and what each of their instructions is then | [`legality`] |
//! | what vector code of them executes, recipe by recipe, for each number of lanes | [`widen`] |
//! | what that costs, per number of lanes | [`cost`] |
//! | vector code for innermost loops, and for loops around these whose control flow inside is uniform | [`vectorize`] |
//! | plans as text and as pictures; all of a function's | [`print`](mod@print), [`dot`]; [`report`] |
//!
//! # The names of the literature
//!
//! The constructs are those of "VPlan Hierarchical CFG Builder" (D. Caballero and others, 2017), under its names:
//!
//! | there | here |
//! |---|---|
//! | VPlan, VPBasicBlock, VPRegionBlock, VPLoopRegion | [`VPlan`], [`plan::VPBasicBlock`], [`plan::VPRegionBlock`], [`plan::VPLoopRegion`] |
//! | VPOneByOneRecipe, VPVectorizeOneByOneRecipe, VPConditionBitRecipe | [`plan::Recipe::VectorizeOneByOne`], [`plan::Recipe::ConditionBit`] |
//! | Top Region, dummy Entry and Exit | [`VPlan::top`], [`VPlan::entry`], [`VPlan::exit`] |
//! | VPLoop, VPLoopInfo | loops of a [`plan::Graph`] |
//! | Build Plain CFG, Simplify Plain CFG, Build Hierarchical CFG | [`build::build`], [`massage::Massagings::run`], [`hierarchy::build`] |
//! | landing pad of all loop exits; blocks up to the common post-dominator | [`build::Landing`] |
//! | regionIsBackEdgeCompliant | [`plan::Graph::post_dominators_forward`] |
//!
//! What it leaves open: *all basic blocks up to the common postdominator of all loop exits* are in the plan where that can be;
//! *inner loop non-uniform control flow* is massaged by a mask that is carried ([`massage::Massaging::NonUniform`]); regions
//! that would share an exit get exits of their own, for which phis are split ([`massage::Massaging::SharedExit`]); what is
//! uniform is left alone ([`massage::Uniformity`]); that a region has no cycle needs no search ([`hierarchy`]).

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
