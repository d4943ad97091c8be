//! Eliminates array variables from a query. An array can be eliminated if the query only selects elements from it, at
//! indices whose shapes show that they all differ, as those of adjacent bytes do. Each element becomes a variable; an
//! array with these elements exists. Z3 would compare all indices with each other.
//!
//! If some indices may be equal, a constraint can state that equal indices have equal elements (Ackermann's reduction).
//! Without arrays the query is pure bit vectors, and Z3 answers it several times faster. Its models have zeros in all
//! unconstrained elements, including blocks of memory at address 0.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::term::{Op, Sort, Term, Terms};

/// An array with more elements stays an array, because the elimination compares all pairs of indices.
const MANY: usize = 2000;
/// Maximum number of possibly equal pairs of elements in a query that is reduced to bit vectors: each adds a condition.
const MANY_PAIRS: usize = 400;

/// Selects the arrays to eliminate.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Without {
    /// Arrays whose elements surely have different indices. The models look like those of arrays.
    Apart,
    /// Also arrays with elements whose indices may be equal.
    PerhapsSame,
}

/// The array variables that are eliminated, each with its selected elements, in ascending order.
#[derive(Debug, Default)]
pub(super) struct Reads {
    pub(super) elements: Vec<(Term, Vec<Term>)>,
    /// Pairs of elements of one array that are equal if their indices are.
    pub(super) perhaps_same: Vec<(Term, Term)>,
    arrays: FxHashSet<Term>,
}

impl Reads {
    /// Finds the eliminable arrays of a query with the terms `cone`, in ascending order.
    pub(super) fn of(terms: &Terms, cone: &[Term], without: Without) -> Reads {
        let most = match without {
            Without::Apart => 0,
            Without::PerhapsSame => MANY_PAIRS,
        };
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
        let mut perhaps_same = Vec::new();
        elements.retain(|array, elements| {
            let pairs = if whole.contains(array) { None } else { pairs(terms, elements, most) };
            perhaps_same.extend(pairs.iter().flatten());
            pairs.is_some()
        });
        perhaps_same.sort_unstable();
        let arrays = elements.keys().copied().collect();
        let mut elements: Vec<_> = elements.into_iter().collect();
        elements.sort_unstable_by_key(|(array, _)| *array);
        Reads { elements, perhaps_same, arrays }
    }

    /// Whether `array` is eliminated.
    pub(super) fn replaces(&self, array: Term) -> bool {
        self.arrays.contains(&array)
    }
}

/// The pairs of elements whose indices may be equal; `None` if there are more than `most`.
fn pairs(terms: &Terms, elements: &[Term], most: usize) -> Option<Vec<(Term, Term)>> {
    if elements.len() > MANY {
        return None;
    }
    let index = |element: Term| terms.args(element)[1];
    let mut pairs = Vec::new();
    for (i, &a) in elements.iter().enumerate() {
        let same = elements[i + 1..].iter().filter(|b| terms.decide_eq(index(a), index(**b)) != Some(false));
        pairs.extend(same.map(|&b| (a, b)));
        if pairs.len() > most {
            return None;
        }
    }
    Some(pairs)
}
