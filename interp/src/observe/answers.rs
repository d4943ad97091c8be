//! External calls with their answers, and an index that finds the earlier calls which may be the same as a call.
//!
//! Two calls may be the same only if callee and arguments agree, apart from poison and undefined bits. Without the
//! index, a run that makes n calls with n different arguments compares n² pairs of calls.

use super::{Answer, EventKind, Seen};
use crate::refine::{Blind, same_call};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};
use std::iter;

/// A call with its answer, so that another run can get the same answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Answered {
    /// The call.
    pub call: EventKind,
    /// Whether it is an event.
    pub is_event: bool,
    /// Whether the function has no UB of its own for any arguments.
    pub speculatable: bool,
    /// The answer.
    pub answer: Answer,
}

/// Index of the first answer that `script` does not contain. Events count by number: those beyond the script's events
/// are missing.
pub fn first_unscripted(answers: &[Answered], script: &[Answered]) -> Option<usize> {
    let index: CallIndex = script.iter().collect();
    let is_scripted = |answered: &Answered| {
        let mut earlier = index.candidates(&answered.call).filter_map(|at| script.get(at));
        earlier.any(|a| !a.is_event && same_call(&a.call, &answered.call, Blind::Either))
    };
    let mut scripted = script.iter().filter(|answered| answered.is_event).count();
    answers.iter().position(|answered| match answered.is_event {
        true if scripted > 0 => {
            scripted -= 1;
            false
        }
        true => true,
        false => !is_scripted(answered),
    })
}

/// Positions of calls in a list that only grows.
#[derive(Clone, Default, Debug)]
pub(crate) struct CallIndex {
    /// Positions of the calls whose arguments are defined, by the hash of callee and arguments.
    exact: FxHashMap<u64, Vec<usize>>,
    /// Positions of the calls with poison or undefined bits in an argument: each may be the same as any other call.
    open: Vec<usize>,
    /// Length of the list.
    len: usize,
}

impl CallIndex {
    /// Adds the next call of the list.
    pub(crate) fn add(&mut self, answered: &Answered) {
        match key(&answered.call) {
            Some(key) => self.exact.entry(key).or_default().push(self.len),
            None => self.open.push(self.len),
        }
        self.len += 1;
    }
    /// Empties the index.
    pub(crate) fn clear(&mut self) {
        self.exact.clear();
        self.open.clear();
        self.len = 0;
    }
    /// Positions of all calls that may be the same as `call`, in ascending order, and of some that are not.
    pub(crate) fn candidates(&self, call: &EventKind) -> impl Iterator<Item = usize> {
        let key = key(call);
        let all = if key.is_none() { 0..self.len } else { 0..0 };
        let exact = key.and_then(|key| self.exact.get(&key)).map_or(&[][..], Vec::as_slice);
        let open = if key.is_none() { &[][..] } else { &self.open };
        all.chain(merged(exact, open))
    }
}

impl<'a> FromIterator<&'a Answered> for CallIndex {
    fn from_iter<I: IntoIterator<Item = &'a Answered>>(list: I) -> Self {
        let mut index = Self::default();
        list.into_iter().for_each(|answered| index.add(answered));
        index
    }
}

/// The elements of two ascending lists, ascending.
fn merged<'a>(a: &'a [usize], b: &'a [usize]) -> impl Iterator<Item = usize> + 'a {
    let (mut a, mut b) = (a.iter().copied().peekable(), b.iter().copied().peekable());
    iter::from_fn(move || match (a.peek(), b.peek()) {
        (Some(x), Some(y)) if x > y => b.next(),
        (Some(_), _) => a.next(),
        (None, _) => b.next(),
    })
}

/// A hash that the calls have in common which are the same as `call`; `None` if an argument of `call` is not defined.
fn key(call: &EventKind) -> Option<u64> {
    let mut hasher = FxHasher::default();
    if let EventKind::Call { callee, args, .. } = call {
        callee.hash(&mut hasher);
        args.iter().try_for_each(|arg| add(arg, &mut hasher))?;
    }
    Some(hasher.finish())
}

fn add(value: &Seen, hasher: &mut FxHasher) -> Option<()> {
    match value {
        Seen::Poison => return None,
        Seen::Bits(cube) if !cube.is_known() => return None,
        // A pointer to no object is the same as its bits.
        Seen::Bits(cube) => cube.bits.hash(hasher),
        Seen::Address(address) => u128::from(*address).hash(hasher),
        Seen::Ptr(object, offset) => (object, offset).hash(hasher),
        Seen::Agg(members) => members.iter().try_for_each(|member| add(member, hasher))?,
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::ObjectName;
    use crate::value::Cube;
    use backedge_testkit::Dice;
    use rand::RngExt as _;

    fn value(rng: &mut Dice, depth: u32) -> Seen {
        let small = rng.random_range(0..3u64);
        match rng.random_range(0..8) {
            0 => Seen::Poison,
            1 => Seen::Bits(Cube { bits: 0, undef: u128::from(small) }),
            2 | 3 => Seen::Bits(Cube::known(small.into())),
            4 => Seen::Address(small),
            5 => Seen::Ptr(ObjectName::Buffer(0), small),
            6 => Seen::Ptr(ObjectName::Global("g".into()), small),
            _ if depth == 0 => Seen::Address(small),
            _ => Seen::Agg((0..small).map(|_| value(rng, depth - 1)).collect()),
        }
    }

    fn call(rng: &mut Dice) -> Answered {
        let callee = ["f", "g"][rng.random_range(0..2)].into();
        let args = (0..rng.random_range(0..3)).map(|_| value(rng, 2)).collect();
        let call = EventKind::Call { callee, args, more: "".into(), memory: Vec::new() };
        let answer = Answer { exit: None, result: None, writes: Vec::new(), fresh: None };
        Answered { call, is_event: false, speculatable: true, answer }
    }

    #[test]
    fn the_index_loses_no_call() {
        let mut rng = Dice::new(5);
        let (mut same, mut left_out) = (0, 0);
        for _ in 0..300 {
            let list: Vec<Answered> = (0..20).map(|_| call(&mut rng)).collect();
            let index: CallIndex = list.iter().collect();
            let now = call(&mut rng).call;
            let found: Vec<usize> = index.candidates(&now).collect();
            assert!(found.is_sorted());
            for (at, earlier) in list.iter().enumerate() {
                let is_same = same_call(&earlier.call, &now, Blind::No) || earlier.call == now;
                assert!(!is_same || found.contains(&at), "{:?} and {now:?}", earlier.call);
                same += u32::from(is_same);
            }
            left_out += list.len() - found.len();
        }
        assert!(same > 300 && left_out > 1000, "{same} calls are the same, {left_out} are left out");
    }
}
