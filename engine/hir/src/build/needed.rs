//! The needed parts of a nest and their operands: instructions, conditions, and the copies that phis become.

use super::extent::Extent;
use super::values::{Values, Where};
use crate::blob::ScalarType;
use crate::canon::CanonExpr;
use crate::ddref::{Access, MemRef, RegDdRef, Site};
use crate::node::{Compare, Hints, Hir, HlInst, Operation, Predicate, Reach};
use crate::symbase::Symbase;
use backedge_analysis::LoopId;
use backedge_analysis::alias::MemoryLocation;
use backedge_analysis::alias::scoped::declares;
use backedge_analysis::effects::{called_function, effects_of_call, may_access_memory};
use backedge_analysis::must_execute::{call_ends, called_intrinsic};
use backedge_ir::attr::{MemoryEffects, ModRef};
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{
    BinaryFlags, BinaryOp, CallView, InstData, InstKind, IntPredicate, MemAccess, Value,
};
use backedge_ir::int::Int;
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::metadata::MdKind;
use backedge_ir::print::type_to_string;
use backedge_ir::types::Type;
use backedge_scev::expr::Node as ScevNode;
use backedge_scev::{Expr, ScalarEvolution};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The condition at the end of a block.
#[derive(Clone, Debug)]
pub(super) enum Condition {
    /// The condition of a branch.
    If(Predicate),
    /// The condition of a switch, with its case values and hints.
    Switch(RegDdRef, Vec<Int>, Hints),
}

/// The needed parts of a nest.
#[derive(Debug, Default)]
pub(super) struct Needed {
    /// The instructions, as nodes.
    pub(super) insts: FxHashMap<Inst, HlInst>,
    /// The conditions of the blocks that have one.
    pub(super) conditions: FxHashMap<Block, Condition>,
    /// Incoming values by phi and predecessor, for phis of the nest and of its exit blocks.
    pub(super) incoming: FxHashMap<(Inst, Block), RegDdRef>,
    /// The references that phis write.
    pub(super) phis: FxHashMap<Inst, RegDdRef>,
    /// The loops with bounds, with their backedge-taken counts.
    pub(super) counts: FxHashMap<LoopId, CanonExpr>,
    /// The phis of each loop that equal the iteration number.
    pub(super) counters: FxHashMap<LoopId, Vec<Inst>>,
    /// Upper bound on the backedge-taken count of each loop.
    pub(super) most: FxHashMap<LoopId, u128>,
    /// The same bound, derived from flags that the code states.
    pub(super) most_by_flags: FxHashMap<LoopId, u128>,
    symbases: FxHashMap<Inst, (Symbase, Site)>,
}

/// The code of a nest, and the tree under construction.
struct Code<'c, 'a> {
    scev: &'c mut ScalarEvolution<'a>,
    hir: &'c mut Hir,
    values: &'c mut Values<'a>,
}

impl Code<'_, '_> {
    /// The reference to the variable of a value, for reading or writing it unchanged.
    fn variable(&mut self, value: Value) -> RegDdRef {
        let temp = self.values.temp(self.hir, value);
        RegDdRef::terminal(CanonExpr::of_temp(&mut self.hir.blobs, temp, 0))
    }
    /// The reference that an instruction with a result writes.
    fn written(&mut self, inst: Inst) -> Option<RegDdRef> {
        (self.values.at.body.inst(inst).ty != Type::VOID).then(|| self.variable(inst.into()))
    }
}

impl Needed {
    pub(super) fn new<'a>(
        scev: &mut ScalarEvolution<'a>,
        hir: &mut Hir,
        values: &mut Values<'a>,
        extent: &Extent,
    ) -> Self {
        let code = &mut Code { scev, hir, values };
        code.values.enter(code.scev, extent);
        let mut needed = Self { symbases: code.values.alias_sets(code.hir, extent), ..Self::default() };
        let body = code.values.at.body;
        let loops = code.values.loops.clone();
        for inner in extent.loops.iter().flat_map(|l| loops.nest(*l)) {
            needed.count(code, inner);
            needed.counters(code, inner);
        }
        for block in extent.sources() {
            let inside = body.insts(block).iter().filter(|_| extent.contains(block));
            for inst in inside.filter(|inst| has_effect(code.values, **inst)).copied().collect::<Vec<_>>() {
                needed.instruction(code, inst);
            }
            needed.condition(code, block);
            for to in body.successors(block).iter().filter(|to| !extent.contains(**to)) {
                for phi in body.phis(*to) {
                    needed.phi(code, phi);
                    needed.incoming_value(code, phi, block);
                }
            }
        }
        for inst in &extent.open {
            code.variable((*inst).into());
        }
        while let Some(inst) = code.values.new.pop() {
            if body.inst(inst).kind.is_phi() {
                needed.phi(code, inst);
                let block = body.block_of(inst);
                let preds = block.map_or(&[][..], |b| code.values.cfg.preds(b)).to_vec();
                for pred in preds {
                    needed.incoming_value(code, inst, pred);
                }
            } else if !needed.insts.contains_key(&inst) {
                needed.instruction(code, inst);
            }
        }
        needed
    }
    /// Finds the header phis that count the iterations of a loop.
    fn counters(&mut self, code: &mut Code<'_, '_>, l: LoopId) {
        let body = code.values.at.body;
        let counters = body.phis(code.values.loops.header(l)).filter(|phi| {
            let expr = code.scev.expr((*phi).into());
            expr.is_some_and(|expr| match code.scev.arena().node(expr) {
                ScevNode::AddRec(of, parts) if *of == l && parts.len() == 2 => {
                    let [start, step] = [parts[0], parts[1]].map(|part| code.scev.as_constant(part));
                    start.is_some_and(Int::is_zero) && step.is_some_and(Int::is_one)
                }
                _ => false,
            })
        });
        self.counters.insert(l, counters.collect());
    }
    /// Computes the count of a loop whose latch is exiting.
    fn count(&mut self, code: &mut Code<'_, '_>, l: LoopId) {
        let constant_max = code.scev.constant_max(l);
        let by_exits = code.scev.as_constant(constant_max).map(Int::bits);
        let by_flags = most_by_flags(code, l);
        let said = by_flags.iter().filter(|bound| bound.is_stated).map(|bound| bound.most).min();
        self.most_by_flags.extend(said.map(|most| (l, most)));
        let most = by_exits.into_iter().chain(by_flags.iter().map(|bound| bound.most)).min();
        self.most.extend(most.map(|most| (l, most)));
        let (cfg, loops) = (code.values.cfg.clone(), code.values.loops.clone());
        let (Some(latch), Some(preheader)) = (loops.single_latch(&cfg, l), loops.preheader(&cfg, l)) else {
            return;
        };
        let branches = matches!(
            code.values.at.body.terminator(latch).map(|t| &code.values.at.body.inst(t).kind),
            Some(InstKind::CondBr)
        );
        let counts = code.scev.counts(l);
        let Some((_, count)) = counts.exits.iter().find(|(block, _)| *block == latch).filter(|_| branches)
        else {
            return;
        };
        let exact = count.exact;
        if code.scev.is_could_not_compute(exact) || count.never || !divides_by_constants(code.scev, exact) {
            return;
        }
        let at = Where { block: preheader, before: None };
        if let Some(form) = code.values.form_of(code.scev, code.hir, exact, None, at) {
            self.counts.insert(l, form);
        }
    }
    /// An operand as a reference.
    fn operand(&mut self, code: &mut Code<'_, '_>, value: Value, at: Where) -> RegDdRef {
        let ty = code.values.at.body.ty(value);
        if ty.is_ptr() && code.values.in_nest(value).is_some() {
            let address = code.values.memory(code.scev, code.hir, value, at, Access::AddressOf(ty));
            let base = address.base.self_blob(&code.hir.blobs);
            let is_itself = base.is_some() && base == code.values.known_temp(value) && address.adds_nothing();
            if !is_itself {
                return RegDdRef::memory(Symbase::RVALUE, address);
            }
        }
        RegDdRef::terminal(code.values.form(code.scev, code.hir, value, at))
    }
    fn instruction(&mut self, code: &mut Code<'_, '_>, inst: Inst) {
        let body = code.values.at.body;
        let data = body.inst(inst);
        let Some(block) = body.block_of(inst) else { return };
        let at = Where { block, before: Some(inst) };
        if data.kind.is_pure() && code.values.ty(inst.into()).is_int() {
            // Writes a linear value as a form if the form does not read the variable being written.
            let expr = code.scev.expr(inst.into());
            let form = expr.and_then(|e| code.values.form_of_value(code.scev, code.hir, inst.into(), e, at));
            if let Some(form) = form.filter(CanonExpr::has_any_iv) {
                let lval = code.variable(inst.into());
                self.insts.insert(inst, HlInst::copy(lval, RegDdRef::terminal(form)));
                return;
            }
        }
        let known = self.symbases.get(&inst).copied();
        let (symbase, site) = (known.map_or(Symbase::RVALUE, |k| k.0), known.map(|k| k.1));
        let memory = |code: &mut Code<'_, '_>, access: Access, ptr: Value| {
            let of = code.values.memory(code.scev, code.hir, ptr, at, access);
            RegDdRef::memory(symbase, MemRef { site, ..of })
        };
        let (lval, rvals) = match &data.kind {
            InstKind::Load(how) => {
                let access = Access::Load(data.ty, MemAccess::clone(how));
                let from = memory(code, access, data.operands[0]);
                (code.written(inst), vec![from])
            }
            InstKind::Store(how) => {
                let access = Access::Store(body.ty(data.operands[0]), MemAccess::clone(how));
                let to = memory(code, access, data.operands[1]);
                (Some(to), vec![self.operand(code, data.operands[0], at)])
            }
            kind => {
                if let InstKind::Gep { source, .. } = kind {
                    let types = &code.values.at.env.types;
                    code.hir.type_names.insert(*source, type_to_string(types, *source).into());
                }
                let rvals = data.operands.iter().map(|o| self.operand(code, *o, at)).collect();
                (code.written(inst), rvals)
            }
        };
        let mut template = InstData::new(data.kind.clone(), data.ty, [], []);
        template.metadata.clone_from(&data.metadata);
        let reaches = beyond_references(code.values, inst);
        let operation = Operation::Ir(Box::new(template));
        let reorderable = is_reorderable(code.values, inst);
        self.insts.insert(inst, HlInst { operation, lval, rvals, reaches, reorderable });
    }
    fn condition(&mut self, code: &mut Code<'_, '_>, block: Block) {
        let body = code.values.at.body;
        let Some(end) = body.terminator(block) else { return };
        let data = body.inst(end);
        let at = Where { block, before: Some(end) };
        let condition = match data.kind {
            InstKind::CondBr => {
                let is_latch_of_counted =
                    |l: &LoopId| code.values.loops.is_latch(&code.values.cfg, *l, block);
                if self.counts.keys().any(is_latch_of_counted) {
                    return;
                }
                let hints = hints_of(data);
                Condition::If(Predicate { hints, ..self.predicate(code, data.operands[0], at) })
            }
            InstKind::Switch => {
                let cases = data.operands[1..].iter().filter_map(|case| body.as_int(*case)).collect();
                Condition::Switch(self.operand(code, data.operands[0], at), cases, hints_of(data))
            }
            _ => return,
        };
        self.conditions.insert(block, condition);
    }
    fn predicate(&mut self, code: &mut Code<'_, '_>, value: Value, at: Where) -> Predicate {
        let body = code.values.at.body;
        // Outside of all loops a condition executes once and may be expressed by its operands, wherever it is
        // computed.
        let anywhere = || value.as_inst().filter(|_| code.values.is_between(at.block));
        if let Some(inst) = code.values.in_nest(value).or_else(anywhere) {
            let data = body.inst(inst);
            let compare = match data.kind {
                InstKind::ICmp { pred, .. } => Some(Compare::Int(pred)),
                InstKind::FCmp(pred, fast) if fast == backedge_ir::inst::FastMath::NONE => {
                    Some(Compare::Float(pred))
                }
                _ => None,
            };
            if let Some(compare) = compare.filter(|_| !is_vector(code.values, data.operands[0]))
                && code.values.holds_all(&data.operands, at)
            {
                let refs = [0, 1].map(|i| self.operand(code, data.operands[i], at));
                return Predicate::new(compare, refs);
            }
        }
        let zero = RegDdRef::terminal(CanonExpr::zero(ScalarType::int(1)));
        let refs = [self.operand(code, value, at), zero];
        Predicate::new(Compare::Int(IntPredicate::Ne), refs)
    }
    fn phi(&mut self, code: &mut Code<'_, '_>, phi: Inst) {
        self.phis.entry(phi).or_insert_with(|| code.variable(phi.into()));
    }
    fn incoming_value(&mut self, code: &mut Code<'_, '_>, phi: Inst, pred: Block) {
        let Some(value) = code.values.at.body.incoming_from(phi, pred) else { return };
        // A value that shares the phi's variable needs no copy, but it must be computed.
        if code.values.shared_with(phi).is_some_and(|next| value == Value::Inst(next)) {
            code.values.temp(code.hir, value);
            return;
        }
        let at = Where { block: pred, before: None };
        let of = self.operand(code, value, at);
        self.incoming.insert((phi, pred), of);
    }
}

fn is_vector(values: &Values<'_>, value: Value) -> bool {
    values.at.env.types.fixed_vector(values.at.body.ty(value)).is_some()
}

/// Whether all divisors are nonzero constants: then the expression can be evaluated even if the loop does not reach
/// that exit.
fn divides_by_constants(scev: &ScalarEvolution<'_>, expr: Expr) -> bool {
    scev.arena().all_parts(expr, |_, node| match node {
        ScevNode::UDiv([_, by]) => scev.as_constant(*by).is_some_and(|by| !by.is_zero()),
        _ => true,
    })
}

/// Upper bound on a backedge-taken count that follows from an induction variable without wrap.
struct Bound {
    most: u128,
    /// Whether the code states the no-wrap flag.
    is_stated: bool,
}

/// Bounds of a loop from its induction variables: the start value plus all steps stays in the range of the type.
fn most_by_flags(code: &mut Code<'_, '_>, l: LoopId) -> Vec<Bound> {
    let body = code.values.at.body;
    let header = code.values.loops.header(l);
    let mut bounds = Vec::new();
    for phi in body.phis(header) {
        let Some(expr) = code.scev.expr(phi.into()) else { continue };
        let width = code.scev.width(expr);
        let (start, step) = match code.scev.arena().node(expr) {
            ScevNode::AddRec(of, parts) if *of == l && parts.len() == 2 => (parts[0], parts[1]),
            _ => continue,
        };
        let Some(step) = code.scev.as_constant(step).filter(|s| !s.is_zero() && width <= 64) else {
            continue;
        };
        if code.scev.ty(expr).is_pointer() {
            continue;
        }
        code.scev.strengthen(expr);
        let flags = code.scev.flags_at(expr, header);
        let greatest = (1i128 << (width - 1)) - 1;
        let said = flags_of_step(body, phi);
        if flags.nuw() {
            let room = Int::all_ones(width).bits() - code.scev.unsigned_min(start).bits();
            bounds.push(Bound { most: room / step.bits(), is_stated: said.nuw });
        }
        if flags.nsw() {
            let room = if step.signed() > 0 {
                greatest - code.scev.signed_min(start).signed()
            } else {
                code.scev.signed_max(start).signed() + greatest + 1
            };
            let most = room.unsigned_abs() / step.signed().unsigned_abs();
            bounds.push(Bound { most, is_stated: said.nsw });
        }
    }
    bounds
}

/// The flags of the addition that computes a phi's next value.
fn flags_of_step(body: &Body, phi: Inst) -> BinaryFlags {
    let steps = body.inst(phi).operands.iter().filter_map(|value| value.as_inst());
    let mut said = steps.filter_map(|step| match &body.inst(step).kind {
        InstKind::Binary(BinaryOp::Add, flags) if body.inst(step).operands.contains(&phi.into()) => {
            Some(*flags)
        }
        _ => None,
    });
    said.next_back().unwrap_or_default()
}

/// The effects of an instruction on memory beyond its own memory reference.
fn beyond_references(values: &Values<'_>, inst: Inst) -> SmallVec<[(Reach, ModRef); 2]> {
    let (env, body) = (values.at.env, values.at.body);
    let data = body.inst(inst);
    let everything =
        |how: ModRef| SmallVec::from_iter((how != ModRef::NONE).then_some((Reach::Everything, how)));
    match &data.kind {
        InstKind::Load(how) | InstKind::Store(how) if !how.volatile && how.ordering.is_none() => {
            SmallVec::new()
        }
        // A declaration of scopes affects aliasing facts, not memory.
        _ if declares(env, body, inst) => SmallVec::new(),
        _ => match data.call() {
            Some(call) => reaches_of_transfer(values, inst)
                .or_else(|| reaches_of_call(values, call))
                .unwrap_or_else(|| everything(effects_of_call(env, body, call).any())),
            None if may_access_memory(env, body, inst) => everything(ModRef::READ_WRITE),
            None => SmallVec::new(),
        },
    }
}

/// The reads and writes of a non-volatile intrinsic that fills or copies bytes.
fn reaches_of_transfer(values: &Values<'_>, inst: Inst) -> Option<SmallVec<[(Reach, ModRef); 2]>> {
    let (from, _) = MemoryLocation::of_transfer(values.at, inst)?;
    let call = values.at.body.inst(inst).call()?;
    let number = |at: usize| call.args().get(at).and_then(|value| values.at.body.as_int(*value));
    number(3).filter(|is_volatile| is_volatile.is_zero())?;
    let bytes = number(2).and_then(Int::to_u64);
    if bytes == Some(0) {
        return Some(SmallVec::new());
    }
    let written = (Reach::Operand(0, bytes), ModRef::WRITE);
    let read = from.map(|_| (Reach::Operand(1, bytes), ModRef::READ));
    Some(read.into_iter().chain([written]).collect())
}

/// The reaches of a call that accesses only memory that its arguments point to, or inaccessible memory.
fn reaches_of_call(values: &Values<'_>, call: CallView<'_>) -> Option<SmallVec<[(Reach, ModRef); 2]>> {
    let body = values.at.body;
    let effects = effects_of_call(values.at.env, body, call);
    let MemoryEffects { argmem, inaccessiblemem, errnomem, target_mem, other } = effects;
    if [errnomem, target_mem[0], target_mem[1], other].iter().any(|how| *how != ModRef::NONE) {
        return None;
    }
    let mut reaches = SmallVec::new();
    if inaccessiblemem != ModRef::NONE {
        reaches.push((Reach::Inaccessible, inaccessiblemem));
    }
    if argmem != ModRef::NONE {
        for (number, arg) in (0..).zip(call.args()) {
            let ty = body.ty(*arg);
            if ty.is_ptr() {
                reaches.push((Reach::Operand(number, None), argmem));
            } else if !ty.is_int() && !ty.is_float() {
                // The argument may contain pointers.
                return None;
            }
        }
    }
    Some(reaches)
}

/// See [`HlInst::reorderable`].
pub(super) fn is_reorderable(values: &Values<'_>, inst: Inst) -> bool {
    let (env, body) = (values.at.env, values.at.body);
    let data = body.inst(inst);
    match &data.kind {
        InstKind::Load(how) | InstKind::Store(how) => !how.volatile && how.ordering.is_none(),
        InstKind::Call(_) if declares(env, body, inst) => true,
        InstKind::Call(_) if reaches_of_transfer(values, inst).is_some() => true,
        InstKind::Call(_) => data.call().is_some_and(|call| {
            let returns = call_ends(env, body, call).1;
            called_intrinsic(env, body, call).is_some() && returns && !may_access_memory(env, body, inst)
        }),
        kind => kind.is_pure(),
    }
}

/// The hints of a branch or switch, for its successors in the order of the code.
pub(super) fn hints_of(data: &InstData) -> Hints {
    let of = |kind| data.metadata_of(&kind).copied();
    Hints::new(of(MdKind::Prof), of(MdKind::Unpredictable))
}

/// Whether an instruction must be executed even if its result is never read.
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
