//! Fuzz targets. Each target derives an input from bytes and runs oracles on it. The binaries in `fuzz_targets` call
//! these targets, and so do the tests that run them over seeds.

use crate::generate::{Generated, Knob, Knobs, bytes_of_seed};
use crate::oracles::{
    Finding, again, claims, dependences, encoder, forms, optimize, proof, runs, settling, text,
};
use backedge_interp::claims::Options as ClaimRuns;
use backedge_ir::entity::FuncId;
use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use backedge_pipeline::pass::Pipeline;
use backedge_pipeline::registry::parse_pipeline;
use backedge_pipeline::run::Nobody;
use backedge_scev::claims::Order;
use backedge_validate::check::{Options, Side};
use std::fmt;
use std::sync::LazyLock;

/// A fuzz target.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Target {
    /// The parser accepts arbitrary bytes without a panic or a hang.
    Parse,
    /// Print–parse round trip, for generated modules and for any input that parses.
    Roundtrip,
    /// Loop canonicalization preserves behavior.
    Canonicalize,
    /// Unrolling of multi-exit loops preserves behavior.
    UnrollMultiExit,
    /// Random sequences of passes preserve behavior.
    Pipeline,
    /// Lifting loop nests to HIR and lowering them back preserves behavior, and the dependence graphs agree with
    /// runs.
    HirRoundtrip,
    /// HIR loop transforms preserve behavior.
    HirTransforms,
    /// VPlans of loop nests, prepared for regions and executed one iteration at a time, behave like the nests.
    VPlanRoundtrip,
    /// Vectorized loops behave like the scalar loops.
    Vectorize,
    /// Claims of scalar evolution hold on runs.
    ScevClaims,
    /// The interpreter and the SMT encoding agree.
    EncoderVsInterp,
    /// Pairs that the solver proves correct agree on runs.
    ProofVsRuns,
}

/// A finding with the input that shows it.
#[derive(Debug)]
pub struct Found {
    /// The finding.
    pub finding: Finding,
    /// The IR, with the call that recreates it.
    pub input: String,
    /// The pipeline that transformed the input, if any.
    pub pipeline: Option<String>,
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.finding)?;
        if let Some(pipeline) = &self.pipeline {
            writeln!(f, "; -passes='{pipeline}'")?;
        }
        write!(f, "{}", self.input)
    }
}

/// A parsed pipeline and its text.
struct Passes {
    text: &'static str,
    pipeline: Pipeline,
}

impl Passes {
    fn new(text: &'static str) -> Self {
        let pipeline = parse_pipeline(text).unwrap_or_else(|e| panic!("'{text}': {e:?}"));
        Self { text, pipeline }
    }
}

/// The texts of all pipelines that the targets run.
pub fn pipelines() -> Vec<&'static str> {
    std::iter::once(&*CANONICAL)
        .chain(&*UNROLLED)
        .chain(&*WHOLE)
        .chain(&*SINGLE)
        .chain(&*TREES)
        .chain(&*TRANSFORMED)
        .chain(&*PLANNED)
        .chain(&*VECTORIZED)
        .map(|passes| passes.text)
        .collect()
}

static CANONICAL: LazyLock<Passes> = LazyLock::new(|| Passes::new("loop-simplify,lcssa,loop-rotate"));
static UNROLLED: LazyLock<[Passes; 9]> = LazyLock::new(|| {
    [
        "loop-unroll<runtime;count=2;threshold=1000>",
        "loop-unroll<runtime;count=3;threshold=1000>",
        "loop-unroll<runtime;count=2;rest=prologue;threshold=1000>",
        "loop-unroll<runtime;count=4;rest=epilogue;threshold=1000>",
        "loop-unroll<partial;count=3;threshold=1000>",
        "function(loop(loop-rotate),loop-unroll<runtime;count=4;threshold=1000>)",
        "function(loop(loop-rotate),loop-unroll<runtime;count=3;rest=prologue;threshold=1000>)",
        "function(loop(loop-rotate),loop-unroll<partial;count=4;threshold=1000>)",
        "loop-unroll<count=20;threshold=2000>",
    ]
    .map(Passes::new)
});
/// HIR round trips of nests in their original form, and of rotated nests.
static TREES: LazyLock<[Passes; 2]> = LazyLock::new(|| {
    ["loop-simplify,loop-rotate,lcssa,hir-roundtrip", "loop-simplify,lcssa,hir-roundtrip"].map(Passes::new)
});
/// Each HIR transform, after the canonicalization that it requires.
static TRANSFORMED: LazyLock<[Passes; 12]> = LazyLock::new(|| {
    [
        "loop-simplify,loop-rotate,lcssa,hir-strip-mine<2>",
        "loop-simplify,loop-rotate,lcssa,hir-strip-mine<3>",
        "loop-simplify,loop-rotate,lcssa,hir-interchange",
        "loop-simplify,loop-rotate,lcssa,hir-tile<2>",
        "loop-simplify,loop-rotate,lcssa,hir-tile<3>",
        "loop-simplify,loop-rotate,lcssa,hir-unroll-and-jam<2>",
        "loop-simplify,loop-rotate,lcssa,hir-unroll-and-jam<3>",
        "loop-simplify,loop-rotate,lcssa,hir-distribute",
        "loop-simplify,loop-rotate,lcssa,hir-fuse",
        "loop-simplify,loop-rotate,lcssa,hir-fuse<force>,hir-interchange<force>,hir-unroll-and-jam<2;force>,hir-distribute<force>",
        "loop-simplify,lcssa,hir-strip-mine<3>,hir-distribute",
        "loop-simplify,lcssa,hir-fuse,hir-interchange,hir-tile<2>",
    ]
    .map(Passes::new)
});
/// VPlan round trips of nests in their original form and of rotated nests, one iteration at a time.
static PLANNED: LazyLock<[Passes; 4]> = LazyLock::new(|| {
    [
        "loop-simplify,lcssa,vplan-roundtrip",
        "loop-simplify,loop-rotate,lcssa,vplan-roundtrip",
        "loop-simplify,loop-rotate,lcssa,vplan-roundtrip<landing-pad>",
        "loop-simplify,loop-rotate,lcssa,vplan-roundtrip<uniform>",
    ]
    .map(Passes::new)
});
/// Vectorization at several vector widths and interleave counts, independent of cost.
static VECTORIZED: LazyLock<[Passes; 12]> = LazyLock::new(|| {
    [
        "loop-simplify,loop-rotate,lcssa,loop-vectorize<force-vector-width=2;force-vector-interleave=1>",
        "loop-simplify,loop-rotate,lcssa,loop-vectorize<force-vector-width=4;force-vector-interleave=1>",
        "loop-simplify,loop-rotate,lcssa,loop-vectorize<force-vector-width=2;force-vector-interleave=2>",
        "loop-simplify,lcssa,loop-vectorize<force-vector-width=4;force-vector-interleave=2>",
        "loop-simplify,loop-rotate,lcssa,loop-vectorize<force-vector-width=4;\
         prefer-predicate-over-epilogue=predicate-dont-vectorize>",
        "loop-simplify,loop-rotate,lcssa,loop-vectorize<force-vector-width=8;force-vector-interleave=1>",
        "loop-simplify,loop-rotate,lcssa,loop-vectorize<force-vector-width=16;force-vector-interleave=1>",
        "loop-simplify,loop-rotate,lcssa,loop-vectorize<force-vector-width=2;force-vector-interleave=3>",
        "loop-simplify,loop-rotate,lcssa,loop-vectorize<force-vector-width=2;force-vector-interleave=4>",
        "loop-simplify,loop-rotate,lcssa,loop-vectorize",
        "loop-simplify,loop-rotate,lcssa,loop-vectorize<force-vector-width=2;enable-vplan-native-path>",
        "loop-simplify,lcssa,loop-vectorize<force-vector-width=4;force-vector-interleave=1;enable-vplan-native-path>",
    ]
    .map(Passes::new)
});
/// Index of the first entry of [`VECTORIZED`] that also vectorizes outer loops.
const FIRST_OF_NESTS: usize = 10;
/// The pipelines that users run.
static WHOLE: LazyLock<[Passes; 3]> =
    LazyLock::new(|| ["default<O3>", "default<O2>", "default<O1>"].map(Passes::new));
/// Every pass, each after the canonicalization that it requires.
static SINGLE: LazyLock<[Passes; 25]> = LazyLock::new(|| {
    [
        "function(loop(loop-rotate,licm,simple-loop-unswitch<nontrivial>),simplifycfg,instsimplify,early-cse)",
        "function(loop(indvars,loop-deletion),loop-unroll<runtime>)",
        "function(loop(loop-rotate))",
        "function(loop(loop-rotate,licm))",
        "function(loop(licm))",
        "function(lnicm)",
        "function(loop(simple-loop-unswitch))",
        "function(loop(simple-loop-unswitch<nontrivial>))",
        "function(loop(indvars))",
        "function(loop(loop-rotate,indvars))",
        "function(loop(loop-deletion))",
        "function(loop(loop-rotate,loop-idiom))",
        "function(loop(early-exit-inversion))",
        "function(loop(bound-restriction))",
        "function(loop(iteration-set-split))",
        "function(loop(iteration-set-split<multiple=2>))",
        "function(loop(loop-peel))",
        "function(loop(loop-peel<count=1>))",
        "function(loop(loop-peel<last>))",
        "function(loop-unroll<runtime>)",
        "function(loop(loop-instsimplify,loop-simplifycfg),dce)",
        "function(early-cse)",
        "function(instsimplify)",
        "function(simplifycfg)",
        "function(loop-unroll-full<threshold=1000>)",
    ]
    .map(Passes::new)
});
/// Maximum number of passes in a random sequence: bounds the time for one program.
const MAX_PASSES: usize = 4;
/// One draw in this many is a whole pipeline, which takes as long as ten single passes.
const WHOLE_PART: usize = 16;

/// A random sequence of passes, determined by `number`.
fn drawn(number: usize) -> Vec<&'static Passes> {
    let mut rest = number;
    let mut next = |below: usize| {
        let drawn = rest % below;
        rest /= below;
        drawn
    };
    let count = next(MAX_PASSES) + 1;
    let mut one = || match next(WHOLE_PART) {
        0 => &WHOLE[next(WHOLE.len())],
        _ => &SINGLE[next(SINGLE.len())],
    };
    (0..count).map(|_| one()).collect()
}

impl Target {
    /// All targets.
    pub const ALL: [Self; 12] = [
        Self::Parse,
        Self::Roundtrip,
        Self::Canonicalize,
        Self::UnrollMultiExit,
        Self::Pipeline,
        Self::HirRoundtrip,
        Self::HirTransforms,
        Self::VPlanRoundtrip,
        Self::Vectorize,
        Self::ScevClaims,
        Self::EncoderVsInterp,
        Self::ProofVsRuns,
    ];
    /// The name of the target, which is also the name of its file in `fuzz_targets`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Parse => "parse",
            Self::Roundtrip => "roundtrip",
            Self::Canonicalize => "canonicalize",
            Self::UnrollMultiExit => "unroll_multi_exit",
            Self::Pipeline => "pipeline",
            Self::HirRoundtrip => "hir_roundtrip",
            Self::HirTransforms => "hir_transforms",
            Self::VPlanRoundtrip => "vplan_roundtrip",
            Self::Vectorize => "vectorize",
            Self::ScevClaims => "scev_claims",
            Self::EncoderVsInterp => "encoder_vs_interp",
            Self::ProofVsRuns => "proof_vs_runs",
        }
    }
    /// Entry point of a fuzzer.
    ///
    /// # Panics
    ///
    /// If an oracle reports a finding.
    pub fn fuzz(self, data: &[u8]) {
        if let Err(found) = self.check(data) {
            panic!("{found}");
        }
    }
    /// Runs the target on the bytes derived from `seed`.
    pub fn check_seed(self, seed: u64) -> Result<(), Box<Found>> {
        self.ask(&bytes_of_seed(seed), |favoured| Generated::from_seed_favouring(seed, favoured))
    }
    /// Runs the target on `data`.
    pub fn check(self, data: &[u8]) -> Result<(), Box<Found>> {
        self.ask(data, |favoured| Generated::from_bytes_favouring(data, favoured))
    }
    /// The program that this target generates from `data`.
    pub fn program(self, data: &[u8]) -> Generated {
        Generated::from_bytes_favouring(data, self.favoured(number_of(data)))
    }
    /// The knobs that this target favors when it generates a program.
    fn favoured(self, number: usize) -> Knobs {
        let favoured: &[Knob] = match self {
            // Nests for transforms that apply to nests only; long-running loops for the rest.
            Self::Vectorize if number % VECTORIZED.len() >= FIRST_OF_NESTS => &[Knob::AffineNests],
            Self::Vectorize => &[Knob::AffineNests, Knob::LongLoops],
            Self::HirTransforms => &[Knob::AffineNests],
            Self::Parse
            | Self::Roundtrip
            | Self::Canonicalize
            | Self::UnrollMultiExit
            | Self::Pipeline
            | Self::HirRoundtrip
            | Self::VPlanRoundtrip
            | Self::ScevClaims
            | Self::EncoderVsInterp
            | Self::ProofVsRuns => &[],
        };
        favoured.iter().copied().collect()
    }
    /// Runs the target's oracles on `data` or on the program derived from it.
    fn ask(self, data: &[u8], program: impl FnOnce(Knobs) -> Generated) -> Result<(), Box<Found>> {
        let number = number_of(data);
        let subject = || Subject { program: program(self.favoured(number)), number };
        match self {
            Self::Parse => {
                // Both results are acceptable; the target looks for panics and hangs.
                _ = parse_module(data);
                Ok(())
            }
            Self::Roundtrip => roundtrip(data, subject()),
            Self::Canonicalize => subject().transformed(&[&*CANONICAL]),
            Self::UnrollMultiExit => {
                let subject = subject();
                let passes = &UNROLLED[subject.pick(UNROLLED.len())];
                subject.transformed(&[passes])
            }
            Self::Pipeline => {
                let subject = subject();
                let passes = drawn(subject.number);
                subject.transformed(&passes)?;
                // This oracle is many times as expensive as the others.
                if subject.number.is_multiple_of(29) { subject.repeated(passes[0]) } else { Ok(()) }
            }
            Self::HirRoundtrip => {
                let subject = subject();
                subject.transformed(&[&TREES[subject.pick(TREES.len())]])?;
                subject.depends()
            }
            Self::HirTransforms => {
                let subject = subject();
                let passes = &TRANSFORMED[subject.pick(TRANSFORMED.len())];
                subject.transformed(&[passes])
            }
            Self::VPlanRoundtrip => {
                let subject = subject();
                subject.transformed(&[&PLANNED[subject.pick(PLANNED.len())]])
            }
            Self::Vectorize => {
                let subject = subject();
                subject.transformed(&[&VECTORIZED[subject.pick(VECTORIZED.len())]])
            }
            Self::ScevClaims => subject().claimed(),
            Self::EncoderVsInterp => subject().encoded(),
            Self::ProofVsRuns => {
                let subject = subject();
                let passes = drawn(subject.number)[0];
                subject.proved(passes)
            }
        }
    }
}

fn roundtrip(data: &[u8], subject: Subject) -> Result<(), Box<Found>> {
    let found = |finding: text::Misread, input: String| {
        Box::new(Found { finding: finding.into(), input, pipeline: None })
    };
    if let Ok(parsed) = parse_module(data) {
        let input = || String::from_utf8_lossy(data).into_owned();
        text::check(&parsed.module).map_err(|m| found(m, input()))?;
    }
    let program = subject.program;
    text::check(&program.module).map_err(|m| found(m, program.to_string()))
}

/// A number determined by the bytes.
fn number_of(data: &[u8]) -> usize {
    data.iter().fold(0, |n: usize, b| n.wrapping_mul(31).wrapping_add(usize::from(*b)))
}

/// A program under test.
struct Subject {
    program: Generated,
    /// A number determined by the input bytes, for choices that are not part of the program.
    number: usize,
}

impl Subject {
    fn pick(&self, of: usize) -> usize {
        self.number % of
    }
    fn found(&self, finding: impl Into<Finding>, passes: &[&Passes]) -> Box<Found> {
        let texts: Vec<&str> = passes.iter().map(|p| p.text).collect();
        let pipeline = (!texts.is_empty()).then(|| texts.join(","));
        Box::new(Found { finding: finding.into(), input: self.program.to_string(), pipeline })
    }
    fn side<'a>(&self, module: &'a Module) -> Side<'a> {
        Side { module, func: self.func() }
    }
    fn func(&self) -> FuncId {
        self.program.func
    }
    /// The program after `passes`; `None` if they changed nothing.
    fn after(&self, passes: &[&Passes]) -> Result<Option<Module>, Box<Found>> {
        let mut target = self.program.module.clone();
        let mut changed = false;
        for one in passes {
            let done = optimize::check(&mut target, &one.pipeline, optimize::Bounds::default(), &mut Nobody);
            changed |= done.map_err(|fault| self.found(fault, passes))?.changed > 0;
        }
        Ok(changed.then_some(target))
    }
    fn transformed(&self, passes: &[&Passes]) -> Result<(), Box<Found>> {
        let Some(target) = self.after(passes)? else { return Ok(()) };
        let (source, target) = (self.side(&self.program.module), self.side(&target));
        // Campaigns test undef inputs; targets do not.
        let limits = runs::Limits { undef_inputs: false, ..runs::Limits::default() };
        match runs::check(source, target, limits) {
            Ok(_) => Ok(()),
            Err(miscompile) => Err(self.found(miscompile, passes)),
        }
    }
    /// Checks repeated runs of passes: pipelines must settle, and passes that promise idempotence must keep the
    /// promise.
    fn repeated(&self, passes: &Passes) -> Result<(), Box<Found>> {
        let module = || self.program.module.clone();
        let settled = settling::check(module(), self.func(), &passes.pipeline, ROUNDS);
        if let Ok(Err(unsettled @ settling::Unsettled::Undone { .. })) = settled {
            return Err(self.found(unsettled, &[passes]));
        }
        for (name, pass) in &*PROMISED {
            if let Ok(Err(unfinished)) = again::check(module(), self.func(), (name, pass)) {
                return Err(self.found(unfinished, &[]));
            }
        }
        Ok(())
    }
    fn claimed(&self) -> Result<(), Box<Found>> {
        const ORDERS: [Order; 3] = [Order::Forwards, Order::Backwards, Order::CountsFirst];
        let runs = ClaimRuns {
            exhaustive: 1 << 6,
            runs: 20,
            seed: self.number as u64,
            fuel: 2_000,
            all_fuel: 40_000,
            ..ClaimRuns::default()
        };
        let order = ORDERS[self.pick(ORDERS.len())];
        match claims::check(&self.program.module, self.func(), order, &runs) {
            Ok(_) => Ok(()),
            Err(wrong) => Err(self.found(wrong, &[])),
        }
    }
    fn depends(&self) -> Result<(), Box<Found>> {
        if let Err(uncovered) = dependences::check(&self.program.module, self.func(), self.number as u64) {
            return Err(self.found(uncovered, &[]));
        }
        match forms::check(&self.program.module, self.func(), self.number as u64) {
            Ok(_) => Ok(()),
            Err(wrong) => Err(self.found(wrong, &[])),
        }
    }
    fn encoded(&self) -> Result<(), Box<Found>> {
        match encoder::check(&self.program.module, self.func(), self.number as u64, 4) {
            Ok(_) => Ok(()),
            Err(disagreement) => Err(self.found(disagreement, &[])),
        }
    }
    fn proved(&self, passes: &Passes) -> Result<(), Box<Found>> {
        let Some(target) = self.after(&[passes])? else { return Ok(()) };
        let (source, target) = (self.side(&self.program.module), self.side(&target));
        let runs = runs::Limits { runs: 200, ..runs::Limits::default() };
        let options = Options { undef_inputs: false, ..proof::limits() };
        match proof::check(source, target, &options, runs) {
            Ok(proof::Seen::Refuted(refutation)) => {
                Err(self.found(runs::Miscompile { refutation }, &[passes]))
            }
            Ok(proof::Seen::Holds { .. } | proof::Seen::Open) => Ok(()),
            Err(wrong) => Err(self.found(wrong, &[passes])),
        }
    }
}

/// Number of pipeline rounds. A pipeline may still make changes after them, but must not return to an earlier state.
const ROUNDS: usize = 5;

static PROMISED: LazyLock<Vec<(&'static str, Pipeline)>> =
    LazyLock::new(|| again::promised().unwrap_or_else(|e| panic!("{e:?}")));
