//! The body of a vector loop: the recipes of its plan ([`crate::widen`]), each for all lanes of all parts before the
//! next. For loop nests see `nest`.
//!
//! A value that is the same in all lanes (loaded from an invariant address, or computed from such values) has one
//! scalar per part; any other value has one vector per part. A value used as an address also has its first lane; if it
//! has vectors, the first lane is extracted from these, so that values derived from `undef` or `freeze` are computed
//! only once.
//!
//! Each vector iteration recomputes inductions from the counter: the first lane as `start + index * step`, the others
//! from it. Operations keep the source's flags, because lanes compute the same as the source does in these iterations.
//! The chain of a reduction is an exception, because lanes have different partial results.

use super::choose::Choice;
use super::emitted::{Emitted, Frame, Pick, Rep, Start, Test, value_at};
use super::tools::Tools;
use crate::legality::{FirstOrder, HeaderPhi, Op, ReductionKind};
use crate::widen::{LoopBlock, Recipe};
use backedge_ir::builder::Builder;
use backedge_ir::constant::{ConstData, Constant};
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{BinaryFlags, BinaryOp, CallInfo, GepFlags, InstData, InstKind, MemAccess, Value};
use backedge_ir::int::Int;
use backedge_ir::metadata::MdKind;
use backedge_ir::opcode::FastMath;
use backedge_ir::types::Type;
use rustc_hash::FxHashMap;

/// The body under construction.
pub(super) struct Body<'e, 'b, 'c> {
    pub(super) editor: &'e mut Editor<'b>,
    pub(super) choice: &'c Choice,
    pub(super) tools: &'c Tools,
    pub(super) frame: Frame,
    pub(super) inductions: &'c [Start],
    pub(super) index: Inst,
    pub(super) reps: FxHashMap<Inst, Rep>,
    pub(super) firsts: FxHashMap<Inst, Vec<Value>>,
    pub(super) splats: FxHashMap<(Value, u32), Value>,
    /// For each instruction of a chain, the chain's phi.
    pub(super) chains: FxHashMap<Inst, (Inst, &'c HeaderPhi)>,
    /// The values of selections.
    pub(super) picks: FxHashMap<Inst, Vec<Pick>>,
    /// The vector phis of a reduction or selection, per part, or of a recurrence.
    pub(super) carried: FxHashMap<Inst, Vec<Inst>>,
    /// The starts of reductions that may be NaN and may be the result.
    pub(super) kept: FxHashMap<Inst, Value>,
    /// For selections, the phis of the selected values.
    pub(super) selected_phis: FxHashMap<Inst, Vec<Inst>>,
    /// The masks of blocks that not all lanes enter, per part.
    pub(super) masks: FxHashMap<Block, Vec<Value>>,
    /// The start addresses of masked accesses.
    pub(super) starts: FxHashMap<Inst, Value>,
    /// The stores to execute after the loop.
    pub(super) deferred: Vec<(Inst, Value, Inst)>,
    /// The test of the data-dependent exits.
    test: Option<Test>,
    /// In a loop nest, the new block for each block.
    pub(super) blocks: FxHashMap<Block, Block>,
    /// In a loop nest, the phis whose operands are added last: the source phi, and one new phi per part.
    pub(super) joined: Vec<(Inst, Vec<Inst>)>,
    /// The current insertion block.
    pub(super) current: Block,
}

impl<'e, 'b, 'c> Body<'e, 'b, 'c> {
    /// Emits the body into the blocks of the frame, without its terminator.
    pub(super) fn emit(
        editor: &'e mut Editor<'b>,
        choice: &'c Choice,
        tools: &'c Tools,
        frame: Frame,
        inductions: &'c [Start],
        starts: FxHashMap<Inst, Value>,
    ) -> Emitted {
        let phi = InstData::new(InstKind::Phi(FastMath::NONE), frame.count, [], []);
        let index = editor.insert_new(Position::End(frame.body), phi);
        editor.set_name(index, "index");
        let mut this = Self {
            editor,
            choice,
            tools,
            frame,
            inductions,
            index,
            reps: FxHashMap::default(),
            firsts: FxHashMap::default(),
            splats: FxHashMap::default(),
            chains: choice.legality.chains(),
            picks: FxHashMap::default(),
            selected_phis: FxHashMap::default(),
            carried: FxHashMap::default(),
            kept: FxHashMap::default(),
            test: None,
            blocks: FxHashMap::default(),
            joined: Vec::new(),
            masks: FxHashMap::default(),
            starts,
            deferred: Vec::new(),
            current: frame.body,
        };
        if choice.legality.nest.is_some() {
            this.begin_nest();
        }
        for block in &choice.plan.blocks {
            this.current = this.made(block.place);
            for recipe in &block.recipes {
                this.execute(recipe);
            }
        }
        this.close_nest();
        this.current = frame.rest;
        let (results, picked) = this.finish();
        let test = this.test.take();
        let Self { reps, kept, deferred, .. } = this;
        Emitted { index, reps, results, picked, kept, deferred, test }
    }
    /// The new block for a place of the plan.
    fn made(&self, place: LoopBlock) -> Block {
        match place {
            LoopBlock::Body => self.frame.body,
            LoopBlock::Rest => self.frame.rest,
            LoopBlock::Of(block) => self.made_of(block),
        }
    }
    /// Emits the code of a recipe.
    fn execute(&mut self, recipe: &Recipe) {
        let ours = self.editor.location();
        if let Some(inst) = recipe.inst() {
            let own = self.editor.body().inst(inst).metadata_of(&MdKind::Dbg).copied();
            self.editor.set_location(own.or(ours));
        }
        match recipe {
            Recipe::HeaderPhi(phi) => self.begin_carried(*phi),
            Recipe::WidenInduction(phi) => self.induction(*phi, true),
            Recipe::ScalarSteps(phi) => self.induction(*phi, false),
            Recipe::Mask(block) => self.begin_block(*block),
            Recipe::WidenPhi(phi) => self.begin_joined(*phi),
            Recipe::Blend(phi) => self.blend(*phi),
            Recipe::Widen(inst) | Recipe::WidenCall(inst) => self.widen(*inst),
            Recipe::Divide(inst) => self.divide(*inst),
            Recipe::Pick(inst) => self.choose_lanes(*inst),
            Recipe::Reduce(inst) => self.add_in_order(*inst),
            Recipe::Memory(inst) => self.memory(*inst),
            Recipe::Interleave(inst) => self.interleave(*inst),
            Recipe::Replicate(inst) => self.replicate(*inst),
            Recipe::Clone(inst) => self.clone_of(*inst),
            Recipe::First(inst) => self.first_of(*inst),
            Recipe::Once(inst) => self.once(*inst),
            Recipe::Fixed(inst, values) => self.fixed(*inst, values),
            Recipe::Splice(phi) => self.splice(*phi),
            Recipe::Defer(store) => self.defer(*store),
            Recipe::AnyExit => self.test = Some(self.test()),
            // Branches are emitted when all phi operands exist.
            Recipe::Branch(_) => {}
        }
        self.editor.set_location(ours);
    }

    pub(super) fn here(&self) -> Position {
        Position::End(self.current)
    }
    pub(super) fn at_end(&mut self) -> Builder<'_, 'b> {
        let here = self.here();
        Builder::new(self.editor, here)
    }
    /// Appends an instruction to the current block.
    pub(super) fn put(&mut self, kind: InstKind, ty: Type, operands: &[Value]) -> Value {
        let here = self.here();
        self.editor.insert_new(here, InstData::new(kind, ty, operands.iter().copied(), [])).into()
    }
    pub(super) fn parts(&self) -> usize {
        self.choice.parts as usize
    }
    pub(super) fn lanes(&self) -> u32 {
        self.choice.lanes
    }
    pub(super) fn contains(&self, inst: Inst) -> bool {
        self.choice.legality.form.contains(inst)
    }
    pub(super) fn lane_number(&mut self, lane: u32) -> Value {
        self.editor.int(Int::new(64, lane.into()))
    }

    /// Emits a vector instruction before the loop; a lane number, if given, is the last operand.
    pub(super) fn in_front(
        &mut self,
        kind: InstKind,
        ty: Type,
        operands: &[Value],
        lane: Option<u32>,
    ) -> Value {
        let lane = lane.map(|lane| self.lane_number(lane));
        let data = InstData::new(kind, ty, operands.iter().copied().chain(lane), []);
        self.editor.insert_new(Position::End(self.frame.vector_ph), data).into()
    }
    pub(super) fn constant_splat(&mut self, value: Value, ty: Type) -> Value {
        let vector = self.tools.vector(ty);
        match value.as_const() {
            Some(c) => self.editor.constant(Constant { ty: vector, data: ConstData::Splat(c) }).into(),
            None => value,
        }
    }
    pub(super) fn splat_in_front(&mut self, value: Value, ty: Type) -> Value {
        let place = Position::End(self.frame.vector_ph);
        self.splat_at(place, value, ty)
    }
    fn splat_at(&mut self, place: Position, value: Value, ty: Type) -> Value {
        debug_assert_eq!(self.editor.body().ty(value), ty);
        self.tools.splat(self.editor, place, value)
    }

    /// The vector of `value` in a part.
    pub(super) fn vector(&mut self, value: Value, part: usize) -> Value {
        let ty = self.editor.body().ty(value);
        match value {
            Value::Inst(inst) if self.contains(inst) => match self.reps.get(&inst) {
                Some(Rep::Lanes(parts)) => parts[part],
                Some(Rep::Same(parts)) => {
                    let one = parts[part];
                    if let Some(known) = self.splats.get(&(value, part as u32)) {
                        return *known;
                    }
                    // In a loop nest, other blocks use the vector as well.
                    let place = match self.choice.legality.nest {
                        Some(_) => self.position_after(one),
                        None => self.here(),
                    };
                    let all = self.splat_at(place, one, ty);
                    self.splats.insert((value, part as u32), all);
                    all
                }
                // Plans emit a value before its uses, so this does not happen.
                None => {
                    let vector = self.tools.vector(ty);
                    self.editor.poison(vector)
                }
            },
            Value::Const(c) => {
                let data = self.editor.body().constant(c).data.clone();
                let vector = self.tools.vector(ty);
                let data = match data {
                    ConstData::Undef | ConstData::Poison | ConstData::Zero => data,
                    ConstData::Int(_) | ConstData::Float(_) => ConstData::Splat(c),
                    _ => return self.invariant_splat(value, ty),
                };
                self.editor.constant(Constant { ty: vector, data }).into()
            }
            Value::Inst(_) | Value::Arg(_) => self.invariant_splat(value, ty),
        }
    }
    fn invariant_splat(&mut self, value: Value, ty: Type) -> Value {
        if let Some(known) = self.splats.get(&(value, 0)) {
            return *known;
        }
        let all = self.splat_in_front(value, ty);
        self.splats.insert((value, 0), all);
        all
    }
    /// The first lane of `value` in a part.
    pub(super) fn first(&mut self, value: Value, part: usize) -> Value {
        let Some(inst) = value.as_inst().filter(|i| self.contains(*i)) else { return value };
        if let Some(Rep::Same(parts)) = self.reps.get(&inst) {
            return parts[part];
        }
        if let Some(parts) = self.firsts.get(&inst) {
            return parts[part];
        }
        self.lane(value, part, 0)
    }
    /// A single lane of `value` in a part.
    pub(super) fn lane(&mut self, value: Value, part: usize, lane: u32) -> Value {
        let Some(inst) = value.as_inst().filter(|i| self.contains(*i)) else { return value };
        if let Some(Rep::Same(parts)) = self.reps.get(&inst) {
            return parts[part];
        }
        let (ty, vector) = (self.editor.body().ty(value), self.vector(value, part));
        let number = self.lane_number(lane);
        self.put(InstKind::ExtractElement, ty, &[vector, number])
    }
    pub(super) fn set(&mut self, inst: Inst, rep: Rep) {
        self.reps.insert(inst, rep);
    }

    /// `start + (index + lane) * step`: the first lane, and all lanes if requested.
    fn induction(&mut self, phi: Inst, is_all: bool) {
        let Some(start) = self.inductions.iter().find(|i| i.phi == phi).copied() else { return };
        let (mut firsts, mut vectors) = (Vec::new(), Vec::new());
        for part in 0..self.parts() {
            let here = self.here();
            let index = self.index_of(part);
            let first = value_at(self.editor, here, start, index);
            firsts.push(first);
            if is_all {
                vectors.push(self.lanes_from(first, start));
            }
        }
        self.firsts.insert(phi, firsts);
        if is_all {
            self.set(phi, Rep::Lanes(vectors));
        }
    }
    /// The iteration of the first lane of a part.
    pub(super) fn index_of(&mut self, part: usize) -> Value {
        if part == 0 {
            return self.index.into();
        }
        let bits = self.choice.count_bits;
        let ahead = u128::from(self.lanes()) * part as u128;
        let (ahead, index) = (self.editor.int(Int::new(bits, ahead)), self.index.into());
        let flags = BinaryFlags { nuw: true, ..BinaryFlags::default() };
        self.at_end().binary(BinaryOp::Add, index, ahead, flags, "")
    }
    pub(super) fn lanes_from(&mut self, first: Value, start: Start) -> Value {
        let (ty, step_ty) = (self.editor.body().ty(first), self.editor.body().ty(start.step));
        let bits = step_ty.int_bits().unwrap_or(1);
        let known = self.editor.body().as_int(start.step);
        let numbers = (0..self.lanes()).map(|lane| Int::from_i128(bits, lane.into()));
        let none = BinaryFlags::default();
        let ahead = match known {
            Some(step) => self.constants(step_ty, numbers.map(|n| n.mul(step))),
            None => {
                let numbers = self.constants(step_ty, numbers);
                let step = self.invariant_splat(start.step, step_ty);
                self.at_end().binary(BinaryOp::Mul, numbers, step, none, "")
            }
        };
        if ty.is_ptr() {
            let kind = InstKind::Gep { source: Type::I8, flags: GepFlags::default() };
            return self.put(kind, self.tools.vector(ty), &[first, ahead]);
        }
        let here = self.here();
        let all = self.splat_at(here, first, ty);
        self.at_end().binary(BinaryOp::Add, all, ahead, none, "")
    }
    /// A vector of constants.
    fn constants(&mut self, ty: Type, values: impl Iterator<Item = Int>) -> Value {
        let vector = self.tools.vector(ty);
        let all = values.filter_map(|v| self.editor.int(v).as_const()).collect();
        self.editor.constant(Constant { ty: vector, data: ConstData::Aggregate(all) }).into()
    }
    /// A recurrence: the last lane of the previous vector, followed by all lanes of the current one but the last.
    fn splice(&mut self, phi: Inst) {
        let lanes = self.lanes();
        let Some(HeaderPhi::FirstOrder(FirstOrder { previous, .. })) = self.choice.legality.phi(phi) else {
            return;
        };
        let Some(mut before) = self.carried.get(&phi).and_then(|p| p.first()).map(|p| Value::Inst(*p)) else {
            return;
        };
        let ty = self.tools.vector(self.editor.body().inst(phi).ty);
        let mask: Box<[Option<u32>]> = (lanes - 1..2 * lanes - 1).map(Some).collect();
        let mut parts = Vec::new();
        for part in 0..self.parts() {
            let now = self.vector((*previous).into(), part);
            parts.push(self.put(InstKind::ShuffleVector(mask.clone()), ty, &[before, now]));
            before = now;
        }
        self.set(phi, Rep::Lanes(parts));
    }

    /// A lane-wise operation; in a reduction, without the flags that do not hold for partial results.
    fn widen(&mut self, inst: Inst) {
        let data = self.editor.body().inst(inst).clone();
        let kind = match self.chains.get(&inst) {
            Some((_, HeaderPhi::Reduction(r))) => without_flags(&data.kind, r.kind),
            _ => data.kind,
        };
        let data = InstData { kind, ..data };
        let scalars = match self.choice.legality.ops.get(&inst) {
            Some(Op::Call(_, scalars)) => Some(*scalars),
            _ => None,
        };
        let mut parts = Vec::new();
        for part in 0..self.parts() {
            let made = match scalars {
                Some(scalars) => self.call(inst, &data, scalars, part),
                None => Some(self.operate(&data, part)),
            };
            let ty = self.tools.vector(data.ty);
            parts.push(made.unwrap_or_else(|| self.editor.poison(ty)));
        }
        self.set(inst, Rep::Lanes(parts));
    }
    /// Emits a scalar operation, on uniform operands or on first lanes.
    pub(super) fn compute_one(&mut self, data: &InstData, part: usize) -> Value {
        let operands: Vec<Value> = data.operands.iter().map(|v| self.first(*v, part)).collect();
        self.put(data.kind.clone(), data.ty, &operands)
    }
    /// Emits one scalar per part for all lanes.
    fn clone_of(&mut self, inst: Inst) {
        let data = self.as_one(inst);
        let parts = (0..self.parts()).map(|part| self.compute_one(&data, part)).collect();
        self.set(inst, Rep::Same(parts));
    }
    /// Emits the first lane of each part.
    fn first_of(&mut self, inst: Inst) {
        let data = self.editor.body().inst(inst).clone();
        let parts = (0..self.parts()).map(|part| self.compute_one(&data, part)).collect();
        self.firsts.insert(inst, parts);
    }
    /// A vector with a known constant in each lane.
    fn fixed(&mut self, inst: Inst, values: &[Int]) {
        let ty = self.editor.body().inst(inst).ty;
        let all = self.constants(ty, values.iter().copied());
        self.set(inst, Rep::Lanes(vec![all; self.parts()]));
    }
    /// The instruction for a single execution on behalf of several lanes: loads lose their metadata.
    pub(super) fn as_one(&self, inst: Inst) -> InstData {
        let data = self.editor.body().inst(inst).clone();
        let kind = match (&data.kind, self.choice.legality.access(inst)) {
            (InstKind::Load(_), Some(access)) => {
                InstKind::Load(Box::new(MemAccess { align: Some(access.align), ..MemAccess::default() }))
            }
            _ => return data,
        };
        InstData { kind, ..data }
    }
    fn operate(&mut self, data: &InstData, part: usize) -> Value {
        let is_gep = matches!(data.kind, InstKind::Gep { .. });
        let mut operands = Vec::with_capacity(data.operands.len());
        for value in &data.operands {
            let inside = value.as_inst().is_some_and(|i| self.contains(i));
            // A GEP operand from outside the loop is invariant and stays scalar.
            operands.push(if is_gep && !inside { *value } else { self.vector(*value, part) });
        }
        self.put(data.kind.clone(), self.tools.vector(data.ty), &operands)
    }
    fn call(&mut self, inst: Inst, data: &InstData, scalars: u32, part: usize) -> Option<Value> {
        let declared = self.tools.calls.get(&inst).copied()?;
        let call = data.call()?;
        let fast = match &data.kind {
            InstKind::Call(info) => info.fast,
            _ => FastMath::NONE,
        };
        let args: Vec<Value> = call
            .args()
            .iter()
            .enumerate()
            .map(|(at, v)| if scalars & 1 << at != 0 { *v } else { self.vector(*v, part) })
            .collect();
        let made = declared.call(self.editor, &args, fast);
        let here = self.here();
        Some(self.editor.insert_new(here, made).into())
    }
    /// Emits a call for each lane.
    fn replicate(&mut self, inst: Inst) {
        let data = self.editor.body().inst(inst).clone();
        let vector = self.tools.vector(data.ty);
        let mut parts = Vec::new();
        for part in 0..self.parts() {
            let mut all = self.editor.poison(vector);
            for lane in 0..self.lanes() {
                let operands: Vec<Value> = data.operands.iter().map(|v| self.lane(*v, part, lane)).collect();
                let one = self.put(data.kind.clone(), data.ty, &operands);
                let number = self.lane_number(lane);
                all = self.put(InstKind::InsertElement, vector, &[all, one, number]);
            }
            parts.push(all);
        }
        self.set(inst, Rep::Lanes(parts));
    }
    /// Emits the single addition of an in-order reduction.
    fn add_in_order(&mut self, inst: Inst) {
        let Some((phi, _)) = self.chains.get(&inst).copied() else { return };
        let data = self.editor.body().inst(inst).clone();
        let (Some(declared), Some(carried)) =
            (self.tools.reduces.get(&phi).copied(), self.carried.get(&phi).and_then(|p| p.first()).copied())
        else {
            return;
        };
        let Some(added) = data.operands.iter().copied().find(|v| *v != phi.into()) else { return };
        let fast = match data.kind {
            InstKind::FloatBinary(_, fast) => fast,
            _ => FastMath::NONE,
        };
        let mut sum: Value = carried.into();
        for part in 0..self.parts() {
            let lanes = self.vector(added, part);
            let made = declared.call(self.editor, &[sum, lanes], fast);
            let here = self.here();
            sum = self.editor.insert_new(here, made).into();
        }
        self.set(inst, Rep::Same(vec![sum; self.parts()]));
    }
}

/// The operation without the flags that do not hold for the partial results of lanes.
fn without_flags(kind: &InstKind, of: ReductionKind) -> InstKind {
    match kind {
        InstKind::Binary(op, _) => InstKind::Binary(*op, BinaryFlags::default()),
        InstKind::FloatBinary(op, fast) => InstKind::FloatBinary(*op, of.flags_for_lanes(*fast)),
        InstKind::Select(fast) => InstKind::Select(of.flags_for_lanes(*fast)),
        InstKind::Call(info) => {
            InstKind::Call(Box::new(CallInfo { fast: of.flags_for_lanes(info.fast), ..(**info).clone() }))
        }
        other => other.clone(),
    }
}
