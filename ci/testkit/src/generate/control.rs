//! Control flow: branches, switches, and loops that test at the top, at the bottom or in the middle, with further
//! exits that share the exit block or have their own, with several latches, and exits out of two loops.
//!
//! Regions nest, so a value in scope at a point dominates it. After a loop, everything that dominates its first exit
//! stays in scope: values are used after loops with and without phis.

use super::func::{Func, LoopFrame, Mark, Value};
use super::types::{Ty, int_literal};

/// Where a loop tests its counter.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Test {
    Top,
    Middle,
    Bottom,
}

/// The counter of a loop.
#[derive(Clone, Debug)]
struct Counter {
    ty: Ty,
    start: String,
    step: u128,
    bound: String,
    down: bool,
    test: Test,
    phi: String,
}

/// A loop's header and its backedges.
#[derive(Clone, Debug)]
struct Header {
    label: String,
    /// Text position of its phis.
    at: usize,
    phis: Vec<Value>,
    preheader: (String, Vec<String>),
    latches: Vec<(String, Vec<String>)>,
}

/// Maximum number of times that a point is reached within one call: keeps runs within the interpreter's fuel.
const MOST_TIMES: u64 = 400;

impl Func<'_> {
    /// Writes `size` statements.
    pub(super) fn region(&mut self, size: usize, depth: usize) {
        let mark = self.scope.mark();
        for _ in 0..size {
            self.statement(depth);
        }
        self.mix_since(mark, 1 + size / 3);
    }
    fn statement(&mut self, depth: usize) {
        let features = self.features();
        match self.dice().below(100) {
            0..=35 => {
                let ty = Ty::int(self.width());
                self.int_statement(ty);
            }
            36..=62 => {
                let ty = self.any_type();
                match (ty.is_int(), ty.lanes > 0 && self.dice().chance(50)) {
                    (_, true) => self.vector_statement(ty),
                    (true, false) => self.int_statement(ty),
                    (false, false) => self.float_statement(ty),
                }
            }
            63..=65 if features.memory && features.rare => self.rare_statement(),
            63..=78 if features.memory => self.memory_statement(),
            79..=84 => self.call_statement(),
            85..=89 if depth > 0 => self.if_statement(depth - 1),
            90..=91 if depth > 0 => self.switch_statement(depth - 1),
            92..=99 if depth > 0 => self.loop_statement(depth - 1),
            _ => {
                let ty = Ty::int(self.width());
                self.int_statement(ty);
            }
        }
    }
    fn branch(&mut self, to: &str) {
        self.emit(&format!("br label %{to}"));
    }
    fn branch_if(&mut self, cond: &str, yes: &str, no: &str) {
        self.emit(&format!("br i1 {cond}, label %{yes}, label %{no}"));
    }
    fn types(&mut self, low: usize, high: usize) -> Vec<Ty> {
        (0..self.dice().range(low, high)).map(|_| self.any_type()).collect()
    }
    fn operands(&mut self, types: &[Ty]) -> Vec<String> {
        types.iter().map(|ty| self.operand(*ty)).collect()
    }
    /// Starts the block `label` with phis of `types`, which come into scope.
    fn join(&mut self, label: &str, types: &[Ty], edges: &[(String, Vec<String>)]) {
        self.label(label);
        for (i, ty) in types.iter().enumerate() {
            let incoming: Vec<String> =
                edges.iter().map(|(from, values)| format!("[ {}, %{from} ]", values[i])).collect();
            self.define(*ty, &format!("phi {} {}", ty.text(), incoming.join(", ")));
        }
    }
    /// Writes an arm of a branch; returns its edge to the join.
    fn arm(&mut self, label: &str, join: &str, types: &[Ty], depth: usize) -> (String, Vec<String>) {
        let mark = self.scope.mark();
        self.label(label);
        let size = self.dice().range(0, 4);
        self.region(size, depth);
        let values = self.operands(types);
        self.branch(join);
        self.scope.cut(mark);
        (self.block.clone(), values)
    }
    fn if_statement(&mut self, depth: usize) {
        let types = self.types(0, 3);
        let cond = self.operand(Ty::BOOL);
        let (yes, no, join) = (self.fresh("then"), self.fresh("else"), self.fresh("join"));
        let mut edges = Vec::new();
        if self.dice().chance(40) {
            let values = self.operands(&types);
            edges.push((self.block.clone(), values));
            self.branch_if(&cond, &yes, &join);
        } else {
            self.branch_if(&cond, &yes, &no);
            edges.push(self.arm(&no, &join, &types, depth));
        }
        edges.push(self.arm(&yes, &join, &types, depth));
        self.join(&join, &types, &edges);
    }
    fn switch_statement(&mut self, depth: usize) {
        let types = self.types(0, 2);
        let width = self.width().max(4);
        let x = self.operand(Ty::int(width));
        let x = if self.dice().chance(80) {
            self.raw(&format!("and i{width} {x}, {}", int_literal(width, 7)))
        } else {
            x
        };
        let join = self.fresh("join");
        let direct = self.operands(&types);
        let from = self.block.clone();
        let arms: Vec<String> = (0..self.dice().range(1, 3)).map(|_| self.fresh("case")).collect();
        let mut edges = Vec::new();
        let mut used = vec![false; arms.len()];
        let mut target = |dice: &mut crate::Dice, edges: &mut Vec<_>| {
            let i = dice.below(arms.len() + 1);
            if i == arms.len() {
                // An edge directly to the join: each edge needs its own phi entry.
                edges.push((from.clone(), direct.clone()));
                return join.clone();
            }
            used[i] = true;
            arms[i].clone()
        };
        let mut cases = String::new();
        let first = self.dice().below(6) as u128;
        for case in 0..self.dice().range(1, 6) as u128 {
            let to = target(&mut self.parts.dice, &mut edges);
            cases += &format!(" i{width} {}, label %{to}", int_literal(width, first + case));
        }
        let default = target(&mut self.parts.dice, &mut edges);
        self.emit(&format!("switch i{width} {x}, label %{default} [{cases} ]"));
        for (label, _) in arms.iter().zip(&used).filter(|(_, used)| **used) {
            edges.push(self.arm(label, &join, &types, depth));
        }
        self.join(&join, &types, &edges);
    }
    /// A counter that ends its loop after at most `trips` iterations.
    fn counter(&mut self, trips: u64) -> Counter {
        let width: u32 = self.dice().pick(&[8, 16, 32, 32, 64, 64, 13, 33]);
        let width = if self.features().odd { width } else { width.max(8).next_power_of_two() };
        let ty = Ty::int(width);
        let test = self.dice().pick(&[Test::Top, Test::Top, Test::Bottom, Test::Bottom, Test::Middle]);
        let count = if self.dice().chance(50) {
            int_literal(width, self.dice().range(1, trips as usize) as u128)
        } else {
            // At most the largest power of two within the trips; at least 1, as `ne` requires.
            let most = (1u128 << trips.ilog2()) - 1;
            let x = self.operand(ty);
            let masked = self.raw(&format!("and i{width} {x}, {}", int_literal(width, most)));
            self.raw(&format!("add nuw nsw i{width} {masked}, 1"))
        };
        let step = self.dice().pick(&[1, 1, 1, 2, 3]);
        let down = self.dice().chance(25);
        let phi = format!("%{}", self.fresh("i"));
        if down {
            return Counter { ty, start: count, step: 1, bound: "0".to_owned(), down, test, phi };
        }
        let start = self.dice().pick(&[0, 0, 0, 4]);
        let bound = self.raw(&format!("mul nuw nsw i{width} {count}, {step}"));
        let bound = self.raw(&format!("add nuw nsw i{width} {bound}, {start}"));
        Counter { ty, start: start.to_string(), step, bound, down, test, phi }
    }
    /// The condition for continuing the loop, before or after the counter's step.
    fn goes_on(&mut self, counter: &Counter, now: &str) -> String {
        let preds: &[&str] = if counter.down { &["ne", "ugt", "sgt"] } else { &["ne", "ult", "slt"] };
        let pred = self.dice().pick(preds);
        self.raw(&format!("icmp {pred} {} {now}, {}", counter.ty.text(), counter.bound))
    }
    fn step(&mut self, counter: &Counter) -> String {
        let (ty, phi, step) = (counter.ty.text(), &counter.phi, counter.step);
        if counter.down {
            return self.raw(&format!("add nsw {ty} {phi}, -1"));
        }
        let flags = self.dice().pick(&["", "nuw ", "nsw ", "nuw nsw "]);
        self.raw(&format!("add {flags}{ty} {phi}, {step}"))
    }
    fn loop_statement(&mut self, depth: usize) {
        let trips = self.dice().range(2, 10) as u64;
        let trips = trips.min(MOST_TIMES / self.times);
        if trips < 2 {
            return;
        }
        let counter = self.counter(trips);
        let types = self.types(1, 3);
        let mut header = self.header(&counter, types);
        self.times *= trips + 1;
        let exit_types = self.types(0, 2);
        let header_scope = self.scope.mark();
        let exit = self.fresh("exit");
        let keep = Mark(usize::MAX, usize::MAX, usize::MAX);
        self.loops.push(LoopFrame { exit, exit_types, exit_edges: Vec::new(), keep, header_scope });
        self.loop_body(&counter, &mut header, depth);
        let frame = self.loops.pop().expect("the loop's own");
        self.place_phis(&header);
        self.times /= trips + 1;
        self.scope.cut(frame.keep);
        self.join(&frame.exit, &frame.exit_types, &frame.exit_edges);
    }
    fn header(&mut self, counter: &Counter, types: Vec<Ty>) -> Header {
        let label = self.fresh("loop");
        let mut start = vec![counter.start.clone()];
        let mut phis = vec![Value::new(counter.ty, counter.phi.clone())];
        for ty in types {
            start.push(self.operand(ty));
            phis.push(Value::new(ty, format!("%{}", self.fresh("p"))));
        }
        let preheader = (self.block.clone(), start);
        self.branch(&label);
        self.label(&label);
        self.scope.values.extend(phis.iter().cloned());
        Header { label, at: self.text.len(), phis, preheader, latches: Vec::new() }
    }
    fn place_phis(&mut self, header: &Header) {
        let mut lines = String::new();
        for (i, phi) in header.phis.iter().enumerate() {
            let edges = std::iter::once(&header.preheader).chain(&header.latches);
            let incoming: Vec<String> =
                edges.map(|(from, values)| format!("[ {}, %{from} ]", values[i])).collect();
            lines += &format!("  {} = phi {} {}\n", phi.text, phi.ty.text(), incoming.join(", "));
        }
        // The phis of outer loops are earlier in the text, so their positions do not change.
        self.text.insert_str(header.at, &lines);
    }
    fn loop_body(&mut self, counter: &Counter, header: &mut Header, depth: usize) {
        let size = self.dice().range(0, 3);
        if counter.test != Test::Bottom {
            let before = if counter.test == Test::Middle { size + 1 } else { self.dice().below(2) };
            let mark = self.scope.mark();
            for _ in 0..before {
                self.statement(depth);
            }
            self.mix_since(mark, 1);
            let cond = self.goes_on(counter, &counter.phi.clone());
            let body = self.fresh("body");
            self.exit_unless(&cond, &body);
            self.label(&body);
        }
        if self.dice().chance(35) {
            self.break_out(depth);
        }
        self.region(size + 1, depth);
        if self.dice().chance(20) {
            self.continue_early(counter, header);
        }
        if self.dice().chance(25) {
            self.break_out(depth);
            let size = self.dice().below(3);
            self.region(size, depth);
        }
        self.close(counter, header);
    }
    /// Branches back to the header, through the test of a loop that tests at the bottom.
    fn close(&mut self, counter: &Counter, header: &mut Header) {
        let types: Vec<Ty> = header.phis[1..].iter().map(|p| p.ty).collect();
        let mut values = self.operands(&types);
        let next = self.step(counter);
        values.insert(0, next.clone());
        if counter.test == Test::Bottom {
            let cond = self.goes_on(counter, &next);
            let label = header.label.clone();
            self.exit_unless(&cond, &label);
        } else {
            let label = header.label.clone();
            self.branch(&label);
        }
        header.latches.push((self.block.clone(), values));
    }
    /// Continues in the loop at `label` if `cond` holds, and leaves to the exit block otherwise.
    fn exit_unless(&mut self, cond: &str, label: &str) {
        let index = self.loops.len() - 1;
        let values = self.exit_values(index);
        let exit = self.loops[index].exit.clone();
        if self.dice().chance(30) {
            let not = self.raw(&format!("xor i1 {cond}, true"));
            self.branch_if(&not, &exit, label);
        } else {
            self.branch_if(cond, label, &exit);
        }
        self.loops[index].exit_edges.push((self.block.clone(), values));
    }
    /// The incoming values of a loop's exit block phis for an edge from the current point.
    fn exit_values(&mut self, index: usize) -> Vec<String> {
        let types = self.loops[index].exit_types.clone();
        let values = self.operands(&types);
        let here = self.scope.mark();
        self.keep(index, here);
        values
    }
    /// Limits the scope after a loop to `here`, since an exit leaves from there. Values of inner loops are not kept.
    fn keep(&mut self, index: usize, here: Mark) {
        let innermost = index + 1 == self.loops.len();
        let here = if innermost { here } else { self.loops[index].header_scope };
        let keep = &mut self.loops[index].keep;
        *keep = Mark(keep.0.min(here.0), keep.1.min(here.1), keep.2.min(here.2));
    }
    /// A condition that holds occasionally.
    fn rare(&mut self) -> String {
        let width = self.dice().pick(&[8, 32, 64]);
        let x = self.operand(Ty::int(width));
        let masked = self.raw(&format!("and i{width} {x}, 7"));
        let wanted = self.dice().below(8);
        self.raw(&format!("icmp eq i{width} {masked}, {wanted}"))
    }
    /// Adds an exit: directly to the exit block, or through a block of its own; occasionally out of an outer loop.
    fn break_out(&mut self, depth: usize) {
        let innermost = self.loops.len() - 1;
        let index = if innermost > 0 && self.dice().chance(20) { innermost - 1 } else { innermost };
        let cond = self.rare();
        let stay = self.fresh("stay");
        if self.dice().chance(50) {
            let values = self.exit_values(index);
            let exit = self.loops[index].exit.clone();
            self.branch_if(&cond, &exit, &stay);
            self.loops[index].exit_edges.push((self.block.clone(), values));
        } else {
            let leave = self.fresh("leave");
            self.branch_if(&cond, &leave, &stay);
            // The block is outside the loop already: keep the scope from before it.
            let mark = self.scope.mark();
            self.keep(index, mark);
            self.label(&leave);
            for _ in 0..self.dice().below(3) {
                self.statement(depth.min(1));
            }
            let types = self.loops[index].exit_types.clone();
            let values = self.operands(&types);
            let exit = self.loops[index].exit.clone();
            self.branch(&exit);
            self.loops[index].exit_edges.push((self.block.clone(), values));
            self.scope.cut(mark);
        }
        self.label(&stay);
    }
    /// Adds a latch.
    fn continue_early(&mut self, counter: &Counter, header: &mut Header) {
        let cond = self.rare();
        let (again, stay) = (self.fresh("again"), self.fresh("stay"));
        self.branch_if(&cond, &again, &stay);
        let mark = self.scope.mark();
        if counter.test == Test::Bottom {
            self.keep(self.loops.len() - 1, mark);
        }
        self.label(&again);
        self.close(counter, header);
        self.scope.cut(mark);
        self.label(&stay);
    }
}
