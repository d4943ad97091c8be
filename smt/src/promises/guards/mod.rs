//! Under which conditions an instruction runs, and which addresses it accesses, in words that hold in both functions of a
//! pair.
//!
//! Metadata that makes a run undefined where it does not hold counts only where its instruction runs. A target may say it of an
//! access that runs whenever accesses run of which the source says it ([`Guards::covers`]). What decides whether an
//! instruction runs is a branch, or a call that need not return, that comes before it on all ways.
//!
//! Requires: both functions have bodies. Guarantees: what has one hash in both functions has one value in each run, in the
//! iterations that both make; of instructions that [`Guards::covers`] accepts, one runs. Both may be denied of what is so.
//!
//! Values are compared by hashes of what they compute ([`values`]), memory by the write that made it ([`memory`]), and places
//! by the branches that decide of them ([`ways`]). Where values depend on themselves, by phis of values or of memory, hashes are
//! computed in rounds: what a phi is in one round is part of what others are in the next. The rounds end when none tells more
//! phis of the pair apart, as in partition refinement (Hopcroft, "An n log n algorithm for minimizing states in a finite
//! automaton", 1971, in its simple form).
//!
//! A value that is used after a loop in which it is computed is that of the last iteration, and has another hash there.

mod memory;
mod values;
mod ways;

use super::nodes::Of;
use crate::encode::unroll::Schedule;
use crate::refinement::FunctionRef;
use backedge_ir::body::Body;
use backedge_ir::cfg::Cfg;
use backedge_ir::dominators::Dominators;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::InstKind;
use backedge_ir::module::Env;
use memory::Versions;
use rustc_hash::{FxHashMap, FxHashSet};
use std::hash::{Hash as _, Hasher as _};
use values::{Among, Hashes, Sense};
use ways::Own;

/// Something that holds where an instruction runs.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Guard {
    /// A branch on a condition of this hash went one way.
    Way(u64, bool),
    /// A terminator of this hash went one of the ways of a hash.
    Ways(u64, u64),
    /// Control came past branches of this hash, on some of their ways.
    Passed(u64),
    /// A loop of this hash has come to its end.
    Left(u64),
    /// A call of this hash returned.
    Returned(u64),
}

/// What holds where an instruction runs, all of it.
type Conditions = Vec<Guard>;

/// Rounds in which phis are told apart, at most. Phis that more rounds might tell apart are equal to nothing in the other
/// function.
const MANY_ROUNDS: usize = 64;
/// Cases that are told apart for one instruction, at most.
const MANY_CASES: usize = 8;
/// Instructions that are looked at for one that runs.
const MANY_ALIKE: usize = 64;

/// Whether what comes after a loop runs as what comes before it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Loops {
    /// They are taken to end.
    End,
    /// They may go on for ever.
    MayStay,
}

/// What depends on itself: a phi.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
enum Joined {
    /// Of values; with the flags that make poison, or without.
    Values(Inst, bool),
    /// Of memory, at the start of a block.
    Memory(Block),
}

/// The conditions of a function's instructions.
pub(super) struct Guards<'m> {
    env: &'m Env,
    body: &'m Body,
    cfg: Cfg,
    dominators: Dominators,
    schedule: Schedule,
    versions: Versions,
    hashes: Hashes,
    /// Hashes of phis of the round before.
    joined: FxHashMap<Joined, u64>,
    /// The place of an alloca among those that look alike.
    places: FxHashMap<Inst, Among>,
    /// What is equal to nothing in the other function.
    unlike: FxHashSet<Inst>,
    /// Blocks at whose start memory is equal to none of the other function.
    unlike_memory: FxHashSet<Block>,
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
        let is_marked = pair.each_mut().map(Self::mark_unlike);
        if is_marked.contains(&true) {
            is_refined &= Self::refine(&mut pair);
        }
        if !is_refined {
            for guards in &mut pair {
                for joined in guards.joined.keys() {
                    match *joined {
                        Joined::Values(phi, _) => _ = guards.unlike.insert(phi),
                        Joined::Memory(block) => _ = guards.unlike_memory.insert(block),
                    }
                }
                guards.forget();
            }
        }
        Some(pair)
    }
    /// The conditions of one function, whose phis have not been told apart.
    fn new(side: FunctionRef<'m>, of: Of, loops: Loops) -> Option<Self> {
        let body = side.module.body(side.func)?;
        let env = &side.module.env;
        let cfg = Cfg::new(body);
        let dominators = Dominators::new(body, &cfg);
        let schedule = Schedule::new(body, 0, usize::MAX)?;
        let versions = Versions::new(env, body, &cfg, &dominators);
        let (hashes, joined, places, unlike, unlike_memory, of_blocks) = Default::default();
        let mut guards = Self {
            env,
            body,
            cfg,
            dominators,
            schedule,
            versions,
            hashes,
            joined,
            places,
            unlike,
            unlike_memory,
            of,
            of_blocks,
            loops,
        };
        guards.tell_apart();
        Some(guards)
    }
    /// Tells the phis of a pair apart in rounds until no round tells more of them apart; `false` if these are too many.
    fn refine(pair: &mut [Self; 2]) -> bool {
        let mut classes = 0;
        for _ in 0..MANY_ROUNDS {
            for guards in pair.iter_mut() {
                guards.refine_joined();
            }
            let hashes: FxHashSet<u64> =
                pair.iter().flat_map(|guards| guards.joined.values().copied()).collect();
            if hashes.len() == classes {
                return true;
            }
            classes = hashes.len();
        }
        false
    }
    /// All phis.
    fn all_joined(&self) -> Vec<Joined> {
        let phis = self.body.all_insts().filter(|inst| self.body.inst(*inst).kind.is_phi());
        let of_values = phis.flat_map(|phi| [false, true].map(|flagged| Joined::Values(phi, flagged)));
        of_values.chain(self.versions.joined_blocks().map(Joined::Memory)).collect()
    }
    /// Computes the hashes of phis anew, from those of the round before.
    fn refine_joined(&mut self) {
        let refined: Vec<(Joined, u64)> = self
            .all_joined()
            .into_iter()
            .map(|joined| {
                let mut hasher = rustc_hash::FxHasher::default();
                (self.joined.get(&joined).copied(), self.incoming(joined)).hash(&mut hasher);
                (joined, hasher.finish())
            })
            .collect();
        self.joined = refined.into_iter().collect();
        self.forget();
    }
    /// Forgets what follows from the hashes of phis.
    fn forget(&mut self) {
        self.hashes = Hashes::default();
        self.of_blocks.clear();
    }
    /// Finds the phis that have different values for ways that look alike; `false` if there are none.
    fn mark_unlike(&mut self) -> bool {
        let mut found = false;
        for joined in self.all_joined() {
            let incoming = self.incoming(joined);
            if incoming.windows(2).any(|two| two[0].0 == two[1].0 && two[0].1 != two[1].1) {
                found = true;
                match joined {
                    Joined::Values(phi, _) => _ = self.unlike.insert(phi),
                    Joined::Memory(block) => _ = self.unlike_memory.insert(block),
                }
            }
        }
        self.forget();
        found
    }
    /// Whether one of `others`, which are instructions of `of`, runs in every run in which `inst` does.
    pub(super) fn covers(&mut self, inst: Inst, of: &mut Self, others: &[Inst]) -> bool {
        let here: FxHashSet<Guard> = self.conditions(inst).into_iter().collect();
        let mut cases = Vec::new();
        for other in others.iter().take(MANY_ALIKE) {
            let mut open = of.conditions(*other);
            open.retain(|guard| !here.contains(guard));
            // It has run where it runs in a first iteration.
            let first = if open.is_empty() { None } else { of.conditions_at_first(*other) };
            let is_met_first = first.is_some_and(|first| first.iter().all(|guard| here.contains(guard)));
            if open.is_empty() || is_met_first {
                return true;
            }
            cases.push(open);
        }
        cases.sort();
        cases.dedup();
        cases.len() <= MANY_CASES && are_all(&cases)
    }
    /// The instructions that look alike and have no order, or an order that says which is which.
    fn tell_apart(&mut self) {
        let body = self.body;
        let mut alike: FxHashMap<u64, Vec<Inst>> = FxHashMap::default();
        for block in self.cfg.rpo().to_vec() {
            for &inst in body.insts(block) {
                if matches!(body.inst(inst).kind, InstKind::Freeze | InstKind::Alloca(_)) {
                    let hash = self.hash_of(inst, Sense::Plain);
                    alike.entry(hash).or_default().push(inst);
                }
            }
        }
        for group in alike.values().filter(|group| group.len() > 1) {
            for (place, inst) in group.iter().enumerate() {
                match body.inst(*inst).kind {
                    InstKind::Freeze => _ = self.unlike.insert(*inst),
                    _ => _ = self.places.insert(*inst, Among { place, count: group.len() }),
                }
            }
        }
        self.forget();
    }
}

/// Whether one of `cases`, each of which needs all of its conditions, holds whatever the branches do.
fn are_all(cases: &[Conditions]) -> bool {
    if cases.iter().any(Vec::is_empty) {
        return true;
    }
    let Some(Guard::Way(hash, _)) = cases.iter().flatten().find(|guard| matches!(guard, Guard::Way(..)))
    else {
        return false;
    };
    [true, false].iter().all(|way| {
        let (holds, fails) = (Guard::Way(*hash, *way), Guard::Way(*hash, !way));
        let left: Vec<Conditions> = cases
            .iter()
            .filter(|case| !case.contains(&fails))
            .map(|case| case.iter().filter(|guard| **guard != holds).copied().collect())
            .collect();
        are_all(&left)
    })
}
