//! Decides equations between reductions ([`Gather`]) by their operands, without the solver.

use crate::proof::lang::gather::{ALL, Gather};
use crate::term::{Op, Term, Terms};
use rustc_hash::FxHashMap;

/// `root` with equations between reductions of the same operands replaced by `true`. The result is equivalent to
/// `root`.
pub(in crate::proof) fn settle(terms: &mut Terms, root: Term) -> Term {
    let same = |terms: &Terms, a: Term, b: Term| {
        let both = |by: &Gather| by.split(terms, a).is_some() && by.split(terms, b).is_some();
        ALL.into_iter().filter(both).any(|by| {
            let own = by.leaves(terms, &[a]);
            own.is_some() && own == by.leaves(terms, &[b])
        })
    };
    let equations = terms.cone(&[root]).into_iter().filter(|t| terms.op(*t) == Op::Eq);
    let known: Vec<Term> = equations.filter(|t| same(terms, terms.args(*t)[0], terms.args(*t)[1])).collect();
    if known.is_empty() {
        return root;
    }
    let yes = terms.bool(true);
    let known: FxHashMap<Term, Term> = known.into_iter().map(|equation| (equation, yes)).collect();
    terms.substitute(root, &known)
}

#[cfg(test)]
mod tests {
    use super::{ALL, settle};
    use crate::term::{Assignment, Bits, Evaluator, Sort, Terms, Value};

    #[test]
    fn reductions_agree_with_numbers_in_any_order() {
        for by in ALL {
            let mut terms = Terms::default();
            let [a, b, c] = ["a", "b", "c"].map(|name| terms.variable(name, Sort::BitVec(3)));
            let (ab, bc) = (by.join(&mut terms, a, b), by.join(&mut terms, b, c));
            let (left, right) = (by.join(&mut terms, ab, c), by.join(&mut terms, a, bc));
            let same = terms.eq(left, right);
            assert_eq!(settle(&mut terms, same), terms.bool(true), "{by:?}");
            let other = terms.eq(ab, right);
            assert_ne!(settle(&mut terms, other), terms.bool(true), "{by:?}");
            assert_eq!(by.equation(&mut terms, right, &[c, b, a]), Some(terms.bool(true)), "{by:?}");
            for x in 0..512u128 {
                let numbers = [x & 7, x >> 3 & 7, x >> 6];
                let mut model = Assignment::default();
                for (variable, number) in [a, b, c].into_iter().zip(numbers) {
                    model.set(variable, Value::Bits(Bits::new(3, number)));
                }
                let mut evaluator = Evaluator::new(&terms, &model);
                let expected = by.number(by.number(numbers[0], numbers[1], 3), numbers[2], 3);
                assert_eq!(
                    evaluator.value(left).as_bits().and_then(Bits::to_u128),
                    Some(expected),
                    "{by:?} of {numbers:?}"
                );
                assert!(evaluator.truth(same), "{by:?} of {numbers:?}");
            }
        }
    }
}
