//! Results of library functions that C leaves open: any nonzero number, or any number with a given sign.
//!
//! One implementation gives equal results to equal calls. Calls are equal if their arguments are equal and the first
//! differing bytes have the same difference. Implementations may therefore distinguish addresses, but not bytes after
//! those that decide the result. Source and target may use different implementations, because compilers replace calls
//! by results of their own.
//!
//! In bounded checks, each side makes one choice per call, or reuses the choice of an earlier equal call. A proof step
//! for all iterations sees no calls of other steps. In such a step, one unknown function of the operands represents the
//! choice on both sides; if the target does not call the library function, the source uses the customary result.

use crate::encode::function::{Encoded, Encoder};
use crate::encode::strings::LibraryCall;
use crate::encode::value::Scalar;
use crate::encode::world::{Answer, ChoiceKind, Evaluation, Side};
use crate::term::{Bits, Term, Terms};
use backedge_ir::body::Body;
use backedge_ir::entity::FuncId;
use backedge_ir::meaning::library::{Known, Library, called};
use backedge_ir::module::Module;
use std::sync::Arc;

/// Maximum number of calls of a library function; each call is compared with all earlier ones.
const MANY_CALLS: usize = 256;

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
    /// Zero, or any nonzero number if `cond` holds for the argument `x` of `which`.
    pub(super) fn truth(&mut self, (which, x): (Library, Scalar), cond: Term, width: u32) -> Encoded<Scalar> {
        let terms = &mut self.w.terms;
        let (zero, usual) = (terms.number(width, 0), terms.number(width, 1));
        let false_or_poison = terms.not(cond);
        let closed = terms.or(false_or_poison, x.poison);
        self.w.approximate("a true result of a library function is any nonzero number");
        let chosen = self.answer((which, vec![x.bits]), closed, usual)?;
        let bits = or_one(&mut self.w.terms, chosen);
        Ok(Scalar { bits: self.w.terms.ite(cond, bits, zero), poison: x.poison, undef: zero })
    }
    /// The result of a comparison, given the difference of the first differing bytes: any number of the same sign; for
    /// `bcmp`, any nonzero number.
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
        self.w.approximate("the magnitude of a comparison result is any number");
        let arguments = call.args.iter().flat_map(|arg| arg.scalars()).map(|scalar| scalar.bits);
        let operands = arguments.chain([difference.bits]).collect();
        let terms = &mut self.w.terms;
        let bits = if call.which == Library::Bcmp {
            let chosen = self.answer((call.which, operands), closed, by_difference)?;
            or_one(&mut self.w.terms, chosen)
        } else {
            // The choice is the distance from the nonzero number nearest to zero with that sign.
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
    /// The choice that an implementation of `which` makes for a call with these operands. `usual` is the customary
    /// result, used if `closed` holds.
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
        // The first of several equal calls chooses for all of them.
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
