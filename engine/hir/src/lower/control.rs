//! Blocks for lists of nodes.

use super::Plan;
use super::records::{Part, Records, Side};
use super::ssa::{Ssa, Var};
use crate::blob::Temp;
use crate::canon::Level;
use crate::node::{Compare, Hints, Hir, HlLoop, HlSwitch, Kind, List, LoopKind, Node, Predicate, Target};
use backedge_analysis::loops::use_block;
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{BinaryFlags, BinaryOp, FastMath, InstData, InstKind, IntPredicate, Use, Value};
use backedge_ir::int::Int;
use backedge_ir::metadata::{MdKind, MdRef};
use backedge_ir::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};

/// A region on its way.
pub(super) struct Lowering<'l, 'e, 'b> {
    pub(super) editor: &'e mut Editor<'b>,
    pub(super) hir: &'l Hir,
    pub(super) plan: &'l Plan,
    pub(super) ssa: Ssa,
    /// Where instructions are put, if control comes here.
    pub(super) at: Block,
    reached: bool,
    /// The first block, where what comes from outside is read.
    entry: Block,
    /// The instructions that are taken away, and the phis of the exits: no variable has these from outside.
    pub(super) local: FxHashSet<Inst>,
    /// The phis of the exits, with their variables.
    live_out: Vec<(Inst, Temp)>,
    labels: FxHashMap<Node, Block>,
    /// The loops whose body is at hand, with their headers.
    pub(super) headers: FxHashMap<Node, Block>,
    /// Edges to exits: from where, and which.
    left: Vec<(Block, usize)>,
    /// The variables of values from outside that were frozen there, with what they are.
    frozen: Vec<(Temp, Inst)>,
    /// Where the node at hand is in the source.
    location: Option<MdRef>,
    /// What instructions of the tree computed.
    pub(super) made: FxHashMap<Node, Value>,
    /// What accesses used.
    pub(super) used: FxHashMap<(Node, Part), Value>,
    /// What debuggers are to be told yet.
    pub(super) records: Records,
    /// What they are told of that may become a phi of a header: the variable of it.
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
    /// Does it; the variables of values from outside that are others now, with these.
    pub(super) fn run(mut self) -> Vec<(Temp, Inst)> {
        self.take_away();
        self.list(self.plan.region, List::Body);
        self.leave(0);
        for (phi, temp) in &self.live_out.clone() {
            let block = self.editor.body().block_of(*phi);
            for (from, exit) in self.left.clone() {
                if Some(self.plan.exits[exit]) == block {
                    let value = self.read_at(from, Var::Temp(*temp));
                    self.editor.add_incoming(*phi, value, from);
                }
            }
        }
        self.tell_later();
        self.ssa.tidy(self.editor);
        self.frozen
    }
    /// Takes the old blocks away.
    fn take_away(&mut self) {
        let plan = self.plan;
        let sources: Vec<Block> = plan.head.iter().chain(&plan.blocks).copied().collect();
        for exit in &plan.exits {
            let phis: Vec<Inst> = self.editor.body().phis(*exit).collect();
            for phi in phis {
                self.editor.remove_all_incoming(phi, &sources);
                // A block may have come by several edges.
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
    fn block(&mut self, name: Option<&str>) -> Block {
        place(self.editor, self.plan, name)
    }
    /// Control goes on in `block`, if it comes there.
    fn go_on(&mut self, block: Block) {
        self.at = block;
        self.reached = !self.ssa.preds(block).is_empty();
    }
    /// Puts in an instruction that is where the node at hand is in the source, if it does not say where it is.
    pub(super) fn insert(&mut self, position: Position, mut data: InstData) -> Inst {
        if data.metadata_of(&MdKind::Dbg).is_none() {
            data.metadata.extend(self.location.map(|location| (MdKind::Dbg, location)));
        }
        self.editor.insert(position, data)
    }
    fn end(&mut self, kind: InstKind, operands: Vec<Value>, to: &[Block]) -> Inst {
        let data = InstData::new(kind, Type::VOID, operands, to.iter().copied());
        let end = self.insert(Position::End(self.at), data);
        for block in to {
            self.ssa.edge(self.at, *block);
        }
        self.reached = false;
        end
    }
    fn jump(&mut self, to: Block) {
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
    /// Gives a variable what it has when the region is entered.
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
    /// A value from outside, frozen where it is defined, and for all who use it: what is asked of it before the region is
    /// known of what the region reads.
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
    /// The induction variable of that level for a node.
    pub(super) fn iv(&mut self, node: Node, level: Level) -> Value {
        let around: Vec<Node> = self.hir.loops_around(node).collect();
        let l = around.len().checked_sub(level as usize).and_then(|at| around.get(at)).copied();
        match l {
            Some(l) => self.read_var(Var::Iv(l)),
            None => self.editor.poison(Type::I1),
        }
    }
    fn list(&mut self, parent: Node, list: List) {
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
            Kind::Label(label) => {
                if hir.begun_at(node).is_some_and(|l| self.headers.contains_key(&l)) {
                    return;
                }
                if self.reached || self.labels.contains_key(&node) {
                    let block = self.label(node, &label.name);
                    self.jump(block);
                    self.go_on(block);
                }
            }
            _ if !self.reached => {}
            Kind::Inst(inst) => {
                self.tell(node, Side::Before);
                self.instruction(node, inst);
                self.tell(node, Side::Behind);
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
            Kind::If(branch) => self.branch(node, &branch.conditions),
            Kind::Switch(switch) => self.switch(node, switch),
            Kind::Loop(l) => self.loop_node(node, l),
        }
    }
    fn label(&mut self, node: Node, name: &str) -> Block {
        if let Some(known) = self.labels.get(&node) {
            return *known;
        }
        let block = self.block(plain(name));
        self.labels.insert(node, block);
        block
    }
    /// Goes to `yes` if all conditions hold, and to `no` otherwise.
    fn decide(&mut self, node: Node, conditions: &[Predicate], yes: Block, no: Block) {
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
    /// What a branch asks for a condition, and whether its first way is where that does not hold: the opposite where what is said
    /// of the branch is meant so; and a truth value as it is.
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
        let [yes, no, behind] = [(); 3].map(|()| self.block(None));
        self.decide(node, conditions, yes, no);
        for (block, list) in [(yes, List::Then), (no, List::Else)] {
            self.go_on(block);
            self.list(node, list);
            self.jump(behind);
        }
        self.join(behind);
    }
    /// Goes on in a block that everything may have left before.
    fn join(&mut self, behind: Block) {
        if self.ssa.preds(behind).is_empty() {
            self.editor.remove_block(behind);
            self.reached = false;
        } else {
            self.go_on(behind);
        }
    }
    fn switch(&mut self, node: Node, switch: &HlSwitch) {
        let condition = self.reference(node, &switch.condition);
        let lists: Vec<List> = self.hir.lists(node).collect();
        let blocks: Vec<Block> = lists.iter().map(|_| self.block(None)).collect();
        let behind = self.block(None);
        let mut operands = vec![condition];
        for case in &switch.cases {
            operands.push(self.editor.int(*case));
        }
        let end = self.end(InstKind::Switch, operands, &blocks);
        self.hint(end, switch.hints);
        for (block, list) in blocks.into_iter().zip(lists) {
            self.go_on(block);
            self.list(node, list);
            self.jump(behind);
        }
        self.join(behind);
    }
    fn width(&self, l: Node) -> u32 {
        self.plan.widths.get(&l).copied().unwrap_or(1)
    }
    fn loop_node(&mut self, node: Node, l: &HlLoop) {
        let hir = self.hir;
        let behind = self.block(None);
        if !l.ztt.is_empty() {
            let inside = self.block(None);
            self.decide(node, &l.ztt, inside, behind);
            self.go_on(inside);
        }
        self.list(node, List::Preheader);
        if !self.reached {
            return self.join(behind);
        }
        let width = self.width(node);
        let last = match &l.kind {
            LoopKind::Do { upper, .. } => {
                let count = self.reference(node, upper);
                Some(self.widened(count, width))
            }
            LoopKind::Unknown(_) => None,
        };
        let preheader = self.at;
        let header = self.block(plain(&l.name));
        self.jump(header);
        let phi = self.editor.insert(
            Position::Start(header),
            InstData::new(InstKind::Phi(FastMath::NONE), Type::int(width), [], []),
        );
        let zero = self.editor.int(Int::zero(width));
        self.editor.add_incoming(phi, zero, preheader);
        let iv = Var::Iv(node);
        let mut written: FxHashSet<Var> = FxHashSet::default();
        for inside in hir.nodes_in(node) {
            written.extend(hir.written(inside).map(Var::Temp));
            if inside != node && matches!(hir.kind(inside), Kind::Loop(_)) {
                written.insert(Var::Iv(inside));
            }
        }
        self.ssa.open(header, preheader, written);
        self.ssa.write(header, iv, phi.into());
        self.headers.insert(node, header);
        self.at = header;
        self.reached = true;
        self.tell(node, Side::Within);
        self.list(node, List::Body);
        let after = self.block(None);
        if self.reached {
            match last {
                Some(last) => {
                    let now = self.read_var(iv);
                    // What was said of the branch is said of its ways in the order that they had.
                    let goes_on_first = !l.hints.is_empty() && !l.hints.is_turned();
                    let (pred, ways) = match goes_on_first {
                        true => (IntPredicate::Ne, [header, after]),
                        false => (IntPredicate::Eq, [after, header]),
                    };
                    let asked = self.compare(pred, now, last);
                    // Where another iteration begins, it was not the last one.
                    let next = self.next(node, now, true);
                    self.editor.add_incoming(phi, next, self.at);
                    let end = self.end(InstKind::CondBr, vec![asked], &ways);
                    self.options(node, end);
                    self.hint(end, l.hints);
                }
                None => self.jump(after),
            }
        }
        self.close(header);
        self.headers.remove(&node);
        self.join(after);
        if self.reached {
            self.list(node, List::Postexit);
            self.jump(behind);
        }
        self.join(behind);
    }
    fn close(&mut self, header: Block) {
        let (hir, widths) = (self.hir, &self.plan.widths);
        let ty = |var| match var {
            Var::Temp(temp) => hir.blobs.temp(temp).ty.ty,
            Var::Iv(l) => Type::int(widths.get(&l).copied().unwrap_or(1)),
        };
        self.ssa.close(self.editor, header, &ty);
    }
    /// The number of the next iteration, with what is known of how many there are.
    fn next(&mut self, l: Node, iv: Value, is_counted: bool) -> Value {
        let ty = self.editor.body().ty(iv);
        let one = self.editor.int(Int::one(ty.int_bits().unwrap_or(1)));
        let most = match self.hir.kind(l) {
            Kind::Loop(of) => of.most,
            _ => None,
        };
        let width = ty.int_bits().unwrap_or(1);
        let fits = |bits: u32| most.is_some_and(|most| most <= Int::all_ones(bits.max(1)).bits());
        let flags = BinaryFlags {
            nuw: is_counted || fits(width),
            nsw: width > 1 && fits(width - 1),
            ..BinaryFlags::default()
        };
        self.exact(BinaryOp::Add, iv, one, flags)
    }
    /// The next iteration of an unknown loop.
    fn again(&mut self, l: Node) {
        let Some(header) = self.headers.get(&l).copied() else { return };
        let iv = self.read_var(Var::Iv(l));
        let next = self.next(l, iv, false);
        let phi = self.ssa.value(header, Var::Iv(l)).and_then(Value::as_inst);
        if let Some(phi) = phi {
            self.editor.add_incoming(phi, next, self.at);
        }
        if self.reached {
            let end = self.end(InstKind::Br, Vec::new(), &[header]);
            self.options(l, end);
        }
    }
    /// Says of a branch what is said of it.
    fn hint(&mut self, end: Inst, hints: Hints) {
        let all = [(MdKind::Prof, hints.prof), (MdKind::Unpredictable, hints.unpredictable)];
        for (kind, of) in all {
            if let Some(of) = of {
                self.editor.set_metadata(end, kind, of);
            }
        }
    }
    /// Says of a backedge what is said of its loop.
    fn options(&mut self, l: Node, end: Inst) {
        if let Kind::Loop(HlLoop { options: Some(options), .. }) = self.hir.kind(l) {
            self.editor.set_metadata(end, MdKind::Loop, *options);
        }
    }
}

/// Whether a truth value is compared with false.
fn is_of_truth(condition: &Predicate) -> bool {
    let right = condition.refs[1].as_terminal().and_then(|of| of.as_constant());
    right.is_some_and(|of| of.width() == 1 && of.is_zero())
}

/// Gives values of the nest that are used behind it a phi of their own at its one exit, and these uses to that.
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

/// A new block, before the exits.
fn place(editor: &mut Editor<'_>, plan: &Plan, name: Option<&str>) -> Block {
    match plan.exits.first() {
        Some(exit) => editor.add_block_before(*exit, name),
        None => editor.add_block(name),
    }
}

/// A name that a block can have: not a number, which is no name.
fn plain(name: &str) -> Option<&str> {
    let is_name = !name.starts_with(|c: char| c.is_ascii_digit()) && !name.contains('"');
    is_name.then_some(name)
}
