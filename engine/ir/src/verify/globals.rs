//! Checks global variables and function headers.

use super::attributes::check_at;
use super::types::Types;
use super::{Check, Finding, FindingKind, metadata};
use crate::body::Local;
use crate::entity::FuncId;
use crate::module::{Code, Env, Linkage, Module};
use crate::types::Type;

/// Checks everything outside functions.
pub(super) fn check(env: &Env, types: &Types<'_>, findings: &mut Vec<Finding>) {
    let mut report = |kind| findings.push(Finding { func: None, block: None, inst: None, kind });
    for kind in super::constants::check_pool(env, types, &env.consts) {
        report(kind);
    }
    for (global, var) in env.vars.iter() {
        if let Some(init) = var.init {
            let found = env.consts.ty(init);
            if found != var.ty {
                let (wanted, found) = (types.name(var.ty), types.name(found));
                report(FindingKind::Initializer { global, wanted, found });
            }
        }
        if !types.is_sized(var.ty) && var.init.is_some() {
            report(FindingKind::UnsizedGlobal { global, found: types.name(var.ty) });
        }
        if let Some(align) = var.align.filter(|a| !a.is_power_of_two() || *a > 1 << 32) {
            report(FindingKind::Alignment { align });
        }
        if var.init.is_none() && !matches!(var.linkage, Linkage::External | Linkage::ExternWeak) {
            report(FindingKind::Linkage(
                "a declaration must be `external` or `extern_weak`: give it a value",
            ));
        }
    }
    metadata::check_env(env, findings);
}

/// Checks that each block whose address is taken is in its function, has the recorded name, and is pinned. Functions
/// kept as text are skipped.
pub(super) fn check_block_addresses(module: &Module, findings: &mut Vec<Finding>) {
    for address in module.env.block_addresses.values() {
        let why = match module.code.get(address.func) {
            Some(Code::Opaque(_)) => continue,
            Some(Code::Declaration) | None => "the function has no code",
            Some(Code::Body(body)) => match body.local(&address.label) {
                Some(Local::Block(block)) if !body.has_block(block) => "the block was removed",
                Some(Local::Block(block)) if body.entry() == Some(block) => "it is the entry block",
                Some(Local::Block(block)) if !body.is_pinned(block) => "the block is not pinned",
                Some(Local::Block(_)) => continue,
                Some(Local::Arg(_) | Local::Inst(_)) | None => "there is no such block",
            },
        };
        let func = module.env.funcs[address.func].name.as_ref().into();
        let kind = FindingKind::BlockAddress { func, label: address.label.as_ref().into(), why };
        findings.push(Finding { func: Some(address.func), block: None, inst: None, kind });
    }
}

/// Checks the header of `func`.
pub(super) fn check_function(
    env: &Env,
    types: &Types<'_>,
    func: FuncId,
    code: Option<&Code>,
    findings: &mut Vec<Finding>,
) {
    let header = &env.funcs[func];
    let mut report = |kind| findings.push(Finding { func: Some(func), block: None, inst: None, kind });
    let Some((ret, params, _)) = types.table.signature(header.ty) else {
        return report(FindingKind::FunctionType(types.name(header.ty)));
    };
    let bad_ret =
        ret != Type::VOID && (!types.is_first_class(ret) || ret == Type::LABEL || ret == Type::METADATA);
    if bad_ret || params.iter().any(|p| !types.is_first_class(*p) || *p == Type::LABEL) {
        report(FindingKind::FunctionType(types.name(header.ty)));
    }
    for kind in check_at(env, types, &header.ret_attrs, ret) {
        report(kind);
    }
    for (attrs, ty) in header.param_attrs.iter().zip(params) {
        for kind in check_at(env, types, attrs, *ty) {
            report(kind);
        }
    }
    let external = matches!(header.linkage, Linkage::External | Linkage::ExternWeak);
    match code {
        Some(Code::Declaration) | None if !external => {
            report(FindingKind::Linkage("a declaration must be `external` or `extern_weak`: give it a body"));
        }
        Some(Code::Body(_) | Code::Opaque(_)) if header.linkage == Linkage::ExternWeak => {
            report(FindingKind::Linkage("`extern_weak` is for declarations: use `weak` for a definition"));
        }
        Some(Code::Body(_) | Code::Opaque(_) | Code::Declaration) | None => {}
    }
}

impl Check<'_, '_> {
    /// The body's arguments must match the function's parameters.
    pub(super) fn parameters(&mut self) {
        let ty = self.env.funcs[self.func].ty;
        let params = self.types.table.signature(ty).map_or(&[][..], |(_, params, _)| params);
        let args = self.body.args().map(|a| self.body.ty(a.into()));
        if !args.eq(params.iter().copied()) {
            self.report(FindingKind::Parameters(self.types.name(ty)));
        }
    }
}
