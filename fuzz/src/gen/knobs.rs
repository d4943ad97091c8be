//! What a generated program may have. A program is drawn with a set of these on and all others off (swarm testing:
//! Groce, Zhang, Eide, Chen, Regehr, "Swarm Testing", 2012): with everything on at once, features hide each other.

use super::draw::Draw;

macro_rules! knobs {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)*) => {
        /// A feature of programs.
        #[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Knob { $($(#[$doc])* $variant,)* }

        impl Knob {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];
            /// Its name in statistics.
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
    /// Values of a loop are used behind it without a phi.
    DirectUses = "direct-uses",
    /// Exits in blocks that do not dominate the latch.
    OffLatchExits = "off-latch-exits",
    /// Loops are left by switches.
    SwitchExits = "switch-exits",
    /// Loops are left out of loops around them, or go on in these.
    DeepExits = "deep-exits",
    /// Exit blocks end the function.
    Returns = "returns",
    /// Exit blocks are unreachable by what the program says.
    UnreachableExits = "unreachable-exits",
    /// The counter is tested in the header.
    TopTested = "top-tested",
    /// The counter is tested before it is stepped, though at the latch.
    PreTested = "pre-tested",
    /// Loops are entered under a condition.
    Guards = "guards",
    /// What skips a loop comes to one of its exit blocks.
    SharedGuards = "shared-guards",
    /// Loops are entered from several blocks.
    NoPreheader = "no-preheader",
    /// Several backedges.
    ManyLatches = "many-latches",
    /// Loops behind loops.
    Siblings = "siblings",
    /// Loops in loops.
    Nests = "nests",
    /// Cycles with two entries.
    Irreducible = "irreducible",
    /// Loops without an exit.
    Infinite = "infinite",
    /// Loops that no counter bounds.
    Uncounted = "uncounted",
    /// Functions that must make progress.
    MustProgress = "mustprogress",
    /// Loops that must make progress, by metadata.
    LoopMustProgress = "loop-mustprogress",
    /// Branches in loops.
    Branches = "branches",
    /// Switches in loops.
    Switches = "switches",
    /// Conditions that are the same in all iterations.
    Invariant = "invariant-conditions",
    /// What a loop does is done under one condition on a counter.
    GuardedBody = "guarded-body",
    /// Steps other than 1.
    Steps = "steps",
    /// Starts near the sign bit and the maximum.
    Starts = "starts",
    /// Trip counts up to the maximum.
    LongTrips = "long-trips",
    /// Bounds that are arguments.
    SymbolicBounds = "symbolic-bounds",
    /// Comparisons of all kinds in exit tests.
    Predicates = "predicates",
    /// Integers of 16 to 64 bits.
    Wide = "wide",
    /// Extensions and truncations.
    Casts = "casts",
    /// Flags that hold.
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
    /// What has been computed is computed again.
    Repeats = "repeats",
    /// Other counters beside the one that is tested.
    Affine = "affine",
    /// Counters that step by counters.
    Polynomial = "polynomial",
    /// Products.
    Geometric = "geometric",
    /// Shifts.
    Shifts = "shifts",
    /// `x ^ p` and `x - p`.
    Alternating = "alternating",
    /// `min(p, x)`, `p & x` and the like.
    Settling = "settling",
    /// Quotients.
    Quotients = "quotients",
    /// Phis of what another phi was in the iteration before.
    Chains = "chains",
    /// Phis one iteration behind a function of a counter.
    Behind = "behind",
    /// Sums, products, minima and the like of what iterations compute.
    Reductions = "reductions",
    /// Phis of anything.
    Carried = "carried",
    /// Loads and stores.
    Memory = "memory",
    /// Counters that are pointers.
    Pointers = "pointers",
    /// Loops that fill memory.
    Fills = "fills",
    /// Loops that copy memory.
    Copies = "copies",
    /// Loads and stores of one address in all iterations.
    FixedAddresses = "fixed-addresses",
    /// Volatile accesses.
    Volatile = "volatile",
    /// Local objects.
    Allocas = "allocas",
    /// Pointer arguments that do not alias.
    NoAlias = "noalias",
    /// Calls that may not return.
    Calls = "calls",
    /// Calls that return, and touch no memory.
    PureCalls = "pure-calls",
    /// Calls that read memory.
    ReadingCalls = "reading-calls",
    /// Assumptions.
    Assumes = "assumes",
    /// Arguments that are neither undef nor poison.
    NoUndefArguments = "noundef-arguments",
    /// Several exits are tests of the counter.
    CountedExits = "counted-exits",
    /// Divisions by what has been tested not to be zero.
    GuardedDivisions = "guarded-divisions",
    /// Quotients and remainders of recurrences by constants.
    Lanes = "lanes",
    /// Invariant values added to recurrences one after the other, products that are divided again.
    Associative = "associative",
    /// Conditions of which the second part is only looked at if the first does not decide.
    ShortCircuits = "short-circuits",
    /// Comparisons of the counter with its own bound, one of the last values before it, or its start.
    NearBound = "near-bound",
    /// Accesses of several sizes that overlap in part.
    Overlaps = "overlaps",
    /// Exit tests of values that are computed from the counter.
    DerivedTests = "derived-tests",
    /// Nests of counted loops over memory at affine places.
    AffineNests = "affine-nests",
    /// Loops of such nests from or to the counter of the loop around them.
    Triangular = "triangular",
    /// Loops of such nests behind others that run as often.
    Neighbours = "neighbours",
    /// Statements beside the inner loops of such nests.
    BesideLoops = "beside-loops",
    /// Such nests of one loop that makes many iterations, enough for vectors, and carries values.
    LongLoops = "long-loops",
}

/// A set of knobs.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default)]
pub struct Knobs(u128);

impl Knobs {
    /// None of them.
    pub const NONE: Self = Self(0);
    /// All of them.
    pub fn all() -> Self {
        Knob::ALL.iter().copied().collect()
    }
    /// A set in which each is as likely on as off.
    pub(super) fn drawn(draw: &mut Draw<'_, '_>) -> Self {
        // Bit by bit, so that a shorter buffer has fewer knobs.
        Knob::ALL.iter().copied().filter(|_| draw.bool()).collect()
    }
    /// Whether `knob` is on.
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
    /// Those that are on.
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
