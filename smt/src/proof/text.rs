//! Renders proofs and flaws in words. Cuts appear as block labels, values as their names.

use crate::encode::world::Side;
use crate::proof::check::{Flaw, Proved};
use crate::proof::lang::certificate::Draft;
use crate::proof::lang::fact::{Atom, Bound, Fact, Linear, Order, Owner, Part, Reading, ValueRef};
use crate::proof::lang::number::{mask, signed};
use crate::proof::lang::step::{Node, Place, SourceMove, Step, TargetEnd};
use crate::proof::vc::pair::Pair;
use crate::proof::vc::question::Goal;
use crate::refinement::Reason;
use crate::solver::UnknownReason;
use backedge_ir::entity::{EntityId, Inst};

/// Renders entities of a pair.
pub(super) struct Speller<'p, 'm> {
    pub(super) pair: &'p Pair<'m>,
}

/// `proved` with the proof in words.
pub(super) fn spelled(pair: &Pair<'_>, proved: Proved) -> Proved {
    let words = Speller { pair }.draft(proved.draft());
    proved.shown(words)
}

impl Speller<'_, '_> {
    /// The proof, one line for each step and for each node with facts.
    pub(super) fn draft(&self, draft: &Draft) -> Vec<String> {
        let mut lines = Vec::new();
        for (node, facts) in draft.facts.iter().filter(|(_, facts)| !facts.is_empty()) {
            let facts: Vec<String> = facts.iter().map(|f| self.fact(f)).collect();
            lines.push(format!("at {}: {}", self.node(*node), facts.join("; ")));
        }
        lines.extend(draft.steps.iter().map(|step| self.step(step)));
        lines
    }
    fn node(&self, node: Node) -> String {
        format!("{} / {}", self.place(Side::Source, node.source), self.place(Side::Target, node.target))
    }
    fn place(&self, side: Side, place: Place) -> String {
        match place {
            Place::Cut(cut) => self.cut(side, cut),
            Place::Returned(cut) => format!("returned from {}", self.cut(side, cut)),
        }
    }
    fn cut(&self, side: Side, cut: usize) -> String {
        let program = self.pair.program(side);
        if cut < program.cuts.len() { format!("%{}", program.label(cut)) } else { format!("cut {cut}") }
    }
    fn step(&self, step: &Step) -> String {
        let target = match step.end {
            TargetEnd::Reaches(cut) => format!("the target reaches {}", self.cut(Side::Target, cut)),
            TargetEnd::Returns => "the target returns".to_owned(),
            TargetEnd::Stops => "a call does not return".to_owned(),
            TargetEnd::Undefined if matches!(step.from.target, Place::Returned(_)) => {
                "the target has returned and the source is undefined".to_owned()
            }
            TargetEnd::Undefined => "the target is undefined".to_owned(),
            TargetEnd::Waits => "the target has returned".to_owned(),
        };
        let source = match step.source {
            SourceMove::Stays => "the source stays".to_owned(),
            SourceMove::Arrives { cut, count: 1, .. } => {
                format!("the source advances to {}", self.cut(Side::Source, cut))
            }
            SourceMove::Arrives { cut, count, .. } => {
                format!("the source reaches {} {count} times", self.cut(Side::Source, cut))
            }
            SourceMove::Ends { within } => format!("the source ends within {within} segment(s)"),
        };
        format!("from {}: where {target}, {source}", self.node(step.from))
    }

    fn fact(&self, fact: &Fact) -> String {
        match fact {
            Fact::Defined(atom) => format!("{} is not poison", self.atom(*atom)),
            Fact::Settled(atom) => format!("{} is not undef", self.atom(*atom)),
            Fact::PoisonTogether(a, b) => {
                format!("{} is poison exactly where {} is", self.atom(*a), self.atom(*b))
            }
            Fact::PoisonOnlyWith(a, b) => {
                format!("{} is poison only where {} is", self.atom(*a), self.atom(*b))
            }
            Fact::Linear(linear) => self.linear(linear),
            Fact::EqualUnlessPoison(a, b) => {
                format!("{} = {} unless that is poison", self.part(*a), self.part(*b))
            }
            Fact::Gathers { by, whole, parts, .. } => {
                let parts: Vec<String> = parts.iter().map(|p| self.part(*p)).collect();
                format!("{} = {}({})", self.part(*whole), by.name(), parts.join(", "))
            }
            Fact::Compare { order, left, right, .. } => {
                let order = match order {
                    Order::Ult => "<u",
                    Order::Ule => "<=u",
                    Order::Slt => "<s",
                    Order::Sle => "<=s",
                    Order::Ne => "!=",
                };
                format!("{} {order} {}", self.bound(*left), self.bound(*right))
            }
        }
    }
    fn linear(&self, linear: &Linear) -> String {
        if !(1..=128).contains(&linear.width) {
            return format!("a sum of {} bits", linear.width);
        }
        let mut text = String::new();
        for (factor, product) in &linear.summands {
            let factor = signed(*factor & mask(linear.width), linear.width);
            let product: Vec<String> = product.iter().map(|p| self.part(*p)).collect();
            let sign = match (text.is_empty(), factor < 0) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            };
            let size = factor.unsigned_abs();
            let size = if size == 1 { String::new() } else { format!("{size}*") };
            text += &format!("{sign}{size}{}", product.join("*"));
        }
        let constant = signed(linear.constant & mask(linear.width), linear.width).wrapping_neg();
        format!("{text} = {constant}")
    }
    fn bound(&self, bound: Bound) -> String {
        match bound {
            Bound::Part(part) => self.part(part),
            Bound::Number(number) => number.to_string(),
        }
    }
    fn part(&self, part: Part) -> String {
        let atom = self.atom(part.atom);
        match part.reading {
            Reading::Whole => atom,
            Reading::Offset => format!("offset({atom})"),
            Reading::Block => format!("block({atom})"),
            Reading::Zext(width) => format!("zext({atom}, i{width})"),
            Reading::Sext(width) => format!("sext({atom}, i{width})"),
            Reading::Low(width) => format!("trunc({atom}, i{width})"),
        }
    }
    fn atom(&self, atom: Atom) -> String {
        let (side, program) = match atom.owner {
            Owner::Argument => ("", &self.pair.source),
            Owner::Source => ("source ", &self.pair.source),
            Owner::Target => ("target ", &self.pair.target),
        };
        let is_early =
            matches!((atom.owner, atom.value), (Owner::Source | Owner::Target, ValueRef::Early(_)));
        let side = if is_early { format!("{side}next ") } else { side.to_owned() };
        let name = match (atom.owner, atom.value) {
            (_, ValueRef::Returned) => "result".to_owned(),
            (Owner::Argument, ValueRef::Number(i) | ValueRef::Early(i)) => {
                let arg = program.body.args().nth(i as usize);
                arg.and_then(|a| program.body.value_name(a.into()))
                    .map_or_else(|| i.to_string(), ToOwned::to_owned)
            }
            (_, ValueRef::Number(i) | ValueRef::Early(i)) if (i as usize) < program.body.inst_capacity() => {
                program.name(Inst::from_index(i as usize))
            }
            (_, ValueRef::Number(i) | ValueRef::Early(i)) => i.to_string(),
        };
        let lane = if atom.lane == 0 { String::new() } else { format!("[{}]", atom.lane) };
        format!("{side}%{name}{lane}")
    }

    /// The reason why a draft is not a proof.
    pub(super) fn flaw(&self, flaw: &Flaw) -> String {
        let open = |why: &Option<UnknownReason>| match why {
            None => "does not follow",
            Some(UnknownReason::Units) => "was not decided within the budget",
            Some(UnknownReason::Time) => "was not decided in time",
            Some(_) => "was not decided",
        };
        match flaw {
            Flaw::Promised(what) => what.clone(),
            Flaw::Missing(node) => format!("no step covers some continuation of {}", self.node(*node)),
            Flaw::Goal(step, goal, why) => {
                let goal = match goal {
                    Goal::NoUb => "that the target has no UB",
                    Goal::Follows => "that the source follows",
                    Goal::Events => "that both make the same calls",
                    Goal::Memory => "that the memories are equal",
                    Goal::Value => "that the returned value is refined",
                    Goal::Settled => "that no value is undef",
                    Goal::Narrowing => "that undef bits are used at most once",
                    Goal::Progress => "that the target makes progress where the source does",
                };
                format!("{}: {goal} {}", self.step(step), open(why))
            }
            Flaw::Facts(step, why) => format!("{}: the facts after it {}", self.step(step), open(why)),
            Flaw::Endless(side, node) => {
                let side = if *side == Side::Source { "source" } else { "target" };
                format!("the {side} alone may run forever at {}", self.node(*node))
            }
            Flaw::Cuts => "the certificate names cuts that do not exist".to_owned(),
            Flaw::Reason(reason) => reason_text(reason),
        }
    }
}

/// The reason why a query could not be asked.
pub(super) fn reason_text(reason: &Reason) -> String {
    match reason {
        Reason::Unsupported(what) => what.feature.clone(),
        Reason::Mismatch(mismatch) => mismatch.to_string(),
        Reason::Time => "the time limit was reached".to_owned(),
        Reason::TooLarge { terms, .. } => format!("the formula is too large ({terms} terms)"),
        Reason::UndefChosenOnce => "undef bits are stored to memory or used more than once".to_owned(),
        Reason::PartlyUndefPointer => "some bits of a loaded pointer are undefined".to_owned(),
        Reason::Broken(error) => error.to_string(),
        Reason::Solver(name, _) => format!("the solver gave up on {name}"),
        Reason::PastBound { .. } => "no run ends within the bound".to_owned(),
    }
}
