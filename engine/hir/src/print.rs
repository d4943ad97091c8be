//! Nests as text, in the document's form:
//!
//! ```text
//! <0>    BEGIN REGION for.body
//! <1>    + DO i1 = 0, 3, 1
//! <2>    |   %x.018 = %x.018 + %1;
//! <3>    |   %2 = (%b)[i1 + 1];
//!        + END LOOP
//!        END REGION
//! ```
//!
//! In front are node numbers: places in lexical order. Loops are drawn as bars; those with other exits are marked. Unsigned
//! comparisons have a `u` behind their sign.

use crate::blob::Blobs;
use crate::node::{Compare, Event, Hir, HlInst, HlLoop, Kind, List, LoopKind, Node, Operation, Predicate};
use backedge_ir::inst::{BinaryOp, FloatBinaryOp, InstKind, IntPredicate};

impl Hir {
    /// All regions as text.
    pub fn text(&self) -> String {
        self.regions().iter().map(|region| self.region_text(*region)).collect()
    }
    /// One region as text.
    pub fn region_text(&self, region: Node) -> String {
        let mut printer = Printer { hir: self, out: String::new(), indent: String::new() };
        self.events(region).into_iter().for_each(|event| printer.event(event));
        printer.out
    }
    /// The line of one node, without its number and what is in it.
    pub fn line(&self, node: Node) -> String {
        match self.kind(node) {
            Kind::Region(region) => format!("BEGIN REGION {}", region.name),
            Kind::Loop(l) => self.loop_line(node, l),
            Kind::If(branch) => format!("if ({})", self.conditions(&branch.conditions)),
            Kind::Switch(switch) => format!("switch ({})", switch.condition.text(&self.blobs)),
            Kind::Label(label) => format!("{}:", label.name),
            Kind::Goto(goto) => match self.kind(goto.target) {
                Kind::Label(label) => format!("goto {};", label.name),
                _ => "goto ?;".to_owned(),
            },
            Kind::Inst(inst) => inst.text(&self.blobs),
        }
    }
    fn loop_line(&self, node: Node, l: &HlLoop) -> String {
        let level = self.loop_level(node);
        let mut line = match &l.kind {
            LoopKind::Do { lower, upper, stride } => {
                let [lower, upper, stride] = [lower, upper, stride].map(|of| of.text(&self.blobs));
                let exits = if self.has_other_exits(node) { "   <DO_MULTI_EXIT_LOOP>" } else { "" };
                format!("+ DO i{level} = {lower}, {upper}, {stride}{exits}")
            }
            LoopKind::Unknown(_) => format!("+ UNKNOWN LOOP i{level}"),
        };
        if !l.ztt.is_empty() {
            line += &format!("   <ZTT: {}>", self.conditions(&l.ztt));
        }
        line
    }
    /// Whether a goto in the body of `l` leaves it.
    pub fn has_other_exits(&self, l: Node) -> bool {
        self.nodes_in(l).into_iter().any(|node| match self.kind(node) {
            Kind::Goto(goto) => self.loops_around(node).any(|x| x == l) && !self.is_in(l, goto.target),
            _ => false,
        })
    }
    fn conditions(&self, all: &[Predicate]) -> String {
        let texts: Vec<String> = all.iter().map(|p| p.text(&self.blobs)).collect();
        texts.join(" && ")
    }
}

struct Printer<'h> {
    hir: &'h Hir,
    out: String,
    indent: String,
}

impl Printer<'_> {
    fn write(&mut self, number: Option<u32>, text: &str) {
        let number = number.map_or(String::new(), |n| format!("<{n}>"));
        self.out += format!("{number:<7}{}{text}", self.indent).trim_end();
        self.out.push('\n');
    }
    fn begin(&mut self, bar: &str) {
        self.indent += bar;
    }
    fn end(&mut self) {
        // Every level is drawn with four characters.
        self.indent.truncate(self.indent.len().saturating_sub(4));
    }
    fn event(&mut self, event: Event) {
        let hir = self.hir;
        match event {
            Event::Enter(node) => {
                if !matches!(hir.kind(node), Kind::Loop(_)) {
                    self.write(hir.number(node), &hir.line(node));
                }
            }
            Event::List(node, list) => {
                match (hir.kind(node), list) {
                    (Kind::Region(_), _) => return,
                    // Two steps further in than the loop's line, which has the place of a list.
                    (Kind::Loop(_), List::Preheader) => return self.begin("    "),
                    (Kind::Loop(_), List::Body) => {
                        self.end();
                        self.write(hir.number(node), &hir.line(node));
                        return self.begin("|   ");
                    }
                    (Kind::Loop(_), _) => {
                        self.end();
                        self.write(None, "+ END LOOP");
                        return self.begin("    ");
                    }
                    (Kind::If(_), List::Then) => self.write(None, "{"),
                    (Kind::If(_), _) => {
                        self.end();
                        self.write(None, "}");
                        if hir.first(node, List::Else).is_some() {
                            self.write(None, "else");
                            self.write(None, "{");
                        }
                    }
                    (_, List::Default) => {
                        self.write(None, "{");
                        self.write(None, "default:");
                    }
                    (Kind::Switch(switch), List::Case(case)) => {
                        self.end();
                        let value = switch.cases[case as usize].signed();
                        self.write(None, &format!("case {value}:"));
                    }
                    _ => {}
                }
                self.begin("    ");
            }
            Event::Leave(node) => match hir.kind(node) {
                Kind::Region(_) => self.write(None, "END REGION"),
                Kind::Loop(_) => self.end(),
                Kind::If(_) => {
                    self.end();
                    if hir.first(node, List::Else).is_some() {
                        self.write(None, "}");
                    }
                }
                Kind::Switch(_) => {
                    self.end();
                    self.write(None, "}");
                }
                Kind::Label(_) | Kind::Goto(_) | Kind::Inst(_) => {}
            },
        }
    }
}

impl Predicate {
    /// The comparison as text.
    pub fn text(&self, blobs: &Blobs) -> String {
        let [left, right] = self.refs.each_ref().map(|of| of.text(blobs));
        let sign = match self.compare {
            Compare::Int(pred) => int_sign(pred),
            Compare::Float(pred) => pred.name(),
        };
        format!("{left} {sign} {right}")
    }
}

impl HlInst {
    /// The instruction as text.
    pub fn text(&self, blobs: &Blobs) -> String {
        let operands: Vec<String> = self.rvals.iter().map(|of| of.text(blobs)).collect();
        let value = match (&self.operation, &operands[..]) {
            (Operation::Copy, [one]) => one.clone(),
            (Operation::Ir(data), [left, right]) if binary_sign(&data.kind).is_some() => {
                let sign = binary_sign(&data.kind).unwrap_or_default();
                format!("{left} {sign} {right}")
            }
            (Operation::Ir(data), _) => match (&data.kind, operands.split_last()) {
                (InstKind::Call(_), Some((callee, arguments))) => {
                    format!("{callee}({})", arguments.join(", "))
                }
                (kind, _) => format!("{}({})", kind.mnemonic(), operands.join(", ")),
            },
            (Operation::Copy, _) => operands.join(", "),
        };
        match &self.lval {
            Some(lval) => format!("{} = {value};", lval.text(blobs)),
            None => format!("{value};"),
        }
    }
}

/// How operations with two operands are written between them.
fn binary_sign(kind: &InstKind) -> Option<&'static str> {
    Some(match kind {
        InstKind::Binary(op, _) => match op {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::UDiv => "/u",
            BinaryOp::SDiv => "/",
            BinaryOp::URem => "%u",
            BinaryOp::SRem => "%",
            BinaryOp::Shl => "<<",
            BinaryOp::LShr => ">>u",
            BinaryOp::AShr => ">>",
            BinaryOp::And => "&",
            BinaryOp::Or => "|",
            BinaryOp::Xor => "^",
        },
        InstKind::FloatBinary(op, _) => match op {
            FloatBinaryOp::FAdd => "+",
            FloatBinaryOp::FSub => "-",
            FloatBinaryOp::FMul => "*",
            FloatBinaryOp::FDiv => "/",
            FloatBinaryOp::FRem => "%",
        },
        InstKind::ICmp { pred, .. } => int_sign(*pred),
        InstKind::FCmp(pred, _) => pred.name(),
        _ => return None,
    })
}

fn int_sign(pred: IntPredicate) -> &'static str {
    match pred {
        IntPredicate::Eq => "==",
        IntPredicate::Ne => "!=",
        IntPredicate::Ugt => ">u",
        IntPredicate::Uge => ">=u",
        IntPredicate::Ult => "<u",
        IntPredicate::Ule => "<=u",
        IntPredicate::Sgt => ">",
        IntPredicate::Sge => ">=",
        IntPredicate::Slt => "<",
        IntPredicate::Sle => "<=",
    }
}
