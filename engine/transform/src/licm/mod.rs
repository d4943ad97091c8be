//! `licm`: moves loop-invariant work out of a loop.
//!
//! Four steps, each with its own check, decide and apply:
//!
//! 1. `sink`: values used only after the loop move to the exits that use them.
//! 2. `hoist`: loop-invariant instructions move to the preheader; `lnicm` hoists from inner loops too.
//! 3. `reassociate`: expressions are reassociated so that a part of each can be hoisted.
//! 4. `promote`: memory at one address is kept in an SSA value while the loop runs.
//!
//! Needs a loop in loop-simplify form and in LCSSA form, and keeps both. Guarantees that speculated instructions have
//! no UB at their new place, and have lost the flags, attributes and metadata that were valid only at the old place;
//! that possible UB does not move before anything observable (a call that writes or may not return, a volatile
//! access); and that memory is read only where it has the same contents.
//!
//! `undef` and `freeze`: an instruction that is executed once instead of many times makes one of its former choices,
//! so its results are among the allowed ones.
//!
//! LLVM's pass of this name also hoists calls that may not return if they are certainly executed; here such a call is
//! observable, and stays. LLVM moves stores, and instructions that may trap, across calls that write elsewhere and
//! return; here these calls are observable too. LLVM uses MemorySSA, with limits on the walk; here the loop's memory
//! accesses are compared pairwise, with limits on their number.

mod first;
mod hoist;
mod movable;
mod promote;
mod reassociate;
mod region;
mod remarks;
mod sink;
mod speculate;

pub use remarks::{LicmDone, LicmMissed, Moved};

use crate::pass::{LoopPass, Unit};
use crate::shape::Shape;
use backedge_analysis::LoopId;
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::loop_options::option;
use region::Region;
use std::collections::BTreeMap;

/// The pass's name.
pub const NAME: &str = "licm";

/// The name of the pass that works on nests.
pub const NEST_NAME: &str = "lnicm";

/// Maximum number of memory locations for which a loop's writers are searched (LLVM's `-licm-mssa-optimization-cap`).
pub const DEFAULT_OPTIMIZATION_CAP: u32 = 100;

/// Maximum number of memory accesses of a loop for promotion (LLVM's `-licm-mssa-max-acc-promotion`).
pub const DEFAULT_MAX_ACC_PROMOTION: usize = 250;

/// The findings for one loop: each reason once, with the instructions it applies to.
#[derive(Debug, Default)]
struct Findings(BTreeMap<LicmMissed, Vec<Inst>>);

impl Findings {
    fn add(&mut self, missed: LicmMissed, inst: Inst) {
        self.0.entry(missed).or_default().push(inst);
    }
    /// The reasons that apply to an instruction that still exists.
    fn reasons(self, body: &Body) -> Vec<LicmMissed> {
        let stands = |list: &[Inst]| list.iter().any(|i| body.block_of(*i).is_some());
        self.0.into_iter().filter(|(_, list)| stands(list)).map(|(missed, _)| missed).collect()
    }
}

/// The pass.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Licm {
    /// Whether to work on top-level loops only and to hoist out of the whole nest, from inner loops too; instructions
    /// invariant only in an inner loop stay in place (`lnicm`).
    pub nest: bool,
    /// Whether instructions may be executed speculatively.
    pub allow_speculation: bool,
    /// Maximum number of memory locations for which a loop's writers are searched.
    pub mssa_optimization_cap: u32,
    /// Maximum number of memory accesses of a loop for promotion; 0 disables promotion.
    pub mssa_max_acc_promotion: usize,
}

impl Default for Licm {
    fn default() -> Self {
        Self {
            nest: false,
            allow_speculation: true,
            mssa_optimization_cap: DEFAULT_OPTIMIZATION_CAP,
            mssa_max_acc_promotion: DEFAULT_MAX_ACC_PROMOTION,
        }
    }
}

impl LoopPass for Licm {
    fn text(&self) -> String {
        let mut params: Vec<String> = Vec::new();
        if !self.allow_speculation {
            params.push("no-allowspeculation".to_owned());
        }
        if self.mssa_optimization_cap != DEFAULT_OPTIMIZATION_CAP {
            params.push(format!("mssa-optimization-cap={}", self.mssa_optimization_cap));
        }
        if self.mssa_max_acc_promotion != DEFAULT_MAX_ACC_PROMOTION {
            params.push(format!("mssa-max-acc-promotion={}", self.mssa_max_acc_promotion));
        }
        let name = if self.nest { NEST_NAME } else { NAME };
        if params.is_empty() { name.to_owned() } else { format!("{name}<{}>", params.join(";")) }
    }
    fn run(&self, unit: &mut Unit<'_>, header: Block) -> Option<Block> {
        let shape = unit.shape();
        let l = shape.loops.with_header(header)?;
        if self.nest && shape.loops.parent(l).is_some() {
            return Some(header);
        }
        if is_disabled(unit, &shape, l) {
            unit.remark(NAME, header, LicmMissed::Disabled);
            return Some(header);
        }
        let Some(preheader) = shape.loops.preheader(&shape.cfg, l) else {
            unit.remark(NAME, header, LicmMissed::NoPreheader);
            return Some(header);
        };
        let mut findings = Findings::default();
        let place = Loop { header, preheader, l };
        self.sink(unit, place, &mut findings);
        // Splitting exits creates blocks; the loop itself is unchanged, but may have a new id.
        let l = unit.shape().loops.with_header(header)?;
        let place = Loop { l, ..place };
        self.hoist(unit, place, &mut findings);
        let shape = unit.shape();
        let count = reassociate::run(unit, &shape, l, preheader);
        if count > 0 {
            unit.remark(NAME, header, LicmDone::Reassociated { count });
        }
        self.promote(unit, place, &mut findings);
        for missed in findings.reasons(unit.body()) {
            unit.remark(NAME, header, missed);
        }
        Some(header)
    }
}

/// Whether the `!llvm.loop` of a latch has `llvm.licm.disable`.
fn is_disabled(unit: &Unit<'_>, shape: &Shape, l: LoopId) -> bool {
    let latches = shape.loops.latches(&shape.cfg, l);
    latches.into_iter().any(|b| option(unit.env(), unit.body(), b, "llvm.licm.disable").is_some())
}

/// The loop being transformed.
#[derive(Copy, Clone, Debug)]
struct Loop {
    header: Block,
    preheader: Block,
    l: LoopId,
}

/// The steps.
impl Licm {
    fn sink(&self, unit: &mut Unit<'_>, place: Loop, findings: &mut Findings) {
        let plan = sink::check(&Region::new(unit.at(), place.l, place.preheader, *self), findings);
        if !plan.is_empty() {
            let shape = unit.shape();
            let insts = plan.insts().map(|i| Moved::of(unit.body(), i)).collect::<Vec<_>>();
            let copies = sink::apply(&mut unit.editor(), &shape, place.l, &plan);
            let label = unit.label(place.header);
            for ((inst, location), copies) in insts.into_iter().zip(copies) {
                unit.remark_of(NAME, label.clone(), location, LicmDone::Sunk { inst, copies });
            }
        }
    }
    fn hoist(&self, unit: &mut Unit<'_>, place: Loop, findings: &mut Findings) {
        let region = Region::new(unit.at(), place.l, place.preheader, *self);
        let plan = hoist::check(&region, *self, findings);
        drop(region);
        if !plan.is_empty() {
            let insts = plan.insts().map(|(i, speculated)| (Moved::of(unit.body(), i), speculated));
            let insts = insts.collect::<Vec<_>>();
            hoist::apply(&mut unit.editor(), place.preheader, &plan);
            let label = unit.label(place.header);
            for ((inst, location), speculated) in insts {
                unit.remark_of(NAME, label.clone(), location, LicmDone::Hoisted { inst, speculated });
            }
        }
    }
    fn promote(&self, unit: &mut Unit<'_>, place: Loop, findings: &mut Findings) {
        let region = Region::new(unit.at(), place.l, place.preheader, *self);
        let promotions = promote::check(&region, *self, findings);
        drop(region);
        if promotions.is_empty() {
            return;
        }
        let shape = unit.shape();
        let graph = promote::Graph::new(&shape, place.l, place.preheader);
        for promotion in &promotions {
            promote::apply(&mut unit.editor(), &graph, promotion);
            let (stores, exits) = (promotion.moves_stores(), graph.exits());
            unit.remark(NAME, place.header, LicmDone::Promoted { stores, exits });
        }
    }
}
