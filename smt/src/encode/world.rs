//! What source and target share: inputs, initial memory, addresses, the answers of external calls; and the registers
//! of what is nondeterministic on each side.
//!
//! # External calls
//! An external call is answered by a function of the history: the calls before it, its callee, arguments and the
//! memory it can see. The history is an opaque number, the *trace*; each call makes a new one. That equal histories
//! get equal answers is said by axioms between the calls of the source and those of the target (Ackermann's way), where
//! a history of the target also counts as equal if its arguments refine the source's.
//!
//! # Choices
//! Every undef bit that is used, every freeze of poison, is a variable of its side. The refinement check decides for
//! which choices of the target which of the source have to exist.

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

/// Which of the two functions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    /// The function that says what is allowed.
    Source,
    /// The function that is judged.
    Target,
}

/// Width in bits of a block number.
pub(crate) const BLOCK_BITS: u32 = 16;
/// Set in the numbers of blocks that only the function itself can reach.
pub(crate) const LOCAL_BLOCK: u32 = 0x8000;
/// Set in the numbers of blocks that the caller or an external call knows and the functions do not name.
pub(crate) const UNKNOWN_BLOCK: u32 = 0x4000;
/// Width in bits of an offset in memory.
pub(crate) const OFFSET_BITS: u32 = 64;
/// Width in bits of a pointer: a block number above an offset.
pub(crate) const POINTER_BITS: u32 = BLOCK_BITS + OFFSET_BITS;

/// A block of memory that is known by name.
#[derive(Clone, Debug)]
pub(crate) struct KnownBlock {
    /// What it is, for the reader of a witness.
    pub(crate) name: Arc<str>,
    /// Size in bytes; `None` if it is not known.
    pub(crate) size: Option<Term>,
    /// Alignment in bytes of its base.
    pub(crate) align: u64,
    /// Whether it can't be written; `None` if it is not known.
    pub(crate) read_only: Option<bool>,
    /// Whether something else, that is no local variable, may have its address: the linker may merge constants, and what a
    /// `noalias` argument leads to may be reached in other ways as long as nobody writes it.
    pub(crate) may_coincide: bool,
}

/// Something that a side chose.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    /// The instruction at which.
    pub(crate) inst: Inst,
    /// The spelling of the instruction's name or number: what a choice of the other side is matched by.
    pub(crate) label: Arc<str>,
    /// The copy of the instruction's block.
    pub(crate) counters: Counters,
    /// What is chosen.
    pub(crate) kind: ChoiceKind,
    /// How many choices of that kind the same copy of the instruction had made.
    pub(crate) index: u32,
    /// The variable.
    pub(crate) var: Term,
    /// Which bits are chosen; none of them where there is nothing to choose.
    pub(crate) open: Term,
    /// Whether the choice is reached.
    pub(crate) made: Term,
    /// What is evaluated, if it is a choice of an evaluation.
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
    /// Which of several results an evaluation of a floating-point operation gives.
    Float,
    /// How far apart the operands of a comparison by the library are: any number.
    Difference,
}

/// What calls of functions of the library do that look at memory byte by byte.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum LibraryModel {
    /// They are unknown functions of their arguments and of memory. What is proved holds for all iterations, and what is
    /// refuted may rest on it.
    #[default]
    Unknown,
    /// They do what the interpreter does; runs that look at more bytes than the bound on iterations allows for are cut off.
    Bytes,
}

/// A floating-point operation whose result is an opaque function of its operands.
#[derive(Clone, Debug)]
pub(crate) struct OpaqueOp {
    /// Which operation, on which types.
    pub(crate) key: Arc<str>,
    pub(crate) args: Vec<Term>,
    pub(crate) result: Term,
    /// Whether the first two operands can be swapped.
    pub(crate) commutes: bool,
}

impl OpaqueOp {
    /// The operands in each order that gives this result.
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

/// How memory is held.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByteLayout {
    /// Whether bytes can be parts of pointers.
    pub(crate) pointers: bool,
    /// Whether bytes can have undef bits.
    pub(crate) undef: bool,
    /// Width in bits of an address, at most [`OFFSET_BITS`].
    pub(crate) address_bits: u32,
    /// Whether the most significant byte comes first.
    pub(crate) big_endian: bool,
}

/// What reading uninitialised memory gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Uninit {
    /// `undef`: LLVM's present rule.
    #[default]
    Undef,
    /// `poison`: the planned rule.
    Poison,
}

/// An approximation in the model that was met: a refutation that depends on it may be false.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Approximation(pub Arc<str>);

/// An alloca whose address escapes: its block, its alignment in bytes, and its size in bytes.
type Escaped = (u32, u64, Option<Term>);

/// The shared part.
pub(crate) struct World {
    pub(crate) terms: Terms,
    limits: Limits,
    exhausted: Option<Exhausted>,
    /// The largest number of times that a loop has been repeated in what is encoded so far.
    pub(crate) repeated: u16,
    /// Facts that hold in every model.
    pub(crate) axioms: Vec<Term>,
    pub(crate) layout: ByteLayout,
    pub(crate) uninit: Uninit,
    /// Whether arguments and initial memory may hold undef.
    pub(crate) undef_inputs: bool,
    /// Known blocks; the number of the first one is 1.
    pub(crate) blocks: Vec<KnownBlock>,
    globals: FxHashMap<Arc<str>, u32>,
    /// How many of the known blocks are globals.
    pub(crate) global_count: u32,
    /// Sizes of blocks by number.
    pub(crate) sizes: Term,
    /// Addresses of blocks by number.
    pub(crate) bases: Term,
    /// Whether blocks are read-only, by number.
    pub(crate) read_only: Term,
    /// Whether a block is free behind a call that may have freed it, by trace and number.
    freed: Term,
    /// Block numbers and addresses that integers stand for when made into pointers.
    pub(crate) int_to_block: Term,
    /// Initial memory of the caller.
    pub(crate) memory: Term,
    /// The trace at the start.
    pub(crate) start: Term,
    pub(crate) choices: [Vec<Choice>; 2],
    /// Choices of evaluations that the target made before the present step and whose results it still has.
    pub(crate) held: Vec<Choice>,
    pub(crate) events: Vec<Event>,
    /// The conditions under which each side passes calls of `llvm.sideeffect`: progress without an event.
    pub(crate) side_effects: [Vec<Term>; 2],
    pub(crate) opaque_ops: Vec<OpaqueOp>,
    opaque_results: FxHashMap<(Arc<str>, Vec<Term>), Term>,
    constrained: FxHashMap<Term, ()>,
    /// The blocks that something was said of without knowing which they are, in the order in which they were met.
    pub(crate) unnamed_blocks: Vec<Term>,
    compared: Vec<Term>,
    /// Whether no call frees anything.
    pub(crate) nothing_is_freed: bool,
    /// Blocks that no call frees.
    pub(crate) never_freed: Vec<Term>,
    /// Whether arguments lead to blocks of their own.
    pub(crate) has_own_blocks: bool,
    /// Blocks that are copies for `byval` parameters.
    pub(crate) copies: Vec<Term>,
    /// How calls of library functions are modelled.
    pub(crate) library: LibraryModel,
    /// Whether one was taken for an unknown function that [`LibraryModel::Bytes`] models.
    pub(crate) library_is_unknown: bool,
    /// What a choice of the source is where implementations have a custom.
    pub(crate) usual: FxHashMap<Term, Term>,
    /// What calls of library functions chose on each side.
    pub(crate) answers: [Vec<Answer>; 2],
    /// Library functions that the target calls.
    pub(crate) answered: FxHashSet<Library>,
    /// What nobody reads after the function returns.
    pub(crate) dead: Vec<dead::Dead>,
    /// Runs that refute nothing if they fail: an access meets a block that a call has freed, or a library function meets
    /// what LLVM is not of one mind about.
    pub(crate) avoided: Vec<Term>,
    /// Where the source loads a pointer of which some bits are undefined and others are not.
    pub(crate) partly_undef: Vec<Term>,
    /// Where a pointer that is loaded is made of an address.
    pub(crate) made_pointers: Vec<Term>,
    /// What pointers were loaded from, by their numbers in the formula.
    pub(crate) loaded_pointers: FxHashMap<Term, LoadedPointer>,
    /// Blocks that calls of each side returned as new memory.
    new_memory: [Vec<Term>; 2],
    pub(crate) approximations: Vec<Approximation>,
    /// Where the memories that two calls see are compared, see [`World::memory_allows`].
    memory_places: FxHashMap<(Term, Term), Term>,
    /// Whether undef bits went to memory that has no place for them: all is to be done again with one.
    pub(crate) lost_undef: bool,
    /// Globals that either function names.
    pub(crate) used_globals: FxHashSet<Arc<str>>,
    /// Functions whose calls stand for calls that promise the same alone.
    pub(crate) told_apart: BTreeSet<Arc<str>>,
    /// Whether either function has landing pads or resumes: then unwinding out of a call is told apart from other ways
    /// not to return.
    pub(crate) unwinding: bool,
    /// Allocas whose address escapes, by label and copy: those of source and target are one block if the target's is
    /// aligned as well and as large.
    escaped: FxHashMap<(Arc<str>, Counters), [Option<Escaped>; 2]>,
    /// Memories with a block cleared.
    pub(crate) cleared: Vec<Cleared>,
}

/// Width in bits of a trace.
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
            partly_undef: Vec::new(),
            made_pointers: Vec::new(),
            loaded_pointers: FxHashMap::default(),
            copies: Vec::new(),
            new_memory: [Vec::new(), Vec::new()],
            approximations: Vec::new(),
            memory_places: FxHashMap::default(),
            lost_undef: false,
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
            // Of what another module defines the type says how large it is at least.
            if let Some(least) = size.filter(|_| !var.is_definitive()) {
                let block = self.terms.number(BLOCK_BITS, number.into());
                let size = self.terms.select(self.sizes, block);
                let fact = self.terms.ule(least, size);
                self.axioms.push(fact);
            }
        }
        // Aliases have no blocks: they lead to those of what they stand for.
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
            // Numbers are left for other places; the address of a block without one is not modelled.
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
    /// The number of the block of an alloca whose address escapes; `make` describes it when it is met first.
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
        self.approximate("allocas whose address escapes are told apart by name and iteration");
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
    /// The number of the block of the global `name`.
    pub(crate) fn global(&self, name: &str) -> Option<u32> {
        self.globals.get(name).copied()
    }
    /// The known block of that number.
    pub(crate) fn known(&self, number: u32) -> Option<&KnownBlock> {
        self.blocks.get(number.checked_sub(1)? as usize)
    }

    /// The limit that has been reached, if one has. From then on what is built here has no meaning.
    pub(crate) fn exhausted(&mut self) -> Option<Exhausted> {
        self.exhausted = self.exhausted.or_else(|| self.limits.reached(self.terms.len()));
        self.exhausted
    }

    /// A new variable.
    pub(crate) fn fresh(&mut self, name: &str, width: u32) -> Term {
        self.terms.variable(name, Sort::BitVec(width))
    }
    /// A new truth value.
    pub(crate) fn fresh_bool(&mut self, name: &str) -> Term {
        self.terms.variable(name, Sort::Bool)
    }
    /// An offset in a block as the width of addresses lets it be: sums wrap there.
    pub(crate) fn wrapped_offset(&mut self, offset: Term) -> Term {
        if self.layout.address_bits >= OFFSET_BITS {
            return offset;
        }
        let offset = self.terms.truncate(offset, self.layout.address_bits);
        self.terms.zext(offset, OFFSET_BITS)
    }
    /// Whether the offset of a pointer is one that the width of addresses allows.
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
    /// Notes an approximation.
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
    /// Whether the block with number `block` can't be written.
    pub(crate) fn is_read_only(&mut self, block: Term) -> Term {
        self.constrain_block(block);
        if let Some(number) = self.block_number(block)
            && let Some(value) = self.known(number).and_then(|known| known.read_only)
        {
            return self.terms.bool(value);
        }
        // The allocas of a function alone have numbers from [`LOCAL_BLOCK`] on, and each can be written.
        let own = self.terms.bit(block, BLOCK_BITS - 1);
        let other = self.terms.not(own);
        let bit = self.terms.select(self.read_only, block);
        let read_only = self.terms.is_nonzero(bit);
        self.terms.and(other, read_only)
    }
    /// Whether the block with number `block` is free behind the call with trace `frees`.
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
    /// The number if `block` is a constant.
    pub(crate) fn block_number(&self, block: Term) -> Option<u32> {
        self.terms.as_bits(block).and_then(Bits::to_u128).map(|n| n as u32)
    }

    /// Says of a block what holds of all: it is no larger than half of the address space and does not wrap around it, nor does
    /// the address behind it; it is not at address zero unless it is the null block, and a known one has its size and
    /// alignment. It may be anywhere, in the half that is negative as signed too.
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
    /// Whether one of the blocks, of which none is a local variable, may lie where the other does.
    fn may_coincide(&mut self, a: Term, b: Term) -> Term {
        let either = [a, b].map(|block| self.is_nobodys_own(block));
        let either = self.terms.or_all(either);
        let local = self.terms.number(BLOCK_BITS, LOCAL_BLOCK.into());
        let outside = [a, b].map(|block| self.terms.ult(block, local));
        let outside = self.terms.and_all(outside);
        self.terms.and(either, outside)
    }
    /// Whether `block` is one of those that may have the address of something else; if these are many, whether it is known.
    fn is_nobodys_own(&mut self, block: Term) -> Term {
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
    /// Says that a block lies where a multiple of `align` is.
    pub(crate) fn align_base(&mut self, base: Term, align: u64) {
        if align > 1 {
            let mask = self.terms.number(OFFSET_BITS, u128::from(align) - 1);
            let low = self.terms.bv_and(base, mask);
            let zero = self.terms.number(OFFSET_BITS, 0);
            let fact = self.terms.eq(low, zero);
            self.axioms.push(fact);
        }
    }
    /// Says that a call of `side` returned `pointer`, which is null or leads to a block that neither arguments, globals
    /// nor earlier calls of that kind gave. That memory may hold pointers to it already is not excluded.
    pub(crate) fn is_new_memory(&mut self, side: Side, pointer: Term, arguments: &[Term]) {
        self.approximate("memory that a call returns as new may be what initial memory points to");
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
    /// Notes that the address of `block` is observed: it must not overlap with that of others that are.
    pub(crate) fn observe_address(&mut self, block: Term) {
        const MANY: usize = 16;
        // Runs put globals where they like and leave gaps.
        self.approximate("blocks lie anywhere, side by side too");
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
            // Blocks may touch: a pointer one past the end may be the address of another.
            let end = self.terms.add(base, size);
            let other_end = self.terms.add(other_base, other_size);
            let before = self.terms.ule(end, other_base);
            let behind = self.terms.ule(other_end, base);
            let merged = self.may_coincide(block, other);
            let fact = self.terms.or_all([same, before, behind, merged]);
            self.axioms.push(fact);
        }
        self.compared.push(block);
    }

    /// [`Self::opaque_op`] of an operation on floats.
    pub(crate) fn opaque_float(&mut self, key: &str, args: &[Term], width: u32, commutes: bool) -> Term {
        self.approximate("floating-point arithmetic is an opaque function of its operands");
        self.opaque_op(key, args, width, commutes)
    }
    /// The result of an operation of which only this is known: equal operands give equal results, in either order of the
    /// first two if it `commutes`. The caller names the approximation.
    pub(crate) fn opaque_op(&mut self, key: &str, args: &[Term], width: u32, commutes: bool) -> Term {
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

    /// Registers an event and says that its answer is that of the equal events of the other side (for one that is not
    /// observable, of all equal events).
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
                self.may_stand_for_another(source, target);
                self.asks_the_same(source, target, Likeness::Identical)
            } else {
                let before = if event.side == Side::Target { &others[..] } else { &others[..at] };
                self.is_answered_by(source, target, before)
            };
            self.answer_alike(equal, source, target);
        }
        self.events.push(event);
    }
    /// Whether the target makes a call that nobody else sees, of a function that may be undefined behaviour when it is called
    /// so, and the source does not call it like that: there is an environment in which it is.
    pub(crate) fn target_calls_alone(&mut self) -> Term {
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
                    made.push(self.is_given_the_same(both, source, target, Likeness::Refined));
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
    /// Whether the source's event has the answer of the target's: it asks the same, or may ask the same as its arguments
    /// are not defined. In the second case it has one answer of those that it may have, so only the first event of the
    /// target that it may stand for counts, of the targets in `before`: with all of them it would follow that these have
    /// equal answers, though they ask different things. Events that others see come one for one, by their history.
    fn is_answered_by(&mut self, source: &Event, target: &Event, before: &[Event]) -> Term {
        let refined = self.asks_the_same(source, target, Likeness::Refined);
        if source.after.is_some() || source.by_history {
            return refined;
        }
        let identical = self.asks_the_same(source, target, Likeness::Identical);
        if refined == identical {
            return refined;
        }
        let mut first = self.terms.bool(true);
        for earlier in before.iter().filter(|e| e.side == Side::Target) {
            if !self.same_shapes(earlier, target) || earlier.after.is_some() {
                continue;
            }
            if source.memory != earlier.memory {
                // That the earlier one is none that this may stand for must follow from every place.
                self.approximate("a reading call finds other memory than one that it may stand for");
            }
            let may_stand = self.asks_the_same(source, earlier, Likeness::Refined);
            let alike = self.asks_the_same(earlier, target, Likeness::Identical);
            let other = self.terms.not(alike);
            let taken = self.terms.and(may_stand, other);
            let free = self.terms.not(taken);
            first = self.terms.and(first, free);
        }
        let by_choice = self.terms.and(refined, first);
        self.terms.or(identical, by_choice)
    }
    /// Notes where one call of the source may be asked about what is not defined and another about a value that this may
    /// stand for: the source may choose the same answer, which is left out here.
    fn may_stand_for_another(&mut self, one: &Event, other: &Event) {
        if one.side != Side::Source || one.after.is_some() || one.by_history {
            return;
        }
        let identical = self.asks_the_same(one, other, Likeness::Identical);
        for (from, to) in [(one, other), (other, one)] {
            if self.asks_the_same(from, to, Likeness::Refined) != identical {
                self.approximate("a call that is asked about what is not defined answers by itself");
            }
        }
    }
    /// Whether both events happen, with the same history, arguments and memory. Arguments of one side are the same if they
    /// are identical: a function may do different things for what is not defined and for each value that it may stand for.
    fn asks_the_same(&mut self, source: &Event, target: &Event, likeness: Likeness) -> Term {
        let mut both = self.terms.and(source.happens, target.happens);
        if source.after.is_some() || source.by_history {
            let history = self.terms.eq(source.before, target.before);
            both = self.terms.and(both, history);
        }
        self.is_given_the_same(both, source, target, likeness)
    }
    /// Whether it is so that `both` happen, with the same arguments and memory.
    fn is_given_the_same(&mut self, both: Term, source: &Event, target: &Event, likeness: Likeness) -> Term {
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
        // An alloca that is dead in the target alone is one that the call may access in the source alone.
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
    /// Says that two events have the same answer if `equal` holds.
    ///
    /// Where only one of two calls says that it reads or writes no memory, the function keeps to that in both, as the
    /// interpreter has it: what the other sees is not compared, and what it leaves is what it found.
    fn answer_alike(&mut self, equal: Term, source: &Event, target: &Event) {
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
    /// operations on what was chosen.
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

    /// A scalar of the caller: any value, poison, and undef where inputs may be: each bit by itself, but a pointer as a whole.
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

/// How arguments of two calls compare.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Likeness {
    /// Those of the first allow those of the second.
    Refined,
    /// They are one, poison and undefined bits included.
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
