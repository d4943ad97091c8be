//! What a term contains, and substitution. No walk recurses: arguments are smaller than what they are in.

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::{Op, Term, Terms};

impl Terms {
    /// All terms that the roots contain, themselves included, arguments before what they are in.
    pub fn cone(&self, roots: &[Term]) -> Vec<Term> {
        self.cone_of(roots, |_| true)
    }

    /// The terms of [`Terms::cone`] that one comes to by terms alone that are `wanted`.
    pub(super) fn cone_of(&self, roots: &[Term], wanted: impl Fn(Term) -> bool) -> Vec<Term> {
        const BITS: usize = u64::BITS as usize;
        let roots = roots.iter().copied().filter(|root| wanted(*root));
        let words = roots.clone().max().map_or(0, |last| last.0 as usize / BITS + 1);
        let mut marked = vec![0u64; words];
        let mark = |marked: &mut Vec<u64>, term: Term| {
            marked[term.0 as usize / BITS] |= 1 << (term.0 as usize % BITS);
        };
        roots.for_each(|root| mark(&mut marked, root));
        // From the last one downwards, since arguments are smaller.
        let mut cone = Vec::new();
        for word in (0..words).rev() {
            while let Some(bit) = marked[word].checked_ilog2() {
                marked[word] ^= 1 << bit;
                let term = Term((word * BITS) as u32 + bit);
                cone.push(term);
                let args = self.args(term).iter().copied().filter(|arg| wanted(*arg));
                args.for_each(|arg| mark(&mut marked, arg));
            }
        }
        cone.reverse();
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
        let cone = self.cone(roots);
        let mut new: FxHashMap<Term, Term> = FxHashMap::with_capacity_and_hasher(cone.len(), FxBuildHasher);
        for term in cone {
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
