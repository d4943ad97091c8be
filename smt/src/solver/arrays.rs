//! Array variables that a query can do without: those of which nothing but elements is used, at indices that are all
//! different by their shape, as those of neighbouring bytes are. Each element is a variable of its own then; an array with
//! these elements exists. Z3 would compare all indices with each other.
//!
//! Where some indices may be the same number, it can be said besides that the elements are the same if the indices are
//! (Ackermann's reduction). Without arrays the query is one of bits alone, which Z3 answers several times faster; its models
//! have zeros in all elements that nothing is said of, blocks of memory at address 0 among them.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::term::{Op, Sort, Term, Terms};

/// With more elements an array stays one: their indices are compared two by two.
const MANY: usize = 2000;
/// How many pairs of elements may be the same one in a query that is made one of bits alone where that can be.
const MANY_PAIRS: usize = 400;

/// Which arrays a query does without.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Without {
    /// Those with elements that are all different: their models are like those of arrays.
    Apart,
    /// Those with elements of which some may be the same, too.
    PerhapsSame,
}

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

    /// Whether the query does without `array`.
    pub(super) fn replaces(&self, array: Term) -> bool {
        self.arrays.contains(&array)
    }
}

/// The pairs of these elements whose indices may be the same, unless there are more than `most`.
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
