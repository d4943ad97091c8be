//! Subterms and substitution. No walk recurses, because an argument is always smaller than the term that uses it.

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::{Op, Term, Terms};

impl Terms {
    /// All subterms of the roots, including the roots. Arguments precede their users.
    pub fn cone(&self, roots: &[Term]) -> Vec<Term> {
        self.cone_of(roots, |_| true)
    }

    /// The terms of [`Terms::cone`] that are reachable from the roots through `wanted` terms only.
    pub(super) fn cone_of(&self, roots: &[Term], wanted: impl Fn(Term) -> bool) -> Vec<Term> {
        /// Bits of a word of the set.
        const BITS: usize = u64::BITS as usize;
        let roots = roots.iter().copied().filter(|root| wanted(*root));
        let words = roots.clone().max().map_or(0, |last| last.0 as usize / BITS + 1);
        let mut marked = vec![0u64; words];
        let mark = |marked: &mut Vec<u64>, term: Term| {
            marked[term.0 as usize / BITS] |= 1 << (term.0 as usize % BITS);
        };
        roots.for_each(|root| mark(&mut marked, root));
        // Descending order visits users before their arguments, since arguments are smaller.
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

    /// The number of distinct subterms of the roots.
    pub fn size(&self, roots: &[Term]) -> usize {
        self.cone(roots).len()
    }

    /// The free variables of the roots, in order of creation.
    pub fn variables(&self, roots: &[Term]) -> Vec<Term> {
        let mut cone = self.cone(roots);
        cone.retain(|&term| matches!(self.op(term), Op::Var(_)));
        cone
    }

    /// Replaces each term of `root` that is a key by its value, simultaneously: values are not searched for keys. A
    /// term that contains a replaced term is rebuilt with all rules of the builders.
    ///
    /// # Panics
    ///
    /// If a replacement has another sort than the term it replaces.
    pub fn substitute(&mut self, root: Term, replacements: &FxHashMap<Term, Term>) -> Term {
        self.substitute_all(&[root], replacements)[0]
    }

    /// [`Terms::substitute`] in several roots at once.
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
