//! A pipeline is run, and each pass watched: it does not panic, leaves code that passes the verifier, does no more work
//! than its input warrants, leaves no more behind, and does not make code grow beyond a bound. What passes on trees of
//! nests leave is as [`trees`] asks for.
//!
//! Work is counted in edits and memory in ids that were handed out, both of which are the same on every machine. The
//! bounds are wide: a pass that breaks one does something that has no end, or only by luck.

use super::trees;
use backedge_ir::body::Body;
use backedge_ir::module::Module;
use backedge_pipeline::pass::Pipeline;
use backedge_pipeline::run::{Observer, Options, PassRun, run};
use backedge_pipeline::{RunError, Summary};
use backedge_validate::panics::caught;
use std::fmt;

/// What a pass may do to a function of a number of instructions: so many times that number, and so many besides.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Bound {
    /// For each instruction.
    pub each: usize,
    /// Besides.
    pub besides: usize,
}

impl Bound {
    /// What there may be for so many instructions.
    pub const fn of(self, instructions: usize) -> usize {
        self.each.saturating_mul(instructions).saturating_add(self.besides)
    }
}

/// Bounds of what a pass may do.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Instructions that it leaves.
    pub size: Bound,
    /// Ids of instructions and blocks that it hands out.
    pub memory: Bound,
    /// Edits that it makes.
    pub work: Bound,
}

/// Instructions that passes may leave, whoever's they are.
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

/// A rule that a pass broke.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// It panicked.
    Panic {
        /// The pass that was running, if one was.
        pass: Option<String>,
        /// The message, with the place in the code.
        message: String,
    },
    /// It left code that is wrong.
    Invalid {
        /// The pass.
        pass: String,
        /// What the verifier says.
        findings: Vec<String>,
    },
    /// It is a pass on trees of nests, and left loops or trees that are wrong.
    Trees {
        /// The pass.
        pass: String,
        /// What is wrong.
        problem: trees::Problem,
    },
    /// It did or left too much.
    TooMuch {
        /// The pass.
        pass: String,
        /// Of what.
        of: Quantity,
        /// How much there was.
        amount: usize,
        /// How much there may be.
        bound: usize,
    },
}

/// What there may be too much of.
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

/// Measures passes, and shows them to another observer.
struct Measure<'a> {
    bounds: Bounds,
    inner: &'a mut dyn Observer,
    /// The pass that is running or was last.
    pass: Option<String>,
    /// Size, ids and edits of the function, by its number, when it was last seen.
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

/// Runs `pipeline` over `module`, with `observer` watching. After a fault, the module is not to be used.
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
