//! The passes to compare, the pipelines of both sides, and the evidence that a pass acted.
//!
//! The evidence is a remark if both sides emit remarks, and a change of the code otherwise: a function counts if its
//! code differs from the result of a pipeline that does nothing. For loop passes that pipeline is `loop(no-op-loop)`,
//! because the loop pass manager normalizes loops.

use super::remarks::Remark;

/// One run of each side and the rows to measure from it.
pub(crate) struct Case {
    /// Backedge's pipeline.
    pub(crate) ours: &'static str,
    /// LLVM's pipeline.
    pub(crate) llvm: &'static str,
    /// LLVM's additional options.
    pub(crate) options: &'static [&'static str],
    /// The baseline for the code.
    pub(crate) base: Base,
    pub(crate) rows: &'static [Row],
}

/// A pipeline that does nothing.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Base {
    Function,
    Loop,
}

impl Base {
    pub(crate) const ALL: [Self; 2] = [Self::Function, Self::Loop];

    /// Its text, the same for both sides.
    pub(crate) fn pipeline(self) -> &'static str {
        match self {
            Self::Function => "no-op-function",
            Self::Loop => "loop(no-op-loop)",
        }
    }
}

/// One line of the table.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) ours: Sign,
    pub(crate) llvm: Sign,
    /// Whether only functions with a loop with several exits count.
    pub(crate) several_exits: bool,
    /// Whether `--require` applies.
    pub(crate) required: bool,
}

/// The evidence that a side acted on a function.
#[derive(Copy, Clone)]
pub(crate) enum Sign {
    /// Its code has changed.
    Changed,
    /// A remark that matches.
    Remark(fn(&Remark) -> bool),
}

const fn row(name: &'static str, ours: Sign, llvm: Sign) -> Row {
    Row { name, ours, llvm, several_exits: false, required: false }
}

const fn changed(name: &'static str) -> Row {
    row(name, Sign::Changed, Sign::Changed)
}

/// Matches remarks by name, the same on both sides.
const fn named(name: &'static str, remark: fn(&Remark) -> bool) -> Row {
    row(name, Sign::Remark(remark), Sign::Remark(remark))
}

/// Both sides call all unrolling except full unrolling partial; the text of the remark has the kind.
pub(crate) fn is_runtime(remark: &Remark) -> bool {
    remark.name == "PartialUnrolled" && remark.text.contains("run-time trip count")
}

fn is_partial(remark: &Remark) -> bool {
    remark.name == "PartialUnrolled" && !is_runtime(remark)
}

/// Run-time unrolling, where tests of exits in the main loop are counted; the last row of its case.
pub(crate) const RUNTIME: &str = "runtime-unrolled by 4";

/// All comparisons.
pub(crate) const CASES: &[Case] = &[
    simple("function(loop-simplify)", Base::Function, &[changed("loop-simplify")]),
    simple("function(lcssa)", Base::Function, &[changed("lcssa")]),
    simple("loop(loop-rotate)", Base::Loop, &[changed("loop-rotate")]),
    simple(
        "loop-mssa(licm)",
        Base::Loop,
        &[
            changed("licm"),
            named("licm: hoisted", |r| r.name == "Hoisted"),
            named("licm: sunk", |r| r.name == "InstSunk"),
            named("licm: promoted", |r| r.name == "PromoteLoopAccessesToScalar"),
        ],
    ),
    simple("loop(indvars)", Base::Loop, &[changed("indvars")]),
    simple("loop-mssa(simple-loop-unswitch)", Base::Loop, &[changed("unswitched, trivial")]),
    simple("loop-mssa(simple-loop-unswitch<nontrivial>)", Base::Loop, &[changed("unswitched, all")]),
    simple("loop(loop-deletion)", Base::Loop, &[changed("loop-deletion")]),
    simple(
        "loop(loop-idiom)",
        Base::Loop,
        &[
            named("loop-idiom: memset", |r| r.name == "ProcessLoopStridedStore"),
            named("loop-idiom: memcpy, memmove", |r| r.name == "ProcessLoopStoreOfLoopLoad"),
        ],
    ),
    simple("loop(loop-instsimplify)", Base::Loop, &[changed("loop-instsimplify")]),
    simple("loop(loop-simplifycfg)", Base::Loop, &[changed("loop-simplifycfg")]),
    Case {
        ours: "loop-unroll-full",
        llvm: "loop(loop-unroll-full)",
        options: &[],
        base: Base::Loop,
        rows: &[named("fully unrolled", |r| r.name == "FullyUnrolled")],
    },
    Case {
        ours: "loop(loop-peel)",
        llvm: "loop-unroll<peeling;no-partial;no-runtime;no-upperbound>",
        options: &[],
        base: Base::Loop,
        rows: &[named("peeled", |r| matches!(&*r.name, "Peeled" | "PeeledLast"))],
    },
    Case {
        ours: "function(loop(loop-rotate),loop-unroll<count=4;partial;no-runtime;threshold=100000>)",
        llvm: "function(loop(loop-rotate),loop-unroll<partial;no-runtime;no-peeling>)",
        options: &["-unroll-count=4"],
        base: Base::Loop,
        rows: &[named("partially unrolled by 4", is_partial)],
    },
    Case {
        ours: "function(loop(loop-rotate),\
            loop-unroll<count=4;runtime;partial;threshold=100000;allow-expensive-trip-count>)",
        llvm: "function(loop(loop-rotate),loop-unroll)",
        options: &["-unroll-runtime", "-unroll-runtime-multi-exit", "-unroll-count=4"],
        base: Base::Loop,
        rows: &[
            named(RUNTIME, is_runtime),
            Row {
                several_exits: true,
                required: true,
                ..named("runtime-unrolled by 4, several exits", is_runtime)
            },
        ],
    },
];

/// The same pipeline for both sides.
const fn simple(pipeline: &'static str, base: Base, rows: &'static [Row]) -> Case {
    Case { ours: pipeline, llvm: pipeline, options: &[], base, rows }
}

/// All rows, in order.
pub(crate) fn rows() -> impl Iterator<Item = &'static Row> {
    CASES.iter().flat_map(|c| c.rows)
}
