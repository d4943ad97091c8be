//! VPlan: plans by which loop nests are vectorized, as a hierarchical CFG.
//!
//! | what | module |
//! |---|---|
//! | plans: blocks, regions, recipes, values | [`plan`] |
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

pub mod plan;

pub use plan::VPlan;
