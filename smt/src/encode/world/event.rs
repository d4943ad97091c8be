//! Events: calls and other accesses that the environment sees and answers.

use crate::encode::value::Sym;
use crate::encode::world::{Likeness, Side, World};
use crate::term::Term;
use backedge_ir::entity::Inst;
use std::sync::Arc;

/// An external call, or another access that the environment sees.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) side: Side,
    pub(crate) inst: Inst,
    /// Whether it happens.
    pub(crate) happens: Term,
    /// The trace before it.
    pub(crate) before: Term,
    /// What is called: a name that must be equal, and a pointer if it is not a known function.
    pub(crate) callee: Arc<str>,
    /// What the call promises, where calls of this function must be told apart by that: it must be equal.
    pub(crate) promises: Vec<String>,
    /// Arguments, the pointer called first if there is one.
    pub(crate) args: Vec<Sym>,
    /// The memory that it sees; `None` if it reads none.
    pub(crate) memory: Option<Term>,
    /// The bytes that it accesses, if it is a volatile access: it sees no other memory, and leaves other bytes as they are.
    pub(crate) touched: Option<Touched>,
    /// The trace after it, if it is observable.
    pub(crate) after: Option<Term>,
    /// Its result.
    pub(crate) result: Option<Sym>,
    /// Whether it returns.
    pub(crate) returns: Term,
    /// Whether it unwinds where it does not return.
    pub(crate) throws: Term,
    /// Whether its answer depends on the history, although nobody sees it.
    pub(crate) by_history: bool,
    /// The memory that it finds, whether it reads it or not; `None` if there is none to change.
    pub(crate) found: Option<Term>,
    /// The memory that it leaves; `None` if it writes none.
    pub(crate) leaves: Option<Term>,
    /// Whether what is called has no undefined behaviour of its own, whatever it is called with.
    pub(crate) speculatable: bool,
    /// The allocas that it may know, by block number, and whether each is alive; none if it sees no memory.
    pub(crate) allocas: Vec<(u32, Term)>,
}

/// The bytes of a volatile access.
#[derive(Clone, Debug)]
pub(crate) struct Touched {
    /// Whether there is memory at the address.
    pub(crate) inside: Term,
    /// The address.
    pub(crate) pointer: Term,
    /// The bytes that it finds, zeros where there is no memory.
    pub(crate) found: Vec<Term>,
    /// The bytes that memory holds afterwards if nobody else does anything to them.
    pub(crate) usual: Vec<Term>,
}

impl World {
    /// Whether two volatile accesses find the same, or what the source finds allows what the target does.
    pub(super) fn touches_the_same(&mut self, source: &Event, target: &Event, likeness: Likeness) -> Term {
        let (Some(s), Some(t)) = (&source.touched, &target.touched) else { return self.terms.bool(true) };
        let differ = self.terms.xor(s.inside, t.inside);
        let mut equal = self.terms.not(differ);
        for (a, b) in s.found.iter().zip(&t.found) {
            let fine = match likeness {
                Likeness::Refined => self.byte_refines(*a, *b),
                Likeness::Identical => self.terms.eq(*a, *b),
            };
            equal = self.terms.and(equal, fine);
        }
        equal
    }
}
