//! The state that source and target share: inputs, initial memory, addresses, answers of external calls; and the
//! registers of nondeterministic choices of each side.
//!
//! # External calls
//! The answer of an external call is a function of the history: the earlier calls, the callee, the arguments, and the
//! memory that the call can see. The history is an opaque number, the *trace*; each call creates a new one. Axioms
//! between calls of the source and of the target state that equal histories get equal answers (Ackermann's reduction).
//! A history of the target also counts as equal if its arguments refine the source's.
//!
//! # Choices
//! Each used undef bit and each freeze of poison is a variable of its side. The refinement check decides for which
//! choices of the target the source needs matching choices.

pub(crate) mod dead;
mod event;
mod pointing;
mod replaced;

use crate::encode::answers::Answer;
use crate::encode::jump::name_of;
use crate::encode::memory::LoadedPointer;
use crate::encode::unroll::Counters;
use crate::encode::value::{Scalar, Sym, identical};
use crate::limits::{Exhausted, Limits};
use crate::term::{Bits, Sort, Term, Terms};
use backedge_ir::entity::Inst;
use backedge_ir::meaning::library::Library;
use backedge_ir::module::Module;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::sync::Arc;

pub(crate) use event::{Event, Touched};
pub(crate) use replaced::{Cleared, Inside};

/// One of the two functions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    /// The function that defines the allowed behavior.
    Source,
    /// The function that is checked.
    Target,
}

/// Width of a block number in bits: the two upper bits tell local and unknown blocks apart.
pub(crate) const BLOCK_BITS: u32 = 16;
/// Bit set in the numbers of blocks that only the function itself can reach.
pub(crate) const LOCAL_BLOCK: u32 = 0x8000;
/// Bit set in the numbers of blocks that are known to the caller or to an external call but not named by the functions.
pub(crate) const UNKNOWN_BLOCK: u32 = 0x4000;
/// Width of a memory offset in bits: that of the widest addresses.
pub(crate) const OFFSET_BITS: u32 = 64;
/// Width of a pointer in bits: a block number above an offset.
pub(crate) const POINTER_BITS: u32 = BLOCK_BITS + OFFSET_BITS;

/// A named block of memory.
#[derive(Clone, Debug)]
pub(crate) struct KnownBlock {
    /// Description of the block in a witness.
    pub(crate) name: Arc<str>,
    /// Size in bytes; `None` if unknown.
    pub(crate) size: Option<Term>,
    /// Alignment of its base in bytes.
    pub(crate) align: u64,
    /// Whether the block is read-only; `None` if unknown.
    pub(crate) read_only: Option<bool>,
    /// Whether another block, except a local variable, may have the same address: the linker may merge constants, and
    /// the memory of a `noalias` argument may be reachable by other means as long as nobody writes it.
    pub(crate) may_coincide: bool,
}

/// A choice that a side made.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    /// The instruction that makes the choice.
    pub(crate) inst: Inst,
    /// The name or number of the instruction, by which choices of the other side are matched.
    pub(crate) label: Arc<str>,
    /// The counters of the copy of the instruction's block.
    pub(crate) counters: Counters,
    /// The kind of choice.
    pub(crate) kind: ChoiceKind,
    /// Number of earlier choices of the same kind by the same copy of the instruction.
    pub(crate) index: u32,
    /// The variable.
    pub(crate) var: Term,
    /// Mask of the chosen bits; zero where nothing is open.
    pub(crate) open: Term,
    /// Whether the choice is reached.
    pub(crate) made: Term,
    /// The evaluated operation, if an evaluation makes the choice.
    pub(crate) of: Option<Evaluation>,
}

/// A floating-point operation and its operands, at an evaluation that makes choices.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Evaluation {
    pub(crate) key: Arc<str>,
    pub(crate) operands: Vec<Term>,
}

/// Kinds of choices.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
pub enum ChoiceKind {
    /// The value of undef bits at a use.
    Undef,
    /// The value of a freeze.
    Freeze,
    /// The sign and payload of a NaN result.
    Nan,
    /// The selection among several results that an evaluation of a floating-point operation allows.
    Float,
    /// The result of a library comparison, up to its sign: any number.
    Difference,
}

/// The model of library functions that access memory byte by byte.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum LibraryModel {
    /// Unknown functions of arguments and memory. Proofs hold for all iterations; refutations may be approximate.
    #[default]
    Unknown,
    /// The behavior of the interpreter. Runs that examine more bytes than the bound on iterations allows are cut off.
    Bytes,
}

/// A floating-point operation whose result is an opaque function of its operands.
#[derive(Clone, Debug)]
pub(crate) struct OpaqueOp {
    /// Name of the operation and of its types.
    pub(crate) key: Arc<str>,
    pub(crate) args: Vec<Term>,
    pub(crate) result: Term,
    /// Whether the operation commutes in its first two operands.
    pub(crate) commutes: bool,
}

impl OpaqueOp {
    /// The orders of the operands that yield this result.
    pub(crate) fn orders(args: &[Term], commutes: bool) -> Vec<Vec<Term>> {
        let mut orders = vec![args.to_vec()];
        if commutes && args.len() > 1 && args[0] != args[1] {
            let mut swapped = args.to_vec();
            swapped.swap(0, 1);
            orders.push(swapped);
        }
        orders
    }
}

/// The layout of an encoded byte and of addresses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByteLayout {
    /// Whether bytes can be parts of pointers.
    pub(crate) pointers: bool,
    /// Whether bytes can have undef bits.
    pub(crate) undef: bool,
    /// Width of an address in bits, at most [`OFFSET_BITS`].
    pub(crate) address_bits: u32,
    /// Whether the most significant byte comes first.
    pub(crate) big_endian: bool,
}

/// The result of reading uninitialized memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
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

/// An escaping alloca: its block number, alignment in bytes, and size in bytes.
type Escaped = (u32, u64, Option<Term>);

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
    /// Whether undef bits were written to memory whose layout drops them: the encoding then needs an undef mask.
    pub(crate) needs_undef_mask: bool,
    /// Globals that either function names.
    pub(crate) used_globals: FxHashSet<Arc<str>>,
    /// Functions whose calls only match calls with the same promises.
    pub(crate) told_apart: BTreeSet<Arc<str>>,
    /// Whether either function has landing pads or resumes, so that unwinding differs from other ways not to return.
    pub(crate) unwinding: bool,
    /// Escaping allocas, by label and copy. The allocas of source and target share one block if the target's has at
    /// least the same alignment and size.
    escaped: FxHashMap<(Arc<str>, Counters), [Option<Escaped>; 2]>,
    /// Memories with a cleared block.
    pub(crate) cleared: Vec<Cleared>,
}

/// Width of a trace in bits: more histories than a formula has calls.
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
        let zero = world.terms.number(OFFSET_BITS, 0);
        let null = world.terms.number(BLOCK_BITS, 0);
        for array in [world.sizes, world.bases] {
            let at_null = world.terms.select(array, null);
            let fact = world.terms.eq(at_null, zero);
            world.axioms.push(fact);
        }
        world
    }

    fn add_globals(&mut self, module: &Module) {
        let env = &module.env;
        for (_, var) in env.vars.iter() {
            if self.globals.contains_key(&var.name) {
                continue;
            }
            let size = env.layout.alloc_bytes(&env.types, var.ty);
            let align = var.align.or_else(|| env.layout.abi_align(&env.types, var.ty)).unwrap_or(1);
            let size = size.map(|s| self.terms.number(OFFSET_BITS, s.into()));
            let number = self.add_block(KnownBlock {
                name: var.name.clone(),
                size: size.filter(|_| var.is_definitive()),
                align,
                read_only: Some(var.is_constant),
                may_coincide: var.may_coincide(),
            });
            self.globals.insert(var.name.clone(), number);
            // For a global defined in another module, the type only gives a lower bound on its size.
            if let Some(least) = size.filter(|_| !var.is_definitive()) {
                let block = self.terms.number(BLOCK_BITS, number.into());
                let size = self.terms.select(self.sizes, block);
                let fact = self.terms.ule(least, size);
                self.axioms.push(fact);
            }
        }
        // Aliases have no blocks of their own; they refer to those of their aliasees.
        for func in env.funcs.values() {
            if self.globals.contains_key(&func.name) {
                continue;
            }
            let size = Some(self.terms.number(OFFSET_BITS, 0));
            let number = self.add_block(KnownBlock {
                name: func.name.clone(),
                size,
                align: 1,
                read_only: Some(true),
                may_coincide: func.may_coincide(),
            });
            self.globals.insert(func.name.clone(), number);
        }
        for block in env.block_addresses.values() {
            let name: Arc<str> = name_of(env, block).into();
            // Some block numbers are reserved for other places; a block address without a number is not modelled.
            if self.globals.contains_key(&name) || self.blocks.len() as u32 >= UNKNOWN_BLOCK / 2 {
                continue;
            }
            let size = Some(self.terms.number(OFFSET_BITS, 0));
            let place =
                KnownBlock { name: name.clone(), size, align: 1, read_only: Some(true), may_coincide: false };
            let number = self.add_block(place);
            self.globals.insert(name, number);
        }
    }

    /// Adds a known block and returns its number.
    pub(crate) fn add_block(&mut self, block: KnownBlock) -> u32 {
        self.blocks.push(block);
        let number = self.blocks.len() as u32;
        assert!(number < UNKNOWN_BLOCK, "more blocks than numbers; callers limit them");
        let term = self.terms.number(BLOCK_BITS, number.into());
        self.constrain_block(term);
        number
    }
    /// The block number of an escaping alloca; `block` describes it if it is new.
    pub(crate) fn escaped_alloca(
        &mut self,
        side: Side,
        (label, counters): (&Arc<str>, &Counters),
        block: KnownBlock,
    ) -> u32 {
        let key = (label.clone(), counters.clone());
        let sides = self.escaped.get(&key).copied().unwrap_or_default();
        if let Some((number, ..)) = sides[side.index()] {
            return number;
        }
        self.approximate("escaping allocas are matched by name and iteration");
        let (align, size) = (block.align, block.size);
        let other = sides[1 - side.index()].filter(|(_, other_align, other_size)| {
            let (source, target) = match side {
                Side::Source => ((align, size), (*other_align, *other_size)),
                Side::Target => ((*other_align, *other_size), (align, size)),
            };
            source.0 <= target.0 && self.is_as_large(source.1, target.1)
        });
        let number = other.map_or_else(|| self.add_block(block), |(number, ..)| number);
        self.escaped.entry(key).or_default()[side.index()] = Some((number, align, size));
        number
    }
    /// Whether the second size is known to be at least the first one.
    fn is_as_large(&self, least: Option<Term>, size: Option<Term>) -> bool {
        let number = |size: Option<Term>| size.and_then(|s| self.terms.as_bits(s)?.to_u128());
        match (number(least), number(size)) {
            (Some(least), Some(size)) => least <= size,
            _ => least == size,
        }
    }
    /// The block number of the global `name`.
    pub(crate) fn global(&self, name: &str) -> Option<u32> {
        self.globals.get(name).copied()
    }
    /// The known block with this number.
    pub(crate) fn known(&self, number: u32) -> Option<&KnownBlock> {
        self.blocks.get(number.checked_sub(1)? as usize)
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

    /// The size of the block with number `block`.
    pub(crate) fn size_of(&mut self, block: Term) -> Term {
        self.constrain_block(block);
        if let Some(number) = self.block_number(block)
            && let Some(size) = self.known(number).and_then(|k| k.size)
        {
            return size;
        }
        self.terms.select(self.sizes, block)
    }
    /// The address of the block with number `block`.
    pub(crate) fn base_of(&mut self, block: Term) -> Term {
        self.constrain_block(block);
        self.terms.select(self.bases, block)
    }
    /// Whether the block with number `block` is read-only.
    pub(crate) fn is_read_only(&mut self, block: Term) -> Term {
        self.constrain_block(block);
        if let Some(number) = self.block_number(block)
            && let Some(value) = self.known(number).and_then(|known| known.read_only)
        {
            return self.terms.bool(value);
        }
        // Non-escaping allocas have numbers from [`LOCAL_BLOCK`] on, and all of them are writable.
        let own = self.terms.bit(block, BLOCK_BITS - 1);
        let other = self.terms.not(own);
        let bit = self.terms.select(self.read_only, block);
        let read_only = self.terms.is_nonzero(bit);
        self.terms.and(other, read_only)
    }
    /// Whether the block with number `block` is free after the call with trace `frees`.
    pub(crate) fn is_free(&mut self, frees: Term, block: Term) -> Term {
        let first = self.terms.concat(self.start, block);
        let at_first = self.terms.select(self.freed, first);
        let any = self.terms.is_nonzero(at_first);
        let fact = self.terms.not(any);
        if self.constrained.insert(fact, ()).is_none() {
            self.axioms.push(fact);
        }
        let place = self.terms.concat(frees, block);
        let free = self.terms.select(self.freed, place);
        let free = self.terms.is_nonzero(free);
        let kept: Vec<Term> = self.never_freed.clone();
        let kept: Vec<Term> = kept.into_iter().map(|other| self.terms.eq(block, other)).collect();
        let kept = self.terms.or_all(kept);
        let not_kept = self.terms.not(kept);
        let free = self.terms.and(free, not_kept);
        self.avoided.push(free);
        free
    }
    /// The number, if `block` is constant.
    pub(crate) fn block_number(&self, block: Term) -> Option<u32> {
        self.terms.as_bits(block).and_then(Bits::to_u128).map(|n| n as u32)
    }

    /// States facts that hold for all blocks. A block is smaller than half of the address space; neither the block nor
    /// the address after it wraps around. It is not at address zero unless it is the null block. A known block has its
    /// size and alignment. A block may be anywhere, including addresses that are negative as signed numbers.
    fn constrain_block(&mut self, block: Term) {
        if self.constrained.insert(block, ()).is_some() {
            return;
        }
        let number = self.block_number(block);
        if number == Some(0) {
            return;
        }
        if number.is_none() {
            self.unnamed_blocks.push(block);
        }
        let (size, base) = (self.terms.select(self.sizes, block), self.terms.select(self.bases, block));
        let null = self.terms.number(BLOCK_BITS, 0);
        let is_null = self.terms.eq(block, null);
        let zero = self.terms.number(OFFSET_BITS, 0);
        let half = self.terms.number(OFFSET_BITS, 1 << (self.layout.address_bits - 1));
        let last = self.terms.number(OFFSET_BITS, u128::MAX >> (128 - self.layout.address_bits));
        let small = self.terms.ult(size, half);
        let room = self.terms.sub(last, size);
        let within = self.terms.ule(base, room);
        let nonzero = self.terms.ne(base, zero);
        let fits = self.terms.and_all([small, within, nonzero]);
        let fact = self.terms.or(is_null, fits);
        self.axioms.push(fact);
        let Some(known) = number.and_then(|n| self.known(n).cloned()) else { return };
        if let Some(known_size) = known.size {
            let fact = self.terms.eq(size, known_size);
            self.axioms.push(fact);
        }
        let read_only = self.terms.select(self.read_only, block);
        if let Some(value) = known.read_only {
            let bit = self.terms.number(1, value.into());
            let fact = self.terms.eq(read_only, bit);
            self.axioms.push(fact);
        }
        self.align_base(base, known.align);
    }
    /// Whether the two blocks, neither of which is a local variable, may have the same address.
    fn may_coincide(&mut self, a: Term, b: Term) -> Term {
        let either = [a, b].map(|block| self.may_share_address(block));
        let either = self.terms.or_all(either);
        let local = self.terms.number(BLOCK_BITS, LOCAL_BLOCK.into());
        let outside = [a, b].map(|block| self.terms.ult(block, local));
        let outside = self.terms.and_all(outside);
        self.terms.and(either, outside)
    }
    /// Whether `block` may have the address of another block; if many blocks may, whether it is a known block.
    fn may_share_address(&mut self, block: Term) -> Term {
        /// Maximum number of such blocks that are compared one by one.
        const MANY: usize = 32;
        let numbers: Vec<u32> = (1..)
            .zip(&self.blocks)
            .filter(|(_, known)| known.may_coincide)
            .map(|(number, _)| number)
            .collect();
        if numbers.len() > MANY {
            let unknown = self.terms.number(BLOCK_BITS, UNKNOWN_BLOCK.into());
            return self.terms.ult(block, unknown);
        }
        let is_one = |number: u32| {
            let number = self.terms.number(BLOCK_BITS, number.into());
            self.terms.eq(block, number)
        };
        let any: Vec<Term> = numbers.into_iter().map(is_one).collect();
        self.terms.or_all(any)
    }
    /// States that a base address is a multiple of `align`.
    pub(crate) fn align_base(&mut self, base: Term, align: u64) {
        if align > 1 {
            let mask = self.terms.number(OFFSET_BITS, u128::from(align) - 1);
            let low = self.terms.bv_and(base, mask);
            let zero = self.terms.number(OFFSET_BITS, 0);
            let fact = self.terms.eq(low, zero);
            self.axioms.push(fact);
        }
    }
    /// States that a call of `side` returned `pointer`, which is null or points to a block that neither arguments,
    /// globals nor earlier such calls provided. Memory may still already contain pointers to the block.
    pub(crate) fn is_new_memory(&mut self, side: Side, pointer: Term, arguments: &[Term]) {
        self.approximate("initial memory may point to memory that a call returns as new");
        let terms = &mut self.terms;
        let block = crate::encode::block_of(terms, pointer);
        let null = terms.number(BLOCK_BITS, 0);
        let is_null = terms.eq(block, null);
        let low = terms.number(BLOCK_BITS, UNKNOWN_BLOCK.into());
        let mut different = terms.ule(low, block);
        let arguments = arguments.iter().map(|a| crate::encode::block_of(terms, *a)).collect::<Vec<_>>();
        for other in arguments.iter().chain(&self.new_memory[side.index()]) {
            let differs = terms.ne(block, *other);
            different = terms.and(different, differs);
        }
        let fact = terms.or(is_null, different);
        self.axioms.push(fact);
        self.new_memory[side.index()].push(block);
    }
    /// Records that the address of `block` is observed: the block must not overlap with other observed blocks.
    pub(crate) fn observe_address(&mut self, block: Term) {
        /// Maximum number of blocks compared pair by pair. The addresses of further blocks are unconstrained.
        const MANY: usize = 16;
        // Real runs place globals freely and leave gaps.
        self.approximate("blocks may have any addresses, including adjacent ones");
        if self.compared.contains(&block) {
            return;
        }
        if self.compared.len() >= MANY {
            self.approximate("addresses of many blocks are compared");
            return;
        }
        let (size, base) = (self.size_of(block), self.base_of(block));
        for other in self.compared.clone() {
            let (other_size, other_base) = (self.size_of(other), self.base_of(other));
            let same = self.terms.eq(block, other);
            // Blocks may be adjacent: a pointer one past the end may equal the address of another block.
            let end = self.terms.add(base, size);
            let other_end = self.terms.add(other_base, other_size);
            let before = self.terms.ule(end, other_base);
            let following = self.terms.ule(other_end, base);
            let merged = self.may_coincide(block, other);
            let fact = self.terms.or_all([same, before, following, merged]);
            self.axioms.push(fact);
        }
        self.compared.push(block);
    }

    /// [`Self::opaque_op`] for a floating-point operation.
    pub(crate) fn opaque_float(&mut self, key: &str, args: &[Term], width: u32, commutes: bool) -> Term {
        self.approximate("floating-point arithmetic is an opaque function of its operands");
        self.opaque_op(key, args, width, commutes)
    }
    /// The result of an opaque operation: equal operands give equal results, in either order of the first two operands
    /// if the operation `commutes`. The caller records the approximation.
    pub(crate) fn opaque_op(&mut self, key: &str, args: &[Term], width: u32, commutes: bool) -> Term {
        /// Maximum number of earlier operations, the latest first, that may turn out equal to a new one.
        const MANY: usize = 64;
        let key: Arc<str> = key.into();
        for order in OpaqueOp::orders(args, commutes) {
            if let Some(&result) = self.opaque_results.get(&(key.clone(), order)) {
                return result;
            }
        }
        let result = self.fresh(&key, width);
        let others: Vec<OpaqueOp> = self.opaque_ops.iter().filter(|o| o.key == key).cloned().collect();
        for other in others.iter().rev().take(MANY) {
            let mut equal = Vec::new();
            for order in OpaqueOp::orders(args, commutes) {
                let pairs = order.iter().zip(&other.args);
                let all: Vec<Term> = pairs.map(|(a, b)| self.terms.eq(*a, *b)).collect();
                equal.push(self.terms.and_all(all));
            }
            let equal = self.terms.or_all(equal);
            let same = self.terms.eq(result, other.result);
            let fact = self.terms.implies(equal, same);
            self.axioms.push(fact);
        }
        self.opaque_ops.push(OpaqueOp { key: key.clone(), args: args.to_vec(), result, commutes });
        self.opaque_results.insert((key, args.to_vec()), result);
        result
    }

    /// Registers an event and states that its answer equals that of equal events of the other side (of all equal events
    /// if it is not observable).
    pub(crate) fn add_event(&mut self, event: Event) {
        let others: Vec<Event> = self
            .events
            .iter()
            .filter(|o| o.callee == event.callee && o.promises == event.promises)
            .filter(|o| o.args.len() == event.args.len())
            .filter(|o| o.side != event.side || event.after.is_none())
            .cloned()
            .collect();
        for (at, other) in others.iter().enumerate() {
            if self.exhausted().is_some() {
                break;
            }
            let (source, target) = if other.side == Side::Target { (&event, other) } else { (other, &event) };
            let answers = match (&source.result, &target.result) {
                (Some(a), Some(b)) => same_shape(self, a, b),
                _ => true,
            };
            if source.after.is_some() != target.after.is_some()
                || !answers
                || !self.same_shapes(source, target)
            {
                continue;
            }
            let equal = if source.side == target.side {
                self.may_match_another(source, target);
                self.is_same_question(source, target, Likeness::Identical)
            } else {
                let before = if event.side == Side::Target { &others[..] } else { &others[..at] };
                self.is_answered_by(source, target, before)
            };
            self.state_equal_answers(equal, source, target);
        }
        self.events.push(event);
    }
    /// Whether the target makes an unobservable call that may be UB and that the source does not make in the same way:
    /// in some environment, the call is UB.
    pub(crate) fn target_only_calls(&mut self) -> Term {
        let is_unsafe = |e: &&Event| e.side == Side::Target && e.after.is_none() && !e.speculatable;
        let targets: Vec<Event> = self.events.iter().filter(is_unsafe).cloned().collect();
        let mut alone = Vec::new();
        for target in &targets {
            let like = |s: &&Event| {
                s.side == Side::Source
                    && s.callee == target.callee
                    && s.args.len() == target.args.len()
                    && target.promises.iter().all(|promise| s.promises.contains(promise))
                    && match (&s.result, &target.result) {
                        (Some(a), Some(b)) => same_shape(self, a, b),
                        (a, b) => a.is_none() == b.is_none(),
                    }
            };
            let sources: Vec<Event> = self.events.iter().filter(like).cloned().collect();
            let mut made = Vec::new();
            for source in &sources {
                if self.same_shapes(source, target) {
                    let both = self.terms.and(source.happens, target.happens);
                    made.push(self.has_same_inputs(both, source, target, Likeness::Refined));
                }
            }
            let made = self.terms.or_all(made);
            let not_made = self.terms.not(made);
            alone.push(self.terms.and(target.happens, not_made));
        }
        self.terms.or_all(alone)
    }
    fn same_shapes(&self, a: &Event, b: &Event) -> bool {
        a.args.iter().zip(&b.args).all(|(a, b)| same_shape(self, a, b))
    }
    /// Whether the source's event has the answer of the target's event: the questions are identical, or the target's
    /// arguments refine the source's. In the second case the source's event has only one of its possible answers, so
    /// only the first matching target event counts (the targets in `before` are the earlier ones). With all of them, it
    /// would follow that different questions of the target have equal answers. Observable events correspond one to one,
    /// by their history.
    fn is_answered_by(&mut self, source: &Event, target: &Event, before: &[Event]) -> Term {
        let refined = self.is_same_question(source, target, Likeness::Refined);
        if source.after.is_some() || source.by_history {
            return refined;
        }
        let identical = self.is_same_question(source, target, Likeness::Identical);
        if refined == identical {
            return refined;
        }
        let mut first = self.terms.bool(true);
        for earlier in before.iter().filter(|e| e.side == Side::Target) {
            if !self.same_shapes(earlier, target) || earlier.after.is_some() {
                continue;
            }
            if source.memory != earlier.memory {
                // That the earlier event does not match would have to follow from every memory location.
                self.approximate("a reading call sees other memory than a call that it may match");
            }
            let may_stand = self.is_same_question(source, earlier, Likeness::Refined);
            let alike = self.is_same_question(earlier, target, Likeness::Identical);
            let other = self.terms.not(alike);
            let taken = self.terms.and(may_stand, other);
            let free = self.terms.not(taken);
            first = self.terms.and(first, free);
        }
        let by_choice = self.terms.and(refined, first);
        self.terms.or(identical, by_choice)
    }
    /// Records where one call of the source has undefined arguments that another call's arguments refine: the source
    /// may choose the same answer for both, which the encoding leaves out.
    fn may_match_another(&mut self, one: &Event, other: &Event) {
        if one.side != Side::Source || one.after.is_some() || one.by_history {
            return;
        }
        let identical = self.is_same_question(one, other, Likeness::Identical);
        for (from, to) in [(one, other), (other, one)] {
            if self.is_same_question(from, to, Likeness::Refined) != identical {
                self.approximate("a call with undefined arguments has an answer of its own");
            }
        }
    }
    /// Whether both events happen with the same history, arguments and memory. Arguments of one side are the same only
    /// if they are identical: a function may treat an undefined argument differently from each of its possible values.
    fn is_same_question(&mut self, source: &Event, target: &Event, likeness: Likeness) -> Term {
        let mut both = self.terms.and(source.happens, target.happens);
        if source.after.is_some() || source.by_history {
            let history = self.terms.eq(source.before, target.before);
            both = self.terms.and(both, history);
        }
        self.has_same_inputs(both, source, target, likeness)
    }
    /// Whether `both` holds and the arguments and memory are the same.
    fn has_same_inputs(&mut self, both: Term, source: &Event, target: &Event, likeness: Likeness) -> Term {
        let mut equal = both;
        for (s, t) in source.args.iter().zip(&target.args) {
            let fine = match likeness {
                Likeness::Refined => s.refined_by(&mut self.terms, t),
                Likeness::Identical => identical(&mut self.terms, s, t),
            };
            equal = self.terms.and(equal, fine);
        }
        if let (Some(s), Some(t)) = (source.memory, target.memory) {
            let fine = match likeness {
                Likeness::Refined => self.memory_allows(s, t),
                Likeness::Identical => self.terms.eq(s, t),
            };
            equal = self.terms.and(equal, fine);
        }
        let touched = self.touches_the_same(source, target, likeness);
        equal = self.terms.and(equal, touched);
        // If an alloca is dead only in the target, only the source's call may access it.
        for (number, alive) in &target.allocas {
            let Some((_, before)) = source.allocas.iter().find(|(other, _)| other == number) else {
                continue;
            };
            let fine = match likeness {
                Likeness::Refined => self.terms.implies(*before, *alive),
                Likeness::Identical => {
                    let differ = self.terms.xor(*before, *alive);
                    self.terms.not(differ)
                }
            };
            equal = self.terms.and(equal, fine);
        }
        equal
    }
    /// States that two events have the same answer if `equal` holds.
    ///
    /// If only one of two calls declares that it reads or writes no memory, the function behaves so in both calls, as
    /// in the interpreter: the memory that the other call sees is not compared, and that call leaves memory unchanged.
    fn state_equal_answers(&mut self, equal: Term, source: &Event, target: &Event) {
        let returns = self.terms.eq(source.returns, target.returns);
        let mut answers = vec![returns, self.terms.eq(source.throws, target.throws)];
        let pairs = [(source.after, target.after), (source.leaves, target.leaves)];
        for (s, t) in pairs.into_iter().filter_map(|(s, t)| Some((s?, t?))) {
            answers.push(self.terms.eq(s, t));
        }
        let leaves = |e: &Event| (e.leaves, e.found);
        if let ((Some(left), Some(found)), (None, _)) | ((None, _), (Some(left), Some(found))) =
            (leaves(source), leaves(target))
        {
            answers.push(self.terms.eq(left, found));
        }
        if let (Some(s), Some(t)) = (&source.result, &target.result) {
            for (s, t) in s.scalars().into_iter().zip(t.scalars()) {
                answers.push(self.terms.eq(s.bits, t.bits));
                answers.push(self.terms.eq(s.poison, t.poison));
                answers.push(self.terms.eq(s.undef, t.undef));
            }
        }
        let same = self.terms.and_all(answers);
        let fact = self.terms.implies(equal, same);
        self.axioms.push(fact);
    }

    /// The variables whose value may depend on `choices` of the source: answers to its calls, and results of opaque
    /// operations on chosen values.
    pub(crate) fn functions_of(&self, choices: &[Choice]) -> Vec<Term> {
        let mut chosen: FxHashSet<Term> = choices.iter().map(|c| c.var).collect();
        let mut functions = Vec::new();
        for event in self.events.iter().filter(|e| e.side == Side::Source) {
            let scalars = event.result.iter().flat_map(Sym::scalars);
            let mut answers: Vec<Term> = scalars.flat_map(|s| [s.bits, s.poison, s.undef]).collect();
            answers.extend(
                [event.after, event.leaves, Some(event.returns), Some(event.throws)].into_iter().flatten(),
            );
            for variable in self.terms.variables(&answers) {
                if chosen.insert(variable) {
                    functions.push(variable);
                }
            }
        }
        let mut places: Vec<Term> = self
            .memory_places
            .iter()
            .filter(|((source, _), _)| self.terms.variables(&[*source]).iter().any(|v| chosen.contains(v)))
            .map(|(_, place)| *place)
            .collect();
        places.sort_unstable();
        functions.extend(places);
        for op in &self.opaque_ops {
            if self.terms.variables(&op.args).iter().any(|v| chosen.contains(v)) && chosen.insert(op.result) {
                functions.push(op.result);
            }
        }
        functions
    }

    /// A scalar from the caller: any value, poison, or (if inputs may be) undef, per bit except in pointers.
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
}

/// The relation between the arguments of two calls.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Likeness {
    /// The second arguments refine the first.
    Refined,
    /// The arguments are identical, including poison and undef bits.
    Identical,
}

fn same_shape(world: &World, a: &Sym, b: &Sym) -> bool {
    match (a, b) {
        (Sym::Scalar(a), Sym::Scalar(b)) => world.terms.width(a.bits) == world.terms.width(b.bits),
        (Sym::List(a), Sym::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_shape(world, a, b))
        }
        (Sym::Scalar(_), Sym::List(_)) | (Sym::List(_), Sym::Scalar(_)) => false,
    }
}

impl Side {
    /// 0 for the source, 1 for the target.
    pub(crate) fn index(self) -> usize {
        match self {
            Self::Source => 0,
            Self::Target => 1,
        }
    }
}
