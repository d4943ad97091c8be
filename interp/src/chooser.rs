//! The chooser: the one source of everything that the program leaves open. `undef` at each use, the value of
//! `freeze`, what external calls do, payloads of NaN.
//!
//! A run with the same program, input and answers is the same run. The machine asks [`Chooser::choose`] with a
//! [`Choice`], which says where and of what kind the choice is and how many answers there are; an answer at or above
//! that count is taken modulo it.

use crate::outcome::Place;
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// What is chosen.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum ChoiceKind {
    /// The undefined bits of an operand at this use: of the instruction's operand in order of evaluation.
    UndefUse,
    /// The value of a `freeze` whose operand is poison or has undefined bits.
    Freeze,
    /// The condition of a `select` where it is undefined: 1 is the first arm.
    SelectArm,
    /// The sign and payload of a NaN that an operation makes.
    NanPayload,
    /// The low bit of an operation that is allowed to round either way, or of an unspecified result.
    Unspecified,
    /// Whether an external call returns (0), throws, exits or loops.
    CallExit,
    /// The result of an external call, or one scalar of it.
    CallResult,
    /// Whether an external call writes memory at all (0: it does not).
    CallWrites,
    /// A byte that an external call writes.
    CallByte,
    /// What a global variable of another module holds, before the run.
    GlobalContents,
}

impl ChoiceKind {
    /// Whether the environment chooses, rather than the program's own nondeterminism.
    pub fn is_environment(self) -> bool {
        match self {
            Self::CallExit | Self::CallResult | Self::CallWrites | Self::CallByte | Self::GlobalContents => {
                true
            }
            Self::UndefUse | Self::Freeze | Self::SelectArm | Self::NanPayload | Self::Unspecified => false,
        }
    }
}

/// Results that are tried of a comparison of bytes of which not even the sign is known: small numbers of either sign.
pub const UNSIGNED_RESULTS: u32 = 511;

/// How many answers a choice has.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Domain {
    /// All patterns of that many bits, 1 to 128.
    Bits(u32),
    /// The numbers below this one, at least 1.
    Options(u32),
}

impl Domain {
    /// Brings an answer into the domain.
    pub fn clamp(self, answer: u128) -> u128 {
        match self {
            Self::Bits(width) => answer & crate::value::mask(width),
            Self::Options(count) => answer % u128::from(count.max(1)),
        }
    }
    /// The largest answer.
    pub fn last(self) -> u128 {
        match self {
            Self::Bits(width) => crate::value::mask(width),
            Self::Options(count) => u128::from(count.max(1) - 1),
        }
    }
}

/// A question to the chooser.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Choice {
    /// What is chosen.
    pub kind: ChoiceKind,
    /// Where.
    pub place: Place,
    /// Which answers there are.
    pub domain: Domain,
    /// For [`Domain::Bits`]: which bits of a value are chosen, as many as the domain has. The answer is spread over
    /// them, lowest first.
    pub bits: u128,
}

/// Answers all questions of a run.
pub trait Chooser {
    /// Answers `choice`.
    fn choose(&mut self, choice: &Choice) -> u128;
    /// Whether it answers each question that is still to come with 0: then a state of a run that comes again comes
    /// forever, whatever is asked in between.
    fn is_settled(&self) -> bool {
        false
    }
}

/// Answers everything with 0: calls return, results and undefined bits are zero, memory is left alone.
#[derive(Copy, Clone, Default, Debug)]
pub struct ZeroChooser;

impl Chooser for ZeroChooser {
    fn choose(&mut self, _: &Choice) -> u128 {
        0
    }
    fn is_settled(&self) -> bool {
        true
    }
}

/// Answers from a list, then with 0.
#[derive(Clone, Default, Debug)]
pub struct ReplayChooser {
    answers: Vec<u128>,
    next: usize,
}

impl ReplayChooser {
    /// A chooser that gives `answers` in order.
    pub fn new(answers: Vec<u128>) -> Self {
        Self { answers, next: 0 }
    }
    /// Whether more was asked than there were answers.
    pub fn ran_out(&self) -> bool {
        self.next > self.answers.len()
    }
}

impl Chooser for ReplayChooser {
    fn choose(&mut self, _: &Choice) -> u128 {
        let answer = self.answers.get(self.next).copied().unwrap_or(0);
        self.next += 1;
        answer
    }
    fn is_settled(&self) -> bool {
        self.next >= self.answers.len()
    }
}

/// Answers at random from a seed, the same on every machine. Small and extreme answers come more often than others.
#[derive(Clone, Debug)]
pub struct RandomChooser {
    random: SplitMix64,
}

impl RandomChooser {
    /// A chooser that depends on `seed` alone.
    pub fn new(seed: u64) -> Self {
        Self { random: SplitMix64::seed_from_u64(seed) }
    }
}

impl Chooser for RandomChooser {
    fn choose(&mut self, choice: &Choice) -> u128 {
        let wide = u128::from(self.random.next_u64()) << 64 | u128::from(self.random.next_u64());
        let shape = self.random.next_u64() % 8;
        match choice.kind {
            // A call that does not come back ends the run: most runs should go on.
            ChoiceKind::CallExit if shape != 0 => 0,
            ChoiceKind::CallExit
            | ChoiceKind::CallWrites
            | ChoiceKind::CallByte
            | ChoiceKind::SelectArm
            | ChoiceKind::NanPayload => wide,
            ChoiceKind::UndefUse
            | ChoiceKind::Freeze
            | ChoiceKind::Unspecified
            | ChoiceKind::CallResult
            | ChoiceKind::GlobalContents => match shape {
                0 => 0,
                1 => choice.domain.last(),
                2 => choice.domain.last() >> 1,
                3 => wide % 16,
                _ => wide,
            },
        }
    }
}

/// Passes questions on and keeps the answers.
#[derive(Debug)]
pub struct RecordingChooser<C> {
    inner: C,
    /// Questions and answers in order.
    pub log: Vec<(Choice, u128)>,
}

impl<C> RecordingChooser<C> {
    /// Records what `inner` answers.
    pub fn new(inner: C) -> Self {
        Self { inner, log: Vec::new() }
    }
    /// The answers in order.
    pub fn answers(&self) -> Vec<u128> {
        self.log.iter().map(|(_, a)| *a).collect()
    }
}

impl<C: Chooser> Chooser for RecordingChooser<C> {
    fn choose(&mut self, choice: &Choice) -> u128 {
        let answer = choice.domain.clamp(self.inner.choose(choice));
        self.log.push((*choice, answer));
        answer
    }
    fn is_settled(&self) -> bool {
        self.inner.is_settled()
    }
}

impl<C: Chooser + ?Sized> Chooser for &mut C {
    fn choose(&mut self, choice: &Choice) -> u128 {
        (**self).choose(choice)
    }
    fn is_settled(&self) -> bool {
        (**self).is_settled()
    }
}

/// Passes the program's own choices on; the environment's are 0, so that external functions are the same in all runs.
#[derive(Clone, Default, Debug)]
pub struct FixedEnvironment<C> {
    /// Decides the program's choices.
    pub inner: C,
}

impl<C: Chooser> Chooser for FixedEnvironment<C> {
    fn choose(&mut self, choice: &Choice) -> u128 {
        if choice.kind.is_environment() { 0 } else { self.inner.choose(choice) }
    }
    fn is_settled(&self) -> bool {
        self.inner.is_settled()
    }
}

/// Goes through all runs: every sequence of answers, in lexicographic order. Call [`EnumeratingChooser::advance`]
/// after each run.
#[derive(Clone, Default, Debug)]
pub struct EnumeratingChooser {
    path: Vec<(u128, u128)>,
    next: usize,
}

impl EnumeratingChooser {
    /// Starts with the run of all zeros.
    pub fn new() -> Self {
        Self::default()
    }
    /// Moves on to the next run; false when all have been seen.
    pub fn advance(&mut self) -> bool {
        self.path.truncate(self.next);
        self.next = 0;
        while let Some((answer, last)) = self.path.pop() {
            if answer < last {
                self.path.push((answer + 1, last));
                return true;
            }
        }
        false
    }
    /// The answers of the present run.
    pub fn answers(&self) -> Vec<u128> {
        self.path[..self.next].iter().map(|(a, _)| *a).collect()
    }
}

impl Chooser for EnumeratingChooser {
    fn choose(&mut self, choice: &Choice) -> u128 {
        if self.next == self.path.len() {
            self.path.push((0, choice.domain.last()));
        }
        let answer = self.path[self.next].0;
        self.next += 1;
        answer
    }
}
