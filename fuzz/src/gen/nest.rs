//! Loops: entry, body, latches.

use super::counter::{Counter, Tested};
use super::exits::{ExitBlock, Skip};
use super::knobs::Knob;
use super::recurrence::{HeaderPhi, Next, Planned};
use super::region::MAX_DEPTH;
use super::writer::{Mark, Writer};
use backedge_ir::entity::{Block, Inst, MdId};
use backedge_ir::inst::{BinaryFlags, BinaryOp, CastOp, FastMath, InstData, InstKind, Value};
use backedge_ir::metadata::{MdBody, MdKind, MdOperand, MdRef};
use backedge_ir::types::Type;

/// A loop under construction.
#[derive(Debug)]
pub(super) struct Loop {
    pub(super) header: Block,
    /// The header phis; the counter's comes first, if there is one.
    pub(super) phis: Vec<HeaderPhi>,
    pub(super) counter: Option<Counter>,
    /// The scope before the loop.
    pub(super) outer: Mark,
    /// The end of the header's integer phis in the scope.
    pub(super) phis_end: usize,
    /// The next values of all phis, if the header computes them.
    pub(super) next: Option<Vec<Value>>,
    /// Values that dominate all exits.
    pub(super) header_scope: Vec<(Type, Value)>,
    pub(super) exits: Vec<ExitBlock>,
    /// Exiting edges still to be emitted, not counting the counter's.
    pub(super) exits_left: usize,
    /// Whether all these exits test the counter.
    pub(super) counted_exits: bool,
    /// A value of the counter's type, computed before the loop, for [`Knob::DividedBounds`].
    pub(super) divisor: Option<Value>,
    /// The step computed in this iteration, for [`Knob::LoopSteps`].
    pub(super) step: Option<Value>,
    metadata: Option<MdId>,
}

impl Writer<'_, '_> {
    /// Emits a loop with its guard, preheader, body and exits, from the current block to the join after the loop.
    pub(super) fn nest(&mut self) {
        self.loop_count += 1;
        let infinite = self.wants(Knob::Infinite, 12);
        let counted = !infinite && !self.wants(Knob::Uncounted, 10);
        let outer = self.mark();
        let skip = self.guard(infinite);
        let counted_exits = counted && self.wants(Knob::CountedExits, 60);
        let counter = counted.then(|| self.counter(counted_exits));
        let divisor = match &counter {
            Some(counter) if self.wants(Knob::DividedBounds, 35) => Some(self.divisor(counter.ty)),
            _ => None,
        };
        // The whole body executes under a single condition.
        let guarded = counted && self.wants(Knob::GuardedBody, 35);
        let bare = guarded && self.draw.bool();
        let mut planned = if bare { Vec::new() } else { self.recurrences() };
        planned.extend(counter.as_ref().filter(|c| c.full_range).map(|c| self.wider(c.ty)));
        let entries = self.enter(counter.as_ref(), &planned);
        let exits = self.exit_count(infinite, counted).max(counted_exits.into());
        self.header(counter, planned, entries);
        let level = self.loops.len() - 1;
        self.loops[level].exits_left = if bare { 0 } else { exits };
        self.loops[level].counted_exits = counted_exits;
        self.loops[level].divisor = divisor;
        self.few(if bare { 0 } else { 2 });
        self.test_at_top(level, infinite);
        if guarded {
            self.guarded_body();
        }
        if !bare {
            self.iteration(level);
        }
        self.latch(level, infinite);
        self.after_loop(outer, skip);
    }
    /// A value that depends on an argument and is defined.
    fn divisor(&mut self, ty: Type) -> Value {
        self.aside(|this| {
            let any = Type::int(this.widths[0]);
            let value = this.operand(any);
            let value = this.at().freeze(value, "");
            this.resized(value, ty, CastOp::ZExt)
        })
    }
    /// The number of exiting edges besides the counter's.
    fn exit_count(&mut self, infinite: bool, counted: bool) -> usize {
        if infinite {
            0
        } else if self.wants(Knob::ManyExits, 70) {
            self.draw.between(1, 4)
        } else {
            usize::from(!counted)
        }
    }
    /// Possibly starts a guard branch around the loop; it is completed when its target is known.
    fn guard(&mut self, infinite: bool) -> Option<Skip> {
        if !(self.wants(Knob::Guards, 45) || infinite && self.draw.chance(80)) {
            return None;
        }
        let condition = self.condition();
        let enter = self.new_block("enter");
        let skip = Skip { block: self.block, enter, condition, mark: self.mark() };
        self.block = enter;
        Some(skip)
    }
    /// Emits the blocks that enter the header; returns them with the start values of the phis.
    fn enter(&mut self, counter: Option<&Counter>, planned: &[Planned]) -> (Block, Vec<(Block, Vec<Value>)>) {
        let starts: Vec<Value> =
            counter.map(|c| c.start).into_iter().chain(planned.iter().map(|p| p.1)).collect();
        if !self.wants(Knob::NoPreheader, 25) {
            let header = self.new_block("loop");
            self.at().br(header);
            return (header, vec![(self.block, starts)]);
        }
        let condition = self.condition();
        let from = self.block;
        let side = self.new_block("side");
        let header = self.new_block("loop");
        self.at().cond_br(condition, header, side);
        let mark = self.mark();
        self.block = side;
        self.few(1);
        let others = starts.iter().enumerate().map(|(i, start)| {
            let ty = self.editor.body().ty(*start);
            let is_counter = i == 0 && counter.is_some();
            if is_counter || ty.is_ptr() || self.draw.bool() { *start } else { self.operand(ty) }
        });
        let others = others.collect();
        self.at().br(header);
        self.cut(mark);
        (header, vec![(from, starts), (side, others)])
    }
    /// Emits the header's phis.
    fn header(
        &mut self,
        counter: Option<Counter>,
        planned: Vec<Planned>,
        (header, entries): (Block, Vec<(Block, Vec<Value>)>),
    ) {
        self.block = header;
        let counting = counter.as_ref().map(|c| (c.ty, c.start, Next::Counter));
        let all: Vec<Planned> = counting.into_iter().chain(planned).collect();
        // Code for the bound and the like precedes the loop too.
        let outer = self.mark();
        let mut phis = Vec::new();
        for (i, (ty, _, next)) in all.into_iter().enumerate() {
            let (blocks, starts): (Vec<Block>, Vec<Value>) = entries.iter().map(|(b, v)| (*b, v[i])).unzip();
            let data = InstData::new(InstKind::Phi(FastMath::NONE), ty, starts, blocks);
            let phi: Inst = self.insert(data);
            phis.push(HeaderPhi { phi, ty, next });
        }
        for phi in &phis {
            if phi.ty.is_ptr() {
                self.note_pointer(phi.phi.into());
            } else {
                self.push(phi.phi.into());
            }
        }
        self.tie(&mut phis);
        // Allows other code to repeat the counter's step, possibly with other flags.
        let stepped = counter.as_ref().zip(phis.first()).map(|(c, p)| c.stepping_of(p.phi.into()));
        self.recent.extend(stepped);
        let metadata = self.wants(Knob::LoopMustProgress, 50).then(|| self.must_progress());
        self.loops.push(Loop {
            header,
            phis,
            counter,
            outer,
            phis_end: self.scope.len(),
            next: None,
            header_scope: Vec::new(),
            exits: Vec::new(),
            exits_left: 0,
            counted_exits: false,
            divisor: None,
            step: None,
            metadata,
        });
    }
    /// Emits the exit test of the counter in the header, if it is there, and other code of the header.
    fn test_at_top(&mut self, level: usize, infinite: bool) {
        let top = self.loops[level].counter.as_ref().is_some_and(|c| c.tested == Tested::Top);
        if self.draw.chance(15) {
            let next = self.advance(level);
            self.loops[level].next = Some(next);
        }
        self.loops[level].header_scope = self.scope[self.loops[level].outer.0..].to_vec();
        if top && !infinite {
            let counter = self.loops[level].counter.clone();
            let phi = self.loops[level].phis.first().map(|p| Value::from(p.phi));
            if let (Some(counter), Some(phi)) = (counter, phi) {
                let on = self.goes_on(&counter, phi);
                if self.wants(Knob::ExitFirst, 30) {
                    let out = self.negated(on);
                    self.exit_if(level, out, true);
                } else {
                    self.exit_if(level, on, false);
                }
            }
        }
    }
    /// Emits the body of an iteration.
    fn iteration(&mut self, level: usize) {
        self.compute_step(level);
        if self.slot.is_some() && self.wants(Knob::Metadata, 45) {
            self.aside(Self::use_slot);
        }
        if self.loops[level].counter.is_some() && self.wants(Knob::TwoTests, 40) {
            self.aside(|this| this.two_tests(level));
        }
        if self.wants(Knob::Lanes, 75) {
            let ty = self.int_type();
            self.lane(ty);
        }
        if self.loops[level].counted_exits && self.draw.chance(60) {
            // Without code that may prevent counting the loop.
            while self.loops[level].exits_left > 0 {
                self.few(2);
                self.exiting_edge(level);
            }
            return self.few(1);
        }
        let bulk = self.loops[level].counter.as_ref().is_some_and(|c| c.ty.int_bits() >= Some(32));
        if bulk && let Some(index) = self.loops[level].phis.first().map(|p| p.phi.into()) {
            self.bulk(index);
        }
        if !self.bases.is_empty() && self.wants(Knob::Memory, 50) {
            for _ in 0..self.draw.between(1, 3) {
                self.memory_access();
            }
        }
        let accumulates = !self.bases.is_empty() && self.wants(Knob::FixedAddresses, 35);
        if accumulates {
            self.accumulate();
        }
        if self.wants(Knob::Calls, if accumulates { 50 } else { 25 }) {
            self.call_that_may_not_return();
        }
        for _ in 0..self.draw.below(4) {
            self.event(level);
            if self.budget == 0 {
                break;
            }
        }
        let room = self.loops.len() < MAX_DEPTH && self.budget > 2;
        if room && self.wants(Knob::Nests, if level == 0 { 45 } else { 25 }) {
            self.cycle();
            self.few(1);
        }
        if level > 0 && self.wants(Knob::DeepExits, 40) {
            self.deep_exit(level);
        }
        while self.loops[level].exits_left > 0 {
            self.exiting_edge(level);
        }
    }
    /// Emits one element of an iteration.
    fn event(&mut self, level: usize) {
        if !self.bases.is_empty() && self.wants(Knob::BoundsChecks, 20) {
            return self.aside(Self::load_in_bounds);
        }
        match self.draw.below(10) {
            0 | 1 if self.wants(Knob::Branches, 80) => self.branch(),
            2..=4 if self.wants(Knob::ManyLatches, 60) => {
                let condition = self.condition();
                self.again_if(level, condition);
            }
            5 if self.wants(Knob::GuardedDivisions, 50) => self.guarded_division(),
            9 if self.wants(Knob::Calls, 40) => self.call_that_may_not_return(),
            8 if self.wants(Knob::ShortCircuits, 50) => self.short_circuit(),
            6 | 7 if self.loops[level].exits_left > 0 => self.exiting_edge(level),
            _ => self.statement(),
        }
    }
    /// Exits an enclosing loop, or continues with its next iteration.
    fn deep_exit(&mut self, level: usize) {
        let to = self.draw.below(level);
        let condition = self.condition();
        if self.draw.bool() {
            self.exit_if(to, condition, true);
        } else {
            self.again_if(to, condition);
        }
    }
    /// Emits a condition on a recurrence and the body of the iteration under it.
    fn guarded_body(&mut self) {
        let level = self.loops.len() - 1;
        let condition = if self.draw.chance(60) { self.order_of_counter(level) } else { self.test() };
        let (body, rest) = (self.new_block("body"), self.new_block("rest"));
        let (a, b) = if self.draw.chance(70) { (body, rest) } else { (rest, body) };
        self.at().cond_br(condition, a, b);
        let mark = self.mark();
        self.block = body;
        for _ in 0..self.draw.between(1, 3) {
            self.statement();
        }
        self.at().br(rest);
        self.cut(mark);
        self.block = rest;
    }
    /// Continues with the next iteration of the loop at `level` if `condition` holds and, for counters tested at the
    /// latch, if the counter's test holds.
    fn again_if(&mut self, level: usize, condition: Value) {
        let next = self.advance(level);
        let condition = match self.latch_test(level, &next) {
            Some(on) => self.binary(BinaryOp::And, condition, on, BinaryFlags::default()),
            None => condition,
        };
        let (header, more) = (self.loops[level].header, self.new_block("more"));
        let branch = self.at().cond_br(condition, header, more);
        self.close(level, branch, &next);
        self.block = more;
    }
    /// The condition that continues the loop, if its latches test the counter; `next` are the next values of its
    /// phis.
    fn latch_test(&mut self, level: usize, next: &[Value]) -> Option<Value> {
        let counter = self.loops[level].counter.clone()?;
        let value = match counter.tested {
            Tested::Top => return None,
            Tested::Stepped => *next.first()?,
            Tested::Pre => self.loops[level].phis.first()?.phi.into(),
        };
        Some(self.goes_on(&counter, value))
    }
    /// Emits the end of an iteration.
    fn latch(&mut self, level: usize, infinite: bool) {
        let next = self.advance(level);
        let test = if infinite { None } else { self.latch_test(level, &next) };
        let header = self.loops[level].header;
        let branch = match test {
            Some(on) => self.exit_or_again(level, on),
            None => self.at().br(header),
        };
        self.close(level, branch, &next);
    }
    /// Completes the header phis and the loop metadata for the backedge of `branch`.
    fn close(&mut self, level: usize, branch: Inst, next: &[Value]) {
        let phis: Vec<Inst> = self.loops[level].phis.iter().map(|p| p.phi).collect();
        for (phi, value) in phis.into_iter().zip(next) {
            self.editor.add_incoming(phi, *value, self.block);
        }
        if let Some(id) = self.loops[level].metadata {
            self.editor.set_metadata(branch, MdKind::Loop, MdRef::Node(id));
        }
    }
    /// The `llvm.loop.mustprogress` metadata of a loop.
    fn must_progress(&mut self) -> MdId {
        let option = MdBody::Tuple(vec![MdOperand::String("llvm.loop.mustprogress".into())]);
        let option = self.env.metadata.add(false, option);
        self.env.metadata.add_distinct([MdOperand::Node(option)])
    }
}
