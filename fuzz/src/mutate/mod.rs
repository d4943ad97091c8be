//! Mutation of modules: small changes of existing code, most of them in loops, that keep the IR valid. A mutant
//! usually differs from its original in behavior; it is input for an optimizer, not for a comparison with the
//! original.
//!
//! Each mutator is a file with one function, which draws its place and its change, and returns `None` if it finds no
//! place. It may leave uses that their definitions do not dominate; `ssa` repairs them afterwards. A change that the
//! verifier then rejects is undone, and another mutator is drawn. A mutant is the same on every machine for the same
//! module, donors, [`Limits`] and bytes; [`bytes_of_seed`] expands a seed to bytes.
//!
//! | subject | mutators |
//! |---|---|
//! | operands | `constants` `operands` `swap` `undef` `freeze` |
//! | instructions | `flags` `predicates` `opcodes` `remove` `reorder` `insert` `splice` |
//! | counters | `start_step` `bound` `recurrence` |
//! | loops | `exit_add` `exit_redirect` `exit_phi` `latch` `wrap_loop` |
//! | control flow | `guard` `invert` `decide` `switch` `split_edge` `merge` `copy_block` `unreachable` |
//! | memory and calls | `memory` `call` |
//! | attributes and types | `attributes` `width` |
//!
//! To add a mutator, add a file and a row of [`MUTATORS`]. The tests require that it fires on the corpus.

mod attributes;
mod bound;
mod call;
mod constants;
mod copy_block;
pub mod corpus;
mod decide;
mod exit_add;
mod exit_phi;
mod exit_redirect;
mod flags;
mod freeze;
mod guard;
mod insert;
mod invert;
mod latch;
mod memory;
mod merge;
mod opcodes;
mod operands;
mod predicates;
mod recurrence;
mod remove;
mod reorder;
mod splice;
mod split_edge;
mod ssa;
mod start_step;
mod swap;
mod switch;
mod undef;
mod unreachable;
mod width;
mod work;
mod wrap_loop;

use crate::generate::bytes_of_seed;
use crate::generate::draw::Draw;
use arbitrary::Unstructured;
use backedge_ir::body::Body;
use backedge_ir::constant::ConstData;
use backedge_ir::entity::{FuncId, Inst};
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::module::Module;
use backedge_ir::verify::verify_module;
use work::Work;

/// A mutator.
#[derive(Copy, Clone, Debug)]
pub struct Mutator {
    /// The name, which is also the name of the file.
    pub name: &'static str,
    change: Change,
}

#[derive(Copy, Clone, Debug)]
enum Change {
    /// Changes the body of a function.
    Code(fn(&mut Work<'_, '_, '_>) -> Option<()>),
    /// Changes a module, starting from a function with a body.
    Module(fn(&mut Module, FuncId, &mut Draw<'_, '_>) -> Option<()>),
}

const fn code(name: &'static str, change: fn(&mut Work<'_, '_, '_>) -> Option<()>) -> Mutator {
    Mutator { name, change: Change::Code(change) }
}

/// All mutators except [`WIDTH`].
pub const MUTATORS: [Mutator; 31] = [
    code("constants", constants::run),
    code("flags", flags::run),
    code("predicates", predicates::run),
    code("opcodes", opcodes::run),
    code("swap", swap::run),
    code("operands", operands::run),
    code("undef", undef::run),
    code("freeze", freeze::run),
    code("start_step", start_step::run),
    code("bound", bound::run),
    code("exit_add", exit_add::run),
    code("exit_redirect", exit_redirect::run),
    code("exit_phi", exit_phi::run),
    code("latch", latch::run),
    code("recurrence", recurrence::run),
    code("guard", guard::run),
    code("wrap_loop", wrap_loop::run),
    code("copy_block", copy_block::run),
    code("unreachable", unreachable::run),
    code("split_edge", split_edge::run),
    code("merge", merge::run),
    code("invert", invert::run),
    code("decide", decide::run),
    code("switch", switch::run),
    code("insert", insert::run),
    code("splice", splice::run),
    code("remove", remove::run),
    code("reorder", reorder::run),
    code("memory", memory::run),
    code("call", call::run),
    Mutator { name: "attributes", change: Change::Module(attributes::run) },
];

/// The mutator that changes one function as a whole; its module loses the bodies of the other functions.
pub const WIDTH: Mutator = Mutator { name: "width", change: Change::Module(width::run) };

/// Bounds on the distance between a mutant and its original.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Maximum number of changes; at least one is tried.
    pub changes: usize,
    /// Maximum number of instructions in the mutant, unless the original has more.
    pub insts: usize,
    /// Maximum number of mutators tried per change.
    pub tries: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { changes: 5, insts: 300, tries: 8 }
    }
}

/// An applied change.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Applied {
    /// The name of the mutator.
    pub mutator: &'static str,
    /// The changed function.
    pub func: FuncId,
}

/// A mutated module.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// The module, which passes the verifier if the original does.
    pub module: Module,
    /// The changes in order; empty if no tried mutator succeeded.
    pub applied: Vec<Applied>,
}

impl Mutant {
    /// The function that was changed last.
    pub fn func(&self) -> Option<FuncId> {
        self.applied.last().map(|a| a.func)
    }
}

/// The mutant of `module` determined by `seed`. Code is copied from `module` itself and from `donors`.
pub fn mutate(module: &Module, donors: &[&Module], seed: u64, limits: Limits) -> Mutant {
    mutate_by(module, donors, &mut Unstructured::new(&bytes_of_seed(seed)), limits)
}

/// The mutant of `module` determined by arbitrary bytes.
pub fn mutate_by(
    module: &Module,
    donors: &[&Module],
    bytes: &mut Unstructured<'_>,
    limits: Limits,
) -> Mutant {
    let mut draw = Draw::new(bytes);
    let mut mutant = Mutant { module: module.clone(), applied: Vec::new() };
    let Some(func) = draw_function(module, &mut draw) else { return mutant };
    let donors: Vec<&Module> = std::iter::once(module).chain(donors.iter().copied()).collect();
    // Two draws, which favor few changes.
    let changes = draw.between(1, limits.changes.max(1));
    let changes = draw.between(1, changes);
    for _ in 0..changes {
        for _ in 0..limits.tries.max(1) {
            let mutator = draw_mutator(&mut draw);
            let room = limits.insts.max(size(&mutant.module));
            if let Some(next) = mutator.tried(&mutant.module, func, &donors, &mut draw)
                && size(&next) <= room
            {
                mutant.module = next;
                mutant.applied.push(Applied { mutator: mutator.name, func });
                break;
            }
        }
    }
    mutant
}

fn draw_mutator(draw: &mut Draw<'_, '_>) -> Mutator {
    // The mutator of a whole function is drawn less often.
    if draw.chance(2) { WIDTH } else { draw.pick(&MUTATORS) }
}

/// Draws a function with a body, usually one with loops if there is one.
fn draw_function(module: &Module, draw: &mut Draw<'_, '_>) -> Option<FuncId> {
    let all: Vec<FuncId> = module.bodies().map(|(func, _)| func).collect();
    let has_loop = |f: &FuncId| module.body(*f).is_some_and(|body| !work::Graph::of(body).loops.is_empty());
    let with_loops: Vec<FuncId> = all.iter().copied().filter(has_loop).collect();
    let list = if with_loops.is_empty() || draw.chance(5) { &all } else { &with_loops };
    (!list.is_empty()).then(|| draw.pick(list))
}

/// The number of loops in all functions.
pub fn loops(module: &Module) -> usize {
    module.bodies().map(|(_, body)| work::Graph::of(body).loops.ids().count()).sum()
}

/// The number of instructions in all functions.
fn size(module: &Module) -> usize {
    module.bodies().map(|(_, body)| body.all_insts().count()).sum()
}

impl Mutator {
    /// Applies the mutator to `func`, with choices drawn from the bytes; `None` if it finds no place or the result is
    /// invalid.
    pub fn apply(
        &self,
        module: &Module,
        func: FuncId,
        donors: &[&Module],
        bytes: &mut Unstructured<'_>,
    ) -> Option<Module> {
        self.tried(module, func, donors, &mut Draw::new(bytes))
    }

    fn tried(
        &self,
        module: &Module,
        func: FuncId,
        donors: &[&Module],
        draw: &mut Draw<'_, '_>,
    ) -> Option<Module> {
        let mut mutant = module.clone();
        match self.change {
            Change::Code(change) => {
                let mut work = Work::new(&mut mutant, func, draw, donors)?;
                change(&mut work)?;
                ssa::mend(&mut work);
                mutant.adopt_declarations();
            }
            Change::Module(change) => change(&mut mutant, func, draw)?,
        }
        let is_valid = verify_module(&mutant).is_empty()
            && non_alloca_lifetimes(&mutant) <= non_alloca_lifetimes(module);
        is_valid.then_some(mutant)
    }
}

/// The number of lifetime markers whose object is not an alloca. LLVM rejects them from version 22 on; this project's
/// verifier, which also reads older code, does not.
fn non_alloca_lifetimes(module: &Module) -> usize {
    let of_body = |body: &Body| {
        let is_odd = |inst: &Inst| {
            let Some(call) = body.inst(*inst).call() else { return false };
            let Some(func) = body.called_function(call.callee()) else { return false };
            let is_mark = |i| matches!(i, Intrinsic::LifetimeStart | Intrinsic::LifetimeEnd);
            module.env.funcs[func].intrinsic.is_some_and(is_mark)
                && !call.args().last().is_some_and(|object| match object {
                    Value::Inst(inst) => matches!(body.inst(*inst).kind, InstKind::Alloca(_)),
                    Value::Const(c) => body.constant(*c).data == ConstData::Poison,
                    Value::Arg(_) => false,
                })
        };
        body.all_insts().filter(is_odd).count()
    };
    module.bodies().map(|(_, body)| of_body(body)).sum()
}
