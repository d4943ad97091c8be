//! The programs of a campaign. A seed determines its program, independent of who asks and how often.
//!
//! Without a corpus the program is generated. With a corpus the seed selects a module and the mutations applied to
//! it.

use crate::generate::{Generated, Knobs, bytes_of_seed};
use crate::mutate::corpus::Corpus;
use crate::mutate::{Limits, loops};
use backedge_ir::entity::FuncId;
use backedge_ir::module::Module;
use backedge_ir::parse::read_module;
use backedge_ir::print::{Locals, extract, module_to_string};
use std::sync::Arc;

/// A program under test.
#[derive(Clone, Debug)]
pub struct Program {
    /// The seed of the program.
    pub seed: u64,
    /// The module.
    pub module: Module,
    /// The number of loops; 0 if not counted.
    pub loops: usize,
    /// The knobs that were enabled when the program was generated.
    pub knobs: Knobs,
    /// The enabled knobs that had an effect on the program.
    pub used: Knobs,
    /// The mutators applied to the corpus module, sorted and without duplicates; empty for a generated program.
    pub mutators: Vec<&'static str>,
    /// A description of the program's origin.
    pub origin: String,
}

impl Program {
    /// A module that was not generated.
    pub fn given(seed: u64, module: Module, origin: String) -> Self {
        let mutators = Vec::new();
        Self { seed, module, loops: 0, knobs: Knobs::NONE, used: Knobs::NONE, mutators, origin }
    }
    /// The functions with bodies.
    pub fn funcs(&self) -> impl Iterator<Item = FuncId> + '_ {
        self.module.bodies().map(|(func, _)| func)
    }
    /// The printed module.
    pub fn text(&self) -> String {
        module_to_string(&self.module)
    }
    /// A number determined by the seed and `salt`, for choices that are not part of the program.
    pub fn number(&self, salt: u64) -> u64 {
        mixed(self.seed, salt)
    }
}

/// A source of programs.
#[derive(Clone, Debug, Default)]
pub struct Programs {
    corpus: Option<Arc<Corpus>>,
}

impl Programs {
    /// Generated programs.
    pub fn generated() -> Self {
        Self { corpus: None }
    }
    /// Mutants of corpus modules, each reduced to one function and its references.
    pub fn mutants(corpus: Corpus) -> Self {
        Self { corpus: Some(Arc::new(corpus)) }
    }
    /// The program of `seed`.
    pub fn of(&self, seed: u64) -> Program {
        self.mutant(seed).unwrap_or_else(|| {
            let program = Generated::from_seed(seed);
            let origin = program.recreating_call();
            let Generated { module, loops, knobs, used, .. } = program;
            Program { seed, module, loops, knobs, used, mutators: Vec::new(), origin }
        })
    }
    /// The mutant of `seed`; `None` if there is no corpus or the mutant does not parse.
    fn mutant(&self, seed: u64) -> Option<Program> {
        let (entry, mutant) = self.corpus.as_ref()?.mutant(seed, Limits::default())?;
        let func = mutant.func().or_else(|| mutant.module.bodies().next().map(|(func, _)| func))?;
        let text = extract(&mutant.module, func, &[], Locals::Named).text;
        let module = read_module(text.as_bytes()).ok()?.module;
        let changes: Vec<&'static str> = mutant.applied.iter().map(|applied| applied.mutator).collect();
        let origin = format!("a mutant of {}, seed {seed}: {}", entry.path.display(), changes.join(", "));
        let mut mutators = changes;
        mutators.sort_unstable();
        mutators.dedup();
        Some(Program { loops: loops(&module), mutators, ..Program::given(seed, module, origin) })
    }
}

/// Mixes two numbers into one with well-distributed bits.
pub(crate) fn mixed(seed: u64, salt: u64) -> u64 {
    let bytes = bytes_of_seed(seed ^ salt.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(17));
    u64::from_le_bytes(std::array::from_fn(|i| bytes[i]))
}
