//! The loop: takes one operation after the other. One line per operation; what they do stands in the other files.

use super::ctx::Ctx;
use super::diverge::Detector;
use super::frames::{Frames, Resume};
use super::{agg, fast, float, gep, intrinsic, lane, mem};
use crate::compile::op::{Code, EdgeId, Op, Reg, SwitchOp};
use crate::layout::Shape;
use crate::outcome::{Exit, Limit, Outcome, Step, Stop, UbKind};
use crate::trace::{Entry, Observer};
use crate::value::Val;
use backedge_ir::entity::Inst;
use backedge_ir::inst::CastOp;
use std::sync::atomic::{AtomicBool, Ordering};

/// Fuel that is burnt between two looks at whether the run is to stop.
const SLICE: u64 = 1 << 20;

/// What comes after an operation.
enum Next {
    /// The one that follows.
    On,
    /// The first one behind an edge.
    Edge(EdgeId),
    /// That of the function called.
    Call,
    /// That of the caller, with the value of a register.
    Return(Option<Reg>),
    /// That of a caller that catches exceptions.
    Resume,
}

/// A run in progress.
pub(super) struct Runner<'r, 'p, O> {
    pub(super) frames: Frames<'p>,
    pub(super) fuel: Fuel<'r>,
    pub(super) detector: Detector,
    pub(super) observer: &'r mut O,
}

/// Instructions that may still be run. Handed out in slices, so that a request to stop costs nothing in between.
pub(super) struct Fuel<'r> {
    slice: u64,
    reserve: u64,
    stop: Option<&'r AtomicBool>,
}

impl<'r> Fuel<'r> {
    /// `all` instructions; `stop` ends the run early.
    pub(super) fn new(all: u64, stop: Option<&'r AtomicBool>) -> Self {
        let slice = if stop.is_some() { all.min(SLICE) } else { all };
        Self { slice, reserve: all - slice, stop }
    }
    /// What is left.
    pub(super) fn rest(&self) -> u64 {
        self.slice + self.reserve
    }
    #[inline]
    fn burn(&mut self, cost: u64) -> Step<()> {
        match self.slice.checked_sub(cost) {
            Some(rest) => {
                self.slice = rest;
                Ok(())
            }
            None => self.refill(cost),
        }
    }
    #[cold]
    fn refill(&mut self, cost: u64) -> Step<()> {
        if self.stop.is_some_and(|s| s.load(Ordering::Relaxed)) {
            return Err(Stop::Limit(Limit::Stopped));
        }
        let all = self.rest().checked_sub(cost).ok_or(Stop::Fuel)?;
        self.slice = all.min(SLICE);
        self.reserve = all - self.slice;
        Ok(())
    }
}

impl<'p, O: Observer> Runner<'_, 'p, O> {
    /// Runs until the outermost function is left.
    pub(super) fn run(&mut self, ctx: &mut Ctx<'_, 'p>) -> Outcome {
        let mut pc = 0;
        if O::ACTIVE {
            self.report_entry(ctx, None);
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
            Stop::Diverges(_) if self.frames.mustprogress() => {
                Outcome::Ub { kind: UbKind::NoProgress, place }
            }
            Stop::Diverges(_) | Stop::Exit(Exit::Exited | Exit::Looped | Exit::Trapped) => {
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
    /// Runs operations of the topmost frame from `pc` until the frame changes.
    fn frame(&mut self, ctx: &mut Ctx<'_, 'p>, mut pc: usize) -> Step<Resume> {
        let Some(top) = self.frames.list.last() else { return Ok(Resume::Finished(None)) };
        let (code, base): (&'p Code, usize) = (top.code, top.base);
        loop {
            let regs = &mut self.frames.stack[base..];
            let next = loop {
                ctx.pc = pc;
                match step(ctx, regs, &code.ops[pc])? {
                    Next::On if !O::ACTIVE => pc += 1,
                    next @ (Next::On | Next::Edge(_) | Next::Call | Next::Return(_) | Next::Resume) => {
                        break next;
                    }
                }
            };
            if O::ACTIVE && !matches!(next, Next::Call) {
                self.report(ctx, code, base, pc);
            }
            match next {
                Next::On => pc += 1,
                Next::Edge(edge) => pc = self.edge(ctx, edge)?,
                Next::Call => return self.call(ctx, code, base, pc),
                Next::Return(reg) => {
                    let value = reg.map(|r| self.frames.stack[base + r as usize].clone());
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
        match self.frames.call(ctx, call)? {
            Some(resume) => {
                if O::ACTIVE {
                    self.report(ctx, code, base, pc);
                }
                Ok(resume)
            }
            None => {
                if O::ACTIVE {
                    self.report_entry(ctx, Some(code.places[pc]));
                }
                self.fuel.burn(ctx.code.entry_cost.into()).map(|()| Resume::At(0))
            }
        }
    }
    /// Goes over an edge of the topmost frame.
    #[inline]
    fn edge(&mut self, ctx: &mut Ctx<'_, 'p>, id: EdgeId) -> Step<usize> {
        let Some(top) = self.frames.list.last() else { return Err(Stop::Fuel) };
        let (code, base) = (top.code, top.base);
        let edge = &code.edges[id as usize];
        let regs = &mut self.frames.stack[base..];
        for &(dst, src) in &code.moves[edge.moves.0 as usize..edge.moves.1 as usize] {
            regs[dst as usize] = regs[src as usize].clone();
        }
        self.fuel.burn(edge.cost.into())?;
        if edge.backward {
            let depth = self.frames.list.len();
            if let Some(demands) = self.detector.visit(ctx, (id, edge), depth, &self.frames.stack) {
                return Err(if demands { Stop::Ub(UbKind::NoProgress) } else { Stop::Diverges(edge.block) });
            }
        }
        if O::ACTIVE {
            self.report_phis(ctx, code, base, id);
        }
        Ok(edge.target as usize)
    }
    fn report_entry(&mut self, ctx: &Ctx<'_, 'p>, call: Option<Inst>) {
        let Some(top) = self.frames.list.last() else { return };
        let args = &self.frames.stack[top.base..top.base + top.code.arg_count];
        let depth = self.frames.list.len() - 1;
        self.observer.call(Entry { func: ctx.func, call, depth, args, memory: ctx.memory });
    }
    /// The caller goes on behind its call.
    fn report_return(&mut self, ctx: &Ctx<'_, 'p>) {
        if let Some((code, base)) = self.frames.list.last().map(|top| (top.code, top.base)) {
            self.report(ctx, code, base, ctx.pc);
        }
    }
    fn report(&mut self, ctx: &Ctx<'_, 'p>, code: &Code, base: usize, pc: usize) {
        let inst = code.places[pc];
        let value = code.regs[inst].map(|reg| &self.frames.stack[base + reg as usize]);
        self.observer.look(ctx.memory, ctx.events.list.len());
        self.observer.step(ctx.func, inst, self.frames.list.len() - 1, value);
    }
    fn report_phis(&mut self, ctx: &Ctx<'_, 'p>, code: &Code, base: usize, id: EdgeId) {
        let block = code.edges[id as usize].block;
        let depth = self.frames.list.len() - 1;
        self.observer.enter(ctx.func, block, depth);
        if let Ok(i) = code.phis.binary_search_by_key(&block, |(b, _)| *b) {
            for (phi, reg) in &code.phis[i].1 {
                self.observer.step(ctx.func, *phi, depth, Some(&self.frames.stack[base + *reg as usize]));
            }
        }
    }
}

/// Executes one operation.
#[inline(always)]
fn step(ctx: &mut Ctx<'_, '_>, regs: &mut [Val], op: &Op) -> Step<Next> {
    match op {
        Op::Add(args) => fast::add(ctx, regs, args)?,
        Op::Sub(args) => fast::sub(ctx, regs, args)?,
        Op::Mul(args) => fast::mul(ctx, regs, args)?,
        Op::Shl(args) => fast::shl(ctx, regs, args)?,
        Op::LShr(args) => fast::lshr(ctx, regs, args)?,
        Op::AShr(args) => fast::ashr(ctx, regs, args)?,
        Op::And(args) => fast::and(ctx, regs, args)?,
        Op::Or(args) => fast::or(ctx, regs, args)?,
        Op::Xor(args) => fast::xor(ctx, regs, args)?,
        Op::Divide(op, args) => fast::divide(ctx, regs, *op, args)?,
        Op::ICmp(args) => fast::icmp(regs, args),
        Op::Trunc(args) => fast::cast(ctx, regs, CastOp::Trunc, args),
        Op::ZExt(args) => fast::cast(ctx, regs, CastOp::ZExt, args),
        Op::SExt(args) => fast::cast(ctx, regs, CastOp::SExt, args),
        Op::Select { dst, cond, a, b } => select(ctx, regs, [*dst, *cond, *a, *b]),
        Op::GepFast(args) => mem::gep(ctx, regs, args)?,
        Op::LoadInt(args) => mem::load_int(ctx, regs, args)?,
        Op::StoreInt(args) => mem::store_int(ctx, regs, args)?,
        Op::Lanes(op) => lane::run(ctx, regs, op)?,
        Op::Gep(op) => gep::run(ctx, regs, op)?,
        Op::Load(op) => mem::load(ctx, regs, op)?,
        Op::Store(op) => mem::store(ctx, regs, op)?,
        Op::Rmw(args) => mem::rmw(ctx, regs, args)?,
        Op::CmpXchg(args) => mem::cmpxchg(ctx, regs, args)?,
        Op::Fence => {}
        Op::Alloca(op) => mem::alloca(ctx, regs, op)?,
        Op::Agg(op) => agg::run(regs, op),
        Op::Check(reg, check) => {
            let value = std::mem::replace(&mut regs[*reg as usize], Val::Poison);
            regs[*reg as usize] = check.0.apply(ctx.memory, &check.1, value)?;
        }
        Op::FastPhi(reg, flags) => {
            let value = std::mem::replace(&mut regs[*reg as usize], Val::Poison);
            regs[*reg as usize] = float::apply_flags(flags.0, &flags.1, value)?;
        }
        Op::Intrinsic(op) => intrinsic::run(ctx, regs, op)?,
        Op::LandingPad(reg, shape) => regs[*reg as usize] = landing_pad(ctx, shape),
        Op::Br(edge) => return Ok(Next::Edge(*edge)),
        Op::CondBr { cond, if_true, if_false } => {
            return branch(&regs[*cond as usize])
                .map(|bit| Next::Edge(if bit { *if_true } else { *if_false }));
        }
        Op::Switch(op) => return switch(&regs[op.value as usize], op).map(Next::Edge),
        Op::Call(_) => return Ok(Next::Call),
        Op::Ret(value) => return Ok(Next::Return(*value)),
        Op::Resume => return Ok(Next::Resume),
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

fn switch(value: &Val, op: &SwitchOp) -> Step<EdgeId> {
    let Some(cube) = value.cube() else { return Err(Stop::Ub(UbKind::BranchOnPoison)) };
    if !cube.is_known() {
        return Err(Stop::Ub(UbKind::BranchOnUndef));
    }
    let case = op.cases.binary_search_by_key(&cube.bits, |(key, _)| *key);
    Ok(case.map_or(op.default, |i| op.cases[i].1))
}

#[inline]
fn select(ctx: &mut Ctx<'_, '_>, regs: &mut [Val], [dst, cond, a, b]: [Reg; 4]) {
    let result = match &regs[cond as usize] {
        Val::Bits(bit) => regs[if *bit != 0 { a } else { b } as usize].clone(),
        other @ (Val::Poison | Val::Ptr(_) | Val::Wide(_) | Val::Agg(_)) => {
            let (cond, a, b) = (other.clone(), regs[a as usize].clone(), regs[b as usize].clone());
            // The width matters for single bits alone; pointers never differ in one bit of meaning.
            let shape = if matches!((&a, &b), (Val::Bits(0 | 1), Val::Bits(0 | 1))) {
                Shape::Int(1)
            } else {
                Shape::Ptr(64)
            };
            lane::choose_arm(ctx, &shape, &cond, &a, &b)
        }
    };
    regs[dst as usize] = result;
}

/// What a `landingpad` gives: a pointer to an exception object that no one can look into, and a selector.
fn landing_pad(ctx: &mut Ctx<'_, '_>, shape: &Shape) -> Val {
    shape.fill(&mut |leaf| {
        let width = leaf.scalar_bits().unwrap_or(1);
        let bits = ctx.arbitrary(crate::chooser::ChoiceKind::CallResult, width);
        leaf.scalar_from(crate::value::Cube::known(bits))
    })
}
