//! Features of generated programs. Each program is generated with a random subset of the knobs enabled (swarm
//! testing: Groce, Zhang, Eide, Chen, Regehr, "Swarm Testing", 2012), because features mask each other if all of them
//! are enabled at once.

use super::draw::Draw;

macro_rules! knobs {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)*) => {
        /// A feature of generated programs.
        #[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Knob { $($(#[$doc])* $variant,)* }

        impl Knob {
            /// All knobs.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];
            /// The knob's name in statistics.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }
    };
}

knobs! {
    /// Up to five exiting edges.
    ManyExits = "many-exits",
    /// Exiting edges share their exit blocks.
    SharedExits = "shared-exits",
    /// Exit blocks have phis.
    ExitPhis = "exit-phis",
    /// Values defined in a loop have uses after the loop without an LCSSA phi.
    DirectUses = "direct-uses",
    /// Exits in blocks that do not dominate the latch.
    OffLatchExits = "off-latch-exits",
    /// Switches with exiting edges.
    SwitchExits = "switch-exits",
    /// Edges that exit several loops at once, or continue an enclosing loop.
    DeepExits = "deep-exits",
    /// Exit blocks that return.
    Returns = "returns",
    /// Exit blocks that end in `unreachable`.
    UnreachableExits = "unreachable-exits",
    /// Loops that test the counter in the header.
    TopTested = "top-tested",
    /// Loops that test the counter at the latch, before its increment.
    PreTested = "pre-tested",
    /// Guarded loops.
    Guards = "guards",
    /// The guard branches to an exit block of the loop to skip it.
    SharedGuards = "shared-guards",
    /// Headers with several predecessors outside the loop.
    NoPreheader = "no-preheader",
    /// Several backedges.
    ManyLatches = "many-latches",
    /// A loop after another loop.
    Siblings = "siblings",
    /// Nested loops.
    Nests = "nests",
    /// Cycles with two entries.
    Irreducible = "irreducible",
    /// Loops without an exit.
    Infinite = "infinite",
    /// Loops without a counter as bound.
    Uncounted = "uncounted",
    /// Functions with the attribute `mustprogress`.
    MustProgress = "mustprogress",
    /// Loops with `llvm.loop.mustprogress` metadata.
    LoopMustProgress = "loop-mustprogress",
    /// Branches in loops.
    Branches = "branches",
    /// Switches in loops.
    Switches = "switches",
    /// Loop-invariant conditions.
    Invariant = "invariant-conditions",
    /// Loop bodies that execute under a single condition on the counter.
    GuardedBody = "guarded-body",
    /// Steps other than 1.
    Steps = "steps",
    /// Start values near the sign bit and the maximum.
    Starts = "starts",
    /// Trip counts up to the maximum.
    LongTrips = "long-trips",
    /// Arguments as bounds.
    SymbolicBounds = "symbolic-bounds",
    /// Arbitrary predicates in exit tests.
    Predicates = "predicates",
    /// Integers of 16 to 64 bits.
    Wide = "wide",
    /// Extensions and truncations.
    Casts = "casts",
    /// Flags such as `nsw` that hold.
    Flags = "flags",
    /// Flags that may not hold.
    WrongFlags = "wrong-flags",
    /// `freeze`.
    Freeze = "freeze",
    /// `undef`.
    Undef = "undef",
    /// Poison.
    Poison = "poison",
    /// Divisions and remainders.
    Divisions = "divisions",
    /// Selects.
    Selects = "selects",
    /// Minima and maxima, absolute values, saturating arithmetic.
    Intrinsics = "intrinsics",
    /// Repeated computations.
    Repeats = "repeats",
    /// More affine recurrences besides the counter.
    Affine = "affine",
    /// Recurrences whose step is a counter.
    Polynomial = "polynomial",
    /// Multiplicative recurrences.
    Geometric = "geometric",
    /// Shift recurrences.
    Shifts = "shifts",
    /// Alternating recurrences: `x ^ p` and `x - p`.
    Alternating = "alternating",
    /// Recurrences that reach a fixed point: `min(p, x)`, `p & x` and the like.
    Settling = "settling",
    /// Division recurrences.
    Quotients = "quotients",
    /// Phis that hold the previous value of another phi.
    Chains = "chains",
    /// Phis that hold a function of a counter one iteration later.
    Lagging = "behind",
    /// Sums, products, minima and the like of values computed in iterations.
    Reductions = "reductions",
    /// Phis with an arbitrary next value.
    Carried = "carried",
    /// Loads and stores.
    Memory = "memory",
    /// Pointer recurrences.
    Pointers = "pointers",
    /// Loops that fill memory.
    Fills = "fills",
    /// Loops that copy memory.
    Copies = "copies",
    /// Accesses to loop-invariant addresses.
    FixedAddresses = "fixed-addresses",
    /// Volatile accesses.
    Volatile = "volatile",
    /// Allocas.
    Allocas = "allocas",
    /// Pointer arguments with `noalias`.
    NoAlias = "noalias",
    /// Calls that may not return.
    Calls = "calls",
    /// Calls that return and access no memory.
    PureCalls = "pure-calls",
    /// Calls that read memory.
    ReadingCalls = "reading-calls",
    /// Calls of `llvm.assume`.
    Assumes = "assumes",
    /// Arguments with `noundef`.
    NoUndefArguments = "noundef-arguments",
    /// Several exits that test the counter.
    CountedExits = "counted-exits",
    /// Divisions guarded by a nonzero test of the divisor.
    GuardedDivisions = "guarded-divisions",
    /// Quotients and remainders of recurrences by constants.
    Lanes = "lanes",
    /// Chains of invariant addends on recurrences; products divided by one of their factors.
    Associative = "associative",
    /// Short-circuit conditions.
    ShortCircuits = "short-circuits",
    /// Comparisons of the counter with its bound, one of the last values before the bound, or its start.
    NearBound = "near-bound",
    /// Partially overlapping accesses of different sizes.
    Overlaps = "overlaps",
    /// Exit tests of values derived from the counter.
    DerivedTests = "derived-tests",
    /// Nests of counted loops over memory at affine addresses.
    AffineNests = "affine-nests",
    /// Loops of affine nests that start or end at the counter of the enclosing loop.
    Triangular = "triangular",
    /// Loops of affine nests after other loops with the same trip count.
    Neighbours = "neighbours",
    /// Statements next to the inner loops of affine nests.
    BesideLoops = "beside-loops",
    /// Affine nests that are one loop with enough iterations for vectorization and with loop-carried values.
    LongLoops = "long-loops",
    /// `!noundef` and `!range` on loads and calls; `!nonnull`, `!align` and the like on loads of pointers.
    Metadata = "metadata",
    /// Two conditions on the counter that change in different iterations.
    TwoTests = "two-tests",
    /// Loops that fill or copy memory once for each value of their counter, so that the trip count wraps.
    WrappingFills = "wrapping-fills",
    /// Neighbouring loops of affine nests that store to the same elements and load little.
    Overwrites = "overwrites",
    /// Statements of affine nests under conditions on array elements.
    DataConditions = "data-conditions",
    /// Additions of two constants whose sum wraps although no addition does.
    FarSums = "far-sums",
    /// Exit tests that compare the counter with a quotient computed in the loop.
    DividedBounds = "divided-bounds",
    /// Sums over all iterations of an affine nest, with flags that hold in the original order only.
    NestSums = "nest-sums",
    /// Loads under a test that their index is in bounds.
    BoundsChecks = "bounds-checks",
    /// Exit tests whose first successor leaves the loop.
    ExitFirst = "exit-first",
    /// Recurrences whose step is computed in the loop, mostly as a quotient after an exit that is taken if the divisor
    /// is zero.
    LoopSteps = "loop-steps",
    /// Narrow counters that run through more than half of their values, next to wider recurrences.
    FullRange = "full-range",
    /// Pointer arguments with `dereferenceable` and `align`.
    Dereferenceable = "dereferenceable",
    /// `nneg` of extensions, `nuw` and `nsw` of truncations, `samesign` of comparisons; the same operation with and
    /// without flags.
    OtherFlags = "other-flags",
    /// Counts of bits, reversals, funnel shifts, arithmetic with an overflow bit.
    BitIntrinsics = "bit-intrinsics",
    /// Loops that end when a pointer reaches the end of memory.
    PointerEnds = "pointer-ends",
    /// Floating-point sums and products over the iterations of affine nests.
    FloatSums = "float-sums",
    /// Data-dependent exits of long loops that test a value computed with flags that may not hold.
    ComputedExits = "computed-exits",
}

impl Knob {
    /// The first of the knobs that came later. Decisions about these and the code that they add come from a stream of
    /// their own ([`super::draw::later`]), so that programs without that code stay as they were.
    const FIRST_LATER: Self = Self::Metadata;
    /// The number of knobs drawn from the input bytes, one byte each.
    pub(super) const EARLY: usize = Self::FIRST_LATER as usize;

    /// Whether decisions about the knob come from the stream of later decisions.
    pub(super) fn is_later(self) -> bool {
        self >= Self::FIRST_LATER
    }
}

/// A set of knobs.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default)]
pub struct Knobs(u128);

impl Knobs {
    /// The empty set.
    pub const NONE: Self = Self(0);
    /// The set of all knobs.
    pub fn all() -> Self {
        Knob::ALL.iter().copied().collect()
    }
    /// Draws a set that contains each knob with probability 1/2.
    pub(super) fn drawn(draw: &mut Draw<'_, '_>, later: &mut Draw<'_, '_>) -> Self {
        // One draw per knob, so that a shorter buffer enables fewer knobs.
        let is_on = |knob: &Knob| if knob.is_later() { later.bool() } else { draw.bool() };
        Knob::ALL.iter().copied().filter(is_on).collect()
    }
    /// Whether `knob` is enabled.
    pub fn has(self, knob: Knob) -> bool {
        self.0 & Self::bit(knob) != 0
    }
    /// The set with `knob`.
    #[must_use]
    pub fn with(self, knob: Knob) -> Self {
        Self(self.0 | Self::bit(knob))
    }
    /// The set without `knob`.
    #[must_use]
    pub fn without(self, knob: Knob) -> Self {
        Self(self.0 & !Self::bit(knob))
    }
    /// The enabled knobs.
    pub fn iter(self) -> impl Iterator<Item = Knob> {
        Knob::ALL.iter().copied().filter(move |k| self.has(*k))
    }
    fn bit(knob: Knob) -> u128 {
        1 << knob as u32
    }
}

impl FromIterator<Knob> for Knobs {
    fn from_iter<T: IntoIterator<Item = Knob>>(knobs: T) -> Self {
        knobs.into_iter().fold(Self::NONE, Self::with)
    }
}

impl std::fmt::Debug for Knobs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter().map(Knob::name)).finish()
    }
}
