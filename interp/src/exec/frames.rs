//! Calls, returns and unwinding. Frames live in a separate list, so call depth does not consume the host's stack.

use super::ctx::Ctx;
use super::external::RETURNED_AS_ANOTHER_TYPE;
use super::fuel::Fuel;
use super::library;
use super::regs::{POISON, RARE, Stack};
use crate::compile::op::{CallOp, Callee, Code, EdgeId, Signature};
use crate::compile::quick::Near;
use crate::compile::reg::Reg;
use crate::facts::Facts;
use crate::layout::Shape;
use crate::memory::{Limits, Origin, Request};
use crate::outcome::{Exit, Feature, Limit, Outcome, Place, Step, Stop, UbKind};
use crate::value::{Args, Pointer, Val};
use backedge_ir::entity::FuncId;

/// An active function.
#[derive(Debug)]
pub(super) struct Frame<'p> {
    pub(super) func: FuncId,
    pub(super) code: &'p Code,
    pub(super) signature: &'p Signature,
    /// Index of its first register.
    pub(super) base: usize,
    /// The current operation, while the frame waits for a callee.
    pub(super) pc: usize,
    /// The call that created this frame; `None` for the outermost one.
    call: Option<&'p CallOp>,
    /// Number of allocations on entry.
    pub(super) allocations: usize,
    scopes: usize,
    /// Access limits that applied before entry.
    limits: Limits,
    /// Whether a plain call entered the frame, so that there is nothing to restore.
    plain: bool,
    /// Constraints of the functions that this frame replaced by `musttail` calls.
    before: Option<Box<Replaced<'p>>>,
}

/// Constraints that replaced functions and their `musttail` calls put on how the callee is left.
#[derive(Clone, Default, Debug)]
struct Replaced<'p> {
    noreturn: bool,
    nounwind: bool,
    willreturn: bool,
    mustprogress: bool,
    /// Calls with the functions that contain them, if either constrains the result; innermost first. A pair occurs at
    /// most twice: its constraints are checked before and after the other pairs, and a further check in between would
    /// change nothing.
    results: Vec<(&'p CallOp, &'p Signature)>,
}

impl<'p> Replaced<'p> {
    /// Adds a function and the `musttail` call that ends it; both become the innermost pair.
    fn push(&mut self, op: &'p CallOp, signature: &'p Signature) {
        let said = [&op.effects, &signature.effects];
        self.noreturn |= said.iter().any(|e| e.noreturn);
        self.nounwind |= said.iter().any(|e| e.nounwind);
        self.willreturn |= said.iter().any(|e| e.willreturn);
        self.mustprogress |= signature.mustprogress;
        if op.ret_facts.is_none() && op.ret_metadata.is_none() && signature.ret_facts.is_none() {
            return;
        }
        let same = |(o, s): &(&CallOp, &Signature)| std::ptr::eq(*o, op) && std::ptr::eq(*s, signature);
        if self.results.iter().filter(|pair| same(pair)).count() > 1
            && let Some(first) = self.results.iter().position(same)
        {
            self.results.remove(first);
        }
        self.results.insert(0, (op, signature));
    }
}

/// How a function is entered.
struct Way<'p> {
    /// The call.
    op: Option<&'p CallOp>,
    /// The call that the frame returns to. Differs from `op` if the frame replaces its caller's.
    back: Option<&'p CallOp>,
    before: Option<Box<Replaced<'p>>>,
}

/// All active functions with their registers.
#[derive(Default, Debug)]
pub(super) struct Frames<'p> {
    pub(super) list: Vec<Frame<'p>>,
    pub(super) stack: Stack,
}

/// Where execution continues in the topmost frame.
#[derive(Debug)]
pub(super) enum Resume {
    /// At an operation.
    At(usize),
    /// Over an edge.
    Edge(EdgeId),
    /// Nowhere: the outermost function returned.
    Finished(Option<Val>),
}

impl<'p> Frames<'p> {
    /// The active functions with the position of each one's pending call.
    pub(super) fn calls(&self) -> impl Iterator<Item = (FuncId, usize)> + '_ {
        let below = self.list.len().saturating_sub(1);
        self.list.iter().enumerate().map(move |(i, f)| (f.func, if i < below { f.pc } else { 0 }))
    }
    /// Enters `func`; the arguments must have its parameters' types.
    pub(super) fn enter(
        &mut self,
        ctx: &mut Ctx<'_, 'p>,
        func: FuncId,
        args: Args,
        call: Option<&'p CallOp>,
    ) -> Step<()> {
        self.enter_by(ctx, func, args, Way { op: call, back: call, before: None })
    }
    fn enter_by(&mut self, ctx: &mut Ctx<'_, 'p>, func: FuncId, args: Args, way: Way<'p>) -> Step<()> {
        if self.list.len() >= ctx.config.max_depth {
            return Err(Stop::Limit(Limit::CallDepth));
        }
        let code = ctx.program.code(func).map_err(Stop::unsupported)?;
        let signature = ctx.program.signature(func).map_err(Stop::unsupported)?;
        if signature.must_not_recur && self.list.iter().any(|f| f.func == func) {
            return Err(Stop::Ub(UbKind::NoRecurseViolated));
        }
        let (allocations, scopes) = (ctx.memory.allocations().len(), ctx.memory.provs.open_scopes());
        let args = bind(ctx, signature, args)?;
        let limits = restrict_memory(ctx, signature, way.op, allocations);
        let base = self.stack.push(&code.template);
        let mut regs = self.stack.regs(base);
        for (reg, arg) in args.into_iter().enumerate() {
            regs.set(reg as Reg, arg);
        }
        let plain = false;
        self.list.push(Frame {
            func,
            code,
            signature,
            base,
            pc: 0,
            call: way.back,
            allocations,
            scopes,
            limits,
            plain,
            before: way.before,
        });
        (ctx.func, ctx.code, ctx.pc) = (func, code, 0);
        Ok(())
    }
    /// Executes a call. Returns `Some` if the call completed at once, `None` if a frame was entered.
    pub(super) fn call(&mut self, ctx: &mut Ctx<'_, 'p>, op: &'p CallOp) -> Step<Option<Resume>> {
        let (pc, base) = (ctx.pc, self.list.last().map_or(0, |f| f.base));
        let func = self.callee(ctx, op, base)?;
        let mut args = Args::with_capacity(op.args.len());
        let signature = ctx.program.signature(func).map_err(Stop::unsupported)?;
        for (i, reg) in op.args.iter().enumerate() {
            let value = self.stack.regs(base).get(*reg);
            let [at_call, at_callee] =
                [op.arg_facts.get(i), signature.param_facts.get(i)].map(|f| f.and_then(|f| f.as_deref()));
            args.push(Facts::apply_all([at_call, at_callee], ctx.memory, &op.arg_shapes[i], value)?);
        }
        if let Some(frame) = self.list.last_mut() {
            frame.pc = pc;
        }
        if ctx.program.is_defined(func) {
            // Only `va_start` and `va_arg` can read variable arguments, and neither is modelled.
            if signature.variadic {
                args.truncate(signature.params.len());
            }
            if op.musttail && self.can_replace(ctx, op, signature) {
                self.replace(ctx, func, args, op)?;
            } else {
                self.enter(ctx, func, args, Some(op))?;
            }
            return Ok(None);
        }
        if let Some(value) = library::call(ctx, op, signature, &args)? {
            self.stack.regs(base).set(op.dst, value);
        }
        Ok(Some(op.invoke.map_or(Resume::At(pc + 1), |(normal, _)| Resume::Edge(normal))))
    }
    /// Whether the topmost frame has only to pass on the result or exception of `callee` and nothing to restore.
    /// `byval` copies would be freed with the frame, and scopes of restricted arguments end with it.
    fn can_replace(&self, ctx: &Ctx<'_, 'p>, op: &CallOp, callee: &Signature) -> bool {
        let Some(top) = self.list.last() else { return false };
        ctx.memory.limits() == top.limits
            && ctx.memory.provs.open_scopes() == top.scopes
            && callee.byval.iter().all(Option::is_none)
            && op.returned.is_none()
            && top.signature.returned.is_none()
            && top.call.is_none_or(|c| c.returned.is_none())
            && !top.signature.must_not_recur
    }
    /// Enters `func` in place of the topmost frame and frees that frame's memory. LangRef (`musttail`): the callee
    /// does not access the caller's allocas, and the stack does not grow.
    fn replace(&mut self, ctx: &mut Ctx<'_, 'p>, func: FuncId, args: Args, op: &'p CallOp) -> Step<()> {
        let Some(top) = self.list.last_mut() else { return Ok(()) };
        let (back, signature) = (top.call, top.signature);
        release(ctx, top.allocations);
        let mut before = top.before.take().unwrap_or_default();
        self.stack.pop(top.base);
        self.list.pop();
        before.push(op, signature);
        self.enter_by(ctx, func, args, Way { op: Some(op), back, before: Some(before) })
    }
    /// Executes a call that requires only defined arguments and a defined result, if the arguments are defined.
    /// Returns whether it entered a frame; changes nothing otherwise.
    #[inline]
    pub(super) fn plain_call(
        &mut self,
        ctx: &mut Ctx<'_, 'p>,
        op: &'p CallOp,
        pc: usize,
        fuel: &mut Fuel<'_>,
    ) -> bool {
        let Callee::Func(func) = op.callee else { return false };
        let (Ok(code), Ok(signature)) = (ctx.program.code(func), ctx.program.signature(func)) else {
            return false;
        };
        let cost = u64::from(code.entry_cost);
        let depth = self.list.len();
        let Some(caller) = self.list.last_mut() else { return false };
        let from = caller.base;
        let marks = &self.stack.marks;
        let rare = |reg: &Reg| matches!(marks[from + *reg as usize], POISON | RARE);
        if depth >= ctx.config.max_depth || op.args.iter().any(rare) || !fuel.try_burn(cost) {
            return false;
        }
        caller.pc = pc;
        let base = self.stack.push(&code.template);
        let Stack { words, marks, .. } = &mut self.stack;
        for (i, reg) in op.args.iter().enumerate() {
            words[base + i] = words[from + *reg as usize];
            marks[base + i] = marks[from + *reg as usize];
        }
        self.list.push(Frame {
            func,
            code,
            signature,
            base,
            pc: 0,
            call: Some(op),
            allocations: ctx.memory.allocations().len(),
            scopes: ctx.memory.provs.open_scopes(),
            limits: ctx.memory.limits(),
            plain: true,
            before: None,
        });
        (ctx.func, ctx.code, ctx.pc) = (func, code, 0);
        true
    }
    /// Returns from a frame that a plain call entered, if the frame has allocated nothing and the value is defined.
    /// Returns the caller's first register and its next operation; `None` changes nothing.
    #[inline]
    pub(super) fn plain_return(
        &mut self,
        ctx: &mut Ctx<'_, 'p>,
        reg: Option<Near>,
    ) -> Option<(usize, usize)> {
        let [.., caller, frame] = &self.list[..] else { return None };
        if !frame.plain || frame.allocations != ctx.memory.allocations().len() {
            return None;
        }
        if let Some(reg) = reg {
            let Stack { words, marks, .. } = &mut self.stack;
            let (from, to) = (frame.base + usize::from(reg), caller.base + frame.call?.dst as usize);
            if matches!(marks[from], POISON | RARE) {
                return None;
            }
            (words[to], marks[to]) = (words[from], marks[from]);
        }
        let (func, code, base, pc) = (caller.func, caller.code, caller.base, caller.pc);
        self.stack.pop(frame.base);
        self.list.pop();
        (ctx.func, ctx.code, ctx.pc) = (func, code, pc);
        Some((base, pc + 1))
    }
    fn callee(&mut self, ctx: &Ctx<'_, 'p>, op: &CallOp, base: usize) -> Step<FuncId> {
        let func = match op.callee {
            Callee::Func(func) => func,
            Callee::Pointer(reg) => match self.stack.regs(base).get(reg) {
                Val::Ptr(ptr) => ctx.program.function_at(ptr).ok_or(Stop::Ub(UbKind::BadCallee))?,
                Val::Poison | Val::Bits(_) | Val::Wide(_) | Val::Agg(_) => {
                    return Err(Stop::Ub(UbKind::BadCallee));
                }
            },
        };
        let signature = ctx.program.signature(func).map_err(Stop::unsupported)?;
        let is_named = matches!(op.callee, Callee::Func(_));
        let is_unknown = is_named && !ctx.program.is_defined(func) && op.library.is_none();
        if signature.fn_ty == op.fn_ty || is_unknown && signature.is_bare() {
            Ok(func)
        } else {
            Err(Stop::unsupported(Feature::Other(OTHER_TYPE)))
        }
    }
    /// Returns from the topmost frame.
    pub(super) fn leave(&mut self, ctx: &mut Ctx<'_, 'p>, value: Option<Val>) -> Step<Resume> {
        let Some(frame) = self.list.last() else { return Ok(Resume::Finished(value)) };
        let signature = frame.signature;
        let noreturn = signature.effects.noreturn
            || frame.before.as_ref().is_some_and(|b| b.noreturn)
            || frame.call.is_some_and(|c| c.effects.noreturn);
        if noreturn {
            return Err(Stop::Ub(UbKind::NoReturnReturned));
        }
        // Facts about the result refer to memory as the caller sees it, so the frame's memory is released first.
        release(ctx, frame.allocations);
        let mut value = value;
        if let (Some(v), Some(shape)) = (value.take(), &signature.ret) {
            let v = self.as_returned(ctx, frame, shape, v)?;
            // Facts of a call and of its callee apply together; for a `musttail` call, also those of the function it
            // left.
            let mut v = v;
            let mut of_callee = signature.ret_facts.as_deref();
            for (op, signature) in frame.before.iter().flat_map(|b| &b.results) {
                v = Facts::apply_all([of_callee, op.ret_facts.as_deref()], ctx.memory, shape, v)?;
                v = apply(ctx, op.ret_metadata.as_deref(), shape, v)?;
                of_callee = signature.ret_facts.as_deref();
            }
            let at_call = frame.call.and_then(|c| c.ret_facts.as_deref());
            v = Facts::apply_all([of_callee, at_call], ctx.memory, shape, v)?;
            value = Some(apply(ctx, frame.call.and_then(|c| c.ret_metadata.as_deref()), shape, v)?);
        }
        let call = frame.call;
        self.pop(ctx);
        let Some(caller) = self.list.last() else { return Ok(Resume::Finished(value)) };
        let Some(call) = call else { return Ok(Resume::Finished(value)) };
        if let Some(value) = value {
            self.stack.regs(caller.base).set(call.dst, value);
        }
        Ok(call.invoke.map_or(Resume::At(caller.pc + 1), |(normal, _)| Resume::Edge(normal)))
    }
    /// The value that `frame` returns. If a `returned` attribute names an argument that differs from the value, the
    /// result is poison: LangRef describes the attribute as an optimization hint and does not define a violation, so
    /// callers may see either value.
    fn as_returned(&self, ctx: &Ctx<'_, 'p>, frame: &Frame<'p>, shape: &Shape, value: Val) -> Step<Val> {
        let at_call = frame.call.and_then(|c| c.returned);
        for i in [frame.signature.returned, at_call].into_iter().flatten() {
            let Some(param) = frame.signature.params.get(i) else { continue };
            if param != shape {
                return Err(Stop::unsupported(Feature::Other(RETURNED_AS_ANOTHER_TYPE)));
            }
            let arg = self.stack.value(frame.base + i);
            if !is_same(ctx, &arg, &value) {
                return Ok(shape.poison());
            }
        }
        Ok(value)
    }
    /// Pops the topmost frame and frees its allocations.
    fn pop(&mut self, ctx: &mut Ctx<'_, 'p>) {
        let Some(frame) = self.list.pop() else { return };
        self.stack.pop(frame.base);
        release(ctx, frame.allocations);
        ctx.events.hide_written(&mut ctx.memory.provs, frame.scopes);
        ctx.memory.provs.close_to(frame.scopes);
        ctx.memory.set_limits(frame.limits);
        if let Some(caller) = self.list.last() {
            (ctx.func, ctx.code, ctx.pc) = (caller.func, caller.code, caller.pc);
        }
    }
    /// Throws an exception in the topmost frame at its current operation, either from the external call `call` or
    /// from `resume`.
    pub(super) fn throw(&mut self, ctx: &mut Ctx<'_, 'p>, call: Option<&CallOp>) -> Step<Resume> {
        let place = ctx.place();
        if let Some((_, unwind)) = call.and_then(|c| c.invoke) {
            return Ok(Resume::Edge(unwind));
        }
        while let Some(frame) = self.list.last() {
            let nounwind = frame.signature.effects.nounwind
                || frame.before.as_ref().is_some_and(|b| b.nounwind)
                || frame.call.is_some_and(|c| c.effects.nounwind);
            if nounwind {
                return Err(Stop::Ub(UbKind::NoUnwindViolated));
            }
            let call = frame.call;
            self.pop(ctx);
            if let Some((_, unwind)) = call.and_then(|c| c.invoke) {
                return Ok(Resume::Edge(unwind));
            }
        }
        Err(Stop::Done(Box::new(Outcome::DidNotReturn { exit: Exit::Threw, place })))
    }
    /// Checks an outcome in which execution never returns against the `willreturn` attributes of the active
    /// functions.
    pub(super) fn check_leaving(&self, place: Place, outcome: Outcome) -> Outcome {
        let willreturn = |f: &Frame<'_>| {
            f.signature.effects.willreturn
                || f.before.as_ref().is_some_and(|b| b.willreturn)
                || f.call.is_some_and(|c| c.effects.willreturn)
        };
        if self.list.iter().any(willreturn) {
            return Outcome::Ub { kind: UbKind::WillReturnViolated, place };
        }
        outcome
    }
    /// Whether an active function is `mustprogress`.
    pub(super) fn mustprogress(&self) -> bool {
        self.list
            .iter()
            .any(|f| f.signature.mustprogress || f.before.as_ref().is_some_and(|b| b.mustprogress))
    }
}

/// Name of a call whose type differs from its callee's where the body or attributes of the callee rely on its own
/// type. LangRef leaves the behavior to the target.
const OTHER_TYPE: &str = "a call with another type than its callee's";

/// Binds arguments: applies parameter facts, copies `byval` arguments, and opens scopes for `noalias` and similar
/// attributes.
fn bind(ctx: &mut Ctx<'_, '_>, signature: &Signature, args: Args) -> Step<Args> {
    if args.len() != signature.params.len() {
        return Err(Stop::unsupported(Feature::Other("a call with a wrong number of arguments")));
    }
    let mut bound = Args::with_capacity(args.len());
    for (i, arg) in args.into_iter().enumerate() {
        let mut arg = apply(ctx, signature.param_facts[i].as_deref(), &signature.params[i], arg)?;
        if let Some((bytes, align)) = signature.byval[i] {
            arg = Val::Ptr(copy_argument(ctx, &arg, bytes, align)?);
        }
        let restriction = signature.restrictions[i];
        if let (Val::Ptr(ptr), false) = (&arg, restriction.is_none()) {
            arg = Val::Ptr(Pointer { prov: ctx.memory.provs.restrict(ptr.prov, restriction), ..*ptr });
        }
        bound.push(arg);
    }
    // Stored back only now, because later `noalias` arguments are already in force at this point.
    for (arg, restriction) in bound.iter().zip(&signature.restrictions) {
        if let Val::Ptr(ptr) = arg
            && restriction.stored_back > 0
        {
            ctx.memory.store_back(*ptr, restriction.stored_back).map_err(Stop::Ub)?;
        }
    }
    Ok(bound)
}

/// Restricts a function to the memory that its `memory(…)` attribute allows. A function that may access neither
/// argument memory nor other memory is kept from everything older than its frame. Returns the previous limits.
/// Attributes that distinguish argument memory from other memory are not checked.
fn restrict_memory(
    ctx: &mut Ctx<'_, '_>,
    signature: &Signature,
    call: Option<&CallOp>,
    frame_start: usize,
) -> Limits {
    let before = ctx.memory.limits();
    let stated = signature.effects.memory;
    let allowed = call.map_or(stated, |c| stated.intersect(c.effects.memory)).accessible();
    match (allowed.reads, allowed.writes) {
        (false, true) => ctx.memory.begin_writing_only(frame_start),
        (false, false) => ctx.memory.floors = (frame_start, frame_start),
        (true, false) => ctx.memory.floors.1 = frame_start,
        (true, true) => {}
    }
    before
}

/// Frees the stack allocations made since the allocation count was `from`.
fn release(ctx: &mut Ctx<'_, '_>, from: usize) {
    for index in from..ctx.memory.allocations().len() {
        if matches!(ctx.memory.allocation(index).origin, Origin::Local(_)) {
            ctx.release(index);
        }
    }
}

fn copy_argument(ctx: &mut Ctx<'_, '_>, arg: &Val, bytes: u64, align: u64) -> Step<Pointer> {
    let from = super::access::pointer(arg)?;
    let number = ctx.memory.allocations().len() as u32;
    let origin = Origin::Local(number);
    let copy =
        ctx.memory.allocate(Request { origin, size: bytes, align, writable: true, pointer_bits: 64 })?;
    ctx.memory.allocation_mut(number as usize).is_copy = true;
    if bytes == 0 {
        return Ok(copy);
    }
    let source = ctx.memory.check_read(from, bytes, 1).map_err(|kind| ctx.memory.refusal(kind, from))?;
    let contents = match source {
        Some(source) => ctx.memory.seen(from.prov, source, bytes as usize),
        None => return Ok(copy),
    };
    *ctx.memory.allocation_mut(number as usize).contents_mut() = contents;
    Ok(copy)
}

fn apply(ctx: &Ctx<'_, '_>, facts: Option<&Facts>, shape: &Shape, value: Val) -> Step<Val> {
    match facts {
        Some(facts) => facts.apply(ctx.memory, shape, value),
        None => Ok(value),
    }
}

/// Whether two values are the same. Pointers are the same if they point to the same place in the same object,
/// regardless of the restrictions of parameter attributes.
pub(super) fn is_same(ctx: &Ctx<'_, '_>, a: &Val, b: &Val) -> bool {
    match (a, b) {
        (Val::Ptr(x), Val::Ptr(y)) => {
            x.addr == y.addr && ctx.memory.object_of(*x) == ctx.memory.object_of(*y)
        }
        (Val::Agg(x), Val::Agg(y)) => {
            x.len() == y.len() && x.iter().zip(y.iter()).all(|(x, y)| is_same(ctx, x, y))
        }
        (Val::Poison | Val::Bits(_) | Val::Wide(_) | Val::Ptr(_) | Val::Agg(_), _) => a == b,
    }
}
