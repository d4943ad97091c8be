//! Results of library functions that C leaves open: any number but 0, or any number of a sign.
//!
//! One implementation gives equal calls equal results. A call is equal to another one if its arguments are, and the
//! difference of the first bytes that differ: so implementations may tell apart places in memory, but not what lies after
//! the bytes that decide. The source may have another implementation than the target, as compilers replace calls by
//! results of their own.
//!
//! Up to a bound, each side has a choice per call, which an equal call before it has made already. A step of a proof for
//! all iterations sees no calls of other steps. There, what is chosen is one unknown function of the operands for both
//! sides; where the target does not call the library function, the source has the custom of implementations.

use crate::encode::function::{Encoded, Encoder};
use crate::encode::strings::LibraryCall;
use crate::encode::value::Scalar;
use crate::encode::world::{ChoiceKind, Evaluation, Side};
use crate::term::{Bits, Term, Terms};
use backedge_ir::body::Body;
use backedge_ir::entity::FuncId;
use backedge_ir::meaning::library::{Known, Library, called};
use backedge_ir::module::Module;
use std::sync::Arc;

/// Calls of a library function of which each is compared with those before it.
const MANY_CALLS: usize = 256;

/// A choice for a call, as later calls see it.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    key: Arc<str>,
    operands: Vec<Term>,
    /// Whether the call is reached and has something to choose.
    made: Term,
    value: Term,
}

/// The library functions that `func` calls.
pub(crate) fn called_by<'a>(
    module: &'a Module,
    func: FuncId,
    body: &'a Body,
) -> impl Iterator<Item = Library> + 'a {
    body.all_insts().filter_map(move |inst| match called(module, func, body, inst) {
        Some(Known::Function(which)) => Some(which),
        Some(Known::Unmodelled) | None => None,
    })
}

impl Encoder<'_, '_> {
    /// Zero, or any other number where `cond` holds of the argument `x` of `which`.
    pub(super) fn truth(&mut self, (which, x): (Library, Scalar), cond: Term, width: u32) -> Encoded<Scalar> {
        let terms = &mut self.w.terms;
        let (zero, usual) = (terms.number(width, 0), terms.number(width, 1));
        let false_or_poison = terms.not(cond);
        let closed = terms.or(false_or_poison, x.poison);
        self.w.approximate("what a library function gives that is true is any number but 0");
        let chosen = self.answer((which, vec![x.bits]), closed, usual)?;
        let bits = or_one(&mut self.w.terms, chosen);
        Ok(Scalar { bits: self.w.terms.ite(cond, bits, zero), poison: x.poison, undef: zero })
    }
    /// The result of a comparison whose first differing bytes have this difference: any number of its sign; of `bcmp` any
    /// number but 0.
    pub(super) fn compared(&mut self, difference: Scalar, call: &LibraryCall<'_>) -> Encoded<Scalar> {
        let terms = &mut self.w.terms;
        let width = call.width;
        let zero = terms.number(width, 0);
        let none = terms.number(terms.width(difference.bits), 0);
        let equal = terms.eq(difference.bits, none);
        if terms.as_bool(equal) == Some(true) {
            return Ok(Scalar { bits: zero, poison: difference.poison, undef: zero });
        }
        let negative = terms.is_negative(difference.bits);
        let closed = terms.or(equal, difference.poison);
        let by_difference = terms.sext(difference.bits, width);
        self.w.approximate("how far apart the operands of a comparison are is any number");
        let arguments = call.args.iter().flat_map(|arg| arg.scalars()).map(|scalar| scalar.bits);
        let operands = arguments.chain([difference.bits]).collect();
        let terms = &mut self.w.terms;
        let bits = if call.which == Library::Bcmp {
            let chosen = self.answer((call.which, operands), closed, by_difference)?;
            or_one(&mut self.w.terms, chosen)
        } else {
            // The choice counts from the number of that sign that is nearest to zero, up to the furthest one.
            let one = terms.number(width, 1);
            let (usual_below, usual_above) = (terms.bv_not(by_difference), terms.sub(by_difference, one));
            let usual = terms.ite(negative, usual_below, usual_above);
            let chosen = self.answer((call.which, operands), closed, usual)?;
            let terms = &mut self.w.terms;
            let most = terms.constant(Bits::signed_max(width));
            let distance = terms.bv_and(chosen, most);
            let (is_most, next) = (terms.eq(distance, most), terms.add(distance, one));
            let (below, above) = (terms.bv_not(distance), terms.ite(is_most, most, next));
            terms.ite(negative, below, above)
        };
        Ok(Scalar { bits: self.w.terms.ite(equal, zero, bits), poison: difference.poison, undef: zero })
    }
    /// What an implementation of `which` chooses for a call with these operands, unless there is nothing to choose;
    /// `usual` is the custom.
    fn answer(
        &mut self,
        (which, operands): (Library, Vec<Term>),
        closed: Term,
        usual: Term,
    ) -> Encoded<Term> {
        let key: Arc<str> = format!("{which:?}").into();
        let width = self.w.terms.width(usual);
        if self.is_step {
            return Ok(match self.side {
                Side::Source if !self.w.answered.contains(&which) => usual,
                Side::Source | Side::Target => self.w.opaque_op(&key, &operands, width, false),
            });
        }
        let side = self.side.index();
        if self.w.answers[side].iter().filter(|answer| answer.key == key).count() >= MANY_CALLS {
            return Err(self.unsupported("many calls of a library function whose result is open"));
        }
        let terms = &mut self.w.terms;
        let (zero, all) = (terms.number(width, 0), terms.constant(Bits::ones(width)));
        let mut equal_calls = Vec::new();
        for answer in self.w.answers[side].iter().filter(|answer| answer.key == key) {
            let pairs = operands.iter().zip(&answer.operands);
            let equal: Vec<Term> = pairs.map(|(a, b)| terms.eq(*a, *b)).collect();
            let equal = terms.and_all([answer.made].into_iter().chain(equal));
            if terms.as_bool(equal) != Some(false) {
                equal_calls.push((equal, answer.value));
            }
        }
        let is_chosen = terms.or_all(equal_calls.iter().map(|(equal, _)| *equal));
        let nothing = terms.or(closed, is_chosen);
        let open = terms.ite(nothing, zero, all);
        let of = Evaluation { key: key.clone(), operands: operands.clone() };
        let chosen = self.choice_for(ChoiceKind::Difference, open, Some(of));
        self.w.usual.insert(chosen, usual);
        let terms = &mut self.w.terms;
        // The first of several equal calls has chosen for all of them.
        let value = equal_calls.iter().rev().fold(chosen, |value, &(equal, of)| terms.ite(equal, of, value));
        let is_open = terms.not(closed);
        let made = terms.and(self.path, is_open);
        self.w.answers[side].push(Answer { key, operands, made, value });
        Ok(value)
    }
}

/// `number`, or 1 if it is 0.
fn or_one(terms: &mut Terms, number: Term) -> Term {
    let width = terms.width(number);
    let (zero, one) = (terms.number(width, 0), terms.number(width, 1));
    let is_zero = terms.eq(number, zero);
    terms.ite(is_zero, one, number)
}
