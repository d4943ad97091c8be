//! Branches, switches, loops, calls, assumptions, and the return.

use super::Wild;
use crate::generate::types::{Ty, int_literal};

impl Wild {
    /// The return type: a struct of the returned types and a pointer.
    pub(super) fn return_type(&self) -> String {
        let members: Vec<String> = self.returned.iter().map(|ty| ty.text()).collect();
        format!("{{ {}, ptr }}", members.join(", "))
    }
    /// Writes the blocks of the function.
    pub(super) fn body(&mut self) {
        let size = self.dice.range(3, 10);
        self.region(size, 2);
        self.give_back();
    }
    fn give_back(&mut self) {
        let ty = self.return_type();
        let mut all = "poison".to_owned();
        for (i, member) in self.returned.clone().into_iter().enumerate() {
            let x = self.operand(member);
            all = self.text.result(&format!("insertvalue {ty} {all}, {} {x}, {i}", member.text()));
        }
        let (pointer, last) = (self.pointer(), self.returned.len());
        all = self.text.result(&format!("insertvalue {ty} {all}, ptr {pointer}, {last}"));
        self.text.line(&format!("ret {ty} {all}"));
    }
    fn region(&mut self, size: usize, depth: usize) {
        for _ in 0..size {
            self.statement(depth);
        }
    }
    fn statement(&mut self, depth: usize) {
        match self.dice.below(100) {
            0..=54 => self.value_statement(),
            55..=79 => self.memory_statement(),
            80..=85 => self.call(),
            86 => {
                let cond = self.operand(Ty::BOOL);
                let call = self.text.intrinsic("llvm.assume", "void", &[("i1", cond)]);
                self.text.line(&call);
            }
            87..=91 if depth > 0 => self.if_statement(depth - 1),
            92..=93 if depth > 0 => self.switch_statement(depth - 1),
            94..=99 if depth > 0 => self.loop_statement(depth - 1),
            _ => self.value_statement(),
        }
    }
    fn arm(&mut self, label: &str, join: &str, ty: Ty, depth: usize) -> Option<(String, String)> {
        let mark = self.mark();
        self.text.label(label);
        let size = self.dice.range(0, 3);
        self.region(size, depth);
        let result = match self.dice.below(16) {
            0 => {
                self.text.line("unreachable");
                None
            }
            1 => {
                self.give_back();
                None
            }
            _ => {
                let value = self.operand(ty);
                self.text.line(&format!("br label %{join}"));
                Some((self.text.block.clone(), value))
            }
        };
        self.cut(mark);
        result
    }
    /// Starts the block `join` with a phi over `edges`; without edges the block is unreachable.
    fn join(&mut self, join: &str, ty: Ty, edges: &[(String, String)]) {
        self.text.label(join);
        if !edges.is_empty() {
            let incoming: Vec<String> = edges.iter().map(|(from, v)| format!("[ {v}, %{from} ]")).collect();
            self.define(ty, &format!("phi {} {}", ty.text(), incoming.join(", ")));
        }
    }
    fn if_statement(&mut self, depth: usize) {
        let (ty, cond) = (self.any_type(), self.operand(Ty::BOOL));
        let cond = if self.dice.chance(50) { self.text.result(&format!("freeze i1 {cond}")) } else { cond };
        let (yes, no, join) = (self.text.fresh("then"), self.text.fresh("else"), self.text.fresh("join"));
        let mut edges = Vec::new();
        if self.dice.chance(50) {
            let value = self.operand(ty);
            edges.push((self.text.block.clone(), value));
            self.text.line(&format!("br i1 {cond}, label %{yes}, label %{join}"));
        } else {
            self.text.line(&format!("br i1 {cond}, label %{yes}, label %{no}"));
            edges.extend(self.arm(&no, &join, ty, depth));
        }
        edges.extend(self.arm(&yes, &join, ty, depth));
        self.join(&join, ty, &edges);
    }
    fn switch_statement(&mut self, depth: usize) {
        let ty = self.any_type();
        let width = self.dice.pick(&[3, 8, 32]);
        let x = self.operand(Ty::int(width));
        let (one, other, join) =
            (self.text.fresh("case"), self.text.fresh("default"), self.text.fresh("join"));
        let direct = self.operand(ty);
        let mut edges = vec![(self.text.block.clone(), direct.clone()), (self.text.block.clone(), direct)];
        let cases: Vec<String> = [(0, &one), (1, &join), (2, &one), (3, &join)]
            .map(|(case, to)| format!("i{width} {}, label %{to}", int_literal(width, case)))
            .into();
        self.text.line(&format!("switch i{width} {x}, label %{other} [ {} ]", cases.join(" ")));
        edges.extend(self.arm(&one, &join, ty, depth));
        edges.extend(self.arm(&other, &join, ty, depth));
        self.join(&join, ty, &edges);
    }
    /// A loop with a counter, a loop-carried value, and perhaps an exit in the middle.
    fn loop_statement(&mut self, depth: usize) {
        let (ty, width) = (self.any_type(), self.dice.pick(&[3, 8, 8, 32]));
        let counter_ty = Ty::int(width);
        let limit = match self.dice.below(4) {
            0 => self.operand(counter_ty),
            1 => {
                let x = self.operand(counter_ty);
                self.text.result(&format!("and i{width} {x}, 3"))
            }
            _ => self.dice.range(0, 3).to_string(),
        };
        let start = self.operand(ty);
        let (head, exit, latch) =
            (self.text.fresh("loop"), self.text.fresh("exit"), self.text.fresh("latch"));
        let [i, next, carried] = ["i", "n", "p"].map(|stem| format!("%{}", self.text.fresh(stem)));
        let before = self.text.block.clone();
        self.text.line(&format!("br label %{head}"));
        self.text.label(&head);
        // The entries for the latch are inserted after the body is written.
        let at = self.text.out.len();
        self.values.push((counter_ty, i.clone()));
        self.values.push((ty, carried.clone()));
        let mark = self.mark();
        let size = self.dice.range(0, 4);
        self.region(size, depth);
        if self.dice.chance(35) {
            let (cond, go_on) = (self.operand(Ty::BOOL), self.text.fresh("more"));
            self.text.line(&format!("br i1 {cond}, label %{exit}, label %{go_on}"));
            self.text.label(&go_on);
            self.region(1, 0);
        }
        let value = self.operand(ty);
        self.text.line(&format!("br label %{latch}"));
        self.text.label(&latch);
        let step = if self.dice.chance(92) { 1 } else { 0 };
        let flags = self.dice.pick(&["", "nuw ", "nsw ", "nuw nsw "]);
        self.text.line(&format!("{next} = add {flags}i{width} {i}, {step}"));
        let again = self.text.result(&format!("icmp ult i{width} {next}, {limit}"));
        self.text.line(&format!("br i1 {again}, label %{head}, label %{exit}"));
        let phis = format!(
            "  {i} = phi i{width} [ 0, %{before} ], [ {next}, %{latch} ]\n  \
             {carried} = phi {} [ {start}, %{before} ], [ {value}, %{latch} ]\n",
            ty.text()
        );
        self.text.out.insert_str(at, &phis);
        self.cut(mark);
        self.text.label(&exit);
    }
    /// A call of an external function.
    fn call(&mut self) {
        const KINDS: [(&str, &str); 8] = [
            ("any", ""),
            ("any", ""),
            ("quiet", " nounwind willreturn"),
            ("pure", " nounwind willreturn memory(none)"),
            ("reads", " nounwind willreturn memory(read)"),
            ("args", " memory(argmem: readwrite)"),
            ("stays", " memory(none) nounwind"),
            ("never", " noreturn"),
        ];
        let (mut kind, mut attrs) = self.dice.pick(&KINDS);
        if kind == "never" && self.dice.chance(70) {
            (kind, attrs) = KINDS[0];
        }
        let noundef = if self.dice.chance(15) { "noundef " } else { "" };
        if self.dice.chance(40) {
            let ptr = self.pointer();
            self.text.declare(format!("declare void @take.{kind}(ptr){attrs}"));
            self.text.line(&format!("call void @take.{kind}(ptr {noundef}{ptr})"));
            return;
        }
        let (x, y) = (self.operand(Ty::int(8)), self.operand(Ty::int(32)));
        self.text.declare(format!("declare i32 @ext.{kind}(i8, i32){attrs}"));
        let range = if self.dice.chance(15) { "range(i32 0, 9) " } else { "" };
        self.define(Ty::int(32), &format!("call {range}i32 @ext.{kind}(i8 {noundef}{x}, i32 {y})"));
    }
}
