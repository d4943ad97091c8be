//! The programs of a campaign: each seed stands for one, whoever asks for it and however often.
//!
//! Without a corpus a program is generated. With one, a seed picks a module of it and what is changed in it.

use crate::generate::{Generated, Knobs, bytes_of_seed};
use crate::mutate::corpus::Corpus;
use crate::mutate::{Limits, loops};
use backedge_ir::entity::FuncId;
use backedge_ir::module::Module;
use backedge_ir::parse::read_module;
use backedge_ir::print::{Locals, extract, module_to_string};
use std::sync::Arc;

/// A program.
#[derive(Clone, Debug)]
pub struct Program {
    /// The seed that stands for it.
    pub seed: u64,
    /// The module.
    pub module: Module,
    /// How many loops there are; 0 where nobody counted.
    pub loops: usize,
    /// The knobs that were on when it was made at random.
    pub knobs: Knobs,
    /// Those of them of which there is something in it.
    pub used: Knobs,
    /// What changed the code that it was made from, each once and in order of the names; nothing of one that was made at random.
    pub mutators: Vec<&'static str>,
    /// How it was made, in words.
    pub origin: String,
}

impl Program {
    /// A module that was not made at random.
    pub fn given(seed: u64, module: Module, origin: String) -> Self {
        let mutators = Vec::new();
        Self { seed, module, loops: 0, knobs: Knobs::NONE, used: Knobs::NONE, mutators, origin }
    }
    /// Functions with code.
    pub fn funcs(&self) -> impl Iterator<Item = FuncId> + '_ {
        self.module.bodies().map(|(func, _)| func)
    }
    /// Its text.
    pub fn text(&self) -> String {
        module_to_string(&self.module)
    }
    /// A number that the seed decides, for choices that are not the program's.
    pub fn number(&self, salt: u64) -> u64 {
        mixed(self.seed, salt)
    }
}

/// Where programs come from.
#[derive(Clone, Debug, Default)]
pub struct Programs {
    corpus: Option<Arc<Corpus>>,
}

impl Programs {
    /// Programs that are made at random.
    pub fn generated() -> Self {
        Self { corpus: None }
    }
    /// Mutants of the modules of a corpus, each of one function with what it refers to.
    pub fn mutants(corpus: Corpus) -> Self {
        Self { corpus: Some(Arc::new(corpus)) }
    }
    /// The program of `seed`.
    pub fn of(&self, seed: u64) -> Program {
        self.mutant(seed).unwrap_or_else(|| {
            let program = Generated::from_seed(seed);
            let origin = program.made_by();
            let Generated { module, loops, knobs, used, .. } = program;
            Program { seed, module, loops, knobs, used, mutators: Vec::new(), origin }
        })
    }
    /// The mutant of `seed`, if there is one that can be read.
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

/// A number that two others decide, spread over all bits.
pub(crate) fn mixed(seed: u64, salt: u64) -> u64 {
    let bytes = bytes_of_seed(seed ^ salt.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(17));
    u64::from_le_bytes(std::array::from_fn(|i| bytes[i]))
}
