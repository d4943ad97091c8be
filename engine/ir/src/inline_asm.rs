//! Inline assembly as a callee: each asm expression of one function type is a function that is only declared, called by
//! its text. Whoever reads calls needs no case for it.
//!
//! The declaration's attributes are what LangRef ("Inline Assembler Expressions") says of the keywords and constraints:
//!
//! - without `unwind`, an asm that unwinds is undefined behaviour: `nounwind`;
//! - without `sideeffect`, the constraints list all effects: such an asm returns, gives the same results for the same inputs,
//!   and accesses no memory but that of its indirect operands, or all if it clobbers memory. LangRef does not say that it
//!   may be executed where it was not: it is not `speculatable`;
//! - with `sideeffect` it may do anything; the empty text and directives for alignment execute nothing, so that they touch
//!   no memory of the program and return. They remain an effect that may not be left out or added.

use crate::attr::{Attr, FlagAttr, MemoryEffects, ModRef};
use crate::constant::GlobalRef;
use crate::entity::FuncId;
use crate::module::{Env, Function};
use crate::print::type_to_string;
use crate::types::Type;
use std::sync::Arc;

/// An asm expression, its strings in canonical spelling.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct InlineAsm {
    /// `sideeffect`.
    pub sideeffect: bool,
    /// `alignstack`.
    pub alignstack: bool,
    /// `inteldialect`.
    pub inteldialect: bool,
    /// `unwind`.
    pub unwind: bool,
    /// The assembler's text.
    pub text: Box<str>,
    /// The constraints.
    pub constraints: Box<str>,
}

/// Directives that execute nothing.
const ALIGNING: [&str; 3] = [".p2align", ".balign", ".align"];

impl InlineAsm {
    /// As LLVM spells it.
    pub fn spelled(&self) -> String {
        let words = [
            (self.sideeffect, " sideeffect"),
            (self.alignstack, " alignstack"),
            (self.inteldialect, " inteldialect"),
            (self.unwind, " unwind"),
        ];
        let words: String = words.iter().filter(|(has, _)| *has).map(|(_, word)| *word).collect();
        format!("asm{words} \"{}\", \"{}\"", self.text, self.constraints)
    }

    /// The function that stands for it where it is called as a function of type `fn_ty`. Functions are one if text and
    /// type are the same.
    pub fn function(&self, env: &mut Env, fn_ty: Type) -> FuncId {
        let spelled = self.spelled();
        // No other global has a quote in its name.
        let name: Arc<str> = format!("{spelled} as {}", type_to_string(&env.types, fn_ty)).into();
        if let Some(GlobalRef::Func(func)) = env.symbols.get(&name) {
            return *func;
        }
        let params = env.types.signature(fn_ty).map_or(0, |signature| signature.1.len());
        let mut function = Function::plain(name.clone(), fn_ty, params);
        function.asm = Some(spelled.into());
        function.addrspace = env.layout.program_space;
        function.attrs.own = self.attributes();
        let func = env.funcs.push(function);
        env.symbols.insert(name, GlobalRef::Func(func));
        func
    }

    fn attributes(&self) -> Vec<Attr> {
        let mut attrs = Vec::new();
        if !self.unwind {
            attrs.push(Attr::Flag(FlagAttr::NoUnwind));
        }
        let executes_nothing = self.executes_nothing();
        let constraints = || self.constraints.split(',').map(str::trim);
        // Where it jumps to a label (`!i`) no constraint says when.
        let sideeffect = self.sideeffect || constraints().any(|c| c.starts_with('!'));
        if !sideeffect || executes_nothing {
            attrs.push(Attr::Flag(FlagAttr::WillReturn));
        }
        let none = MemoryEffects::all(ModRef::NONE);
        let effects = if executes_nothing && sideeffect {
            Some(MemoryEffects { inaccessiblemem: ModRef::READ_WRITE, ..none })
        } else if sideeffect || constraints().any(|c| c == "~{memory}") {
            None
        } else if constraints().any(|c| c.contains('*')) {
            Some(MemoryEffects { argmem: ModRef::READ_WRITE, ..none })
        } else {
            Some(none)
        };
        attrs.extend(effects.map(Attr::Memory));
        attrs
    }

    /// Whether it has no operands, clobbers no memory, and its text makes no code.
    fn executes_nothing(&self) -> bool {
        let is_register = |c: &str| c.is_empty() || c.starts_with("~{") && c != "~{memory}";
        let plain = |b: u8| b.is_ascii_alphanumeric() || b", .\t".contains(&b);
        let is_directive = |line: &str| {
            let line = line.trim();
            let word = line.split_whitespace().next().unwrap_or_default();
            line.is_empty() || ALIGNING.contains(&word) && line.bytes().all(plain)
        };
        let text = self.text.replace("\\0A", "\n").replace("\\09", "\t");
        self.constraints.split(',').all(|c| is_register(c.trim()))
            && text.split(['\n', ';']).all(is_directive)
    }
}
