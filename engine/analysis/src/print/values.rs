//! Facts of all integers and pointers: known bits, highest first, and the range.

use super::raw_name;
use crate::cache::Analyses;
use crate::values::{Facts, ValueFacts};
use backedge_ir::body::Body;
use backedge_ir::entity::FuncId;
use backedge_ir::inst::Value;
use backedge_ir::module::Env;
use backedge_ir::print::BodyPrinter;

/// The facts of one function's arguments and results, in the order of the text. Omits values without facts.
pub fn values_to_string(env: &Env, func: FuncId, body: &Body) -> String {
    let analyses = Analyses::of(func);
    let at = analyses.at(env, body);
    let (facts, printer) = (at.get::<ValueFacts>(), BodyPrinter::new(env, body));
    let name = String::from_utf8_lossy(&raw_name(&env.funcs[func].name)).into_owned();
    let mut out = format!("Values of function '{name}':\n");
    let line = |value: Value| {
        let known = facts.of(at, value).filter(|f| !f.is_unknown())?;
        Some(format!("  {}: {}\n", printer.value(value), spelled(known)))
    };
    body.args().filter_map(|a| line(a.into())).for_each(|l| out.push_str(&l));
    for block in body.blocks() {
        let lines: Vec<String> = body.insts(block).iter().filter_map(|i| line((*i).into())).collect();
        if !lines.is_empty() {
            out.push_str(&format!(" {}:\n", printer.block(block)));
            lines.iter().for_each(|l| out.push_str(l));
        }
    }
    out
}

fn spelled(facts: Facts) -> String {
    if facts.is_none() {
        return "never a value".to_owned();
    }
    match facts.as_constant() {
        Some(value) => format!("always {}", value.signed()),
        None => format!("bits {}, range {}", facts.bits, facts.range),
    }
}
