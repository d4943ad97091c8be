//! Promises about memory, checked on one run: an observer logs the accesses of the run and names the first two that
//! violate a promise of metadata. Such a run is UB, although the interpreter gives it a meaning.
//!
//! Checked, in the function and in all its callees: `!tbaa` and `!tbaa.struct` (overlapping bytes, at least one
//! write, tags that cannot alias), `!alias.scope` with `!noalias` (within one call of a function, and between two
//! executions of a scope's declaration), `!llvm.access.group` (within one loop, in different iterations),
//! `!invariant.load`, immutable type tags, `!invariant.group`, and `norecurse`. Metadata on a call applies to all
//! accesses of the callee. The checker also looks for instructions that the caller knows to violate a promise
//! ([`Forbidden`]).
//!
//! Inconclusive, because LLVM's passes disagree or LangRef leaves the effect open:
//! - Some passes assume more about library functions than others: that compared ranges contain no poison, even after
//!   the first difference, and that wide-character strings are aligned.
//! - Bytes that a `writable` argument points to are stored back on entry; some of them may be poison.
//! - By LangRef, metadata and fast-math flags of a call can make its result poison after `noundef` was checked;
//!   LLVM's passes still treat a `noundef` result as defined.
//!
//! Metadata kinds without a rule here are reported when an instruction with such metadata is executed. A log that
//! grows too long is reported as well; the run then shows nothing.

mod accesses;
mod byte;
mod checker;
mod conflict;
mod log;
mod past;
mod said;
mod tbaa;

use crate::chooser::{EnumeratingChooser, FixedEnvironment};
use crate::exec::machine::Machine;
use crate::input::Input;
use crate::observe::Answered;
use crate::outcome::Outcome;
use backedge_ir::entity::{FuncId, Inst};
use backedge_ir::module::Module;
use checker::Checker;
use past::Past;
use said::Promising;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// Maximum number of choice sequences of the source that are checked.
const MAX_CHOICES: u32 = 64;

/// An instruction that no run executes while the promise holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Forbidden {
    /// The function that contains it.
    pub func: FuncId,
    /// The instruction.
    pub inst: Inst,
    /// The promise and where it is made.
    pub promise: Arc<str>,
}

/// A promise that a run violates, or that could not be checked on the run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    /// The promise as it is spelled.
    pub promise: Cow<'static, str>,
    /// The accesses that violate it, as text.
    pub accesses: Vec<String>,
    /// Whether the accesses certainly violate the promise.
    pub is_shown: bool,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.promise, self.accesses.join(" and "))
    }
}

/// Whether runs of `func` can violate a promise checked here: the function or one that it reaches has such metadata.
pub fn is_promising(module: &Module, func: FuncId) -> bool {
    said::promising(module, func) != Promising::Nothing
}

/// Returns a promise that some run of `func` on `input` violates, with the environment's answers `script`; stops at
/// the first choice sequence that violates one. If choices remain untried, reports them where there is metadata or
/// something is `forbidden`.
pub fn broken<'p>(
    machine: &mut Machine<'p>,
    func: FuncId,
    input: &Input,
    script: &Arc<Vec<Answered>>,
    forbidden: &[Forbidden],
) -> Option<Broken> {
    let program = machine.program();
    let promising = said::promising(program.module(), func);
    if promising == Promising::Nothing && forbidden.is_empty() {
        return None;
    }
    let mut choices = FixedEnvironment { inner: EnumeratingChooser::new() };
    for _ in 0..MAX_CHOICES {
        let mut checker = Checker::new(program, forbidden);
        checker.past = (promising == Promising::Invariance).then(Past::default);
        let run = machine.run_with(func, input, script, &mut choices, &mut checker).ok()?;
        if !matches!(run.outcome, Outcome::Returned(_)) {
            checker.report_forbidden_call(forbidden);
        }
        if checker.broken.is_some() {
            return checker.broken;
        }
        if !choices.inner.advance() {
            return None;
        }
    }
    let untried = || Broken {
        promise: forbidden.first().map_or("metadata".into(), |f| f.promise.to_string().into()),
        accesses: vec!["more choices than are checked".to_owned()],
        is_shown: false,
    };
    (promising >= Promising::Metadata || !forbidden.is_empty()).then(untried)
}
