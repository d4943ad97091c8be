//! Mutants of modules: small changes of existing code, most of them in loops, that leave it valid IR. What the code means
//! changes as a rule; a mutant is input for an optimizer, and none for a comparison with what it was made from.
//!
//! Each mutator is a file with one function, which draws where it works and what it does, and says with `None` that it
//! found nothing to do. It may leave uses that their definitions do not dominate: `ssa` mends them behind it. What the
//! verifier rejects then is taken back, and another mutator is drawn. A mutant is the same on every machine for the same
//! module, donors, [`Limits`] and bytes; a seed stands for the bytes that [`bytes_of_seed`] makes of it.
//!
//! | what is changed | mutators |
//! |---|---|
//! | operands | `constants` `operands` `swap` `undef` `freeze` |
//! | instructions | `flags` `predicates` `opcodes` `remove` `reorder` `insert` `splice` |
//! | counters | `start_step` `bound` `recurrence` |
//! | loops | `exit_add` `exit_redirect` `exit_phi` `latch` `wrap_loop` |
//! | control flow | `guard` `invert` `decide` `switch` `split_edge` `merge` `copy_block` `unreachable` |
//! | memory and calls | `memory` `call` |
//! | what is said | `attributes` `width` |
//!
//! To add one: a file, and a row of [`MUTATORS`]. The tests demand that it fires on the corpus.

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

/// A kind of change.
#[derive(Copy, Clone, Debug)]
pub struct Mutator {
    /// Its name: that of its file.
    pub name: &'static str,
    change: Change,
}

#[derive(Copy, Clone, Debug)]
enum Change {
    /// Of the code of a function.
    Code(fn(&mut Work<'_, '_, '_>) -> Option<()>),
    /// Of a module, on account of a function with code.
    Module(fn(&mut Module, FuncId, &mut Draw<'_, '_>) -> Option<()>),
}

const fn code(name: &'static str, change: fn(&mut Work<'_, '_, '_>) -> Option<()>) -> Mutator {
    Mutator { name, change: Change::Code(change) }
}

/// All kinds of change.
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

/// The mutator that makes other code of a function alone: its module loses that of the others.
pub const WIDTH: Mutator = Mutator { name: "width", change: Change::Module(width::run) };

/// How far a mutant may be from what it was made from.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Changes that are made at most; at least one is tried.
    pub changes: usize,
    /// Instructions that the mutant has at most, if the module did not have more.
    pub insts: usize,
    /// Mutators that are tried at most for each change.
    pub tries: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { changes: 5, insts: 300, tries: 8 }
    }
}

/// A change that was made.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Applied {
    /// The name of the mutator.
    pub mutator: &'static str,
    /// The function that it was made in.
    pub func: FuncId,
}

/// A module that was made from another one.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// The module, which passes the verifier if the one that it was made from does.
    pub module: Module,
    /// The changes in order; none if nothing that was tried could be done.
    pub applied: Vec<Applied>,
}

impl Mutant {
    /// The function that was changed last.
    pub fn func(&self) -> Option<FuncId> {
        self.applied.last().map(|a| a.func)
    }
}

/// The mutant of `module` that `seed` stands for. Code is copied from `module` itself and from `donors`.
pub fn mutate(module: &Module, donors: &[&Module], seed: u64, limits: Limits) -> Mutant {
    mutate_by(module, donors, &mut Unstructured::new(&bytes_of_seed(seed)), limits)
}

/// The mutant of `module` that the bytes stand for: any bytes do.
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
    // One change more often than many.
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
    // Of the one that does something to all of the function there are fewer.
    if draw.chance(2) { WIDTH } else { draw.pick(&MUTATORS) }
}

/// A function with code, one with loops if there is one.
fn draw_function(module: &Module, draw: &mut Draw<'_, '_>) -> Option<FuncId> {
    let all: Vec<FuncId> = module.bodies().map(|(func, _)| func).collect();
    let has_loop = |f: &FuncId| module.body(*f).is_some_and(|body| !work::Graph::of(body).loops.is_empty());
    let with_loops: Vec<FuncId> = all.iter().copied().filter(has_loop).collect();
    let list = if with_loops.is_empty() || draw.chance(5) { &all } else { &with_loops };
    (!list.is_empty()).then(|| draw.pick(list))
}

/// Loops in all functions.
pub fn loops(module: &Module) -> usize {
    module.bodies().map(|(_, body)| work::Graph::of(body).loops.ids().count()).sum()
}

/// Instructions in all functions.
fn size(module: &Module) -> usize {
    module.bodies().map(|(_, body)| body.all_insts().count()).sum()
}

impl Mutator {
    /// `module` with one such change in `func`, drawn from the bytes; `None` if none was found, or what came of it was not
    /// valid.
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
        let is_valid = verify_module(&mutant).is_empty() && odd_lifetimes(&mutant) <= odd_lifetimes(module);
        is_valid.then_some(mutant)
    }
}

/// Calls that begin or end the lifetime of what is no local object: LLVM rejects them from version 22 on, and our verifier,
/// which reads older code too, does not.
fn odd_lifetimes(module: &Module) -> usize {
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
