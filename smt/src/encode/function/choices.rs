//! Makes nondeterministic choices at instructions: undef bits at a use, and results that the language leaves open.

use crate::encode::function::Encoder;
use crate::encode::value::Scalar;
use crate::encode::world::{Choice, ChoiceKind, Evaluation, Side};
use crate::term::{Bits, Op, Term};
use backedge_ir::entity::Inst;
use std::sync::Arc;

impl Encoder<'_, '_> {
    /// A choice of this side for the bits in `open`.
    pub(crate) fn choice(&mut self, kind: ChoiceKind, open: Term) -> Term {
        self.choice_for(kind, open, None)
    }
    /// A choice for an evaluation. If the encoded instructions were executed before, the choice is already fixed and is
    /// not added to the open choices.
    pub(crate) fn choice_for(&mut self, kind: ChoiceKind, open: Term, of: Option<Evaluation>) -> Term {
        let width = self.w.terms.width(open);
        let inst = self.inst.expect("choices are made at instructions");
        let count = self.choice_counts.entry((inst, self.copy.counters.clone(), kind)).or_insert(0);
        let index = *count;
        *count += 1;
        let label = self.label(inst);
        let var = self.w.fresh(&format!("choice {label}"), width);
        let choice = Choice {
            inst,
            label,
            counters: self.copy.counters.clone(),
            kind,
            index,
            var,
            open,
            made: self.path,
            of,
        };
        match (self.holds_results, self.side) {
            (false, side) => self.w.choices[side.index()].push(choice),
            (true, Side::Target) => self.w.held.push(choice),
            (true, Side::Source) => {}
        }
        var
    }
    /// The name or number of an instruction, or its position if it has no result.
    pub(crate) fn label(&self, inst: Inst) -> Arc<str> {
        if let Some(name) = self.body.value_name(inst.into()) {
            return name.into();
        }
        match self.slots.insts[inst] {
            Some(number) => number.to_string().into(),
            None => {
                let block = self.copy.block;
                let at = self.body.insts(block).iter().position(|i| *i == inst).unwrap_or_default();
                format!("{}:{at}", self.slots.block_label(self.body, block)).into()
            }
        }
    }
    /// One use of a scalar: chooses its undef bits.
    pub(crate) fn used(&mut self, scalar: Scalar) -> Scalar {
        if self.w.terms.as_bits(scalar.undef).is_some_and(crate::term::Bits::is_zero) {
            return scalar;
        }
        self.w.approximate("undef bits are chosen once for all uses of a value computed from them");
        let width = self.w.terms.width(scalar.bits);
        let chosen = self.choice(ChoiceKind::Undef, scalar.undef);
        let terms = &mut self.w.terms;
        Scalar {
            bits: choose(terms, scalar.bits, scalar.undef, chosen),
            undef: terms.number(width, 0),
            ..scalar
        }
    }
}

/// `chosen` where `mask` is set, else `bits`.
pub(crate) fn choose(terms: &mut crate::term::Terms, bits: Term, mask: Term, chosen: Term) -> Term {
    if terms.op(mask) == Op::Ite {
        let [which, then, other] = [terms.args(mask)[0], terms.args(mask)[1], terms.args(mask)[2]];
        let is = |arm: Term, test: fn(&Bits) -> bool| terms.as_bits(arm).is_some_and(test);
        // The mask has all bits or none set: this form folds as soon as one of the two is known.
        if is(then, Bits::is_ones) && is(other, Bits::is_zero) {
            return terms.ite(which, chosen, bits);
        }
        if is(then, Bits::is_zero) && is(other, Bits::is_ones) {
            return terms.ite(which, bits, chosen);
        }
    }
    let fixed = terms.bv_not(mask);
    let (kept, new) = (terms.bv_and(bits, fixed), terms.bv_and(chosen, mask));
    terms.bv_or(kept, new)
}
