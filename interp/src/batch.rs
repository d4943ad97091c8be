//! Runs one function on many inputs in parallel; results are in the order of the inputs, independent of scheduling.
//!
//! Each thread reuses one machine and one input, so that a run allocates nothing if [`Machine::run_to_end`] and the
//! caller's closures do not.

use crate::chooser::Chooser;
use crate::compile::Program;
use crate::exec::machine::{Ended, Machine};
use crate::input::{Input, InputError};
use crate::memory::Memory;
use crate::{Config, input::ArgSpec};
use backedge_ir::entity::FuncId;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Number of inputs that a thread takes at a time: each chunk takes a machine and an input from a pool.
const CHUNK: usize = 256;

/// A function to run on many inputs.
#[derive(Debug)]
pub struct Batch<'p> {
    program: &'p Program<'p>,
    config: Config,
    func: FuncId,
    /// Idle machines, with inputs whose storage is reused.
    idle: Mutex<Vec<(Machine<'p>, Input)>>,
}

impl<'p> Batch<'p> {
    /// Creates a batch for `func` of `program`.
    pub fn new(program: &'p Program<'p>, config: Config, func: FuncId) -> Self {
        Self { program, config, func, idle: Mutex::default() }
    }
    /// Runs on the inputs with numbers below `count`. `fill` changes an earlier input into the one with the given
    /// number, `chooser` creates the chooser of a run, and `read` extracts the result from a run and its final
    /// memory. All inputs are run; the error is that of the first input that does not fit.
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
        let one = |(chunk, slots): (usize, &mut [Option<T>])| {
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
        };
        let first = |(i, _): &(usize, InputError)| *i;
        let mut parallel = || results.par_chunks_mut(CHUNK).enumerate().filter_map(one).min_by_key(first);
        let error = match Threads::now() {
            Threads::Current => parallel(),
            Threads::Pool(pool) => pool.install(parallel),
            Threads::None => results.chunks_mut(CHUNK).enumerate().filter_map(one).min_by_key(first),
        };
        match error {
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

/// The threads that run a batch.
enum Threads {
    /// The pool of the current thread.
    Current,
    /// The pool for threads without one.
    Pool(&'static ThreadPool),
    /// The system grants no more threads, and the current thread does the work.
    None,
}

impl Threads {
    /// Rayon's global pool is not used, since it panics where no thread can be started.
    fn now() -> Self {
        static POOL: OnceLock<Option<ThreadPool>> = OnceLock::new();
        if rayon::current_thread_index().is_some() {
            return Self::Current;
        }
        POOL.get_or_init(|| ThreadPoolBuilder::new().build().ok()).as_ref().map_or(Self::None, Self::Pool)
    }
}

/// All values of an integer of `width` bits (at most 16), and poison: the domain of an exhaustive check. The number
/// of inputs for several arguments is the product, and [`fill`](Exhaustive::fill) creates each of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exhaustive {
    widths: Vec<u32>,
    poison: bool,
}

impl Exhaustive {
    /// All tuples of integers of these widths, with or without poison; `None` if there are more than 2^32.
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
    /// Number of inputs.
    pub fn count(&self) -> usize {
        self.widths.iter().map(|w| self.values(*w)).product()
    }
    /// Sets `input` to the input with that number; the first argument varies fastest.
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
