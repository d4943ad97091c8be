//! The chooser resolves all nondeterminism of a run: `undef` at each use, the value of `freeze`, the behavior of
//! external calls, NaN payloads.
//!
//! The same program, input and answers give the same run. The machine calls [`Chooser::choose`] with a [`Choice`],
//! which states the place, the kind, and the number of possible answers. Larger answers are taken modulo that number.

use crate::outcome::Place;
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// The kind of a choice.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum ChoiceKind {
    /// The undefined bits of an operand at this use; operands are asked in order of evaluation.
    UndefUse,
    /// The value of a `freeze` whose operand is poison or has undefined bits.
    Freeze,
    /// The undefined condition of a `select`: 1 selects the first arm.
    SelectArm,
    /// The sign and payload of a NaN that an operation produces.
    NanPayload,
    /// The rounding of an operation that may round either way, or an unspecified result.
    Unspecified,
    /// Whether an external call returns (0), throws, exits or loops.
    CallExit,
    /// The result of an external call, or one scalar of it.
    CallResult,
    /// Whether an external call writes memory (0: it does not).
    CallWrites,
    /// A byte that an external call writes.
    CallByte,
    /// The contents of another module's global variable before the run.
    GlobalContents,
}

impl ChoiceKind {
    /// Whether the environment makes the choice rather than the program.
    pub fn is_environment(self) -> bool {
        match self {
            Self::CallExit | Self::CallResult | Self::CallWrites | Self::CallByte | Self::GlobalContents => {
                true
            }
            Self::UndefUse | Self::Freeze | Self::SelectArm | Self::NanPayload | Self::Unspecified => false,
        }
    }
}

/// Number of results tried for a comparison of bytes whose sign is unspecified: small numbers of either sign, few
/// enough to try all.
pub const UNSIGNED_RESULTS: u32 = 511;

/// The possible answers of a choice.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Domain {
    /// All patterns of this many bits, 1 to 128.
    Bits(u32),
    /// The numbers below this one, which is at least 1.
    Options(u32),
}

impl Domain {
    /// Maps an answer into the domain.
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
    /// The kind of the choice.
    pub kind: ChoiceKind,
    /// Its place in the program.
    pub place: Place,
    /// The possible answers.
    pub domain: Domain,
    /// For [`Domain::Bits`]: the mask of the chosen bits, as many as the domain has. The answer is spread over them,
    /// lowest first.
    pub bits: u128,
}

/// Makes all choices of a run.
pub trait Chooser {
    /// Answers `choice`.
    fn choose(&mut self, choice: &Choice) -> u128;
    /// Whether all further answers are 0. Then a repeated state repeats forever, whatever choices are made in
    /// between.
    fn is_settled(&self) -> bool {
        false
    }
}

/// Answers everything with 0: calls return, results and undefined bits are zero, memory is unchanged.
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
    /// Creates a chooser that gives `answers` in order.
    pub fn new(answers: Vec<u128>) -> Self {
        Self { answers, next: 0 }
    }
    /// Whether there were more questions than answers.
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

/// Answers at random from a seed, the same on every machine. Small and extreme answers are more frequent.
#[derive(Clone, Debug)]
pub struct RandomChooser {
    random: SplitMix64,
}

impl RandomChooser {
    /// Creates a chooser that depends only on `seed`.
    pub fn new(seed: u64) -> Self {
        Self { random: SplitMix64::seed_from_u64(seed) }
    }
}

impl Chooser for RandomChooser {
    fn choose(&mut self, choice: &Choice) -> u128 {
        let wide = u128::from(self.random.next_u64()) << 64 | u128::from(self.random.next_u64());
        let shape = self.random.next_u64() % 8;
        match choice.kind {
            // A call that does not return ends the run; most runs should continue.
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

/// Forwards questions and records the answers.
#[derive(Debug)]
pub struct RecordingChooser<C> {
    inner: C,
    /// Questions and answers, in order.
    pub log: Vec<(Choice, u128)>,
}

impl<C> RecordingChooser<C> {
    /// Records the answers of `inner`.
    pub fn new(inner: C) -> Self {
        Self { inner, log: Vec::new() }
    }
    /// The answers, in order.
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

/// Forwards the program's own choices; the environment's are 0, so that external functions are the same in all runs.
#[derive(Clone, Default, Debug)]
pub struct FixedEnvironment<C> {
    /// Makes the program's choices.
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

/// Enumerates all runs: every sequence of answers, in lexicographic order. Call [`EnumeratingChooser::advance`] after
/// each run.
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
    /// Moves to the next run; false if there are no more.
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
    /// The answers of the current run.
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
