//! A pair by itself: both functions with what they refer to, and nothing else. What is judged is this, whichever process
//! does it, so that a verdict depends on nothing that the pair does not name.

use crate::check::Side;
use crate::deeper::has_loop;
use crate::unify;
use backedge_ir::entity::FuncId;
use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use backedge_ir::print::{self, Locals};
use std::sync::Arc;

/// Two functions with what they refer to. What one side refers to is in the other side's module too, if it was before:
/// the two have one memory.
#[derive(Debug)]
pub(crate) struct Extracted {
    texts: [String; 2],
    modules: [Module; 2],
    functions: [FuncId; 2],
    globals: Vec<Arc<str>>,
    /// What one description of memory for both sides assumes.
    assumed: Vec<String>,
}

impl Extracted {
    /// The pair, cut out of its modules.
    ///
    /// # Errors
    ///
    /// If what was printed is not read again, which is a fault of the printer or the parser.
    pub(crate) fn new(source: Side<'_>, target: Side<'_>) -> Result<Self, String> {
        let extract =
            |side: Side<'_>, also: &[Arc<str>]| print::extract(side.module, side.func, also, Locals::Named);
        let mut sides = [source, target].map(|side| extract(side, &[]));
        let mut globals = Vec::new();
        while sides.iter().any(|side| side.globals.iter().any(|name| !globals.contains(name))) {
            globals = sides.iter().flat_map(|side| side.globals.iter().cloned()).collect();
            globals.sort();
            globals.dedup();
            let own = [source, target]
                .map(|side| globals.iter().filter(|n| ***n != *side.name()).cloned().collect());
            let own: [Vec<_>; 2] = own;
            sides = [extract(source, &own[0]), extract(target, &own[1])];
        }
        let texts = sides.map(|side| side.text);
        Self::read(texts, [source.name(), target.name()], globals)?.unified()
    }

    /// The pair with one description of memory for both sides.
    fn unified(mut self) -> Result<Self, String> {
        if let Some((layout, claim)) = unify::layout(&self.modules, self.functions) {
            for (text, module) in self.texts.iter_mut().zip(&self.modules) {
                if module.env.layout.text.is_none() {
                    text.insert_str(0, &format!("target datalayout = \"{layout}\"\n"));
                }
            }
            let names = self.sides();
            let names = [names.0.name().to_owned(), names.1.name().to_owned()];
            let assumed = claim.into_iter().collect();
            let names = names.each_ref().map(String::as_str);
            self = Self { assumed, ..Self::read(self.texts, names, self.globals)? };
        }
        if let Some(claims) = unify::globals(&mut self.modules, self.functions) {
            self.assumed.extend(claims);
            let text = |side: Side<'_>| {
                let own = self.globals.iter().filter(|n| ***n != *side.name()).cloned().collect::<Vec<_>>();
                print::extract(side.module, side.func, &own, Locals::Named).text
            };
            let (source, target) = self.sides();
            self.texts = [text(source), text(target)];
        }
        Ok(self)
    }

    /// What the pair's one description of memory assumes, as claims.
    pub(crate) fn assumed(&self) -> &[String] {
        &self.assumed
    }

    /// The pair with these texts.
    pub(crate) fn from_texts(texts: [String; 2], names: [&str; 2]) -> Result<Self, String> {
        Self::read(texts, names, Vec::new())
    }

    fn read(texts: [String; 2], names: [&str; 2], globals: Vec<Arc<str>>) -> Result<Self, String> {
        let read = |i: usize| -> Result<_, String> {
            let module = parse_module(texts[i].as_bytes())
                .map_err(|e| format!("@{} by itself is not read: {e}\n{}", names[i], texts[i]))?;
            let module = module.module;
            let func = module.env.func_named(names[i]).ok_or_else(|| format!("@{} is lost", names[i]))?;
            Ok((module, func))
        };
        let ((source, source_func), (target, target_func)) = (read(0)?, read(1)?);
        Ok(Self {
            texts,
            modules: [source, target],
            functions: [source_func, target_func],
            globals,
            assumed: Vec::new(),
        })
    }

    /// Source and target.
    pub(crate) fn sides(&self) -> (Side<'_>, Side<'_>) {
        let side = |i: usize| Side { module: &self.modules[i], func: self.functions[i] };
        (side(0), side(1))
    }

    /// Whether runs of either function can be long.
    pub(crate) fn has_cycle(&self) -> bool {
        let (source, target) = self.sides();
        has_loop(source) || has_loop(target)
    }

    /// Their modules as text.
    pub(crate) fn texts(&self) -> &[String; 2] {
        &self.texts
    }

    /// Their modules as text in which locals have no names.
    pub(crate) fn canonical(&self) -> [String; 2] {
        let (source, target) = self.sides();
        [source, target]
            .map(|side| print::extract(side.module, side.func, &self.globals, Locals::Numbered).text)
    }
}
