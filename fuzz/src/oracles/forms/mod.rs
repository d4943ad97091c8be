//! Closed forms in HIR trees match runs: operands, results in closed form, addresses, strides per iteration, and trip
//! counts of loops.
//!
//! A variable of a tree holds the result of the last executed instruction that it represents; a header phi shares its
//! variable with the value from the backedge. A form is evaluated by its definition when the instruction with that
//! operand is executed, and compared with the value in the run. Poison values are not compared.
//!
//! A run counts only if it ends without UB and does not choose values for undefined bits of an operand.

mod nest;
#[cfg(test)]
mod tests;
mod watch;

use super::position::{MAX_INPUTS, Position, Watched, formed};
use super::{Evidence, Judge, Label, Oracle};
use backedge_analysis::cache::Analyses;
use backedge_hir::build::build;
use backedge_hir::{Hir, Temp};
use backedge_interp::input::Input;
use backedge_interp::{Config, Machine, Program};
use backedge_ir::entity::FuncId;
use backedge_ir::inst::Value;
use backedge_ir::int::Int;
use backedge_ir::module::Module;
use backedge_scev::ScalarEvolution;
use nest::Nest;
use std::collections::HashMap;
use std::fmt;
use watch::Watch;

/// The oracle.
pub struct Forms;

/// The salt of the inputs.
const SALT: u64 = 15;

impl Oracle for Forms {
    fn question(&self) -> &'static str {
        "do closed forms of trees match runs?"
    }
    fn judge(&self) -> Judge {
        Judge::Function(|case| {
            check(case.module, case.func, (case.number)(SALT))?;
            Ok(())
        })
    }
}

/// Statistics of a check.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Seen {
    /// Runs.
    pub runs: u64,
    /// Runs that were defined and chose no undefined bits.
    pub defined: u64,
    /// Comparisons of scalars that were read or written.
    pub scalars: u64,
    /// Comparisons of addresses.
    pub addresses: u64,
    /// Comparisons of an address with its previous one, by the stride of a loop.
    pub strides: u64,
    /// Comparisons of trip counts when a loop exits.
    pub bounds: u64,
}

/// A form whose value differs from the run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrongForm {
    /// The form.
    pub text: String,
    /// The value of the form.
    pub value: Int,
    /// The value in the run.
    pub is: Int,
    /// The iterations of the enclosing loops, outermost first.
    pub iterations: Vec<i128>,
    /// The tree.
    pub tree: String,
    /// The input of the run.
    pub input: String,
}

impl fmt::Display for WrongForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { text, value, is, iterations, tree, input } = self;
        write!(f, "{text} is {value}, and the run has {is}, in iterations {iterations:?}, on {input}\n{tree}")
    }
}

impl Evidence for Box<WrongForm> {
    fn label(&self) -> Label {
        Label::of("wrong-form")
    }
}

/// Checks `func` on a few generated inputs, after bringing it into the form that nests require.
pub fn check(module: &Module, func: FuncId, seed: u64) -> Result<Seen, Box<WrongForm>> {
    let mut seen = Seen::default();
    let Some((module, inputs)) = formed(module, func, seed) else { return Ok(seen) };
    check_on(&module, func, &mut inputs.first(MAX_INPUTS), &mut seen)?;
    Ok(seen)
}

/// Runs `func`, which is in canonical form, on each input.
pub fn check_on(
    module: &Module,
    func: FuncId,
    inputs: &mut dyn Iterator<Item = Input>,
    seen: &mut Seen,
) -> Result<(), Box<WrongForm>> {
    check_trees(module, func, inputs, seen, &mut |_| {})
}

/// Like [`check_on`], with the trees modified by `change`.
fn check_trees(
    module: &Module,
    func: FuncId,
    inputs: &mut dyn Iterator<Item = Input>,
    seen: &mut Seen,
    change: &mut dyn FnMut(&mut Hir),
) -> Result<(), Box<WrongForm>> {
    let Some(body) = module.body(func) else { return Ok(()) };
    let analyses = Analyses::of(func);
    let at = analyses.at(&module.env, body);
    let mut built = build(&mut ScalarEvolution::new(at));
    change(&mut built.hir);
    if built.taken.is_empty() {
        return Ok(());
    }
    let forest = at.loops();
    let nests = built.taken.iter().map(|taken| Nest::new(at, &mut built.hir, taken)).collect();
    let mut holders: HashMap<Value, Vec<Temp>> = HashMap::new();
    for temp in built.hir.blobs.temps() {
        if let Some(value) = built.hir.blobs.temp(temp).value {
            holders.entry(value).or_default().push(temp);
        }
    }
    let config = Config { fuel: 3000, max_bytes: 1 << 20, ..Config::default() };
    let program = Program::new(module, &config);
    let mut machine = Machine::new(&program, config);
    let mut watch = Watch {
        at,
        hir: &built.hir,
        position: Position::new(&forest),
        nests,
        holders,
        values: HashMap::new(),
        temps: HashMap::new(),
        runs_of: HashMap::new(),
        last: HashMap::new(),
        seen: Seen::default(),
        wrong: None,
    };
    for (number, input) in inputs.enumerate() {
        watch.restart();
        let mut chooser = Watched::new(number as u64);
        let Ok(result) = machine.run(func, &input, &mut chooser, &mut watch) else { break };
        seen.runs += 1;
        let Seen { scalars, addresses, strides, bounds, .. } = std::mem::take(&mut watch.seen);
        if !chooser.counts(&result.outcome) {
            continue;
        }
        if let Some(mut wrong) = watch.wrong.take() {
            wrong.tree = built.hir.text();
            wrong.input = format!("{:?}", input.args);
            return Err(wrong);
        }
        seen.defined += 1;
        seen.scalars += scalars;
        seen.addresses += addresses;
        seen.strides += strides;
        seen.bounds += bounds;
    }
    Ok(())
}
