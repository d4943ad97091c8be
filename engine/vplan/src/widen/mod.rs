//! Plans of vector code: for a number of lanes, what the vector loop executes, recipe by recipe, in order.
//!
//! A plan is made of what [`crate::legality`] says of a loop, for each number of lanes by itself; [`crate::cost`] weighs its
//! recipes, and [`crate::vectorize`] executes those of the plan that is worth most. So what is weighed is what is made.
//!
//! | question | file |
//! |---|---|
//! | which addresses are computed anew in front of the loop | `addresses` |
//! | of which values all lanes are asked for, of which the first | `demand` |
//! | which values are the same in all lanes, or known in each | `alike` |
//! | in which order recipes stand | `schedule` |
//! | whether a plan has all that it needs | [`verify`] |
//! | plans as text | `print` |
//!
//! The recipes have the names that LLVM's have in its dumps. An instruction has one recipe at most; operands are those of the
//! instruction. Control flow of an innermost loop has become masks, so that there is one block, or two where data-dependent
//! exits leave between them; of a loop with loops in it there are all blocks, with their branches.

mod addresses;
mod alike;
mod demand;
pub(crate) mod print;
mod schedule;
pub mod verify;

pub(crate) use addresses::in_front;
pub use addresses::{Addresses, Masked};

use crate::cost::WIDTHS;
use crate::legality::{HeaderPhi, Legality};
use alike::alike;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::int::Int;
use backedge_scev::ScalarEvolution;
use demand::{Demand, demand};
use rustc_hash::FxHashSet;

/// What the vector loop executes, for all lanes of all parts, before what comes next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Recipe {
    /// A phi of the header that collects, selects or hands on: one per part, of vectors.
    HeaderPhi(Inst),
    /// All lanes of an induction, and its first.
    WidenInduction(Inst),
    /// The first lane of an induction.
    ScalarSteps(Inst),
    /// The lanes that enter a block which not all do.
    Mask(Block),
    /// A phi inside of a loop with loops in it.
    WidenPhi(Inst),
    /// A choice by the masks of edges.
    Blend(Inst),
    /// The operation on vectors.
    Widen(Inst),
    /// The call of an intrinsic on vectors.
    WidenCall(Inst),
    /// A division by vectors that have one where lanes do not enter its block.
    Divide(Inst),
    /// A choice of a selection.
    Pick(Inst),
    /// The lanes added to one value in order.
    Reduce(Inst),
    /// A load or store of lanes, by its pattern.
    Memory(Inst),
    /// All accesses that lie between each other, where one of them stands.
    Interleave(Inst),
    /// A call for each lane.
    Replicate(Inst),
    /// Once per part, for all lanes.
    Clone(Inst),
    /// For the first lane of each part, from those of its operands.
    First(Inst),
    /// Once for all parts of a loop with loops in it.
    Once(Inst),
    /// Known in each lane, the same in all rounds.
    Fixed(Inst, Vec<Int>),
    /// A recurrence: the last lane of the vector before, and this one's but the last.
    Splice(Inst),
    /// A store that is made behind the loop; here its address is kept.
    Defer(Inst),
    /// Whether any lane takes a data-dependent exit.
    AnyExit,
    /// A branch that goes the same way in all lanes, of a loop with loops in it.
    Branch(Inst),
}

impl Recipe {
    /// Its name in texts of plans.
    pub fn name(&self, of: &Legality) -> &'static str {
        match self {
            Self::HeaderPhi(phi) => match of.phi(*phi) {
                Some(HeaderPhi::FirstOrder(_)) => "FIRST-ORDER-RECURRENCE-PHI",
                Some(HeaderPhi::Selection(_)) => "SELECTION-PHI",
                Some(HeaderPhi::Reduction(_) | HeaderPhi::Induction(_)) | None => "REDUCTION-PHI",
            },
            Self::WidenInduction(_) => "WIDEN-INDUCTION",
            Self::ScalarSteps(_) => "SCALAR-STEPS",
            Self::Mask(_) => "MASK",
            Self::WidenPhi(_) => "WIDEN-PHI",
            Self::Blend(_) => "BLEND",
            Self::Widen(_) | Self::Memory(_) => "WIDEN",
            Self::WidenCall(_) => "WIDEN-CALL",
            Self::Divide(_) => "WIDEN-DIVIDE",
            Self::Pick(_) => "PICK",
            Self::Reduce(_) => "REDUCE",
            Self::Interleave(_) => "INTERLEAVE-GROUP",
            Self::Replicate(_) => "REPLICATE",
            Self::Clone(_) => "CLONE",
            Self::First(_) => "FIRST-LANE",
            Self::Once(_) => "UNIFORM",
            Self::Fixed(..) => "CONSTANT",
            Self::Splice(_) => "FIRST-ORDER-SPLICE",
            Self::Defer(_) => "SINK-STORE",
            Self::AnyExit => "ANY-EXIT",
            Self::Branch(_) => "BRANCH",
        }
    }
    /// The instruction that it is for.
    pub fn inst(&self) -> Option<Inst> {
        match self {
            Self::HeaderPhi(inst)
            | Self::WidenInduction(inst)
            | Self::ScalarSteps(inst)
            | Self::WidenPhi(inst)
            | Self::Blend(inst)
            | Self::Widen(inst)
            | Self::WidenCall(inst)
            | Self::Divide(inst)
            | Self::Pick(inst)
            | Self::Reduce(inst)
            | Self::Memory(inst)
            | Self::Interleave(inst)
            | Self::Replicate(inst)
            | Self::Clone(inst)
            | Self::First(inst)
            | Self::Once(inst)
            | Self::Fixed(inst, _)
            | Self::Splice(inst)
            | Self::Defer(inst)
            | Self::Branch(inst) => Some(*inst),
            Self::Mask(_) | Self::AnyExit => None,
        }
    }
}

/// Which block of the vector loop.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// Its header, `vector.body`.
    Body,
    /// What comes behind the test of data-dependent exits, `vector.rest`.
    Rest,
    /// What is made of that block of a loop with loops in it.
    Of(Block),
}

/// A block of a plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WideBlock {
    /// Which one.
    pub place: Place,
    /// What is executed in it, in order.
    pub recipes: Vec<Recipe>,
}

/// A plan for a number of lanes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WidePlan {
    /// How many lanes a vector has.
    pub lanes: u32,
    /// Its blocks, in the order in which they are made.
    pub blocks: Vec<WideBlock>,
    /// The instructions of which all lanes are asked for.
    all: FxHashSet<Inst>,
}

impl WidePlan {
    /// All recipes, in order.
    pub fn recipes(&self) -> impl Iterator<Item = &Recipe> {
        self.blocks.iter().flat_map(|block| &block.recipes)
    }
    /// Whether all lanes of `inst` are asked for, and not its first alone.
    pub fn wants_all(&self, inst: Inst) -> bool {
        self.all.contains(&inst)
    }
}

/// The plans of a loop.
#[derive(Clone, Debug)]
pub struct Plans {
    /// What is computed anew in front of the loop, whatever the number of lanes.
    pub addresses: Addresses,
    /// One for each number of lanes that memory allows, the least first.
    pub all: Vec<WidePlan>,
}

/// The plans of a loop, for that number of lanes alone if one is named; `None` if an address that must be can't be computed in
/// front of the loop.
pub fn plans(scev: &mut ScalarEvolution<'_>, of: &Legality, lanes: Option<u32>) -> Option<Plans> {
    let addresses = Addresses::find(scev, of)?;
    let most = of.dependences.most_lanes.unwrap_or(u32::MAX);
    let widths = lanes.map_or(WIDTHS.to_vec(), |lanes| vec![lanes]);
    let allowed = widths.into_iter().filter(|lanes| *lanes >= 2 && *lanes <= most);
    let all = allowed.map(|lanes| plan(scev, of, &addresses, lanes)).collect();
    Some(Plans { addresses, all })
}

fn plan(scev: &mut ScalarEvolution<'_>, of: &Legality, addresses: &Addresses, lanes: u32) -> WidePlan {
    let alike = alike(scev, of, lanes);
    let wanted = demand(scev.body(), of, addresses, &alike);
    let blocks = schedule::schedule(scev.body(), of, (addresses, &wanted, &alike));
    let Demand { all, .. } = wanted;
    let plan = WidePlan { lanes, blocks, all };
    debug_assert_eq!(verify::verify(scev.body(), of, addresses, &plan), Ok(()));
    plan
}
