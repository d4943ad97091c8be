//! Native run time of kernels on this machine: the code after the passes is compiled by `llc` and called by a small C
//! program.
//!
//! Each call starts with the same bytes in its buffers; the time to write them is measured separately and subtracted.
//! The shortest of several rounds counts. On a machine with other load the numbers mean little.

use super::Column;
use crate::process;
use crate::table::right;
use anyhow::{Context, Result, bail, ensure};
use backedge_ir::module::Module;
use backedge_ir::print::module_to_string;
use backedge_ir::types::{Type, TypeKind};
use backedge_testkit::corpus::Measure;
use comfy_table::{Cell, Table};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The columns that are timed: the code before, and the pipelines to compare without run-time unrolling.
pub(crate) const COLUMNS: [Column; 5] = [
    Column::Before,
    Column::Ours(super::Model::Ooo, 3),
    Column::Llvm { runtime: false },
    Column::OursVectors,
    Column::LlvmVectors,
];

/// The compilers.
pub(crate) struct Compilers {
    pub(crate) llc: PathBuf,
    pub(crate) cc: PathBuf,
    pub(crate) limit: Duration,
}

/// The time of one call of the entry's function, in nanoseconds.
pub(crate) fn time(compilers: &Compilers, module: &Module, entry: &Measure) -> Result<f64> {
    let dir = tempfile::tempdir()?;
    let path = |name: &str| dir.path().join(name);
    fs::write(path("kernel.ll"), module_to_string(module))?;
    fs::write(path("main.c"), driver(module, entry)?)?;
    let mut llc = Command::new(&compilers.llc);
    llc.args(["-O2", "-mcpu=native", "-filetype=obj", "-relocation-model=pic"]);
    llc.arg(path("kernel.ll")).arg("-o").arg(path("kernel.o"));
    process::run(&mut llc, compilers.limit)?.of_llvm(compilers.limit)?;
    let mut cc = Command::new(&compilers.cc);
    cc.arg("-O1").arg(path("main.c")).arg(path("kernel.o")).arg("-lm").arg("-o").arg(path("main"));
    process::run(&mut cc, compilers.limit)?.of_llvm(compilers.limit).context("the C compiler")?;
    measured(&path("main"), compilers.limit)
}

fn measured(program: &Path, limit: Duration) -> Result<f64> {
    let said = process::measured(&mut Command::new(program), limit)?;
    ensure!(said.code == Some(0), "the compiled kernel ends with {:?}", said.code);
    said.output.trim().parse().context("the time of a kernel")
}

/// The C type of an LLVM type.
fn c_type(ty: Type) -> Result<&'static str> {
    Ok(match ty.kind() {
        _ if ty == Type::VOID => "void",
        TypeKind::Ptr(_) => "void *",
        TypeKind::Int(8) => "uint8_t",
        TypeKind::Int(16) => "uint16_t",
        TypeKind::Int(32) => "uint32_t",
        TypeKind::Int(64) => "uint64_t",
        _ => bail!("a parameter has no type in C"),
    })
}

/// The program that calls the kernel and prints the time per call.
fn driver(module: &Module, entry: &Measure) -> Result<String> {
    let name = &entry.function;
    let func = module.env.func_named(name).with_context(|| format!("no function @{name}"))?;
    let (ret, params, _) = module.env.types.signature(module.env.funcs[func].ty).context("no signature")?;
    let types: Vec<&str> = params.iter().map(|ty| c_type(*ty)).collect::<Result<_>>()?;
    ensure!(types.len() == entry.args.len(), "as many arguments as parameters");
    let mut text =
        String::from("#include <stdint.h>\n#include <stdio.h>\n#include <string.h>\n#include <time.h>\n");
    _ = writeln!(text, "extern {} {name}({});", c_type(ret)?, types.join(", "));
    let (mut fill, mut args) = (String::new(), Vec::new());
    for (at, arg) in entry.args.iter().enumerate() {
        let bytes = match arg.split_once(':') {
            Some(("zeros", count)) => vec!["0".to_owned(); count.parse()?],
            Some(("bytes", hex)) => {
                hex.as_bytes().chunks(2).map(|two| format!("0x{}", String::from_utf8_lossy(two))).collect()
            }
            Some(_) => bail!("there is no such argument in C: {arg}"),
            None => {
                args.push(format!("({}){arg}", types[at]));
                continue;
            }
        };
        _ = writeln!(text, "static const unsigned char from{at}[] = {{{}}};", bytes.join(","));
        _ = writeln!(text, "static unsigned char to{at}[sizeof from{at}] __attribute__((aligned(64)));");
        _ = write!(fill, "memcpy(to{at}, from{at}, sizeof from{at}); ");
        args.push(format!("to{at}"));
    }
    _ = write!(
        text,
        "static double now(void) {{ struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1e9 + t.tv_nsec; }}\n\
         #define BEST(DO) ({{ double best = 1e30; for (int r = 0; r < 15; r++) {{ double t = now(); \
         for (int i = 0; i < 4000; i++) {{ {fill}__asm__ volatile(\"\" ::: \"memory\"); DO; \
         __asm__ volatile(\"\" ::: \"memory\"); }} t = (now() - t) / 4000; if (t < best) best = t; }} best; }})\n\
         int main(void) {{ double all = BEST({name}({})), none = BEST((void)0); printf(\"%f\\n\", all - none); }}\n",
        args.join(", ")
    );
    Ok(text)
}

/// The times of kernels, by column.
pub(crate) fn render(rows: &[(String, Vec<f64>)]) -> String {
    let mut table = Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    let header = COLUMNS.iter().map(|c| c.name().to_owned());
    table.set_header(std::iter::once("nanoseconds".to_owned()).chain(header));
    let mut sums = vec![0.0; COLUMNS.len()];
    let mut logarithms = vec![0.0; COLUMNS.len()];
    for (name, times) in rows {
        let cells = times.iter().map(|t| right(format!("{t:.0}")));
        table.add_row(std::iter::once(Cell::new(name)).chain(cells));
        for (at, time) in times.iter().enumerate() {
            sums[at] += time;
            // A call without measurable time counts as one nanosecond.
            logarithms[at] += (time.max(1.0) / times[0].max(1.0)).ln();
        }
    }
    table.add_row(
        std::iter::once(Cell::new("all kernels")).chain(sums.iter().map(|t| right(format!("{t:.0}")))),
    );
    let means = logarithms.iter().map(|l| right(format!("{:.0} %", (l / rows.len() as f64).exp() * 100.0)));
    table.add_row(std::iter::once(Cell::new("left, on average")).chain(means));
    format!("{table}\n")
}
