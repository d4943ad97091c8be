//! Prepares a module for execution: lays out globals and compiles functions to dense form on first use.

mod builder;
pub(crate) mod call;
pub(crate) mod class;
mod constrained;
mod consts;
pub(crate) mod denormal;
mod exposure;
mod flushing;
mod inst;
mod jump;
pub(crate) mod op;
mod progress;
pub(crate) mod quick;
pub(crate) mod reg;
mod shorten;
mod signature;

use crate::memory::{Memory, Origin, Request};
use crate::outcome::Feature;
use crate::value::{Pointer, Val};
use crate::{Config, layout::Shape};
use backedge_ir::constant::ConstData;
use backedge_ir::entity::{EntityId, FuncId, GlobalId};
use backedge_ir::module::{Code as IrCode, Module};
use backedge_ir::types::{Compound, Type};
use consts::{Addresses, Consts};
use op::{Code, Signature};
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// A module ready to run. It can be shared between threads.
#[derive(Debug)]
pub struct Program<'m> {
    pub(crate) module: &'m Module,
    pub(crate) memory: Memory,
    pub(crate) addresses: Addresses,
    /// Addresses and sizes of the globals.
    places: FxHashMap<Origin, (u64, u64)>,
    /// An unsupported feature of a global; the first function that runs reports it.
    pub(crate) broken_global: Option<Feature>,
    codes: Vec<OnceLock<Result<Code, Feature>>>,
    signatures: Vec<OnceLock<Result<Signature, Feature>>>,
}

impl<'m> Program<'m> {
    /// Lays out the globals of `module`. Runs nothing and compiles no function yet.
    pub fn new(module: &'m Module, config: &Config) -> Self {
        Self::beside(module, config, None)
    }
    /// Creates programs whose runs can be compared: objects that both modules have, and inputs, have the same
    /// addresses in both.
    pub fn pair(modules: [&'m Module; 2], config: &Config) -> [Self; 2] {
        let mut first = Self::new(modules[0], config);
        if std::ptr::eq(modules[0], modules[1]) {
            return [first, Self::new(modules[1], config)];
        }
        let mut second = Self::beside(modules[1], config, Some(&first));
        let end = first.memory.end().max(second.memory.end());
        first.memory.skip_to(end);
        second.memory.skip_to(end);
        [first, second]
    }
    fn beside(module: &'m Module, config: &Config, other: Option<&Self>) -> Self {
        let layout = &module.env.layout;
        let mut program = Self {
            module,
            memory: Memory::new(config.max_bytes, layout.big_endian, config.uninit_poison),
            addresses: Addresses::default(),
            places: FxHashMap::default(),
            broken_global: None,
            codes: (0..module.env.funcs.len()).map(|_| OnceLock::new()).collect(),
            signatures: (0..module.env.funcs.len()).map(|_| OnceLock::new()).collect(),
        };
        program.memory.pointer_bits = layout.pointer(0).bits.min(64);
        if let Err(feature) = program.lay_out(other, config.declared_sizes) {
            program.broken_global = Some(feature);
        }
        program
    }
    /// The module.
    pub fn module(&self) -> &'m Module {
        self.module
    }
    fn lay_out(&mut self, other: Option<&Self>, declared_sizes: bool) -> Result<(), Feature> {
        self.memory.skip_to(other.map_or(0, |o| o.memory.end()));
        let env = &self.module.env;
        let pointer_bits = |space| env.layout.pointer(space).bits.min(64);
        for (id, func) in env.funcs.iter() {
            let origin = Origin::Function(func.name.clone());
            let pointer_bits = pointer_bits(func.addrspace);
            let code = Request { origin, size: 1, align: 16, writable: false, pointer_bits };
            let pointer = self.place_global(code, other)?;
            self.addresses.funcs[id] = Some(pointer);
        }
        for (id, block) in env.block_addresses.iter() {
            let func = &env.funcs[block.func];
            // The other program's block with that label has the same address, so that code observing addresses cannot
            // distinguish them.
            let origin = Origin::Function(format!("{}, block %{}", func.name, block.label).into());
            let pointer_bits = pointer_bits(func.addrspace);
            let code = Request { origin, size: 1, align: 1, writable: false, pointer_bits };
            let pointer = self.place_global(code, other)?;
            self.addresses.blocks[id] = Some(Pointer { prov: crate::value::Prov::NONE, ..pointer });
        }
        let exposed = exposure::exposed(self.module);
        for (id, var) in env.vars.iter() {
            let size = env.layout.alloc_bytes(&env.types, var.ty).unwrap_or(0);
            let align = var.align.or_else(|| env.layout.abi_align(&env.types, var.ty)).unwrap_or(1);
            let (origin, writable) = (Origin::Global(var.name.clone()), !var.is_constant);
            let pointer_bits = pointer_bits(var.addrspace);
            let object = Request { origin, size, align, writable, pointer_bits };
            let pointer = self.place_global(object, other)?;
            let index = self.memory.allocations().len() - 1;
            let alloc = self.memory.allocation_mut(index);
            alloc.exposed = exposed.contains(&id);
            alloc.escaped = alloc.exposed || !var.linkage.is_local();
            alloc.open_ended = !declared_sizes && !var.is_definitive();
            alloc.contents = crate::memory::Contents::zeroed(alloc.contents.len());
            self.addresses.vars[id] = Some(pointer);
        }
        for id in env.vars.keys() {
            self.initialise(id)?;
        }
        for index in 0..self.memory.allocations().len() {
            self.memory.allocation_mut(index).snapshot();
        }
        self.memory.writes = 0;
        Ok(())
    }
    /// Allocates a global object, at the same address as that of the same name in the other program, if possible.
    fn place_global(&mut self, request: Request, other: Option<&Self>) -> Result<Pointer, Feature> {
        let (origin, size, align) = (request.origin.clone(), request.size, request.align);
        let fits = |base: u64, there: u64| there == size && base.is_multiple_of(align.max(1));
        let twin = other.and_then(|o| o.places.get(&origin)).filter(|(base, there)| fits(*base, *there));
        let at = twin.map(|(base, _)| *base);
        let pointer = self.memory.allocate_at(request, at);
        if let Ok(pointer) = &pointer {
            self.places.entry(origin).or_insert((pointer.addr, size));
        }
        pointer.map_err(|_| Feature::Other("globals that do not fit into memory"))
    }
    fn initialise(&mut self, id: GlobalId) -> Result<(), Feature> {
        let env = &self.module.env;
        let var = &env.vars[id];
        let (Some(init), Some(pointer)) = (var.init, self.addresses.vars[id]) else { return Ok(()) };
        if env.consts.get(init).data == ConstData::Zero {
            return Ok(());
        }
        let shape = memory_shape(env, var.ty)?;
        let consts = Consts { env, pool: &env.consts, addresses: &self.addresses, memory: &self.memory };
        let value = consts.value(init)?;
        let big_endian = self.memory.big_endian;
        if let Some(index) = self.memory.object_of(pointer) {
            // An initializer gives no values to padding, neither between its parts nor after the last one.
            let bytes = self.memory.allocation(index).contents.len();
            if shape.has_padding() || shape.store_bytes() < bytes as u64 {
                self.memory.uninitialise_range(index, 0, bytes);
            }
            self.memory.allocation_mut(index).contents_mut().write(0, &shape, &value, big_endian);
        }
        Ok(())
    }
    /// The dense form of `func`, compiled on first use.
    pub(crate) fn code(&self, func: FuncId) -> Result<&Code, Feature> {
        let cell = self.codes.get(func.index()).ok_or(Feature::Other("a function of another module"))?;
        cell.get_or_init(|| match &self.module.code[func] {
            IrCode::Body(body) => builder::compile(self, func, body),
            IrCode::Declaration => Err(Feature::Other("a function without a body")),
            IrCode::Opaque(opaque) => Err(Feature::Opaque(opaque.feature.to_string())),
        })
        .as_ref()
        .map_err(Feature::clone)
    }
    /// The facts about `func` that callers need.
    pub(crate) fn signature(&self, func: FuncId) -> Result<&Signature, Feature> {
        let cell = self.signatures.get(func.index()).ok_or(Feature::Other("a function of another module"))?;
        cell.get_or_init(|| signature::of(self.module, func)).as_ref().map_err(Feature::clone)
    }
    /// Whether `func` has code to run; otherwise the environment answers calls.
    pub(crate) fn is_defined(&self, func: FuncId) -> bool {
        !matches!(self.module.code[func], IrCode::Declaration)
    }
    /// The function at an address.
    pub(crate) fn function_at(&self, pointer: Pointer) -> Option<FuncId> {
        let found = self
            .module
            .env
            .funcs
            .keys()
            .find(|f| self.addresses.funcs[*f].is_some_and(|p| p.addr == pointer.addr));
        found.filter(|_| pointer.prov != crate::value::Prov::NONE)
    }
    /// The value of a constant of the function's pool.
    pub(crate) fn constant(
        &self,
        body: &backedge_ir::body::Body,
        id: backedge_ir::entity::Const,
    ) -> Result<Val, Feature> {
        self.constant_of(body.consts(), id)
    }
    /// The value of a constant of `pool`.
    pub(crate) fn constant_of(
        &self,
        pool: &backedge_ir::constant::ConstPool,
        id: backedge_ir::entity::Const,
    ) -> Result<Val, Feature> {
        let env = &self.module.env;
        Consts { env, pool, addresses: &self.addresses, memory: &self.memory }.value(id)
    }
}

/// The shape of an object in memory. Arrays may be larger than values may be.
fn memory_shape(env: &backedge_ir::module::Env, ty: Type) -> Result<Shape, Feature> {
    match env.types.compound(ty) {
        Some(Compound::Array { len, elem }) => {
            let stride =
                env.layout.alloc_bytes(&env.types, *elem).ok_or(Feature::Other("a type without a size"))?;
            Ok(Shape::Array { len: *len, stride, elem: std::sync::Arc::new(Shape::of(env, *elem)?) })
        }
        _ => Shape::of(env, ty),
    }
}
