//! Under which conditions an instruction runs, and which addresses it accesses, in words that hold in both functions of a
//! pair.
//!
//! Metadata that makes a run undefined where it does not hold counts only where its instruction runs. A target may say it of an
//! access that runs whenever accesses run of which the source says it ([`Guards::covers`]). What decides whether an
//! instruction runs is a branch, or a call that need not return, that stands before it on all ways.
//!
//! Conditions are compared by hashes of what they compute. A condition on which a loop is left is also known by what it is
//! in the first iteration: rotation puts that before the loop. Phis are told apart by their operands and by what leads to
//! these, in rounds: what a phi is in one round is part of what others are in the next. The rounds end when none tells more
//! phis of the pair apart, as in partition refinement (Hopcroft, "An n log n algorithm for minimizing states in a finite
//! automaton", 1971, in its simple form). Instructions that look alike and may have different results (calls, loads where
//! something is written) are told apart by when they run and by their place among those that run then. They are others
//! where there are more or fewer. Freezes that look alike are no one's equal: they have no order.

use super::nodes::Of;
use super::places::latches;
use super::pointers::steps;
use crate::refinement::FunctionRef;
use backedge_ir::attr::{FlagAttr, ModRef};
use backedge_ir::body::Body;
use backedge_ir::cfg::Cfg;
use backedge_ir::dominators::Dominators;
use backedge_ir::entity::{Block, EntityId as _, Inst};
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::module::Env;
use backedge_ir::opcode::BinaryOp;
use backedge_ir::print::{body_constant_to_string, type_to_string};
use backedge_ir::types::Type;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::collections::BTreeMap;
use std::hash::{Hash as _, Hasher as _};

/// Something that holds where an instruction runs.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Guard {
    /// A branch on a condition of this hash went one way.
    Way(u64, bool),
    /// A terminator of this hash went to the successor of that number.
    Successor(u64, usize),
    /// Control came past a branch of this hash, on some of its ways.
    Passed(u64),
    /// A call of this hash returned.
    Returned(u64),
}

/// Rounds in which phis are told apart, at most. Phis that more rounds might tell apart are equal to nothing in the other
/// function.
const MANY_ROUNDS: usize = 64;
/// Blocks between a branch and the block where its ways join that are looked at.
const MANY_BETWEEN: usize = 64;

/// What holds where an instruction runs, each in all the spellings it has.
type Conditions = Vec<Vec<Guard>>;

/// Cases that are told apart for one instruction, at most.
const MANY_CASES: usize = 8;
/// Instructions that are looked at for one that runs.
const MANY_ALIKE: usize = 64;

/// What holds in a block beside what holds in its immediate dominator.
struct Own {
    conditions: Conditions,
    /// A hash of these and of those of all dominators.
    chain: u64,
}

/// What has a place among instructions that look alike.
#[derive(Copy, Clone, Hash)]
struct Among {
    /// A hash of when these run.
    chain: Option<u64>,
    place: usize,
    count: usize,
}

/// Whether what comes after a loop runs as what comes before it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Loops {
    /// They are taken to end.
    End,
    /// They may go on for ever.
    MayStay,
}

/// The conditions of a function's instructions.
pub(super) struct Guards<'m> {
    env: &'m Env,
    body: &'m Body,
    cfg: Cfg,
    dominators: Dominators,
    /// Hashes of values, as they are and as they are in first iterations.
    hashes: [FxHashMap<Inst, u64>; 2],
    /// Hashes of phis by their operands, of the round before.
    phis: FxHashMap<Inst, u64>,
    /// The place of an instruction among those that look alike and may have another result.
    places: FxHashMap<Inst, Among>,
    /// A hash of the write before an instruction that may have another result after it.
    writes: FxHashMap<Inst, u64>,
    /// What is equal to nothing in the other function.
    unlike: FxHashSet<Inst>,
    /// Which function of a pair it is.
    of: Of,
    of_blocks: FxHashMap<Block, Own>,
    loops: Loops,
}

impl<'m> Guards<'m> {
    /// The conditions of both functions of a pair, the source's first; nothing if one of them has no body.
    pub(super) fn of_pair(sides: [FunctionRef<'m>; 2], loops: Loops) -> Option<[Self; 2]> {
        let [source, target] = sides;
        let mut pair = [Self::new(source, Of::Source, loops)?, Self::new(target, Of::Target, loops)?];
        let mut is_refined = Self::refine(&mut pair);
        let is_marked = pair.each_mut().map(Self::mark_unlike_phis);
        if is_marked.contains(&true) {
            is_refined &= Self::refine(&mut pair);
        }
        if !is_refined {
            for guards in &mut pair {
                let phis = guards.phis.keys().copied();
                guards.unlike.extend(phis);
                guards.forget();
            }
        }
        Some(pair)
    }
    /// The conditions of one function, whose phis have not been told apart.
    fn new(side: FunctionRef<'m>, of: Of, loops: Loops) -> Option<Self> {
        let body = side.module.body(side.func)?;
        let cfg = Cfg::new(body);
        let dominators = Dominators::new(body, &cfg);
        let (hashes, phis, places, writes, unlike, of_blocks) = Default::default();
        let env = &side.module.env;
        let mut guards =
            Self { env, body, cfg, dominators, hashes, phis, places, writes, unlike, of, of_blocks, loops };
        guards.tell_apart();
        Some(guards)
    }
    /// Tells the phis of a pair apart in rounds until no round tells more of them apart; `false` if these are too many.
    fn refine(pair: &mut [Self; 2]) -> bool {
        let mut classes = 0;
        for _ in 0..MANY_ROUNDS {
            for guards in pair.iter_mut() {
                guards.refine_phis();
            }
            let hashes: FxHashSet<u64> =
                pair.iter().flat_map(|guards| guards.phis.values().copied()).collect();
            if hashes.len() == classes {
                return true;
            }
            classes = hashes.len();
        }
        false
    }
    /// Computes the hashes of phis anew, from those of the round before.
    fn refine_phis(&mut self) {
        let body = self.body;
        let phis: Vec<Inst> = body.all_insts().filter(|inst| body.inst(*inst).kind.is_phi()).collect();
        let refined: Vec<(Inst, u64)> = phis.iter().map(|phi| (*phi, self.refined(*phi))).collect();
        self.phis = refined.into_iter().collect();
        self.forget();
    }
    /// Forgets what follows from the hashes of phis.
    fn forget(&mut self) {
        self.hashes = Default::default();
        self.of_blocks.clear();
    }
    /// Finds the phis that have different values for ways that look alike; `false` if there are none.
    fn mark_unlike_phis(&mut self) -> bool {
        let phis: Vec<Inst> = self.phis.keys().copied().collect();
        let has_alike = |guards: &mut Self, phi: &Inst| {
            let incoming = guards.incoming(*phi);
            incoming.windows(2).any(|two| two[0].0 == two[1].0 && two[0].1 != two[1].1)
        };
        let found: Vec<Inst> = phis.into_iter().filter(|phi| has_alike(self, phi)).collect();
        self.unlike.extend(&found);
        self.forget();
        !found.is_empty()
    }
    /// A hash of a phi by what it was in the round before, and by its operands.
    fn refined(&mut self, phi: Inst) -> u64 {
        let mut hasher = FxHasher::default();
        (self.phis.get(&phi).copied(), self.incoming(phi)).hash(&mut hasher);
        hasher.finish()
    }
    /// Hashes of what holds where control comes from to a phi, each with one of the operand, in order.
    fn incoming(&mut self, phi: Inst) -> Vec<(u64, u64)> {
        let data = self.body.inst(phi);
        let Some(block) = self.body.block_of(phi) else { return Vec::new() };
        let mut incoming: Vec<(u64, u64)> = Vec::new();
        for (value, pred) in data.incoming() {
            let mut hasher = FxHasher::default();
            if let Some(end) = self.body.terminator(pred).filter(|_| self.dominators.is_reachable(pred)) {
                self.chain(end).hash(&mut hasher);
                self.hash_of(end, false).hash(&mut hasher);
                let succs = self.cfg.succs(pred).iter().enumerate().filter(|(_, succ)| **succ == block);
                succs.map(|(at, _)| at).collect::<Vec<_>>().hash(&mut hasher);
            }
            self.dominators.dominates(block, pred).hash(&mut hasher);
            incoming.push((hasher.finish(), self.value(value, false)));
        }
        incoming.sort_unstable();
        incoming
    }
    /// Finds the instructions that look alike and may have different results.
    fn tell_apart(&mut self) {
        let body = self.body;
        let writes = |inst: Inst| match &body.inst(inst).kind {
            InstKind::Store(_) | InstKind::AtomicRmw(..) | InstKind::CmpXchg(_) | InstKind::Fence(..) => true,
            _ => effects_of_call(self.env, body, inst).writes,
        };
        let is_written = body.all_insts().any(writes);
        // Each with the write before it, in its block or in the nearest one that dominates it.
        let mut open: Vec<(Inst, Option<Inst>)> = Vec::new();
        let mut last: FxHashMap<Block, Option<Inst>> = FxHashMap::default();
        for block in self.cfg.rpo() {
            let above = self.dominators.idom(*block).and_then(|above| last.get(&above).copied());
            let mut write = above.flatten();
            for &inst in body.insts(*block) {
                if has_choice(self.env, body, inst, is_written) {
                    open.push((inst, write));
                }
                write = if writes(inst) { Some(inst) } else { write };
            }
            last.insert(*block, write);
        }
        let mut alike: FxHashMap<(u64, Option<u64>), Vec<Inst>> = FxHashMap::default();
        for (inst, write) in open {
            let write = write.map(|write| self.hash_of(write, false));
            let hash = self.hash_of(inst, false);
            alike.entry((hash, write)).or_default().push(inst);
        }
        let mut places = Vec::new();
        for group in alike.values().filter(|group| group.len() > 1) {
            let freezes = group.iter().filter(|inst| matches!(body.inst(**inst).kind, InstKind::Freeze));
            self.unlike.extend(freezes);
            let chains: Vec<Option<u64>> = group.iter().map(|inst| self.chain(*inst)).collect();
            for (at, (inst, chain)) in group.iter().zip(&chains).enumerate() {
                let with_it = |range: &[Option<u64>]| range.iter().filter(|other| *other == chain).count();
                let (place, count) = (with_it(&chains[..at]), with_it(&chains));
                places.push((*inst, Among { chain: *chain, place, count }));
            }
        }
        self.places = places.into_iter().collect();
        let written = alike.iter().filter_map(|((_, write), group)| Some(((*write)?, group)));
        self.writes = written.flat_map(|(write, group)| group.iter().map(move |i| (*i, write))).collect();
        self.forget();
    }
    /// Whether one of `others`, which are instructions of `of`, runs in every run in which `inst` does.
    pub(super) fn covers(&mut self, inst: Inst, of: &mut Self, others: &[Inst]) -> bool {
        let here: FxHashSet<Guard> = self.conditions(inst).into_iter().flatten().collect();
        let mut cases = Vec::new();
        for other in others.iter().take(MANY_ALIKE) {
            let open: Conditions = of
                .conditions(*other)
                .into_iter()
                .filter(|spellings| !spellings.iter().any(|guard| here.contains(guard)))
                .collect();
            if open.is_empty() {
                return true;
            }
            cases.push(open);
        }
        cases.sort();
        cases.dedup();
        cases.len() <= MANY_CASES && are_all(&cases)
    }
    /// A hash of what holds where `inst` runs: what has one hash in two functions runs in the same runs.
    pub(super) fn chain(&mut self, inst: Inst) -> Option<u64> {
        let block = self.body.block_of(inst).filter(|b| self.dominators.is_reachable(*b))?;
        self.prepare(block);
        let mut hasher = FxHasher::default();
        self.of_blocks[&block].chain.hash(&mut hasher);
        self.returned(block, Some(inst)).hash(&mut hasher);
        Some(hasher.finish())
    }
    /// A hash of the branches that decide whether `inst` runs.
    pub(super) fn branches(&mut self, inst: Inst) -> u64 {
        let mut conditions = self.conditions(inst);
        conditions.retain(|spellings| !spellings.iter().any(|guard| matches!(guard, Guard::Returned(_))));
        let mut hasher = FxHasher::default();
        conditions.hash(&mut hasher);
        hasher.finish()
    }
    /// A hash of the address that `pointer` is: what has one hash in two functions is one address in the same runs.
    pub(super) fn address(&mut self, pointer: Value) -> u64 {
        let mut hasher = FxHasher::default();
        self.address_in_parts(pointer).hash(&mut hasher);
        hasher.finish()
    }
    /// The same as the hash of an address and a constant offset in bytes from there.
    pub(super) fn address_in_parts(&mut self, pointer: Value) -> (u64, i64) {
        let mut at = pointer;
        let mut offset = 0i64;
        let mut terms: BTreeMap<u64, i64> = BTreeMap::new();
        // Where nothing leads to it, code may use what it computes itself.
        let mut seen: FxHashSet<Inst> = FxHashSet::default();
        while let Value::Inst(inst) = at {
            let data = self.body.inst(inst);
            let InstKind::Gep { source, .. } = &data.kind else { break };
            let scalar =
                data.ty.is_ptr().then(|| steps(self.env, self.body, *source, &data.operands)).flatten();
            let Some((by, indices)) = scalar.filter(|_| seen.insert(inst)) else { break };
            offset = offset.wrapping_add(by);
            for (index, bytes) in indices {
                let (index, more) = self.without_constant(index);
                offset = offset.wrapping_add(bytes.wrapping_mul(more));
                let count = terms.entry(self.value(index, false)).or_default();
                *count = count.wrapping_add(bytes);
            }
            at = data.operands[0];
        }
        terms.retain(|_, bytes| *bytes != 0);
        let mut hasher = FxHasher::default();
        (self.value(at, false), terms).hash(&mut hasher);
        (hasher.finish(), offset)
    }
    /// Whether there is a cycle.
    pub(super) fn has_cycles(&self) -> bool {
        // In reverse post-order each cycle has an edge that leads back.
        let mut seen: FxHashSet<Block> = FxHashSet::default();
        self.cfg.rpo().iter().any(|block| {
            seen.insert(*block);
            self.cfg.succs(*block).iter().any(|to| seen.contains(to))
        })
    }
    /// An index without the constant that is added to it last, and that constant.
    fn without_constant(&self, index: Value) -> (Value, i64) {
        let sum = || {
            let data = self.body.inst(index.as_inst()?);
            let is_sum = matches!(data.kind, InstKind::Binary(BinaryOp::Add, _))
                && self.body.ty(index) == Type::int(64);
            let by = self.body.as_int(*data.operands.get(1).filter(|_| is_sum)?)?;
            Some((data.operands[0], i64::try_from(by.signed()).ok()?))
        };
        sum().unwrap_or((index, 0))
    }
    /// What holds where `inst` runs.
    fn conditions(&mut self, inst: Inst) -> Conditions {
        let Some(block) = self.body.block_of(inst).filter(|b| self.dominators.is_reachable(*b)) else {
            return Vec::new();
        };
        self.prepare(block);
        let mut found = self.returned(block, Some(inst));
        let mut at = Some(block);
        while let Some(block) = at {
            found.extend(self.of_blocks[&block].conditions.iter().cloned());
            at = self.dominators.idom(block);
        }
        found
    }
    /// Finds out what holds in `block` and its dominators.
    fn prepare(&mut self, block: Block) {
        let mut way = Vec::new();
        let mut at = Some(block);
        while let Some(block) = at.filter(|b| !self.of_blocks.contains_key(b)) {
            way.push(block);
            at = self.dominators.idom(block);
        }
        for block in way.into_iter().rev() {
            let mut hasher = FxHasher::default();
            let mut conditions = Vec::new();
            if let Some(above) = self.dominators.idom(block) {
                self.of_blocks[&above].chain.hash(&mut hasher);
                conditions = self.returned(above, None);
                conditions.extend(self.between(above, block));
            }
            conditions.hash(&mut hasher);
            self.of_blocks.insert(block, Own { conditions, chain: hasher.finish() });
        }
    }
    /// That the calls of `block` have returned, those before `end` if there is one.
    fn returned(&mut self, block: Block, end: Option<Inst>) -> Conditions {
        let before = self.body.insts(block).iter().copied().take_while(|inst| Some(*inst) != end);
        let calls: Vec<Inst> = before.filter(|inst| may_stay(self.env, self.body, *inst)).collect();
        calls.into_iter().map(|call| vec![Guard::Returned(self.hash_of(call, false))]).collect()
    }
    /// What the terminator of `above`, the immediate dominator of `block`, decides.
    fn between(&mut self, above: Block, block: Block) -> Option<Vec<Guard>> {
        let inst = self.body.terminator(above)?;
        let data = self.body.inst(inst);
        let succs: Vec<Block> = self.cfg.succs(above).to_vec();
        if succs.iter().all(|succ| self.leads_to(*succ, block)) {
            return None;
        }
        if self.loops == Loops::End && self.leaves_loop(above, &succs, block) {
            return None;
        }
        let index = succs.iter().position(|succ| *succ == block);
        let joined = [false, true].map(|first| Guard::Passed(self.joined(above, block, first)));
        // Control comes in this way first, and again from what the block dominates.
        let mut preds = self.cfg.preds(block).iter();
        let alone = preds.all(|pred| *pred == above || self.dominators.dominates(block, *pred));
        let ways = succs.iter().filter(|succ| **succ == block).count();
        let (Some(index), true, 1) = (index, alone, ways) else {
            return Some(joined.to_vec());
        };
        if !matches!(data.kind, InstKind::CondBr) {
            return Some(vec![Guard::Successor(self.hash_of(inst, false), index)]);
        }
        let condition = data.operands[0];
        let is_true = data.blocks.first() == Some(&block);
        let plain = Guard::Way(self.value(condition, false), is_true);
        // The way into the body of a loop whose header tests whether to leave it.
        let is_body = |succ: Block| self.is_body(above, succ);
        if is_body(block) && succs.iter().all(|succ| *succ == block || !is_body(*succ)) {
            Some(vec![plain, Guard::Way(self.value(condition, true), is_true)])
        } else {
            Some(vec![plain])
        }
    }
    /// A hash of the ways from `above` to `block`, which it dominates: of all branches on them.
    fn joined(&mut self, above: Block, block: Block, first: bool) -> u64 {
        let mut hasher = FxHasher::default();
        let Some(between) = self.blocks_between(above, block) else {
            (self.of, block).hash(&mut hasher);
            return hasher.finish();
        };
        let mut order = vec![above];
        let mut next = 0;
        while let Some(&at) = order.get(next) {
            next += 1;
            if at != above {
                self.returned(at, None).hash(&mut hasher);
            }
            if let Some(end) = self.body.terminator(at) {
                self.hash_of(end, first && at == above).hash(&mut hasher);
            }
            for succ in self.cfg.succs(at).to_vec() {
                let known = order.iter().position(|other| *other == succ);
                let is_on_way = between.contains(&succ);
                if known.is_none() && is_on_way {
                    order.push(succ);
                }
                let number = known.or(is_on_way.then(|| order.len() - 1));
                (number, succ == block).hash(&mut hasher);
            }
        }
        hasher.finish()
    }
    /// The blocks on ways from `above` to `block` that do not come past `block`; `None` if they are too many.
    fn blocks_between(&self, above: Block, block: Block) -> Option<FxHashSet<Block>> {
        let mut found: FxHashSet<Block> = FxHashSet::default();
        let mut work = vec![block];
        while let Some(at) = work.pop() {
            for &pred in self.cfg.preds(at) {
                let is_new = pred != above && pred != block && !self.dominators.dominates(block, pred);
                if is_new && found.insert(pred) {
                    work.push(pred);
                }
            }
            if found.len() > MANY_BETWEEN {
                return None;
            }
        }
        Some(found)
    }
    /// Whether `succ` begins the rest of the loop whose header is `header`.
    fn is_body(&self, header: Block, succ: Block) -> bool {
        latches(&self.cfg, &self.dominators, header).any(|latch| self.dominators.dominates(succ, latch))
    }
    /// Whether control that comes from `above`, a header or a latch, to `block` leaves the loop.
    fn leaves_loop(&self, above: Block, succs: &[Block], block: Block) -> bool {
        let goes_on = |succ: &Block| self.is_body(above, *succ) || self.dominators.dominates(*succ, above);
        !goes_on(&block) && succs.iter().any(goes_on)
    }
    /// Whether control at the start of `from` reaches `to` without a branch and without a call that may stay.
    fn leads_to(&self, from: Block, to: Block) -> bool {
        let is_plain = |block| !self.body.insts(block).iter().any(|i| may_stay(self.env, self.body, *i));
        from == to || self.cfg.succs(from) == [to] && is_plain(from)
    }
    /// A hash of a value; in the first iteration of the loops whose headers it has phis of, if `first`.
    pub(super) fn value(&mut self, value: Value, first: bool) -> u64 {
        let mut hasher = FxHasher::default();
        match value {
            Value::Arg(arg) => (1, arg.index()).hash(&mut hasher),
            Value::Const(c) => body_constant_to_string(self.env, self.body, c).hash(&mut hasher),
            Value::Inst(inst) => return self.hash_of(inst, first),
        }
        hasher.finish()
    }
    /// The hash of what `inst` computes; in the first iteration of the loops whose headers it has phis of, if `first`.
    fn hash_of(&mut self, inst: Inst, first: bool) -> u64 {
        let which = usize::from(first);
        let mut work = vec![(inst, false)];
        while let Some((inst, has_operands)) = work.pop() {
            let operands = self.hashed_operands(inst, first);
            if !has_operands {
                if self.hashes[which].contains_key(&inst) {
                    continue;
                }
                // What comes back to itself, in code that nothing leads to, has this for a hash there.
                self.hashes[which].insert(inst, 0);
                work.push((inst, true));
                work.extend(operands.iter().filter_map(|v| v.as_inst()).map(|operand| (operand, false)));
                continue;
            }
            let mut of_operands = self.of_plain_phi(inst, first);
            if self.unlike.contains(&inst) {
                let mut hasher = FxHasher::default();
                (self.of, inst).hash(&mut hasher);
                of_operands.push(hasher.finish());
            }
            for operand in operands {
                of_operands.push(match operand {
                    Value::Inst(operand) => self.hashes[which].get(&operand).copied().unwrap_or(0),
                    Value::Arg(_) | Value::Const(_) => self.value(operand, first),
                });
            }
            let begins = !self.hashed_operands(inst, first).is_empty();
            let hash = match of_operands[..] {
                [start] if begins && self.body.inst(inst).kind.is_phi() => start,
                _ => {
                    let mut hasher = FxHasher::default();
                    let apart = (self.places.get(&inst), self.writes.get(&inst));
                    (self.words(inst), of_operands, apart).hash(&mut hasher);
                    hasher.finish()
                }
            };
            self.hashes[which].insert(inst, hash);
        }
        self.hashes[which][&inst]
    }
    /// Hashes of what is known of the operands of a phi by themselves, in no order; none where it has a first iteration.
    fn of_plain_phi(&mut self, inst: Inst, first: bool) -> Vec<u64> {
        let data = self.body.inst(inst);
        if !data.kind.is_phi() || !self.hashed_operands(inst, first).is_empty() {
            return Vec::new();
        }
        let mut found: Vec<u64> = self.phis.get(&inst).copied().into_iter().collect();
        let operands = if self.phis.is_empty() { data.operands.to_vec() } else { Vec::new() };
        for operand in operands {
            found.push(match operand {
                Value::Arg(_) | Value::Const(_) => self.value(operand, first),
                Value::Inst(operand) => {
                    let mut hasher = FxHasher::default();
                    self.body.inst(operand).kind.mnemonic().hash(&mut hasher);
                    hasher.finish()
                }
            });
        }
        found.sort_unstable();
        found
    }
    /// What `inst` does with its operands.
    fn words(&self, inst: Inst) -> String {
        let data = self.body.inst(inst);
        let more = match &data.kind {
            InstKind::ICmp { pred, .. } => format!("{pred:?}"),
            InstKind::FCmp(pred, _) => format!("{pred:?}"),
            InstKind::Gep { source, .. } => type_to_string(&self.env.types, *source),
            InstKind::ExtractValue(indices) | InstKind::InsertValue(indices) => format!("{indices:?}"),
            InstKind::ShuffleVector(mask) => format!("{mask:?}"),
            _ => String::new(),
        };
        format!("{} {} {more}", data.kind.mnemonic(), type_to_string(&self.env.types, data.ty))
    }
    /// The operands that are followed for the hash of `inst`: of a phi none, or what it begins with.
    fn hashed_operands(&self, inst: Inst, first: bool) -> Vec<Value> {
        let data = self.body.inst(inst);
        if !data.kind.is_phi() {
            return data.operands.to_vec();
        }
        let Some(block) = self.body.block_of(inst).filter(|_| first) else { return Vec::new() };
        let from_outside = |pred: &Block| !self.dominators.dominates(block, *pred);
        let entries = data.operands.iter().zip(&data.blocks).filter(|(_, pred)| from_outside(pred));
        let entries: Vec<Value> = entries.map(|(value, _)| *value).collect();
        if entries.len() == 1 && data.operands.len() > 1 { entries } else { Vec::new() }
    }
}

/// Whether another instruction like `inst` with equal operands may have another result or effect. Loads do where something
/// is written.
fn has_choice(env: &Env, body: &Body, inst: Inst, is_written: bool) -> bool {
    let data = body.inst(inst);
    match &data.kind {
        InstKind::Load(_) => is_written,
        InstKind::Store(access) => access.volatile,
        InstKind::Call(_) => effects_of_call(env, body, inst) != ModRef::NONE,
        kind => matches!(
            kind,
            InstKind::Freeze
                | InstKind::Alloca(_)
                | InstKind::Invoke(_)
                | InstKind::CallBr(_)
                | InstKind::AtomicRmw(..)
                | InstKind::CmpXchg(_)
                | InstKind::VaArg
                | InstKind::LandingPad { .. }
        ),
    }
}

/// What an intrinsic that is called may do to memory; anything for other functions, and nothing where there is no call.
fn effects_of_call(env: &Env, body: &Body, inst: Inst) -> ModRef {
    let Some(call) = body.inst(inst).call() else { return ModRef::NONE };
    let intrinsic = body.called_function(call.callee()).and_then(|func| env.funcs[func].intrinsic);
    intrinsic.map_or(ModRef::READ_WRITE, |intrinsic| intrinsic.facts().memory.any())
}

/// Whether control need not come past `inst`: a call that may run forever, end the program or throw; or a volatile store.
fn may_stay(env: &Env, body: &Body, inst: Inst) -> bool {
    let data = body.inst(inst);
    let is_volatile = matches!(&data.kind, InstKind::Store(access) if access.volatile);
    is_volatile
        || data.call().is_some_and(|call| {
            let callee = body.called_function(call.callee()).map(|func| &env.funcs[func]);
            let has = |flag| {
                let lists = [Some(&call.info.fn_attrs), callee.map(|func| &func.attrs)];
                lists.into_iter().flatten().any(|list| env.has_attr(list, flag))
            };
            let is_intrinsic = callee.is_some_and(|func| func.intrinsic.is_some());
            !(is_intrinsic || has(FlagAttr::WillReturn) && has(FlagAttr::NoUnwind))
        })
}

/// Whether one of `cases`, each of which needs all of its conditions, holds whatever the branches do.
fn are_all(cases: &[Conditions]) -> bool {
    if cases.iter().any(Vec::is_empty) {
        return true;
    }
    let Some(Guard::Way(hash, _)) = cases.iter().flatten().flatten().find(|g| matches!(g, Guard::Way(..)))
    else {
        return false;
    };
    [true, false].iter().all(|way| {
        let (holds, fails) = (Guard::Way(*hash, *way), Guard::Way(*hash, !way));
        let left: Vec<Conditions> = cases
            .iter()
            .filter(|case| !case.iter().any(|spellings| spellings.contains(&fails)))
            .map(|case| case.iter().filter(|spellings| !spellings.contains(&holds)).cloned().collect())
            .collect();
        are_all(&left)
    })
}
