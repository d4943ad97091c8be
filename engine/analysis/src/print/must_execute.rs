//! The instructions that are certainly executed in each iteration of loops, with LLVM's annotations
//! (`print-mustexecute`), and those that are executed whenever the function is entered.

use super::raw_name;
use crate::cache::Analyses;
use crate::must_execute::MustExecute;
use crate::order::Order;
use backedge_ir::body::Body;
use backedge_ir::entity::FuncId;
use backedge_ir::module::Env;
use backedge_ir::print::BodyPrinter;

/// The code of one function, annotated with must-execute results.
pub fn must_execute_to_string(env: &Env, func: FuncId, body: &Body) -> String {
    let analyses = Analyses::of(func);
    let at = analyses.at(env, body);
    let (loops, order, printer) = (at.loops(), at.get::<Order>(), BodyPrinter::new(env, body));
    let regions: Vec<_> = loops.ids().map(|l| (loops.header(l), MustExecute::of_loop(at, l))).collect();
    let whole = MustExecute::of_function(at);
    let name = String::from_utf8_lossy(&raw_name(&env.funcs[func].name)).into_owned();
    let mut out = format!("Executed in function '{name}':\n");
    for block in body.blocks() {
        out.push_str(&format!("{}:\n", printer.block(block)));
        for &inst in body.insts(block) {
            let text = printer.inst(inst);
            let around = loops.innermost(block).into_iter().flat_map(|l| loops.ancestors(l));
            let mut headers: Vec<String> = around
                .map(|l| &regions[backedge_ir::entity::EntityId::index(l)])
                .filter(|(_, region)| region.contains(body, &order, inst))
                .map(|(header, _)| printer.block(*header).trim_start_matches('%').to_owned())
                .collect();
            headers.reverse();
            let note = match headers.len() {
                0 if whole.contains(body, &order, inst) => " ; (mustexec in: function)".to_owned(),
                0 => String::new(),
                1 => format!(" ; (mustexec in: {})", headers[0]),
                n => format!(" ; (mustexec in {n} loops: {})", headers.join(", ")),
            };
            out.push_str(&format!("  {}{note}\n", text.trim_start()));
        }
    }
    out
}
