//! Inline assembly as a callee: each pair of an asm expression and a function type is a declared function, named by its
//! text. Code that handles calls therefore needs no special case.
//!
//! The declaration's attributes follow from the keywords and constraints as LangRef ("Inline Assembler Expressions")
//! defines them:
//!
//! - without `unwind`, unwinding from the asm is undefined behavior: `nounwind`;
//! - without `sideeffect`, the constraints list all effects: the asm returns, gives the same results for the same
//!   inputs, and accesses only the memory of its indirect operands, or all memory if it clobbers memory. LangRef does
//!   not allow executing it speculatively, so it is not `speculatable`;
//! - with `sideeffect` it may do anything. An empty text and alignment directives execute nothing, so they return and
//!   access no memory of the program. They are still an effect that must be neither removed nor added.

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
    /// The assembly text.
    pub text: Box<str>,
    /// The constraints.
    pub constraints: Box<str>,
}

/// Directives that execute no instructions.
const ALIGNING: [&str; 3] = [".p2align", ".balign", ".align"];

impl InlineAsm {
    /// LLVM's spelling.
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

    /// The function that represents the asm when called with type `fn_ty`. Equal text and type yield the same function.
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
        // For a jump to a label (`!i`), the constraints do not determine when it is taken.
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

    /// Whether it has no operands, does not clobber memory, and its text emits no instructions.
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
