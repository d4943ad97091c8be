//! A pair extracted from its modules: both functions with everything they refer to, and nothing else. All processes
//! judge this form, so a verdict depends only on what the pair refers to.

use super::local_globals::Merged;
use super::{Side, Sides, intrinsic_attributes, local_globals, unify, variable_uses};
use backedge_ir::entity::FuncId;
use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use backedge_ir::print::{self, Locals};
use std::sync::Arc;

/// Two functions with everything they refer to. Globals that one side refers to are also in the other side's module if
/// its original module has them: both sides share one memory.
#[derive(Debug)]
pub(crate) struct Extracted {
    texts: [String; 2],
    modules: [Module; 2],
    functions: [FuncId; 2],
    globals: Vec<Arc<str>>,
    /// Assumptions made by using one data layout for both sides.
    assumed: Vec<String>,
    /// Constants of the source that the target's module has merged with others.
    merged: Vec<Merged>,
    /// Variables that may not correspond to the source's variables of the same name.
    open: Vec<Arc<str>>,
}

impl Extracted {
    /// Extracts the pair from its modules.
    ///
    /// # Errors
    ///
    /// If the printed text cannot be read again, which is a bug of the printer or the parser.
    pub(crate) fn new(source: Side<'_>, target: Side<'_>) -> Result<Self, String> {
        let renamed = local_globals::renamed(source.module, target.module);
        let target = renamed.as_ref().map_or(target, |renamed| Side { module: &renamed.module, ..target });
        let merged = local_globals::merged(source.module, target.module);
        let open = renamed.as_ref().map(|renamed| renamed.open.clone()).unwrap_or_default();
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
        let settled = variable_uses::settled([source.module, target.module], &globals);
        let mut pair = Self::read(texts, [source.name(), target.name()], globals)?.unified(&settled)?;
        let is_reached = |name: &Arc<str>| pair.globals.contains(name);
        pair.merged = merged.into_iter().filter(|m| is_reached(&m.gone) && is_reached(&m.into)).collect();
        pair.open = open.into_iter().filter(is_reached).collect();
        Ok(pair)
    }

    /// The pair in which the source merges constants as the target's module may have done: LangRef permits this.
    ///
    /// # Errors
    ///
    /// Those of [`Self::new`].
    pub(crate) fn with_merged(&self) -> Option<Result<Self, String>> {
        if self.merged.is_empty() {
            return None;
        }
        let Sides { source, target } = self.sides();
        let texts = [local_globals::with_merged(&self.texts[0], &self.merged), self.texts[1].clone()];
        let is_left = |name: &&Arc<str>| self.merged.iter().all(|m| m.gone != **name);
        let globals = self.globals.iter().filter(is_left).cloned().collect();
        let read = Self::read(texts, [source.name(), target.name()], globals);
        Some(read.map(|pair| Self { assumed: self.assumed.clone(), ..pair }))
    }

    /// The pair in which all mergeable constants are merged, on both sides; `None` if there are none.
    ///
    /// # Errors
    ///
    /// Those of [`Self::new`].
    pub(crate) fn with_all_merged(&self) -> Option<Result<Self, String>> {
        let [source, target] = &self.modules;
        let texts =
            local_globals::with_all_merged([source, target], self.texts.each_ref().map(String::as_str))?;
        let Sides { source, target } = self.sides();
        let globals = self.globals.clone();
        Some(Self::read(texts, [source.name(), target.name()], globals))
    }

    /// The pair as LLVM reads it, and the attributes that LLVM discards: value attributes on declarations of
    /// intrinsics. `None` if there are none.
    ///
    /// # Errors
    ///
    /// Those of [`Self::new`].
    pub(crate) fn with_own_attributes(&self) -> Option<Result<(Self, Vec<String>), String>> {
        let discarded = self.modules.each_ref().map(intrinsic_attributes::discarded);
        let mut what: Vec<String> = discarded.iter().flatten().flat_map(|d| d.what.iter().cloned()).collect();
        if what.is_empty() {
            return None;
        }
        what.sort();
        what.dedup();
        let Sides { source, target } = self.sides();
        let sides = [source, target].into_iter().zip(&discarded);
        let sides = sides.map(|(side, d)| d.as_ref().map_or(side, |d| Side { module: &d.module, ..side }));
        let texts: Vec<String> = sides.map(|side| self.text(side)).collect();
        let texts = <[String; 2]>::try_from(texts).expect("two sides");
        let read = Self::read(texts, [source.name(), target.name()], self.globals.clone());
        let carried = |pair| Self {
            assumed: self.assumed.clone(),
            merged: self.merged.clone(),
            open: self.open.clone(),
            ..pair
        };
        Some(read.map(|pair| (carried(pair), what)))
    }

    /// A variable of the target that may correspond to another variable of the source than the pair assumes.
    pub(crate) fn open_name(&self) -> Option<&str> {
        let of_merged = self.merged.iter().filter(|m| m.is_open).map(|m| &m.into);
        self.open.iter().chain(of_merged).map(|name| &**name).next()
    }

    /// The names of all globals that either function refers to.
    pub(crate) fn globals(&self) -> &[Arc<str>] {
        &self.globals
    }

    /// The pair with one data layout for both sides, and with `settled` variables as constants.
    fn unified(mut self, settled: &[Arc<str>]) -> Result<Self, String> {
        if let Some((layout, claim)) = unify::layout(&self.modules, self.functions) {
            for (text, module) in self.texts.iter_mut().zip(&self.modules) {
                if module.env.layout.text.is_none() {
                    text.insert_str(0, &format!("target datalayout = \"{layout}\"\n"));
                }
            }
            let names = self.sides();
            let names = [names.source.name().to_owned(), names.target.name().to_owned()];
            let assumed = claim.into_iter().collect();
            let names = names.each_ref().map(String::as_str);
            self = Self { assumed, ..Self::read(self.texts, names, self.globals)? };
        }
        for module in &mut self.modules {
            for (_, var) in module.env.vars.iter_mut().filter(|(_, var)| settled.contains(&var.name)) {
                var.is_constant = true;
            }
        }
        let claims = unify::globals(&mut self.modules, self.functions);
        if claims.is_some() || !settled.is_empty() {
            self.assumed.extend(claims.unwrap_or_default());
            let Sides { source, target } = self.sides();
            self.texts = [self.text(source), self.text(target)];
        }
        Ok(self)
    }

    /// A side's function with all globals that either function refers to.
    fn text(&self, side: Side<'_>) -> String {
        let others = self.globals.iter().filter(|name| ***name != *side.name()).cloned().collect::<Vec<_>>();
        print::extract(side.module, side.func, &others, Locals::Named).text
    }

    /// Assumptions of the shared data layout, as claims.
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
            merged: Vec::new(),
            open: Vec::new(),
        })
    }

    /// Source and target.
    pub(crate) fn sides(&self) -> Sides<'_> {
        let side = |i: usize| Side { module: &self.modules[i], func: self.functions[i] };
        Sides { source: side(0), target: side(1) }
    }

    /// The modules as text.
    pub(crate) fn texts(&self) -> &[String; 2] {
        &self.texts
    }

    /// The modules as text in which locals have no names.
    pub(crate) fn canonical(&self) -> [String; 2] {
        let Sides { source, target } = self.sides();
        [source, target]
            .map(|side| print::extract(side.module, side.func, &self.globals, Locals::Numbered).text)
    }
}
