//! Array variables that a query can do without: those of which nothing but elements is used, at indices that mostly are
//! different by their shape, as those of neighbouring bytes are. Each element is a variable of its own then, and where two
//! indices may be the same number it is said that the elements are the same if the indices are (Ackermann's reduction); an
//! array with these elements exists. Without arrays the query is one of bits alone, which Z3 answers several times faster.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::term::{Op, Sort, Term, Terms};

/// With more elements an array stays one: their indices are compared two by two.
const MANY: usize = 2000;
/// With more pairs of elements that may be the same one, too.
const MANY_PAIRS: usize = 400;

/// The array variables of a query that it can do without, each with the elements that are used, in ascending order.
#[derive(Debug, Default)]
pub(super) struct Reads {
    pub(super) elements: Vec<(Term, Vec<Term>)>,
    /// Elements of one array that are the same if their indices are.
    pub(super) perhaps_same: Vec<(Term, Term)>,
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
        let mut perhaps_same = Vec::new();
        elements.retain(|array, elements| {
            let pairs = if whole.contains(array) { None } else { pairs(terms, elements) };
            perhaps_same.extend(pairs.iter().flatten());
            pairs.is_some()
        });
        perhaps_same.sort_unstable();
        let arrays = elements.keys().copied().collect();
        let mut elements: Vec<_> = elements.into_iter().collect();
        elements.sort_unstable_by_key(|(array, _)| *array);
        Reads { elements, perhaps_same, arrays }
    }

    /// Whether the query does without `array`.
    pub(super) fn replaces(&self, array: Term) -> bool {
        self.arrays.contains(&array)
    }
}

/// The pairs of these elements whose indices may be the same, unless there are many.
fn pairs(terms: &Terms, elements: &[Term]) -> Option<Vec<(Term, Term)>> {
    if elements.len() > MANY {
        return None;
    }
    let index = |element: Term| terms.args(element)[1];
    let mut pairs = Vec::new();
    for (i, &a) in elements.iter().enumerate() {
        let same = elements[i + 1..].iter().filter(|b| terms.decide_eq(index(a), index(**b)) != Some(false));
        pairs.extend(same.map(|&b| (a, b)));
        if pairs.len() > MANY_PAIRS {
            return None;
        }
    }
    Some(pairs)
}
