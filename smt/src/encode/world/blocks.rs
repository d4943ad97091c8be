//! Numbers of known blocks: null is block 0; globals, functions and block addresses come first; arguments with a block
//! of their own and escaping allocas follow.
//!
//! Source and target share the numbers. The escaping allocas of both sides share one block if they have the same name
//! and iteration and the target's has at least the same alignment and size.

use crate::encode::jump::name_of;
use crate::encode::unroll::Counters;
use crate::encode::world::layout::{BLOCK_BITS, OFFSET_BITS, UNKNOWN_BLOCK};
use crate::encode::world::{Side, World};
use crate::term::{Bits, Term};
use backedge_ir::module::Module;
use std::sync::Arc;

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

/// An escaping alloca: its block number, alignment in bytes, and size in bytes.
pub(super) type Escaped = (u32, u64, Option<Term>);

impl World {
    pub(super) fn add_globals(&mut self, module: &Module) {
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
    /// The number, if `block` is constant.
    pub(crate) fn block_number(&self, block: Term) -> Option<u32> {
        self.terms.as_bits(block).and_then(Bits::to_u128).map(|n| n as u32)
    }
}
