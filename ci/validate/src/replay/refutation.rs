//! Refutations from violations: minimized, then described; and examples of UB for a source that is always undefined.

use super::config::config;
use super::drive::{Shown, machines};
use super::inputs::Inputs;
use super::{minimize, narrate};
use crate::pair::{Side, Sides};
use crate::verdict::Options;
use crate::verdict::witness::{FoundBy, Refutation, UndefinedSource};
use backedge_interp::Program;
use backedge_interp::input::{ArgSpec, Input};

/// An input on which the source is UB, among the first few of the list: for a source that is UB on all inputs.
pub(crate) fn undefined_source(
    source: Side<'_>,
    target: Side<'_>,
    options: &Options,
) -> Option<Box<UndefinedSource>> {
    let program = Program::new(source.module, &config(options));
    let mut inputs: Vec<Input> = Inputs::new(source, target, options)?.some(16).collect();
    // Most readers would try a plain zero first.
    inputs.sort_by_key(|input| !input.args.iter().all(|a| matches!(a, ArgSpec::Int(0) | ArgSpec::Null)));
    let found = inputs.iter().find_map(|i| narrate::undefined_source(source, &program, options, i));
    found.map(Box::new)
}

/// The refutation for a violation, on the smallest input found on which the pair fails in the same way.
pub(crate) fn refutation(
    sides: Sides<'_>,
    programs: &[Program<'_>; 2],
    options: &Options,
    input: &Input,
    shown: Shown,
    found_by: FoundBy,
) -> Box<Refutation> {
    let mut machines = machines(programs, options);
    let (input, shown) = minimize::smallest(&mut machines, sides, input, shown);
    Box::new(narrate::refutation(sides, programs, options, &input, &shown, found_by))
}
