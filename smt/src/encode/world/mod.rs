//! The state that source and target share: inputs, initial memory, addresses, answers of external calls; and the
//! registers of nondeterministic choices of each side.
//!
//! This file defines the [`World`] and its variables. The other files add its parts: [`blocks`] and [`addresses`] for
//! memory, [`equal_events`] for the answers of external calls, [`choice`] for choices, and [`opaque`] for operations
//! that are not modelled.

mod addresses;
mod answer;
mod blocks;
mod choice;
pub(crate) mod dead;
mod equal_events;
mod event;
mod layout;
mod loaded;
mod opaque;
mod pointing;
mod replaced;
mod side;

use crate::encode::unroll::Counters;
use crate::encode::value::Scalar;
use crate::limits::{Exhausted, Limits};
use crate::term::{Bits, Sort, Term, Terms};
use backedge_ir::meaning::library::Library;
use backedge_ir::module::Module;
use blocks::Escaped;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::Arc;

pub(crate) use answer::Answer;
pub(crate) use blocks::KnownBlock;
pub use choice::ChoiceKind;
pub(crate) use choice::{Choice, Evaluation};
pub(crate) use event::{Event, Touched};
pub(crate) use layout::{BLOCK_BITS, ByteLayout, LOCAL_BLOCK, OFFSET_BITS, POINTER_BITS, UNKNOWN_BLOCK};
pub(crate) use loaded::LoadedPointer;
pub(crate) use opaque::OpaqueOp;
pub(crate) use replaced::{Cleared, Inside};
pub use side::Side;

/// The model of library functions that access memory byte by byte.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum LibraryModel {
    /// Unknown functions of their arguments and of memory. A proof holds for all iterations; a refutation may depend on
    /// the approximation.
    #[default]
    Unknown,
    /// The behavior of the interpreter. Runs that examine more bytes than the bound on iterations allows are cut off.
    Bytes,
}

/// The result of reading uninitialized memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Uninit {
    /// `undef`: LLVM's current rule.
    #[default]
    Undef,
    /// `poison`: the planned rule.
    Poison,
}

/// An approximation that the encoding used: a refutation that depends on it may be wrong.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Approximation(pub Arc<str>);

/// The shared state.
pub(crate) struct World {
    pub(crate) terms: Terms,
    limits: Limits,
    exhausted: Option<Exhausted>,
    /// The largest number of repetitions of a loop encoded so far.
    pub(crate) repeated: u16,
    /// Facts that hold in every model.
    pub(crate) axioms: Vec<Term>,
    pub(crate) layout: ByteLayout,
    pub(crate) uninit: Uninit,
    /// Whether arguments and initial memory may contain undef.
    pub(crate) undef_inputs: bool,
    /// Whether arguments may be poison.
    pub(crate) poison_arguments: bool,
    /// Whether initial memory may contain poison. It may from the point where the environment chooses a pointer: memory
    /// that a call returns, and whose contents are then part of the initial memory here, may be new.
    pub(crate) poison_memory: bool,
    /// Known blocks; their numbers start at 1.
    pub(crate) blocks: Vec<KnownBlock>,
    globals: FxHashMap<Arc<str>, u32>,
    /// Number of known blocks that are globals.
    pub(crate) global_count: u32,
    /// Sizes of blocks by number.
    pub(crate) sizes: Term,
    /// Addresses of blocks by number.
    pub(crate) bases: Term,
    /// Whether blocks are read-only, by number.
    pub(crate) read_only: Term,
    /// Whether a block is free after a call that may have freed it, by trace and block number.
    freed: Term,
    /// Block number for each address, for integers that become pointers.
    pub(crate) int_to_block: Term,
    /// The caller's initial memory.
    pub(crate) memory: Term,
    /// The initial trace.
    pub(crate) start: Term,
    pub(crate) choices: [Vec<Choice>; 2],
    /// Choices of evaluations that the target made before the current step and whose results it still uses.
    pub(crate) held: Vec<Choice>,
    pub(crate) events: Vec<Event>,
    /// The conditions under which each side executes `llvm.sideeffect`: progress without an event.
    pub(crate) side_effects: [Vec<Term>; 2],
    pub(crate) opaque_ops: Vec<OpaqueOp>,
    opaque_results: FxHashMap<(Arc<str>, Vec<Term>), Term>,
    constrained: FxHashMap<Term, ()>,
    /// Blocks with constraints whose number is not constant, in order of first use.
    pub(crate) unnamed_blocks: Vec<Term>,
    compared: Vec<Term>,
    /// Whether no call frees memory.
    pub(crate) nothing_is_freed: bool,
    /// Blocks that no call frees.
    pub(crate) never_freed: Vec<Term>,
    /// Whether arguments point to blocks of their own.
    pub(crate) has_own_blocks: bool,
    /// Blocks that are copies for `byval` parameters.
    pub(crate) copies: Vec<Term>,
    /// The model of library functions.
    pub(crate) library: LibraryModel,
    /// Whether a function that [`LibraryModel::Bytes`] models was treated as unknown.
    pub(crate) library_is_unknown: bool,
    /// The customary result of implementations, for choices of the source that have one.
    pub(crate) usual: FxHashMap<Term, Term>,
    /// The choices of library functions on each side.
    pub(crate) answers: [Vec<Answer>; 2],
    /// Library functions that the target calls.
    pub(crate) answered: FxHashSet<Library>,
    /// Memory that nobody reads after the function returns.
    pub(crate) dead: Vec<dead::Dead>,
    /// Runs whose failure refutes nothing: an access touches a block that a call has freed, or a library function meets
    /// a case in which LLVM is inconsistent.
    pub(crate) avoided: Vec<Term>,
    /// Conditions under which the source loads a pointer with some, but not all, bits undef.
    pub(crate) partially_undef_pointers: Vec<Term>,
    /// Conditions under which a loaded pointer is built from an integer address.
    pub(crate) made_pointers: Vec<Term>,
    /// The origins of loaded pointers, by the pointers' terms.
    pub(crate) loaded_pointers: FxHashMap<Term, LoadedPointer>,
    /// Blocks that calls of each side returned as new memory.
    new_memory: [Vec<Term>; 2],
    pub(crate) approximations: Vec<Approximation>,
    /// The places at which the memories seen by two calls are compared, see [`World::memory_allows`].
    memory_places: FxHashMap<(Term, Term), Term>,
    /// Whether undef bits were written to memory whose layout drops them: the encoding must be repeated with an undef
    /// mask.
    pub(crate) needs_undef_mask: bool,
    /// Globals that either function names.
    pub(crate) used_globals: FxHashSet<Arc<str>>,
    /// Functions whose calls only match calls with the same promises.
    pub(crate) told_apart: BTreeSet<Arc<str>>,
    /// Whether either function has landing pads or resumes: unwinding out of a call is then distinguished from other
    /// ways of not returning.
    pub(crate) unwinding: bool,
    /// Escaping allocas, by label and copy. The allocas of source and target share one block if the target's has at
    /// least the same alignment and size.
    escaped: FxHashMap<(Arc<str>, Counters), [Option<Escaped>; 2]>,
    /// Memories with a cleared block.
    pub(crate) cleared: Vec<Cleared>,
}

/// Width of a trace in bits.
const TRACE_BITS: u32 = 24;

impl World {
    /// A world for functions of these modules.
    pub(crate) fn new(
        modules: [&Module; 2],
        layout: ByteLayout,
        uninit: Uninit,
        undef_inputs: bool,
        limits: Limits,
    ) -> Self {
        let mut terms = Terms::new();
        let array = |element| Sort::Array { index: BLOCK_BITS, element };
        let sizes = terms.variable("size", array(OFFSET_BITS));
        let bases = terms.variable("base", array(OFFSET_BITS));
        let read_only = terms.variable("read_only", array(1));
        let calls_and_blocks = Sort::Array { index: TRACE_BITS + BLOCK_BITS, element: 1 };
        let freed = terms.variable("freed", calls_and_blocks);
        let int_to_block =
            terms.variable("int_to_block", Sort::Array { index: OFFSET_BITS, element: BLOCK_BITS });
        let byte = layout.byte_bits();
        let memory = terms.variable("memory", Sort::Array { index: POINTER_BITS, element: byte });
        let start = terms.variable("start", Sort::BitVec(TRACE_BITS));
        let mut world = Self {
            terms,
            limits,
            exhausted: None,
            repeated: 0,
            axioms: Vec::new(),
            layout,
            uninit,
            undef_inputs,
            poison_arguments: true,
            poison_memory: true,
            blocks: Vec::new(),
            globals: FxHashMap::default(),
            global_count: 0,
            sizes,
            bases,
            read_only,
            freed,
            int_to_block,
            memory,
            start,
            choices: [Vec::new(), Vec::new()],
            held: Vec::new(),
            events: Vec::new(),
            side_effects: Default::default(),
            opaque_ops: Vec::new(),
            opaque_results: FxHashMap::default(),
            constrained: FxHashMap::default(),
            unnamed_blocks: Vec::new(),
            compared: Vec::new(),
            nothing_is_freed: false,
            never_freed: Vec::new(),
            has_own_blocks: false,
            library: LibraryModel::default(),
            library_is_unknown: false,
            usual: FxHashMap::default(),
            answers: Default::default(),
            answered: FxHashSet::default(),
            dead: Vec::new(),
            avoided: Vec::new(),
            partially_undef_pointers: Vec::new(),
            made_pointers: Vec::new(),
            loaded_pointers: FxHashMap::default(),
            copies: Vec::new(),
            new_memory: [Vec::new(), Vec::new()],
            approximations: Vec::new(),
            memory_places: FxHashMap::default(),
            needs_undef_mask: false,
            used_globals: FxHashSet::default(),
            told_apart: BTreeSet::new(),
            unwinding: false,
            escaped: FxHashMap::default(),
            cleared: Vec::new(),
        };
        for module in modules {
            world.add_globals(module);
        }
        world.global_count = world.blocks.len() as u32;
        world.place_null();
        world
    }
    /// States that the null block is empty and at address zero.
    fn place_null(&mut self) {
        let zero = self.terms.number(OFFSET_BITS, 0);
        let null = self.terms.number(BLOCK_BITS, 0);
        for array in [self.sizes, self.bases] {
            let at_null = self.terms.select(array, null);
            let fact = self.terms.eq(at_null, zero);
            self.axioms.push(fact);
        }
    }

    /// The limit that has been reached, if any. From then on, terms built here are meaningless.
    pub(crate) fn exhausted(&mut self) -> Option<Exhausted> {
        self.exhausted = self.exhausted.or_else(|| self.limits.reached(self.terms.len()));
        self.exhausted
    }

    /// A new bit vector variable.
    pub(crate) fn fresh(&mut self, name: &str, width: u32) -> Term {
        self.terms.variable(name, Sort::BitVec(width))
    }
    /// A new Boolean variable.
    pub(crate) fn fresh_bool(&mut self, name: &str) -> Term {
        self.terms.variable(name, Sort::Bool)
    }
    /// An offset reduced to the address width, because sums wrap there.
    pub(crate) fn wrapped_offset(&mut self, offset: Term) -> Term {
        if self.layout.address_bits >= OFFSET_BITS {
            return offset;
        }
        let offset = self.terms.truncate(offset, self.layout.address_bits);
        self.terms.zext(offset, OFFSET_BITS)
    }
    /// Whether the offset of a pointer fits the address width.
    fn has_wrapped_offset(&mut self, pointer: Term) -> Term {
        let offset = crate::encode::offset_of(&mut self.terms, pointer);
        let wrapped = self.wrapped_offset(offset);
        self.terms.eq(offset, wrapped)
    }
    /// A new trace.
    pub(crate) fn fresh_trace(&mut self) -> Term {
        self.fresh("trace", TRACE_BITS)
    }
    /// A new memory.
    pub(crate) fn fresh_memory(&mut self) -> Term {
        let sort = self.terms.sort(self.memory);
        self.terms.variable("memory", sort)
    }
    /// Records an approximation.
    pub(crate) fn approximate(&mut self, what: &str) {
        let what = Approximation(what.into());
        if !self.approximations.contains(&what) {
            self.approximations.push(what);
        }
    }

    /// A scalar from the caller: any value, poison, or undef if inputs may be undef. Undef is per bit, except for
    /// pointers, which are undef as a whole.
    pub(crate) fn free_scalar(&mut self, name: &str, width: u32) -> Scalar {
        let bits = self.fresh(name, width);
        let poison = self.fresh_bool(name);
        let undef = match (self.undef_inputs, width) {
            (true, POINTER_BITS) => {
                let is_undef = self.fresh_bool(name);
                let (ones, zero) = (self.terms.constant(Bits::ones(width)), self.terms.number(width, 0));
                self.terms.ite(is_undef, ones, zero)
            }
            (true, width) => self.fresh(name, width),
            (false, width) => self.terms.number(width, 0),
        };
        Scalar { bits, poison, undef }
    }
    /// A scalar argument: a scalar from the caller, poison only if arguments may be poison.
    pub(crate) fn argument_scalar(&mut self, name: &str, width: u32) -> Scalar {
        let value = self.free_scalar(name, width);
        if self.poison_arguments { value } else { Scalar { poison: self.terms.bool(false), ..value } }
    }
}
