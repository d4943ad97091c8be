//! Vector plans: the recipes that a vector loop executes, in order, for a given number of lanes.
//!
//! A plan is built from the result of [`crate::legality`], separately for each number of lanes. [`crate::cost`]
//! computes the cost of its recipes, and [`crate::vectorize`] executes the recipes of the most profitable plan. So the
//! cost model sees exactly the code that is emitted.
//!
//! | contents | file |
//! |---|---|
//! | addresses that are recomputed before the loop | `addresses` |
//! | demanded lanes of each value | `demand` |
//! | values that are the same in all lanes, or known in each | `alike` |
//! | order of recipes | `schedule` |
//! | verifier | [`verify`] |
//! | plans as text | `print` |
//!
//! Recipes have the names of LLVM's VPlan dumps. An instruction has at most one recipe, which uses the operands of the
//! instruction. The control flow of an innermost loop is replaced by masks: there is a single block, or two with
//! data-dependent exits between them. A loop nest keeps all its blocks and branches.

mod addresses;
mod alike;
mod demand;
pub(crate) mod print;
mod schedule;
pub mod verify;

pub(crate) use addresses::in_front;
pub use addresses::{Addresses, Masked};

use crate::legality::{HeaderPhi, Legality};
use alike::alike;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::int::Int;
use backedge_scev::ScalarEvolution;
use demand::{Demand, demand};
use rustc_hash::FxHashSet;

/// The numbers of lanes considered.
pub const WIDTHS: [u32; 4] = [2, 4, 8, 16];

/// A step of the vector loop; it executes for all lanes of all parts before the next recipe.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Recipe {
    /// The vector phis of a reduction, selection or recurrence: one per part.
    HeaderPhi(Inst),
    /// All lanes of an induction, and its first lane.
    WidenInduction(Inst),
    /// The first lane of an induction.
    ScalarSteps(Inst),
    /// The mask of a block that not all lanes enter.
    Mask(Block),
    /// A phi inside a loop nest.
    WidenPhi(Inst),
    /// A select by the masks of incoming edges.
    Blend(Inst),
    /// A lane-wise operation.
    Widen(Inst),
    /// A call of a vector intrinsic.
    WidenCall(Inst),
    /// A division; inactive lanes divide by one.
    Divide(Inst),
    /// A choice of a selection.
    Pick(Inst),
    /// An in-order reduction of the lanes to one value.
    Reduce(Inst),
    /// A load or store of all lanes, according to its pattern.
    Memory(Inst),
    /// All accesses of an interleave group, at the position of one of them.
    Interleave(Inst),
    /// A call for each lane.
    Replicate(Inst),
    /// Executes once per part, for all lanes.
    Clone(Inst),
    /// Computes the first lane of each part from the first lanes of the operands.
    First(Inst),
    /// Executes once for all parts of a loop nest.
    Once(Inst),
    /// A constant for each lane, the same in each vector iteration.
    Fixed(Inst, Vec<Int>),
    /// A recurrence: the last lane of the previous vector, followed by all lanes of the current one but the last.
    Splice(Inst),
    /// A store that executes after the loop; here only its address is recorded.
    Defer(Inst),
    /// Tests whether any lane takes a data-dependent exit.
    AnyExit,
    /// A branch of a loop nest that goes the same way in all lanes.
    Branch(Inst),
}

impl Recipe {
    /// Its name in the text of a plan.
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
    /// The instruction that it represents.
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

/// A block of the vector loop.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum LoopBlock {
    /// Its header, `vector.body`.
    Body,
    /// The block after the test of data-dependent exits, `vector.rest`.
    Rest,
    /// The copy of that block of a loop nest.
    Of(Block),
}

/// A block of a plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WideBlock {
    /// The block of the vector loop.
    pub place: LoopBlock,
    /// Its recipes, in order.
    pub recipes: Vec<Recipe>,
}

/// A plan for a number of lanes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WidePlan {
    /// The number of lanes of a vector.
    pub lanes: u32,
    /// Its blocks, in the order in which they are emitted.
    pub blocks: Vec<WideBlock>,
    /// The instructions of which all lanes are demanded.
    all: FxHashSet<Inst>,
}

impl WidePlan {
    /// All recipes, in order.
    pub fn recipes(&self) -> impl Iterator<Item = &Recipe> {
        self.blocks.iter().flat_map(|block| &block.recipes)
    }
    /// Whether all lanes of `inst` are demanded, and not only the first.
    pub fn demands_all_lanes(&self, inst: Inst) -> bool {
        self.all.contains(&inst)
    }
}

/// The plans of a loop.
#[derive(Clone, Debug)]
pub struct Plans {
    /// The addresses that are recomputed before the loop, independent of the number of lanes.
    pub addresses: Addresses,
    /// One plan for each permitted number of lanes, in ascending order.
    pub all: Vec<WidePlan>,
}

/// The plans of a loop, only for the given number of lanes if there is one; `None` if a required address cannot be
/// computed before the loop.
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
    let blocks = schedule::schedule(scev.body(), of, addresses, &wanted, &alike);
    let Demand { all, .. } = wanted;
    let plan = WidePlan { lanes, blocks, all };
    debug_assert_eq!(verify::verify(scev.body(), of, addresses, &plan), Ok(()));
    plan
}
