//! What a body does through a pointer, and where a pointer may lead: by following copies, conservatively.

use super::kept::{Called, Calls};
use backedge_ir::attr::{Attr, FlagAttr, ModRef};
use backedge_ir::body::Body;
use backedge_ir::constant::{ConstData, GlobalRef};
use backedge_ir::entity::{Arg, EntityId, EntitySet, Inst};
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::module::Env;
use backedge_ir::opcode::CastOp;

/// What is done with a parameter and what is computed from it.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Uses {
    /// It is read from.
    pub(super) reads: bool,
    /// It is written to.
    pub(super) writes: bool,
    /// Something of the address is kept, compared or given back.
    pub(super) captured: bool,
    /// It goes where it can't be followed.
    pub(super) lost: bool,
    /// A call that is no intrinsic has it.
    pub(super) called: bool,
}

impl Uses {
    /// What `body` does with `arg`.
    pub(super) fn of(body: &Body, arg: Arg, calls: &Calls<'_>) -> Self {
        let mut uses = Self::default();
        let mut seen: EntitySet<Inst> = EntitySet::new();
        let mut work: Vec<Value> = vec![arg.into()];
        while let Some(pointer) = work.pop() {
            for use_ in body.uses(pointer) {
                let user = body.inst(use_.user);
                match &user.kind {
                    InstKind::Load(access) if !access.volatile => uses.reads = true,
                    InstKind::Store(access) if use_.index == 1 && !access.volatile => uses.writes = true,
                    InstKind::Gep { .. } if use_.index == 0 => uses.follow(use_.user, &mut seen, &mut work),
                    InstKind::Phi(_) | InstKind::Freeze | InstKind::Cast(CastOp::AddrSpaceCast, _) => {
                        uses.follow(use_.user, &mut seen, &mut work);
                    }
                    InstKind::Select(_) if use_.index > 0 => uses.follow(use_.user, &mut seen, &mut work),
                    InstKind::ICmp { .. } | InstKind::Ret => uses.captured = true,
                    InstKind::DebugRecord(_) => {}
                    InstKind::Call(_) | InstKind::Invoke(_) => {
                        uses.pass(use_.index as usize, use_.user, calls)
                    }
                    _ => uses.lose(),
                }
            }
        }
        uses
    }
    fn follow(&self, user: Inst, seen: &mut EntitySet<Inst>, work: &mut Vec<Value>) {
        if seen.insert(user) {
            work.push(user.into());
        }
    }
    fn lose(&mut self) {
        *self = Self { reads: true, writes: true, captured: true, lost: true, called: true };
    }
    /// It is an operand of a call.
    fn pass(&mut self, index: usize, inst: Inst, calls: &Calls<'_>) {
        let Some(called) = calls.of(inst) else { return self.lose() };
        if index >= called.args {
            // An operand bundle, or the callee.
            return match called.intrinsic {
                Some(Intrinsic::Assume) => {}
                _ => self.lose(),
            };
        }
        match called.intrinsic {
            Some(Intrinsic::LifetimeStart | Intrinsic::LifetimeEnd) => {}
            Some(Intrinsic::Memset) if index == 0 => self.writes = true,
            Some(Intrinsic::Memcpy | Intrinsic::Memmove) if index == 0 => self.writes = true,
            Some(Intrinsic::Memcpy | Intrinsic::Memmove) if index == 1 => self.reads = true,
            Some(_) => self.lose(),
            None => {
                // The result is the argument again where it is `returned`, and is not followed.
                if !calls.argument_has(called, index, &Attr::NoCapture)
                    || calls.argument_has(called, index, &Attr::Flag(FlagAttr::Returned))
                {
                    return self.lose();
                }
                let effect = calls.argument_effect(called, index);
                self.called = true;
                self.reads |= effect.reads;
                self.writes |= effect.writes;
            }
        }
    }
}

/// Where a pointer may lead.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Leads {
    /// To what a parameter points to.
    pub(super) argument: bool,
    /// To memory that is neither that nor the function's own.
    pub(super) other: bool,
    /// To a constant, which can be read without reading what counts.
    pub(super) constant: bool,
}

impl Leads {
    /// Where `pointer` may lead.
    pub(super) fn of(body: &Body, calls: &Calls<'_>, pointer: Value) -> Self {
        let mut leads = Self::default();
        let mut seen: EntitySet<Inst> = EntitySet::new();
        let mut work = vec![pointer];
        while let Some(value) = work.pop() {
            let inst = match value {
                Value::Arg(_) => {
                    leads.argument = true;
                    continue;
                }
                Value::Const(c) => {
                    match body.constant(c).data {
                        ConstData::Global(GlobalRef::Var(id)) if calls.env.vars[id].is_constant => {
                            leads.constant = true
                        }
                        ConstData::Global(GlobalRef::Var(_)) => leads.other = true,
                        _ => (leads.argument, leads.other) = (true, true),
                    }
                    continue;
                }
                Value::Inst(inst) => inst,
            };
            if !seen.insert(inst) {
                continue;
            }
            let data = body.inst(inst);
            match data.kind {
                InstKind::Gep { .. } | InstKind::Freeze | InstKind::Cast(CastOp::AddrSpaceCast, _) => {
                    work.push(data.operands[0]);
                }
                InstKind::Phi(_) => work.extend(data.operands.iter().copied()),
                InstKind::Select(_) => work.extend(data.operands[1..].iter().copied()),
                InstKind::Alloca(_) => {}
                // What was stored somewhere may be a parameter.
                _ => (leads.argument, leads.other) = (true, true),
            }
        }
        leads
    }
}

impl Calls<'_> {
    /// What a call may do through its argument at `index`.
    pub(super) fn argument_effect(&self, called: &Called, index: usize) -> ModRef {
        let has = |flag| self.argument_has(called, index, &backedge_ir::attr::Attr::Flag(flag));
        // Memory that is not its arguments' may be what they point to.
        let (arg, other) = (called.memory.argmem, called.memory.other);
        let effect = ModRef { reads: arg.reads || other.reads, writes: arg.writes || other.writes };
        ModRef {
            reads: effect.reads && !has(FlagAttr::WriteOnly) && !has(FlagAttr::ReadNone),
            writes: effect.writes && !has(FlagAttr::ReadOnly) && !has(FlagAttr::ReadNone),
        }
    }
}

/// What the pointers among the operands of `inst` go back to, by names that hold in both functions.
pub(super) fn roots(env: &Env, body: &Body, inst: Inst) -> Vec<String> {
    let mut seen: EntitySet<Inst> = EntitySet::new();
    let operands = body.inst(inst).operands.iter().copied();
    let mut work: Vec<Value> = operands.filter(|v| env.types.scalar(body.ty(*v)).is_ptr()).collect();
    let mut found = Vec::new();
    while let Some(value) = work.pop() {
        let inst = match value {
            Value::Arg(arg) => {
                found.push(format!("parameter {}", arg.index()));
                continue;
            }
            Value::Const(c) => {
                found.push(match body.constant(c).data {
                    ConstData::Global(global) => format!("@{}", env.name_of(global)),
                    _ => "a constant".to_owned(),
                });
                continue;
            }
            Value::Inst(inst) => inst,
        };
        if !seen.insert(inst) {
            continue;
        }
        let data = body.inst(inst);
        match data.kind {
            InstKind::Gep { .. } | InstKind::Freeze | InstKind::Cast(CastOp::AddrSpaceCast, _) => {
                work.push(data.operands[0]);
            }
            InstKind::Phi(_) => work.extend(data.operands.iter().copied()),
            InstKind::Select(_) => work.extend(data.operands[1..].iter().copied()),
            InstKind::Alloca(_) => found.push("an alloca".to_owned()),
            InstKind::Load(_) => found.push("what is loaded".to_owned()),
            InstKind::Call(_) | InstKind::Invoke(_) => found.push("what a call returns".to_owned()),
            _ => found.push("something else".to_owned()),
        }
    }
    found.sort();
    found.dedup();
    found
}
