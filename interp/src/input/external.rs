//! Contents of global variables that other modules determine: declarations, and definitions that the linker may
//! replace. By default they are zero or have their initializer's value, which is one of the programs that the module
//! may become part of. This module gives them other contents.
//!
//! Contents are part of the input, so that functions compared on it see the same contents.

use super::{ArgSpec, BlockSpec, Input, PointerBytes};
use crate::chooser::Domain;
use crate::layout::Shape;
use crate::memory::Contents;
use crate::value::{Cube, mask};
use backedge_ir::constant::GlobalRef;
use backedge_ir::module::{GlobalVar, Linkage, Module};

/// Limit in bytes on the variables that get other contents: each scalar is a number to choose. Larger variables keep
/// their contents.
const MAX_BYTES: u64 = 4096;
/// Size in bytes of a block that a pointer in such a variable points to: enough for the accesses of small loops.
const BLOCK_BYTES: usize = 64;

impl Input {
    /// Gives contents to the `wanted` global variables that all of `modules` leave to other modules, except those
    /// that the input already specifies. `choose` picks each number; pointers are null or point to a new block, one
    /// for all pointers of a variable. Variables whose address may be null (`extern_weak`), that are larger than 4096
    /// bytes, or whose types are not modelled are left unchanged.
    pub fn fill_external(
        &mut self,
        modules: &[&Module],
        wanted: &dyn Fn(&str) -> bool,
        choose: &mut dyn FnMut(Domain) -> u128,
    ) {
        self.fill_where(modules, &|var| wanted(&var.name) && is_open(var), choose);
    }
    /// Like [`Input::fill_external`], but includes variables that are not constant and have external linkage: other
    /// code may have written to them before the run.
    pub fn fill_globals(
        &mut self,
        modules: &[&Module],
        wanted: &dyn Fn(&str) -> bool,
        choose: &mut dyn FnMut(Domain) -> u128,
    ) {
        let may_differ = |var: &GlobalVar| is_open(var) || !var.is_constant && !var.linkage.is_local();
        self.fill_where(modules, &|var| wanted(&var.name) && may_differ(var), choose);
    }
    fn fill_where(
        &mut self,
        modules: &[&Module],
        may_differ: &dyn Fn(&GlobalVar) -> bool,
        choose: &mut dyn FnMut(Domain) -> u128,
    ) {
        let Some((first, others)) = modules.split_first() else { return };
        for (_, var) in first.env.vars.iter() {
            let known = self.globals.iter().any(|(name, _)| **name == *var.name);
            if known
                || !may_differ(var)
                || is_excluded(var)
                || !others.iter().all(|other| may_differ_in(other, may_differ, first, var))
            {
                continue;
            }
            // A replaceable definition may also be the final one.
            if var.init.is_some() && choose(Domain::Options(2)) == 0 {
                continue;
            }
            if let Some(block) = self.contents_of(first, var, choose) {
                self.globals.push((var.name.to_string(), block));
            }
        }
    }
    fn contents_of(
        &mut self,
        module: &Module,
        var: &GlobalVar,
        choose: &mut dyn FnMut(Domain) -> u128,
    ) -> Option<BlockSpec> {
        let env = &module.env;
        let size =
            env.layout.alloc_bytes(&env.types, var.ty).filter(|size| (1..=MAX_BYTES).contains(size))?;
        let shape = Shape::of(env, var.ty).ok()?;
        let mut block = BlockSpec::new(Contents::zeroed(usize::try_from(size).ok()?));
        let mut target = None;
        scalars(&shape, 0, &mut |scalar, at| {
            if let Shape::Ptr(bits) = scalar {
                let bytes = bits.div_ceil(8) as u8;
                if choose(Domain::Options(2)) == 1 {
                    let number = *target.get_or_insert_with(|| {
                        self.blocks.push(BlockSpec::new(Contents::zeroed(BLOCK_BYTES)));
                        self.blocks.len() - 1
                    });
                    let pointer = ArgSpec::Block { block: number, offset: 0 };
                    block.pointers.push(PointerBytes { at, pointer, first: 0, count: bytes });
                }
                return;
            }
            let width = scalar.scalar_bits().unwrap_or(8);
            let value = scalar.scalar_from(Cube::known(choose(Domain::Bits(width)) & mask(width)));
            block.contents.write(at, scalar, &value, env.layout.big_endian);
        });
        Some(block)
    }
}

/// Whether another module determines the variable's contents.
fn is_open(var: &GlobalVar) -> bool {
    var.definitive_init().is_none()
}

/// Whether its address may be null, or the linker assembles its contents.
fn is_excluded(var: &GlobalVar) -> bool {
    matches!(var.linkage, Linkage::ExternWeak | Linkage::Appending)
}

/// Whether `module` has a variable of that name and size and also leaves it open.
fn may_differ_in(
    module: &Module,
    may_differ: &dyn Fn(&GlobalVar) -> bool,
    of: &Module,
    var: &GlobalVar,
) -> bool {
    let Some(GlobalRef::Var(id)) = module.env.symbols.get(&var.name) else { return false };
    let other = &module.env.vars[*id];
    let size = |m: &Module, v: &GlobalVar| m.env.layout.alloc_bytes(&m.env.types, v.ty);
    may_differ(other) && !is_excluded(other) && size(module, other) == size(of, var)
}

/// Visits the scalars of a shape with their offsets in bytes. Skips elements of vectors that are not whole bytes.
fn scalars(shape: &Shape, at: usize, each: &mut impl FnMut(&Shape, usize)) {
    match shape {
        Shape::Int(_) | Shape::Float(_) | Shape::Ptr(_) => each(shape, at),
        Shape::Vector { len, elem } if elem.bits().is_multiple_of(8) => {
            (0..*len as usize).for_each(|i| scalars(elem, at + i * (elem.bits() / 8) as usize, each));
        }
        Shape::Vector { .. } => {}
        Shape::Array { len, stride, elem } => {
            (0..*len as usize).for_each(|i| scalars(elem, at + i * *stride as usize, each));
        }
        Shape::Struct { fields, .. } => {
            fields.iter().for_each(|(offset, field)| scalars(field, at + *offset as usize, each));
        }
    }
}
