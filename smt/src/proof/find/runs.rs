//! Sample runs of both functions from cut to cut, by evaluation of their segments on numbers. Plans are read off these
//! runs, and they filter candidate facts. Nothing here is trusted.
//!
//! Choices and call results depend on the input alone, for both sides alike: equal questions to the environment with
//! equal histories get equal answers. All choices of a run have the same value, because one side may choose once for
//! all iterations what the other side chooses in each iteration.

use crate::encode::filling::{Filling, Open};
use crate::encode::segment::Segment;
use crate::encode::value::Sym;
use crate::encode::world::{BLOCK_BITS, ChoiceKind, OFFSET_BITS, POINTER_BITS, Side, UNKNOWN_BLOCK, World};
use crate::proof::find::samples::{Drawing, Input, Number, round};
use crate::proof::lang::number::mask;
use crate::proof::lang::step::Place;
use crate::proof::vc::pair::{FreeSegment, Pair};
use crate::proof::vc::program::{AtCut, Stretch};
use crate::refinement::{Reason, halted};
use crate::term::{ArrayValue, Bits, Sort, Term, Value};
use backedge_ir::entity::Inst;
use rustc_hash::FxHashMap;

/// The state of one side at a place.
#[derive(Clone, Debug)]
pub(in crate::proof) struct Visit {
    pub(in crate::proof) place: Place,
    /// Scalars of instructions, including those computed from leaves.
    pub(in crate::proof) values: FxHashMap<Inst, Vec<Number>>,
    /// Scalars of instructions that are evaluated early.
    pub(in crate::proof) ahead: FxHashMap<Inst, Vec<Number>>,
    /// Bytes of source accesses whose addresses do not depend on memory: pointer and size.
    pub(in crate::proof) stretches: Vec<(Inst, u128, u64)>,
    /// The returned scalars.
    pub(in crate::proof) returned: Vec<Number>,
    pub(in crate::proof) memory: Value,
    /// Identifies the calls so far.
    pub(in crate::proof) trace: u128,
}

impl Visit {
    /// Whether both memories are equal, judged by their hashes.
    pub(in crate::proof) fn has_memory_of(&self, other: &Self) -> bool {
        let print = |visit: &Self| visit.memory.as_array().map(ArrayValue::print);
        print(self) == print(other)
    }
}

/// The end of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::proof) enum RunEnd {
    Returned,
    /// The run stopped in a call that did not return.
    Stopped,
    Undefined,
    /// The run continues beyond the explored length.
    Open,
}

/// A run: its visits and its end.
#[derive(Clone, Debug)]
pub(in crate::proof) struct Run {
    pub(in crate::proof) visits: Vec<Visit>,
    pub(in crate::proof) end: RunEnd,
}

/// The runs of both sides on one input.
#[derive(Clone, Debug)]
pub(in crate::proof) struct RunPair {
    pub(in crate::proof) args: Vec<Vec<Number>>,
    pub(in crate::proof) source: Run,
    pub(in crate::proof) target: Run,
}

/// A segment to evaluate.
struct Stage {
    world: World,
    parts: Parts,
}

/// The inputs and outputs of a segment.
struct Parts {
    args: Vec<Sym>,
    leaves: FxHashMap<Inst, Sym>,
    memory: Term,
    trace: Term,
    segment: Segment,
    /// The values that are evaluated early at each crossing of the segment.
    ahead: Vec<FxHashMap<Inst, Sym>>,
    /// The bytes that source accesses would touch at each crossing.
    stretches: Vec<Vec<(Inst, Stretch)>>,
}

/// Both functions, prepared for sample runs.
pub(in crate::proof) struct Runner {
    stages: [Vec<Stage>; 2],
    /// The instructions whose values are recorded at each cut.
    wanted: [Vec<Vec<Inst>>; 2],
    /// The kinds of the target's choices.
    chosen: Vec<ChoiceKind>,
}

/// The length of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::proof) enum Length {
    Usual,
    /// Long enough for loops of a thousand iterations.
    Long,
}

impl Length {
    /// Maximum number of segments of a run of `side`, where up to `round` source iterations match one target iteration.
    fn steps(self, side: Side, round: usize) -> usize {
        match (self, side) {
            (Self::Usual, Side::Source) => 44.max(3 * round + 8),
            (Self::Usual, Side::Target) => 88,
            (Self::Long, _) => 1100,
        }
    }
}

/// Maximum number of recorded scalars of one value.
const MANY_LANES: usize = 16;

impl Runner {
    pub(in crate::proof) fn new(pair: &Pair<'_>) -> Result<Self, Reason> {
        let mut runner =
            Self { stages: [Vec::new(), Vec::new()], wanted: Default::default(), chosen: Vec::new() };
        for side in [Side::Source, Side::Target] {
            let program = pair.program(side);
            for (index, cut) in program.cuts.iter().enumerate() {
                let (mut world, args) = pair.world()?;
                let free = pair.free_segment(&mut world, &args, side, index);
                let FreeSegment { leaves, memory, trace, segment } =
                    free.map_err(|halt| halted(halt, &world))?;
                let (mut ahead, mut stretches) = (Vec::new(), Vec::new());
                for crossing in &segment.crossings {
                    let Some(cut) = program.cut_at(crossing.block) else { continue };
                    let reached = AtCut { args: &args, cut, crossing };
                    let found = program.ahead(&mut world, reached, &|_| true);
                    ahead.push(found.map_err(|halt| halted(halt, &world))?);
                    let all = |_| side == Side::Source;
                    let found = program.stretches(&mut world, reached, &all);
                    stretches.push(found.map_err(|halt| halted(halt, &world))?);
                }
                let parts = Parts { args, leaves, memory, trace, segment, ahead, stretches };
                runner.stages[side.index()].push(Stage { world, parts });
                runner.wanted[side.index()].push(cut.leaves.iter().chain(&cut.computed).copied().collect());
            }
        }
        let worlds = runner.stages.iter().flatten().map(|stage| &stage.world);
        let choices = worlds.flat_map(|world| &world.choices[Side::Target.index()]);
        runner.chosen = choices.map(|choice| choice.kind).collect();
        Ok(runner)
    }
    /// Runs both sides on the input for `seed`.
    pub(in crate::proof) fn run(
        &mut self,
        pair: &Pair<'_>,
        (seed, drawing): (u64, Drawing),
        length: Length,
    ) -> RunPair {
        let entry = &self.stages[0][0];
        let used = self.stages.iter().flatten().flat_map(|s| s.world.used_globals.iter().cloned()).collect();
        let input = Input::new(pair, (&entry.world, &entry.parts.args), &used, (seed, drawing));
        let source = self.run_side(pair, Side::Source, &input, length);
        let target = self.run_side(pair, Side::Target, &input, length);
        RunPair { args: input.args, source, target }
    }
    fn run_side(&mut self, pair: &Pair<'_>, side: Side, input: &Input, length: Length) -> Run {
        let first = Visit {
            place: Place::Cut(0),
            values: FxHashMap::default(),
            ahead: FxHashMap::default(),
            stretches: Vec::new(),
            returned: Vec::new(),
            memory: input.memory.clone(),
            trace: 1,
        };
        let mut run = Run { visits: vec![first], end: RunEnd::Open };
        let round = usize::try_from(round(pair)).unwrap_or(1);
        for _ in 0..length.steps(side, round) {
            let Some(state) = run.visits.last() else { break };
            let Place::Cut(cut) = state.place else { break };
            let mut given = Given::new(&mut self.stages[side.index()][cut], input, state);
            given.open_variables(&self.chosen);
            match given.next(pair, side, state, &self.wanted[side.index()]) {
                Ok(visit) => {
                    let done = matches!(visit.place, Place::Returned(_));
                    run.visits.push(visit);
                    if done {
                        run.end = RunEnd::Returned;
                        break;
                    }
                }
                Err(end) => {
                    run.end = end;
                    break;
                }
            }
        }
        run
    }
}

/// A segment whose variables have values.
struct Given<'r> {
    filling: Filling<'r>,
    parts: &'r Parts,
    input: &'r Input,
}

impl<'r> Given<'r> {
    fn new(stage: &'r mut Stage, input: &'r Input, state: &Visit) -> Self {
        let Stage { world, parts } = stage;
        let mut given = Self { filling: Filling::new(world), parts, input };
        given.layout();
        for (sym, lanes) in given.parts.args.iter().zip(&input.args) {
            given.set_sym(sym, lanes);
        }
        for (inst, sym) in &given.parts.leaves {
            if let Some(lanes) = state.values.get(inst) {
                given.set_sym(sym, lanes);
            }
        }
        let (memory, trace) = (given.parts.memory, given.parts.trace);
        given.filling.put(memory, state.memory.clone());
        given.filling.set(trace, state.trace);
        given
    }
    /// Sets the addresses and sizes of blocks.
    fn layout(&mut self) {
        let world = &self.filling.world;
        let offset = |value: u64| Bits::new(OFFSET_BITS, value.into());
        let room = self.input.room;
        let base = |kind: usize, number: u32| offset(room.bases[kind] + (u64::from(number) << room.apart));
        let mut sizes = ArrayValue::constant(BLOCK_BITS, offset(room.bytes));
        let mut bases = ArrayValue::constant(BLOCK_BITS, offset(0x7000_0000));
        let mut read_only = ArrayValue::constant(BLOCK_BITS, Bits::zero(1));
        let at = |number: u32| Bits::new(BLOCK_BITS, number.into());
        sizes.set(at(0), offset(0));
        bases.set(at(0), offset(0));
        for (i, block) in world.blocks.iter().enumerate() {
            let number = i as u32 + 1;
            if let Some(size) = block.size.and_then(|s| world.terms.as_bits(s)) {
                sizes.set(at(number), size.clone());
            }
            read_only.set(at(number), Bits::new(1, block.read_only.unwrap_or(false).into()));
            bases.set(at(number), base(0, number));
        }
        for number in 0..16 {
            bases.set(at(UNKNOWN_BLOCK + number), base(1, number));
        }
        for (variable, array) in [(world.sizes, sizes), (world.bases, bases), (world.read_only, read_only)] {
            self.filling.put(variable, array);
        }
    }
    fn set_sym(&mut self, sym: &Sym, lanes: &[Number]) {
        for (scalar, &(bits, width, poison)) in sym.scalars().into_iter().zip(lanes) {
            for variable in self.filling.world.terms.variables(&[scalar.bits]) {
                // A pointer may consist of two variables, or be a term around one.
                match self.filling.world.terms.sort(variable) {
                    Sort::BitVec(w) if w == width => self.filling.set(variable, bits),
                    Sort::BitVec(OFFSET_BITS) => self.filling.set(variable, bits & mask(OFFSET_BITS)),
                    Sort::BitVec(BLOCK_BITS) => self.filling.set(variable, bits >> OFFSET_BITS),
                    Sort::Bool | Sort::BitVec(_) | Sort::Array { .. } => {}
                }
            }
            self.filling.set_if_variable(scalar.poison, poison);
        }
    }
    fn lanes(&mut self, sym: &Sym) -> Vec<Number> {
        let scalars = sym.scalars();
        scalars
            .into_iter()
            .take(MANY_LANES)
            .map(|s| {
                let width = self.filling.world.terms.width(s.bits);
                (self.filling.number(s.bits), width, self.filling.truth(s.poison))
            })
            .collect()
    }

    /// Assigns all open variables in order of creation: a choice or call depends only on earlier ones. A source choice
    /// of a kind that the target never makes is zero, as in queries.
    fn open_variables(&mut self, chosen: &[ChoiceKind]) {
        for item in self.filling.open(&[Side::Source, Side::Target]) {
            match item {
                Open::Choice(side, i) => {
                    let choice = self.filling.world.choices[side.index()][i].clone();
                    let mask = self.filling.number(choice.open);
                    let made = self.filling.truth(choice.made);
                    let mut bits = 0;
                    if mask != 0 && made && choice.of.is_none() && chosen.contains(&choice.kind) {
                        let width = self.filling.world.terms.width(choice.var);
                        bits = self.input.answer(choice.kind).number(width) & mask;
                    }
                    self.filling.set(choice.var, bits);
                }
                Open::Operation(i) => {
                    let op = self.filling.world.opaque_ops[i].clone();
                    let mut operands: Vec<u128> = op.args.iter().map(|a| self.filling.number(*a)).collect();
                    if op.commutes {
                        operands[..2].sort_unstable();
                    }
                    let width = self.filling.world.terms.width(op.result);
                    let result = self.input.answer((&*op.key, operands)).any();
                    self.filling.set(op.result, result & mask(width));
                }
                Open::Event(i) => self.event(i),
                Open::Cleared(i) => self.filling.clear(i),
            }
        }
    }
    fn event(&mut self, index: usize) {
        let event = self.filling.world.events[index].clone();
        let happens = self.filling.truth(event.happens);
        let args: Vec<Number> = event.args.iter().flat_map(|a| self.lanes(a)).collect();
        let before = self.filling.number(event.before);
        let mut dice = self.input.answer((&*event.callee, args, before));
        if let Some(after) = event.after {
            let trace = dice.any() | 2;
            let width = self.filling.world.terms.width(after);
            self.filling.set(after, trace & mask(width));
        }
        if !happens {
            return;
        }
        if let Some(result) = &event.result {
            let lanes: Vec<Number> = result
                .scalars()
                .into_iter()
                .map(|s| {
                    let width = self.filling.world.terms.width(s.bits);
                    let bits = if width == POINTER_BITS { dice.pointer() } else { dice.number(width) };
                    (bits, width, dice.below(32) == 0)
                })
                .collect();
            self.set_sym(result, &lanes);
        }
        self.filling.set_if_variable(event.returns, dice.below(16) != 0);
        self.filling.set_if_variable(event.throws, dice.below(4) != 0);
        if let (Some(leaves), Some(touched)) = (event.leaves, &event.touched) {
            self.filling.leave(leaves, touched, |_, _| None);
        } else if let (Some(leaves), Some(found)) = (event.leaves, event.found) {
            let memory = self.filling.value(found);
            self.filling.put(leaves, memory);
        }
    }

    /// The visit after the segment, or the end of the run.
    fn next(
        &mut self,
        pair: &Pair<'_>,
        side: Side,
        state: &Visit,
        wanted: &[Vec<Inst>],
    ) -> Result<Visit, RunEnd> {
        let segment = self.parts.segment.clone();
        if segment.ub.iter().any(|end| self.filling.truth(end.path)) {
            return Err(RunEnd::Undefined);
        }
        if segment.stops.iter().any(|end| self.filling.truth(end.path)) {
            return Err(RunEnd::Stopped);
        }
        if let Some(end) = segment.returns.iter().find(|end| self.filling.truth(end.path)) {
            let returned = end.value.as_ref().map_or_else(Vec::new, |v| self.lanes(v));
            let (Place::Cut(cut) | Place::Returned(cut)) = state.place;
            return Ok(Visit {
                place: Place::Returned(cut),
                values: state.values.clone(),
                ahead: FxHashMap::default(),
                stretches: Vec::new(),
                returned,
                memory: self.filling.value(end.shared),
                trace: self.filling.number(end.trace),
            });
        }
        let Some(at) = segment.crossings.iter().position(|c| self.filling.truth(c.path)) else {
            return Err(RunEnd::Open);
        };
        let crossing = &segment.crossings[at];
        let Some(cut) = pair.program(side).cut_at(crossing.block) else { return Err(RunEnd::Open) };
        let values = wanted[cut]
            .iter()
            .filter_map(|inst| Some((*inst, self.lanes(crossing.values.get(inst)?))))
            .collect();
        let ahead = self.parts.ahead.get(at).cloned().unwrap_or_default();
        let ahead = ahead.iter().map(|(inst, sym)| (*inst, self.lanes(sym))).collect();
        let stretches = self.parts.stretches.get(at).cloned().unwrap_or_default();
        let stretches =
            stretches.iter().map(|(i, (pointer, size))| (*i, self.filling.number(*pointer), *size)).collect();
        Ok(Visit {
            place: Place::Cut(cut),
            values,
            ahead,
            stretches,
            returned: Vec::new(),
            memory: self.filling.value(crossing.memory.shared),
            trace: self.filling.number(crossing.memory.trace),
        })
    }
}
