//! HLNodes: the nodes of a nest, as a tree in lexical order.
//!
//! | node | what it is | lists of children |
//! |---|---|---|
//! | [`HlRegion`] | a loop nest that was taken out of a function, or several one behind the other; the top of its tree | body |
//! | [`HlLoop`] | a loop | preheader, body, postexit |
//! | [`HlIf`] | a conditional branch | then, else |
//! | [`HlSwitch`] | a switch | default, one per case |
//! | [`HlLabel`], [`HlGoto`] | a place to go to, and going there | |
//! | [`HlInst`] | an instruction | |
//!
//! Those that carry references to data (the document's HLDDNodes) are loops, ifs, switches and instructions:
//! [`Kind::refs`].
//!
//! # What a tree means
//!
//! Control runs through a list from its first node to its last, and then on behind the node that the list is of, but for
//! what the following say.
//!
//! - **If, switch**: one of the lists, then on. The conditions of an if hold together or not; poison in one is undefined
//!   behaviour, as it is of the branch.
//! - **Goto**: to its label, which is in the same region, or out of it. A label is a place and does nothing.
//! - **A loop with bounds** ([`LoopKind::Do`]): if it has a zero-trip test ([`HlLoop::ztt`]) that does not hold, on behind
//!   the loop. Else its preheader; then its body for each value of its induction variable, from `lower` to `upper` by
//!   `stride` as unsigned, of which there is always one; then its postexit. Of a normalized loop these are 0, U, 1; U is
//!   how often the backedge is taken, which does not wrap. A goto may leave the loop, past its postexit.
//! - **A loop whose count is not known** ([`LoopKind::Unknown`]): its zero-trip test, as above; its preheader; then its body, whose first node is the
//!   label [`LoopKind::Unknown`] names. A goto to that label from within is the backedge: it begins the next iteration.
//!   The end of the body leaves the loop, by way of its postexit.
//! - **Region**: its body, then back to the function, by its first exit.
//!
//! | what | file |
//! |---|---|
//! | the kinds | here |
//! | the tree and its editing | `tree` |
//! | order, ancestors, levels | `order` |
//! | copies | `copy` |
//! | walks | `visit` |
//! | dominance | `flow` |
//! | what is true of every tree | `check` |

mod check;
mod copy;
mod flow;
mod order;
mod tree;
mod visit;

pub use check::Problem;
pub(crate) use flow::{END, Graph, Point, Ways};
pub use tree::{Hir, Node};
pub use visit::{Event, Step, Visitor};

use crate::blob::{Blobs, ScalarType, Temp};
use crate::ddref::RegDdRef;
use backedge_ir::attr::ModRef;
use backedge_ir::entity::Inst;
use backedge_ir::inst::{FloatPredicate, InstData, InstKind, IntPredicate, Value};
use backedge_ir::int::Int;
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::metadata::{MdKind, MdRef};
use smallvec::SmallVec;

/// One of the lists of children of a node.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum List {
    /// Of a region or loop.
    Body,
    /// Of a loop: what is done once before the first iteration, if there is one.
    Preheader,
    /// Of a loop: what is done once when it has ended by itself.
    Postexit,
    /// Of an if.
    Then,
    /// Of an if.
    Else,
    /// Of a switch: where no case fits.
    Default,
    /// Of a switch: of the case with that number, from 0.
    Case(u32),
}

/// A loop nest taken out of a function, or several that stand one behind the other, with what is between them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct HlRegion {
    /// What it is called: the name of its first loop's header.
    pub name: Box<str>,
    /// The blocks of the function that control goes to from it, by name. The end of the region's body goes to the first.
    pub exits: Vec<Box<str>>,
    /// The variables that are read behind it.
    pub live_out: Vec<Temp>,
}

/// How a loop runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LoopKind {
    /// Its iterations are counted.
    Do {
        /// The first value of its induction variable: 0 if it is normalized.
        lower: RegDdRef,
        /// The last value.
        upper: RegDdRef,
        /// What is added to it: 1 if it is normalized.
        stride: RegDdRef,
    },
    /// It goes on for as long as control comes back to this label, the first node of its body.
    Unknown(Node),
}

/// A loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HlLoop {
    /// How it runs.
    pub kind: LoopKind,
    /// What has to hold for it to run at all; nothing if it always does.
    pub ztt: Vec<Predicate>,
    /// The type in which its iterations are counted; wide enough for all of a loop with bounds.
    pub iv: ScalarType,
    /// What it is called: the name of its header.
    pub name: Box<str>,
    /// How often it begins another iteration at most, each time that it is run; `None` if nothing is known. For whoever
    /// changes a loop to keep right.
    pub most: Option<u128>,
    /// The same, as far as it follows from flags that the code has.
    pub most_by_flags: Option<u128>,
    /// Its `!llvm.loop`. What it says of the loop is of that as it was: whoever makes another loop of it takes it away.
    pub options: Option<MdRef>,
    /// Where it begins in the source, if that is known.
    pub location: Option<MdRef>,
    /// The phis of the code that are the number of the iteration, for debuggers that are told of them. Whoever gives iterations
    /// other numbers takes them away.
    pub counters: Vec<Inst>,
    /// Of a loop with bounds: what was said of the branch at its latch, of which the first way went on to the next iteration,
    /// or left if that is turned. Whoever makes another number of iterations takes it away.
    pub hints: Hints,
}

impl HlLoop {
    /// Whether its induction variable is the number of its iteration, from 0.
    pub fn is_normalized(&self) -> bool {
        let is = |of: &RegDdRef, value: u128| {
            of.as_terminal().and_then(|f| f.as_constant()).is_some_and(|c| c.bits() == value)
        };
        match &self.kind {
            LoopKind::Do { lower, stride, .. } => is(lower, 0) && is(stride, 1),
            LoopKind::Unknown(_) => true,
        }
    }
}

/// How two values are compared.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Compare {
    /// Integers or pointers.
    Int(IntPredicate),
    /// Floats.
    Float(FloatPredicate),
}

/// What is said of a branch that does not change what it does: how often it goes which way. A copy of the branch may say the
/// same.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Hints {
    /// Its `!prof`: a weight for each of its ways, in their order.
    pub prof: Option<MdRef>,
    /// Its `!unpredictable`.
    pub unpredictable: Option<MdRef>,
    /// The ways are meant in the other order than they have here. Never where nothing is said.
    is_turned: bool,
}

impl Hints {
    /// Whether anything is said.
    pub fn is_empty(&self) -> bool {
        self.prof.is_none() && self.unpredictable.is_none()
    }
    /// What is said of a branch, its ways in their order.
    pub fn new(prof: Option<MdRef>, unpredictable: Option<MdRef>) -> Self {
        Self { prof, unpredictable, is_turned: false }
    }
    /// The same, meant of ways in the other order.
    #[must_use]
    pub fn turned(self) -> Self {
        Self { is_turned: !self.is_turned && !self.is_empty(), ..self }
    }
    /// Whether something is said of ways that are meant in the other order than they have here.
    pub fn is_turned(&self) -> bool {
        self.is_turned
    }
}

/// A comparison.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Predicate {
    /// How they are compared.
    pub compare: Compare,
    /// The left and the right operand.
    pub refs: [RegDdRef; 2],
    /// What is said of the branch that asks it. The first way is that of what holds.
    pub hints: Hints,
}

impl Predicate {
    /// A comparison that nothing more is said of.
    pub fn new(compare: Compare, refs: [RegDdRef; 2]) -> Self {
        Self { compare, refs, hints: Hints::default() }
    }
}

/// A conditional branch: the then-list if all conditions hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HlIf {
    /// The conditions; at least one.
    pub conditions: Vec<Predicate>,
    /// Where it is in the source, if that is known.
    pub location: Option<MdRef>,
}

/// A switch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HlSwitch {
    /// What decides.
    pub condition: RegDdRef,
    /// The value of each case, no two equal.
    pub cases: Vec<Int>,
    /// What is said of it: the first way is the default, then come those of the cases.
    pub hints: Hints,
    /// Where it is in the source, if that is known.
    pub location: Option<MdRef>,
}

/// A place to go to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HlLabel {
    /// What it is called: the name of a block.
    pub name: Box<str>,
}

/// Where a goto goes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Target {
    /// To a label of the region.
    Label(Node),
    /// Out of the region: to its exit of that number.
    Exit(u32),
}

/// Going elsewhere.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct HlGoto {
    /// Where to.
    pub target: Target,
}

impl HlGoto {
    /// The label, unless it leaves the region.
    pub fn label(self) -> Option<Node> {
        match self.target {
            Target::Label(label) => Some(label),
            Target::Exit(_) => None,
        }
    }
}

/// What an instruction does.
#[derive(Clone, Debug)]
pub enum Operation {
    /// Its one operand is the result.
    Copy,
    /// What the instruction of the IR does. Of the operands and blocks in it nothing is meant: the references are the
    /// operands, in that order.
    Ir(Box<InstData>),
}

/// Memory that an instruction touches besides what its references say.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Reach {
    /// Whatever there is.
    Everything,
    /// What one of its operands, by number, points to: so many bytes from there on, or any of the object.
    Operand(u32, Option<u64>),
    /// Memory that the module has no other way to: that of which an allocator makes objects.
    Inaccessible,
}

/// An instruction.
#[derive(Clone, Debug)]
pub struct HlInst {
    /// What it does.
    pub operation: Operation,
    /// What it writes, if it does: a scalar, or memory.
    pub lval: Option<RegDdRef>,
    /// Its operands.
    pub rvals: Vec<RegDdRef>,
    /// What it may do to memory besides what its references say, and to which: calls do, and accesses that are volatile or
    /// atomic keep their order with others. Nothing is said of what it does nothing to.
    pub reaches: SmallVec<[(Reach, ModRef); 2]>,
    /// It does nothing besides what is said of it here, and goes on behind itself whenever it is defined: it may be executed
    /// before or behind whatever it does not depend on. Calls to functions and accesses with an order of their own are not
    /// of that kind.
    pub reorderable: bool,
}

impl HlInst {
    /// `lval = rval`
    pub fn copy(lval: RegDdRef, rval: RegDdRef) -> Self {
        Self {
            operation: Operation::Copy,
            lval: Some(lval),
            rvals: vec![rval],
            reaches: SmallVec::new(),
            reorderable: true,
        }
    }
    /// The intrinsic that it calls, if it does.
    pub(crate) fn intrinsic(&self, blobs: &Blobs) -> Option<Intrinsic> {
        let Operation::Ir(template) = &self.operation else { return None };
        if !matches!(template.kind, InstKind::Call(_) | InstKind::Invoke(_) | InstKind::CallBr(_)) {
            return None;
        }
        let of = blobs.temp(self.rvals.last()?.as_temp(blobs)?);
        let name = of.name.strip_prefix('@').filter(|_| matches!(of.value, Some(Value::Const(_))))?;
        Intrinsic::from_function_name(name)
    }
    /// Whether it may write memory besides what its references say.
    pub fn writes_beyond(&self) -> bool {
        self.reaches.iter().any(|(_, how)| how.writes)
    }
    /// The operand that points to what it reaches, where that is said.
    pub(crate) fn pointer_of(&self, reach: Reach) -> Option<&RegDdRef> {
        match reach {
            Reach::Operand(number, _) => self.rvals.get(number as usize),
            Reach::Everything | Reach::Inaccessible => None,
        }
    }
}

/// What a node is.
#[derive(Clone, Debug)]
pub enum Kind {
    /// A region.
    Region(HlRegion),
    /// A loop.
    Loop(HlLoop),
    /// A conditional branch.
    If(HlIf),
    /// A switch.
    Switch(HlSwitch),
    /// A label.
    Label(HlLabel),
    /// A goto.
    Goto(HlGoto),
    /// An instruction.
    Inst(HlInst),
}

impl Kind {
    /// Where it is in the source, if that is known.
    pub fn location(&self) -> Option<MdRef> {
        match self {
            Self::Loop(l) => l.location,
            Self::If(branch) => branch.location,
            Self::Switch(switch) => switch.location,
            Self::Inst(HlInst { operation: Operation::Ir(of), .. }) => of.metadata_of(&MdKind::Dbg).copied(),
            Self::Inst(_) | Self::Region(_) | Self::Label(_) | Self::Goto(_) => None,
        }
    }
    /// The name of the class.
    pub fn class(&self) -> &'static str {
        match self {
            Self::Region(_) => "HLRegion",
            Self::Loop(_) => "HLLoop",
            Self::If(_) => "HLIf",
            Self::Switch(_) => "HLSwitch",
            Self::Label(_) => "HLLabel",
            Self::Goto(_) => "HLGoto",
            Self::Inst(_) => "HLInst",
        }
    }
    /// How many lists of children such a node has.
    fn lists(&self) -> usize {
        match self {
            Self::Region(_) => 1,
            Self::Loop(_) => 3,
            Self::If(_) => 2,
            Self::Switch(switch) => switch.cases.len() + 1,
            Self::Label(_) | Self::Goto(_) | Self::Inst(_) => 0,
        }
    }
    /// The number of a list of such a node, in lexical order.
    fn list_index(&self, list: List) -> Option<usize> {
        match (self, list) {
            (Self::Region(_), List::Body)
            | (Self::Loop(_), List::Preheader)
            | (Self::If(_), List::Then)
            | (Self::Switch(_), List::Default) => Some(0),
            (Self::Loop(_), List::Body) | (Self::If(_), List::Else) => Some(1),
            (Self::Loop(_), List::Postexit) => Some(2),
            (Self::Switch(switch), List::Case(case)) => {
                let case = case as usize;
                (case < switch.cases.len()).then_some(case + 1)
            }
            _ => None,
        }
    }
    /// The list with that number.
    fn list_at(&self, index: usize) -> List {
        match (self, index) {
            (Self::Loop(_), 0) => List::Preheader,
            (Self::Loop(_), 2) => List::Postexit,
            (Self::If(_), 0) => List::Then,
            (Self::If(_), _) => List::Else,
            (Self::Switch(_), 0) => List::Default,
            (Self::Switch(_), case) => List::Case(case as u32 - 1),
            _ => List::Body,
        }
    }
    /// The references to data that it carries: of an instruction what it writes, then its operands; of a loop the bounds,
    /// then those of the zero-trip test.
    pub fn refs(&self) -> Vec<&RegDdRef> {
        match self {
            Self::Region(_) | Self::Label(_) | Self::Goto(_) => Vec::new(),
            Self::Loop(l) => {
                let bounds = match &l.kind {
                    LoopKind::Do { lower, upper, stride } => vec![lower, upper, stride],
                    LoopKind::Unknown(_) => Vec::new(),
                };
                bounds.into_iter().chain(l.ztt.iter().flat_map(|p| &p.refs)).collect()
            }
            Self::If(branch) => branch.conditions.iter().flat_map(|p| &p.refs).collect(),
            Self::Switch(switch) => vec![&switch.condition],
            Self::Inst(inst) => inst.lval.iter().chain(&inst.rvals).collect(),
        }
    }
    /// The same, to be changed.
    pub(crate) fn refs_mut(&mut self) -> Vec<&mut RegDdRef> {
        match self {
            Self::Region(_) | Self::Label(_) | Self::Goto(_) => Vec::new(),
            Self::Loop(l) => {
                let bounds = match &mut l.kind {
                    LoopKind::Do { lower, upper, stride } => vec![lower, upper, stride],
                    LoopKind::Unknown(_) => Vec::new(),
                };
                bounds.into_iter().chain(l.ztt.iter_mut().flat_map(|p| &mut p.refs)).collect()
            }
            Self::If(branch) => branch.conditions.iter_mut().flat_map(|p| &mut p.refs).collect(),
            Self::Switch(switch) => vec![&mut switch.condition],
            Self::Inst(inst) => inst.lval.iter_mut().chain(&mut inst.rvals).collect(),
        }
    }
    /// Whether it carries references to data: the document's HLDDNode.
    pub fn is_dd_node(&self) -> bool {
        matches!(self, Self::Loop(_) | Self::If(_) | Self::Switch(_) | Self::Inst(_))
    }
}
