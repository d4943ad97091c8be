//! Calls of functions, which the environment answers, and of intrinsics, whose semantics are known.

use crate::encode::function::{Encoded, Encoder};
use crate::encode::library::{LIBRARY, LibraryCall};
use crate::encode::stated::Stated;
use crate::encode::value::{Scalar, Sym, identical};
use crate::encode::world::{Event, LOCAL_BLOCK, POINTER_BITS};
use crate::promises::calls::label;
use crate::promises::pads;
use crate::promises::pointers::POINTER;
use crate::refinement::FunctionRef;
use crate::term::Term;
use backedge_ir::attr::{AttrList, FlagAttr, MemoryEffects, ModRef};
use backedge_ir::entity::{FuncId, Inst};
use backedge_ir::inst::{CallView, Value};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::meaning::library::{self, replaces_argument};
use backedge_ir::module::{Code, Module};
use backedge_ir::print::{call_types_to_string, type_to_string};
use backedge_ir::types::Type;

/// The callee name in the event of an indirect call; the pointer is its first argument.
pub const THROUGH_POINTER: &str = "a call through a pointer";

/// The effects of a call besides its result.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effects {
    pub(super) memory: MemoryEffects,
    /// The call surely returns: it neither diverges nor unwinds.
    returns: bool,
    frees: bool,
    pub(super) no_return: bool,
    /// The call does not unwind.
    nounwind: bool,
    /// The call has no UB of its own.
    speculatable: bool,
}

impl Encoder<'_, '_> {
    /// The function that a call names directly, if any.
    pub(crate) fn callee_of(&self, inst: Inst) -> Option<FuncId> {
        self.body.called_function(self.body.inst(inst).call()?.callee())
    }
    /// The intrinsic that a call names directly, if any.
    pub(crate) fn intrinsic_of(&self, inst: Inst) -> Option<Intrinsic> {
        self.module.env.funcs[self.callee_of(inst)?].intrinsic
    }

    /// Encodes a call; the result is `None` for `void`.
    pub(crate) fn call(&mut self, inst: Inst) -> Encoded<Option<Sym>> {
        let body = self.body;
        let Some(view) = body.inst(inst).call() else {
            return Err(self.unsupported("a call without a callee"));
        };
        if let Some(bundle) = view.info.bundles.first()
            && self.intrinsic_of(inst) != Some(Intrinsic::Assume)
        {
            return Err(self.unsupported(&format!("the operand bundle `{}`", bundle.tag)));
        }
        if replaces_argument(self.module, self.func, body, inst) {
            let feature = "`byval` or `dead_on_return` on an argument of a function that LLVM knows";
            return Err(self.unsupported(feature));
        }
        self.check_fields(inst)?;
        let Some(func) = self.callee_of(inst) else { return self.external_call(inst, None, view) };
        let header = &self.module.env.funcs[func];
        match header.intrinsic {
            Some(which) => {
                self.constrained = self.constrained_arguments(func, view)?;
                let result = self.intrinsic(inst, which, view);
                let result = result.and_then(|r| self.intrinsic_result(inst, func, view, r));
                self.constrained.clear();
                result
            }
            None if header.name.starts_with("llvm.") => {
                Err(self.unsupported(&format!("the intrinsic `{}`", header.name)))
            }
            // LangRef leaves the effect of such a call to the target.
            None if header.ty != view.info.fn_ty && !self.is_bare(func) => {
                Err(self.unsupported("a call with another type than its callee's"))
            }
            None => self.external_call(inst, Some(func), view),
        }
    }

    /// Whether the function is a declaration that only its type describes. A call with another type is then a call of
    /// an unknown function.
    fn is_bare(&self, func: FuncId) -> bool {
        let header = &self.module.env.funcs[func];
        let is_declared = matches!(self.module.code[func], Code::Declaration);
        let lists = header.param_attrs.iter().chain([&header.ret_attrs]);
        is_declared
            && lists.into_iter().all(AttrList::is_empty)
            && library::declared(self.module, func).is_none()
    }
    /// The attributes of an argument at the call and at the callee.
    fn argument_lists<'v>(
        module: &'v Module,
        func: Option<FuncId>,
        view: CallView<'v>,
        i: usize,
    ) -> Vec<&'v AttrList> {
        let at_callee = func.and_then(|f| module.env.funcs[f].param_attrs.get(i));
        view.info.arg_attrs.get(i).into_iter().chain(at_callee).filter(|list| !list.is_empty()).collect()
    }
    fn argument(&mut self, func: Option<FuncId>, view: CallView<'_>, i: usize) -> Encoded<Sym> {
        let arg = view.args()[i];
        let value = self.value(arg)?;
        let lists = Self::argument_lists(self.module, func, view, i);
        self.constrain(Stated { lists: &lists, metadata: &[] }, self.ty(arg), value)
    }
    /// The arguments, constrained by their attributes.
    pub(crate) fn arguments(&mut self, func: Option<FuncId>, view: CallView<'_>) -> Encoded<Vec<Sym>> {
        (0..view.args().len()).map(|i| self.argument(func, view, i)).collect()
    }
    /// The arguments of an intrinsic that have attributes. [`Self::value`] uses them while the intrinsic is encoded.
    fn constrained_arguments(&mut self, func: FuncId, view: CallView<'_>) -> Encoded<Vec<(Value, Sym)>> {
        let mut found: Vec<(Value, Sym)> = Vec::new();
        for (i, &arg) in view.args().iter().enumerate() {
            if Self::argument_lists(self.module, Some(func), view, i).is_empty() {
                continue;
            }
            let value = self.argument(Some(func), view, i)?;
            // Poison in one of two equal arguments does not make the other one poison; `noundef` excludes poison in
            // both.
            let is_poison = |s: &Scalar| self.w.terms.as_bool(s.poison) != Some(false);
            if view.args().iter().filter(|other| **other == arg).count() > 1
                && value.scalars().iter().any(is_poison)
                && value != self.value(arg)?
            {
                return Err(self.unsupported("attributes of one of two equal arguments"));
            }
            found.push((arg, value));
        }
        Ok(found)
    }
    /// The result of an intrinsic, constrained by the attributes and metadata of its call: poison if it differs from a
    /// `returned` argument.
    fn intrinsic_result(
        &mut self,
        inst: Inst,
        func: FuncId,
        view: CallView<'_>,
        result: Option<Sym>,
    ) -> Encoded<Option<Sym>> {
        let Some(mut result) = result else { return Ok(None) };
        let at_callee = &self.module.env.funcs[func];
        if let Some(i) = self.returned_of(&view.info.arg_attrs).or(self.returned_of(&at_callee.param_attrs)) {
            let arg = view.args()[i];
            if self.ty(arg) != self.body.inst(inst).ty {
                return Err(self.unsupported("`returned` on a parameter of another type than the result's"));
            }
            let arg = self.value(arg)?;
            result = self.poison_unless_same(&arg, result);
        }
        self.constrained_result(inst, Some(func), view, result).map(Some)
    }
    /// A result, constrained by the attributes and metadata of its call and callee.
    pub(crate) fn constrained_result(
        &mut self,
        inst: Inst,
        func: Option<FuncId>,
        view: CallView<'_>,
        result: Sym,
    ) -> Encoded<Sym> {
        let (module, data) = (self.module, self.body.inst(inst));
        let at_callee = func.map(|f| &module.env.funcs[f].ret_attrs);
        let lists: Vec<&AttrList> = std::iter::once(&view.info.ret_attrs).chain(at_callee).collect();
        let result = match func.filter(|f| is_safe_declaration(module, *f)).and(at_callee) {
            Some(declared) => self.answer_as_declared(declared, data.ty, result)?,
            None => result,
        };
        let result = self.constrain(Stated { lists: &lists, metadata: &[] }, data.ty, result)?;
        self.constrain(Stated { lists: &[], metadata: &data.metadata }, data.ty, result)
    }
    pub(super) fn effects(&self, func: Option<FuncId>, view: CallView<'_>) -> Effects {
        let env = &self.module.env;
        let lists = [Some(&view.info.fn_attrs), func.map(|f| &env.funcs[f].attrs)];
        let has = |flag| lists.iter().flatten().any(|l| env.has_attr(l, flag));
        let memory =
            lists.iter().flatten().filter_map(|l| env.memory_effects(l)).reduce(MemoryEffects::intersect);
        let memory = memory.unwrap_or(MemoryEffects::all(ModRef::READ_WRITE));
        // Without `nosync`, another thread may free memory whose address the function publishes.
        let keeps = self.w.nothing_is_freed || has(FlagAttr::NoFree) && has(FlagAttr::NoSync);
        Effects {
            memory,
            returns: has(FlagAttr::WillReturn) && has(FlagAttr::NoUnwind),
            frees: !keeps && (memory.argmem.writes || memory.other.writes),
            no_return: has(FlagAttr::NoReturn),
            nounwind: has(FlagAttr::NoUnwind),
            speculatable: has(FlagAttr::Speculatable),
        }
    }
    /// Whether the function makes calls that may free memory.
    pub(crate) fn may_free(&self) -> bool {
        self.body.all_insts().any(|inst| {
            let func = self.callee_of(inst);
            let intrinsic = func.and_then(|f| self.module.env.funcs[f].intrinsic);
            let call = self.body.inst(inst).call().filter(|_| intrinsic.is_none());
            call.is_some_and(|view| self.effects(func, view).frees)
        })
    }
    fn external_call(
        &mut self,
        inst: Inst,
        func: Option<FuncId>,
        view: CallView<'_>,
    ) -> Encoded<Option<Sym>> {
        if let LibraryCall::Computed(result) = self.library_call(inst, func, view)? {
            return Ok(result);
        }
        let env = &self.module.env;
        let ret = self.body.inst(inst).ty;
        let effects = self.effects(func, view);
        if effects.returns && effects.no_return {
            return self.impossible_call(ret);
        }
        self.approximate_call(func, effects);
        let mut args = self.arguments(func, view)?;
        let returned = self.returned_argument(func, view, &args)?;
        let callee = match func {
            Some(func) => env.funcs[func].name.clone(),
            None => {
                args.insert(0, self.called_pointer(view)?);
                THROUGH_POINTER.into()
            }
        };
        let mut promises = self.promises_of(inst, func);
        if func.is_none() {
            // A call with another type than the function's is UB.
            promises.push(type_to_string(&env.types, view.info.fn_ty));
        }
        let any = effects.memory.any();
        let observable = any.writes || !effects.returns;
        let result = if ret == Type::VOID { None } else { Some(self.free_value(ret, &callee)?) };
        let after = observable.then(|| self.w.fresh_trace());
        let (returns, throws) = self.returns_or_throws(effects);
        let leaves = any.writes.then(|| self.w.fresh_memory());
        let found = self.memory.shared;
        let memory = (any.reads || any.writes || !effects.returns).then(|| self.without_owned(found));
        let allocas = if memory.is_some() { self.escaped_allocas() } else { Vec::new() };
        self.w.add_event(Event {
            side: self.side,
            inst,
            happens: self.path,
            before: self.memory.trace,
            callee,
            promises,
            args,
            // Memory that the call cannot read is excluded from the comparison only if the call reads no memory at all
            // and the memory at the function's exit is not observed.
            memory,
            touched: None,
            found: Some(found),
            after,
            result: result.clone(),
            returns,
            throws,
            by_history: false,
            leaves,
            speculatable: effects.speculatable,
            allocas,
        });
        if let Some(after) = after {
            self.extend_trace(effects, after);
        }
        if let Some(leaves) = leaves {
            let leaves = self.write_constant_globals(leaves)?;
            self.memory.shared = self.keeping_owned(leaves, found);
        }
        if let Some(after) = after {
            self.leave(inst, (returns, throws), after)?;
        }
        let Some(result) = result else { return Ok(None) };
        let lists = [Some(&view.info.ret_attrs), func.map(|f| &env.funcs[f].ret_attrs)];
        if lists.iter().flatten().any(|list| env.has_attr(list, FlagAttr::NoAlias)) {
            self.new_memory(inst, &result);
        }
        let result = self.result_or_argument(func, result, returned);
        let result = self.constrained_result(inst, func, view, result)?;
        let fast = self.body.inst(inst).evaluated(view.info.fast);
        self.fast_call(view, fast, ret, result).map(Some)
    }

    /// The pointer of an indirect call; a call through poison or undef is UB.
    fn called_pointer(&mut self, view: CallView<'_>) -> Encoded<Sym> {
        let pointer = self.value(view.callee())?;
        let bad = pointer.any_poison_or_undef(&mut self.w.terms);
        self.ub(bad);
        Ok(pointer)
    }
    /// Whether a call returns, and whether it unwinds if it does not return.
    fn returns_or_throws(&mut self, effects: Effects) -> (Term, Term) {
        let returns = match (effects.returns, effects.no_return) {
            (_, true) => self.w.terms.bool(false),
            (true, false) => self.w.terms.bool(true),
            (false, false) => self.w.fresh_bool("returns"),
        };
        let tells = self.w.unwinding && !effects.returns && !effects.nounwind;
        let throws = if tells { self.w.fresh_bool("throws") } else { self.w.terms.bool(false) };
        (returns, throws)
    }
    /// The result of a call, which is the `returned` argument if there is one.
    fn result_or_argument(&mut self, func: Option<FuncId>, result: Sym, returned: Option<Sym>) -> Sym {
        match returned {
            // A function body in the module may violate `returned`; the result is then poison.
            Some(arg) if func.is_some_and(|f| self.module.body(f).is_some()) => {
                self.poison_unless_same(&arg, result)
            }
            Some(arg) => arg,
            None => result,
        }
    }
    /// Makes `after` the history after an observable call.
    fn extend_trace(&mut self, effects: Effects, after: Term) {
        self.memory.trace = after;
        if !effects.returns {
            self.memory.firm = after;
        }
        if effects.frees {
            self.memory.frees = after;
        }
    }

    /// Records where the environment's answer to a call is less precise than the call's attributes.
    fn approximate_call(&mut self, func: Option<FuncId>, effects: Effects) {
        let env = &self.module.env;
        if func.is_none_or(|f| !matches!(self.module.code[f], Code::Declaration)) {
            self.w.approximate("a call of a function of the module is answered by the environment");
        }
        if effects.memory.any().writes && !effects.memory.other.writes {
            self.w.approximate("a call that may write some memory only is taken to write all it can reach");
        }
        if effects.memory.any().reads && !effects.memory.other.reads {
            self.w.approximate("a call that may read some memory only is taken to read all it can reach");
        }
        if effects.memory.any().writes && !effects.memory.any().reads {
            self.w.approximate("a call that only writes memory is taken to depend on memory");
        }
        if !effects.returns && !effects.memory.any().writes {
            self.w.approximate("a call that writes nothing and may not return does something else each time");
        }
        if env.vars.values().any(|var| var.linkage.is_local() && !var.is_constant) {
            self.w.approximate("a call may write internal variables that nobody but the module can reach");
        }
        if self.w.has_own_blocks {
            self.w.approximate("calls may look at and write memory that a `noalias` argument leads to");
        }
    }
    /// A call that neither returns nor unwinds nor diverges. No environment can execute it, so it is UB and not an
    /// event.
    fn impossible_call(&mut self, ret: Type) -> Encoded<Option<Sym>> {
        let always = self.w.terms.bool(true);
        self.ub(always);
        if ret == Type::VOID { Ok(None) } else { self.poison_of(ret).map(Some) }
    }
    /// The promises of the call, if they distinguish it from other calls of the same function in the source.
    fn promises_of(&mut self, inst: Inst, func: Option<FuncId>) -> Vec<String> {
        let mut all = self.distinguishing_types(inst, func);
        let is_library = library::called(self.module, self.func, self.body, inst).is_some();
        all.extend(is_library.then(|| LIBRARY.to_owned()));
        let name = func.map_or(POINTER, |f| &*self.module.env.funcs[f].name);
        if self.w.unwinding {
            all.extend(pads::of_invoke(&self.module.env, self.func, self.body, inst));
            if self.w.events.iter().any(|e| *e.callee == *name && e.promises != all) {
                self.w.approximate("calls whose landing pads have different clauses are not matched");
            }
        }
        if !self.w.told_apart.contains(name) {
            return all;
        }
        self.w.approximate("calls of one function with different promises are not matched");
        all.extend(label(FunctionRef { module: self.module, func: self.func }, self.body, inst));
        all
    }
    /// The types that distinguish a call beyond its callee: for an indirect call, those of all arguments and of the
    /// result; for a variadic call, those of the extra arguments.
    fn distinguishing_types(&self, inst: Inst, func: Option<FuncId>) -> Vec<String> {
        let (env, body) = (&self.module.env, self.body);
        let Some(view) = body.inst(inst).call() else { return Vec::new() };
        let whole = func.is_none().then(|| type_to_string(&env.types, view.info.fn_ty));
        let more = Some(call_types_to_string(env, body, view)).filter(|types| !types.is_empty());
        whole.into_iter().chain(more).collect()
    }

    /// The result, made poison unless it equals the `returned` argument.
    fn poison_unless_same(&mut self, arg: &Sym, result: Sym) -> Sym {
        let same = identical(&mut self.w.terms, arg, &result);
        let other = self.w.terms.not(same);
        result.map(&mut |s| s.or_poison(&mut self.w.terms, other))
    }
    /// The argument with the `returned` attribute, if there is one.
    fn returned_argument(
        &self,
        func: Option<FuncId>,
        view: CallView<'_>,
        args: &[Sym],
    ) -> Encoded<Option<Sym>> {
        let env = &self.module.env;
        let at_callee = func.and_then(|f| self.returned_of(&env.funcs[f].param_attrs));
        let Some(i) = self.returned_of(&view.info.arg_attrs).or(at_callee) else { return Ok(None) };
        let ret = env.types.signature(view.info.fn_ty).map(|(ret, ..)| ret);
        match (view.args().get(i), args.get(i)) {
            (Some(arg), Some(value)) if Some(self.ty(*arg)) == ret => Ok(Some(value.clone())),
            _ => Err(self.unsupported("`returned` on a parameter of another type than the result's")),
        }
    }

    /// `memory` as others see it: the blocks owned by the function are empty.
    pub(crate) fn without_owned(&mut self, memory: Term) -> Term {
        if self.owned.is_empty() {
            return memory;
        }
        let width = self.w.terms.element_width(memory);
        let nothing = self.w.terms.number(width, 0);
        self.owned.iter().fold(memory, |memory, block| self.w.clear_block(memory, *block, nothing))
    }
    /// `leaves`, except that the blocks owned by the function are as in `found`.
    fn keeping_owned(&mut self, leaves: Term, found: Term) -> Term {
        self.owned.iter().fold(leaves, |memory, block| self.w.keep_block(memory, *block, found))
    }
    /// States that pointers returned by a `noalias` call are new. LangRef, "Parameter Attributes", `noalias` on a
    /// return value: nobody else accesses the memory while the function runs, unless the pointer escapes.
    fn new_memory(&mut self, inst: Inst, result: &Sym) {
        let is_owned = self.stays(inst.into());
        let args: Vec<Scalar> = self.args.iter().flat_map(Sym::scalars).collect();
        for scalar in result.scalars() {
            let terms = &self.w.terms;
            let pointers = args.iter().filter(|a| terms.width(a.bits) == POINTER_BITS).map(|a| a.bits);
            let pointers: Vec<_> = pointers.collect();
            if terms.width(scalar.bits) == POINTER_BITS {
                self.w.is_new_memory(self.side, scalar.bits, &pointers);
                if is_owned {
                    let terms = &mut self.w.terms;
                    let block = crate::encode::pointer::block_of(terms, scalar.bits);
                    let null = terms.number(crate::encode::world::BLOCK_BITS, 0);
                    let block = terms.ite(self.path, block, null);
                    self.owned.push(block);
                }
            }
        }
    }

    /// `lifetime.start` and `lifetime.end`.
    pub(crate) fn lifetime(&mut self, view: CallView<'_>, start: bool) -> Encoded<()> {
        let pointer =
            view.args().last().copied().ok_or_else(|| self.unsupported("a lifetime without a pointer"))?;
        let pointer = self.scalar(pointer)?;
        if self.w.terms.as_bool(pointer.poison) == Some(true) {
            return Ok(());
        }
        let block = crate::encode::pointer::block_of(&mut self.w.terms, pointer.bits);
        let Some(index) = self.alloca_of(block) else {
            return Err(self.unsupported("a lifetime marker of something that is no alloca for sure"));
        };
        self.set_alive(index, start);
        if start {
            let alloca = self.allocas[index].clone();
            let zero = self.w.terms.number(crate::encode::world::OFFSET_BITS, 0);
            let base = self.w.terms.concat(block, zero);
            debug_assert!(alloca.number & LOCAL_BLOCK == 0 || self.w.terms.is_constant(base));
            self.fill_uninit(base, alloca.size);
        }
        Ok(())
    }
}

/// Whether the function is a declaration marked `speculatable`: it never has UB, so its results satisfy their declared
/// attributes. LangRef, "Function Attributes", `speculatable`.
fn is_safe_declaration(module: &Module, func: FuncId) -> bool {
    let header = &module.env.funcs[func];
    matches!(module.code[func], Code::Declaration)
        && header.intrinsic.is_none()
        && module.env.has_attr(&header.attrs, FlagAttr::Speculatable)
}
