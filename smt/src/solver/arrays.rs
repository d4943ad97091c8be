//! Array variables that a query can do without: those of which nothing but elements is used, at indices that are all
//! different by their shape, as those of neighbouring bytes are. Each element is a variable of its own then; an array with
//! these elements exists. Z3 would compare all indices with each other.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::term::{Op, Sort, Term, Terms};

/// With more elements an array stays one: their indices are compared two by two.
const MANY: usize = 2000;

/// The array variables of a query that it can do without, each with the elements that are used, in ascending order.
#[derive(Debug, Default)]
pub(super) struct Reads {
    pub(super) elements: Vec<(Term, Vec<Term>)>,
    arrays: FxHashSet<Term>,
}

impl Reads {
    /// Of a query that contains the terms `cone`, which ascend.
    pub(super) fn of(terms: &Terms, cone: &[Term]) -> Reads {
        let mut elements: FxHashMap<Term, Vec<Term>> = FxHashMap::default();
        let mut whole: FxHashSet<Term> = FxHashSet::default();
        for &term in cone {
            for (place, &arg) in terms.args(term).iter().enumerate() {
                if !matches!((terms.sort(arg), terms.op(arg)), (Sort::Array { .. }, Op::Var(_))) {
                    continue;
                }
                if place == 0 && terms.op(term) == Op::Select {
                    elements.entry(arg).or_default().push(term);
                } else {
                    whole.insert(arg);
                }
            }
        }
        elements.retain(|array, elements| !whole.contains(array) && are_apart(terms, elements));
        let arrays = elements.keys().copied().collect();
        let mut elements: Vec<_> = elements.into_iter().collect();
        elements.sort_unstable_by_key(|(array, _)| *array);
        Reads { elements, arrays }
    }

    /// Whether the query does without `array`.
    pub(super) fn replaces(&self, array: Term) -> bool {
        self.arrays.contains(&array)
    }
}

/// Whether the indices of these elements are all different.
fn are_apart(terms: &Terms, elements: &[Term]) -> bool {
    let index = |element: Term| terms.args(element)[1];
    let apart = |a: Term, b: Term| terms.decide_eq(index(a), index(b)) == Some(false);
    elements.len() <= MANY
        && elements.iter().enumerate().all(|(i, &a)| elements[i + 1..].iter().all(|&b| apart(a, b)))
}
