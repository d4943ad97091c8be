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
//! A value that is used after a loop in which it is computed is that of the last iteration, and has another hash there. Loops
//! have hashes too, of what decides whether another iteration begins: phis and what is chosen anew ([`chosen`]) are equal only in
//! loops that are.

mod chosen;
mod memory;
mod structs;
mod values;
mod ways;

use super::nodes::Of;
use crate::encode::unroll::Schedule;
use crate::refinement::FunctionRef;
use backedge_ir::attr::AttrList;
use backedge_ir::body::Body;
use backedge_ir::cfg::Cfg;
use backedge_ir::dominators::Dominators;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::module::Env;
use chosen::Chosen;
use memory::Versions;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use values::{Among, Hashes, Sense, hashed};
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

/// What depends on itself.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
enum Joined {
    /// A phi of values; with the flags that make poison, or without.
    Values(Inst, bool),
    /// A phi of memory, at the start of a block; with or without the flags of what is stored.
    Memory(Block, bool),
    /// The loop of a header.
    Loop(Block),
}

/// What is equal to nothing in the other function.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
enum Unlike {
    /// What an instruction computes.
    Value(Inst),
    /// Memory at the start of a block.
    Memory(Block),
    /// The loop of a header.
    Loop(Block),
}

impl From<Joined> for Unlike {
    fn from(joined: Joined) -> Self {
        match joined {
            Joined::Values(phi, _) => Self::Value(phi),
            Joined::Memory(block, _) => Self::Memory(block),
            Joined::Loop(header) => Self::Loop(header),
        }
    }
}

/// The conditions of a function's instructions.
pub(super) struct Guards<'m> {
    side: FunctionRef<'m>,
    env: &'m Env,
    body: &'m Body,
    /// Attributes of the parameters.
    params: &'m [AttrList],
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
    unlike: FxHashSet<Unlike>,
    /// Whether structs of one name are the same in both modules.
    are_alike: bool,
    /// Whether one of the two functions looks at the bits of a NaN.
    observes_bits: bool,
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
        let observes_bits = pair.iter().any(|guards| chosen::observes_bits(guards.side, guards.body));
        let are_alike = structs::are_alike([source.module, target.module]);
        for guards in &mut pair {
            guards.observes_bits = observes_bits;
            guards.are_alike = are_alike;
            guards.order_objects();
        }
        let mut is_refined = Self::refine(&mut pair);
        let is_marked = pair.each_mut().map(Self::mark_unlike);
        if is_marked.contains(&true) {
            is_refined &= Self::refine(&mut pair);
        }
        if !is_refined {
            for guards in &mut pair {
                guards.unlike.extend(guards.joined.keys().copied().map(Unlike::from));
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
        let (hashes, joined, places, unlike, of_blocks) = Default::default();
        Some(Self {
            side,
            env,
            body,
            params: &env.funcs[side.func].param_attrs,
            cfg,
            dominators,
            schedule,
            versions,
            hashes,
            joined,
            places,
            unlike,
            are_alike: true,
            observes_bits: false,
            of,
            of_blocks,
            loops,
        })
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
    /// All that depends on itself.
    fn all_joined(&self) -> Vec<Joined> {
        let phis = self.body.all_insts().filter(|inst| self.body.inst(*inst).kind.is_phi());
        let of_values = phis.flat_map(|phi| [false, true].map(|flagged| Joined::Values(phi, flagged)));
        let joins = self.versions.joined_blocks();
        let of_memory = joins.flat_map(|block| [false, true].map(|flagged| Joined::Memory(block, flagged)));
        let blocks = self.cfg.rpo().iter().copied();
        let headers = blocks.filter(|block| self.schedule.around(*block).last() == Some(block));
        of_values.chain(of_memory).chain(headers.map(Joined::Loop)).collect()
    }
    /// Computes the hashes of what depends on itself anew, from those of the round before.
    fn refine_joined(&mut self) {
        let refined: Vec<(Joined, u64)> = self
            .all_joined()
            .into_iter()
            .map(|joined| {
                let block = match joined {
                    Joined::Values(phi, _) => self.body.block_of(phi),
                    Joined::Memory(block, _) | Joined::Loop(block) => Some(block),
                };
                let loops = block.map(|block| self.loops_around(block));
                (joined, hashed((self.joined.get(&joined).copied(), loops, self.incoming(joined))))
            })
            .collect();
        self.joined = refined.into_iter().collect();
        self.forget();
    }
    /// A hash of the loops around `block`.
    pub(in crate::promises) fn loops_around(&self, block: Block) -> u64 {
        let around = self.schedule.around(block).iter();
        let classes: Vec<_> = around
            .map(|header| {
                let unlike = self.unlike.contains(&Unlike::Loop(*header)).then_some((self.of, *header));
                (self.joined.get(&Joined::Loop(*header)), unlike)
            })
            .collect();
        hashed(classes)
    }
    /// A hash of the loops around `inst`.
    pub(in crate::promises) fn loops_of(&self, inst: Inst) -> u64 {
        self.body.block_of(inst).map_or(0, |block| self.loops_around(block))
    }
    /// A text in which types are named, with which function it is of if these may be others there.
    pub(in crate::promises) fn typed(&self, text: String) -> String {
        match self.are_alike || !text.contains('%') {
            true => text,
            false => format!("{text} {:?}", self.of),
        }
    }
    /// Whether control may come to `inst`.
    pub(in crate::promises) fn is_reached(&self, inst: Inst) -> bool {
        self.body.block_of(inst).is_some_and(|block| self.dominators.is_reachable(block))
    }
    /// Forgets what follows from the hashes of phis.
    fn forget(&mut self) {
        self.hashes = Hashes::default();
        self.of_blocks.clear();
    }
    /// Finds the phis that have different values for ways that look alike, and what the target chooses more than once; `false` if
    /// there are none.
    fn mark_unlike(&mut self) -> bool {
        let mut found: Vec<Unlike> = Vec::new();
        for joined in self.all_joined() {
            let incoming = self.incoming(joined);
            if incoming.windows(2).any(|two| two[0].0 == two[1].0 && two[0].1 != two[1].1) {
                found.push(joined.into());
            }
        }
        if self.of == Of::Target {
            let groups = self.alike(|what| what != Chosen::Object);
            found.extend(groups.into_iter().flatten().map(Unlike::Value));
        }
        self.unlike.extend(found.iter().copied());
        self.forget();
        !found.is_empty()
    }
    /// Whether one of `others`, which are instructions of `of`, runs in every run in which `inst` does; `at_once` if it has to be in
    /// the same iterations.
    pub(super) fn covers(&mut self, inst: Inst, of: &mut Self, others: &[Inst], at_once: bool) -> bool {
        let here: FxHashSet<Guard> = self.conditions(inst).into_iter().collect();
        let mut cases = Vec::new();
        let reached: Vec<Inst> = others.iter().copied().filter(|other| of.is_reached(*other)).collect();
        for other in reached.iter().take(MANY_ALIKE) {
            let mut open = of.conditions(*other);
            open.retain(|guard| !here.contains(guard));
            // It has run where it runs in a first iteration.
            let first = if open.is_empty() || at_once { None } else { of.conditions_at_first(*other) };
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
    /// Gives allocations that look alike an order.
    fn order_objects(&mut self) {
        for group in self.alike(|what| what == Chosen::Object) {
            for (place, inst) in group.iter().enumerate() {
                self.places.insert(*inst, Among { place, count: group.len() });
            }
        }
        self.forget();
    }
    /// Groups of instructions that choose something of a kind and look alike, each of more than one.
    fn alike(&mut self, kind: impl Fn(Chosen) -> bool) -> Vec<Vec<Inst>> {
        let mut alike: BTreeMap<u64, Vec<Inst>> = BTreeMap::new();
        for block in self.cfg.rpo().to_vec() {
            for &inst in self.body.insts(block) {
                if self.chosen(inst).is_some_and(&kind) {
                    let hash = self.hash_of(inst, Sense::Plain);
                    alike.entry(hash).or_default().push(inst);
                }
            }
        }
        alike.into_values().filter(|group| group.len() > 1).collect()
    }
    /// What `inst` chooses anew each time it runs, as far as one of the functions can tell.
    fn chosen(&self, inst: Inst) -> Option<Chosen> {
        chosen::chosen(self.side, self.body, inst)
            .filter(|what| *what != Chosen::NanBits || self.observes_bits)
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
