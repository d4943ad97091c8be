//! Checks that referenced metadata is defined, and that attachments with modelled semantics are well-formed.

use super::insts::One;
use super::{Finding, FindingKind};
use crate::constant::{ConstData, MetadataConst};
use crate::entity::{EntitySet, MdId};
use crate::inst::{CastOp, InstKind, Value};
use crate::int::Int;
use crate::metadata::{MdBody, MdKind, MdOperand, MdRef};
use crate::module::Env;

/// Checks the nodes that globals, function headers and other nodes refer to.
pub(super) fn check_env(env: &Env, findings: &mut Vec<Finding>) {
    let mut said: EntitySet<MdId> = EntitySet::new();
    let tuples = env.metadata.iter().filter_map(|(_, node)| match &node.body {
        Some(MdBody::Tuple(operands)) => Some(operands),
        Some(MdBody::Text(_) | MdBody::String(_)) | None => None,
    });
    let operands = tuples.flatten().filter_map(|o| match o {
        MdOperand::Node(id) => Some(*id),
        MdOperand::Null | MdOperand::String(_) | MdOperand::Const(_) => None,
    });
    let named = env.metadata.named.iter().flat_map(|(_, nodes)| nodes.iter().copied());
    let vars = env.vars.iter().flat_map(|(_, var)| nodes_of(&var.metadata));
    let funcs = env.funcs.iter().flat_map(|(_, func)| nodes_of(&func.metadata));
    for node in operands.chain(named).chain(vars).chain(funcs) {
        if env.metadata.get(node).body.is_none() && said.insert(node) {
            let kind = FindingKind::UndefinedMetadata { node };
            findings.push(Finding { func: None, block: None, inst: None, kind });
        }
    }
}

fn nodes_of(list: &[(MdKind, MdRef)]) -> impl Iterator<Item = MdId> + '_ {
    list.iter().filter_map(|(_, md)| match md {
        MdRef::Node(id) => Some(*id),
        MdRef::Const(_) => None,
    })
}

impl<'a> One<'_, 'a, '_> {
    pub(super) fn attachments(&mut self) {
        for (kind, md) in &self.data.metadata {
            let MdRef::Node(node) = md else {
                let why = "an attachment refers to a node: put the constant into one";
                self.report(FindingKind::Metadata { kind: kind.clone(), why });
                continue;
            };
            if self.defined(*node)
                && let Some(why) = self.check_attachment(kind, *node)
            {
                self.report(FindingKind::Metadata { kind: kind.clone(), why });
            }
        }
        for operand in &self.data.operands {
            if let Value::Const(c) = operand
                && let ConstData::Metadata(MetadataConst::Node(node)) = self.body().constant(*c).data
            {
                self.defined(node);
            }
        }
    }

    fn defined(&mut self, node: MdId) -> bool {
        let defined = self.check.env.metadata.get(node).body.is_some();
        if !defined {
            self.report(FindingKind::UndefinedMetadata { node });
        }
        defined
    }

    fn check_attachment(&self, kind: &MdKind, node: MdId) -> Option<&'static str> {
        match kind {
            MdKind::Range => self.check_range(node),
            MdKind::Prof => self.check_branch_weights(node),
            MdKind::NonNull => self.check_nonnull(node),
            MdKind::Align => self.check_bytes(node, true),
            MdKind::Dereferenceable | MdKind::DereferenceableOrNull => self.check_bytes(node, false),
            MdKind::Dbg
            | MdKind::DIAssignID
            | MdKind::Tbaa
            | MdKind::TbaaStruct
            | MdKind::FpMath
            | MdKind::InvariantLoad
            | MdKind::InvariantGroup
            | MdKind::AliasScope
            | MdKind::NoAlias
            | MdKind::NonTemporal
            | MdKind::MemParallelLoopAccess
            | MdKind::AccessGroup
            | MdKind::Loop
            | MdKind::NoUndef
            | MdKind::Unpredictable
            | MdKind::MakeImplicit
            | MdKind::Srcloc
            | MdKind::Callees
            | MdKind::Callback
            | MdKind::Annotation
            | MdKind::NoSanitize
            | MdKind::Other(_) => None,
        }
    }

    fn is_load(&self) -> bool {
        matches!(self.data.kind, InstKind::Load(_))
    }

    fn operands(&self, node: MdId) -> &'a [MdOperand] {
        self.check.env.metadata.tuple(node).unwrap_or_default()
    }

    fn int(&self, operand: &MdOperand) -> Option<Int> {
        match operand {
            MdOperand::Const(c) => self.check.env.consts.as_int(*c),
            MdOperand::Null | MdOperand::String(_) | MdOperand::Node(_) => None,
        }
    }

    /// The node must have pairs of bounds of the result's type, ascending and disjoint.
    fn check_range(&self, node: MdId) -> Option<&'static str> {
        if !self.is_load()
            && !matches!(self.data.kind, InstKind::Call(_) | InstKind::Invoke(_) | InstKind::CallBr(_))
        {
            return Some("it is for loads and calls alone");
        }
        let bits = self.types().int_bits(self.data.ty);
        let bounds: Vec<Int> = self.operands(node).iter().map_while(|o| self.int(o)).collect();
        if bounds.is_empty() || !bounds.len().is_multiple_of(2) || bounds.len() != self.operands(node).len() {
            return Some("it is made of pairs of integer constants");
        }
        if bounds.iter().any(|b| Some(b.width()) != bits) {
            return Some("its bounds must have the result's type");
        }
        if bounds.chunks(2).any(|p| p[0] == p[1]) {
            return Some("a range may be neither empty nor full");
        }
        let ascending = bounds.windows(2).step_by(2).zip(bounds.windows(2).skip(2).step_by(2));
        for (this, next) in ascending {
            if next[0].sle(this[0]) || (this[1].sgt(this[0]) && next[0].sle(this[1])) {
                return Some("its ranges must ascend and be apart from each other");
            }
        }
        None
    }

    /// `!{!"branch_weights", …}`: one weight per successor or choice of the instruction.
    fn check_branch_weights(&self, node: MdId) -> Option<&'static str> {
        let is_named =
            |operand: &MdOperand, name: &str| matches!(operand, MdOperand::String(s) if **s == *name);
        let [first, rest @ ..] = self.operands(node) else { return None };
        if !is_named(first, "branch_weights") {
            return None;
        }
        let origin = rest.first().is_some_and(|o| is_named(o, "expected"));
        let weights = rest.len() - usize::from(origin);
        let kind = &self.data.kind;
        let fits = if matches!(kind, InstKind::Select(_)) {
            weights == 2
        } else if matches!(kind, InstKind::Call(_)) {
            weights == 1
        } else if matches!(kind, InstKind::Invoke(_)) {
            weights == 1 || weights == 2
        } else {
            !kind.is_terminator() || weights == self.data.blocks.len()
        };
        (!fits).then_some("there must be a weight for each way that the instruction may go")
    }

    fn check_nonnull(&self, node: MdId) -> Option<&'static str> {
        if !self.is_load() || !self.data.ty.is_ptr() {
            return Some("it is for loads of pointers alone");
        }
        (!self.operands(node).is_empty()).then_some("its node must be empty")
    }

    fn check_bytes(&self, node: MdId, align: bool) -> Option<&'static str> {
        let cast = matches!(self.data.kind, InstKind::Cast(CastOp::IntToPtr, _)) && !align;
        if !(self.is_load() || cast) || !self.data.ty.is_ptr() {
            return Some("it is for loads of pointers alone");
        }
        let [operand] = self.operands(node) else { return Some("its node must have one operand") };
        match self.int(operand) {
            Some(n) if n.width() == 64 && (!align || n.is_power_of_two()) => None,
            Some(_) | None => Some("it takes an `i64` constant, for `!align` a power of two"),
        }
    }
}
