//! Nests as text, in the form of the document (docs/hir-terms.md):
//!
//! ```text
//! <0>          BEGIN REGION for.body
//! <1>          + DO i1 = 0, 3, 1   <DO_LOOP>
//! <2>          |   %x.018 = %x.018 + %1;
//! <3>          |   %2 = (%b)[i1 + 1];
//! <1>          + END LOOP
//!              END REGION
//! ```
//!
//! Each line starts with the node number, the position in lexical order. Loops are drawn as bars; loops with other
//! exits are marked. No case of a switch falls through: `break;` is printed at its end, unless it ends in a goto.
//! Unsigned comparisons have a `u` after their operator. Volatile and atomic accesses have a prefix, as in
//! `volatile (%p)[i1]`; the element type of a `getelementptr` that is not a memory reference precedes its operands.
//! For the text of subscripts see `ddref`.
//!
//! The list of references names the references of each node; `DR1` is the first of the region. The list of symbases
//! has the references with each symbase, and a variable once for each reference that it is attached to, for a
//! subscript or the like:
//!
//! ```text
//! HLInst3   <--> DR4(%2), DR5((%b)[i1 + 1])
//! Symbase 8 <--> DR4(%2) DR8(%2) DR12(%2)
//! Symbase 9 <--> %b %b
//! ```
//!
//! After the lists, one line for the region and for each loop has its live-in and live-out variables.

use crate::CanonExpr;
use crate::blob::{Blobs, Temp};
use crate::build::{BuildMissed, build};
use crate::ddref::{RegDdRef, order};
use crate::node::{
    Compare, Event, Hir, HlInst, HlLoop, Kind, List, LoopKind, Node, Operation, Predicate, Target,
};
use crate::symbase::Symbase;
use backedge_analysis::Analyses;
use backedge_ir::body::Body;
use backedge_ir::entity::FuncId;
use backedge_ir::inst::{BinaryOp, FloatBinaryOp, InstKind, IntPredicate};
use backedge_ir::module::Env;
use backedge_ir::print::BodyPrinter;
use backedge_ir::types::Type;
use backedge_scev::ScalarEvolution;
use std::collections::BTreeMap;

/// The nests of `func`, whose code is `body`, as text, and the reasons why other nests were not taken.
pub fn hir_to_string(env: &Env, func: FuncId, body: &Body, options: HirText) -> String {
    let analyses = Analyses::of(func);
    let mut scev = ScalarEvolution::new(analyses.at(env, body));
    let mut built = build(&mut scev);
    let mut out = format!("Function: {}\n", env.funcs[func].name);
    let names = BodyPrinter::new(env, body);
    for (l, missed) in &built.missed {
        out += &format!("; loop {} was not taken: {missed}\n", names.block(scev.header(*l)));
    }
    for first in &built.cycles {
        out += &format!(
            "; the cycle from {} on was not taken: {}\n",
            names.block(*first),
            BuildMissed::Irreducible
        );
    }
    for taken in &built.taken {
        out += &built.hir.region_text(taken.region);
        if options.symbases {
            out += &built.hir.symbases_text(taken.region);
        }
        if options.queries {
            out += &built.hir.queries_text(taken.region);
        }
    }
    out
}

/// Options for printing nests.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct HirText {
    /// Print symbases with their references, and the live-in and live-out variables of regions and loops, after each
    /// region.
    pub symbases: bool,
    /// Print the properties of each reference ([`crate::queries`]) after that.
    pub queries: bool,
}

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
    /// The references of each node of a region, with names; and the symbases, each with its references: potential
    /// dependences.
    pub fn symbases_text(&self, region: Node) -> String {
        let mut lists: BTreeMap<Symbase, Vec<String>> = BTreeMap::new();
        let mut out = String::new();
        let mut named = 0;
        for node in self.nodes_in(region) {
            let mut refs = Vec::new();
            for of in self.kind(node).refs() {
                named += 1;
                let text = format!("DR{named}({})", self.ref_text(node, of));
                for blob in of.blob_refs() {
                    let name = &self.blobs.temp(blob.temp).name;
                    lists.entry(blob.symbase).or_default().push(name.to_string());
                }
                if of.symbase() >= Symbase::FIRST {
                    lists.entry(of.symbase()).or_default().push(text.clone());
                }
                refs.push(text);
            }
            if !refs.is_empty() {
                let (class, number) = (self.kind(node).class(), self.number(node).unwrap_or(0));
                let name = format!("{class}{number}");
                out += &format!("{name:<9} <--> {}\n", refs.join(", "));
            }
        }
        for (symbase, refs) in lists {
            let name = format!("Symbase {symbase}");
            out += &format!("{name:<9} <--> {}\n", refs.join(" "));
        }
        out + &self.live_text(region)
    }
    /// The live-in and live-out variables of the region and of each loop in it.
    fn live_text(&self, region: Node) -> String {
        let names = |temps: Vec<Temp>| -> String {
            let names: Vec<&str> = temps.iter().map(|temp| &*self.blobs.temp(*temp).name).collect();
            if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
        };
        let line = |node: Node| {
            let number = self.number(node).unwrap_or(0);
            let (live_in, live_out) = (names(self.live_in(node)), names(self.live_out(node)));
            format!("Live <{number}> <--> in: {live_in}; out: {live_out}\n")
        };
        let loops =
            self.nodes_in(region).into_iter().filter(|node| matches!(self.kind(*node), Kind::Loop(_)));
        std::iter::once(region).chain(loops).map(line).collect()
    }
    /// The line of one node, without its number and its children.
    pub fn line(&self, node: Node) -> String {
        match self.kind(node) {
            Kind::Region(region) => format!("BEGIN REGION {}", region.name),
            Kind::Loop(l) => self.loop_line(node, l),
            Kind::If(branch) => format!("if ({})", self.conditions(&branch.conditions)),
            Kind::Switch(switch) => format!("switch ({})", switch.condition.text(&self.blobs)),
            Kind::Label(label) => format!("{}:", label.name),
            Kind::Goto(goto) => format!("goto {};", self.target_name(node, goto.target)),
            Kind::Inst(inst) => inst.text(|of| self.ref_text(node, of), &|ty| self.type_text(ty)),
        }
    }
    fn type_text(&self, ty: Type) -> String {
        let of_int = || ty.int_bits().map_or("?".to_owned(), |bits| format!("i{bits}"));
        self.type_names.get(&ty).map_or_else(of_int, |name| name.to_string())
    }
    /// The reference `of` of `node`. A scalar computed only from wider induction variables is shown as their
    /// truncation: `trunc(2 * i2)`. In forms, induction variables are iteration numbers modulo the width of the form.
    pub fn ref_text(&self, node: Node, of: &RegDdRef) -> String {
        let text = of.text(&self.blobs);
        let is_cut = of.as_terminal().is_some_and(|form| {
            form.cast().is_none()
                && form.has_any_iv()
                && form.all_blobs().next().is_none()
                && self.loops_around(node).any(|l| {
                    form.has_iv(self.loop_level(l))
                        && matches!(&self.kind(l), Kind::Loop(HlLoop { kind: LoopKind::Do { upper, .. }, .. })
                            if upper.ty().int_bits() > Some(form.dest_type().width))
                })
        });
        if is_cut { format!("trunc({text})") } else { text }
    }
    fn loop_line(&self, node: Node, l: &HlLoop) -> String {
        let level = self.loop_level(node);
        let mut line = match &l.kind {
            LoopKind::Do { lower, upper, stride } => {
                // Loop bounds are unsigned.
                let known = |of: &RegDdRef| of.as_terminal().and_then(CanonExpr::as_constant);
                let text =
                    |of: &RegDdRef| known(of).map_or_else(|| of.text(&self.blobs), |c| c.bits().to_string());
                let [lower, upper, stride] = [lower, upper, stride].map(text);
                let exits = if self.has_other_exits(node) { "DO_MULTI_EXIT_LOOP" } else { "DO_LOOP" };
                format!("+ DO i{level} = {lower}, {upper}, {stride}   <{exits}>")
            }
            LoopKind::Unknown(_) => format!("+ UNKNOWN LOOP i{level}"),
        };
        if !l.ztt.is_empty() {
            line += &format!("   <ZTT: {}>", self.conditions(&l.ztt));
        }
        line
    }
    fn target_name(&self, node: Node, target: Target) -> &str {
        let of = match target {
            Target::Label(label) => Some(self.kind(label)),
            Target::Exit(_) => self.region(node).map(|region| self.kind(region)),
        };
        match (of, target) {
            (Some(Kind::Label(label)), _) => &label.name,
            (Some(Kind::Region(region)), Target::Exit(exit)) => {
                region.exits.get(exit as usize).map_or("?", |name| name)
            }
            _ => "?",
        }
    }
    /// Whether a goto in the body of `l` leaves it.
    pub fn has_other_exits(&self, l: Node) -> bool {
        self.nodes_in(l).into_iter().any(|node| match self.kind(node) {
            Kind::Goto(goto) => {
                self.loops_around(node).any(|x| x == l) && goto.label().is_none_or(|to| !self.is_in(l, to))
            }
            _ => false,
        })
    }
    fn conditions(&self, all: &[Predicate]) -> String {
        let texts: Vec<String> = all.iter().map(|p| p.text(&self.blobs)).collect();
        texts.join(" && ")
    }
}

/// The column where the text of nodes starts, after their numbers.
pub const NUMBERS: usize = 13;

struct Printer<'h> {
    hir: &'h Hir,
    out: String,
    indent: String,
}

impl Printer<'_> {
    fn write(&mut self, number: Option<u32>, text: &str) {
        let number = number.map_or(String::new(), |n| format!("<{n}>"));
        self.out += format!("{number:<NUMBERS$}{}{text}", self.indent).trim_end();
        self.out.push('\n');
    }
    fn begin(&mut self, bar: &str) {
        self.indent += bar;
    }
    fn end(&mut self) {
        // Every level is drawn with four characters.
        self.indent.truncate(self.indent.len().saturating_sub(4));
    }
    /// Ends one of the lists of a switch; control continues after the switch.
    fn end_of_case(&mut self, node: Node, list: List) {
        let last = self.hir.children(node, list).last();
        if !last.is_some_and(|last| matches!(self.hir.kind(last), Kind::Goto(_))) {
            self.write(None, "break;");
        }
        self.end();
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
                    // Indent the preheader deeper than the loop's line, which itself takes the place of a list.
                    (Kind::Loop(_), List::Preheader) => return self.begin("    "),
                    (Kind::Loop(_), List::Body) => {
                        self.end();
                        self.write(hir.number(node), &hir.line(node));
                        return self.begin("|   ");
                    }
                    (Kind::Loop(_), _) => {
                        self.end();
                        self.write(hir.number(node), "+ END LOOP");
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
                        self.end_of_case(node, case.checked_sub(1).map_or(List::Default, List::Case));
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
                Kind::Switch(switch) => {
                    let last = switch.cases.len().checked_sub(1);
                    self.end_of_case(node, last.map_or(List::Default, |case| List::Case(case as u32)));
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
    /// The instruction, with references printed by `of` and types by `ty`.
    fn text(&self, of: impl Fn(&RegDdRef) -> String, ty: &dyn Fn(Type) -> String) -> String {
        let operands: Vec<String> = self.rvals.iter().map(&of).collect();
        let value = match (&self.operation, &operands[..]) {
            (Operation::Copy, [one]) => one.clone(),
            (Operation::Ir(data), [one]) if matches!(data.kind, InstKind::Load(_) | InstKind::Store(_)) => {
                one.clone()
            }
            (Operation::Ir(data), [left, right]) if binary_sign(&data.kind).is_some() => {
                let sign = binary_sign(&data.kind).unwrap_or_default();
                let [left, right] = [left, right].map(|operand| in_parentheses(operand));
                format!("{left} {sign} {right}")
            }
            (Operation::Ir(data), _) => match (&data.kind, operands.split_last()) {
                (InstKind::Call(_), Some((callee, arguments))) => {
                    format!("{callee}({})", arguments.join(", "))
                }
                (kind @ InstKind::Gep { source, .. }, _) => {
                    format!("{}({}, {})", kind.mnemonic(), ty(*source), operands.join(", "))
                }
                (kind, _) => format!("{}({})", name_of(kind), operands.join(", ")),
            },
            (Operation::Copy, _) => operands.join(", "),
        };
        match &self.lval {
            Some(lval) => format!("{} = {value};", of(lval)),
            None => format!("{value};"),
        }
    }
}

/// The name of an instruction before its operands, with its atomic ordering, if any.
fn name_of(kind: &InstKind) -> String {
    let name = kind.mnemonic();
    match kind {
        InstKind::AtomicRmw(op, how) => format!("{}{name} {}", order(how), op.name()),
        InstKind::CmpXchg(info) => order(&info.access) + name,
        InstKind::Fence(ordering, _) => format!("{name} {}", ordering.name()),
        _ => name.to_owned(),
    }
}

/// An operand of an operation: a sum or product is put in parentheses to avoid ambiguity.
fn in_parentheses(text: &str) -> String {
    let mut depth = 0;
    let is_open = text.chars().any(|c| {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ => {}
        }
        depth == 0 && c == ' '
    });
    if is_open { format!("({text})") } else { text.to_owned() }
}

/// The infix operator of operations with two operands.
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
