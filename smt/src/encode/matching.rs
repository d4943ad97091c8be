//! Selects the source's choices for evaluations that the target performs too.
//!
//! Refinement asks for source choices that exist for each choice of the target. A proof may replace the source's
//! choices by any terms over the target's choices. An evaluation in the source takes the choice of a target evaluation
//! with the same operation and equal operands. Without such an evaluation, it yields the deterministic result, or the
//! customary result of implementations. Two target evaluations with one counterpart in the source keep their own
//! choices, so that nothing implies equal results.

use crate::encode::world::{Choice, ChoiceKind, OpaqueOp, Side, World};
use crate::term::Term;
use rustc_hash::{FxHashMap, FxHashSet};

/// Maximum number of target evaluations that are compared with one source evaluation: each is a condition of its
/// choice.
const MANY_CANDIDATES: usize = 6;

impl World {
    /// Adds to `found` the replacements for the source's evaluation choices, and for results of operations that then
    /// equal the target's.
    pub(crate) fn match_evaluations(&mut self, found: &mut FxHashMap<Term, Term>) {
        let source = self.choices[Side::Source.index()].clone();
        if source.iter().all(|c| c.of.is_none()) {
            return;
        }
        // Terms that depend on the source's choices and answers.
        let mut open: FxHashSet<Term> = self.functions_of(&source).into_iter().collect();
        open.extend(source.iter().map(|c| c.var));
        let mut known: FxHashMap<(std::sync::Arc<str>, Vec<Term>), Term> = FxHashMap::default();
        let mut dependent: Vec<OpaqueOp> = Vec::new();
        for op in &self.opaque_ops {
            if open.contains(&op.result) {
                dependent.push(op.clone());
            } else {
                known.insert((op.key.clone(), op.args.clone()), op.result);
            }
        }
        let mut ops = dependent.into_iter().peekable();
        let mut seen: FxHashMap<std::sync::Arc<str>, usize> = FxHashMap::default();
        for (at, choice) in source.iter().enumerate() {
            while let Some(op) = ops.next_if(|op| op.result < choice.var) {
                self.match_operation(&op, &known, found);
            }
            if let Some(of) = &choice.of {
                let key = format!("{:?} {}", choice.kind, of.key).into();
                let nth = seen.entry(key).or_insert(0);
                let named = source[..at].iter().filter(|c| is_like(c, choice) && c.label == choice.label);
                let counterpart = self.counterpart(choice, (named.count(), *nth), &open, found);
                *nth += 1;
                found.insert(choice.var, counterpart);
            }
        }
        for op in ops {
            self.match_operation(&op, &known, found);
        }
    }
    fn match_operation(
        &mut self,
        op: &OpaqueOp,
        known: &FxHashMap<(std::sync::Arc<str>, Vec<Term>), Term>,
        found: &mut FxHashMap<Term, Term>,
    ) {
        let args = self.terms.substitute_all(&op.args, found);
        let orders = OpaqueOp::orders(&args, op.commutes);
        let result = orders.into_iter().find_map(|order| known.get(&(op.key.clone(), order)));
        found.extend(result.map(|result| (op.result, *result)));
    }
    /// The source's choice if the target has no such evaluation.
    fn without_counterpart(
        &mut self,
        choice: &Choice,
        open: &FxHashSet<Term>,
        found: &FxHashMap<Term, Term>,
    ) -> Term {
        let zero = self.terms.number(self.terms.width(choice.var), 0);
        let Some(usual) = self.usual.get(&choice.var) else { return zero };
        // The customary result may depend on other choices.
        let usual = self.terms.substitute_all(&[*usual], found)[0];
        let depends = self.terms.variables(&[usual]).iter().any(|v| open.contains(v));
        if depends { zero } else { usual }
    }
    /// The choice of the target's counterpart: the evaluation whose operands are the same terms; otherwise the
    /// evaluation at the instruction with the same name, or with the same number, or one with equal operands.
    fn counterpart(
        &mut self,
        choice: &Choice,
        (named, nth): (usize, usize),
        open: &FxHashSet<Term>,
        found: &FxHashMap<Term, Term>,
    ) -> Term {
        let without = self.without_counterpart(choice, open, found);
        let Some(of) = &choice.of else { return without };
        let operands = self.terms.substitute_all(&of.operands, found);
        let targets = self.choices[Side::Target.index()].iter().chain(&self.held);
        let like: Vec<Choice> = targets.filter(|t| is_like(t, choice)).cloned().collect();
        let is_label = |t: &&Choice| t.label == choice.label;
        let at_place =
            like.iter().filter(is_label).find(|t| t.counters == choice.counters && t.index == choice.index);
        let by_name = at_place.or_else(|| like.iter().filter(is_label).nth(named));
        let first = by_name.or_else(|| like.get(nth)).or_else(|| like.last());
        let Some(first) = first else { return without };
        let same = |t: &&Choice| t.of.as_ref().is_some_and(|t| t.operands == operands);
        let exact: Vec<&Choice> = like.iter().filter(same).take(MANY_CANDIDATES).collect();
        if let Some(preferred) = Some(first).filter(same).or_else(|| exact.first().copied()) {
            let mut value = self.terms.bv_and(preferred.var, preferred.open);
            // Selects the evaluation that is on the target's path.
            for target in exact.into_iter().rev() {
                let chosen = self.terms.bv_and(target.var, target.open);
                value = self.terms.ite(target.made, chosen, value);
            }
            return value;
        }
        // The result of a library function for other operands is unrelated.
        let has_custom = choice.kind == ChoiceKind::Difference;
        let mut value = if has_custom { without } else { self.terms.bv_and(first.var, first.open) };
        if !has_custom && like.len() == 1 || self.terms.variables(&operands).iter().any(|v| open.contains(v))
        {
            return value;
        }
        let others = like.iter().filter(|t| t.var != first.var).take(MANY_CANDIDATES);
        let mut order: Vec<&Choice> = [first].into_iter().chain(others).collect();
        order.reverse();
        for target in order {
            let pairs = target.of.iter().flat_map(|t| t.operands.iter().zip(&operands));
            let equal: Vec<Term> = pairs.map(|(a, b)| self.terms.eq(*a, *b)).collect();
            let equal = self.terms.and_all([target.made].into_iter().chain(equal));
            let chosen = self.terms.bv_and(target.var, target.open);
            value = self.terms.ite(equal, chosen, value);
        }
        value
    }
}

/// Whether two choices belong to evaluations of the same operation.
fn is_like(a: &Choice, b: &Choice) -> bool {
    let key = |c: &Choice| c.of.as_ref().map(|of| of.key.clone());
    a.kind == b.kind
        && key(a) == key(b)
        && matches!(a.kind, ChoiceKind::Nan | ChoiceKind::Float | ChoiceKind::Difference)
}
