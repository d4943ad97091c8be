//! Massaging: transforms that prepare a plain CFG for regions, in the order of the paper (docs/vplan-terms.md). Each
//! can run on its own.
//!
//! Requires a newly built plan with the Top Region alone. Each transform preserves the semantics of the plan and the
//! invariants of [`crate::verify::plain`]; [`crate::verify::massaged`] checks the property that each establishes.
//! Uniform control flow is left unchanged: loops whose iterations all lanes execute together, and branches that go the
//! same way in all lanes ([`Uniformity`]; [`UniformInNest`] in `lanes` derives it from the code).
//!
//! | property established | file |
//! |---|---|
//! | preheaders have one predecessor and are no headers | `preheaders` |
//! | the latch is the only exiting block of a loop | `multi_exit` |
//! | a loop with divergent exits runs as long as any lane is active | `non_uniform` |
//! | exit blocks have one successor and are no preheaders | `single_exit` |
//! | no block is both a join and a branch | `entry_exit` |
//! | branches that share their join with others get a join of their own | `shared_exit` |

mod entry_exit;
mod lanes;
mod multi_exit;
mod nest;
mod non_uniform;
mod preheaders;
mod shared_exit;
mod single_exit;

pub use lanes::UniformInNest;

use crate::plan::{BlockId, RecipeId, VPValue, VPlan};

/// The merged value of `incoming`, which has entries for all predecessors of `block`: a new phi named after `model`, or
/// the common value if all entries have the same one and `may_be_used` permits its use in that block.
fn joined(
    plan: &mut VPlan,
    block: BlockId,
    model: RecipeId,
    incoming: Vec<(BlockId, VPValue)>,
    suffix: &str,
    may_be_used: &dyn Fn(&VPlan, VPValue) -> bool,
) -> VPValue {
    if let [(_, first), rest @ ..] = &incoming[..]
        && rest.iter().all(|(_, value)| value == first)
        && may_be_used(plan, *first)
    {
        return *first;
    }
    let ty = plan.recipe(model).ty;
    let name = format!("{}.{suffix}", plan.recipe(model).name.as_deref().unwrap_or("value"));
    VPValue::Def(plan.add_phi(block, ty, Some(&name), None, incoming))
}

/// Uniformity across lanes, which are iterations of the plan's outermost loop. Queries may concern blocks that
/// massaging created; [`crate::plan::VPBasicBlock::terminator`] gives the IR branch of a block.
pub trait Uniformity {
    /// Whether all active lanes of the loop with that header execute the same iterations.
    fn is_uniform_loop(&self, plan: &VPlan, header: BlockId) -> bool;
    /// Whether all lanes that reach the end of `block` together take the same successor.
    fn is_uniform_branch(&self, plan: &VPlan, block: BlockId) -> bool;
}

/// Treats nothing as uniform.
#[derive(Copy, Clone, Debug)]
pub struct NothingUniform;

impl Uniformity for NothingUniform {
    fn is_uniform_loop(&self, _: &VPlan, _: BlockId) -> bool {
        false
    }
    fn is_uniform_branch(&self, _: &VPlan, _: BlockId) -> bool {
        false
    }
}

/// A massaging transform.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Massaging {
    /// Gives loops suitable preheaders.
    Preheaders,
    /// Merges several exits into one.
    MultiExit,
    /// Masks divergent control flow of inner loops.
    NonUniform,
    /// Gives loops suitable exit blocks.
    SingleExit,
    /// Splits blocks that are both a join and a branch.
    EntryExit,
    /// Separates exits that several regions would share.
    SharedExit,
}

impl Massaging {
    /// All transforms, in order of execution.
    pub const ALL: [Self; 6] = [
        Self::Preheaders,
        Self::MultiExit,
        Self::NonUniform,
        Self::SingleExit,
        Self::EntryExit,
        Self::SharedExit,
    ];
    /// The name on the command line and in texts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Preheaders => "preheaders",
            Self::MultiExit => "multi-exit",
            Self::NonUniform => "non-uniform",
            Self::SingleExit => "single-exit",
            Self::EntryExit => "entry-exit",
            Self::SharedExit => "shared-exit",
        }
    }
    /// The transform called `name`.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|m| m.name() == name)
    }
    /// Applies the transform wherever it is applicable in `plan`; returns whether it changed anything.
    pub fn run(self, plan: &mut VPlan, uniform: &dyn Uniformity) -> bool {
        match self {
            Self::Preheaders => preheaders::run(plan, uniform),
            Self::MultiExit => multi_exit::run(plan, uniform),
            Self::NonUniform => non_uniform::run(plan, uniform),
            Self::SingleExit => single_exit::run(plan, uniform),
            Self::EntryExit => entry_exit::run(plan, uniform),
            Self::SharedExit => shared_exit::run(plan, uniform),
        }
    }
}

/// A set of transforms.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Massagings(u8);

impl Massagings {
    /// The empty set.
    pub const NONE: Self = Self(0);
    /// All transforms.
    pub const ALL: Self = Self((1 << Massaging::ALL.len()) - 1);

    fn bit(massaging: Massaging) -> u8 {
        1 << massaging as u8
    }
    /// The set with `massaging` added.
    #[must_use]
    pub fn with(self, massaging: Massaging) -> Self {
        Self(self.0 | Self::bit(massaging))
    }
    /// Whether the set contains `massaging`.
    pub fn contains(self, massaging: Massaging) -> bool {
        self.0 & Self::bit(massaging) != 0
    }
    /// The transforms of the set, in order of execution.
    pub fn iter(self) -> impl Iterator<Item = Massaging> {
        Massaging::ALL.into_iter().filter(move |m| self.contains(*m))
    }
    /// Runs the transforms in that order.
    pub fn run(self, plan: &mut VPlan, uniform: &dyn Uniformity) {
        for massaging in self.iter() {
            massaging.run(plan, uniform);
        }
    }
}
