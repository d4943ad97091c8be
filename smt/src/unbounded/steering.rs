//! What says where control goes: the numbers that the conditions of branches are computed from. How often loops run
//! follows from comparisons of these alone, and there are few of them; what a loop gathers is seldom among them.

use crate::unbounded::product::Pair;
use crate::unbounded::program::Program;
use crate::unbounded::relation::{AHEAD, Atom, Owner, RETURNED};
use backedge_ir::entity::{EntityId, Inst};
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::intrinsic::Intrinsic;
use rustc_hash::FxHashSet;

/// The values of a pair that say where control goes.
pub(super) struct Steering {
    source: FxHashSet<Value>,
    target: FxHashSet<Value>,
}

impl Steering {
    pub(super) fn new(pair: &Pair<'_>) -> Self {
        Self { source: steering(&pair.source), target: steering(&pair.target) }
    }

    /// Whether a scalar is one of them, or a lane of one.
    pub(super) fn has(&self, atom: Atom) -> bool {
        let inst = || Value::Inst(Inst::from_index((atom.value & !AHEAD) as usize));
        match atom.owner {
            // Arguments are shared.
            Owner::Argument => {
                let arg = Value::Arg(EntityId::from_index(atom.value as usize));
                self.source.contains(&arg) || self.target.contains(&arg)
            }
            Owner::Source | Owner::Target if atom.value == RETURNED => false,
            Owner::Source => self.source.contains(&inst()),
            Owner::Target => self.target.contains(&inst()),
        }
    }
}

/// What the conditions of branches are computed from, up to what memory holds and calls answer.
fn steering(program: &Program<'_>) -> FxHashSet<Value> {
    let body = program.body;
    let branches = body.all_insts().map(|inst| body.inst(inst));
    let branches = branches.filter(|data| matches!(data.kind, InstKind::CondBr | InstKind::Switch));
    let mut work: Vec<Value> = branches.filter_map(|data| data.operands.first().copied()).collect();
    let mut found = FxHashSet::default();
    while let Some(value) = work.pop() {
        match value {
            Value::Const(_) => {}
            Value::Arg(_) => {
                found.insert(value);
            }
            Value::Inst(inst) => {
                let data = body.inst(inst);
                if !comes_from_elsewhere(program, inst) && found.insert(value) {
                    work.extend(data.operands.iter().copied());
                }
            }
        }
    }
    found
}

/// Whether a value comes out of memory or from a function.
fn comes_from_elsewhere(program: &Program<'_>, inst: Inst) -> bool {
    let data = program.body.inst(inst);
    if let Some(call) = data.call() {
        let callee = program.body.called_function(call.callee());
        let intrinsic = callee.and_then(|func| program.function.module.env.funcs[func].intrinsic);
        return matches!(intrinsic, None | Some(Intrinsic::MaskedLoad | Intrinsic::MaskedGather));
    }
    matches!(data.kind, InstKind::Load(_) | InstKind::AtomicRmw(..) | InstKind::CmpXchg(_) | InstKind::VaArg)
}
