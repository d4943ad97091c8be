//! A check in progress: encodes both functions, and asks the named queries in order.
//!
//! Guarantees: [`Outcome::Refines`] only if each query for a failing run is unsatisfiable, and the encoding covers the
//! ways in which both functions use undef bits.

use crate::encode::function::{Encoder, Ends};
use crate::encode::value::Sym;
use crate::encode::world::{Side, World};
use crate::limits::Limits;
use crate::refinement::inputs::Given;
use crate::refinement::outcome::{Outcome, Reason, Report, halted};
use crate::refinement::{FunctionRef, Options, inputs};
use crate::solver::Cost;
use crate::term::Term;

/// Both encoded functions.
struct Formula {
    world: World,
    ends: [Ends; 2],
    args: Vec<Sym>,
    caller_blocks: u32,
}

/// A question in progress.
pub(crate) struct Check<'a> {
    pub(super) world: World,
    pub(super) ends: [Ends; 2],
    pub(super) options: &'a Options,
    pub(super) cost: &'a mut Cost,
    pub(super) limits: Limits,
    /// Number of known blocks that the caller has: globals, and blocks of one argument.
    pub(super) caller_blocks: u32,
    /// The memory location compared at the end, once it has been requested.
    pub(super) place: Option<Term>,
    /// Assumption about failing runs.
    pub(super) premise: Term,
}

impl<'a> Check<'a> {
    pub(super) fn run(
        source: FunctionRef<'_>,
        target: FunctionRef<'_>,
        options: &'a Options,
        undef_inputs: bool,
        cost: &'a mut Cost,
        limits: Limits,
    ) -> Report {
        let (mut check, args) = match Self::new(source, target, options, undef_inputs, cost, limits) {
            Ok(check) => check,
            Err(report) => return *report,
        };
        let outcome = match check.decide(&args, [source, target]) {
            Ok(outcome) => outcome,
            Err(reason) => Outcome::Inconclusive(reason),
        };
        Report::new(outcome, *check.cost, check.world)
    }

    /// Encodes the question and its arguments, or returns the report if that fails.
    pub(super) fn new(
        source: FunctionRef<'_>,
        target: FunctionRef<'_>,
        options: &'a Options,
        undef_inputs: bool,
        cost: &'a mut Cost,
        limits: Limits,
    ) -> Result<(Self, Vec<Sym>), Box<Report>> {
        // The memory layout has no undef bits until a write needs them.
        let encoded = Self::encode(source, target, options, (undef_inputs, false), limits);
        let encoded = match encoded {
            Ok(found) if found.world.needs_undef_mask => {
                Self::encode(source, target, options, (undef_inputs, true), limits)
            }
            other => other,
        };
        let Formula { mut world, ends, args, caller_blocks } = match encoded {
            Ok(found) => found,
            Err((reason, world)) => {
                let outcome = Outcome::Inconclusive(reason);
                return Err(Box::new(match world {
                    Some(world) => Report::new(outcome, *cost, *world),
                    None => {
                        Report { outcome, cost: *cost, approximations: Vec::new(), unknown_library: false }
                    }
                }));
            }
        };
        let premise = world.terms.bool(true);
        let check = Self { world, ends, options, cost, limits, caller_blocks, place: None, premise };
        Ok((check, args))
    }

    fn encode(
        source: FunctionRef<'_>,
        target: FunctionRef<'_>,
        options: &Options,
        (undef_inputs, undef_memory): (bool, bool),
        limits: Limits,
    ) -> Result<Formula, (Reason, Option<Box<World>>)> {
        let Options { uninit, poison_inputs, .. } = *options;
        let given = Given { uninit, undef: undef_inputs, undef_memory, poison: poison_inputs };
        let (mut world, args) =
            inputs::prepare(source, target, given, limits).map_err(|reason| (reason, None))?;
        world.library = options.library;
        let caller_blocks = world.blocks.len() as u32;
        let mut ends = [Ends::default(), Ends::default()];
        for (side, function) in [(Side::Source, source), (Side::Target, target)] {
            let function = (function.module, function.func);
            match Encoder::encode(&mut world, side, function, args.clone(), options.bound) {
                Ok(found) => ends[side.index()] = found,
                Err(halt) => return Err((halted(halt, &world), Some(Box::new(world)))),
            }
        }
        Ok(Formula { world, ends, args, caller_blocks })
    }
}
