//! Pairs of functions that access the same few bytes, with metadata on the accesses. They test whether a verdict that
//! relies on the source's metadata agrees with runs that may violate it.
//!
//! The source is random. The target is the source after a few edits, some valid for a pass and some not: accesses
//! move, are duplicated or removed, and get more or other metadata. Both run on the same inputs; the parameters `%c`,
//! `%d` and `%n` keep these few: two conditions and an iteration count below four.
//!
//! | file | contents |
//! |---|---|
//! | `edit` | the edits that create the target |
//! | `print` | the text of a function |

mod edit;
mod print;

use crate::Dice;

/// A module with `@src` and `@tgt`.
pub fn promising_pair(seed: u64) -> String {
    // A random stream different from that of the programs of the same seed.
    let mut dice = Dice::new(seed ^ 0x7072_6f6d);
    let source = body(&mut dice, 0);
    let mut target = source.clone();
    for _ in 0..dice.range(1, 3) {
        edit::edit(&mut dice, &mut target);
    }
    print::module(&source, &target)
}

/// The base address of an access, without [`Place::far`].
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Base {
    P,
    Q,
    /// `%p` or `%q`, selected by a condition.
    Either(Condition),
    /// An alloca at the access.
    Fresh,
    /// An alloca of the function.
    Own,
    /// The element of `%p` at the index of the loop counter.
    Counted,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct Place {
    base: Base,
    /// Whether it is four bytes further.
    far: bool,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Condition {
    C,
    D,
    /// `%p` and `%q` are equal.
    Equal,
    /// A frozen arbitrary value.
    Frozen,
    /// The last loaded value is zero.
    Loaded,
    /// The loop is in its first iteration.
    First,
}

/// The metadata of an access.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
struct Promises {
    /// Index into [`print::TAGS`].
    tag: Option<usize>,
    /// Index into [`print::LISTS`].
    scopes: Option<usize>,
    /// Index into [`print::LISTS`].
    noalias: Option<usize>,
    group: Option<usize>,
    invariant: bool,
    invariant_group: bool,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Stored {
    Constant(u8),
    /// The last loaded value.
    Loaded,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Access {
    Load(Place),
    Store(Place, Stored),
    Copy(Place, Place),
    /// A call of a function that stores to the place.
    Call(Place),
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Statement {
    Access(Access, Promises),
    /// The declaration of a scope, an index below [`print::SINGLE`].
    Declare(usize),
    If(Condition, [Vec<Statement>; 2]),
    /// Returns if a condition holds, or is UB then.
    Leave(Condition, bool),
    /// A constant number of iterations, or `%n`; and the group of parallel accesses.
    Loop(Option<u8>, Option<usize>, Vec<Statement>),
}

impl Statement {
    /// The nested statement lists.
    fn inner(&mut self) -> &mut [Vec<Statement>] {
        match self {
            Statement::If(_, arms) => arms,
            Statement::Loop(.., body) => std::slice::from_mut(body),
            Statement::Access(..) | Statement::Declare(_) | Statement::Leave(..) => &mut [],
        }
    }
}

fn body(dice: &mut Dice, depth: usize) -> Vec<Statement> {
    (0..dice.range(1, 4)).map(|_| statement(dice, depth)).collect()
}

fn statement(dice: &mut Dice, depth: usize) -> Statement {
    match dice.below(if depth < 2 { 10 } else { 7 }) {
        0..6 => Statement::Access(access(dice), promises(dice)),
        6 => Statement::Declare(dice.below(print::SINGLE)),
        7 if dice.chance(25) => Statement::Leave(condition(dice), dice.chance(60)),
        7 | 8 => Statement::If(condition(dice), [body(dice, depth + 1), body(dice, depth + 1)]),
        _ => {
            let count = dice.chance(50).then(|| dice.below(4) as u8);
            let parallel = dice.chance(50).then(|| dice.below(print::GROUPS));
            Statement::Loop(count, parallel, body(dice, depth + 1))
        }
    }
}

fn access(dice: &mut Dice) -> Access {
    match dice.below(10) {
        0..5 => Access::Load(place(dice)),
        5..8 => Access::Store(place(dice), stored(dice)),
        8 => Access::Copy(place(dice), place(dice)),
        _ => Access::Call(place(dice)),
    }
}

fn stored(dice: &mut Dice) -> Stored {
    if dice.chance(70) { Stored::Loaded } else { Stored::Constant(dice.below(2) as u8) }
}

fn place(dice: &mut Dice) -> Place {
    let base = match dice.below(16) {
        0..7 => Base::P,
        7..12 => Base::Q,
        12 => Base::Either(condition(dice)),
        13 => Base::Fresh,
        14 => Base::Own,
        _ => Base::Counted,
    };
    Place { base, far: dice.chance(15) }
}

fn condition(dice: &mut Dice) -> Condition {
    use Condition::{C, D, Equal, First, Frozen, Loaded};
    dice.pick(&[C, C, D, Equal, Frozen, Loaded, First])
}

fn promises(dice: &mut Dice) -> Promises {
    let lists = print::LISTS.len();
    Promises {
        // Tags that cannot alias come first.
        tag: dice.chance(60).then(|| dice.pick(&[2, print::TAGS.len()])).map(|most| dice.below(most)),
        scopes: dice.chance(35).then(|| dice.below(lists)),
        noalias: dice.chance(35).then(|| dice.below(lists)),
        group: dice.chance(25).then(|| dice.below(print::GROUPS)),
        invariant: dice.chance(10),
        invariant_group: dice.chance(10),
    }
}
