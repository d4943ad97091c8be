//! Context of operations apart from registers: memory, chooser, and the record of the run.

use crate::Config;
use crate::chooser::{Choice, ChoiceKind, Chooser, Domain};
use crate::compile::Program;
use crate::compile::op::Code;
use crate::memory::{Liveness, Memory};
use crate::observe::Events;
use crate::outcome::Place;
use crate::value::{Cube, mask};
use backedge_ir::entity::FuncId;
use backedge_ir::int::Int;

/// Execution context of an operation.
pub(crate) struct Ctx<'a, 'p> {
    pub(crate) program: &'p Program<'p>,
    pub(crate) config: &'a Config,
    pub(crate) memory: &'a mut Memory,
    pub(crate) chooser: &'a mut dyn Chooser,
    pub(crate) events: &'a mut Events,
    pub(crate) func: FuncId,
    pub(crate) code: &'p Code,
    pub(crate) pc: usize,
    /// Number of choices made.
    pub(crate) choices: u64,
    /// Number of choices that belong to the environment.
    pub(crate) environment_choices: u64,
    /// Whether an operation on undefined bits fixed its result although the language lets each use of the result
    /// differ.
    pub(crate) narrowed: bool,
    /// Whether `narrowed` happened where uses of the result can really differ ([`super::once`]).
    pub(crate) narrowed_apart: bool,
    /// The function that was run from outside.
    pub(crate) outermost: FuncId,
}

impl Ctx<'_, '_> {
    /// Ends the lifetime of an object permanently.
    pub(crate) fn release(&mut self, alloc: usize) {
        self.memory.allocation_mut(alloc).liveness = Liveness::Freed;
        self.events.end_lifetime(alloc);
    }
    pub(crate) fn place(&self) -> Place {
        Place { func: self.func, inst: self.code.places.get(self.pc).copied() }
    }
    pub(crate) fn choose(&mut self, kind: ChoiceKind, domain: Domain) -> u128 {
        self.choose_bits(kind, domain, domain.last())
    }
    fn choose_bits(&mut self, kind: ChoiceKind, domain: Domain, bits: u128) -> u128 {
        if domain.last() == 0 {
            return 0;
        }
        self.choices += 1;
        self.environment_choices += u64::from(kind.is_environment());
        let choice = Choice { kind, place: self.place(), domain, bits };
        domain.clamp(self.chooser.choose(&choice))
    }
    /// Chooses the undefined bits of `cube`.
    pub(crate) fn resolve(&mut self, kind: ChoiceKind, cube: Cube) -> u128 {
        if cube.is_known() {
            return cube.bits;
        }
        let answer = self.choose_bits(kind, Domain::Bits(cube.undef.count_ones()), cube.undef);
        cube.bits | deposit(answer, cube.undef)
    }
    /// Chooses the undefined bits of an operand once, although each use of the result might see another choice.
    pub(crate) fn narrow(&mut self, width: u32, cube: Cube) -> Int {
        if !cube.is_known() {
            self.narrowed = true;
            self.narrowed_apart = self.narrowed_apart || !self.is_used_once();
        }
        Int::new(width, self.resolve(ChoiceKind::UndefUse, cube))
    }
    fn is_used_once(&self) -> bool {
        let (module, inst) = (self.program.module(), self.place().inst);
        let outermost = self.func == self.outermost;
        inst.zip(module.body(self.func))
            .is_some_and(|(inst, body)| super::once::is_used_once(module, body, inst, outermost))
    }
    /// Records that the language allows other results, and each use a different one.
    pub(crate) fn note_narrowed(&mut self) {
        self.narrowed = true;
        self.narrowed_apart = true;
    }
    /// Chooses an arbitrary value of `width` bits.
    pub(crate) fn arbitrary(&mut self, kind: ChoiceKind, width: u32) -> u128 {
        self.resolve(kind, Cube::new(0, mask(width)))
    }
}

/// Spreads the low bits of `source` over the set bits of `mask`, lowest first.
pub(crate) fn deposit(source: u128, mask: u128) -> u128 {
    if mask.wrapping_add(1) & mask == 0 {
        return source & mask;
    }
    let (mut rest, mut from, mut result) = (mask, source, 0);
    while rest != 0 {
        let lowest = rest & rest.wrapping_neg();
        if from & 1 != 0 {
            result |= lowest;
        }
        rest ^= lowest;
        from >>= 1;
    }
    result
}
