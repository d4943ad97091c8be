//! Checks that every referenced id exists. All other checks require this.

use super::{Finding, FindingKind};
use crate::body::Body;
use crate::constant::{ConstData, ConstOp, ConstPool, GlobalRef, MetadataConst};
use crate::entity::{Block, Const, EntityId, FuncId, Inst, MdId};
use crate::inst::{InstKind, Value};
use crate::metadata::{MdBody, MdKind, MdOperand, MdRef};
use crate::module::Env;
use crate::types::Type;

struct Ids<'a> {
    env: &'a Env,
    pool: &'a ConstPool,
    func: Option<FuncId>,
    inst: Option<(Block, Inst)>,
    findings: Vec<Finding>,
}

/// Ids that globals, function headers and metadata refer to.
pub(super) fn check_env(env: &Env) -> Vec<Finding> {
    let mut ids = Ids { env, pool: &env.consts, func: None, inst: None, findings: Vec::new() };
    ids.types();
    ids.pool();
    for (_, var) in env.vars.iter() {
        ids.ty(var.ty);
        var.init.into_iter().for_each(|c| ids.constant(c));
        ids.attachments(&var.metadata);
    }
    for (_, alias) in env.aliases.iter() {
        ids.ty(alias.ty);
        alias.target.into_iter().for_each(|c| ids.constant(c));
    }
    for (_, node) in env.metadata.iter() {
        if let Some(MdBody::Tuple(operands)) = &node.body {
            for operand in operands {
                match operand {
                    MdOperand::Node(id) => ids.node(*id),
                    MdOperand::Const(c) => ids.constant(*c),
                    MdOperand::Null | MdOperand::String(_) => {}
                }
            }
        }
    }
    for id in env.metadata.named.iter().flat_map(|(_, nodes)| nodes) {
        ids.node(*id);
    }
    for (func, header) in env.funcs.iter() {
        ids.func = Some(func);
        ids.ty(header.ty);
        ids.attachments(&header.metadata);
    }
    ids.findings
}

/// Ids that a body refers to.
pub(super) fn check_body(env: &Env, func: FuncId, body: &Body) -> Vec<Finding> {
    let mut ids = Ids { env, pool: body.consts(), func: Some(func), inst: None, findings: Vec::new() };
    if env.funcs.get(func).is_none() {
        ids.foreign(&func);
        return ids.findings;
    }
    ids.pool();
    for arg in body.args() {
        ids.ty(body.ty(arg.into()));
    }
    for block in body.blocks() {
        for &inst in body.insts(block) {
            ids.inst = Some((block, inst));
            let data = body.inst(inst);
            ids.ty(data.ty);
            for &operand in &data.operands {
                ids.value(body, operand);
            }
            for &target in &data.blocks {
                if target.index() >= body.block_capacity() {
                    ids.foreign(&target);
                }
            }
            ids.inner_types(&data.kind);
            ids.attachments(&data.metadata);
        }
    }
    ids.findings
}

impl Ids<'_> {
    fn foreign(&mut self, what: &dyn std::fmt::Debug) {
        self.findings.push(Finding {
            func: self.func,
            block: self.inst.map(|(block, _)| block),
            inst: self.inst.map(|(_, inst)| inst),
            kind: FindingKind::ForeignId { what: format!("{what:?}") },
        });
    }
    fn ty(&mut self, ty: Type) {
        if ty.compound_id().is_some_and(|id| id.index() >= self.env.types.len()) {
            self.foreign(&ty);
        }
    }
    fn types(&mut self) {
        use crate::types::Compound;
        for (id, compound) in self.env.types.iter() {
            match compound {
                Compound::Array { elem, .. } | Compound::Vector { elem, .. } => self.ty(*elem),
                Compound::Function { ret, params, .. } => {
                    self.ty(*ret);
                    params.iter().for_each(|p| self.ty(*p));
                }
                Compound::Struct { .. } | Compound::Named { .. } => {
                    let fields = self.env.types.struct_fields(self.env.types.handle(id));
                    fields.map_or(&[][..], |(f, _)| f).iter().for_each(|f| self.ty(*f));
                }
                Compound::Target { .. } => {}
            }
        }
    }
    fn constant(&mut self, c: Const) {
        if c.index() >= self.pool.len() {
            self.foreign(&c);
        }
    }
    fn global(&mut self, global: GlobalRef) {
        let known = match global {
            GlobalRef::Func(id) => self.env.funcs.get(id).is_some(),
            GlobalRef::Var(id) => self.env.vars.get(id).is_some(),
            GlobalRef::Alias(id) => self.env.aliases.get(id).is_some(),
        };
        if !known {
            self.foreign(&global);
        }
    }
    fn node(&mut self, id: MdId) {
        if id.index() >= self.env.metadata.len() {
            self.foreign(&id);
        }
    }
    /// The operands of a constant must be interned before it, so constants can't be cyclic.
    fn pool(&mut self) {
        for (id, constant) in self.pool.iter() {
            self.ty(constant.ty);
            let part = |ids: &mut Self, c: Const| {
                if c >= id {
                    ids.foreign(&c);
                }
            };
            match &constant.data {
                ConstData::Aggregate(elements) => elements.iter().for_each(|c| part(self, *c)),
                ConstData::Splat(c) | ConstData::Metadata(MetadataConst::Const(c)) => part(self, *c),
                ConstData::Expr(expr) => {
                    expr.operands.iter().for_each(|c| part(self, *c));
                    if let ConstOp::Gep { source, .. } = &expr.op {
                        self.ty(*source);
                    }
                }
                ConstData::Global(global) => self.global(*global),
                ConstData::BlockAddress(id) if id.index() >= self.env.block_addresses.len() => {
                    self.foreign(id)
                }
                ConstData::Metadata(MetadataConst::Node(node)) => self.node(*node),
                ConstData::Int(_)
                | ConstData::Float(_)
                | ConstData::Zero
                | ConstData::Undef
                | ConstData::Poison
                | ConstData::BlockAddress(_)
                | ConstData::Bytes(_) => {}
            }
        }
    }
    fn value(&mut self, body: &Body, value: Value) {
        match value {
            Value::Const(c) => self.constant(c),
            Value::Inst(inst) if inst.index() >= body.inst_capacity() => self.foreign(&inst),
            Value::Arg(arg) if arg.index() >= body.args().len() => self.foreign(&arg),
            // The type of an unlinked operand is used, too.
            Value::Inst(inst) => self.ty(body.inst(inst).ty),
            Value::Arg(_) => {}
        }
    }
    fn inner_types(&mut self, kind: &InstKind) {
        if let InstKind::Gep { source: ty, .. } = kind {
            self.ty(*ty);
        } else if let InstKind::Alloca(info) = kind {
            self.ty(info.ty);
        } else if let InstKind::Call(info) | InstKind::Invoke(info) | InstKind::CallBr(info) = kind {
            self.ty(info.fn_ty);
        }
    }
    /// The constants of attachments must belong to the module's pool.
    fn attachments(&mut self, list: &[(MdKind, MdRef)]) {
        for (_, md) in list {
            match md {
                MdRef::Node(id) => self.node(*id),
                MdRef::Const(c) if c.index() >= self.env.consts.len() => self.foreign(c),
                MdRef::Const(_) => {}
            }
        }
    }
}
