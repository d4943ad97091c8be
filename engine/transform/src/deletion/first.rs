//! Whether a loop is always left in its first iteration: simulates the first iteration with the header phis' initial
//! values, along the branches that can be decided.
//!
//! Guarantees: `true` only if no path of the first iteration returns to the header. Blocks of nested loops are
//! assumed to branch everywhere, and their values to be unknown. Loops that contain irreducible cycles are not
//! handled, since a block of such a cycle may execute several times per iteration. The work is one visit per
//! instruction.

use crate::fold::{Outcome, outcome};
use crate::shape::Shape;
use crate::undef::has_undef;
use backedge_analysis::LoopId;
use backedge_analysis::cache::At;
use backedge_analysis::conditions::Conditions;
use backedge_analysis::must_execute::has_irreducible_cycle;
use backedge_analysis::values::Demanded;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{InstData, InstKind, IntPredicate, Value};
use backedge_ir::int::Int;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// Loops with more blocks are not examined: bounds the time of following the first iteration through all of them.
const MAX_BLOCKS: usize = 256;

/// The value of a value in the first iteration.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Known {
    Int(Int),
    /// A value that is available before the loop.
    Outside(Value),
}

struct First<'a, 's> {
    at: At<'a>,
    shape: &'s Shape,
    l: LoopId,
    /// The terminator of the preheader.
    entry: Inst,
    known: FxHashMap<Inst, Known>,
    edges: FxHashSet<(Block, Block)>,
}

pub(super) fn exits_in_first_iteration(at: At<'_>, shape: &Shape, l: LoopId, preheader: Block) -> bool {
    let Some(entry) = at.body.terminator(preheader) else { return false };
    let blocks = shape.loops.blocks(l);
    if blocks.len() > MAX_BLOCKS || has_irreducible_cycle(at, &shape.loops, l) {
        return false;
    }
    let (known, edges) = (FxHashMap::default(), FxHashSet::default());
    let mut first = First { at, shape, l, entry, known, edges };
    first.edges.insert((preheader, shape.loops.header(l)));
    let inside: FxHashSet<Block> = blocks.iter().copied().collect();
    shape.cfg.rpo().iter().filter(|b| inside.contains(b)).all(|b| first.pass(*b))
}

impl First<'_, '_> {
    /// Visits the block if it is reachable; returns false if control may return to the header.
    fn pass(&mut self, block: Block) -> bool {
        let header = self.shape.loops.header(self.l);
        let entered = self.shape.cfg.preds(block).iter().any(|p| self.edges.contains(&(*p, block)));
        if !entered {
            return true;
        }
        let own = self.shape.loops.innermost(block) == Some(self.l);
        if own {
            for &inst in self.at.body.insts(block) {
                if let Some(known) = self.evaluate(block, inst) {
                    self.known.insert(inst, known);
                }
            }
        }
        let targets = self.targets(block, own);
        self.edges.extend(targets.iter().map(|to| (block, *to)));
        !targets.contains(&header)
    }
    /// The possible successors of `block`.
    fn targets(&self, block: Block, own: bool) -> SmallVec<[Block; 4]> {
        let all = || self.at.body.successors(block).into();
        let Some(terminator) = self.at.body.terminator(block).filter(|_| own) else { return all() };
        let data = self.at.body.inst(terminator);
        match (&data.kind, data.operands.first().and_then(|v| self.of(*v))) {
            (InstKind::CondBr, Some(Known::Int(c))) => {
                SmallVec::from_slice(&[data.blocks[usize::from(c.is_zero())]])
            }
            (InstKind::Switch, Some(Known::Int(c))) => {
                let case = data.operands[1..].iter().position(|v| self.at.body.as_int(*v) == Some(c));
                SmallVec::from_slice(&[data.blocks[case.map_or(0, |i| i + 1)]])
            }
            _ => all(),
        }
    }
    fn of(&self, value: Value) -> Option<Known> {
        if let Some(int) = self.at.body.as_int(value) {
            return Some(Known::Int(int));
        }
        if self.shape.loops.is_invariant(self.at.body, self.l, value) {
            return (!has_undef(self.at.body, value)).then_some(Known::Outside(value));
        }
        self.known.get(&value.as_inst()?).copied()
    }
    fn evaluate(&self, block: Block, inst: Inst) -> Option<Known> {
        let data = self.at.body.inst(inst);
        if data.kind.is_phi() {
            let over = |from: &Block| self.edges.contains(&(*from, block));
            let mut values = data.incoming().filter(|(_, from)| over(from)).map(|(v, _)| self.of(v));
            let first = values.next()??;
            return values.all(|v| v == Some(first)).then_some(first);
        }
        let operands: Option<SmallVec<[Known; 3]>> = data.operands.iter().map(|v| self.of(*v)).collect();
        if let InstKind::Select(_) = data.kind
            && let Some(Known::Int(c)) = self.of(data.operands[0])
        {
            return self.of(data.operands[if c.is_zero() { 2 } else { 1 }]);
        }
        let operands = operands?;
        let ints: Option<SmallVec<[Int; 3]>> = operands
            .iter()
            .map(|k| match k {
                Known::Int(int) => Some(*int),
                Known::Outside(_) => None,
            })
            .collect();
        match ints {
            Some(ints) => match outcome(&data.kind, data.ty, &ints)? {
                Outcome::Int(value) => Some(Known::Int(value)),
                Outcome::Poison | Outcome::Undefined => None,
            },
            None => self.compare(data, &operands),
        }
    }
    /// A comparison of values available before the loop, decided by the facts known there.
    fn compare(&self, data: &InstData, operands: &[Known]) -> Option<Known> {
        let (InstKind::ICmp { pred, samesign: false }, &[a, b]) = (&data.kind, operands) else { return None };
        let truth = match (a, b) {
            (Known::Outside(a), Known::Outside(b)) if a == b => pred.holds(Int::zero(1), Int::zero(1)),
            (Known::Outside(a), Known::Outside(b)) => {
                let implied = self.at.get::<Conditions>().implied_at(self.at, self.entry, *pred, a, b);
                implied.or_else(|| {
                    let facts = self.at.get::<Demanded>();
                    facts.at(self.at, a, self.entry)?.icmp(*pred, facts.at(self.at, b, self.entry)?)
                })?
            }
            (Known::Outside(a), Known::Int(c)) => self.compare_with(*pred, a, c)?,
            (Known::Int(c), Known::Outside(b)) => self.compare_with(pred.swapped(), b, c)?,
            (Known::Int(a), Known::Int(b)) => pred.holds(a, b),
        };
        Some(Known::Int(Int::bool(truth)))
    }
    fn compare_with(&self, pred: IntPredicate, a: Value, c: Int) -> Option<bool> {
        let facts = self.at.get::<Demanded>().at(self.at, a, self.entry)?;
        facts.icmp(pred, backedge_analysis::values::Facts::constant(c))
    }
}
