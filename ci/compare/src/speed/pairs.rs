//! The pairs to measure, taken from the expectations of the corpus, by table row.

use crate::files::collect;
use anyhow::{Context, Result};
use backedge_analysis::irreducible;
use backedge_analysis::{Cfg, Dominators, LoopForest};
use backedge_ir::body::Body;
use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use backedge_testkit::corpus::{self, Expectations};
use std::fs;
use std::path::{Path, PathBuf};

/// A source and a target function in one file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Pair {
    pub(crate) file: PathBuf,
    pub(crate) source: String,
    pub(crate) target: String,
}

/// The shape of a pair.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    /// No loop on either side.
    LoopFree,
    /// At most one loop on each side, and few instructions.
    TinyLoop,
    /// Anything else.
    Other,
}

/// The maximum number of instructions of a function with a tiny loop, including phis and terminators.
const TINY: usize = 16;

/// The pairs below `dir` with their shapes, in order of files.
pub(crate) fn shaped(dir: &Path) -> Result<Vec<(Pair, Shape)>> {
    let mut found = Vec::new();
    for file in collect(&[dir.to_path_buf()])? {
        let entries = Expectations::beside(&file)?.pairs;
        if entries.is_empty() {
            continue;
        }
        let what = || file.display().to_string();
        let module = parse_module(&fs::read(&file).with_context(what)?)
            .map_err(|_| anyhow::anyhow!("{} can't be parsed", file.display()))?
            .module;
        for entry in entries {
            let Some(shape) = shape(&module, [&entry.source, &entry.target]) else { continue };
            found.push((Pair { file: file.clone(), source: entry.source, target: entry.target }, shape));
        }
    }
    Ok(found)
}

/// The pairs below `dir` that refine, and whose function names end in `suffix`.
pub(crate) fn right(dir: &Path, suffix: &str) -> Result<Vec<Pair>> {
    let mut found = Vec::new();
    for file in collect(&[dir.to_path_buf()])? {
        let fits = |e: &corpus::Pair| e.is_right() && e.source.ends_with(suffix);
        let pair = |e: corpus::Pair| Pair { file: file.clone(), source: e.source, target: e.target };
        found.extend(Expectations::beside(&file)?.pairs.into_iter().filter(fits).map(pair));
    }
    Ok(found)
}

/// `None` if one of the functions has no modelled body.
fn shape(module: &Module, names: [&str; 2]) -> Option<Shape> {
    let body = |name: &str| module.env.func_named(name).and_then(|f| module.body(f));
    let (source, target) = (body(names[0])?, body(names[1])?);
    let both = [source, target].map(measure);
    Some(if both.iter().all(|(cycles, _)| *cycles == 0) {
        Shape::LoopFree
    } else if both.iter().all(|(cycles, insts)| *cycles <= 1 && *insts <= TINY) {
        Shape::TinyLoop
    } else {
        Shape::Other
    })
}

/// The number of cycles and of instructions of a function.
fn measure(body: &Body) -> (usize, usize) {
    let cfg = Cfg::new(body);
    let loops = LoopForest::new(&cfg, &Dominators::new(body, &cfg));
    (loops.len() + irreducible::cycles(&cfg, &loops).len(), body.all_insts().count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_told_apart() {
        let straight = |name: &str| format!("define i32 @{name}(i32 %x) {{\n  ret i32 %x\n}}\n");
        let around = |name: &str, more: usize| {
            let adds: String = (0..more).map(|i| format!("  %a{i} = add i32 %n, {i}\n")).collect();
            format!(
                "define void @{name}(i32 %n) {{\nentry:\n  br label %loop\nloop:\n  %i = phi i32 [ 0, %entry ], \
                 [ %next, %loop ]\n{adds}  %next = add i32 %i, 1\n  %c = icmp ult i32 %next, %n\n  \
                 br i1 %c, label %loop, label %exit\nexit:\n  ret void\n}}\n"
            )
        };
        let text = [
            straight("s"),
            straight("t"),
            around("small", 0),
            around("full", TINY - 6),
            around("large", TINY - 5),
        ]
        .concat();
        let module = parse_module(text.as_bytes()).expect("a module").module;
        assert_eq!(shape(&module, ["s", "t"]), Some(Shape::LoopFree));
        assert_eq!(shape(&module, ["s", "small"]), Some(Shape::TinyLoop));
        assert_eq!(shape(&module, ["full", "t"]), Some(Shape::TinyLoop));
        assert_eq!(shape(&module, ["small", "large"]), Some(Shape::Other));
        assert_eq!(shape(&module, ["s", "none"]), None);
    }
}
