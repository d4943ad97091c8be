//! What a term contains, and substitution. No walk recurses: arguments are smaller than what they are in.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Op, Term, Terms};

impl Terms {
    /// All terms that the roots contain, themselves included, arguments before what they are in.
    pub fn cone(&self, roots: &[Term]) -> Vec<Term> {
        let mut seen: FxHashSet<Term> = roots.iter().copied().collect();
        let mut cone: Vec<Term> = seen.iter().copied().collect();
        let mut next = 0;
        while let Some(&term) = cone.get(next) {
            next += 1;
            cone.extend(self.args(term).iter().copied().filter(|&arg| seen.insert(arg)));
        }
        cone.sort_unstable();
        cone
    }

    /// How many different terms the roots contain.
    pub fn size(&self, roots: &[Term]) -> usize {
        self.cone(roots).len()
    }

    /// The free variables of the roots, in the order in which they were made.
    pub fn variables(&self, roots: &[Term]) -> Vec<Term> {
        let mut cone = self.cone(roots);
        cone.retain(|&term| matches!(self.op(term), Op::Var(_)));
        cone
    }

    /// `root` with each term that is a key replaced by its value, at once (values are not searched for keys). What
    /// contains a replaced term is built anew, with all the rules of the builders.
    ///
    /// # Panics
    ///
    /// If a term is to be replaced by one of another sort.
    pub fn substitute(&mut self, root: Term, replacements: &FxHashMap<Term, Term>) -> Term {
        self.substitute_all(&[root], replacements)[0]
    }

    /// [`Terms::substitute`] in several terms at once.
    pub fn substitute_all(&mut self, roots: &[Term], replacements: &FxHashMap<Term, Term>) -> Vec<Term> {
        for (&from, &to) in replacements {
            assert_eq!(self.sort(from), self.sort(to), "{from:?} is replaced by {to:?}");
        }
        let mut new: FxHashMap<Term, Term> = FxHashMap::default();
        for term in self.cone(roots) {
            let built = match replacements.get(&term) {
                Some(&replacement) => replacement,
                None => {
                    let old: smallvec::SmallVec<[Term; 3]> = self.args(term).into();
                    let args: smallvec::SmallVec<[Term; 3]> = old.iter().map(|arg| new[arg]).collect();
                    if old == args { term } else { self.apply(self.op(term), &args) }
                }
            };
            new.insert(term, built);
        }
        roots.iter().map(|root| new[root]).collect()
    }
}
