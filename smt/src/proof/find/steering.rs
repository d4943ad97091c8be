//! Steering values: the numbers that branch conditions are computed from. Comparisons of these alone determine trip
//! counts, and there are few of them; accumulators of a loop are seldom among them.

use crate::proof::lang::fact::{Atom, Fact, Owner, ValueRef};
use crate::proof::vc::pair::Pair;
use crate::proof::vc::program::Program;
use backedge_ir::entity::{EntityId, Inst};
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::opcode::BinaryOp;
use rustc_hash::FxHashSet;

/// The steering values of a pair.
pub(in crate::proof) struct Steering {
    source: FxHashSet<Value>,
    target: FxHashSet<Value>,
}

impl Steering {
    pub(in crate::proof) fn new(pair: &Pair<'_>) -> Self {
        Self { source: steering(&pair.source), target: steering(&pair.target) }
    }

    /// Whether a scalar is a steering value, or a lane of one.
    pub(in crate::proof) fn has(&self, atom: Atom) -> bool {
        let is_in = |steering: &FxHashSet<Value>| {
            atom.value.inst().is_some_and(|inst| steering.contains(&Value::Inst(inst)))
        };
        match (atom.owner, atom.value) {
            // Both sides share the arguments.
            (Owner::Argument, ValueRef::Number(position)) => {
                let arg = Value::Arg(EntityId::from_index(position as usize));
                self.source.contains(&arg) || self.target.contains(&arg)
            }
            (Owner::Argument, ValueRef::Early(_) | ValueRef::Returned) => false,
            (Owner::Source, _) => is_in(&self.source),
            (Owner::Target, _) => is_in(&self.target),
        }
    }
}

/// The numbers that branches compare with each other, apart from added constants and extensions. If one iteration of a
/// loop covers several of the other, usually only comparisons of these are needed.
pub(in crate::proof) struct Compared {
    pairs: FxHashSet<(Root, Root)>,
}

/// An argument, or an instruction of one side.
type Root = (Owner, ValueRef);

impl Compared {
    /// A number that a fact of `sure` defines as another number plus a constant is compared like that number.
    pub(in crate::proof) fn new(pair: &Pair<'_>, sure: &[Fact]) -> Self {
        let same: Vec<(Root, Root)> = sure.iter().filter_map(alike).collect();
        let mut pairs = FxHashSet::default();
        for (owner, program) in [(Owner::Source, &pair.source), (Owner::Target, &pair.target)] {
            let body = program.body;
            let data = body.all_insts().map(|inst| body.inst(inst));
            for data in data.filter(|data| matches!(data.kind, InstKind::ICmp { .. })) {
                let roots: Vec<Root> =
                    data.operands.iter().filter_map(|v| root(program, owner, *v)).collect();
                if let Some((first, last)) = roots.first().zip(roots.last()) {
                    let roots = |root: &Root| -> Vec<Root> {
                        let defined = same.iter().filter(|(defined, _)| defined == root).map(|(_, by)| *by);
                        [*root].into_iter().chain(defined).collect()
                    };
                    for (a, b) in
                        roots(first).into_iter().flat_map(|a| roots(last).into_iter().map(move |b| (a, b)))
                    {
                        pairs.extend([(a, b), (b, a)]);
                    }
                }
            }
        }
        Self { pairs }
    }
    /// Whether two scalars are compared with each other.
    pub(in crate::proof) fn has(&self, a: Atom, b: Atom) -> bool {
        self.pairs.contains(&((a.owner, a.value), (b.owner, b.value)))
    }
    /// Whether a scalar is compared with another scalar or with a constant.
    pub(in crate::proof) fn mentions(&self, atom: Atom) -> bool {
        self.pairs.iter().any(|(root, _)| *root == (atom.owner, atom.value))
    }
}

/// The number that a fact defines as another number plus a constant, and that other number.
fn alike(fact: &Fact) -> Option<(Root, Root)> {
    let Fact::Linear(linear) = fact else { return None };
    let [(_, a), (_, b)] = &linear.summands[..] else { return None };
    let ([a], [b]) = (&a[..], &b[..]) else { return None };
    let (defined, _) = linear.solved()?;
    let by = if defined == *a { b } else { a };
    let root = |atom: Atom| (atom.owner, atom.value);
    Some((root(defined.atom), root(by.atom)))
}

/// The origin of a value, through added constants, extensions and truncations.
fn root(program: &Program<'_>, owner: Owner, mut value: Value) -> Option<Root> {
    loop {
        match value {
            Value::Const(_) => return None,
            Value::Arg(arg) => return Some((Owner::Argument, ValueRef::Number(arg.index() as u32))),
            Value::Inst(inst) => {
                let data = program.body.inst(inst);
                let constant = |at: usize| matches!(data.operands[at], Value::Const(_));
                match data.kind {
                    InstKind::Cast(..) => value = data.operands[0],
                    InstKind::Binary(BinaryOp::Add | BinaryOp::Sub, _) if constant(1) => {
                        value = data.operands[0];
                    }
                    InstKind::Binary(BinaryOp::Add, _) if constant(0) => value = data.operands[1],
                    _ => return Some((owner, ValueRef::of(inst))),
                }
            }
        }
    }
}

/// The values that branch conditions are computed from, up to loads and call results.
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
                if !is_load_or_call_result(program, inst) && found.insert(value) {
                    work.extend(data.operands.iter().copied());
                }
            }
        }
    }
    found
}

/// Whether a value is loaded from memory or returned by a function.
fn is_load_or_call_result(program: &Program<'_>, inst: Inst) -> bool {
    let data = program.body.inst(inst);
    if let Some(call) = data.call() {
        let callee = program.body.called_function(call.callee());
        let intrinsic = callee.and_then(|func| program.function.module.env.funcs[func].intrinsic);
        return matches!(intrinsic, None | Some(Intrinsic::MaskedLoad | Intrinsic::MaskedGather));
    }
    matches!(data.kind, InstKind::Load(_) | InstKind::AtomicRmw(..) | InstKind::CmpXchg(_) | InstKind::VaArg)
}
