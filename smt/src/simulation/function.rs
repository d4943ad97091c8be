//! What the execution needs to know about a function before it starts: types as text, allocas, live values, and the
//! calls with what they promise.

use super::term::{Terms, Ty};
use crate::encode::function::live_in;
use crate::promises::attributes::spelled;
use crate::refinement::FunctionRef;
use backedge_ir::attr::{AttrList, FlagAttr, MemoryEffects, ModRef};
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, EntityId, EntitySet, FuncId, Inst, SecondaryMap};
use backedge_ir::inst::{CallView, InstData, InstKind, Value};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::meaning::attribute::{AttrKind, AttrPosition, Carrier, Slot};
use backedge_ir::meaning::metadata::Carrier as MetadataCarrier;
use backedge_ir::meaning::{Meaning, metadata};
use backedge_ir::metadata::{MdKind, MdOperand, MdRef};
use backedge_ir::module::Env;
use backedge_ir::opcode::TailKind;
use backedge_ir::print::inst_to_string;
use backedge_ir::types::{Compound, Type, TypeKind};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::rc::Rc;

/// Why no simulation is found, in words.
pub(super) type Why = String;

/// An alloca of the entry block with a constant size.
#[derive(Clone, Debug)]
pub(super) struct Local {
    pub(super) inst: Inst,
    /// The type and the number of elements as text.
    pub(super) shape: String,
    pub(super) bytes: u64,
    pub(super) align: u64,
    /// Whether code other than loads, stores, fills and copies may learn the address.
    pub(super) escapes: bool,
    /// Whether the code begins the lifetime, so that the alloca is not alive at the entry.
    pub(super) begins: bool,
    /// Whether the code begins or ends the lifetime.
    pub(super) marked: bool,
    /// The number that both functions use.
    pub(super) number: u32,
}

/// How code uses an alloca.
#[derive(Default)]
struct Uses {
    escapes: bool,
    begins: bool,
    ends: bool,
}

/// What a call says about its callee, its arguments and its result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Said {
    /// What both sides must say alike.
    pub(super) signature: Rc<str>,
    /// What the source may say in addition.
    pub(super) promises: BTreeSet<String>,
    /// The memory that the call may access.
    pub(super) memory: MemoryEffects,
    /// The call returns and does not unwind.
    pub(super) returns: bool,
    /// The call may free memory.
    pub(super) frees: bool,
    /// The call has no undefined behavior of its own.
    pub(super) speculatable: bool,
    /// The argument that the result is equal to.
    pub(super) returned: Option<usize>,
    /// The result is neither undef nor poison.
    pub(super) result_is_defined: bool,
}

impl Said {
    /// An event that may do anything, and that both sides must have alike.
    pub(super) fn event(signature: &str, result_is_defined: bool) -> Self {
        Self {
            signature: signature.into(),
            promises: BTreeSet::new(),
            memory: MemoryEffects::all(ModRef::READ_WRITE),
            returns: false,
            frees: true,
            speculatable: false,
            returned: None,
            result_is_defined,
        }
    }
    /// What is said about the arguments and the result.
    pub(super) fn value_statements(&self) -> Vec<&str> {
        let is_of_value = |text: &&str| {
            text.starts_with(['!', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
                || text.starts_with("result ")
        };
        self.promises.iter().map(|text| &**text).filter(is_of_value).collect()
    }
}

/// A function with its tables.
pub(super) struct View<'m> {
    pub(super) function: FunctionRef<'m>,
    pub(super) body: &'m Body,
    pub(super) env: &'m Env,
    pub(super) locals: Vec<Local>,
    live: SecondaryMap<Block, EntitySet<Inst>>,
}

impl<'m> View<'m> {
    pub(super) fn new(function: FunctionRef<'m>) -> Result<Self, Why> {
        let body = function.module.body(function.func).ok_or("a function without a body")?;
        let env = &function.module.env;
        let of_values = body.all_insts().filter_map(|inst| env.types.scalar(body.inst(inst).ty).ptr_space());
        let of_globals = env.vars.values().map(|var| var.addrspace);
        if of_values.chain(of_globals).chain([0]).any(|space| env.layout.index_bits(space) != 64) {
            return Err("addresses of other than 64 bits".to_owned());
        }
        let mut view = Self { function, body, env, locals: Vec::new(), live: live_in(body) };
        let entry = body.entry().ok_or("a function without blocks")?;
        for inst in body.all_insts() {
            if let InstKind::Alloca(_) = &body.inst(inst).kind {
                let local = view.local(inst, entry)?;
                view.locals.push(local);
            }
        }
        Ok(view)
    }
    fn local(&self, inst: Inst, entry: Block) -> Result<Local, Why> {
        let data = self.body.inst(inst);
        let InstKind::Alloca(info) = &data.kind else { unreachable!("the caller looks for allocas") };
        let count = match data.operands.first() {
            None => Some(1),
            Some(count) => self.body.as_int(*count).and_then(backedge_ir::int::Int::to_u64),
        };
        let bytes = self.env.layout.alloc_bytes(&self.env.types, info.ty);
        let size = count.zip(bytes).and_then(|(count, bytes)| count.checked_mul(bytes));
        let known =
            size.filter(|_| self.body.block_of(inst) == Some(entry) && !info.inalloca && !info.swifterror);
        let (Some(bytes), Some(0)) = (known, data.ty.ptr_space()) else {
            return Err("an alloca whose size or place is not constant".to_owned());
        };
        let abi = self.env.layout.preferred_align(&self.env.types, info.ty);
        let uses = self.uses_of(inst);
        Ok(Local {
            inst,
            shape: format!("{} x {}", count.unwrap_or(1), self.shape(info.ty)),
            bytes,
            align: info.align.or(abi).unwrap_or(1),
            escapes: uses.escapes,
            begins: uses.begins,
            marked: uses.begins || uses.ends,
            number: 0,
        })
    }
    fn uses_of(&self, pointer: Inst) -> Uses {
        let mut found = Uses::default();
        let mut work = vec![pointer];
        while let Some(pointer) = work.pop() {
            for use_ in self.body.uses(pointer.into()) {
                let data = self.body.inst(use_.user);
                match &data.kind {
                    InstKind::Load(access) if !access.volatile && access.ordering.is_none() => {}
                    InstKind::Store(access)
                        if use_.index == 1 && !access.volatile && access.ordering.is_none() => {}
                    InstKind::Gep { .. } if use_.index == 0 && data.ty.is_ptr() => work.push(use_.user),
                    InstKind::DebugRecord(_) => {}
                    InstKind::Call(_) => match self.intrinsic(data) {
                        Some(Intrinsic::LifetimeStart) => found.begins = true,
                        Some(Intrinsic::LifetimeEnd) => found.ends = true,
                        Some(which) if which.is_debug() => {}
                        Some(Intrinsic::Memcpy | Intrinsic::Memmove | Intrinsic::Memset) => {}
                        _ => found.escapes = true,
                    },
                    _ => found.escapes = true,
                }
            }
        }
        found
    }
    /// The intrinsic that a call names.
    pub(super) fn intrinsic(&self, data: &InstData) -> Option<Intrinsic> {
        self.env.funcs[self.callee(data)?].intrinsic
    }
    /// The function that a call names.
    pub(super) fn callee(&self, data: &InstData) -> Option<FuncId> {
        self.body.called_function(data.call()?.callee())
    }

    /// The structure of a type, with the fields of identified structs.
    pub(super) fn shape(&self, ty: Type) -> String {
        let mut out = String::new();
        self.write_shape(ty, &mut out);
        out
    }
    fn write_shape(&self, ty: Type, out: &mut String) {
        let types = &self.env.types;
        match types.compound(ty) {
            None => write!(out, "{ty:?}"),
            Some(Compound::Array { len, elem }) => write!(out, "[{len} x ").and_then(|()| {
                self.write_shape(*elem, out);
                write!(out, "]")
            }),
            Some(Compound::Vector { len, elem, scalable }) => {
                write!(out, "<{}{len} x ", if *scalable { "vscale x " } else { "" }).and_then(|()| {
                    self.write_shape(*elem, out);
                    write!(out, ">")
                })
            }
            Some(Compound::Struct { .. } | Compound::Named { .. }) => match types.struct_fields(ty) {
                None => write!(out, "%{}", types.compound(ty).map_or(String::new(), |c| format!("{c:?}"))),
                Some((fields, packed)) => {
                    out.push_str(if packed { "<{" } else { "{" });
                    for field in fields {
                        self.write_shape(*field, out);
                        out.push(',');
                    }
                    write!(out, "}}")
                }
            },
            Some(Compound::Function { ret, params, vararg }) => {
                self.write_shape(*ret, out);
                out.push('(');
                for param in params {
                    self.write_shape(*param, out);
                    out.push(',');
                }
                write!(out, "{})", if *vararg { "..." } else { "" })
            }
            Some(Compound::Target { text }) => write!(out, "target({text})"),
        }
        .expect("a string takes all text");
    }
    /// The type in the graph.
    pub(super) fn ty(&self, terms: &mut Terms, ty: Type) -> Ty {
        match ty.kind() {
            TypeKind::Int(bits) => terms.int_ty(bits),
            _ => terms.ty(&self.shape(ty), None),
        }
    }
    /// The number of bytes that a store of this type writes.
    pub(super) fn store_bytes(&self, ty: Type) -> Result<u64, Why> {
        let bytes = self.env.layout.store_bytes(&self.env.types, ty);
        bytes.ok_or_else(|| "an access of a type without a fixed size".to_owned())
    }
    /// The alignment of an access.
    pub(super) fn align(&self, align: Option<u64>, ty: Type) -> u64 {
        align.or_else(|| self.env.layout.abi_align(&self.env.types, ty)).unwrap_or(1)
    }

    /// Whether the value is needed from instruction `at` of `block` on.
    pub(super) fn needed(&self, block: Block, at: usize) -> EntitySet<Inst> {
        let mut found = EntitySet::new();
        for &next in self.body.successors(block) {
            found.extend(self.live[next].iter());
            for phi in self.body.phis(next) {
                found.extend(self.body.incoming_from(phi, block).and_then(Value::as_inst));
            }
        }
        for &inst in self.body.insts(block)[at..].iter().rev() {
            found.remove(inst);
            found.extend(self.body.inst(inst).operands.iter().filter_map(|o| o.as_inst()));
        }
        found
    }

    /// What a call says; refuses what the simulation does not model.
    pub(super) fn said(&self, data: &InstData, view: CallView<'_>) -> Result<Said, Why> {
        if let Some(bundle) = view.info.bundles.first() {
            return Err(format!("the operand bundle `{}`", bundle.tag));
        }
        if matches!(data.metadata_of(&MdKind::FpMath), Some(MdRef::Node(_))) {
            return Err("`!fpmath` at a call".to_owned());
        }
        let func = self.body.called_function(view.callee());
        let header = func.map(|func| &self.env.funcs[func]);
        if header.is_some_and(|header| header.ty != view.info.fn_ty) {
            return Err("a call with another type than its callee's".to_owned());
        }
        let none = AttrList::default();
        let mut said = Texts { env: self.env, agreed: BTreeSet::new(), promises: BTreeSet::new() };
        said.add(&view.info.fn_attrs, Slot::Function, Carrier::Call, "");
        said.add(&view.info.ret_attrs, Slot::Result, Carrier::Call, "result ");
        let mut replaced = false;
        for (i, list) in view.info.arg_attrs.iter().enumerate() {
            let of_callee = header.and_then(|header| header.param_attrs.get(i)).unwrap_or(&none);
            for list in [list, of_callee] {
                said.add(list, Slot::Parameter, Carrier::Call, &format!("{i} "));
                replaced |= self.env.attrs(list).any(backedge_ir::attr::Attr::replaces_memory);
            }
        }
        if replaced {
            return Err("an argument that is passed in other memory".to_owned());
        }
        if let Some(header) = header {
            said.add(&header.attrs, Slot::Function, Carrier::Call, "");
            said.add(&header.ret_attrs, Slot::Result, Carrier::Call, "result ");
        }
        if view.info.tail == TailKind::Tail {
            said.promises.insert("tail".to_owned());
        }
        for (kind, _) in &data.metadata {
            if matches!(kind, MdKind::Callees)
                || !is_of_values(kind)
                    && !is_of_pair(kind)
                    && metadata::meaning(kind, MetadataCarrier::Call) != Meaning::Nothing
            {
                return Err(format!("`!{}` at a call", kind.name()));
            }
        }
        let (statements, is_defined) = self.statements(data);
        said.promises.extend(statements.iter().map(|text| format!("!{text}")));
        said.promises.extend(is_defined.then(|| "!noundef".to_owned()));
        let (effects, returned) = (self.effects(header.map(|h| &h.attrs), view), self.returned(func, view));
        let has = |flag| {
            let of_callee = header.map(|h| &h.attrs);
            [Some(&view.info.fn_attrs), of_callee].into_iter().flatten().any(|l| self.env.has_attr(l, flag))
        };
        let result_lists = [Some(&view.info.ret_attrs), header.map(|h| &h.ret_attrs)];
        // LangRef: metadata and flags apply after attributes, so the attribute `noundef` does not exclude poison then.
        let by_attribute = result_lists.into_iter().flatten().any(|l| self.env.demands_defined(l));
        let result_is_defined =
            view.info.fast.is_empty() && (is_defined || by_attribute && statements.is_empty());
        let name = header.map_or("a pointer", |header| &header.name);
        let signature = format!(
            "{name} {} {} {:?} {:?} {:?}",
            self.shape(view.info.fn_ty),
            view.info.cc,
            view.info.addrspace,
            view.info.fast,
            said.agreed
        );
        Ok(Said {
            signature: signature.into(),
            promises: said.promises,
            memory: effects,
            returns: has(FlagAttr::WillReturn) && has(FlagAttr::NoUnwind) && !has(FlagAttr::NoReturn),
            frees: !(has(FlagAttr::NoFree) && has(FlagAttr::NoSync)),
            speculatable: has(FlagAttr::Speculatable),
            returned,
            result_is_defined,
        })
    }
    fn effects(&self, of_callee: Option<&AttrList>, view: CallView<'_>) -> MemoryEffects {
        let lists = [Some(&view.info.fn_attrs), of_callee];
        let all = lists.into_iter().flatten().filter_map(|list| self.env.memory_effects(list));
        all.reduce(MemoryEffects::intersect).unwrap_or(MemoryEffects::all(ModRef::READ_WRITE))
    }
    /// The argument that the call returns. A function with a body may violate its own promise.
    fn returned(&self, func: Option<FuncId>, view: CallView<'_>) -> Option<usize> {
        let func = func.filter(|func| self.function.module.body(*func).is_none())?;
        let of_callee = &self.env.funcs[func].param_attrs;
        let none = AttrList::default();
        let fn_ret = self.env.types.signature(view.info.fn_ty)?.0;
        (0..view.info.arg_count()).find(|i| {
            let lists = [&view.info.arg_attrs[*i], of_callee.get(*i).unwrap_or(&none)];
            lists.into_iter().any(|l| self.env.has_attr(l, FlagAttr::Returned))
                && self.body.ty(view.args()[*i]) == fn_ret
        })
    }
    /// What a call of an intrinsic states about its arguments and its result, by argument.
    pub(super) fn constraints(&self, data: &InstData, view: CallView<'_>) -> Vec<String> {
        let header = self.body.called_function(view.callee()).map(|func| &self.env.funcs[func]);
        let none = AttrList::default();
        let mut lists = vec![("result".to_owned(), &view.info.ret_attrs)];
        lists.extend(header.map(|header| ("result".to_owned(), &header.ret_attrs)));
        for (i, list) in view.info.arg_attrs.iter().enumerate() {
            let of_callee = header.and_then(|header| header.param_attrs.get(i)).unwrap_or(&none);
            lists.extend([(i.to_string(), list), (i.to_string(), of_callee)]);
        }
        let mut found: Vec<String> = Vec::new();
        for (place, list) in lists {
            for attr in self.env.attrs(list) {
                if AttrKind::of(attr).constrains_values() || self.env.pointee_bytes(attr) > 0 {
                    found.push(format!("{place} {}", spelled(self.env, attr)));
                }
            }
        }
        let (statements, is_defined) = self.statements(data);
        found.extend(statements.iter().map(|text| format!("!{text}")));
        found.extend(is_defined.then(|| "!noundef".to_owned()));
        found.sort_unstable();
        found.dedup();
        found
    }
    /// The statements about the value that an instruction loads, and whether a violation is undefined behavior.
    pub(super) fn statements(&self, data: &InstData) -> (Vec<Box<str>>, bool) {
        let mut found: Vec<Box<str>> = Vec::new();
        let mut is_defined = false;
        for (kind, node) in &data.metadata {
            match kind {
                MdKind::NoUndef => is_defined = true,
                MdKind::Dereferenceable | MdKind::DereferenceableOrNull => {
                    is_defined = true;
                    found.push(format!("{} {}", kind.name(), self.node_text(*node)).into());
                }
                MdKind::Range | MdKind::NonNull | MdKind::Align => {
                    found.push(format!("{} {}", kind.name(), self.node_text(*node)).into());
                }
                MdKind::Other(name) if &**name == "nofpclass" => {
                    found.push(format!("{name} {}", self.node_text(*node)).into());
                }
                _ => {}
            }
        }
        found.sort_unstable();
        (found, is_defined)
    }
    /// The numbers in a metadata node that is a statement about a value.
    fn node_text(&self, node: MdRef) -> String {
        let constant = |c| format!("{:?} ", self.env.consts.get(c).data);
        match node {
            MdRef::Const(c) => constant(c),
            MdRef::Node(id) => {
                let operands = self.env.metadata.tuple(id).unwrap_or_default();
                let numbers = operands.iter().filter_map(|operand| match operand {
                    MdOperand::Const(c) => Some(constant(*c)),
                    MdOperand::Null | MdOperand::String(_) | MdOperand::Node(_) => None,
                });
                numbers.collect()
            }
        }
    }
    /// The first line of an instruction's text.
    pub(super) fn words_of(&self, inst: Inst) -> String {
        let text = inst_to_string(self.env, self.body, inst);
        text.trim().lines().next().unwrap_or_default().to_owned()
    }
    /// The label of a block.
    pub(super) fn label(&self, block: Block) -> String {
        self.body.slots().block_label(self.body, block)
    }
    /// The entry block.
    pub(super) fn entry(&self) -> Block {
        self.body.entry().unwrap_or_else(|| Block::from_index(0))
    }
}

/// Whether metadata of this kind states something about a value.
fn is_of_values(kind: &MdKind) -> bool {
    match kind {
        MdKind::NoUndef
        | MdKind::Dereferenceable
        | MdKind::DereferenceableOrNull
        | MdKind::Range
        | MdKind::NonNull
        | MdKind::Align => true,
        MdKind::Other(name) => &**name == "nofpclass",
        _ => false,
    }
}

/// Whether [`crate::promises::beyond`] compares metadata of this kind.
fn is_of_pair(kind: &MdKind) -> bool {
    matches!(
        kind,
        MdKind::Tbaa
            | MdKind::TbaaStruct
            | MdKind::InvariantLoad
            | MdKind::InvariantGroup
            | MdKind::AliasScope
            | MdKind::NoAlias
            | MdKind::MemParallelLoopAccess
            | MdKind::AccessGroup
    )
}

/// The texts of attributes at a call.
struct Texts<'m> {
    env: &'m Env,
    agreed: BTreeSet<String>,
    promises: BTreeSet<String>,
}

impl Texts<'_> {
    fn add(&mut self, list: &AttrList, slot: Slot, carrier: Carrier, prefix: &str) {
        for attr in self.env.attrs(list) {
            let text = format!("{prefix}{}", spelled(self.env, attr));
            match AttrKind::of(attr).meaning(AttrPosition { carrier, slot }) {
                Meaning::Nothing | Meaning::Misplaced => {}
                Meaning::Agreed | Meaning::Unknown => {
                    self.agreed.insert(text);
                }
                Meaning::PoisonIfViolated
                | Meaning::UbIfViolated
                | Meaning::Permission
                | Meaning::Promise => {
                    self.promises.insert(text);
                }
            }
        }
    }
}
