//! The verifier: reports all errors in a module or body, and never changes it.
//!
//! It runs in three steps and collects all findings of a step:
//! 1. Ids: referenced types, constants, globals and metadata exist, and no struct contains itself. If this fails, the
//!    later steps can't run.
//! 2. Tables: use lists, names and the positions of instructions are consistent ([`structure`]).
//! 3. Rules of the language: LangRef and the checks of LLVM's own verifier.
//!
//! It accepts any body that the editor can create, however wrong, without panicking. Cost: linear in the module, except
//! for sorting phi entries.
//!
//! Not checked: debug info; attributes without modelled semantics; funclets and other constructs that the parser does
//! not model.

mod aliases;
mod attributes;
mod calls;
mod casts;
mod constants;
mod exceptions;
mod flow;
mod globals;
mod ids;
mod insts;
mod intrinsics;
mod kind;
mod memory;
mod metadata;
mod signatures;
mod structure;
mod types;
mod vectors;

pub use kind::{AtomicFault, AttrFault, ExceptionFault, FindingKind, NameFault, TypeName, Wanted};

use crate::body::Body;
use crate::entity::{Block, FuncId, Inst};
use crate::module::{Code, Env, Module};
use crate::print::BodyPrinter;
use types::Types;

/// The maximum number of characters of an instruction that a finding shows: aggregates and switches can be long.
const MAX_RENDERED: usize = 400;

/// An error and its position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The function; `None` for entities outside functions.
    pub func: Option<FuncId>,
    /// The block, if the finding is about a block or an instruction in one.
    pub block: Option<Block>,
    /// The instruction, if the finding is about one.
    pub inst: Option<Inst>,
    /// The error.
    pub kind: FindingKind,
}

impl Finding {
    /// The finding as a human-readable line: function, block, instruction and error.
    pub fn render(&self, module: &Module) -> String {
        let mut line = String::new();
        if let Some(func) = self.func.and_then(|f| module.env.funcs.get(f)) {
            line.push('@');
            crate::print::write_global_name(&mut line, &func.name);
        }
        // A body with foreign ids can't be printed.
        let printable = !matches!(self.kind, FindingKind::ForeignId { .. });
        if let Some(body) = self.func.and_then(|f| module.body(f)).filter(|_| printable) {
            let printer = BodyPrinter::new(&module.env, body);
            if let Some(block) = self.block {
                line.push_str(", block ");
                line.push_str(&printer.block(block));
            }
            if let Some(inst) = self.inst {
                line.push_str(", `");
                let text = printer.inst(inst);
                match text.char_indices().nth(MAX_RENDERED) {
                    Some((end, _)) => {
                        line.push_str(&text[..end]);
                        line.push('…');
                    }
                    None => line.push_str(&text),
                }
                line.push('`');
            }
        }
        if !line.is_empty() {
            line.push_str(": ");
        }
        line.push_str(&self.what(module));
        line
    }

    /// The error message, with blocks and variables by name.
    pub fn what(&self, module: &Module) -> String {
        let text = self.kind.to_string();
        if let FindingKind::Initializer { global, .. } | FindingKind::UnsizedGlobal { global, .. } = self.kind
        {
            let Some(var) = module.env.vars.get(global) else { return text };
            let mut name = String::from("@");
            crate::print::write_global_name(&mut name, &var.name);
            return text.replacen(&format!("{global:?}"), &name, 1);
        }
        let (FindingKind::PhiEntries { pred: block, .. }
        | FindingKind::PhiConflict { pred: block }
        | FindingKind::EntryHasPredecessor { pred: block }) = self.kind
        else {
            return text;
        };
        match self.func.and_then(|func| module.body(func)).filter(|body| body.has_block(block)) {
            Some(body) => {
                let name = BodyPrinter::new(&module.env, body).block(block);
                text.replace(&format!("{block:?}"), &name)
            }
            None => text,
        }
    }
}

/// All errors in `module`.
pub fn verify_module(module: &Module) -> Vec<Finding> {
    let mut findings = ids::check_env(&module.env);
    for (func, body) in module.bodies() {
        findings.extend(ids::check_body(&module.env, func, body));
    }
    if !findings.is_empty() {
        return findings;
    }
    let types = Types::new(&module.env.types);
    if recursive(&types, &mut findings) {
        return findings;
    }
    globals::check(&module.env, &types, &mut findings);
    aliases::check(&module.env, &mut findings);
    globals::check_block_addresses(module, &mut findings);
    for (func, header) in module.env.funcs.iter() {
        globals::check_function(&module.env, &types, func, module.code.get(func), &mut findings);
        let wrong = intrinsics::check_declaration(&types, func, header);
        findings.extend(wrong.into_iter().filter(|_| is_named(module, func)));
        if let Some(Code::Body(body)) = module.code.get(func) {
            check_body(&module.env, &types, func, body, &mut findings);
        }
    }
    findings
}

/// Whether any code refers to `func`. An unreferenced intrinsic with a wrong type is treated as an ordinary function,
/// because LLVM itself leaves such declarations of renamed intrinsics of older versions in place.
fn is_named(module: &Module, func: FuncId) -> bool {
    module.code.values().any(|code| match code {
        Code::Declaration => false,
        Code::Opaque(code) => code.text.contains(&*module.env.funcs[func].name),
        Code::Body(body) => body.names(func),
    })
}

/// All errors in `body`, the code of `func`.
pub fn verify_body(env: &Env, func: FuncId, body: &Body) -> Vec<Finding> {
    let mut findings = ids::check_body(env, func, body);
    if !findings.is_empty() {
        return findings;
    }
    let types = Types::new(&env.types);
    if !recursive(&types, &mut findings) {
        check_body(env, &types, func, body, &mut findings);
    }
    findings
}

fn recursive(types: &Types<'_>, findings: &mut Vec<Finding>) -> bool {
    for &ty in &types.recursive {
        let kind = FindingKind::RecursiveStruct(types.name(ty));
        findings.push(Finding { func: None, block: None, inst: None, kind });
    }
    !types.recursive.is_empty()
}

fn check_body(env: &Env, types: &Types<'_>, func: FuncId, body: &Body, findings: &mut Vec<Finding>) {
    let mut check = Check { env, types, func, body, findings };
    check.parameters();
    check.constants();
    check.structure();
    check.flow();
    for block in body.blocks() {
        for &inst in body.insts(block) {
            check.inst(inst);
        }
    }
    check.landing_pads();
}

/// The body that is being verified.
struct Check<'a, 'f> {
    env: &'a Env,
    types: &'a Types<'a>,
    func: FuncId,
    body: &'a Body,
    findings: &'f mut Vec<Finding>,
}

impl Check<'_, '_> {
    fn report(&mut self, kind: FindingKind) {
        self.findings.push(Finding { func: Some(self.func), block: None, inst: None, kind });
    }
    fn report_block(&mut self, block: Block, kind: FindingKind) {
        self.findings.push(Finding { func: Some(self.func), block: Some(block), inst: None, kind });
    }
    fn report_inst(&mut self, inst: Inst, kind: FindingKind) {
        let block = self.body.block_of(inst);
        self.findings.push(Finding { func: Some(self.func), block, inst: Some(inst), kind });
    }
}
