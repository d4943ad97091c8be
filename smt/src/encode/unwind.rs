//! Unwinding: `invoke`, `landingpad`, `resume`, and exceptions that leave the function.
//!
//! A call that does not return unwinds if the environment says so; calls with equal answers unwind alike. The value of
//! a landing pad is a function of the history. An exception that leaves the function is an event with the exception as
//! its argument; the event sees memory and does not return. A call that unwinds without a landing pad creates the same
//! event, with the value that a landing pad would have received.

use crate::encode::function::{Encoded, Encoder};
use crate::encode::value::{Scalar, Sym};
use crate::encode::world::{Event, POINTER_BITS};
use crate::term::Term;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::InstKind;
use backedge_ir::types::Type;

/// The callee name of the event in which an exception leaves the function.
pub const RESUMED: &str = "resumed exception";
/// The callee name of the event that determines the value of a landing pad.
const LANDING: &str = "landing pad";
/// Widths of the members of modelled exceptions: a pointer and a selector.
const MEMBERS: [u32; 2] = [POINTER_BITS, 32];

impl Encoder<'_, '_> {
    /// Encodes an `invoke`; returns the conditions of its normal edge and of its unwind edge.
    pub(super) fn invoke(&mut self, inst: Inst) -> Encoded<Vec<(Block, Term)>> {
        let blocks = &self.body.inst(inst).blocks;
        self.unwound = None;
        if let Some(value) = self.call(inst)? {
            self.values.insert(inst, value);
        }
        self.executed(inst);
        let normal = self.path;
        let unwound = self.unwound.take().unwrap_or_else(|| self.w.terms.bool(false));
        self.path = self.w.terms.or(normal, unwound);
        Ok(vec![(blocks[0], normal), (blocks[1], unwound)])
    }
    /// Encodes the outcome of a call with history `after`: it diverges, unwinds, or returns. The path continues where
    /// it returns.
    pub(super) fn leave(&mut self, inst: Inst, (returns, throws): (Term, Term), after: Term) -> Encoded<()> {
        let ends = self.w.terms.or(returns, throws);
        self.stop_unless(ends, after);
        if self.w.terms.as_bool(throws) == Some(false) {
            return Ok(());
        }
        let stays = self.w.terms.not(returns);
        let unwound = self.w.terms.and(self.path, stays);
        let normal = self.w.terms.and(self.path, returns);
        if matches!(self.body.inst(inst).kind, InstKind::Invoke(_)) {
            self.unwound = Some(unwound);
        } else {
            let (trace, firm) = (self.memory.trace, self.memory.firm);
            self.path = unwound;
            let exception = self.exception(inst);
            self.resume(inst, exception);
            (self.memory.trace, self.memory.firm) = (trace, firm);
        }
        self.path = normal;
        Ok(())
    }
    /// The value of a `landingpad` of type `ty`.
    pub(super) fn landing_pad(&mut self, inst: Inst, ty: Type) -> Encoded<Sym> {
        let env = &self.module.env;
        let fields = env.types.struct_fields(ty).map(|(fields, _)| fields.to_vec());
        match fields.as_deref() {
            Some([pointer, selector]) if pointer.is_ptr() && *selector == Type::I32 => {}
            _ => return Err(self.unsupported("a landing pad whose type is not { ptr, i32 }")),
        }
        Ok(self.exception(inst))
    }
    /// The exception value that a landing pad would receive here.
    fn exception(&mut self, inst: Inst) -> Sym {
        let member = |width: u32| {
            let bits = self.w.fresh(LANDING, width);
            if width == POINTER_BITS {
                let fact = self.w.points_outside_own(bits);
                self.w.axioms.push(fact);
            }
            let terms = &mut self.w.terms;
            Sym::from(Scalar { bits, poison: terms.bool(false), undef: terms.number(width, 0) })
        };
        let value = Sym::List(MEMBERS.into_iter().map(member).collect());
        self.by_history(inst, LANDING, &value);
        value
    }
    /// Makes `value` a function of the history.
    pub(super) fn by_history(&mut self, inst: Inst, name: &str, value: &Sym) {
        let (yes, no) = (self.w.terms.bool(true), self.w.terms.bool(false));
        self.w.add_event(Event {
            side: self.side,
            inst,
            happens: self.path,
            before: self.memory.trace,
            callee: name.into(),
            promises: Vec::new(),
            args: Vec::new(),
            memory: None,
            touched: None,
            found: None,
            after: None,
            result: Some(value.clone()),
            returns: yes,
            throws: no,
            by_history: true,
            leaves: None,
            speculatable: true,
            allocas: Vec::new(),
        });
    }
    /// Encodes that `exception` leaves the function.
    pub(super) fn resume(&mut self, inst: Inst, exception: Sym) {
        let after = self.w.fresh_trace();
        let no = self.w.terms.bool(false);
        let memory = self.without_owned(self.memory.shared);
        self.w.add_event(Event {
            side: self.side,
            inst,
            happens: self.path,
            before: self.memory.trace,
            callee: RESUMED.into(),
            promises: Vec::new(),
            args: vec![exception],
            memory: Some(memory),
            touched: None,
            found: None,
            after: Some(after),
            result: None,
            returns: no,
            throws: no,
            by_history: false,
            leaves: None,
            speculatable: true,
            allocas: Vec::new(),
        });
        self.memory.trace = after;
        self.stop_unless(no, after);
    }
}
