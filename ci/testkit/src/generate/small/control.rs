//! Branches, switches, dead ends and loops.

use super::Small;

/// A way into a join: the new values on it with their widths, and its last block.
type Way = (Vec<(String, u32)>, String);

impl Small {
    /// Writes a statement with control flow; `depth` limits the nesting inside it.
    pub(super) fn control(&mut self, depth: usize) {
        match self.dice.below(7) {
            0 | 1 => self.branch(depth),
            2..=4 => self.cycle(depth),
            5 => self.switch(depth),
            _ => self.dead_end(),
        }
    }
    fn condition(&mut self) -> String {
        if self.dice.chance(70) { self.compare() } else { self.value(1) }
    }
    /// Writes statements with a scope of their own.
    fn scoped(&mut self, depth: usize) -> Way {
        let (values, pointers) = (self.values.len(), self.pointers.len());
        self.statements(depth);
        self.pointers.truncate(pointers);
        (self.values.split_off(values), self.text.block.clone())
    }
    /// An arm of a branch: a block `label` that leads to `end`.
    fn arm(&mut self, label: &str, end: &str, depth: usize) -> Way {
        self.text.label(label);
        let way = self.scoped(depth);
        self.text.line(&format!("br label %{end}"));
        way
    }
    /// Starts the block `end` with phis over `ways`.
    fn join(&mut self, end: &str, ways: &[Way]) {
        self.text.label(end);
        for width in self.kind.joined {
            let mut entries = Vec::new();
            for (values, block) in ways {
                let own = values.iter().rev().find(|v| v.1 == *width).map(|v| v.0.clone());
                let value = own.unwrap_or_else(|| self.value(*width));
                entries.push(format!("[ {value}, %{block} ]"));
            }
            self.define(*width, &format!("phi i{width} {}", entries.join(", ")));
        }
    }
    fn branch(&mut self, depth: usize) {
        let (condition, before) = (self.condition(), self.text.block.clone());
        let [yes, no, end] = ["yes", "no", "end"].map(|stem| self.text.fresh(stem));
        let is_one_armed = self.dice.chance(30);
        let other = if is_one_armed { &end } else { &no };
        self.text.line(&format!("br i1 {condition}, label %{yes}, label %{other}"));
        let first = self.arm(&yes, &end, depth);
        let second = if is_one_armed { (Vec::new(), before) } else { self.arm(&no, &end, depth) };
        self.join(&end, &[first, second]);
    }
    /// A switch with several cases for one block.
    fn switch(&mut self, depth: usize) {
        let width = self.width();
        let value = self.value(width);
        let [one, two, end] = ["one", "two", "end"].map(|stem| self.text.fresh(stem));
        let (first, most) = (self.dice.below(3), (1 << width) - 1);
        let cases = [(first, &one), (first + 1, self.dice.pick(&[&one, &two])), (first + 2, &two)];
        let cases: Vec<String> = cases
            .into_iter()
            .filter(|(case, _)| *case <= most)
            .map(|(case, to)| format!("i{width} {case}, label %{to}"))
            .collect();
        self.text.line(&format!("switch i{width} {value}, label %{two} [ {} ]", cases.join(" ")));
        let ways = [self.arm(&one, &end, depth), self.arm(&two, &end, depth)];
        self.join(&end, &ways);
    }
    /// A branch to a block that must not be reached.
    fn dead_end(&mut self) {
        let condition = self.condition();
        let [bad, on] = ["bad", "on"].map(|stem| self.text.fresh(stem));
        self.text.line(&format!("br i1 {condition}, label %{on}, label %{bad}"));
        self.text.label(&bad);
        if self.kind.external && self.dice.chance(30) {
            self.text.line("call void @any()");
        }
        self.text.line("unreachable");
        self.text.label(&on);
    }
    /// A loop with a counter and a carried value. It is left at its latch, in the middle, or both; it may have a second
    /// backedge.
    fn cycle(&mut self, depth: usize) {
        let (width, carried) = (self.dice.pick(self.kind.counters), self.dice.pick(self.kind.joined));
        let [head, end] = ["head", "end"].map(|stem| self.text.fresh(stem));
        let start = if self.dice.chance(40) {
            self.dice.pick(&["0", "0", "1", "-1"]).to_owned()
        } else {
            self.value(width)
        };
        let bound = self.dice.chance(70).then(|| self.value(width));
        let [i, sum] = [0; 2].map(|_| self.text.fresh("%v"));
        let mut phis = [start, self.value(carried)].map(|value| format!("[ {value}, %{} ]", self.text.block));
        let mut backedge = |next: [&str; 2], block: &str| {
            phis.iter_mut().zip(next).for_each(|(phi, next)| *phi += &format!(", [ {next}, %{block} ]"));
        };
        self.text.line(&format!("br label %{head}"));
        self.text.label(&head);
        // The phis are written later, when their operands are known.
        let at = self.text.out.len();
        self.values.extend([(i.clone(), width), (sum.clone(), carried)]);
        let (values, pointers) = (self.values.len(), self.pointers.len());
        self.statements(depth);
        let (mut exits, mut turns_always) = (Vec::new(), false);
        if self.dice.chance(40) {
            turns_always = self.dice.chance(30);
            let (condition, on) = (self.condition(), self.text.fresh("on"));
            exits.push((Vec::new(), self.text.block.clone()));
            self.text.line(&format!("br i1 {condition}, label %{end}, label %{on}"));
            self.text.label(&on);
            self.statements(depth);
            if turns_always && self.dice.chance(60) {
                exits.push(self.conditional_exit(&end, depth));
            }
        }
        if self.dice.chance(20) {
            let (condition, on) = (self.condition(), self.text.fresh("on"));
            let (j, next) = (self.define(width, &format!("add i{width} {i}, 1")), self.value(carried));
            self.text.line(&format!("br i1 {condition}, label %{head}, label %{on}"));
            backedge([&j, &next], &self.text.block);
            self.text.label(&on);
        }
        let next = self.value(carried);
        if self.dice.chance(50) {
            let latch = self.text.fresh("latch");
            self.text.line(&format!("br label %{latch}"));
            self.text.label(&latch);
        }
        let (flags, step) =
            (self.dice.pick(&["", "", " nuw", " nsw", " nuw nsw"]), self.dice.pick(&[1, 1, 1, 2, -1]));
        let j = self.text.result(&format!("add{flags} i{width} {i}, {step}"));
        backedge([&j, &next], &self.text.block);
        let progress = self.dice.pick(&["", "", ", !llvm.loop !2"]);
        if turns_always {
            self.text.line(&format!("br label %{head}{progress}"));
        } else {
            let pred = self.dice.pick(&["ult", "ne", "slt", "sle", "ugt", "sgt"]);
            let (left, bound) = (self.dice.pick(&[&i, &j]), bound.unwrap_or_else(|| self.value(width)));
            let again = self.text.result(&format!("icmp {pred} i{width} {left}, {bound}"));
            self.text.line(&format!("br i1 {again}, label %{head}, label %{end}{progress}"));
            exits.push((vec![(j, width)], self.text.block.clone()));
        }
        let [counter, value] = phis;
        let phis = format!("  {i} = phi i{width} {counter}\n  {sum} = phi i{carried} {value}\n");
        self.text.out.insert_str(at, &phis);
        self.values.truncate(values);
        self.pointers.truncate(pointers);
        self.join(&end, &exits);
    }
    /// An exit of a loop that only some iterations reach.
    fn conditional_exit(&mut self, end: &str, depth: usize) -> Way {
        let condition = self.condition();
        let [inner, after] = ["inner", "after"].map(|stem| self.text.fresh(stem));
        self.text.line(&format!("br i1 {condition}, label %{inner}, label %{after}"));
        self.text.label(&inner);
        let (values, pointers) = (self.values.len(), self.pointers.len());
        self.statements(depth.min(1));
        let condition = self.condition();
        let exit = (Vec::new(), self.text.block.clone());
        self.text.line(&format!("br i1 {condition}, label %{end}, label %{after}"));
        self.values.truncate(values);
        self.pointers.truncate(pointers);
        self.text.label(&after);
        exit
    }
}
