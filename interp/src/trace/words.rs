//! Names and values of a run as text: instructions in the printer's syntax, pointers with their objects.

use super::steps::At;
use crate::memory::{Memory, Origin};
use crate::observe::FURTHER_BUFFERS;
use crate::text::typed_value;
use crate::value::Val;
use backedge_ir::entity::{Block, FuncId, Inst};
use backedge_ir::inst::Value;
use backedge_ir::module::Module;
use backedge_ir::print::BodyPrinter;
use backedge_ir::types::Type;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// An object in memory, by its addresses.
#[derive(Clone, Debug)]
struct Object {
    base: u64,
    size: u64,
    label: String,
}

/// Converts parts of a run to text.
#[derive(Debug)]
pub(crate) struct Words<'m> {
    pub(crate) module: &'m Module,
    printers: RefCell<FxHashMap<FuncId, Rc<BodyPrinter<'m>>>>,
    /// In order of addresses.
    objects: Vec<Object>,
}

impl<'m> Words<'m> {
    /// Names objects after their creators; `allocas` are the addresses that instructions produced.
    pub(crate) fn new(module: &'m Module, memory: &Memory, allocas: &[(u64, At)]) -> Self {
        let mut words = Self { module, printers: RefCell::default(), objects: Vec::new() };
        let by_address: FxHashMap<u64, &At> = allocas.iter().map(|(addr, at)| (*addr, at)).collect();
        for alloc in memory.allocations() {
            let label = match &alloc.origin {
                Origin::Global(name) | Origin::Function(name) => format!("@{name}"),
                Origin::Buffer(n) if *n >= FURTHER_BUFFERS => {
                    format!("further buffer {}", n - FURTHER_BUFFERS)
                }
                Origin::Buffer(n) => format!("buffer of argument {n}"),
                Origin::Block(n) => format!("block{n}"),
                Origin::External(n) => format!("object {n} of the environment"),
                Origin::Heap(n) => format!("allocation {n}"),
                Origin::Local(_) => match by_address.get(&alloc.base).map(|at| (at, at.inst)) {
                    Some((at, Some(inst))) => {
                        format!("alloca {} of {}", words.operand(at.func, inst.into()), words.func(at.func))
                    }
                    _ => "copy of a byval argument".to_owned(),
                },
            };
            words.objects.push(Object { base: alloc.base, size: alloc.size, label });
        }
        words.objects.sort_by_key(|object| object.base);
        words
    }
    fn printer(&self, func: FuncId) -> Option<Rc<BodyPrinter<'m>>> {
        if let Some(printer) = self.printers.borrow().get(&func) {
            return Some(printer.clone());
        }
        let body = self.module.body(func)?;
        let printer = Rc::new(BodyPrinter::new(&self.module.env, body));
        self.printers.borrow_mut().insert(func, printer.clone());
        Some(printer)
    }
    pub(crate) fn func(&self, func: FuncId) -> String {
        format!("@{}", self.module.env.funcs[func].name)
    }
    pub(crate) fn inst(&self, func: FuncId, inst: Inst) -> String {
        let text = self.printer(func).map_or_else(String::new, |p| p.inst(inst));
        // A `switch` is printed on several lines.
        text.lines().map(str::trim).collect::<Vec<_>>().join(" ")
    }
    pub(crate) fn block(&self, func: FuncId, block: Block) -> String {
        self.printer(func).map_or_else(String::new, |p| p.block(block))
    }
    pub(crate) fn operand(&self, func: FuncId, value: Value) -> String {
        self.printer(func).map_or_else(String::new, |p| p.operand(value))
    }
    /// `iteration 2 of %outer, 5 of %inner`; empty outside of loops.
    pub(crate) fn iterations(&self, at: &At) -> String {
        let parts = at.iterations.iter().map(|(b, n)| format!("{n} of {}", self.block(at.func, *b)));
        let list: Vec<String> = parts.collect();
        if list.is_empty() { String::new() } else { format!("iteration {}", list.join(", ")) }
    }
    /// `%body of @f, iteration 3 of %loop`.
    pub(crate) fn place(&self, at: &At) -> String {
        let place = format!("{} of {}", self.block(at.func, at.block), self.func(at.func));
        match self.iterations(at) {
            none if none.is_empty() => place,
            iterations => format!("{place}, {iterations}"),
        }
    }
    /// A value with its type, pointers with their object: `ptr 0x1010 (buffer of argument 0 + 16)`.
    pub(crate) fn value(&self, ty: Type, value: &Val) -> String {
        match value {
            Val::Ptr(ptr) if ptr.addr != 0 => {
                let text = typed_value(&self.module.env, ty, value);
                match self.object(ptr.addr) {
                    Some(label) => format!("{text} ({label})"),
                    None => text,
                }
            }
            Val::Agg(members) => {
                let ty = |i: usize| self.module.env.types.member(ty, i as u64).unwrap_or(Type::VOID);
                let parts: Vec<String> =
                    members.iter().enumerate().map(|(i, m)| self.value(ty(i), m)).collect();
                format!("{{ {} }}", parts.join(", "))
            }
            Val::Poison | Val::Bits(_) | Val::Ptr(_) | Val::Wide(_) => {
                typed_value(&self.module.env, ty, value)
            }
        }
    }
    /// The object that contains an address (or ends there), with the offset in bytes.
    pub(crate) fn object(&self, addr: u64) -> Option<String> {
        let index = self.objects.partition_point(|o| o.base <= addr).checked_sub(1)?;
        let object = &self.objects[index];
        let offset = addr - object.base;
        match offset {
            0 => Some(object.label.clone()),
            _ if offset <= object.size => Some(format!("{} + {offset}", object.label)),
            _ => None,
        }
    }
}
