//! What of a nest is needed, and what it reads: instructions, conditions, and the copies that phis are.

use super::values::{Values, Where};
use crate::blob::ScalarType;
use crate::canon::CanonExpr;
use crate::ddref::{Access, RegDdRef, Symbase};
use crate::node::{Compare, Hir, HlInst, Operation, Predicate};
use backedge_analysis::LoopId;
use backedge_analysis::effects::called_function;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{InstData, InstKind, IntPredicate, MemAccess, Value};
use backedge_ir::int::Int;
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::types::Type;
use backedge_scev::expr::Node as ScevNode;
use backedge_scev::{Expr, ScalarEvolution};
use rustc_hash::FxHashMap;

/// What a block decides by.
#[derive(Clone, Debug)]
pub(super) enum Condition {
    /// Of a branch.
    If(Predicate),
    /// Of a switch, with the values of its cases.
    Switch(RegDdRef, Vec<Int>),
}

/// What is needed of a nest.
#[derive(Debug, Default)]
pub(super) struct Needed {
    /// The instructions, as nodes.
    pub(super) insts: FxHashMap<Inst, HlInst>,
    /// What the blocks decide by that decide.
    pub(super) conditions: FxHashMap<Block, Condition>,
    /// What comes to a phi from a block: that of phis of the nest, and of its exits.
    pub(super) incoming: FxHashMap<(Inst, Block), RegDdRef>,
    /// What phis write.
    pub(super) phis: FxHashMap<Inst, RegDdRef>,
    /// The loops with bounds, with the count of their backedges.
    pub(super) counts: FxHashMap<LoopId, CanonExpr>,
    symbases: FxHashMap<Inst, Symbase>,
}

impl Needed {
    pub(super) fn new<'a>(
        scev: &mut ScalarEvolution<'a>,
        hir: &mut Hir,
        values: &mut Values<'a>,
        l: LoopId,
    ) -> Self {
        values.enter(scev, l);
        let mut needed = Self { symbases: values.alias_sets(hir, l), ..Self::default() };
        let body = values.at.body;
        let loops = values.loops.clone();
        for inner in loops.nest(l) {
            needed.count(scev, hir, values, inner);
        }
        for block in loops.blocks(l) {
            for inst in body.insts(*block) {
                if has_effect(values, *inst) {
                    needed.instruction(scev, hir, values, *inst);
                }
            }
            needed.condition(scev, hir, values, *block);
            for to in body.successors(*block).iter().filter(|to| !loops.contains(l, **to)) {
                for phi in body.phis(*to) {
                    needed.phi(hir, values, phi);
                    needed.come_from(scev, hir, values, phi, *block);
                }
            }
        }
        while let Some(inst) = values.new.pop() {
            if body.inst(inst).kind.is_phi() {
                needed.phi(hir, values, inst);
                let block = body.block_of(inst);
                let preds = block.map_or(&[][..], |b| values.cfg.preds(b)).to_vec();
                for pred in preds {
                    needed.come_from(scev, hir, values, inst, pred);
                }
            } else if !needed.insts.contains_key(&inst) {
                needed.instruction(scev, hir, values, inst);
            }
        }
        needed
    }
    /// Finds the count of a loop whose latch leaves it.
    fn count<'a>(
        &mut self,
        scev: &mut ScalarEvolution<'a>,
        hir: &mut Hir,
        values: &mut Values<'a>,
        l: LoopId,
    ) {
        let (cfg, loops) = (values.cfg.clone(), values.loops.clone());
        let (Some(latch), Some(preheader)) = (loops.single_latch(&cfg, l), loops.preheader(&cfg, l)) else {
            return;
        };
        let branches = matches!(
            values.at.body.terminator(latch).map(|t| &values.at.body.inst(t).kind),
            Some(InstKind::CondBr)
        );
        let counts = scev.counts(l);
        let Some((_, count)) = counts.exits.iter().find(|(block, _)| *block == latch).filter(|_| branches)
        else {
            return;
        };
        let exact = count.exact;
        if scev.is_could_not_compute(exact) || count.never || !divides_by_constants(scev, exact) {
            return;
        }
        let at = Where { block: preheader, before: None };
        if let Some(form) = values.form_of(scev, hir, exact, None, at) {
            self.counts.insert(l, form);
        }
    }
    /// An operand as a reference.
    fn operand<'a>(
        &mut self,
        scev: &mut ScalarEvolution<'a>,
        hir: &mut Hir,
        values: &mut Values<'a>,
        value: Value,
        at: Where,
    ) -> RegDdRef {
        let ty = values.at.body.ty(value);
        if ty.is_ptr() && values.in_nest(value).is_some() {
            let address = values.memory(scev, hir, value, at, Access::AddressOf(ty));
            let is_itself = address
                .base
                .self_blob(&hir.blobs)
                .is_some_and(|temp| hir.blobs.temp(temp).value == Some(value));
            if !is_itself {
                return RegDdRef::memory(Symbase::RVALUE, address);
            }
        }
        RegDdRef::terminal(values.form(scev, hir, value, at))
    }
    fn instruction<'a>(
        &mut self,
        scev: &mut ScalarEvolution<'a>,
        hir: &mut Hir,
        values: &mut Values<'a>,
        inst: Inst,
    ) {
        let body = values.at.body;
        let data = body.inst(inst);
        let Some(block) = body.block_of(inst) else { return };
        let at = Where { block, before: Some(inst) };
        let symbase = self.symbases.get(&inst).copied().unwrap_or(Symbase::RVALUE);
        let memory = |access: Access,
                      ptr: Value,
                      scev: &mut ScalarEvolution<'a>,
                      hir: &mut Hir,
                      values: &mut Values<'a>| {
            RegDdRef::memory(symbase, values.memory(scev, hir, ptr, at, access))
        };
        let (lval, rvals) = match &data.kind {
            InstKind::Load(how) => {
                let access = Access::Load(data.ty, MemAccess::clone(how));
                let from = memory(access, data.operands[0], scev, hir, values);
                (self.written(hir, values, inst), vec![from])
            }
            InstKind::Store(how) => {
                let access = Access::Store(body.ty(data.operands[0]), MemAccess::clone(how));
                let to = memory(access, data.operands[1], scev, hir, values);
                (Some(to), vec![self.operand(scev, hir, values, data.operands[0], at)])
            }
            kind if kind.is_pure() && values.ty(inst.into()).is_int() => {
                // What is linear is written so, if it needs not be read to be written.
                let form =
                    scev.expr(inst.into()).and_then(|e| values.form_of(scev, hir, e, Some(inst.into()), at));
                if let Some(form) = form.filter(CanonExpr::has_any_iv) {
                    let lval = self.written(hir, values, inst);
                    let copy =
                        HlInst { operation: Operation::Copy, lval, rvals: vec![RegDdRef::terminal(form)] };
                    self.insts.insert(inst, copy);
                    return;
                }
                let rvals = data.operands.iter().map(|o| self.operand(scev, hir, values, *o, at)).collect();
                (self.written(hir, values, inst), rvals)
            }
            _ => {
                let rvals = data.operands.iter().map(|o| self.operand(scev, hir, values, *o, at)).collect();
                (self.written(hir, values, inst), rvals)
            }
        };
        let mut template = InstData::new(data.kind.clone(), data.ty, [], []);
        template.metadata.clone_from(&data.metadata);
        self.insts.insert(inst, HlInst { operation: Operation::Ir(Box::new(template)), lval, rvals });
    }
    /// What an instruction with a result writes.
    fn written(&mut self, hir: &mut Hir, values: &mut Values<'_>, inst: Inst) -> Option<RegDdRef> {
        if values.at.body.inst(inst).ty == Type::VOID {
            return None;
        }
        let temp = values.temp(hir, inst.into());
        Some(RegDdRef::terminal(CanonExpr::of_temp(&mut hir.blobs, temp, 0)))
    }
    fn condition<'a>(
        &mut self,
        scev: &mut ScalarEvolution<'a>,
        hir: &mut Hir,
        values: &mut Values<'a>,
        block: Block,
    ) {
        let body = values.at.body;
        let Some(end) = body.terminator(block) else { return };
        let data = body.inst(end);
        let at = Where { block, before: Some(end) };
        let condition = match data.kind {
            InstKind::CondBr => {
                let is_latch_of_counted = |l: &LoopId| values.loops.is_latch(&values.cfg, *l, block);
                if self.counts.keys().any(is_latch_of_counted) {
                    return;
                }
                Condition::If(self.predicate(scev, hir, values, data.operands[0], at))
            }
            InstKind::Switch => {
                let cases = data.operands[1..].iter().filter_map(|case| body.as_int(*case)).collect();
                Condition::Switch(self.operand(scev, hir, values, data.operands[0], at), cases)
            }
            _ => return,
        };
        self.conditions.insert(block, condition);
    }
    fn predicate<'a>(
        &mut self,
        scev: &mut ScalarEvolution<'a>,
        hir: &mut Hir,
        values: &mut Values<'a>,
        value: Value,
        at: Where,
    ) -> Predicate {
        let body = values.at.body;
        if let Some(inst) = values.in_nest(value) {
            let data = body.inst(inst);
            let compare = match data.kind {
                InstKind::ICmp { pred, .. } => Some(Compare::Int(pred)),
                InstKind::FCmp(pred, fast) if fast == backedge_ir::inst::FastMath::NONE => {
                    Some(Compare::Float(pred))
                }
                _ => None,
            };
            if let Some(compare) = compare.filter(|_| !is_vector(values, data.operands[0]))
                && values.holds_all(&data.operands, at)
            {
                let refs = [0, 1].map(|i| self.operand(scev, hir, values, data.operands[i], at));
                return Predicate { compare, refs };
            }
        }
        let zero = RegDdRef::terminal(CanonExpr::zero(ScalarType::int(1)));
        let refs = [self.operand(scev, hir, values, value, at), zero];
        Predicate { compare: Compare::Int(IntPredicate::Ne), refs }
    }
    fn phi(&mut self, hir: &mut Hir, values: &mut Values<'_>, phi: Inst) {
        self.phis.entry(phi).or_insert_with(|| {
            let temp = values.temp(hir, phi.into());
            RegDdRef::terminal(CanonExpr::of_temp(&mut hir.blobs, temp, 0))
        });
    }
    fn come_from<'a>(
        &mut self,
        scev: &mut ScalarEvolution<'a>,
        hir: &mut Hir,
        values: &mut Values<'a>,
        phi: Inst,
        pred: Block,
    ) {
        let Some(value) = values.at.body.incoming_from(phi, pred) else { return };
        // What shares the variable is there already, if it is computed.
        if values.shared_with(phi).is_some_and(|next| value == Value::Inst(next)) {
            values.temp(hir, value);
            return;
        }
        let at = Where { block: pred, before: None };
        let of = self.operand(scev, hir, values, value, at);
        self.incoming.insert((phi, pred), of);
    }
}

fn is_vector(values: &Values<'_>, value: Value) -> bool {
    values.at.env.types.fixed_vector(values.at.body.ty(value)).is_some()
}

/// Whether the expression divides by nothing but constants: it can be evaluated where the loop does not come to an exit.
fn divides_by_constants(scev: &ScalarEvolution<'_>, expr: Expr) -> bool {
    scev.arena().all_parts(expr, |_, node| match node {
        ScevNode::UDiv([_, by]) => scev.as_constant(*by).is_some_and(|by| !by.is_zero()),
        _ => true,
    })
}

/// Whether an instruction has to be executed though nothing may read its result.
fn has_effect(values: &Values<'_>, inst: Inst) -> bool {
    let body = values.at.body;
    let data = body.inst(inst);
    match &data.kind {
        InstKind::Phi(_) | InstKind::DebugRecord(_) => false,
        InstKind::Load(how) => how.volatile || how.ordering.is_some(),
        InstKind::Call(_) => {
            let callee = data.call().and_then(|call| called_function(body, call));
            let name = callee.map(|f| &*values.at.env.funcs[f].name);
            !name.and_then(Intrinsic::from_function_name).is_some_and(Intrinsic::is_debug)
        }
        kind => !kind.is_pure() && !kind.is_terminator(),
    }
}
