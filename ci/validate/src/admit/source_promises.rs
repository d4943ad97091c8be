//! Promises of a source and its reachable functions that a run may break; checked on the runs that refute a pair.

use crate::pair::call_graph::reached;
use crate::pair::{Side, as_ref};
use crate::verdict::Failure;
use backedge_interp::Machine;
use backedge_interp::input::Input;
use backedge_interp::observe::{Answer, Answered, EventKind, ObjectName, Seen};
use backedge_interp::promise::{self, Forbidden};
use backedge_interp::refine::{Point, Violation};
use backedge_interp::text::seen_apart;
use backedge_ir::attr::{AttrList, FlagAttr};
use backedge_smt::promises::{About, Open, Suspect, open};
use std::cell::OnceCell;

/// The promises of one source; computed lazily.
pub(crate) struct SourcePromises<'a> {
    source: Side<'a>,
    open: OnceCell<Vec<Open>>,
}

impl<'a> SourcePromises<'a> {
    pub(crate) fn new(source: Side<'a>) -> Self {
        Self { source, open: OnceCell::new() }
    }
    fn open(&self) -> &[Open] {
        self.open.get_or_init(|| {
            let env = &self.source.module.env;
            let names = reached(self.source);
            let callees: Vec<_> = names.iter().filter_map(|name| env.func_named(name)).collect();
            open(as_ref(self.source), &callees)
        })
    }
    /// A promise that runs cannot check.
    pub(crate) fn never_shown(&self) -> Option<&str> {
        self.open().iter().find(|open| open.suspects.is_none()).map(|open| &*open.promise)
    }
    /// Whether the runs differ in the memory of the caller that a call sees, and `noalias` may hide that memory from
    /// the call.
    fn sees_noalias_memory(&self, violation: &Violation) -> bool {
        let Point::Event(number) = violation.point else { return false };
        let env = &self.source.module.env;
        let lists = &env.funcs[self.source.func].param_attrs;
        let is_kept = |list: &AttrList| env.has_attr(list, FlagAttr::NoAlias);
        let may_be_kept = |object: &ObjectName| match object {
            ObjectName::Buffer(index) => lists.get(*index as usize).is_some_and(is_kept),
            ObjectName::Block(_) => lists.iter().any(is_kept),
            _ => false,
        };
        // A call may access the objects whose addresses it is passed.
        let is_passed = |object: &ObjectName| match violation.source.events.get(number).map(|e| &e.kind) {
            Some(EventKind::Call { args, .. }) => {
                args.iter().any(|arg| matches!(arg, Seen::Ptr(passed, _) if passed == object))
            }
            _ => false,
        };
        let seen = seen_apart(number, &violation.source, &violation.target);
        seen.is_some_and(|seen| may_be_kept(seen.object) && !is_passed(seen.object))
    }
    /// The promise that the source's run breaks, which makes the run UB.
    pub(crate) fn broken(
        &self,
        machine: &mut Machine<'_>,
        input: &Input,
        violation: &Violation,
    ) -> Option<String> {
        let is_of_values = matches!(Failure::of(violation), Failure::ValueMismatch | Failure::MorePoisonous);
        let sees_noalias_memory = self.sees_noalias_memory(violation);
        let acted = acts_in(&violation.source_script);
        let suspects = |open: &Open| -> Vec<Forbidden> {
            let counts = |suspect: &&Suspect| match open.about {
                About::Memory => true,
                About::Pointer => acted || !is_of_values || !suspect.is_foreign,
                About::Return => !is_of_values,
                About::Unwind => sees_noalias_memory,
            };
            let suspects = open.suspects.iter().flatten().filter(counts);
            let forbidden =
                |s: &Suspect| Forbidden { func: s.func, inst: s.inst, promise: open.promise.clone() };
            suspects.map(forbidden).collect()
        };
        let forbidden: Vec<Forbidden> = self.open().iter().flat_map(suspects).collect();
        let func = self.source.func;
        let is_long = violation.source.steps > MOST_FOLLOWED;
        if is_long && (!forbidden.is_empty() || promise::is_promising(self.source.module, func)) {
            return Some(TOO_LONG.to_owned());
        }
        let broken = promise::broken(machine, func, input, &violation.source_script, &forbidden);
        broken.map(|broken| broken.to_string())
    }
}

/// Runs with more steps are not recorded step by step, which takes about ten times as long.
pub(crate) const MOST_FOLLOWED: u64 = 100_000_000;

/// Explanation for such runs.
pub(crate) const TOO_LONG: &str = "the run is too long to be followed step by step";

/// Whether the answer belongs to a call, not to a volatile access.
pub(crate) fn is_call(answered: &Answered) -> bool {
    matches!(answered.call, EventKind::Call { .. })
}

/// Whether some call wrote memory of the program or returned a pointer to it.
pub(crate) fn acts_in(answers: &[Answered]) -> bool {
    answers.iter().any(|a| is_call(a) && acts(&a.answer))
}

/// Whether an answer writes memory of the program or is a pointer to it.
fn acts(answer: &Answer) -> bool {
    fn leads_back(seen: &Seen) -> bool {
        match seen {
            Seen::Ptr(object, _) => !matches!(object, ObjectName::External(_)),
            Seen::Agg(members) => members.iter().any(leads_back),
            Seen::Poison | Seen::Bits(_) | Seen::Address(_) => false,
        }
    }
    !answer.writes.is_empty() || answer.result.as_ref().is_some_and(leads_back)
}
