//! The programs of a campaign: each seed stands for one, whoever asks for it and however often.
//!
//! Without a corpus a program is generated. With one, a seed picks a module of it and what is changed in it.

use crate::generate::{Generated, bytes_of_seed};
use backedge_ir::entity::FuncId;
use backedge_ir::module::Module;
use backedge_ir::print::module_to_string;

/// A program.
#[derive(Clone, Debug)]
pub struct Program {
    /// The seed that stands for it.
    pub seed: u64,
    /// The module.
    pub module: Module,
    /// How many loops were written; 0 where nobody counted.
    pub loops: usize,
    /// How it was made, in words.
    pub origin: String,
}

impl Program {
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
pub struct Programs;

impl Programs {
    /// Programs that are made at random.
    pub fn generated() -> Self {
        Self
    }
    /// The program of `seed`.
    pub fn of(&self, seed: u64) -> Program {
        let Generated { module, loops, origin, .. } = Generated::from_seed(seed);
        Program { seed, module, loops, origin: origin.to_string() }
    }
}

/// A number that two others decide, spread over all bits.
pub(crate) fn mixed(seed: u64, salt: u64) -> u64 {
    let bytes = bytes_of_seed(seed ^ salt.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(17));
    u64::from_le_bytes(std::array::from_fn(|i| bytes[i]))
}
