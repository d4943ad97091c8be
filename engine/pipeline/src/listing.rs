//! The human-readable list of all passes: their level, summary and parameters.

use crate::pass::Level;
use crate::registry::PASSES;
use std::fmt::Write as _;

/// The width of the name column, in characters.
const NAMES: usize = 24;

/// All passes by level, and the pipelines that contain them.
pub fn listing() -> String {
    let mut out = String::new();
    for (level, heading) in [(Level::Module, "Module"), (Level::Function, "Function"), (Level::Loop, "Loop")]
    {
        let _ = writeln!(out, "{heading} passes:");
        for pass in PASSES.iter().filter(|p| p.level() == level) {
            let _ = writeln!(out, "  {:<NAMES$} {}", pass.name, pass.summary);
            if !pass.params.is_empty() {
                let _ = writeln!(out, "  {:NAMES$} <…>: {}", "", pass.params);
            }
        }
        out.push('\n');
    }
    out.push_str(
        "Pipelines:\n  \
         module(…), function(…), loop(…), loop-mssa(…): passes separated by ','\n  \
         cgscc(…), devirt<N>(…), function<eager-inv;no-rerun>(…): the same, as LLVM prints its pipelines\n  \
         repeat<N>(…): the same N times\n  \
         require<…>, invalidate<…> of LLVM's analyses: read, but nothing is to be done\n\n\
         Parameters are in angle brackets, separated by ';', as in loop-unroll<runtime;count=4>.\n",
    );
    out
}
