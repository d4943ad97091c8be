//! Variables for values, and closed forms at places.
//!
//! A variable holds a value wherever the value can be used: it is written only where the value is defined, with two
//! exceptions. The variable of a header phi is written at the end of the loop's body or, if the variable is shared,
//! where the backedge's value is defined. A form after that write must not use it; [`Values::holds`] decides where a
//! form may.
//!
//! A form with reverse engineered parts uses variables that were not operands of the value it represents. They must
//! not be poison where that value is not, so only values whose poison propagates to it are used.

use super::extent::Extent;
use crate::blob::{Blobs, ScalarType, Temp, TempData};
use crate::canon::{CanonExpr, Extension, FormPlace, Level};
use crate::node::Hir;
use crate::symbase::Symbase;
use backedge_analysis::cache::{At, Fresh};
use backedge_analysis::poison::propagates_poison;
use backedge_analysis::{Cfg, Dominators, LoopForest, LoopId};
use backedge_ir::constant::ConstData;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{CastOp, InstKind, Use, Value};
use backedge_ir::print::BodyPrinter;
use backedge_scev::expr::Node as ScevNode;
use backedge_scev::{Expr, ScalarEvolution};
use rustc_hash::{FxHashMap, FxHashSet};

/// Limit on the values examined when looking for a value with a given expression: bounds the time for one operand,
/// which has no closed form beyond it.
const MOST_LOOKED_AT: usize = 32;

/// The place where an operand is read: before that instruction of the block, or at the block's end.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Where {
    pub(super) block: Block,
    pub(super) before: Option<Inst>,
}

/// The variables of a function.
pub(super) struct Values<'a> {
    pub(super) at: At<'a>,
    pub(super) cfg: Fresh<'a, Cfg>,
    pub(super) loops: Fresh<'a, LoopForest>,
    pub(super) dominators: Fresh<'a, Dominators>,
    pub(super) names: BodyPrinter<'a>,
    temps: FxHashMap<Value, Temp>,
    /// The blocks of the current nest.
    extent: Option<Extent>,
    /// The blocks of taken regions, and whether lowering removes them; it does not remove heads.
    taken: FxHashMap<Block, bool>,
    /// Values in these blocks that survive lowering.
    staying: FxHashSet<Inst>,
    /// Backedge values that share the variable of a phi, and the phis.
    phi_of: FxHashMap<Inst, Inst>,
    shares: FxHashMap<Inst, Inst>,
    /// Instructions of the nest whose variables were requested, and those of them not yet processed.
    asked: FxHashSet<Inst>,
    pub(super) new: Vec<Inst>,
}

impl<'a> Values<'a> {
    pub(super) fn new(scev: &ScalarEvolution<'a>) -> Self {
        Self {
            at: scev.at,
            cfg: scev.cfg(),
            loops: scev.loops(),
            dominators: scev.dominators(),
            names: BodyPrinter::new(scev.at.env, scev.body()),
            temps: FxHashMap::default(),
            extent: None,
            taken: FxHashMap::default(),
            staying: FxHashSet::default(),
            phi_of: FxHashMap::default(),
            shares: FxHashMap::default(),
            asked: FxHashSet::default(),
            new: Vec::new(),
        }
    }
    /// Starts another nest.
    pub(super) fn enter(&mut self, scev: &mut ScalarEvolution<'a>, extent: &Extent) {
        self.extent = Some(extent.clone());
        self.phi_of.clear();
        self.shares.clear();
        self.asked.clear();
        self.new.clear();
        for block in &extent.blocks {
            for inst in self.at.body.insts(*block) {
                // Compute the expression now, so that it can be read from now on.
                scev.expr(Value::Inst(*inst));
            }
        }
        let loops = self.loops.clone();
        for inner in extent.loops.iter().flat_map(|l| loops.nest(*l)) {
            for phi in self.at.body.phis(loops.header(inner)) {
                self.share(scev, inner, phi);
            }
        }
    }
    /// Finishes a nest that was taken.
    pub(super) fn leave(&mut self, extent: &Extent) {
        self.taken.extend(extent.sources().map(|block| (block, extent.contains(block))));
        self.staying.extend(&extent.open);
    }
    /// Whether the block belongs to a region that was taken.
    pub(super) fn is_taken(&self, block: Block) -> bool {
        self.taken.contains_key(&block)
    }
    /// Lets the phi and its backedge value share one variable, if that is correct.
    fn share(&mut self, scev: &mut ScalarEvolution<'a>, l: LoopId, phi: Inst) {
        let body = self.at.body;
        let is_induction =
            scev.expr(phi.into()).is_some_and(|e| matches!(scev.arena().node(e), ScevNode::AddRec(..)));
        let brought = self.loops.single_latch(&self.cfg, l).and_then(|latch| body.incoming_from(phi, latch));
        let Some(Value::Inst(next)) = brought.filter(|_| !is_induction) else { return };
        let block = body.block_of(next);
        let fits = !body.inst(next).kind.is_phi()
            && self.depends_on(l, next, phi)
            && !self.phi_of.contains_key(&next)
            && block.is_some_and(|b| self.loops.innermost(b) == Some(l))
            && block.is_some_and(|block| self.is_done_with(phi, next, block));
        if fits {
            self.phi_of.insert(next, phi);
            self.shares.insert(phi, next);
        }
    }
    /// Whether nothing after `next`, which is in `block`, reads the old value of `phi`, or a value computed from it
    /// by arithmetic that becomes part of closed forms.
    fn is_done_with(&self, phi: Inst, next: Inst, block: Block) -> bool {
        let body = self.at.body;
        let mut seen = vec![phi];
        let mut at = 0;
        while let Some(value) = seen.get(at).copied() {
            at += 1;
            for of in body.code_uses(value.into()).filter(|of| of.user != next) {
                let user = body.inst(of.user);
                let is_before = body.block_of(of.user) == Some(block)
                    && !user.kind.is_phi()
                    && body.comes_before(of.user, next);
                if !is_before || seen.len() > MOST_LOOKED_AT {
                    return false;
                }
                let is_in_forms = matches!(user.kind, InstKind::Binary(..) | InstKind::Cast(..));
                if is_in_forms && !seen.contains(&of.user) {
                    seen.push(of.user);
                }
            }
        }
        true
    }
    /// Whether `value` depends on `phi` within one iteration, so that both are in one strongly connected set.
    fn depends_on(&self, l: LoopId, value: Inst, phi: Inst) -> bool {
        let body = self.at.body;
        let mut seen = vec![value];
        let mut next = 0;
        while let Some(inst) = seen.get(next).copied().filter(|_| next < MOST_LOOKED_AT) {
            next += 1;
            for operand in body.inst(inst).operands.iter().filter_map(|o| o.as_inst()) {
                if operand == phi {
                    return true;
                }
                if self.loops.contains_inst(body, l, operand) && !seen.contains(&operand) {
                    seen.push(operand);
                }
            }
        }
        false
    }
    /// The backedge value that shares the variable of `phi`.
    pub(super) fn shared_with(&self, phi: Inst) -> Option<Inst> {
        self.shares.get(&phi).copied()
    }
    pub(super) fn is_in_nest(&self, block: Block) -> bool {
        self.extent.as_ref().is_some_and(|extent| extent.contains(block))
    }
    /// Whether the block is in no loop of the nest.
    pub(super) fn is_between(&self, block: Block) -> bool {
        let loops = self.extent.iter().flat_map(|extent| &extent.loops);
        loops.clone().all(|l| !self.loops.contains(*l, block))
    }
    /// The instruction, if it is in the current nest.
    pub(super) fn in_nest(&self, value: Value) -> Option<Inst> {
        value.as_inst().filter(|i| self.at.body.block_of(*i).is_some_and(|b| self.is_in_nest(b)))
    }
    /// The type of `value`; integers wider than supported have no arithmetic.
    pub(super) fn ty(&self, value: Value) -> ScalarType {
        let ty = self.at.body.ty(value);
        ScalarType::new(&self.at.env.layout, ty).unwrap_or(ScalarType { ty, width: 1 })
    }
    /// The variable of `value`.
    pub(super) fn temp(&mut self, hir: &mut Hir, value: Value) -> Temp {
        if let Some(inst) = self.in_nest(value)
            && self.asked.insert(inst)
        {
            self.new.push(inst);
        }
        let holder = match value {
            Value::Inst(inst) => Value::Inst(self.phi_of.get(&inst).copied().unwrap_or(inst)),
            Value::Arg(_) | Value::Const(_) => value,
        };
        if let Some(known) = self.temps.get(&holder) {
            return *known;
        }
        let is_address = |c| matches!(self.at.body.constant(c).data, ConstData::Global(_));
        let symbase = match holder {
            Value::Const(c) if !is_address(c) => Symbase::CONSTANT,
            _ => hir.new_symbase(),
        };
        let data = TempData {
            name: self.names.operand(holder).into(),
            ty: self.ty(holder),
            symbase,
            value: Some(holder),
        };
        let temp = hir.blobs.add_temp(data);
        self.temps.insert(holder, temp);
        temp
    }
    /// The variable of `value`, if it already has one.
    pub(super) fn known_temp(&self, value: Value) -> Option<Temp> {
        let holder =
            value.as_inst().and_then(|inst| self.phi_of.get(&inst)).map_or(value, |phi| Value::Inst(*phi));
        self.temps.get(&holder).copied()
    }
    /// Whether the variable of `value` holds it at that place.
    pub(super) fn holds(&self, value: Value, at: Where) -> bool {
        let Value::Inst(inst) = value else { return true };
        let body = self.at.body;
        let Some(block) = body.block_of(inst) else { return false };
        let is_defined = if block == at.block {
            at.before.is_none_or(|before| body.comes_before(inst, before))
        } else {
            self.dominators.strictly_dominates(block, at.block)
        };
        // A value computed in another nest, which SCEV may have reached through an exit phi, has no variable here.
        let home = self.loops.innermost(block).filter(|_| !self.is_in_nest(block));
        let nest = self.extent.as_ref().map(|extent| extent.loops[0]);
        let is_elsewhere = home.zip(nest).is_some_and(|(home, nest)| !self.loops.contains_loop(home, nest));
        // Nor has a value between the loops of another region, unless it is used after that region: lowering may
        // remove it.
        let goes =
            self.taken.get(&block) == Some(&true) && !self.staying.contains(&inst) && !self.is_in_nest(block);
        if !is_defined || is_elsewhere || goes {
            return false;
        }
        let of_header = self.loops.with_header(block).filter(|_| body.inst(inst).kind.is_phi());
        match (self.in_nest(value), of_header) {
            (Some(phi), Some(l)) => {
                let is_inside = self.loops.contains(l, at.block);
                is_inside
                    && self.shares.get(&phi).is_none_or(|next| {
                        let before = at.before.is_some_and(|b| b == *next || body.comes_before(b, *next));
                        body.block_of(*next) == Some(at.block) && before
                    })
            }
            _ => true,
        }
    }
    /// Whether the variables of all these values hold them at that place.
    pub(super) fn holds_all(&self, all: &[Value], at: Where) -> bool {
        all.iter().all(|value| self.holds(*value, at))
    }
    /// The closed form of `value`, an operand of an instruction that executes at that place; a self blob if it has no
    /// other form. An executing instruction reads its operands, so their variables hold them.
    pub(super) fn form(
        &mut self,
        scev: &mut ScalarEvolution<'a>,
        hir: &mut Hir,
        value: Value,
        at: Where,
    ) -> CanonExpr {
        self.own_form(scev, hir, value, at).unwrap_or_else(|| self.self_blob(hir, value))
    }
    /// The closed form of any `value` at that place; `None` if it has none and its variable may not hold it there.
    pub(super) fn form_if_held(
        &mut self,
        scev: &mut ScalarEvolution<'a>,
        hir: &mut Hir,
        value: Value,
        at: Where,
    ) -> Option<CanonExpr> {
        let own = self.own_form(scev, hir, value, at);
        own.or_else(|| self.holds(value, at).then(|| self.self_blob(hir, value)))
    }
    /// The self blob of the variable of `value`.
    pub(super) fn self_blob(&mut self, hir: &mut Hir, value: Value) -> CanonExpr {
        let temp = self.temp(hir, value);
        CanonExpr::of_temp(&mut hir.blobs, temp, 0)
    }
    /// The form of a constant, or of the expression of an integer.
    fn own_form(
        &mut self,
        scev: &mut ScalarEvolution<'a>,
        hir: &mut Hir,
        value: Value,
        at: Where,
    ) -> Option<CanonExpr> {
        if let Some(constant) = self.at.body.as_int(value) {
            return Some(CanonExpr::of_constant(constant));
        }
        let expr = if self.ty(value).is_int() { scev.expr(value) } else { None }?;
        self.form_of_value(scev, hir, value, expr, at)
    }
    /// The form of `expr`, the expression of `value`. SCEV distributes an extension over the terms of a sum that does
    /// not wrap; a term may then be the extension of a wrapping sum, which has no closed form. The extension of the
    /// whole sum, as in the code, has one.
    pub(super) fn form_of_value(
        &mut self,
        scev: &mut ScalarEvolution<'a>,
        hir: &mut Hir,
        value: Value,
        expr: Expr,
        at: Where,
    ) -> Option<CanonExpr> {
        if let Some(form) = self.form_of(scev, hir, expr, Some(value), at) {
            return Some(form);
        }
        let inst = self.at.body.inst(self.in_nest(value)?);
        let extension = match inst.kind {
            InstKind::Cast(CastOp::SExt, _) => Extension::Sign,
            InstKind::Cast(CastOp::ZExt, _) => Extension::Zero,
            _ => return None,
        };
        let width = self.ty(value).width;
        let inner = inst.operands[0];
        let of_inner = scev.expr(inner).filter(|_| self.ty(inner).is_int())?;
        let form = self.form_of(scev, hir, of_inner, Some(value), at)?;
        form.cast_to(width, extension, &mut hir.blobs)
    }
    /// The closed form of an expression at that place, if it has one. Only parts of `root` are used for reverse
    /// engineering.
    pub(super) fn form_of(
        &mut self,
        scev: &ScalarEvolution<'a>,
        hir: &mut Hir,
        expr: Expr,
        root: Option<Value>,
        at: Where,
    ) -> Option<CanonExpr> {
        // Variables are created while the form under construction uses the blobs.
        let mut blobs = std::mem::take(&mut hir.blobs);
        let mut place = AtPlace { values: self, hir, root, at };
        let form = CanonExpr::from_scev(scev, expr, &mut blobs, &mut place);
        hir.blobs = blobs;
        form.ok()
    }
}

/// A place, as the builder of forms sees it.
struct AtPlace<'v, 'a> {
    values: &'v mut Values<'a>,
    hir: &'v mut Hir,
    root: Option<Value>,
    at: Where,
}

impl AtPlace<'_, '_> {
    fn make(&mut self, blobs: &mut Blobs, value: Value) -> Temp {
        std::mem::swap(blobs, &mut self.hir.blobs);
        let temp = self.values.temp(self.hir, value);
        std::mem::swap(blobs, &mut self.hir.blobs);
        temp
    }
}

impl FormPlace for AtPlace<'_, '_> {
    fn level(&self, l: LoopId) -> Option<Level> {
        let loops = &self.values.loops;
        let outermost = &self.values.extent.as_ref()?.loops;
        let nest = outermost.iter().find(|nest| loops.contains_loop(**nest, l))?;
        loops.contains(l, self.at.block).then(|| loops.depth(l) + 1 - loops.depth(*nest))
    }
    fn temp(&mut self, blobs: &mut Blobs, value: Value) -> Option<Temp> {
        self.values.holds(value, self.at).then(|| self.make(blobs, value))
    }
    fn counters(&mut self, scev: &ScalarEvolution<'_>, l: LoopId) -> Vec<Value> {
        let body = self.values.at.body;
        let header = self.values.loops.header(l);
        let is_counter = |value: &Value| {
            let phi = value.as_inst().filter(|inst| body.inst(*inst).kind.is_phi());
            phi.is_some_and(|phi| body.block_of(phi) == Some(header)) && self.values.holds(*value, self.at)
        };
        self.parts(scev).into_iter().filter(is_counter).collect()
    }
    fn temp_in_front(&mut self, blobs: &mut Blobs, scev: &ScalarEvolution<'_>, expr: Expr) -> Option<Temp> {
        self.find(blobs, scev, expr, &|values, value| values.in_nest(value).is_none())
    }
    fn temp_of_expr(&mut self, blobs: &mut Blobs, scev: &ScalarEvolution<'_>, expr: Expr) -> Option<Temp> {
        self.find(blobs, scev, expr, &|_, _| true)
    }
}

impl<'a> AtPlace<'_, 'a> {
    /// The variable of a part of the root that has that expression and `fits`.
    fn find(
        &mut self,
        blobs: &mut Blobs,
        scev: &ScalarEvolution<'_>,
        expr: Expr,
        fits: &dyn Fn(&Values<'a>, Value) -> bool,
    ) -> Option<Temp> {
        let is_it = |value: &Value| {
            fits(self.values, *value)
                && scev.exprs(*value).contains(&expr)
                && self.values.holds(*value, self.at)
        };
        let found = self.parts(scev).into_iter().find(is_it)?;
        Some(self.make(blobs, found))
    }
    /// The root and values it is computed from whose poison propagates to it; the root is first.
    fn parts(&self, scev: &ScalarEvolution<'_>) -> Vec<Value> {
        let body = self.values.at.body;
        let mut parts: Vec<Value> = self.root.into_iter().collect();
        let mut next = 0;
        while let Some(value) = parts.get(next).copied().filter(|_| next < MOST_LOOKED_AT) {
            next += 1;
            let Some(inst) = self.values.in_nest(value) else { continue };
            let start = self.start_of(scev, inst);
            let is_plain = matches!(body.inst(inst).kind, InstKind::Binary(..) | InstKind::Cast(..));
            let spreads = |(index, operand): (u32, &Value)| {
                let spreads =
                    is_plain && propagates_poison(self.values.at.env, body, Use { user: inst, index });
                spreads.then_some(*operand)
            };
            let operands = (0..).zip(&body.inst(inst).operands).filter_map(spreads);
            for operand in operands.chain(start) {
                if !parts.contains(&operand) {
                    parts.push(operand);
                }
            }
        }
        parts
    }
    /// The start value of a recurrence of one of the nest's loops; all values of the recurrence are sums with it.
    fn start_of(&self, scev: &ScalarEvolution<'_>, phi: Inst) -> Option<Value> {
        let Values { at, cfg, loops, .. } = &*self.values;
        let l = at.body.block_of(phi).and_then(|block| loops.with_header(block))?;
        let is_recurrence =
            |expr: &Expr| matches!(scev.arena().node(*expr), ScevNode::AddRec(of, _) if *of == l);
        if !at.body.inst(phi).kind.is_phi() || !scev.exprs(phi.into()).iter().any(is_recurrence) {
            return None;
        }
        at.body.incoming_from(phi, loops.preheader(cfg, l)?)
    }
}
