//! Massaging: transforms of a plain CFG that make it fit for regions, each on its own, in the document's order.
//!
//! Needs a plan as it is built, with the Top Region alone. Each keeps what the plan does, and that it is right by
//! [`crate::verify::plain`]; what each makes true of the plan, [`crate::verify::massaged`] checks. What is uniform is left
//! alone: loops whose iterations all lanes do together, branches that all lanes take the same way ([`Uniformity`]; what the
//! code shows to be so: [`UniformInNest`], in `lanes`).
//!
//! | what | file |
//! |---|---|
//! | preheaders have one predecessor, and are no headers | `preheaders` |
//! | loops are left from their latch alone | `multi_exit` |
//! | loops that some lanes leave before others go on as long as any lane does | `non_uniform` |
//! | exits have one successor, and are no preheaders | `single_exit` |
//! | no block is where ways meet and part | `entry_exit` |
//! | branches whose ways meet in one block with those of others get a block of their own for that | `shared_exit` |

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

/// What `incoming`, entries for all predecessors of `block`, come to there: a phi named after `model`, or their value if they
/// have one alone and `may_be_used` says that it may be used there.
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
    VPValue::Def(plan.add_phi(block, (ty, Some(&name)), None, incoming))
}

/// What is uniform over the lanes, which are iterations of the plan's outermost loop. Blocks that massaging has made are asked
/// about too; [`crate::plan::VPBasicBlock::terminator`] says which branch of the IR a block's is.
pub trait Uniformity {
    /// Whether all lanes that are in the loop with that header do the same iterations of it.
    fn is_uniform_loop(&self, plan: &VPlan, header: BlockId) -> bool;
    /// Whether all lanes that come to the end of `block` together go on to the same successor.
    fn is_uniform_branch(&self, plan: &VPlan, block: BlockId) -> bool;
}

/// Nothing is known to be uniform.
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

/// One of the transforms.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Massaging {
    /// Loops' preheaders.
    Preheaders,
    /// Several exits to a single one.
    MultiExit,
    /// Inner loops' control flow that is not uniform.
    NonUniform,
    /// Loops' single exits.
    SingleExit,
    /// Entries and exits of regions that are no loops.
    EntryExit,
    /// Exits that several regions would share.
    SharedExit,
}

impl Massaging {
    /// All of them, in the order in which they are done.
    pub const ALL: [Self; 6] = [
        Self::Preheaders,
        Self::MultiExit,
        Self::NonUniform,
        Self::SingleExit,
        Self::EntryExit,
        Self::SharedExit,
    ];
    /// What it is called in texts.
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
    /// The one called `name`.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|m| m.name() == name)
    }
    /// Does it to all of `plan` that it applies to; says whether it changed anything.
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

/// A choice among them.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Massagings(u8);

impl Massagings {
    /// None.
    pub const NONE: Self = Self(0);
    /// All.
    pub const ALL: Self = Self((1 << Massaging::ALL.len()) - 1);

    fn bit(massaging: Massaging) -> u8 {
        1 << massaging as u8
    }
    /// These and `massaging`.
    #[must_use]
    pub fn with(self, massaging: Massaging) -> Self {
        Self(self.0 | Self::bit(massaging))
    }
    /// Whether `massaging` is one of them.
    pub fn contains(self, massaging: Massaging) -> bool {
        self.0 & Self::bit(massaging) != 0
    }
    /// They, in the order in which they are done.
    pub fn iter(self) -> impl Iterator<Item = Massaging> {
        Massaging::ALL.into_iter().filter(move |m| self.contains(*m))
    }
    /// Does them in that order.
    pub fn run(self, plan: &mut VPlan, uniform: &dyn Uniformity) {
        for massaging in self.iter() {
            massaging.run(plan, uniform);
        }
    }
}
