//! States that describe more runs than one: the least general state that describes two given ones, and whether a state
//! describes another.
//!
//! The search joins the states that arrive at a pair of positions ([`join`]). The check only uses [`Bound::of`]: it finds
//! values for the symbols of the more general state and compares the terms.

use super::state::{Fact, State, follows, is_in_use, nature_in};
use super::term::{Op, Term, Terms, Ty};
use backedge_ir::int::Int;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Maximum number of ways to see a term of one state as a term of the joined state.
const MANY_WAYS: usize = 4;

/// Values of the symbols of a general state, for which it is a state with more facts.
pub(super) struct Bound {
    values: FxHashMap<Term, Term>,
    /// Instances of terms of the general state.
    instances: FxHashMap<Term, Term>,
    /// Pairs that have been unified.
    seen: FxHashSet<(Term, Term)>,
}

impl Bound {
    /// The values for which `general` describes `state`; the error says what does not fit.
    pub(super) fn of(terms: &mut Terms, general: &State, state: &State) -> Result<Self, String> {
        let alike = general.sides.iter().zip(&state.sides).all(|(g, s)| g.looks_like(s));
        if !alike {
            return Err("other values are live".to_owned());
        }
        let mut bound = Self {
            values: FxHashMap::default(),
            instances: FxHashMap::default(),
            seen: FxHashSet::default(),
        };
        for (pattern, term) in general.roots().zip(state.roots()) {
            if matches!(terms.op(pattern), Op::Symbol(_)) {
                bound.values.entry(pattern).or_insert(term);
            }
        }
        for (pattern, term) in general.roots().zip(state.roots()) {
            bound.unify(terms, pattern, term);
        }
        state.enter(terms);
        for (pattern, term) in general.roots().zip(state.roots()) {
            if bound.instance(terms, pattern) != Some(term) {
                return Err("a value differs from the one in other iterations".to_owned());
            }
        }
        for (symbol, value) in &bound.values {
            let (wanted, found) = (terms.nature(*symbol), nature_in(terms, &state.facts, *value));
            let nature_fits = (!found.undef || wanted.undef) && (!found.poison || wanted.poison);
            let (modulus, rest) = terms.stride(*symbol);
            if !nature_fits
                || terms.get(*symbol).ty != terms.get(*value).ty
                || !has_stride(terms, *value, (modulus, rest))
            {
                return Err("a value is less defined than in other iterations".to_owned());
            }
        }
        for fact in &general.facts {
            let new: Option<Vec<Term>> = fact.terms().iter().map(|t| bound.instance(terms, *t)).collect();
            let holds = new.is_some_and(|new| follows(terms, &state.facts, &fact.with(&new)));
            if !holds {
                return Err("a fact does not hold in all iterations".to_owned());
            }
        }
        let parts = if state.chosen.is_empty() { FxHashSet::default() } else { is_in_use(terms, general) };
        for part in parts {
            let instance = bound.instance(terms, part);
            if !matches!(terms.op(part), Op::Symbol(_))
                && instance.is_some_and(|instance| state.chosen.contains(&instance))
                && !general.chosen.contains(&part)
            {
                return Err("an operation may choose another result than before".to_owned());
            }
        }
        Ok(bound)
    }
    fn instance(&mut self, terms: &mut Terms, term: Term) -> Option<Term> {
        terms.instance(term, &self.values, &mut self.instances)
    }
    /// Binds the symbols in `pattern` so that it becomes `term`, where that is obvious.
    fn unify(&mut self, terms: &mut Terms, pattern: Term, term: Term) {
        let mut work = vec![(pattern, term)];
        while let Some((pattern, term)) = work.pop() {
            if !self.seen.insert((pattern, term)) {
                continue;
            }
            if matches!(terms.op(pattern), Op::Symbol(_)) {
                self.values.entry(pattern).or_insert(term);
                continue;
            }
            let (base, more) = terms.split(pattern);
            if base != pattern && matches!(terms.op(base), Op::Symbol(_)) {
                if !self.values.contains_key(&base) && terms.get(term).ty == terms.get(base).ty {
                    let value = plus(terms, term, more.neg());
                    self.values.insert(base, value);
                }
                continue;
            }
            let (p, t) = (terms.get(pattern).clone(), terms.get(term).clone());
            if p.op == t.op && p.operands.len() == t.operands.len() {
                work.extend(p.operands.iter().copied().zip(t.operands.iter().copied()));
            }
        }
    }
}

/// `term + c`, also for constants.
fn plus(terms: &mut Terms, term: Term, c: Int) -> Term {
    match terms.as_int(term) {
        Some(value) => terms.int(value.add(c)),
        None => {
            let (base, more) = terms.split(term);
            terms.plus(base, more.add(c))
        }
    }
}

fn has_stride(terms: &Terms, term: Term, (modulus, rest): (u128, u128)) -> bool {
    let (own, own_rest) = stride_of(terms, term);
    own % modulus == 0 && own_rest % modulus == rest
}

/// A modulus (0 for a constant) and a remainder.
fn stride_of(terms: &Terms, term: Term) -> (u128, u128) {
    terms.as_int(term).map_or_else(|| terms.stride(term), |value| (0, value.bits()))
}

/// Pairs of integers that differ by the same constants: one symbol describes all of them.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
struct Family {
    /// The terms without constants.
    bases: [Option<Term>; 2],
    /// The second constant less the first one.
    distance: Int,
}

/// Pairs of terms of two states, and the terms of their join.
struct Join<'a> {
    terms: &'a mut Terms,
    facts: [&'a BTreeSet<Fact>; 2],
    pairs: FxHashMap<(Term, Term), Term>,
    /// Symbols of integers, with the first constant of each.
    families: FxHashMap<Family, (Term, Int)>,
    /// What the symbols are in the two states.
    values: [FxHashMap<Term, Term>; 2],
}

impl Join<'_> {
    /// A term with both as instances. Without `may_add`, from symbols that are there.
    fn general(&mut self, a: Term, b: Term, may_add: bool) -> Option<Term> {
        if a == b {
            return Some(a);
        }
        if let Some(&found) = self.pairs.get(&(a, b)) {
            return Some(found);
        }
        let (x, y) = (self.terms.get(a).clone(), self.terms.get(b).clone());
        if x.ty != y.ty {
            return None;
        }
        let family = self.family(a, b, x.ty);
        if let Some((key, from)) = family
            && let Some(&(symbol, first)) = self.families.get(&key)
        {
            let found = self.terms.plus(symbol, from.sub(first));
            self.pairs.insert((a, b), found);
            return Some(found);
        }
        if x.op == y.op && x.operands.len() == y.operands.len() && !x.operands.is_empty() {
            let operands: Option<super::term::Operands> =
                x.operands.iter().zip(&y.operands).map(|(a, b)| self.general(*a, *b, false)).collect();
            if let Some(operands) = operands {
                let found = self.terms.raw(x.op, operands, x.ty);
                self.pairs.insert((a, b), found);
                return Some(found);
            }
        }
        may_add.then(|| self.symbol(a, b, x.ty, family))
    }
    /// The family that an integer pair belongs to, and the constant of the first term.
    fn family(&self, a: Term, b: Term, ty: Ty) -> Option<(Family, Int)> {
        let bits = self.terms.bits(ty).filter(|bits| *bits <= Int::MAX_WIDTH)?;
        let part = |term: Term| match self.terms.as_int(term) {
            Some(value) => (None, value),
            None => {
                let (base, more) = self.terms.split(term);
                (Some(base), more)
            }
        };
        let ((base_a, more_a), (base_b, more_b)) = (part(a), part(b));
        (more_a.width() == bits && more_b.width() == bits)
            .then(|| (Family { bases: [base_a, base_b], distance: more_b.sub(more_a) }, more_a))
    }
    fn symbol(&mut self, a: Term, b: Term, ty: Ty, family: Option<(Family, Int)>) -> Term {
        let nature = nature_in(self.terms, self.facts[0], a).or(nature_in(self.terms, self.facts[1], b));
        let symbol = self.terms.symbol(ty, nature);
        if family.is_some() {
            let ((m, p), (n, q)) = (stride_of(self.terms, a), stride_of(self.terms, b));
            let distance = p.abs_diff(q);
            // The largest power of two that divides all three; 0 divides by everything.
            let bits = [m, n, distance].into_iter().filter(|v| *v != 0).map(u128::trailing_zeros).min();
            let modulus = bits.map_or(1, |bits| 1_u128 << bits.min(16));
            if modulus > 1 {
                self.terms.strides.insert(symbol, (modulus, p % modulus));
            }
        }
        self.pairs.insert((a, b), symbol);
        self.values[0].insert(symbol, a);
        self.values[1].insert(symbol, b);
        if let Some((key, from)) = family {
            self.families.entry(key).or_insert((symbol, from));
        }
        symbol
    }
    /// Terms of the joined state that are `term` in the first state.
    fn lifted(&mut self, term: Term, inverse: &FxHashMap<Term, Vec<Term>>) -> Vec<Term> {
        let mut found = Vec::new();
        for way in 0..MANY_WAYS {
            let mut done = FxHashMap::default();
            let lifted = self.lift(term, inverse, way, &mut done);
            if !found.contains(&lifted) {
                found.push(lifted);
            }
        }
        if !found.contains(&term) {
            found.push(term);
        }
        found
    }
    fn lift(
        &mut self,
        term: Term,
        inverse: &FxHashMap<Term, Vec<Term>>,
        way: usize,
        done: &mut FxHashMap<Term, Term>,
    ) -> Term {
        if let Some(&found) = done.get(&term) {
            return found;
        }
        let lifted = match inverse.get(&term) {
            Some(symbols) => symbols[way.min(symbols.len() - 1)],
            None if done.len() > 500 => term,
            None => {
                let node = self.terms.get(term).clone();
                let operands: super::term::Operands =
                    node.operands.iter().map(|o| self.lift(*o, inverse, way, done)).collect();
                if operands == node.operands { term } else { self.terms.raw(node.op, operands, node.ty) }
            }
        };
        done.insert(term, lifted);
        lifted
    }
    /// The facts of the first state that also hold in the second.
    fn facts(&mut self, first: &State, second: &State) -> BTreeSet<Fact> {
        let mut inverse: FxHashMap<Term, Vec<Term>> = FxHashMap::default();
        for (general, value) in self.pairs.iter().map(|((a, _), general)| (*general, *a)) {
            inverse.entry(value).or_default().push(general);
        }
        inverse.values_mut().for_each(|list| list.sort_unstable());
        let mut found = BTreeSet::new();
        let mut instances = FxHashMap::default();
        second.enter(self.terms);
        for fact in &first.facts {
            let ways: Vec<Vec<Term>> = fact.terms().iter().map(|t| self.lifted(*t, &inverse)).collect();
            let most = ways.iter().map(Vec::len).max().unwrap_or(0);
            for way in 0..most {
                let lifted: Vec<Term> = ways.iter().map(|list| list[way.min(list.len() - 1)]).collect();
                let new: Option<Vec<Term>> =
                    lifted.iter().map(|t| self.instance_in_second(*t, &mut instances)).collect();
                if new.is_some_and(|new| follows(self.terms, &second.facts, &fact.with(&new))) {
                    found.insert(fact.with(&lifted));
                }
            }
        }
        found.extend(self.loads(first, second, &inverse, &mut instances));
        found
    }
    /// What one of the states has executed must not be executed again.
    fn chosen(&mut self, states: [&State; 2], joined: &State) -> BTreeSet<Term> {
        let mut found = BTreeSet::new();
        for (index, state) in states.into_iter().enumerate() {
            if state.chosen.is_empty() {
                continue;
            }
            state.enter(self.terms);
            let mut done = FxHashMap::default();
            for part in is_in_use(self.terms, joined) {
                let instance = self.terms.instance(part, &self.values[index], &mut done);
                if !matches!(self.terms.op(part), Op::Symbol(_))
                    && instance.is_some_and(|instance| state.chosen.contains(&instance))
                {
                    found.insert(part);
                }
            }
        }
        found
    }
    fn instance_in_second(&mut self, term: Term, done: &mut FxHashMap<Term, Term>) -> Option<Term> {
        self.terms.instance(term, &self.values[1], done)
    }
    /// Makes each symbol of a state its own instance there.
    fn add_identities(&mut self, index: usize, state: &State) {
        for part in is_in_use(self.terms, state) {
            if matches!(self.terms.op(part), Op::Symbol(_)) {
                self.values[index].entry(part).or_insert(part);
            }
        }
    }
    /// What loads read from memories that differ between the states.
    fn loads(
        &mut self,
        first: &State,
        second: &State,
        inverse: &FxHashMap<Term, Vec<Term>>,
        instances: &mut FxHashMap<Term, Term>,
    ) -> Vec<Fact> {
        let memory_ty = self.terms.memory_ty();
        let memories: Vec<(Term, Term, Term)> = self.values[0]
            .iter()
            .filter(|(symbol, a)| self.terms.get(**symbol).ty == memory_ty && symbol != a)
            .filter_map(|(symbol, a)| Some((*symbol, *a, *self.values[1].get(symbol)?)))
            .collect();
        if memories.is_empty() {
            return Vec::new();
        }
        let mut places: Vec<(Term, Ty, u64)> = Vec::new();
        for part in self.terms.reachable(first.roots().chain(second.roots())) {
            if let Op::Load { size } = self.terms.op(part) {
                places.push((self.terms.get(part).operands[1], self.terms.get(part).ty, *size));
            }
        }
        places.sort_unstable();
        places.dedup();
        let mut found = Vec::new();
        for (pointer, ty, size) in places {
            for general in self.lifted(pointer, inverse) {
                let Some(there) = self.instance_in_second(general, instances) else { continue };
                for &(memory, a, b) in &memories {
                    first.enter(self.terms);
                    let here = self.terms.read(a, pointer, size, ty);
                    second.enter(self.terms);
                    let other = self.terms.read(b, there, size, ty);
                    if let Some(value) = self.general(here, other, false) {
                        found.push(Fact::Holds { memory, pointer: general, ty, value });
                    }
                }
            }
        }
        found
    }
}

/// A state that describes both. `None` if they differ in more than terms.
pub(super) fn join(terms: &mut Terms, first: &State, second: &State) -> Option<State> {
    if !first.sides.iter().zip(&second.sides).all(|(a, b)| a.looks_like(b)) {
        return None;
    }
    let facts = [&first.facts, &second.facts];
    let mut join = Join {
        terms,
        facts,
        pairs: FxHashMap::default(),
        families: FxHashMap::default(),
        values: [FxHashMap::default(), FxHashMap::default()],
    };
    let pairs: Vec<(Term, Term)> = first.roots().zip(second.roots()).collect();
    // Terms without parts first: larger terms are then made of the same symbols.
    let is_large = |join: &Join<'_>, (a, b): (Term, Term)| {
        !join.terms.get(a).operands.is_empty() && !join.terms.get(b).operands.is_empty()
    };
    for large in [false, true] {
        for &(a, b) in &pairs {
            if is_large(&join, (a, b)) == large {
                join.general(a, b, true)?;
            }
        }
    }
    let mut roots = Vec::with_capacity(pairs.len());
    for &(a, b) in &pairs {
        roots.push(join.general(a, b, true)?);
    }
    let mut state = first.clone();
    let mut rest = roots.into_iter();
    for side in &mut state.sides {
        side.replace(&mut rest);
    }
    join.add_identities(0, first);
    join.add_identities(1, second);
    state.facts = join.facts(first, second);
    state.chosen = join.chosen([first, second], &state);
    state.prune(join.terms);
    Some(state)
}
