//! What is fuzzed: each target makes something of bytes and asks oracles about it. The fuzz targets in `fuzz_targets` are
//! these, and so are the tests that run them over seeds.

use crate::generate::{Generated, Knob, Knobs, bytes_of_seed};
use crate::oracle::{
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

/// A target.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Target {
    /// The parser takes any bytes.
    Parse,
    /// Modules read as they are printed: generated ones, and what the parser takes.
    Roundtrip,
    /// Loops in canonical form do what they did.
    Canonicalize,
    /// Loops with several exits do what they did when they are unrolled.
    UnrollMultiExit,
    /// All passes, one after the other.
    Pipeline,
    /// Nests do what they did when trees are made of them and lowered again, and depend on what their graphs say.
    HirRoundtrip,
    /// Nests do what they did when their trees are transformed.
    HirTransforms,
    /// Plans of nests, made fit for regions and executed one iteration at a time, do the same as the nests.
    VPlanRoundtrip,
    /// Vector code does the same as the loops that it is made of.
    Vectorize,
    /// What scalar evolution claims holds on runs.
    ScevClaims,
    /// The interpreter and the solver's encoding agree.
    EncoderVsInterp,
    /// What is proved holds on runs.
    ProofVsRuns,
}

/// A finding, and what it was found on.
#[derive(Debug)]
pub struct Found {
    /// What.
    pub finding: Finding,
    /// The IR, with what makes it again.
    pub input: String,
    /// The pipeline that it was put through, if it was.
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

/// A pipeline with its text.
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

/// The texts of all pipelines that targets put programs through, for whoever wants to do the same.
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
/// Trees of nests as they are written, and with tests at the bottom of loops.
static TREES: LazyLock<[Passes; 2]> = LazyLock::new(|| {
    ["loop-simplify,loop-rotate,lcssa,hir-roundtrip", "loop-simplify,lcssa,hir-roundtrip"].map(Passes::new)
});
/// Each transform of trees with what makes nests of loops out of what is written.
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
/// Plans of nests, as they are written and with tests at the bottom of loops, executed one iteration at a time.
static PLANNED: LazyLock<[Passes; 4]> = LazyLock::new(|| {
    [
        "loop-simplify,lcssa,vplan-roundtrip",
        "loop-simplify,loop-rotate,lcssa,vplan-roundtrip",
        "loop-simplify,loop-rotate,lcssa,vplan-roundtrip<landing-pad>",
        "loop-simplify,loop-rotate,lcssa,vplan-roundtrip<uniform>",
    ]
    .map(Passes::new)
});
/// Vectors of several numbers of lanes and parts, whatever they cost.
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
/// The first of [`VECTORIZED`] that makes vectors of outer loops too.
const FIRST_OF_NESTS: usize = 10;
/// The pipelines that users start.
static WHOLE: LazyLock<[Passes; 3]> =
    LazyLock::new(|| ["default<O3>", "default<O2>", "default<O1>"].map(Passes::new));
/// All passes, each with what it needs in front of it.
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
/// How many passes are run one after the other at most.
const MOST_PASSES: usize = 4;
/// Of so many draws one is a whole pipeline: that takes as long as ten others.
const WHOLE_PART: usize = 16;

/// Some of all passes, one after the other: those that number `number` stands for.
fn drawn(number: usize) -> Vec<&'static Passes> {
    let mut rest = number;
    let mut next = |below: usize| {
        let drawn = rest % below;
        rest /= below;
        drawn
    };
    let count = next(MOST_PASSES) + 1;
    let mut one = || match next(WHOLE_PART) {
        0 => &WHOLE[next(WHOLE.len())],
        _ => &SINGLE[next(SINGLE.len())],
    };
    (0..count).map(|_| one()).collect()
}

impl Target {
    /// All of them.
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
    /// Its name: that of the file in `fuzz_targets`.
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
    /// What a fuzzer runs.
    ///
    /// # Panics
    ///
    /// On a finding.
    pub fn fuzz(self, data: &[u8]) {
        if let Err(found) = self.check(data) {
            panic!("{found}");
        }
    }
    /// Asks about what the bytes of `seed` stand for.
    pub fn check_seed(self, seed: u64) -> Result<(), Box<Found>> {
        self.ask(&bytes_of_seed(seed), |favoured| Generated::from_seed_favouring(seed, favoured))
    }
    /// Asks about what `data` stands for.
    pub fn check(self, data: &[u8]) -> Result<(), Box<Found>> {
        self.ask(data, |favoured| Generated::from_bytes_favouring(data, favoured))
    }
    /// The program that `data` stands for here.
    pub fn program(self, data: &[u8]) -> Generated {
        Generated::from_bytes_favouring(data, self.favoured(number_of(data)))
    }
    /// What programs are about mostly that are drawn for it.
    fn favoured(self, number: usize) -> Knobs {
        let favoured: &[Knob] = match self {
            // Nests for what is done to nests alone, loops of many iterations for the rest.
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
    /// Asks about `data`, and the program that it stands for.
    fn ask(self, data: &[u8], program: impl FnOnce(Knobs) -> Generated) -> Result<(), Box<Found>> {
        let number = number_of(data);
        let subject = || Subject { program: program(self.favoured(number)), number };
        match self {
            Self::Parse => {
                // Both outcomes are right; what is looked for is a panic, or an end that does not come.
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
                // Costs many times as much.
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

/// A number that the bytes decide.
fn number_of(data: &[u8]) -> usize {
    data.iter().fold(0, |n: usize, b| n.wrapping_mul(31).wrapping_add(usize::from(*b)))
}

/// A program that is asked about.
struct Subject {
    program: Generated,
    /// A number that the bytes decide: for choices that are not the program's.
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
    /// The program after `passes`; nothing if they left it as it was.
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
        // What an undef input alone shows is for campaigns.
        let limits = runs::Limits { undef_inputs: false, ..runs::Limits::default() };
        match runs::check(source, target, limits) {
            Ok(_) => Ok(()),
            Err(miscompile) => Err(self.found(miscompile, passes)),
        }
    }
    /// Passes that run again and again.
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

/// Rounds of a pipeline, after which it need not be at rest, but must not have come back to where it was.
const ROUNDS: usize = 5;

static PROMISED: LazyLock<Vec<(&'static str, Pipeline)>> =
    LazyLock::new(|| again::promised().unwrap_or_else(|e| panic!("{e:?}")));
