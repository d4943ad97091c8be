//! Judges the claims about values and control by the steps of an execution: known bits and ranges of every result, and
//! of every operand at its uses, on edges and at the ends of blocks; conditions; branches taken; poison; must-execute;
//! transfer of control. The execution must have no UB.

#![allow(dead_code, reason = "each test program uses a part")]

use super::runs::{Event, Steps};
use super::said::{OfEdge, OfInst, Said};
use backedge_analysis::cache::At;
use backedge_analysis::conditions::Claim;
use backedge_analysis::passed::{PassedBranch, Way};
use backedge_analysis::values::Facts;
use backedge_interp::Run;
use backedge_interp::outcome::Outcome;
use backedge_interp::value::Val;
use backedge_ir::entity::{Arg, EntityId, FuncId, Inst};
use backedge_ir::inst::Value;
use backedge_ir::int::Int;
use rustc_hash::{FxHashMap, FxHashSet};

/// Numbers of claims tested by executions.
#[derive(Default, Debug)]
pub(crate) struct Tally {
    pub(crate) functions: u64,
    pub(crate) runs: u64,
    pub(crate) without_ub: u64,
    pub(crate) facts: u64,
    pub(crate) informative: u64,
    pub(crate) at_uses: u64,
    pub(crate) conditions: u64,
    pub(crate) executed: u64,
    pub(crate) poison: u64,
    pub(crate) transfers: u64,
    pub(crate) branches: u64,
}

/// The latest values.
type Now = FxHashMap<Value, Val>;

pub(crate) struct Judge<'a> {
    at: At<'a>,
    func: FuncId,
    text: &'a str,
    said: Said,
    pub(crate) tally: &'a mut Tally,
}

impl<'a> Judge<'a> {
    /// A judge of `func`; messages include `text`.
    pub(crate) fn new(at: At<'a>, func: FuncId, text: &'a str, tally: &'a mut Tally) -> Self {
        tally.functions += 1;
        Self { at, func, text, said: Said::of(at), tally }
    }
    fn fail(&self, what: &str) -> ! {
        panic!("{what}\nin {}", self.text)
    }
    /// Judges an execution by its result and steps; false if it is not supported.
    pub(crate) fn result(&mut self, result: &Run, mut steps: Steps) -> bool {
        self.tally.runs += 1;
        let mut complete = true;
        let forever = matches!(result.outcome, Outcome::Diverges { .. });
        match result.outcome {
            Outcome::Ub { .. } | Outcome::OutOfFuel | Outcome::LimitExceeded(_) => return true,
            Outcome::Unsupported { .. } => return false,
            Outcome::Diverges { .. } => complete = false,
            Outcome::DidNotReturn { place, .. } if place.func == self.func => {
                steps.events.extend(place.inst.map(|i| Event::Step(i, None)));
            }
            // The execution ended in a callee.
            Outcome::DidNotReturn { .. } => complete = false,
            Outcome::Returned(_) => {}
        }
        self.tally.without_ub += 1;
        self.steps(&steps);
        self.tally.executed += self.regions(&steps, complete, forever);
        self.transferred(&steps, complete);
        true
    }
    fn steps(&mut self, steps: &Steps) {
        let mut now = Now::default();
        for (i, value) in steps.args.iter().enumerate() {
            let arg = Arg::from_index(i).into();
            self.never_poison(arg, value);
            now.insert(arg, value.clone());
        }
        let mut block = self.at.body.entry().expect("an entry");
        for event in &steps.events {
            match event {
                Event::Enter(to) => {
                    let said = self.said.edges.remove(&(block, *to));
                    let said = said.unwrap_or_else(|| self.fail("no such edge"));
                    self.on_edge(&now, &said);
                    self.said.edges.insert((block, *to), said);
                    block = *to;
                }
                Event::Step(inst, value) => {
                    let said = self.said.insts.remove(inst);
                    let said = said.unwrap_or_else(|| self.fail("it should not be reached"));
                    self.step(&now, &said, *inst, value.as_ref());
                    self.said.insts.insert(*inst, said);
                    if let Some(value) = value {
                        now.insert((*inst).into(), value.clone());
                    }
                }
            }
        }
    }
    fn never_poison(&mut self, value: Value, is: &Val) {
        if self.said.never_poison.contains(&value) {
            self.tally.poison += 1;
            if is.has_poison() {
                self.fail(&format!("{} is poison", self.name(value)));
            }
        }
    }
    fn step(&mut self, now: &Now, said: &OfInst, inst: Inst, result: Option<&Val>) {
        for (operand, facts) in &said.operands {
            self.at_place(now, *operand, *facts, inst);
        }
        for operand in &said.defined {
            let Some(value) = now.get(operand) else { continue };
            self.tally.poison += 1;
            if value.has_undef_or_poison() {
                self.fail(&format!("{} is {value:?} at {}", self.name(*operand), self.name(inst.into())));
            }
        }
        said.claims.iter().for_each(|c| self.claim(now, c));
        for &(a, pred, b, holds) in &said.compared {
            if let (Some(x), Some(y)) = (self.int(now, a), self.int(now, b))
                && holds != pred.holds(x, y)
            {
                let (a, b) = (self.name(a), self.name(b));
                self.fail(&format!("{a} {pred:?} {b} at {}: said is {holds}", self.name(inst.into())));
            }
        }
        let Some(value) = result else { return };
        for (how, facts) in &said.result {
            self.tally.facts += 1;
            self.tally.informative += u64::from(!facts.is_unknown());
            if !has(*facts, value) {
                self.fail(&format!("{} is {value:?}, {how} said is {facts}", self.name(inst.into())));
            }
        }
        self.never_poison(inst.into(), value);
    }
    fn at_place(&mut self, now: &Now, value: Value, facts: Facts, inst: Inst) {
        let Some(is) = now.get(&value) else { return };
        self.tally.at_uses += 1;
        if !has(facts, is) {
            self.fail(&format!("{} is {is:?} at {inst:?}, said is {facts}", self.name(value)));
        }
    }
    fn on_edge(&mut self, now: &Now, said: &OfEdge) {
        for (value, facts) in &said.facts {
            if let Some(is) = now.get(value)
                && !has(*facts, is)
            {
                self.fail(&format!("{} is {is:?} on an edge, said is {facts}", self.name(*value)));
            }
        }
        said.claims.iter().for_each(|c| self.claim(now, c));
        said.branches.iter().for_each(|b| self.passed(now, b));
    }
    fn passed(&mut self, now: &Now, passed: &PassedBranch) {
        self.tally.branches += 1;
        let cases = || self.at.body.inst(passed.branch).operands[1..].iter();
        let is = self.int(now, passed.condition);
        let right = is.is_some_and(|is| match passed.way {
            Way::Truth(truth) => is == Int::bool(truth),
            Way::Case(case) => is == case,
            Way::Default => cases().all(|c| self.at.body.as_int(*c) != Some(is)),
        });
        if !right {
            self.fail(&format!("{passed:?}: it is {is:?}"));
        }
    }
    fn int(&self, now: &Now, value: Value) -> Option<Int> {
        let width = self.at.body.ty(value).int_bits()?;
        self.at.body.as_int(value).or_else(|| now.get(&value)?.as_int(width))
    }
    /// Checks a condition that is claimed to hold.
    fn claim(&mut self, now: &Now, claim: &Claim) {
        self.tally.conditions += 1;
        let right = match *claim {
            Claim::Compare { pred, left, right } => match (self.int(now, left), self.int(now, right)) {
                (Some(a), Some(b)) => pred.holds(a, b),
                _ => true,
            },
            Claim::Is { value, truth } => self.int(now, value) == Some(Int::bool(truth)),
            Claim::Within { value, range } => self.int(now, value).is_none_or(|v| range.contains(v)),
            Claim::Bits { value, known } => self.int(now, value).is_none_or(|v| known.contains(v)),
        };
        if !right {
            self.fail(&format!("{claim:?} does not hold"));
        }
    }
    fn name(&self, value: Value) -> String {
        self.at.body.value_name(value).map_or_else(|| format!("{value:?}"), |n| format!("%{n}"))
    }
    /// Checks that each instruction that is claimed to follow another one is executed after it.
    fn transferred(&mut self, steps: &Steps, complete: bool) {
        let mut waiting: FxHashMap<Inst, Vec<(Inst, bool)>> = FxHashMap::default();
        let mut ends: FxHashMap<Inst, Vec<Inst>> = FxHashMap::default();
        for &(from, to) in &self.said.transfers {
            waiting.entry(from).or_default().push((to, false));
            ends.entry(to).or_default().push(from);
        }
        for event in &steps.events {
            let Event::Step(inst, _) = event else { continue };
            for from in ends.get(inst).into_iter().flatten() {
                for (to, waits) in waiting.get_mut(from).into_iter().flatten() {
                    *waits &= to != inst;
                }
            }
            for (to, waits) in waiting.get_mut(inst).into_iter().flatten() {
                self.tally.transfers += 1;
                assert!(!std::mem::replace(waits, true), "{to:?} does not follow {inst:?}\n{}", self.text);
            }
        }
        let missed = waiting.values().flatten().find(|(_, waits)| *waits);
        if let (true, Some((to, _))) = (complete, missed) {
            self.fail(&format!("{:?} was not executed", self.at.body.inst(*to)));
        }
    }
    /// Checks that each instruction of each region is executed between every arrival at the region's start and the end
    /// of that iteration. An infinite execution was observed until it repeats: instructions not executed by then never
    /// are.
    fn regions(&self, steps: &Steps, complete: bool, forever: bool) -> u64 {
        let mut executed = 0;
        let loops = self.at.loops();
        for (region, insts) in &self.said.regions {
            let header = region.of().map(|l| loops.header(l));
            let mut round: Option<FxHashSet<Inst>> = header.is_none().then(FxHashSet::default);
            let close = |round: &Option<FxHashSet<Inst>>| {
                let Some(round) = round else { return };
                if let Some(missed) = insts.iter().find(|i| !round.contains(i)) {
                    self.fail(&format!("{:?} was not executed", self.at.body.inst(*missed)));
                }
            };
            let mut at_block = self.at.body.entry();
            for event in &steps.events {
                if let Event::Enter(block) = event {
                    // An invoke that unwinds is not reported as a step.
                    let left = at_block.replace(*block).and_then(|b| self.at.body.terminator(b));
                    if let (Some(round), Some(left)) = (&mut round, left) {
                        round.insert(left);
                    }
                }
                match event {
                    Event::Enter(block) if Some(*block) == header => {
                        close(&round);
                        round = Some(FxHashSet::default());
                        executed += insts.len() as u64;
                    }
                    Event::Enter(block) => {
                        if region.of().is_some_and(|l| !loops.contains(l, *block)) {
                            close(&round);
                            round = None;
                        }
                    }
                    Event::Step(inst, _) => {
                        if let Some(round) = &mut round {
                            round.insert(*inst);
                        }
                    }
                }
            }
            if complete || forever && region.of().is_none() {
                close(&round);
            }
        }
        executed
    }
}

/// Whether `value` has the facts for every choice of its undefined bits; poison has all facts.
fn has(facts: Facts, value: &Val) -> bool {
    let Some(cube) = value.cube() else { return true };
    let width = facts.width();
    let is_with = |undef: u128| facts.contains(Int::new(width, cube.bits | undef & cube.undef));
    if cube.undef.count_ones() > 4 {
        // Check only all zeros, all ones and the two alternating patterns.
        return [0, u128::MAX, 0x5555 * 0x1_0001, 0xaaaa * 0x1_0001].into_iter().all(is_with);
    }
    // All subsets of the undefined bits, each from its predecessor.
    let next = |set: &u128| Some(set.wrapping_sub(cube.undef) & cube.undef).filter(|s| *s != 0);
    std::iter::successors(Some(0), next).all(is_with)
}
