//! Invariants of every tree between transforms.

use super::{END, Event, Hir, HlInst, Kind, List, LoopKind, Node, Operation, Predicate, Target, Ways};
use crate::ddref::RegDdRef;
use backedge_ir::types::Type;
use std::fmt;

/// A violated invariant, with the node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Problem {
    /// A goto's target is not a label of its region.
    Target(Node),
    /// The first node of the unknown loop's body is not its label.
    LoopLabel(Node),
    /// A goto enters a loop from outside, past its entry.
    IntoLoop(Node),
    /// A form of the node has the induction variable of a loop that does not contain the node.
    InductionVariable(Node),
    /// The blob references or a level of a reference of the node do not match its forms.
    Attached(Node),
    /// An if has no condition, or a switch has a duplicate case.
    Conditions(Node),
    /// A region is in another node.
    NestedRegion(Node),
    /// A bound or the stride of the loop is not an integer.
    Bounds(Node),
    /// The operands of a comparison, switch or copy have different types.
    Types(Node),
    /// Control reaches the end of a region without exits.
    End(Node),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Target(_) => "a goto's target is not a label of its region",
            Self::LoopLabel(_) => "a loop whose count is not known does not begin with its label",
            Self::IntoLoop(_) => "a goto jumps into the middle of a loop",
            Self::InductionVariable(_) => "an induction variable is used outside of its loop",
            Self::Attached(_) => "the blob references of a reference do not match its forms",
            Self::Conditions(_) => "an if has no condition, or a switch has a duplicate case",
            Self::NestedRegion(_) => "a region is in another node",
            Self::Bounds(_) => "a bound or stride of a loop is not an integer",
            Self::Types(_) => "the operands of a comparison, switch or copy have different types",
            Self::End(_) => "control reaches the end of a region without exits",
        })
    }
}

impl Hir {
    /// All violated invariants of a region.
    pub fn check(&self, region: Node) -> Vec<Problem> {
        let mut problems = Vec::new();
        for event in self.events(region) {
            if let Event::Enter(node) = event {
                self.check_node(region, node, &mut problems);
            }
        }
        problems
    }
    fn check_node(&self, region: Node, node: Node, problems: &mut Vec<Problem>) {
        match self.kind(node) {
            Kind::Region(_) if node != region => problems.push(Problem::NestedRegion(node)),
            Kind::Goto(goto) => match goto.target {
                Target::Exit(exit) => {
                    let Kind::Region(of) = self.kind(region) else { return };
                    if exit as usize >= of.exits.len() {
                        problems.push(Problem::Target(node));
                    }
                }
                Target::Label(label) => {
                    let is_label = matches!(self.kind(label), Kind::Label(_));
                    if !is_label || self.region(label) != Some(region) {
                        problems.push(Problem::Target(node));
                    } else if self.loops_around(label).any(|l| !self.is_in_body(l, node)) {
                        problems.push(Problem::IntoLoop(node));
                    }
                }
            },
            Kind::Loop(l) => match &l.kind {
                LoopKind::Unknown(label) if self.first(node, List::Body) != Some(*label) => {
                    problems.push(Problem::LoopLabel(node));
                }
                LoopKind::Do { lower, upper, stride } => {
                    let is_int = |of: &RegDdRef| of.as_terminal().is_some_and(|f| f.dest_type().is_int());
                    if ![lower, upper, stride].into_iter().all(is_int) {
                        problems.push(Problem::Bounds(node));
                    }
                }
                LoopKind::Unknown(_) => {}
            },
            Kind::Region(of) if of.exits.is_empty() => {
                if Ways::new(self, region).reached()[END as usize] {
                    problems.push(Problem::End(node));
                }
            }
            Kind::If(branch) if branch.conditions.is_empty() => problems.push(Problem::Conditions(node)),
            Kind::Switch(switch) => {
                let mut values: Vec<u128> = switch.cases.iter().map(|c| c.bits()).collect();
                values.sort_unstable();
                if values.windows(2).any(|pair| pair[0] == pair[1]) {
                    problems.push(Problem::Conditions(node));
                }
            }
            Kind::Region(_) | Kind::If(_) | Kind::Label(_) | Kind::Inst(_) => {}
        }
        if !self.has_right_types(node) {
            problems.push(Problem::Types(node));
        }
        self.check_refs(node, problems);
    }
    /// Whether the operands of each comparison, switch and copy have one type. IR instructions are not checked.
    fn has_right_types(&self, node: Node) -> bool {
        let are_same = |all: &[Predicate]| all.iter().all(|one| one.refs[0].ty() == one.refs[1].ty());
        match self.kind(node) {
            Kind::Loop(l) => are_same(&l.ztt),
            Kind::If(branch) => are_same(&branch.conditions),
            Kind::Switch(of) => of.cases.iter().all(|case| of.condition.ty() == Type::int(case.width())),
            Kind::Inst(HlInst { operation: Operation::Copy, lval, rvals, .. }) => {
                matches!(&rvals[..], [of] if lval.as_ref().is_some_and(|to| to.ty() == of.ty()))
            }
            Kind::Inst(_) | Kind::Region(_) | Kind::Label(_) | Kind::Goto(_) => true,
        }
    }
    fn check_refs(&self, node: Node, problems: &mut Vec<Problem>) {
        let level = self.level(node);
        let refs = self.kind(node).refs();
        if refs.iter().flat_map(|r| r.forms()).any(|f| f.ivs().iter().any(|(l, _)| *l > level)) {
            problems.push(Problem::InductionVariable(node));
        }
        if self.refreshed(node).refs() != refs {
            problems.push(Problem::Attached(node));
        }
    }
}
