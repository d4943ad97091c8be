//! A small cache model that counts the misses of a function: set-associative, with least-recently-used replacement.

use anyhow::{Context, Result, anyhow, ensure};
use backedge_analysis::alias::location::{access_bytes, accessed_type, pointer_operand};
use backedge_interp::chooser::RandomChooser;
use backedge_interp::input::Input;
use backedge_interp::outcome::Outcome;
use backedge_interp::trace::{Done, Entry, Observer};
use backedge_interp::value::Val;
use backedge_interp::{Config, Machine, Program};
use backedge_ir::body::Body;
use backedge_ir::entity::{Arg, Block, EntityId, FuncId};
use backedge_ir::inst::Value;
use backedge_ir::module::{Env, Module};
use std::collections::HashMap;

/// Bytes of a line.
const LINE: u64 = 64;
/// Number of sets.
const SETS: u64 = 8;
/// Lines of a set. The cache is small, so that matrices that the interpreter multiplies in a moment exceed it.
const WAYS: usize = 4;

/// The memory accesses of a run.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Counts {
    pub(super) accesses: u64,
    pub(super) misses: u64,
}

struct Cache<'m> {
    env: &'m Env,
    body: &'m Body,
    pointers: HashMap<Value, u64>,
    /// The lines of each set, the most recently used first.
    sets: Vec<Vec<u64>>,
    counts: Counts,
}

impl Cache<'_> {
    fn touch(&mut self, address: u64, bytes: u64) {
        for line in address / LINE..=(address + bytes - 1) / LINE {
            let set = &mut self.sets[(line % SETS) as usize];
            self.counts.accesses += 1;
            match set.iter().position(|other| *other == line) {
                Some(at) => {
                    set.remove(at);
                }
                None => {
                    self.counts.misses += 1;
                    set.truncate(WAYS - 1);
                }
            }
            set.insert(0, line);
        }
    }
}

impl Observer for Cache<'_> {
    fn call(&mut self, entry: Entry<'_>) {
        for (i, value) in entry.args.iter().enumerate() {
            if let Val::Ptr(ptr) = value {
                self.pointers.insert(Arg::from_index(i).into(), ptr.addr);
            }
        }
    }
    fn enter(&mut self, _: FuncId, _: Block, _: usize) {}
    fn step(&mut self, done: Done<'_>) {
        let of = |inst| Some((pointer_operand(self.body, inst)?, accessed_type(self.body, inst)?));
        if let Some((pointer, ty)) = of(done.inst)
            && let (Some(address), Some(bytes)) = (self.pointers.get(&pointer), access_bytes(self.env, ty))
        {
            self.touch(*address, bytes);
        }
        if let Some(Val::Ptr(ptr)) = done.value {
            self.pointers.insert(done.inst.into(), ptr.addr);
        }
    }
}

/// Runs `@f`, which calls nothing, on an input; fails if it does not return.
pub(super) fn misses(module: &Module, input: &Input) -> Result<Counts> {
    let func = module.env.func_named("f").context("it has no @f")?;
    let config = Config { fuel: 5_000_000, max_bytes: 1 << 20, ..Config::default() };
    let program = Program::new(module, &config);
    let mut cache = Cache {
        env: &module.env,
        body: module.body(func).context("@f has no code")?,
        pointers: HashMap::new(),
        sets: vec![Vec::new(); SETS as usize],
        counts: Counts::default(),
    };
    let result = Machine::new(&program, config).run(func, input, &mut RandomChooser::new(0), &mut cache);
    let outcome = result.map_err(|e| anyhow!("the input does not fit: {e:?}"))?.outcome;
    ensure!(matches!(outcome, Outcome::Returned(_)), "{outcome:?}");
    Ok(cache.counts)
}
