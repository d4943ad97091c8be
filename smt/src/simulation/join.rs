//! States that describe more runs than one: the least general state that describes two given ones, and whether a state
//! describes another.
//!
//! The search joins the states that arrive at a pair of positions ([`join`]). The check only uses [`Bound::of`]: it finds
//! values for the symbols of the more general state and compares the terms.

use super::flags::{common, gep_has_fewer, has_fewer};
use super::state::{Fact, State, follows, is_in_use, nature_in};
use super::term::{Op, Operands, Term, Terms, Ty};
use backedge_ir::inst::{BinaryFlags, InstKind};
use backedge_ir::int::Int;
use backedge_ir::opcode::BinaryOp;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Maximum number of parts of a term that is described by its parts.
const MANY_PARTS: usize = 300;
/// Maximum number of states that a join takes facts from.
pub(super) const MANY_ARRIVALS: usize = 5;
/// Maximum number of ways to see a term of one state as a term of the joined state.
const MANY_WAYS: usize = 4;

/// How much a join remembers.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Detail {
    /// Which values are equal or differ by a constant.
    Equalities,
    /// Also which values are computed from others: needed where one side is ahead of the other one. Values that are
    /// related in the first iterations by chance take more joins.
    Relations,
}

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
        let mut bound = Self::by_roots(terms, general, state);
        state.enter(terms);
        let of_source = general.sides[0].roots().count();
        for (index, (pattern, term)) in general.roots().zip(state.roots()).enumerate() {
            let instance = bound.instance(terms, pattern);
            // A value of the source may be replaced by a more defined one.
            match instance {
                Some(instance) if instance == term => {}
                Some(instance) if index < of_source && is_lowering(terms, instance, term) => {
                    terms.hides.extend([instance, pattern]);
                }
                _ => return Err("a value differs from the one in other iterations".to_owned()),
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
        if !general.facts.iter().all(|fact| bound.holds(terms, state, fact)) {
            return Err("a fact does not hold in all iterations".to_owned());
        }
        if !state.chosen.is_empty() {
            let parts = is_in_use(terms, general);
            if bound.chosen(terms, &parts, state).iter().any(|part| !general.chosen.contains(part)) {
                return Err("an operation may choose another result than before".to_owned());
            }
        }
        Ok(bound)
    }
    /// Values of the symbols where they are obvious.
    fn by_roots(terms: &mut Terms, general: &State, state: &State) -> Self {
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
        bound
    }
    fn instance(&mut self, terms: &mut Terms, term: Term) -> Option<Term> {
        terms.instance(term, &self.values, &mut self.instances)
    }
    /// Whether the fact, with these values, holds in the state. The terms must use the facts of the state.
    fn holds(&mut self, terms: &mut Terms, state: &State, fact: &Fact) -> bool {
        let new: Option<Vec<Term>> = fact.terms().iter().map(|t| self.instance(terms, *t)).collect();
        new.is_some_and(|new| follows(terms, &state.facts, &fact.with(&new)))
    }
    /// Parts of the general state that the state's target has executed.
    fn chosen(&mut self, terms: &mut Terms, parts: &FxHashSet<Term>, state: &State) -> Vec<Term> {
        let is_chosen = |part: &Term| {
            let instance = self.instance(terms, *part);
            !matches!(terms.op(*part), Op::Symbol(_))
                && instance.is_some_and(|instance| state.chosen.contains(&instance))
        };
        parts.iter().copied().filter(is_chosen).collect()
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

/// Whether `weaker` is the term with fewer flags, so that its value is more defined.
fn is_lowering(terms: &Terms, weaker: Term, term: Term) -> bool {
    if weaker == term {
        return true;
    }
    let (w, t) = (terms.get(weaker), terms.get(term));
    let fits = match (&w.op, &t.op) {
        (Op::Inst(weaker), Op::Inst(kind)) => has_fewer(weaker, kind),
        (Op::Gep { flags: weaker, steps: a }, Op::Gep { flags, steps: b }) => {
            a == b && gep_has_fewer(*weaker, *flags)
        }
        _ => false,
    };
    fits && w.execution == t.execution
        && w.ty == t.ty
        && w.operands.len() == t.operands.len()
        && w.operands.iter().zip(&t.operands).all(|(w, t)| is_lowering(terms, *w, *t))
}

fn has_stride(terms: &Terms, term: Term, (modulus, rest): (u128, u128)) -> bool {
    let (own, own_rest) = stride_of(terms, term);
    own % modulus == 0 && own_rest % modulus == rest
}

/// A modulus (0 for a constant) and a remainder.
fn stride_of(terms: &Terms, term: Term) -> (u128, u128) {
    terms.as_int(term).map_or_else(|| terms.stride(term), |value| (0, value.bits()))
}

/// The symbol of a family, with the constant and the terms that it was made for.
#[derive(Copy, Clone)]
struct Member {
    symbol: Term,
    first: Int,
    of: [Term; 2],
}

/// The operation with the flags that both have; `None` for different operations.
fn common_op(a: &Op, b: &Op) -> Option<Op> {
    match (a, b) {
        (Op::Inst(a), Op::Inst(b)) => common(a, b).map(Op::Inst),
        _ => (a == b).then(|| a.clone()),
    }
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
    detail: Detail,
    facts: [&'a BTreeSet<Fact>; 2],
    pairs: FxHashMap<(Term, Term), Term>,
    /// Symbols of integers.
    families: FxHashMap<Family, Member>,
    /// What the symbols are in the two states.
    values: [FxHashMap<Term, Term>; 2],
    /// The symbols, by what they are in the two states.
    described: [FxHashMap<Term, Term>; 2],
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
            && let Some(&member) = self.families.get(&key)
        {
            let found = self.sum(member, from, [a, b]);
            self.pairs.insert((a, b), found);
            return Some(found);
        }
        if x.operands.len() == y.operands.len()
            && !x.operands.is_empty()
            && let Some(op) = common_op(&x.op, &y.op)
        {
            let operands: Option<Operands> =
                x.operands.iter().zip(&y.operands).map(|(a, b)| self.general(*a, *b, false)).collect();
            if let Some(operands) = operands {
                let found = self.terms.raw(op, operands, x.ty);
                self.pairs.insert((a, b), found);
                return Some(found);
            }
        }
        if !may_add {
            return None;
        }
        // One of the terms may be folded: a constant in the first iteration.
        let found = match self.detail {
            Detail::Equalities => None,
            Detail::Relations => self.by_lifting([a, b], 1).or_else(|| self.by_lifting([a, b], 0)),
        };
        let found = found.unwrap_or_else(|| self.symbol(a, b, x.ty, family));
        self.pairs.insert((a, b), found);
        Some(found)
    }
    /// The term of state `which` with its parts replaced by the terms that describe them, if that is the other term in
    /// the other state.
    fn by_lifting(&mut self, pair: [Term; 2], which: usize) -> Option<Term> {
        let parts = self.terms.reachable([pair[which]]);
        if parts.len() > MANY_PARTS || self.terms.get(pair[which]).operands.is_empty() {
            return None;
        }
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        let mut in_order: Vec<Term> = parts.into_iter().collect();
        in_order.sort_unstable();
        for part in in_order {
            let known = self.described[which].get(&part).copied().filter(|_| part != pair[which]);
            let new = known.unwrap_or_else(|| {
                let node = self.terms.get(part).clone();
                let operands: Operands = node.operands.iter().map(|part| done[part]).collect();
                if operands == node.operands { part } else { self.terms.raw(node.op, operands, node.ty) }
            });
            done.insert(part, new);
        }
        let lifted = done[&pair[which]];
        let mut values = self.values[1 - which].clone();
        for part in self.terms.reachable([lifted]) {
            if matches!(self.terms.op(part), Op::Symbol(_)) {
                values.entry(part).or_insert(part);
            }
        }
        let other = self.terms.instance(lifted, &values, &mut FxHashMap::default());
        (other == Some(pair[1 - which])).then_some(lifted)
    }
    /// The sum of a symbol and a constant that is `terms` in the two states, with as many flags as possible.
    fn sum(&mut self, Member { symbol, first, of }: Member, from: Int, terms: [Term; 2]) -> Term {
        let (more, ty) = (self.terms.int(from.sub(first)), self.terms.get(symbol).ty);
        let mut with = |flags: BinaryFlags, base: Term| {
            let operands = Operands::from_slice(&[base, more]);
            self.terms.compute(InstKind::Binary(BinaryOp::Add, flags), operands, ty)
        };
        let all = if self.detail == Detail::Relations { 3 } else { 0 };
        for (nuw, nsw) in [(true, true), (false, true), (true, false)].into_iter().take(all) {
            let flags = BinaryFlags { nuw, nsw, ..BinaryFlags::default() };
            if of.map(|base| with(flags, base)) == terms {
                return with(flags, symbol);
            }
        }
        with(BinaryFlags::default(), symbol)
    }
    /// The family that an integer pair belongs to, and the constant of the first term.
    fn family(&self, a: Term, b: Term, ty: Ty) -> Option<(Family, Int)> {
        let bits = self.terms.bits(ty).filter(|bits| *bits <= Int::MAX_WIDTH)?;
        let part = |term: Term| match self.terms.as_int(term) {
            Some(value) => (None, value),
            None => {
                let (base, more) = match self.detail {
                    Detail::Equalities => self.terms.split(term),
                    Detail::Relations => self.terms.parts(term),
                };
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
        for (which, term) in [a, b].into_iter().enumerate() {
            self.values[which].insert(symbol, term);
            self.described[which].entry(term).or_insert(symbol);
        }
        if let Some((key, from)) = family {
            self.families.entry(key).or_insert(Member { symbol, first: from, of: [a, b] });
        }
        symbol
    }
}

/// Terms of a general state by their values in one of the states that it describes.
struct Lift {
    inverse: FxHashMap<Term, Vec<Term>>,
    /// Results, by way to choose among terms with equal values.
    done: [FxHashMap<Term, Term>; MANY_WAYS],
}

impl Lift {
    fn new(terms: &mut Terms, general: &State, state: &State) -> Self {
        let mut inverse: FxHashMap<Term, Vec<Term>> = FxHashMap::default();
        let symbols = Bound::by_roots(terms, general, state).values;
        for (term, value) in general.roots().zip(state.roots()).chain(symbols) {
            let all = inverse.entry(value).or_default();
            if term != value && !all.contains(&term) {
                all.push(term);
            }
        }
        inverse.retain(|_, all| !all.is_empty());
        inverse.values_mut().for_each(|list| list.sort_unstable());
        Self { inverse, done: Default::default() }
    }
    /// Terms of the general state that may have this value.
    fn all(&mut self, terms: &mut Terms, value: Term) -> Vec<Term> {
        let mut found = Vec::new();
        for way in 0..MANY_WAYS {
            let lifted = self.one(terms, value, way);
            if !found.contains(&lifted) {
                found.push(lifted);
            }
        }
        if !found.contains(&value) {
            found.push(value);
        }
        found
    }
    fn one(&mut self, terms: &mut Terms, value: Term, way: usize) -> Term {
        let done = &mut self.done[way];
        let mut work = vec![value];
        while let Some(&at) = work.last() {
            if done.contains_key(&at) {
                work.pop();
                continue;
            }
            if let Some(symbols) = self.inverse.get(&at) {
                done.insert(at, symbols[way.min(symbols.len() - 1)]);
                continue;
            }
            let node = terms.get(at).clone();
            let open: Vec<Term> =
                node.operands.iter().copied().filter(|part| !done.contains_key(part)).collect();
            if !open.is_empty() {
                work.extend(open);
                continue;
            }
            let operands: Operands = node.operands.iter().map(|part| done[part]).collect();
            let new = if operands == node.operands { at } else { terms.raw(node.op, operands, node.ty) };
            done.insert(at, new);
        }
        done[&value]
    }
    /// Facts of the general state that may be this fact.
    fn facts(&mut self, terms: &mut Terms, fact: &Fact) -> Vec<Fact> {
        let ways: Vec<Vec<Term>> = fact.terms().iter().map(|t| self.all(terms, *t)).collect();
        let most = ways.iter().map(Vec::len).max().unwrap_or(0);
        (0..most)
            .map(|way| {
                let lifted: Vec<Term> = ways.iter().map(|list| list[way.min(list.len() - 1)]).collect();
                fact.with(&lifted)
            })
            .collect()
    }
    /// What loads that the state uses read from the memories of the general state.
    fn loads(&mut self, terms: &mut Terms, general: &State, state: &State) -> Vec<Fact> {
        let memory_ty = terms.memory_ty();
        let mut memories: Vec<(Term, Term)> = general
            .roots()
            .zip(state.roots())
            .filter(|(g, s)| terms.get(*g).ty == memory_ty && g != s && matches!(terms.op(*g), Op::Symbol(_)))
            .collect();
        memories.sort_unstable();
        memories.dedup();
        if memories.is_empty() {
            return Vec::new();
        }
        let mut places: Vec<(Term, Ty, u64)> = Vec::new();
        for part in terms.reachable(state.roots()) {
            if let Op::Load { size } = terms.op(part) {
                places.push((terms.get(part).operands[1], terms.get(part).ty, *size));
            }
        }
        places.sort_unstable();
        places.dedup();
        state.enter(terms);
        let mut found = Vec::new();
        for (pointer, ty, size) in places {
            for &(memory, there) in &memories {
                let value = terms.read(there, pointer, size, ty);
                for pointer in self.all(terms, pointer) {
                    for value in self.all(terms, value) {
                        found.push(Fact::Holds { memory, pointer, ty, value });
                    }
                }
            }
        }
        found
    }
}

/// The terms of a state that describes both. `None` if they differ in more than terms.
fn joined_terms(terms: &mut Terms, first: &State, second: &State, detail: Detail) -> Option<State> {
    let alike = first.sides.iter().zip(&second.sides).all(|(a, b)| a.looks_like(b));
    let facts = [&first.facts, &second.facts];
    let mut join = Join {
        terms,
        detail,
        facts,
        pairs: FxHashMap::default(),
        families: FxHashMap::default(),
        values: Default::default(),
        described: Default::default(),
    };
    let pairs: Vec<(Term, Term)> = first.roots().zip(second.roots()).filter(|_| alike).collect();
    // Terms without parts first: larger terms are then made of the same symbols.
    let is_large = |join: &Join<'_>, (a, b): (Term, Term)| {
        !join.terms.get(a).operands.is_empty() && !join.terms.get(b).operands.is_empty()
    };
    // Small constants first: other integers are then sums.
    let mut in_order = pairs.clone();
    in_order.sort_by_key(|(a, _)| join.terms.as_int(*a).unwrap_or_else(|| join.terms.parts(*a).1).signed());
    for large in [false, true] {
        for &(a, b) in &in_order {
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
    for side in state.sides.iter_mut().filter(|_| alike) {
        side.replace(&mut rest);
    }
    alike.then_some(state)
}

/// A state that describes `before` and `arrivals`, of which `before` describes all but the last one. It has the facts
/// that hold in all arrivals, also those that only one of them spells so that it holds in the others: a state of the
/// first iteration has constants where the others have terms.
pub(super) fn join(terms: &mut Terms, before: &State, arrivals: &[State], detail: Detail) -> Option<State> {
    let mut state = joined_terms(terms, before, arrivals.last()?, detail)?;
    let mut candidates: BTreeSet<Fact> = BTreeSet::new();
    // Facts that do not last would come back again and again, so later joins only drop facts.
    let may_add = arrivals.len() < MANY_ARRIVALS;
    for of in arrivals.iter().filter(|_| may_add).chain([before]) {
        let mut lift = Lift::new(terms, &state, of);
        for fact in &of.facts {
            candidates.extend(lift.facts(terms, fact));
        }
        candidates.extend(lift.loads(terms, &state, of));
    }
    state.chosen = BTreeSet::new();
    for arrival in arrivals {
        let mut bound = Bound::by_roots(terms, &state, arrival);
        arrival.enter(terms);
        candidates.retain(|fact| bound.holds(terms, arrival, fact));
    }
    state.facts = candidates;
    let parts = is_in_use(terms, &state);
    for arrival in arrivals.iter().filter(|arrival| !arrival.chosen.is_empty()) {
        let mut bound = Bound::by_roots(terms, &state, arrival);
        arrival.enter(terms);
        state.chosen.extend(bound.chosen(terms, &parts, arrival));
    }
    state.prune(terms);
    Some(state)
}
