//! Computes under which conditions an instruction executes and which addresses it accesses, in a form that is
//! comparable between both functions of a pair.
//!
//! Metadata that makes a run UB when violated only matters if its instruction executes. A target may attach metadata to
//! an access that executes whenever accesses with the same metadata execute in the source ([`Guards::covers`]). Whether
//! an instruction executes is decided by branches, and by calls that may not return, on all paths to it.
//!
//! Requires: both functions have bodies. Guarantees: values with the same hash in both functions are equal in each run,
//! in the iterations that both functions execute; one of the instructions that [`Guards::covers`] accepts executes. The
//! analysis is conservative: it may fail to recognize either.
//!
//! Values are compared by hashes of their computation ([`values`]), memory by the write that created its version
//! ([`memory`]), and program points by the branches that decide whether they are reached ([`ways`]). Values that depend
//! on themselves through phis of values or memory are hashed in rounds: the hash of a phi in one round contributes to
//! the hashes of the next round. The rounds end when none distinguishes more phis of the pair, as in partition
//! refinement (Hopcroft, "An n log n algorithm for minimizing states in a finite automaton", 1971, in its simple form).
//!
//! A value computed in a loop and used after it is the value of the last iteration, and has a different hash there.
//! Loops have hashes too, of the conditions for another iteration: phis and chosen values ([`chosen`]) are equal only
//! in equal loops.

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

/// A condition that holds when an instruction executes.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Guard {
    /// A branch whose condition has this hash took this direction.
    Way(u64, bool),
    /// A terminator with this hash took one of the successors with the second hash.
    Ways(u64, u64),
    /// Control passed branches with this hash, in some of their directions.
    Passed(u64),
    /// A loop with this hash has exited.
    Left(u64),
    /// A call with this hash returned.
    Returned(u64),
}

/// A conjunction of conditions for the execution of an instruction.
type Conditions = Vec<Guard>;

/// Maximum number of rounds that distinguish phis. Phis that more rounds might distinguish are equal to nothing in the
/// other function.
const MANY_ROUNDS: usize = 64;
/// Maximum number of cases for one instruction: bounds the time to decide whether they cover all paths.
const MANY_CASES: usize = 8;
/// Maximum number of instructions considered in the search for one that executes: each adds a case.
const MANY_ALIKE: usize = 64;

/// Whether code after a loop executes whenever the code before the loop does.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Loops {
    /// Loops are assumed to terminate.
    End,
    /// Loops may run forever.
    MayStay,
}

/// An item that may depend on itself.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
enum Joined {
    /// A phi of values; the flag tells whether poison-generating flags are included.
    Values(Inst, bool),
    /// A phi of memory at the start of a block; the flag tells whether flags of stored values are included.
    Memory(Block, bool),
    /// The loop with this header.
    Loop(Block),
}

/// An item that is equal to nothing in the other function.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
enum Unlike {
    /// The result of an instruction.
    Value(Inst),
    /// Memory at the start of a block.
    Memory(Block),
    /// The loop with this header.
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
    /// Hashes of phis from the previous round.
    joined: FxHashMap<Joined, u64>,
    /// The position of an allocation among those that look alike.
    places: FxHashMap<Inst, Among>,
    /// Items that are equal to nothing in the other function.
    unlike: FxHashSet<Unlike>,
    /// Whether structs of the same name are equal in both modules.
    are_alike: bool,
    /// Whether one of the two functions observes the bits of a NaN.
    observes_bits: bool,
    /// The side of the pair.
    of: Of,
    of_blocks: FxHashMap<Block, Own>,
    loops: Loops,
}

impl<'m> Guards<'m> {
    /// The conditions of both functions of a pair, the source's first; `None` if one of them has no body.
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
    /// The conditions of one function, before the refinement of phis.
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
    /// Refines the phis of a pair in rounds until no round distinguishes more of them; `false` if that takes too many
    /// rounds.
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
    /// All items that may depend on themselves.
    fn all_joined(&self) -> Vec<Joined> {
        let phis = self.body.all_insts().filter(|inst| self.body.inst(*inst).kind.is_phi());
        let of_values = phis.flat_map(|phi| [false, true].map(|flagged| Joined::Values(phi, flagged)));
        let joins = self.versions.joined_blocks();
        let of_memory = joins.flat_map(|block| [false, true].map(|flagged| Joined::Memory(block, flagged)));
        let blocks = self.cfg.rpo().iter().copied();
        let headers = blocks.filter(|block| self.schedule.around(*block).last() == Some(block));
        of_values.chain(of_memory).chain(headers.map(Joined::Loop)).collect()
    }
    /// Recomputes the hashes of items that may depend on themselves, from those of the previous round.
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
    /// A hash of the loops that contain `block`.
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
    /// A hash of the loops that contain `inst`.
    pub(in crate::promises) fn loops_of(&self, inst: Inst) -> u64 {
        self.body.block_of(inst).map_or(0, |block| self.loops_around(block))
    }
    /// A text that mentions types, tagged with its side if the other module may define these types differently.
    pub(in crate::promises) fn typed(&self, text: String) -> String {
        match self.are_alike || !text.contains('%') {
            true => text,
            false => format!("{text} {:?}", self.of),
        }
    }
    /// Whether `inst` is reachable in the CFG.
    pub(in crate::promises) fn is_reached(&self, inst: Inst) -> bool {
        self.body.block_of(inst).is_some_and(|block| self.dominators.is_reachable(block))
    }
    /// Discards results derived from the hashes of phis.
    fn forget(&mut self) {
        self.hashes = Hashes::default();
        self.of_blocks.clear();
    }
    /// Marks phis that have different values for incoming edges that look alike, and target values chosen more than
    /// once; `false` if there are none.
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
    /// Whether one of `others`, which are instructions of `of`, executes in every run in which `inst` does; with
    /// `at_once`, in the same iterations.
    pub(super) fn covers(&mut self, inst: Inst, of: &mut Self, others: &[Inst], at_once: bool) -> bool {
        let here: FxHashSet<Guard> = self.conditions(inst).into_iter().collect();
        let mut cases = Vec::new();
        let reached: Vec<Inst> = others.iter().copied().filter(|other| of.is_reached(*other)).collect();
        for other in reached.iter().take(MANY_ALIKE) {
            let mut open = of.conditions(*other);
            open.retain(|guard| !here.contains(guard));
            // An instruction that executes in a first iteration has executed.
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
    /// Orders allocations that look alike.
    fn order_objects(&mut self) {
        for group in self.alike(|what| what == Chosen::Object) {
            for (place, inst) in group.iter().enumerate() {
                self.places.insert(*inst, Among { place, count: group.len() });
            }
        }
        self.forget();
    }
    /// Groups of at least two instructions that make a choice of this kind and look alike.
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
    /// The choice of `inst`, if one of the functions can observe it.
    fn chosen(&self, inst: Inst) -> Option<Chosen> {
        chosen::chosen(self.side, self.body, inst)
            .filter(|what| *what != Chosen::NanBits || self.observes_bits)
    }
}

/// Whether one of `cases`, each a conjunction of conditions, holds for all outcomes of the branches.
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
