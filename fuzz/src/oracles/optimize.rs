//! Runs a pipeline and checks each pass: it must not panic, must leave code that the verifier accepts, and must
//! respect bounds on its work, its memory use and the growth of the code. Passes on HIR trees must also satisfy
//! [`trees`].
//!
//! Work is counted in edits and memory in ids handed out, both of which are the same on every machine. The bounds are
//! generous: a pass that exceeds one does not terminate, or terminates only by luck.

use super::{Evidence, Label, trees};
use backedge_ir::body::Body;
use backedge_ir::module::Module;
use backedge_pipeline::pass::Pipeline;
use backedge_pipeline::run::{Observer, Options, PassRun, run};
use backedge_pipeline::{RunError, Summary};
use backedge_validate::panics::caught;
use std::fmt;

/// The name under which findings are reported.
pub const NAME: &str = "optimize";

/// A linear bound in the number of a function's instructions: `each * instructions + besides`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Bound {
    /// The factor per instruction.
    pub each: usize,
    /// The constant part.
    pub besides: usize,
}

impl Bound {
    /// The bound for a number of instructions.
    pub const fn of(self, instructions: usize) -> usize {
        self.each.saturating_mul(instructions).saturating_add(self.besides)
    }
}

/// Bounds on a pass.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Instructions left in the function.
    pub size: Bound,
    /// Ids of instructions and blocks handed out.
    pub memory: Bound,
    /// Edits made.
    pub work: Bound,
}

/// Bound on the instructions that any optimizer's passes may leave.
pub const SIZE: Bound = Bound { each: 40, besides: 2_000 };

impl Default for Bounds {
    fn default() -> Self {
        Self {
            size: SIZE,
            memory: Bound { each: 200, besides: 20_000 },
            work: Bound { each: 2_000, besides: 200_000 },
        }
    }
}

/// A rule that a pass violated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The pass panicked.
    Panic {
        /// The running pass, if any.
        pass: Option<String>,
        /// The panic message with its source location.
        message: String,
    },
    /// The pass left code that the verifier rejects.
    Invalid {
        /// The pass.
        pass: String,
        /// The verifier's messages.
        findings: Vec<String>,
    },
    /// An HIR pass left invalid loops or trees.
    Trees {
        /// The pass.
        pass: String,
        /// The problem.
        problem: trees::Problem,
    },
    /// The pass exceeded a bound.
    TooMuch {
        /// The pass.
        pass: String,
        /// The bounded quantity.
        of: Quantity,
        /// The measured amount.
        amount: usize,
        /// The bound.
        bound: usize,
    },
}

/// Quantities with a bound.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Quantity {
    /// Instructions.
    Size,
    /// Ids.
    Memory,
    /// Edits.
    Work,
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Size => "instructions left",
            Self::Memory => "ids handed out",
            Self::Work => "edits",
        })
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Panic { pass, message } => {
                write!(f, "'{}' panicked: {message}", pass.as_deref().unwrap_or("the pipeline"))
            }
            Self::Invalid { pass, findings } => {
                write!(f, "'{pass}' left wrong code: {}", findings.join("; "))
            }
            Self::Trees { pass, problem } => write!(f, "'{pass}': {problem}"),
            Self::TooMuch { pass, of, amount, bound } => {
                write!(f, "'{pass}': {amount} {of}, more than {bound}")
            }
        }
    }
}

impl Evidence for Fault {
    fn label(&self) -> Label {
        match self {
            Self::Panic { pass, message } => {
                Label { pass: pass.clone(), ..Label::of("panic").with_words(&**message) }
            }
            Self::Invalid { pass, findings } => {
                let first = findings.first().cloned().unwrap_or_default();
                Label::of("invalid-ir").with_words(first).with_pass(pass)
            }
            Self::Trees { pass, problem } => {
                Label::of("wrong-tree").with_words(problem.to_string()).with_pass(pass)
            }
            Self::TooMuch { pass, of, .. } => {
                Label::of("too-much").with_words(of.to_string()).with_pass(pass)
            }
        }
    }
}

/// Observer that measures passes and forwards all events to another observer.
struct Measure<'a> {
    bounds: Bounds,
    inner: &'a mut dyn Observer,
    /// The current or last pass.
    pass: Option<String>,
    /// Size, ids and edits of each function when last measured, by function index.
    seen: Vec<Option<[usize; 3]>>,
    fault: Option<Fault>,
}

fn measured(body: &Body) -> [usize; 3] {
    [
        body.all_insts().count(),
        body.inst_capacity() + body.block_capacity(),
        usize::try_from(body.body_epoch()).unwrap_or(usize::MAX),
    ]
}

impl Observer for Measure<'_> {
    fn wants_code_before(&self) -> bool {
        self.inner.wants_code_before()
    }
    fn before_pass(&mut self, pass: &str, func: backedge_ir::entity::FuncId) {
        match &mut self.pass {
            Some(text) => pass.clone_into(text),
            None => self.pass = Some(pass.to_owned()),
        }
        self.inner.before_pass(pass, func);
    }
    fn after_pass(&mut self, run: &PassRun<'_>) {
        let now = measured(run.after);
        let at = backedge_ir::entity::EntityId::index(run.func);
        if self.seen.len() <= at {
            self.seen.resize(at + 1, None);
        }
        if let Some(before) = self.seen[at].replace(now) {
            self.compare(run.pass, before, now);
        }
        if let Err(problem) = trees::check(run)
            && self.fault.is_none()
        {
            self.fault = Some(Fault::Trees { pass: run.pass.to_owned(), problem });
        }
        self.inner.after_pass(run);
    }
}

impl Measure<'_> {
    fn compare(&mut self, pass: &str, before: [usize; 3], now: [usize; 3]) {
        let Bounds { size, memory, work } = self.bounds;
        let all = [
            (Quantity::Size, now[0], size),
            (Quantity::Memory, now[1].saturating_sub(before[1]), memory),
            (Quantity::Work, now[2].saturating_sub(before[2]), work),
        ];
        for (of, amount, bound) in all {
            let bound = bound.of(before[0]);
            if amount > bound && self.fault.is_none() {
                self.fault = Some(Fault::TooMuch { pass: pass.to_owned(), of, amount, bound });
            }
        }
    }
}

/// Runs `pipeline` over `module`, observed by `observer`. After a fault the module must not be used.
pub fn check(
    module: &mut Module,
    pipeline: &Pipeline,
    bounds: Bounds,
    observer: &mut dyn Observer,
) -> Result<Summary, Fault> {
    let seen = module.code.iter().map(|(_, code)| match code {
        backedge_ir::module::Code::Body(body) => Some(measured(body)),
        _ => None,
    });
    let seen = seen.collect();
    let mut measure = Measure { bounds, inner: observer, pass: None, seen, fault: None };
    let options = Options { verify_each: true, ..Options::default() };
    match caught(|| run(module, pipeline, options, &mut measure)) {
        Err(message) => Err(Fault::Panic { pass: measure.pass, message }),
        Ok(Err(RunError::Verifier { pass, findings, .. })) => Err(Fault::Invalid { pass, findings }),
        Ok(Ok(summary)) => measure.fault.map_or(Ok(summary), Err),
    }
}
