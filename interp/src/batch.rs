//! One function on many inputs, in parallel, results in the order of the inputs whatever the threads do.
//!
//! Each thread has a machine and an input of its own, used again for run after run, so that a run allocates nothing
//! where [`Machine::run_to_end`] does not and the caller's closures do not.

use crate::chooser::Chooser;
use crate::compile::Program;
use crate::exec::machine::{Ended, Machine};
use crate::input::{Input, InputError};
use crate::memory::Memory;
use crate::{Config, input::ArgSpec};
use backedge_ir::entity::FuncId;
use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};

/// Inputs that a thread takes at a time.
const CHUNK: usize = 256;

/// A function to be run on many inputs.
#[derive(Debug)]
pub struct Batch<'p> {
    program: &'p Program<'p>,
    config: Config,
    func: FuncId,
    /// Machines that no thread uses now, with inputs whose room is used again.
    idle: Mutex<Vec<(Machine<'p>, Input)>>,
}

impl<'p> Batch<'p> {
    /// A batch for `func` of `program`.
    pub fn new(program: &'p Program<'p>, config: Config, func: FuncId) -> Self {
        Self { program, config, func, idle: Mutex::default() }
    }
    /// Runs on the inputs of the numbers up to `count`: `fill` turns an input, which holds an earlier one, into that of
    /// the number; `chooser` makes the chooser of a run; `read` takes from a run and the memory it leaves what is
    /// wanted. All inputs are run; the error is that of the first input that does not fit.
    pub fn run<T, C>(
        &self,
        count: usize,
        fill: impl Fn(usize, &mut Input) + Sync,
        chooser: impl Fn(usize) -> C + Sync,
        read: impl Fn(usize, Ended, &Memory) -> T + Sync,
    ) -> Result<Vec<T>, InputError>
    where
        T: Send,
        C: Chooser,
    {
        let mut results: Vec<Option<T>> = Vec::new();
        results.resize_with(count, || None);
        let chunks = results.par_chunks_mut(CHUNK).enumerate();
        let errors = chunks.filter_map(|(chunk, slots)| {
            let (mut machine, mut input) = self.take();
            let mut error = None;
            for (i, slot) in (chunk * CHUNK..).zip(slots) {
                fill(i, &mut input);
                match machine.run_to_end(self.func, &input, &mut chooser(i)) {
                    Ok(ended) => *slot = Some(read(i, ended, machine.memory())),
                    Err(e) if error.is_none() => error = Some((i, e)),
                    Err(_) => {}
                }
            }
            self.put_back((machine, input));
            error
        });
        match errors.min_by_key(|(i, _)| *i) {
            Some((_, error)) => Err(error),
            None => Ok(results.into_iter().flatten().collect()),
        }
    }
    fn take(&self) -> (Machine<'p>, Input) {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        idle.unwrap_or_else(|| (Machine::new(self.program, self.config.clone()), Input::default()))
    }
    fn put_back(&self, used: (Machine<'p>, Input)) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(used);
    }
}

/// All values of an integer of `width` bits (at most 16), and poison: what an exhaustive check tries for an argument.
/// The number of inputs for several arguments is the product, and [`fill`](Exhaustive::fill) makes each of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exhaustive {
    widths: Vec<u32>,
    poison: bool,
}

impl Exhaustive {
    /// All tuples of integers of these widths, with poison or without; `None` if there are more than 2^32 of them.
    pub fn new(widths: Vec<u32>, poison: bool) -> Option<Self> {
        let all = Self { widths, poison };
        let count = all
            .widths
            .iter()
            .try_fold(1u64, |n, w| if *w > 16 { None } else { n.checked_mul(all.values(*w) as u64) })?;
        (count <= 1 << 32).then_some(all)
    }
    fn values(&self, width: u32) -> usize {
        (1 << width) + usize::from(self.poison)
    }
    /// How many there are.
    pub fn count(&self) -> usize {
        self.widths.iter().map(|w| self.values(*w)).product()
    }
    /// Makes `input` the one of that number; the first argument counts fastest.
    pub fn fill(&self, mut number: usize, input: &mut Input) {
        input.args.clear();
        for &width in &self.widths {
            let values = self.values(width);
            let value = number % values;
            number /= values;
            input.args.push(if value >> width == 0 { ArgSpec::Int(value as i128) } else { ArgSpec::Poison });
        }
    }
}
