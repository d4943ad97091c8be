//! One function as segments between cuts: the cuts, and the state at each of them.
//!
//! A *cut* is the entry, the header of a cycle, or an additional block at which a proof stops. The headers are the
//! blocks at which [`Schedule`] cuts cycles, so every cycle has one. The state at a cut consists of *leaves*: values
//! that dominate the cut, that later code may use, and that cannot be recomputed, namely phis, loads, call results and
//! freezes. All other values are computed from leaves and arguments, so they need no invariant. An instruction that
//! dominates a cut was last executed with the operands that are visible at the cut: a path that executes one of its
//! operands again must pass through the instruction before it reaches the cut.
//!
//! For the same reason, if an outgoing edge of a branch dominates a cut, the condition of that edge holds at the cut.

use crate::encode::function::{Encoded, Encoder, live_in};
use crate::encode::observed::Values;
use crate::encode::progress::must_progress;
use crate::encode::segment::Crossing;
use crate::encode::unroll::Schedule;
use crate::encode::value::{Scalar, Sym};
use crate::encode::world::{POINTER_BITS, Side, World};
use crate::proof::lang::step::CutIndex;
use crate::refinement::FunctionRef;
use crate::term::Term;
use backedge_ir::body::Body;
use backedge_ir::cfg::Cfg;
use backedge_ir::dominators::Dominators;
use backedge_ir::entity::{Block, EntitySet, Inst};
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::intrinsic::Intrinsic;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A condition that holds at a cut because an edge of its branch dominates the cut.
#[derive(Clone, Debug)]
struct Truth {
    condition: Value,
    /// The value of the condition on that edge of a branch or switch.
    is: u128,
}

/// An instruction that can be evaluated early, at a cut: a load, a store, or the condition of a branch. The value of a
/// store is the memory contents at its address.
#[derive(Clone, Debug)]
pub(in crate::proof) struct Ahead {
    pub(in crate::proof) inst: Inst,
    /// The instructions that it is computed from and that are not in the state, operands before users.
    needs: Vec<Inst>,
    /// Whether it is an access whose address depends only on values of the state, not on memory.
    place: bool,
}

/// The bytes of an access: its pointer and its number of bytes.
pub(in crate::proof) type Stretch = (Term, u64);

/// A cut.
#[derive(Clone, Debug)]
pub(in crate::proof) struct Cut {
    pub(in crate::proof) block: Block,
    /// Whether the block is the header of a cycle.
    pub(in crate::proof) header: bool,
    /// The values that form the state, definitions before uses.
    pub(in crate::proof) leaves: Vec<Inst>,
    /// The values that are computed from the leaves, operands before users.
    pub(in crate::proof) computed: Vec<Inst>,
    /// The values that later code uses directly, including the phis of the block.
    pub(in crate::proof) live: EntitySet<Inst>,
    truths: Vec<Truth>,
    /// The instructions that facts may evaluate early at this cut.
    pub(in crate::proof) ahead: Vec<Ahead>,
    /// The blocks up to the next cuts, ordered such that all edges between them lead forward.
    pub(in crate::proof) order: Vec<Block>,
}

/// A function with its cuts. The first cut is the entry.
pub(in crate::proof) struct Program<'m> {
    pub(in crate::proof) function: FunctionRef<'m>,
    pub(in crate::proof) side: Side,
    pub(in crate::proof) body: &'m Body,
    pub(in crate::proof) cuts: Vec<Cut>,
    /// The blocks of all cuts.
    pub(in crate::proof) headers: EntitySet<Block>,
    /// Cuts whose cycles must make progress: a run that stays in them forever without an event is UB.
    pub(in crate::proof) must_progress: EntitySet<Block>,
    /// Whether calls may free memory.
    pub(in crate::proof) may_free: bool,
}

/// Maximum number of cuts of a function.
pub(in crate::proof) const MANY_CUTS: usize = 24;

impl<'m> Program<'m> {
    /// Cuts `function` at its entry, at the headers of its cycles and at the blocks `also`. `world` and `args` are
    /// scratch: they serve only to find out how instructions are encoded.
    pub(in crate::proof) fn new(
        world: &mut World,
        args: &[Sym],
        side: Side,
        function: FunctionRef<'m>,
        also: &[Block],
    ) -> Encoded<Self> {
        let mut encoder = Encoder::bare(world, side, (function.module, function.func), args.to_vec())?;
        let body = encoder.body;
        if body.all_insts().any(|i| matches!(body.inst(i).kind, InstKind::Alloca(_))) {
            return Err(encoder.unsupported("an alloca in a proof for all iterations"));
        }
        let cfg = Cfg::new(body);
        let dominators = Dominators::new(body, &cfg);
        let schedule = Schedule::new(body, 0, usize::MAX)
            .ok_or_else(|| encoder.unsupported("too deeply nested cycles"))?;
        let leaves = leaves(&mut encoder, &cfg)?;
        let mut blocks = vec![cfg.rpo()[0]];
        blocks.extend(cfg.rpo()[1..].iter().copied().filter(|b| schedule.is_header(*b)));
        blocks.extend(cfg.rpo()[1..].iter().copied().filter(|b| !schedule.is_header(*b) && also.contains(b)));
        // The entry block has no predecessors.
        let headers: EntitySet<Block> = blocks[1..].iter().copied().collect();
        if blocks.len() > MANY_CUTS {
            return Err(encoder.unsupported("too many cycles for a proof for all iterations"));
        }
        let live = live_in(body);
        let places = Places::new(body, &cfg);
        let cuts = blocks
            .iter()
            .map(|&block| {
                let mut live: EntitySet<Inst> = live[block].iter().collect();
                live.extend(body.phis(block));
                let truths = truths(body, &cfg, &dominators, block);
                let wanted = live.iter().chain(truths.iter().filter_map(|t| match t.condition {
                    Value::Inst(inst) => Some(inst),
                    Value::Arg(_) | Value::Const(_) => None,
                }));
                let (own, computed) = closure(body, &leaves, wanted.collect(), block);
                let order = order(&cfg, block, &headers);
                let ahead = ahead(body, &leaves, &own, &computed, &order, cfg.rpo());
                Cut {
                    block,
                    header: schedule.is_header(block),
                    leaves: places.sorted(own),
                    computed: places.sorted(computed),
                    live,
                    truths,
                    ahead: if block == blocks[0] { Vec::new() } else { ahead },
                    order,
                }
            })
            .collect();
        let must_progress = must_progress(function, body, &schedule, &dominators);
        let may_free = encoder.may_free();
        Ok(Self { function, side, body, cuts, headers, must_progress, may_free })
    }

    /// The cut at `block`.
    pub(in crate::proof) fn cut_at(&self, block: Block) -> Option<CutIndex> {
        self.cuts.iter().position(|c| c.block == block)
    }
    /// The label of a cut.
    pub(in crate::proof) fn label(&self, cut: CutIndex) -> String {
        self.body.slots().block_label(self.body, self.cuts[cut].block)
    }

    /// An encoder at `cut` in `state`, the start of the segment there, whose path is true, and the condition that holds
    /// in each reachable state at the cut.
    pub(in crate::proof) fn at<'w>(
        &self,
        world: &'w mut World,
        args: &[Sym],
        cut: CutIndex,
        state: State,
    ) -> Encoded<(Encoder<'w, 'm>, Crossing, Term)> {
        let function = (self.function.module, self.function.func);
        let mut encoder = Encoder::bare(world, self.side, function, args.to_vec())?;
        // Attributes of parameters describe the entry, where nothing has been freed.
        encoder.check_arguments()?;
        encoder.memory.shared = encoder.write_constant_globals(state.memory)?;
        encoder.memory.trace = state.trace;
        encoder.memory.firm = state.trace;
        encoder.memory.frees = state.frees;
        let place = &self.cuts[cut];
        let entered = encoder.path;
        if cut == 0 {
            let yes = encoder.w.terms.bool(true);
            let start = encoder.crossing(place.block, entered);
            return Ok((encoder, start, yes));
        }
        encoder.values = state.leaves;
        for &inst in &place.computed {
            encoder.recompute(inst)?;
        }
        for truth in &place.truths {
            let condition = encoder.scalar(truth.condition)?;
            let terms = &mut encoder.w.terms;
            let value = terms.number(terms.width(condition.bits), truth.is);
            let (same, poison) = (terms.eq(condition.bits, value), terms.not(condition.poison));
            encoder.path = terms.and_all([encoder.path, same, poison]);
        }
        let given = encoder.path;
        encoder.ends = crate::encode::function::Ends::default();
        let yes = encoder.w.terms.bool(true);
        let start = encoder.crossing(place.block, yes);
        Ok((encoder, start, given))
    }

    /// The values that the instructions in `wanted` would have if they were executed at `cut` in this state.
    pub(in crate::proof) fn ahead(
        &self,
        world: &mut World,
        at: AtCut<'_>,
        wanted: &dyn Fn(Inst) -> bool,
    ) -> Encoded<FxHashMap<Inst, Sym>> {
        let mut found = FxHashMap::default();
        for ahead in self.cuts[at.cut].ahead.iter().filter(|a| wanted(a.inst)) {
            let mut encoder = self.out_of_turn(world, at, ahead)?;
            let data = self.body.inst(ahead.inst);
            if let InstKind::Store(_) = data.kind {
                let pointer = encoder.scalar(data.operands[1])?.bits;
                let value = encoder.load(self.body.ty(data.operands[0]), pointer)?;
                found.insert(ahead.inst, value);
            } else {
                encoder.recompute(ahead.inst)?;
                found.extend(encoder.values.get(&ahead.inst).map(|value| (ahead.inst, value.clone())));
            }
        }
        Ok(found)
    }
    /// The bytes that the accesses in `wanted` touch in this state, for accesses whose addresses do not depend on
    /// memory.
    pub(in crate::proof) fn stretches(
        &self,
        world: &mut World,
        at: AtCut<'_>,
        wanted: &dyn Fn(Inst) -> bool,
    ) -> Encoded<Vec<(Inst, Stretch)>> {
        let mut found = Vec::new();
        for ahead in self.cuts[at.cut].ahead.iter().filter(|a| a.place && wanted(a.inst)) {
            let mut encoder = self.out_of_turn(world, at, ahead)?;
            let data = self.body.inst(ahead.inst);
            let (pointer, ty) = match data.kind {
                InstKind::Store(_) => (data.operands[1], self.body.ty(data.operands[0])),
                _ => (data.operands[0], data.ty),
            };
            let size = encoder.store_size(ty)?;
            found.push((ahead.inst, (encoder.scalar(pointer)?.bits, size)));
        }
        Ok(found)
    }
    /// An encoder in this state that has computed what `ahead` needs.
    fn out_of_turn<'w>(
        &self,
        world: &'w mut World,
        at: AtCut<'_>,
        ahead: &Ahead,
    ) -> Encoded<Encoder<'w, 'm>> {
        let function = (self.function.module, self.function.func);
        let mut encoder = Encoder::bare(world, self.side, function, at.args.to_vec())?;
        encoder.check_arguments()?;
        encoder.memory = at.crossing.memory.clone();
        encoder.values = (*at.crossing.values).clone();
        for &inst in &ahead.needs {
            encoder.recompute(inst)?;
        }
        Ok(encoder)
    }

    /// The value of a leaf as fresh variables. Facts about the leaf are added separately.
    pub(in crate::proof) fn free_leaf(&self, world: &mut World, inst: Inst) -> Encoded<Sym> {
        let function = (self.function.module, self.function.func);
        let name = self.name(inst);
        let mut encoder = Encoder::bare(world, self.side, function, Vec::new())?;
        encoder.build(self.body.inst(inst).ty, &mut |e, ty| {
            let width = e.width(ty)?;
            let bits = if width == POINTER_BITS && ty.is_ptr() {
                free_pointer(e.w, &name)
            } else {
                e.w.fresh(&name, width)
            };
            let poison = e.w.fresh_bool(&name);
            let undef = free_undef(e.w, &name, width);
            Ok(Scalar { bits, poison, undef })
        })
    }
    /// The spelling of an instruction's result.
    pub(in crate::proof) fn name(&self, inst: Inst) -> String {
        let slots = self.body.slots();
        let number = || slots.insts[inst].map_or_else(|| format!("{inst:?}"), |n| n.to_string());
        self.body.value_name(inst.into()).map_or_else(number, ToOwned::to_owned)
    }
}

/// The state at the start of a segment.
pub(in crate::proof) struct State {
    pub(in crate::proof) leaves: Values,
    pub(in crate::proof) memory: Term,
    pub(in crate::proof) trace: Term,
    /// The calls up to and including the last one that might have freed memory.
    pub(in crate::proof) frees: Term,
}

/// The state of a function at one of its cuts, and its arguments.
#[derive(Clone, Copy)]
pub(in crate::proof) struct AtCut<'a> {
    pub(in crate::proof) args: &'a [Sym],
    pub(in crate::proof) cut: CutIndex,
    pub(in crate::proof) crossing: &'a Crossing,
}

/// A pointer with an unconstrained block and offset, as two variables.
fn free_pointer(world: &mut World, name: &str) -> Term {
    use crate::encode::world::{BLOCK_BITS, OFFSET_BITS};
    let block = world.fresh(&format!("block of {name}"), BLOCK_BITS);
    let offset = world.fresh(&format!("offset of {name}"), OFFSET_BITS);
    world.terms.concat(block, offset)
}
/// A mask of undef bits; zero if the encoding has no undef bits.
fn free_undef(world: &mut World, name: &str, width: u32) -> Term {
    if world.layout.undef {
        world.fresh(&format!("undef of {name}"), width)
    } else {
        world.terms.number(width, 0)
    }
}

impl Encoder<'_, '_> {
    fn crossing(&mut self, block: Block, path: Term) -> Crossing {
        Crossing { block, path, values: Rc::new(self.values.clone()), memory: self.memory.clone() }
    }
}

/// The instructions whose results cannot be recomputed, found by encoding each instruction. If objects may be freed,
/// instructions whose results depend on that are leaves too.
fn leaves(encoder: &mut Encoder<'_, '_>, cfg: &Cfg) -> Encoded<EntitySet<Inst>> {
    let body = encoder.body;
    let may_free = encoder.may_free();
    let mut leaves = EntitySet::new();
    for &block in cfg.rpo() {
        for &inst in body.insts(block) {
            let data = body.inst(inst);
            if data.kind.is_terminator() || data.ty == backedge_ir::types::Type::VOID {
                continue;
            }
            encoder.inst = Some(inst);
            // A masked load or gather reads the memory at its own position.
            let reads =
                matches!(encoder.intrinsic_of(inst), Some(Intrinsic::MaskedLoad | Intrinsic::MaskedGather));
            let sure = reads || matches!(data.kind, InstKind::Phi(_) | InstKind::Load(_) | InstKind::Freeze);
            if !sure {
                let known = |w: &World| (w.choices[0].len(), w.choices[1].len(), w.events.len());
                let before = (known(encoder.w), encoder.memory.clone());
                encoder.path = encoder.w.terms.bool(true);
                encoder.depends_on_frees = false;
                let value = encoder.instruction(inst)?;
                if before == (known(encoder.w), encoder.memory.clone())
                    && !(may_free && encoder.depends_on_frees)
                    && let Some(value) = value
                {
                    encoder.values.insert(inst, value);
                    continue;
                }
            }
            leaves.insert(inst);
            let value = encoder.free_value(data.ty, "leaf")?;
            encoder.values.insert(inst, value);
        }
    }
    Ok(leaves)
}

/// The leaves that `wanted` is computed from, and the values computed on the way. An instruction in the block of the
/// cut is a phi and thus a leaf.
fn closure(
    body: &Body,
    leaves: &EntitySet<Inst>,
    mut wanted: Vec<Inst>,
    cut: Block,
) -> (EntitySet<Inst>, EntitySet<Inst>) {
    let (mut found, mut computed) = (EntitySet::new(), EntitySet::new());
    while let Some(inst) = wanted.pop() {
        if leaves.contains(inst) || body.block_of(inst) == Some(cut) {
            found.insert(inst);
        } else if computed.insert(inst) {
            wanted.extend(body.inst(inst).operands.iter().filter_map(|v| match v {
                Value::Inst(inst) => Some(*inst),
                Value::Arg(_) | Value::Const(_) => None,
            }));
        }
    }
    (found, computed)
}

/// Maximum number of instructions that are evaluated early at a cut.
const MANY_AHEAD: usize = 16;

/// The instructions that may be evaluated early at a cut with the leaves `own` and the values `computed` from them:
/// loads of the state, accesses and branch conditions in the segment that starts there, then other accesses.
fn ahead(
    body: &Body,
    leaves: &EntitySet<Inst>,
    own: &EntitySet<Inst>,
    computed: &EntitySet<Inst>,
    order: &[Block],
    all: &[Block],
) -> Vec<Ahead> {
    let known = |inst: Inst| own.contains(inst) || computed.contains(inst);
    let in_blocks = |blocks: &[Block]| -> Vec<Inst> {
        blocks.iter().flat_map(|b| body.insts(*b).iter().copied()).filter(|i| is_access(body, *i)).collect()
    };
    let conditions = order.iter().filter_map(|block| {
        let data = body.inst(body.terminator(*block)?);
        match (&data.kind, data.operands.first()) {
            (InstKind::CondBr | InstKind::Switch, Some(Value::Inst(inst))) => Some(*inst),
            _ => None,
        }
    });
    let loads = own.iter().filter(|i| is_access(body, *i));
    let all = loads.chain(in_blocks(order)).chain(conditions).chain(in_blocks(all));
    let mut found: Vec<Ahead> = Vec::new();
    for inst in all {
        if found.len() >= MANY_AHEAD {
            break;
        }
        let access = is_access(body, inst);
        // Skip a condition that is known already, or a leaf, which cannot be computed.
        let nothing = !access && (known(inst) || leaves.contains(inst));
        if nothing || found.iter().any(|a| a.inst == inst) {
            continue;
        }
        let Some(needs) = needs(body, leaves, &known, inst) else { continue };
        let place = access && !needs.iter().any(|i| is_access(body, *i));
        found.push(Ahead { inst, needs, place });
    }
    found
}
/// Whether an instruction is a plain load or store.
fn is_access(body: &Body, inst: Inst) -> bool {
    match &body.inst(inst).kind {
        InstKind::Load(access) | InstKind::Store(access) => !access.volatile && access.ordering.is_none(),
        _ => false,
    }
}
/// The instructions that `inst` is computed from beyond `known` ones, operands before users: loads and non-leaves. For
/// a store, only its address counts. `None` if the computation needs another leaf or is too deep.
fn needs(
    body: &Body,
    leaves: &EntitySet<Inst>,
    known: &dyn Fn(Inst) -> bool,
    inst: Inst,
) -> Option<Vec<Inst>> {
    const DEEP: usize = 64;
    let mut needs = Vec::new();
    let mut stack = vec![(inst, false)];
    while let Some((at, done)) = stack.pop() {
        if done {
            if at != inst && !needs.contains(&at) {
                needs.push(at);
            }
            continue;
        }
        stack.push((at, true));
        let data = body.inst(at);
        let operands =
            if let InstKind::Store(_) = data.kind { &data.operands[1..] } else { &data.operands[..] };
        for operand in operands {
            let Value::Inst(operand) = *operand else { continue };
            if known(operand) || needs.contains(&operand) {
                continue;
            }
            if leaves.contains(operand) && !is_access(body, operand) || stack.len() >= DEEP {
                return None;
            }
            stack.push((operand, false));
        }
    }
    Some(needs)
}

/// Positions of instructions in reverse post-order, where definitions precede the uses that they dominate.
struct Places {
    at: FxHashMap<Inst, usize>,
}

impl Places {
    fn new(body: &Body, cfg: &Cfg) -> Self {
        let all = cfg.rpo().iter().flat_map(|b| body.insts(*b).iter().copied());
        Self { at: all.enumerate().map(|(i, inst)| (inst, i)).collect() }
    }
    fn sorted(&self, set: EntitySet<Inst>) -> Vec<Inst> {
        let mut list: Vec<Inst> = set.iter().collect();
        list.sort_unstable_by_key(|inst| self.at.get(inst));
        list
    }
}

/// The conditions of the edges that dominate `block`.
fn truths(body: &Body, cfg: &Cfg, dominators: &Dominators, block: Block) -> Vec<Truth> {
    let mut found = Vec::new();
    let mut below = block;
    while let Some(above) = dominators.idom(below) {
        // An edge dominates the blocks that its destination dominates if it is the only incoming edge of the
        // destination apart from backedges.
        for &to in cfg.succs(above) {
            let only_way = |pred: &Block| *pred == above || dominators.dominates(to, *pred);
            if !cfg.preds(to).iter().all(only_way) || !dominators.dominates(to, block) {
                continue;
            }
            let Some(terminator) = body.terminator(above) else { continue };
            let data = body.inst(terminator);
            let cases: Vec<usize> = (0..data.blocks.len()).filter(|i| data.blocks[*i] == to).collect();
            let [case] = cases[..] else { continue };
            let is = match data.kind {
                InstKind::CondBr => u128::from(case == 0),
                InstKind::Switch if case > 0 => match data.operands.get(case).and_then(|v| body.as_int(*v)) {
                    Some(int) => int.bits(),
                    None => continue,
                },
                _ => continue,
            };
            found.push(Truth { condition: data.operands[0], is });
        }
        below = above;
    }
    found
}

/// The blocks reachable from `start` without passing a cut, in reverse post-order.
fn order(cfg: &Cfg, start: Block, cuts: &EntitySet<Block>) -> Vec<Block> {
    let mut done: EntitySet<Block> = EntitySet::new();
    done.insert(start);
    let (mut order, mut stack) = (Vec::new(), vec![(start, 0)]);
    while let Some((block, at)) = stack.last_mut() {
        match cfg.succs(*block).get(*at) {
            Some(&to) => {
                *at += 1;
                if !cuts.contains(to) && done.insert(to) {
                    stack.push((to, 0));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}
