//! The general loop: executes operations one by one in their full form and delegates supported ones to
//! [`super::quick`]. The dispatch has one line per operation; the other files of this folder implement them.

use super::ctx::Ctx;
use super::diverge::{Again, Detector, Site};
use super::frames::{Frames, Resume, is_same};
use super::fuel::Fuel;
use super::regs::Regs;
use super::{agg, float, gep, intrinsic, lane, mem};
use crate::compile::op::{Code, EdgeId, Op, SwitchOp};
use crate::compile::reg::Reg;
use crate::facts::null_is_address;
use crate::outcome::{Exit, Feature, Outcome, Step, Stop, UbKind};
use crate::trace::{Done, Entry, Observer};
use crate::value::Val;
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::InstKind;

/// Where execution continues after an operation.
enum Next {
    /// At the next operation.
    On,
    /// At the first operation after an edge.
    Edge(EdgeId),
    /// At the entry of the called function.
    Call,
    /// In the caller, with the returned register.
    Return(Option<Reg>),
    /// In a caller that catches exceptions.
    Resume,
}

/// A run in progress.
pub(super) struct Runner<'r, 'p, O> {
    pub(super) frames: &'r mut Frames<'p>,
    pub(super) fuel: Fuel<'r>,
    pub(super) detector: &'r mut Detector,
    pub(super) observer: &'r mut O,
}

impl<'p, O: Observer> Runner<'_, 'p, O> {
    /// Runs until the outermost function is left.
    pub(super) fn run(&mut self, ctx: &mut Ctx<'_, 'p>) -> Outcome {
        let mut pc = 0;
        if O::ACTIVE {
            self.report_entry(ctx, None, false);
        }
        if let Err(stop) = self.fuel.burn(ctx.code.entry_cost.into()) {
            return self.stopped(ctx, stop);
        }
        loop {
            let stop = match self.frame(ctx, pc) {
                Ok(Resume::At(next)) => {
                    pc = next;
                    continue;
                }
                Ok(Resume::Edge(edge)) => self.edge(ctx, edge),
                Ok(Resume::Finished(value)) => return Outcome::Returned(value),
                Err(Stop::Exit(Exit::Threw)) => {
                    let op = &ctx.code.ops[ctx.pc];
                    let call = if let Op::Call(call) = op { Some(&**call) } else { None };
                    match self.frames.throw(ctx, call) {
                        Ok(Resume::Edge(edge)) => self.edge(ctx, edge),
                        Ok(_) => Err(Stop::Exit(Exit::Exited)),
                        Err(stop) => Err(stop),
                    }
                }
                Err(stop) => Err(stop),
            };
            match stop {
                Ok(next) => pc = next,
                Err(stop) => return self.stopped(ctx, stop),
            }
        }
    }
    fn stopped(&self, ctx: &Ctx<'_, 'p>, stop: Stop) -> Outcome {
        let place = ctx.place();
        match stop {
            Stop::Ub(UbKind::NullDereference | UbKind::InvalidPointer) if may_access_valid_null(ctx) => {
                Stop::unsupported(NEAR_VALID_NULL).at(place)
            }
            Stop::Diverges { progress: false, .. } if self.frames.mustprogress() => {
                Outcome::Ub { kind: UbKind::NoProgress, place }
            }
            Stop::Diverges { .. } | Stop::Exit(Exit::Exited | Exit::Looped | Exit::Trapped(_)) => {
                self.frames.check_leaving(place, stop.at(place))
            }
            Stop::Ub(_)
            | Stop::Unsupported(_)
            | Stop::Exit(Exit::Threw | Exit::Deoptimized)
            | Stop::Fuel
            | Stop::Limit(_)
            | Stop::Done(_) => stop.at(place),
        }
    }
    /// Runs operations of the topmost frame from `pc` until the frame changes. Observed runs execute every operation
    /// in its full form.
    fn frame(&mut self, ctx: &mut Ctx<'_, 'p>, mut pc: usize) -> Step<Resume> {
        loop {
            if !O::ACTIVE {
                pc = self.quick(ctx, pc)?;
            }
            let Some(top) = self.frames.list.last() else { return Ok(Resume::Finished(None)) };
            let (code, base): (&'p Code, usize) = (top.code, top.base);
            ctx.pc = pc;
            let next = step(ctx, &mut self.frames.stack.regs(base), &code.ops[pc])?;
            let is_reported = matches!(next, Next::Call) || matches!(code.ops[pc], Op::AsmJump(_));
            if O::ACTIVE && !is_reported {
                self.report(ctx, code, base, pc);
            }
            match next {
                Next::On => pc += 1,
                Next::Edge(edge) => pc = self.edge(ctx, edge)?,
                Next::Call => return self.call(ctx, code, base, pc),
                Next::Return(reg) => {
                    let value = reg.map(|r| self.frames.stack.regs(base).get(r));
                    let resume = self.frames.leave(ctx, value)?;
                    if O::ACTIVE {
                        self.report_return(ctx);
                    }
                    return Ok(resume);
                }
                Next::Resume => return Err(Stop::Exit(Exit::Threw)),
            }
        }
    }
    fn call(&mut self, ctx: &mut Ctx<'_, 'p>, code: &'p Code, base: usize, pc: usize) -> Step<Resume> {
        let Op::Call(call) = &code.ops[pc] else { return Ok(Resume::At(pc + 1)) };
        let depth = self.frames.list.len();
        match self.frames.call(ctx, call)? {
            Some(resume) => {
                if O::ACTIVE {
                    self.report(ctx, code, base, pc);
                }
                Ok(resume)
            }
            None => {
                let replaced = self.frames.list.len() == depth;
                if O::ACTIVE {
                    self.report_entry(ctx, Some(code.places[pc]), replaced);
                }
                self.fuel.burn(ctx.code.entry_cost.into())?;
                if replaced {
                    self.detect_at_entry(ctx)?;
                }
                Ok(Resume::At(0))
            }
        }
    }
    /// If a check is due, looks for a repeated state at the entry of a function whose frame replaced its caller's
    /// (`musttail`).
    fn detect_at_entry(&mut self, ctx: &Ctx<'_, 'p>) -> Step<()> {
        let Some(base) = self.frames.list.last().map(|f| f.base) else { return Ok(()) };
        let entry = ctx.program.module().body(ctx.func).and_then(Body::entry);
        let word = self.frames.stack.words.get(base + self.detector.probe as usize).copied().unwrap_or(0);
        let site = Site::Entry(ctx.func);
        match entry.filter(|_| self.detector.is_due(site, false, word)) {
            Some(block) => self.detect(ctx, site, block),
            None => Ok(()),
        }
    }
    /// Takes an edge of the topmost frame: copies phi values and burns fuel.
    fn edge(&mut self, ctx: &mut Ctx<'_, 'p>, id: EdgeId) -> Step<usize> {
        let Some(top) = self.frames.list.last() else { return Err(Stop::Fuel) };
        let (code, base) = (top.code, top.base);
        let edge = &code.edges[id as usize];
        let mut regs = self.frames.stack.regs(base);
        for &(dst, src) in &code.moves[edge.moves.0 as usize..edge.moves.1 as usize] {
            regs.copy(dst, src);
        }
        self.fuel.burn(edge.cost.into())?;
        if edge.backward {
            let word = self.frames.stack.words[base + self.detector.probe as usize];
            if self.detector.is_due(Site::Edge(id), edge.mustprogress, word) {
                self.detect(ctx, Site::Edge(id), edge.block)?;
            }
        }
        if O::ACTIVE {
            self.report_phis(ctx, code, base, id);
        }
        Ok(edge.target as usize)
    }
    /// Looks for a repeated state at a site where `block` begins.
    #[cold]
    pub(super) fn detect(&mut self, ctx: &Ctx<'_, 'p>, site: Site, block: Block) -> Step<()> {
        match self.detector.look(ctx, site, self.frames) {
            Some(Again { all_mustprogress: true, progress: false }) => Err(Stop::Ub(UbKind::NoProgress)),
            Some(Again { progress, .. }) => Err(Stop::Diverges { block, progress }),
            None => Ok(()),
        }
    }
    fn report_entry(&mut self, ctx: &Ctx<'_, 'p>, call: Option<Inst>, replaces: bool) {
        let Some(top) = self.frames.list.last() else { return };
        let (base, count) = (top.base, top.signature.params.len());
        let args: Vec<Val> = (base..base + count).map(|place| self.frames.stack.value(place)).collect();
        let depth = self.frames.list.len() - 1;
        self.observer.call(Entry { func: ctx.func, call, replaces, depth, args: &args, memory: ctx.memory });
    }
    /// Reports the call's result once the caller resumes after it.
    fn report_return(&mut self, ctx: &Ctx<'_, 'p>) {
        if let Some((code, base)) = self.frames.list.last().map(|top| (top.code, top.base)) {
            self.report(ctx, code, base, ctx.pc);
        }
    }
    fn report(&mut self, ctx: &Ctx<'_, 'p>, code: &Code, base: usize, pc: usize) {
        let inst = code.places[pc];
        let value = code.regs[inst].map(|reg| self.frames.stack.value(base + reg as usize));
        let (func, depth, events) = (ctx.func, self.frames.list.len() - 1, ctx.events.list.len());
        self.observer.step(Done { func, inst, depth, value: value.as_ref(), memory: ctx.memory, events });
    }
    fn report_phis(&mut self, ctx: &Ctx<'_, 'p>, code: &Code, base: usize, id: EdgeId) {
        let block = code.edges[id as usize].block;
        let depth = self.frames.list.len() - 1;
        self.observer.enter(ctx.func, block, depth);
        if let Ok(i) = code.phis.binary_search_by_key(&block, |(b, _)| *b) {
            for (phi, reg) in &code.phis[i].1 {
                let value = self.frames.stack.value(base + *reg as usize);
                let (func, inst, events) = (ctx.func, *phi, ctx.events.list.len());
                let value = Some(&value);
                self.observer.step(Done { func, inst, depth, value, memory: ctx.memory, events });
            }
        }
    }
}

/// Name of an access at or near null where null may be a valid address.
const NEAR_VALID_NULL: Feature = Feature::Other("an access at or near null where null may be an address");

/// Whether the current access, which resolved to no object, may access memory at null ([`null_is_address`]).
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "other instructions access no memory by a pointer operand"
)]
fn may_access_valid_null(ctx: &Ctx<'_, '_>) -> bool {
    let module = ctx.program.module();
    let (Some(inst), Some(body)) = (ctx.place().inst, module.body(ctx.func)) else { return false };
    let data = body.inst(inst);
    let pointers = match data.kind {
        InstKind::Load(_) | InstKind::AtomicRmw(..) | InstKind::CmpXchg(_) => &data.operands[..1],
        InstKind::Store(_) => &data.operands[1..],
        InstKind::Call(_) | InstKind::Invoke(_) | InstKind::CallBr(_) => {
            data.call().map_or(&[][..], |call| call.args())
        }
        _ => &[],
    };
    let attrs = &module.env.funcs[ctx.func].attrs;
    pointers.iter().any(|p| null_is_address(&module.env, attrs, body.ty(*p)))
}

/// Executes one operation.
fn step(ctx: &mut Ctx<'_, '_>, regs: &mut Regs<'_>, op: &Op) -> Step<Next> {
    match op {
        Op::Lanes(op) => lane::run(ctx, regs, op)?,
        Op::Gep(op) => gep::run(ctx, regs, op)?,
        Op::Load(op) => mem::load(ctx, regs, op)?,
        Op::Store(op) => mem::store(ctx, regs, op)?,
        Op::Rmw(args) => mem::rmw(ctx, regs, args)?,
        Op::CmpXchg(args) => mem::cmpxchg(ctx, regs, args)?,
        Op::Fence => ctx.events.side_effects += 1,
        Op::Alloca(op) => mem::alloca(ctx, regs, op)?,
        Op::Agg(op) => agg::run(ctx, regs, op),
        Op::Check(reg, check) => {
            let value = check.0.apply(ctx.memory, &check.1, regs.get(*reg))?;
            regs.set(*reg, value);
        }
        Op::Pass(op) => {
            let value = op.facts.apply(ctx.memory, &op.shape, regs.get(op.from))?;
            regs.set(op.to, value);
        }
        Op::Returned(dst, arg, shape) => {
            if !is_same(ctx, &regs.get(*arg), &regs.get(*dst)) {
                regs.set(*dst, shape.poison());
            }
        }
        Op::Denormals(op) => float::refuse_denormals(regs, op)?,
        Op::FastPhi(reg, flags) => {
            let value = float::apply_flags(ctx, flags.0, &flags.1, regs.get(*reg))?;
            regs.set(*reg, value);
        }
        Op::FastCall(op) => {
            let args: Vec<_> = op.args.iter().map(|(reg, shape)| (regs.get(*reg), shape)).collect();
            let value = float::call_flags(ctx, op.fast, &op.shape, &args, regs.get(op.dst))?;
            regs.set(op.dst, value);
        }
        Op::Intrinsic(op) => intrinsic::run(ctx, regs, op)?,
        Op::LandingPad(reg, shape) => {
            let value = super::external::land(ctx, shape)?;
            regs.set(*reg, value);
        }
        Op::Br(edge) => return Ok(Next::Edge(*edge)),
        Op::CondBr { cond, if_true, if_false } => {
            return branch(&regs.get(*cond)).map(|bit| Next::Edge(if bit { *if_true } else { *if_false }));
        }
        Op::Switch(op) => return switch(&regs.get(op.value), op).map(Next::Edge),
        Op::IndirectBr(address, ways) => return jump(&regs.get(*address), ways).map(Next::Edge),
        Op::AsmJump(ways) => {
            let which = super::external::jump_target(ctx)?;
            return Ok(Next::Edge(*ways.get(which).unwrap_or(&ways[0])));
        }
        Op::Call(_) => return Ok(Next::Call),
        Op::Ret(value) => return Ok(Next::Return(*value)),
        Op::Resume(exception) => {
            ctx.events.resumed = Some(regs.get(*exception));
            return Ok(Next::Resume);
        }
        Op::Unreachable => return Err(Stop::Ub(UbKind::Unreachable)),
        Op::Unsupported(feature) => return Err(Stop::unsupported((**feature).clone())),
    }
    Ok(Next::On)
}

#[inline]
fn branch(cond: &Val) -> Step<bool> {
    match cond {
        Val::Bits(bit) => Ok(*bit != 0),
        Val::Wide(_) => Err(Stop::Ub(UbKind::BranchOnUndef)),
        Val::Poison | Val::Ptr(_) | Val::Agg(_) => Err(Stop::Ub(UbKind::BranchOnPoison)),
    }
}

/// Resolves an `indirectbr`. UB if no listed block has the address.
fn jump(address: &Val, ways: &[(u64, EdgeId)]) -> Step<EdgeId> {
    let address = match address {
        Val::Ptr(pointer) => pointer.addr,
        Val::Poison => return Err(Stop::Ub(UbKind::BranchOnPoison)),
        Val::Bits(_) | Val::Wide(_) | Val::Agg(_) => return Err(Stop::Ub(UbKind::BranchOnUndef)),
    };
    let way = ways.iter().find(|(place, _)| *place == address);
    way.map(|(_, edge)| *edge).ok_or(Stop::Ub(UbKind::Unreachable))
}

fn switch(value: &Val, op: &SwitchOp) -> Step<EdgeId> {
    let Some(cube) = value.cube() else { return Err(Stop::Ub(UbKind::BranchOnPoison)) };
    if !cube.is_known() {
        return Err(Stop::Ub(UbKind::BranchOnUndef));
    }
    Ok(op.edge(cube.bits))
}
