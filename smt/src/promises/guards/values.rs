//! Hashes of what values compute.
//!
//! Flags and attributes that make a result poison are left out; those that leave results open are included. Poison
//! causes UB at the branch or access that needs the value, which the engines see. A `freeze` hides poison, so the
//! operand of a `freeze` has a different hash, which includes these flags.
//!
//! The first iteration of a loop has hashes of its own, in which the phis of its header have their initial values.

use super::chosen::open_flags;
use super::memory::State;
use super::{Guards, Joined, Unlike};
use crate::promises::attributes::spelled;
use crate::promises::nodes::words;
use crate::promises::pointers::steps;
use backedge_ir::entity::{Block, EntityId as _, Inst};
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::opcode::BinaryOp;
use backedge_ir::print::{body_constant_to_string, type_to_string};
use backedge_ir::types::Type;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher as _};

/// The interpretation of a value in a hash.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Sense {
    /// Without poison-generating flags.
    Plain,
    /// With poison-generating flags.
    Flagged,
    /// Without poison-generating flags, in the first iteration of the loop with this header.
    First(Block),
}

impl Sense {
    /// The interpretation of the operand of a `freeze`. In a first iteration, the operand is then unknown.
    fn frozen(self) -> Self {
        match self {
            Self::Plain | Self::Flagged => Self::Flagged,
            Self::First(header) => Self::First(header),
        }
    }
}

/// Hashes of instructions.
pub(super) type Hashes = FxHashMap<(Inst, Sense), u64>;

/// The position of an instruction among those that look alike.
#[derive(Copy, Clone, Hash)]
pub(super) struct Among {
    pub(super) place: usize,
    pub(super) count: usize,
}

impl Guards<'_> {
    /// A hash of a value at its use in `at`.
    pub(in crate::promises) fn value(&mut self, value: Value, at: Inst) -> u64 {
        self.value_in(value, self.body.block_of(at), Sense::Plain)
    }
    /// A hash of the result of `inst` or of the memory version that it creates, including its operands and previous
    /// memory.
    pub(in crate::promises) fn state(&mut self, inst: Inst) -> u64 {
        hashed((self.hash_of(inst, Sense::Flagged), self.loops_of(inst)))
    }
    /// A hash of the result or write of `inst` and of the memory before it.
    pub(in crate::promises) fn moment(&mut self, inst: Inst) -> u64 {
        let state = self.versions.at(self.env, self.body, inst);
        let memory = self.state_in(state, self.body.block_of(inst), Sense::Flagged);
        hashed((self.state(inst), memory))
    }
    /// A hash of the value that a write stores, including poison-generating flags.
    pub(in crate::promises) fn written(&mut self, write: Inst) -> u64 {
        let data = self.body.inst(write);
        let block = self.body.block_of(write);
        match data.kind {
            InstKind::Store(_) => self.value_in(data.operands[0], block, Sense::Flagged),
            _ => self.hash_of(write, Sense::Flagged),
        }
    }
    /// A hash of the address `pointer` at its use in `at`.
    pub(in crate::promises) fn address(&mut self, pointer: Value, at: Inst) -> u64 {
        hashed(self.address_in_parts(pointer, at))
    }
    /// The same, as the hash of a base address and a constant offset in bytes.
    pub(in crate::promises) fn address_in_parts(&mut self, pointer: Value, at: Inst) -> (u64, i64) {
        let user = self.body.block_of(at);
        let mut at = pointer;
        let mut offset = 0i64;
        let mut terms: BTreeMap<u64, i64> = BTreeMap::new();
        // Unreachable code may use its own results.
        let mut seen: FxHashSet<Inst> = FxHashSet::default();
        while let Value::Inst(inst) = at {
            let data = self.body.inst(inst);
            let InstKind::Gep { source, .. } = &data.kind else { break };
            // A value computed in a loop and used after it is the value of the last iteration.
            let is_here = self.left(self.body.block_of(inst), user) == 0;
            let is_plain = data.ty.is_ptr() && is_here;
            let scalar = is_plain.then(|| steps(self.env, self.body, *source, &data.operands)).flatten();
            let Some((by, indices)) = scalar.filter(|_| seen.insert(inst)) else { break };
            offset = offset.wrapping_add(by);
            for (index, bytes) in indices {
                let (index, more) = self.without_constant(index, user);
                offset = offset.wrapping_add(bytes.wrapping_mul(more));
                let index = self.value_in(index, user, Sense::Plain);
                let count = terms.entry(index).or_default();
                *count = count.wrapping_add(bytes);
            }
            at = data.operands[0];
        }
        terms.retain(|_, bytes| *bytes != 0);
        let base = self.value_in(at, user, Sense::Plain);
        (hashed((base, terms)), offset)
    }
    /// Splits off the last constant added to an index.
    fn without_constant(&self, index: Value, user: Option<Block>) -> (Value, i64) {
        let sum = || {
            let inst = index.as_inst().filter(|inst| self.left(self.body.block_of(*inst), user) == 0)?;
            let data = self.body.inst(inst);
            let is_sum = matches!(data.kind, InstKind::Binary(BinaryOp::Add, _))
                && self.body.ty(index) == Type::int(64);
            let by = self.body.as_int(*data.operands.get(1).filter(|_| is_sum)?)?;
            Some((data.operands[0], i64::try_from(by.signed()).ok()?))
        };
        sum().unwrap_or((index, 0))
    }
    /// Number of loops exited between a definition and its use.
    fn left(&self, defined: Option<Block>, used: Option<Block>) -> usize {
        let (Some(defined), Some(used)) = (defined, used) else { return 0 };
        let around = self.schedule.around(defined).iter();
        around.filter(|header| !self.schedule.is_inside(used, **header)).count()
    }
    /// A hash of a value used in a block, in this interpretation.
    pub(super) fn value_in(&mut self, value: Value, user: Option<Block>, sense: Sense) -> u64 {
        match value {
            Value::Arg(arg) if sense == Sense::Flagged => {
                let list = self.params.get(arg.index());
                let attrs = list.into_iter().flat_map(|list| self.env.attrs(list));
                let attrs: Vec<String> = attrs.map(|attr| spelled(self.env, attr)).collect();
                hashed((1, arg.index(), attrs))
            }
            Value::Arg(arg) => hashed((1, arg.index())),
            Value::Const(c) => hashed(self.typed(body_constant_to_string(self.env, self.body, c))),
            Value::Inst(inst) => {
                let hash = self.hash_of(inst, sense);
                self.marked(hash, self.body.block_of(inst), user)
            }
        }
    }
    /// The hash as seen in `user`: if loops are exited on the way, the value of the last iteration.
    fn marked(&self, hash: u64, defined: Option<Block>, user: Option<Block>) -> u64 {
        match self.left(defined, user) {
            0 => hash,
            left => hashed(("last", left, hash)),
        }
    }
    /// A hash of a memory version as seen in `user`.
    fn state_in(&mut self, state: State, user: Option<Block>, sense: Sense) -> u64 {
        match state {
            State::Entry => 0,
            State::Written(inst) => {
                let hash = self.hash_of(inst, sense);
                self.marked(hash, self.body.block_of(inst), user)
            }
            State::Joined(block) if sense == Sense::First(block) => {
                let mut before =
                    self.cfg.preds(block).iter().filter(|pred| !self.schedule.is_inside(**pred, block));
                match (before.next().copied(), before.next()) {
                    (Some(pred), None) => self.state_in(self.versions.after(pred), user, sense),
                    _ => hashed((self.of, block, "first")),
                }
            }
            State::Joined(block) if self.is_open(Some(block), sense) => hashed((self.of, block, "first")),
            State::Joined(block) => {
                let class = self.joined.get(&Joined::Memory(block, sense == Sense::Flagged)).copied();
                let unlike = self.unlike.contains(&Unlike::Memory(block)).then_some((self.of, block));
                self.marked(hashed((class, unlike)), Some(block), user)
            }
        }
    }
    /// For each incoming edge of a phi, hashes of the conditions on that edge and of the incoming value, in order.
    pub(super) fn incoming(&mut self, joined: super::Joined) -> Vec<(u64, u64)> {
        let mut incoming = Vec::new();
        match joined {
            Joined::Values(phi, with_flags) => {
                let data = self.body.inst(phi);
                let Some(block) = self.body.block_of(phi) else { return Vec::new() };
                let sense = if with_flags { Sense::Flagged } else { Sense::Plain };
                for (value, pred) in data.incoming() {
                    let edge = self.edge(pred, block);
                    incoming.push((edge, self.value_in(value, Some(pred), sense)));
                }
            }
            Joined::Memory(block, with_flags) => {
                let sense = if with_flags { Sense::Flagged } else { Sense::Plain };
                for pred in self.cfg.preds(block).to_vec() {
                    let edge = self.edge(pred, block);
                    let state = self.versions.after(pred);
                    incoming.push((edge, self.state_in(state, Some(pred), sense)));
                }
            }
            Joined::Loop(header) => {
                for pred in self.cfg.preds(header).to_vec() {
                    incoming.push((self.edge(pred, header), 0));
                }
            }
        }
        incoming.sort_unstable();
        incoming
    }
    /// The hash of the result of `inst` or, if it writes memory, of the memory version that it creates.
    pub(super) fn hash_of(&mut self, inst: Inst, sense: Sense) -> u64 {
        let mut work = vec![(inst, sense, false)];
        while let Some((inst, sense, has_operands)) = work.pop() {
            let inner = match self.body.inst(inst).kind {
                InstKind::Freeze => sense.frozen(),
                _ => sense,
            };
            if has_operands {
                let hash = self.computed(inst, sense, inner);
                self.hashes.insert((inst, sense), hash);
                continue;
            }
            if self.hashes.contains_key(&(inst, sense)) {
                continue;
            }
            // Cycles without a phi exist only in unreachable code; they get this hash.
            self.hashes.insert((inst, sense), 0);
            work.push((inst, sense, true));
            let operands = self.followed(inst, sense).into_iter().filter_map(Value::as_inst);
            let mut needed: Vec<Inst> = operands.collect();
            if let Some(State::Written(write)) = self.versions.before(inst) {
                needed.push(write);
            }
            work.extend(needed.into_iter().map(|operand| (operand, inner, false)));
        }
        self.hashes[&(inst, sense)]
    }
    /// The hash of an instruction whose operands have been hashed.
    fn computed(&mut self, inst: Inst, sense: Sense, inner: Sense) -> u64 {
        let block = self.body.block_of(inst);
        let data = self.body.inst(inst);
        let unlike = self.unlike.contains(&Unlike::Value(inst)).then_some((self.of, inst));
        if data.kind.is_phi() {
            if let Some(value) = self.copied(inst).filter(|_| unlike.is_none()) {
                return self.known(value, block, inner);
            }
            if let Some(begins) = self.beginning(inst, sense) {
                return self.known(begins, block, inner);
            }
            let open = self.is_open(block, sense).then_some((self.of, inst));
            let class = self.joined.get(&Joined::Values(inst, sense == Sense::Flagged)).copied();
            return hashed((self.words(inst, sense), class, unlike, open));
        }
        let operands: Vec<u64> = data.operands.iter().map(|value| self.known(*value, block, inner)).collect();
        let memory = self.versions.before(inst).map(|state| match state {
            State::Written(write) => {
                let hash = self.hashes.get(&(write, inner)).copied().unwrap_or(0);
                self.marked(hash, self.body.block_of(write), block)
            }
            state => self.state_in(state, block, inner),
        });
        let place = self.places.get(&inst).copied();
        // A value chosen in each iteration differs from a value chosen once.
        let around = self.chosen(inst).and(block);
        let loops = around.map(|block| self.loops_around(block));
        let first = around.filter(|block| self.is_open(Some(*block), sense)).map(|_| (self.of, inst));
        hashed((self.words(inst, sense), operands, memory, place, unlike, loops, first))
    }
    /// The hash of an operand that has been hashed.
    fn known(&mut self, value: Value, user: Option<Block>, sense: Sense) -> u64 {
        match value {
            Value::Inst(inst) => {
                let hash = self.hashes.get(&(inst, sense)).copied().unwrap_or(0);
                self.marked(hash, self.body.block_of(inst), user)
            }
            Value::Arg(_) | Value::Const(_) => self.value_in(value, user, sense),
        }
    }
    /// The operands that contribute to the hash of `inst`. A phi has none, unless it is a copy or has an initial value.
    fn followed(&self, inst: Inst, sense: Sense) -> Vec<Value> {
        let data = self.body.inst(inst);
        match data.kind.is_phi() && self.copied(inst).is_none() {
            true => self.beginning(inst, sense).into_iter().collect(),
            false => data.operands.to_vec(),
        }
    }
    /// The only incoming value of a phi without flags.
    fn copied(&self, phi: Inst) -> Option<Value> {
        let data = self.body.inst(phi);
        match (&data.kind, &data.operands[..]) {
            (InstKind::Phi(fast), [value]) if fast.is_empty() => Some(*value),
            _ => None,
        }
    }
    /// The initial value of a header phi, for the interpretation of a first iteration.
    fn beginning(&self, phi: Inst, sense: Sense) -> Option<Value> {
        let Sense::First(header) = sense else { return None };
        let data = self.body.inst(phi);
        let mut from_outside = data
            .incoming()
            .filter(|(_, pred)| !self.schedule.is_inside(*pred, header))
            .map(|(value, _)| value);
        let only = from_outside.next().filter(|_| self.body.block_of(phi) == Some(header))?;
        from_outside.next().is_none().then_some(only)
    }
    /// Whether merges in `block` are unknown in the first iteration of a loop.
    fn is_open(&self, block: Option<Block>, sense: Sense) -> bool {
        let Sense::First(header) = sense else { return false };
        block.is_some_and(|block| self.schedule.is_inside(block, header))
    }
    /// Text of the operation of `inst`, in this interpretation.
    fn words(&self, inst: Inst, sense: Sense) -> String {
        let data = self.body.inst(inst);
        let env = self.env;
        let more = match &data.kind {
            InstKind::ICmp { pred, .. } => format!("{pred:?}"),
            InstKind::FCmp(pred, _) => format!("{pred:?}"),
            InstKind::Gep { source, .. } => type_to_string(&env.types, *source),
            InstKind::ExtractValue(indices) | InstKind::InsertValue(indices) => format!("{indices:?}"),
            InstKind::ShuffleVector(mask) => format!("{mask:?}"),
            InstKind::Alloca(info) => {
                let users = self.body.uses(inst.into());
                let mut users: Vec<_> =
                    users.iter().map(|u| self.body.inst(u.user).kind.mnemonic()).collect();
                users.sort_unstable();
                format!("{} {:?} {users:?}", type_to_string(&env.types, info.ty), info.align)
            }
            InstKind::AtomicRmw(..) | InstKind::CmpXchg(_) | InstKind::Fence(..) => {
                format!("{:?}", data.kind)
            }
            _ => String::new(),
        };
        let flags = if sense == Sense::Flagged { self.flags(inst) } else { String::new() };
        let open = open_flags(data);
        let ty = type_to_string(&env.types, data.ty);
        self.typed(format!("{} {ty} {more} {open:?} {flags}", data.kind.mnemonic()))
    }
    /// Text of the flags and attributes that make the result of `inst` poison.
    fn flags(&self, inst: Inst) -> String {
        let data = self.body.inst(inst);
        let own = match &data.kind {
            InstKind::Binary(_, flags) => format!("{flags:?}"),
            InstKind::Cast(_, flags) => format!("{flags:?}"),
            InstKind::Gep { flags, .. } => format!("{flags:?}"),
            InstKind::ICmp { samesign, .. } => format!("{samesign}"),
            InstKind::FNeg(fast) | InstKind::Select(fast) | InstKind::Phi(fast) => format!("{fast:?}"),
            InstKind::FloatBinary(_, fast) | InstKind::FCmp(_, fast) => format!("{fast:?}"),
            _ => String::new(),
        };
        let of_call = data.call().map(|call| {
            let callee = self.body.called_function(call.callee()).map(|func| &self.env.funcs[func]);
            let declared =
                callee.into_iter().flat_map(|func| [&func.ret_attrs].into_iter().chain(&func.param_attrs));
            let lists = [&call.info.ret_attrs].into_iter().chain(&call.info.arg_attrs).chain(declared);
            let attrs: Vec<Vec<String>> = lists
                .map(|list| self.env.attrs(list).map(|attr| spelled(self.env, attr)).collect())
                .collect();
            format!("{:?} {attrs:?}", call.info.fast)
        });
        let metadata: Vec<String> = data
            .metadata
            .iter()
            .map(|(kind, node)| format!("{} {}", kind.name(), words(self.env, *node)))
            .collect();
        format!("{own} {of_call:?} {metadata:?}")
    }
}

pub(super) fn hashed(what: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    what.hash(&mut hasher);
    hasher.finish()
}
