//! Under which conditions an instruction runs, in words that hold in both functions of a pair.
//!
//! Metadata that makes a run undefined where it does not hold counts only where its instruction runs. A target may say it of an
//! access that runs whenever accesses run of which the source says it ([`Guards::covers`]). What decides whether an
//! instruction runs is a branch, or a call that need not return, that stands before it on all ways.
//!
//! Conditions are compared by hashes of what they compute. A condition on which a loop is left is also known by what it is
//! in the first iteration: rotation puts that before the loop. Phis are told apart by what they begin with and by what kinds
//! of instructions lead to them; loads of one address count as one value.

use crate::refinement::FunctionRef;
use backedge_ir::attr::FlagAttr;
use backedge_ir::body::Body;
use backedge_ir::cfg::Cfg;
use backedge_ir::dominators::Dominators;
use backedge_ir::entity::{Block, EntityId as _, Inst};
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::module::Env;
use backedge_ir::print::{body_constant_to_string, type_to_string};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
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

/// The conditions of a function's instructions.
pub(super) struct Guards<'m> {
    env: &'m Env,
    body: &'m Body,
    cfg: Cfg,
    dominators: Dominators,
    /// Hashes of values, as they are and as they are in first iterations.
    hashes: [FxHashMap<Inst, u64>; 2],
    of_blocks: FxHashMap<Block, Own>,
}

impl<'m> Guards<'m> {
    pub(super) fn new(side: FunctionRef<'m>) -> Option<Self> {
        let body = side.module.body(side.func)?;
        let cfg = Cfg::new(body);
        let dominators = Dominators::new(body, &cfg);
        let (hashes, of_blocks) = Default::default();
        Some(Self { env: &side.module.env, body, cfg, dominators, hashes, of_blocks })
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
        let index = succs.iter().position(|succ| *succ == block);
        // Control comes in this way first, and again from what the block dominates.
        let mut preds = self.cfg.preds(block).iter();
        let alone = preds.all(|pred| *pred == above || self.dominators.dominates(block, *pred));
        let ways = succs.iter().filter(|succ| **succ == block).count();
        let (Some(index), true, 1) = (index, alone, ways) else {
            return Some(vec![
                Guard::Passed(self.hash_of(inst, false)),
                Guard::Passed(self.hash_of(inst, true)),
            ]);
        };
        if !matches!(data.kind, InstKind::CondBr) {
            return Some(vec![Guard::Successor(self.hash_of(inst, false), index)]);
        }
        let condition = data.operands[0];
        let is_true = data.blocks.first() == Some(&block);
        let plain = Guard::Way(self.hash(condition, false), is_true);
        // The way into the body of a loop whose header tests whether to leave it.
        let latches: Vec<Block> =
            self.cfg.preds(above).iter().copied().filter(|b| self.dominators.dominates(above, *b)).collect();
        let is_body = |succ: Block| latches.iter().any(|latch| self.dominators.dominates(succ, *latch));
        if is_body(block) && succs.iter().all(|succ| *succ == block || !is_body(*succ)) {
            Some(vec![plain, Guard::Way(self.hash(condition, true), is_true)])
        } else {
            Some(vec![plain])
        }
    }
    /// Whether control at the start of `from` reaches `to` without a branch and without a call that may stay.
    fn leads_to(&self, from: Block, to: Block) -> bool {
        let is_plain = |block| !self.body.insts(block).iter().any(|i| may_stay(self.env, self.body, *i));
        from == to || self.cfg.succs(from) == [to] && is_plain(from)
    }
    fn hash(&mut self, value: Value, first: bool) -> u64 {
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
            for operand in operands {
                of_operands.push(match operand {
                    Value::Inst(operand) => self.hashes[which].get(&operand).copied().unwrap_or(0),
                    Value::Arg(_) | Value::Const(_) => self.hash(operand, first),
                });
            }
            let begins = !self.hashed_operands(inst, first).is_empty();
            let hash = match of_operands[..] {
                [start] if begins && self.body.inst(inst).kind.is_phi() => start,
                _ => {
                    let mut hasher = FxHasher::default();
                    (self.words(inst), of_operands).hash(&mut hasher);
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
        let mut found = Vec::new();
        for operand in data.operands.clone() {
            found.push(match operand {
                Value::Arg(_) | Value::Const(_) => self.hash(operand, first),
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
