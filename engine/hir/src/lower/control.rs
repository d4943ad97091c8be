//! Control flow: lowers lists of nodes to blocks.

use super::Plan;
use super::records::{Part, RecordSide, Records};
use super::ssa::{Ssa, Var};
use crate::blob::Temp;
use crate::canon::Level;
use crate::node::{Compare, Hints, Hir, HlSwitch, Kind, List, Node, Predicate, Target};
use backedge_analysis::loops::use_block;
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{FastMath, InstData, InstKind, IntPredicate, Use, Value};
use backedge_ir::metadata::{MdKind, MdRef};
use backedge_ir::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};

/// The state of lowering a region.
pub(super) struct Lowering<'l, 'e, 'b> {
    pub(super) editor: &'e mut Editor<'b>,
    pub(super) hir: &'l Hir,
    pub(super) plan: &'l Plan,
    pub(super) ssa: Ssa,
    /// The block that instructions are appended to, if it is reachable.
    pub(super) at: Block,
    /// Whether `at` is reachable.
    pub(super) reached: bool,
    /// The first block, where values from outside are read.
    entry: Block,
    /// The removed instructions, and the phis of the exit blocks: no variable has one of these as its value from
    /// outside.
    pub(super) local: FxHashSet<Inst>,
    /// The phis of the exit blocks, with their variables.
    live_out: Vec<(Inst, Temp)>,
    labels: FxHashMap<Node, Block>,
    /// Targets of backward jumps other than backedges of loop nodes.
    cycles: Vec<Block>,
    /// The loops around the current node, with their headers.
    pub(super) headers: FxHashMap<Node, Block>,
    /// Edges to exits: source block and exit number.
    left: Vec<(Block, usize)>,
    /// Variables with values from outside that were frozen, with their new values.
    frozen: Vec<(Temp, Inst)>,
    /// The source location of the current node.
    location: Option<MdRef>,
    /// The values computed by the instructions of the tree.
    pub(super) made: FxHashMap<Node, Value>,
    /// The values used by accesses.
    pub(super) used: FxHashMap<(Node, Part), Value>,
    /// The debug records that are not emitted yet.
    pub(super) records: Records,
    /// Uses in debug records that may become a header phi, with its variable.
    pub(super) later: Vec<(Use, (Block, Var))>,
}

impl<'l, 'e, 'b> Lowering<'l, 'e, 'b> {
    pub(super) fn new(
        editor: &'e mut Editor<'b>,
        hir: &'l Hir,
        plan: &'l Plan,
        closed: &[(Inst, Temp)],
    ) -> Self {
        let live_out: Vec<(Inst, Temp)> = plan.live_out.iter().chain(closed).copied().collect();
        let body = editor.body();
        let mut local: FxHashSet<Inst> = plan.blocks.iter().flat_map(|b| body.insts(*b)).copied().collect();
        local.extend(live_out.iter().map(|(phi, _)| *phi));
        let records = Records::of(body, hir, plan, &local);
        let entry = place(editor, plan, None);
        Self {
            editor,
            hir,
            plan,
            ssa: Ssa::default(),
            at: entry,
            reached: true,
            entry,
            local,
            live_out,
            labels: FxHashMap::default(),
            cycles: Vec::new(),
            headers: FxHashMap::default(),
            left: Vec::new(),
            frozen: Vec::new(),
            location: hir.kind(plan.first).location(),
            made: FxHashMap::default(),
            used: FxHashMap::default(),
            records,
            later: Vec::new(),
        }
    }
    /// Lowers the region. Returns the variables of outside values that were frozen, with their new values.
    pub(super) fn run(mut self) -> Vec<(Temp, Inst)> {
        self.take_away();
        self.list(self.plan.region, List::Body);
        self.leave(0);
        for header in std::mem::take(&mut self.cycles) {
            self.close(header);
        }
        for (phi, temp) in &self.live_out.clone() {
            let block = self.editor.body().block_of(*phi);
            for (from, exit) in self.left.clone() {
                if Some(self.plan.exits[exit]) == block {
                    let value = self.read_at(from, Var::Temp(*temp));
                    self.editor.add_incoming(*phi, value, from);
                }
            }
        }
        self.complete_records();
        self.ssa.tidy(self.editor);
        self.frozen
    }
    /// Removes the old blocks.
    fn take_away(&mut self) {
        let plan = self.plan;
        let sources: Vec<Block> = plan.head.iter().chain(&plan.blocks).copied().collect();
        for exit in &plan.exits {
            let phis: Vec<Inst> = self.editor.body().phis(*exit).collect();
            for phi in phis {
                self.editor.remove_all_incoming(phi, &sources);
                // A block may have several edges to the exit.
                while let Some(index) =
                    self.editor.body().inst(phi).blocks.iter().position(|b| sources.contains(b))
                {
                    self.editor.remove_incoming(phi, index);
                }
            }
        }
        match plan.head {
            Some(head) => {
                let data = InstData::new(InstKind::Br, Type::VOID, [], [self.entry]);
                self.editor.set_terminator(head, data);
            }
            None => self.editor.redirect_edges(plan.preheader, plan.header, self.entry),
        }
        for block in &plan.blocks {
            self.editor.remove_block(*block);
        }
    }
    pub(super) fn block(&mut self, name: Option<&str>) -> Block {
        place(self.editor, self.plan, name)
    }
    /// Continues in `block`, which is reachable if it has predecessors.
    pub(super) fn go_on(&mut self, block: Block) {
        self.at = block;
        self.reached = !self.ssa.preds(block).is_empty();
    }
    /// Inserts an instruction; it gets the location of the current node unless it has its own.
    pub(super) fn insert(&mut self, position: Position, mut data: InstData) -> Inst {
        if data.metadata_of(&MdKind::Dbg).is_none() {
            data.metadata.extend(self.location.map(|location| (MdKind::Dbg, location)));
        }
        self.editor.insert(position, data)
    }
    pub(super) fn end(&mut self, kind: InstKind, operands: Vec<Value>, to: &[Block]) -> Inst {
        let data = InstData::new(kind, Type::VOID, operands, to.iter().copied());
        let end = self.insert(Position::End(self.at), data);
        for block in to {
            self.ssa.edge(self.at, *block);
        }
        self.reached = false;
        end
    }
    pub(super) fn jump(&mut self, to: Block) {
        if self.reached {
            self.end(InstKind::Br, Vec::new(), &[to]);
        }
    }
    fn leave(&mut self, exit: usize) {
        if self.reached {
            self.left.push((self.at, exit));
            let to = self.plan.exits[exit];
            self.end(InstKind::Br, Vec::new(), &[to]);
        }
    }
    pub(super) fn name(&mut self, inst: Inst, name: &str) {
        if !name.starts_with(|c: char| c.is_ascii_digit()) && !name.contains('"') {
            self.editor.set_name(inst, name);
        }
    }
    pub(super) fn read_var(&mut self, var: Var) -> Value {
        self.read_at(self.at, var)
    }
    fn read_at(&mut self, block: Block, var: Var) -> Value {
        if let Var::Temp(temp) = var {
            self.live_in(temp);
        }
        let (hir, widths) = (self.hir, &self.plan.widths);
        let ty = |var| match var {
            Var::Temp(temp) => hir.blobs.temp(temp).ty.ty,
            Var::Iv(l) => Type::int(widths.get(&l).copied().unwrap_or(1)),
        };
        self.ssa.read(self.editor, block, var, &ty)
    }
    /// Gives a variable the value that it has when the region is entered.
    fn live_in(&mut self, temp: Temp) {
        let (entry, var) = (self.entry, Var::Temp(temp));
        if self.ssa.is_known(entry, var) {
            return;
        }
        let outside = |value: &Value| value.as_inst().is_none_or(|inst| !self.local.contains(&inst));
        let Some(value) = self.hir.blobs.temp(temp).value.filter(outside) else { return };
        let value = if self.plan.frozen.contains(&temp) { self.frozen_outside(temp, value) } else { value };
        self.ssa.write(entry, var, value);
    }
    /// Freezes a value from outside at its definition, for all its users, so that facts derived from its uses before
    /// the region apply to the value that the region reads.
    fn frozen_outside(&mut self, temp: Temp, value: Value) -> Value {
        let body = self.editor.body();
        let defined = value.as_inst().map(|inst| (inst, &body.inst(inst).kind));
        let position = match (value, defined) {
            (_, Some((_, InstKind::Freeze))) => return value,
            (Value::Arg(_), _) => body.entry().map(Position::Start),
            (_, Some((inst, kind))) if kind.is_phi() => body.block_of(inst).map(Position::AfterPhis),
            (_, Some((inst, kind))) if !kind.is_terminator() => Some(Position::After(inst)),
            _ => None,
        };
        let ty = body.ty(value);
        let data = InstData::new(InstKind::Freeze, ty, [value], []);
        let Some(position) = position else {
            return self.insert(Position::Start(self.entry), data).into();
        };
        let frozen = self.editor.insert_new(position, data);
        let name = format!("{}.fr", self.hir.blobs.temp(temp).name.trim_start_matches('%'));
        self.name(frozen, &name);
        self.editor.replace_uses_if(value, frozen.into(), |_, u| u.user != frozen);
        self.frozen.push((temp, frozen));
        frozen.into()
    }
    /// The induction variable of that level, as seen from a node.
    pub(super) fn iv(&mut self, node: Node, level: Level) -> Value {
        let around: Vec<Node> = self.hir.loops_around(node).collect();
        let l = around.len().checked_sub(level as usize).and_then(|at| around.get(at)).copied();
        match l {
            Some(l) => self.read_var(Var::Iv(l)),
            None => self.editor.poison(Type::I1),
        }
    }
    pub(super) fn list(&mut self, parent: Node, list: List) {
        let nodes: Vec<Node> = self.hir.children(parent, list).collect();
        for node in nodes {
            self.node(node);
        }
    }
    fn node(&mut self, node: Node) {
        let around = self.location;
        self.location = self.hir.kind(node).location().or(around);
        self.lower_node(node);
        self.location = around;
    }
    fn lower_node(&mut self, node: Node) {
        let hir = self.hir;
        match hir.kind(node) {
            Kind::Region(_) => {}
            Kind::Label(label) => self.place_of(node, &label.name),
            Kind::If(branch) => self.branch(node, &branch.conditions),
            Kind::Switch(switch) => self.switch(node, switch),
            Kind::Loop(l) => self.loop_node(node, l),
            _ if !self.reached => {}
            Kind::Inst(inst) => {
                self.emit_records(node, RecordSide::Before);
                self.instruction(node, inst);
                self.emit_records(node, RecordSide::After);
            }
            Kind::Goto(goto) => match goto.target {
                Target::Exit(exit) => self.leave(exit as usize),
                Target::Label(label) => match hir.begun_at(label) {
                    Some(l) => self.again(l),
                    None => {
                        let Kind::Label(of) = hir.kind(label) else { return };
                        let block = self.label(label, &of.name);
                        self.jump(block);
                    }
                },
            },
        }
    }
    /// Continues at a label, if control reaches it.
    fn place_of(&mut self, node: Node, name: &str) {
        if self.hir.begun_at(node).is_some_and(|l| self.headers.contains_key(&l)) {
            return;
        }
        if !self.plan.cycles.contains(&node) {
            if self.reached || self.labels.contains_key(&node) {
                let block = self.label(node, name);
                self.jump(block);
                self.go_on(block);
            }
            return;
        }
        // Forward jumps go to a block of their own, and backward jumps to another.
        if self.reached || self.labels.contains_key(&node) {
            let before = self.label(node, name);
            self.jump(before);
            self.go_on(before);
        }
        let header = self.block(None);
        self.jump(header);
        self.ssa.open_any(header);
        self.cycles.push(header);
        self.labels.insert(node, header);
        self.at = header;
        self.reached = true;
    }
    fn label(&mut self, node: Node, name: &str) -> Block {
        if let Some(known) = self.labels.get(&node) {
            return *known;
        }
        let block = self.block(plain(name));
        self.labels.insert(node, block);
        block
    }
    /// Branches to `yes` if all conditions hold, and to `no` otherwise.
    pub(super) fn decide(&mut self, node: Node, conditions: &[Predicate], yes: Block, no: Block) {
        for (number, condition) in conditions.iter().enumerate() {
            let to = if number + 1 == conditions.len() { yes } else { self.block(None) };
            let (asked, is_turned) = self.asked(node, condition);
            let ways = if is_turned { [no, to] } else { [to, no] };
            let end = self.end(InstKind::CondBr, vec![asked], &ways);
            self.hint(end, condition.hints);
            self.go_on(to);
        }
        if conditions.is_empty() {
            self.jump(yes);
        }
    }
    /// The value that a branch on a condition tests, and whether its first successor is taken if the condition does
    /// not hold. The condition is inverted if its hints are turned; a comparison of a truth value with false tests
    /// the truth value itself.
    fn asked(&mut self, node: Node, condition: &Predicate) -> (Value, bool) {
        let Compare::Int(pred) = condition.compare else { return (self.predicate(node, condition), false) };
        let is_turned = condition.hints.is_turned();
        let pred = if is_turned { pred.inverse() } else { pred };
        let is_free = condition.hints.is_empty();
        if is_of_truth(condition) && (pred == IntPredicate::Ne || pred == IntPredicate::Eq && is_free) {
            return (self.reference(node, &condition.refs[0]), is_turned || pred == IntPredicate::Eq);
        }
        (self.predicate(node, &Predicate { compare: Compare::Int(pred), ..condition.clone() }), is_turned)
    }
    fn branch(&mut self, node: Node, conditions: &[Predicate]) {
        let ways = self.reached.then(|| [(); 2].map(|()| self.block(None)));
        let after = self.block(None);
        if let Some([yes, no]) = ways {
            self.decide(node, conditions, yes, no);
        }
        for (way, list) in [List::Then, List::Else].into_iter().enumerate() {
            if let Some(ways) = ways {
                self.go_on(ways[way]);
            }
            self.list(node, list);
            self.jump(after);
        }
        self.join(after);
    }
    /// Continues in a block that may have no predecessors; it is then removed.
    pub(super) fn join(&mut self, after: Block) {
        if self.ssa.preds(after).is_empty() {
            self.editor.remove_block(after);
            self.reached = false;
        } else {
            self.go_on(after);
        }
    }
    fn switch(&mut self, node: Node, switch: &HlSwitch) {
        let lists: Vec<List> = self.hir.lists(node).collect();
        let mut blocks = Vec::new();
        if self.reached {
            let condition = self.reference(node, &switch.condition);
            blocks.extend(lists.iter().map(|_| self.block(None)));
            let mut operands = vec![condition];
            for case in &switch.cases {
                operands.push(self.editor.int(*case));
            }
            let end = self.end(InstKind::Switch, operands, &blocks);
            self.hint(end, switch.hints);
        }
        let after = self.block(None);
        for (way, list) in lists.into_iter().enumerate() {
            if let Some(block) = blocks.get(way) {
                self.go_on(*block);
            }
            self.list(node, list);
            self.jump(after);
        }
        self.join(after);
    }
    /// Puts the hints of a branch on its instruction.
    pub(super) fn hint(&mut self, end: Inst, hints: Hints) {
        let all = [(MdKind::Prof, hints.prof), (MdKind::Unpredictable, hints.unpredictable)];
        for (kind, of) in all {
            if let Some(of) = of {
                self.editor.set_metadata(end, kind, of);
            }
        }
    }
}

/// Whether the condition compares a truth value with false.
fn is_of_truth(condition: &Predicate) -> bool {
    let right = condition.refs[1].as_terminal().and_then(|of| of.as_constant());
    right.is_some_and(|of| of.width() == 1 && of.is_zero())
}

/// Creates a phi in the single exit block for each value of the nest that is used after it, and redirects these uses
/// to the phi.
pub(super) fn closed(editor: &mut Editor<'_>, plan: &Plan) -> Vec<(Inst, Temp)> {
    let mut phis = Vec::new();
    for (inst, temp) in &plan.open {
        let Some(exit) = plan.exits.first() else { break };
        let ty = editor.body().inst(*inst).ty;
        let phi =
            editor.insert(Position::Start(*exit), InstData::new(InstKind::Phi(FastMath::NONE), ty, [], []));
        editor.replace_uses_if((*inst).into(), phi.into(), |body, u| {
            use_block(body, u).is_none_or(|block| !plan.blocks.contains(&block))
        });
        phis.push((phi, *temp));
    }
    phis
}

/// Creates a block before the exit blocks.
fn place(editor: &mut Editor<'_>, plan: &Plan, name: Option<&str>) -> Block {
    match plan.exits.first() {
        Some(exit) => editor.add_block_before(*exit, name),
        None => editor.add_block(name),
    }
}

/// The name, if a block can have it: a number is not a name.
pub(super) fn plain(name: &str) -> Option<&str> {
    let is_name = !name.starts_with(|c: char| c.is_ascii_digit()) && !name.contains('"');
    is_name.then_some(name)
}
