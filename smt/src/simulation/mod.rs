//! Proofs of refinement for all iterations without the solver: both functions run side by side on a graph of values.
//!
//! | file | contents |
//! |---|---|
//! | `term` | values and memories of both functions as one graph |
//! | `normal` | the rules by which terms become equal |
//! | `flags` | instructions without their flags |
//! | `memory` | addresses, loads and stores |
//! | `function` | a function with its tables: types, allocas, live values, calls |
//! | `state` | states of both functions, and facts about the source's run |
//! | `join` | states that describe several others |
//! | `execute` | runs one function to its next stop |
//! | `step` | one step of both functions |
//! | `observe` | events and returns of both functions |
//! | `product` | all steps: the search for states, and the check of what it found |
//!
//! The method is a simulation: each step of the target is one that the source can also take, from equal values and
//! memories to equal ones, and what the target needs to be defined, the source has done. Values of inputs and of memory
//! may be poison and undef. A proof assumes nothing about inputs. LLVM's passes mostly move, copy and remove code; such
//! changes need no solver.
//!
//! Value graphs for translation validation: Tristan, Govereau, Morrisett, "Evaluating Value-Graph Translation
//! Validation for LLVM" (PLDI 2011). States at pairs of positions: Necula, "Translation Validation for an Optimizing
//! Compiler" (PLDI 2000).

mod execute;
mod flags;
mod function;
mod join;
mod memory;
mod normal;
mod observe;
mod product;
mod state;
mod step;
mod term;

use crate::encode::progress::must_progress;
use crate::encode::unroll::Schedule;
use crate::encode::world::Uninit;
use crate::promises;
use crate::refinement::FunctionRef;
use backedge_ir::attr::{Attr, IntAttr};
use backedge_ir::cfg::Cfg;
use backedge_ir::dominators::Dominators;
use backedge_ir::entity::{Arg, Block, EntityId};
use execute::Context;
use function::{View, Why};
use join::Detail;
use product::Product;
use rustc_hash::{FxHashMap, FxHashSet};
use state::Fact;
use std::collections::BTreeSet;
use step::Both;
use term::Nature;

/// Assumptions of a proof.
#[derive(Clone, Debug)]
pub struct Options {
    /// The result of reading uninitialized memory.
    pub uninit: Uninit,
}

/// The verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The source allows each run of the target, whatever its length and inputs.
    Refines,
    /// What was not shown, in words. The pair may still be correct.
    Open(String),
}

/// Tries to prove that `target` refines `source`. Takes time in proportion to the number of instructions, for few
/// rounds over each loop.
pub fn prove(source: FunctionRef<'_>, target: FunctionRef<'_>, options: &Options) -> Outcome {
    if let Err(why) = admit(source, target) {
        return Outcome::Open(why);
    }
    let with = |detail| simulate(source, target, options, detail);
    match with(Detail::Equalities).or_else(|why| with(Detail::Relations).map_err(|_| why)) {
        Ok(()) => Outcome::Refines,
        Err(why) => Outcome::Open(why),
    }
}

fn simulate(
    source: FunctionRef<'_>,
    target: FunctionRef<'_>,
    options: &Options,
    detail: Detail,
) -> Result<(), Why> {
    let mut views = [View::new(source)?, View::new(target)?];
    let mut context = Context::default();
    context.terms.uninit_is_poison = options.uninit == Uninit::Poison;
    number_locals(&mut views, &mut context)?;
    globals(source, &mut context);
    globals(target, &mut context);
    let cycles = [Cycles::new(&views[0])?, Cycles::new(&views[1])?];
    let [of_source, of_target] = cycles;
    let facts = arguments(&views[0], &mut context);
    let headers = [of_source.headers, of_target.headers];
    let must_progress = [of_source.must_progress, of_target.inside];
    let mut both = Both { context, views, headers };
    let start = both.start(facts);
    Product::new(both, must_progress, detail).prove(start)
}

/// Refuses a target that promises what the source does not.
fn admit(source: FunctionRef<'_>, target: FunctionRef<'_>) -> Result<(), Why> {
    if let Some(promise) =
        promises::beyond(source, target).into_iter().find(|promise| promise.claim.is_none())
    {
        return Err(promise.to_string());
    }
    if promises::attributes::constrains_more(source, target) {
        return Err("attributes of the target that the source does not have".to_owned());
    }
    Ok(())
}

/// The headers of a function's cycles.
struct Cycles {
    headers: FxHashSet<Block>,
    /// Those of cycles that must make progress.
    must_progress: FxHashSet<Block>,
    /// All blocks in these cycles.
    inside: FxHashSet<Block>,
}

impl Cycles {
    fn new(view: &View<'_>) -> Result<Self, Why> {
        let schedule = Schedule::new(view.body, 0, usize::MAX).ok_or("too many blocks")?;
        let dominators = Dominators::new(view.body, &Cfg::new(view.body));
        let headers = view.body.blocks().filter(|block| schedule.is_header(*block)).collect();
        let must_progress: FxHashSet<Block> =
            must_progress(view.function, view.body, &schedule, &dominators).iter().collect();
        let is_inside =
            |block: &Block| must_progress.iter().any(|header| schedule.is_inside(*block, *header));
        let inside = view.body.blocks().filter(is_inside).collect();
        Ok(Self { headers, must_progress, inside })
    }
}

/// Gives allocas of both functions with the same type one number, in order.
fn number_locals(views: &mut [View<'_>; 2], context: &mut Context) -> Result<(), Why> {
    let mut next = 0;
    let mut free: FxHashMap<String, Vec<usize>> = FxHashMap::default();
    let [source, target] = views;
    for (index, local) in source.locals.iter_mut().enumerate() {
        local.number = next;
        next += 1;
        free.entry(local.shape.clone()).or_default().push(index);
    }
    free.values_mut().for_each(|list| list.reverse());
    let mut paired: FxHashSet<u32> = FxHashSet::default();
    for local in &mut target.locals {
        let of_source = free.get_mut(&local.shape).and_then(Vec::pop);
        match of_source.map(|index| &mut source.locals[index]) {
            Some(other) => {
                if local.align < other.align {
                    return Err("an alloca of the target with a smaller alignment".to_owned());
                }
                local.number = other.number;
                let escapes = local.escapes || other.escapes;
                (local.escapes, other.escapes) = (escapes, escapes);
                paired.insert(local.number);
            }
            None => {
                local.number = next;
                next += 1;
            }
        }
    }
    for (side, view) in [source, target].into_iter().enumerate() {
        for local in &view.locals {
            if local.escapes && !paired.contains(&local.number) {
                return Err("an alloca of one function whose address other code may learn".to_owned());
            }
            context.escaped.extend(local.escapes.then_some(local.number));
            context.numbers[side].insert(local.inst, local.number);
            // Whether an alloca with markers is alive is known for those with their own memory only.
            let bytes = if local.escapes && local.marked { 0 } else { local.bytes };
            let known = context.terms.locals.entry(local.number).or_insert((bytes, local.align));
            *known = (known.0.min(bytes), known.1.min(local.align));
        }
    }
    Ok(())
}

/// The globals that overlap no other ones, and those that never change.
fn globals(function: FunctionRef<'_>, context: &mut Context) {
    for (_, var) in function.module.env.vars.iter() {
        let name = || std::rc::Rc::from(&*var.name);
        if !var.may_coincide() {
            context.terms.own.insert(name());
        }
        if var.is_constant && var.definitive_init().is_some() {
            context.terms.immutable.insert(name());
        }
    }
}

/// The facts that the attributes of the source's parameters state.
fn arguments(source: &View<'_>, context: &mut Context) -> BTreeSet<Fact> {
    let header = &source.env.funcs[source.function.func];
    let mut facts = BTreeSet::new();
    for (index, list) in header.param_attrs.iter().enumerate() {
        let ty = source.body.ty(Arg::from_index(index).into());
        let ty = source.ty(&mut context.terms, ty);
        let is_defined = source.env.demands_defined(list);
        let nature = if is_defined { Nature::DEFINED } else { Nature::ANY };
        let pointer = context.terms.arg(index as u32, ty, nature);
        if !is_defined {
            continue;
        }
        let align = source.env.attrs(list).filter_map(|attr| match attr {
            Attr::Int(IntAttr::Align, align) => Some(*align),
            _ => None,
        });
        let align = align.max().unwrap_or(1);
        for attr in source.env.attrs(list) {
            if let Attr::Int(IntAttr::Dereferenceable, size) = attr {
                facts.insert(Fact::Access { pointer, size: *size, align, writes: false });
            }
        }
    }
    facts
}
