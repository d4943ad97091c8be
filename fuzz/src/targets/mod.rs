//! Fuzz targets. Each target derives an input from bytes and runs oracles on it. The binaries in `fuzz_targets` call
//! these targets, and so do the tests that run them over seeds.
//!
//! To add a target, add its file here, and one line to the list below; tests name the file in `fuzz_targets`, the lines
//! of its manifest and the line of `fuzz/README.md` that belong to it.

mod canonicalize;
mod encoder_vs_interp;
mod hir_roundtrip;
mod hir_transforms;
mod parse;
mod passes;
mod pipeline;
mod proof_vs_runs;
mod roundtrip;
mod scev_claims;
mod subject;
mod target;
mod unroll_multi_exit;
mod vectorize;
mod vplan_roundtrip;

pub use subject::TargetFinding;

use crate::generate::{Generated, Knobs, bytes_of_seed};
use std::fmt;
use subject::Subject;
use target::{FuzzTarget, TargetInput};

/// Derives [`Target`] from the list of targets.
macro_rules! targets {
    ($($module:ident::$name:ident,)*) => {
        /// A fuzz target; its name is the name of its file here and in `fuzz_targets`.
        #[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Target {
            $(
                #[doc = concat!("See `", stringify!($module), "`.")]
                $name,
            )*
        }

        impl Target {
            /// All targets, in the order of the list.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The name of the target.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$name => stringify!($module),)*
                }
            }
            fn target(self) -> &'static dyn FuzzTarget {
                match self {
                    $(Self::$name => &$module::$name,)*
                }
            }
        }
    };
}

targets! {
    parse::Parse,
    roundtrip::Roundtrip,
    canonicalize::Canonicalize,
    unroll_multi_exit::UnrollMultiExit,
    pipeline::Pipeline,
    hir_roundtrip::HirRoundtrip,
    hir_transforms::HirTransforms,
    vplan_roundtrip::VPlanRoundtrip,
    vectorize::Vectorize,
    scev_claims::ScevClaims,
    encoder_vs_interp::EncoderVsInterp,
    proof_vs_runs::ProofVsRuns,
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The texts of all pipelines that the targets run.
pub fn pipelines() -> Vec<&'static str> {
    Target::ALL.iter().flat_map(|target| target.target().pipelines()).map(|passes| passes.text).collect()
}

impl Target {
    /// The checked property, in one line.
    pub fn property(self) -> &'static str {
        self.target().property()
    }
    /// Whether the target also reads its input as IR.
    pub fn reads_text(self) -> bool {
        self.target().reads_text()
    }
    /// Number of seeds in a test run of about a second.
    pub fn test_seeds(self) -> u64 {
        self.target().test_seeds()
    }
    /// Number of generated programs in the target's seed corpus.
    pub fn corpus_programs(self) -> u64 {
        self.target().corpus_programs()
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
    pub fn check_seed(self, seed: u64) -> Result<(), Box<TargetFinding>> {
        self.ask(&bytes_of_seed(seed), &|favoured| Generated::from_seed_favouring(seed, favoured))
    }
    /// Runs the target on `data`.
    pub fn check(self, data: &[u8]) -> Result<(), Box<TargetFinding>> {
        self.ask(data, &|favoured| Generated::from_bytes_favouring(data, favoured))
    }
    /// The program that this target generates from `data`.
    pub fn program(self, data: &[u8]) -> Generated {
        Generated::from_bytes_favouring(data, self.favoured(number_of(data)))
    }
    /// The knobs that this target favors when it generates a program.
    fn favoured(self, number: usize) -> Knobs {
        self.target().favoured(number).iter().copied().collect()
    }
    /// Runs the target's oracles on `data` or on the program derived from it.
    fn ask(self, data: &[u8], program: &dyn Fn(Knobs) -> Generated) -> Result<(), Box<TargetFinding>> {
        let number = number_of(data);
        let subject = || Subject { program: program(self.favoured(number)), number };
        self.target().check(&TargetInput { data, subject: &subject })
    }
}

/// A number determined by the bytes.
fn number_of(data: &[u8]) -> usize {
    data.iter().fold(0, |n: usize, b| n.wrapping_mul(31).wrapping_add(usize::from(*b)))
}
