//! HLNodes: the nodes of a nest, as a tree in lexical order.
//!
//! | node | meaning | lists of children |
//! |---|---|---|
//! | [`HlRegion`] | a loop nest taken out of a function, or several consecutive ones; the root of its tree | body |
//! | [`HlLoop`] | a loop | preheader, body, postexit |
//! | [`HlIf`] | a conditional branch | then, else |
//! | [`HlSwitch`] | a switch | default, one per case |
//! | [`HlLabel`], [`HlGoto`] | a jump target, and a jump | |
//! | [`HlInst`] | an instruction | |
//!
//! Loops, ifs, switches and instructions carry references to data: they are the HLDDNodes of docs/hir-terms.md
//! ([`Kind::refs`]).
//!
//! # Semantics of a tree
//!
//! Control executes a list from its first node to its last and then continues after the node that owns the list, with
//! these exceptions:
//!
//! - **If, switch**: control executes one of the lists, then continues after the node. An if takes its then-list if
//!   all conditions hold; a poison condition is UB, as for the branch.
//! - **Goto**: control continues at the goto's label in the same region, or leaves the region. A label has no effect.
//! - **A loop with bounds** ([`LoopKind::Do`]): if its zero-trip test ([`HlLoop::ztt`]) exists and fails, control
//!   continues after the loop. Otherwise control executes the preheader; then the body for each value of the
//!   induction variable, from `lower` to `upper` by `stride` as unsigned, at least once; then the postexit. A
//!   normalized loop has the bounds 0, U, 1, where U is the backedge-taken count, which does not wrap. A goto may
//!   leave the loop without executing its postexit.
//! - **A loop with unknown count** ([`LoopKind::Unknown`]): its zero-trip test, as above; its preheader; then its
//!   body, whose first node is the label that [`LoopKind::Unknown`] names. A goto to that label from within the body
//!   is the backedge: it begins the next iteration. The end of the body leaves the loop through its postexit.
//! - **Region**: control executes the body, then returns to the function through the first exit.
//!
//! | purpose | file |
//! |---|---|
//! | the node kinds | here |
//! | the tree and its editing | `tree` |
//! | order, ancestors, levels | `order` |
//! | copies | `copy` |
//! | walks | `visit` |
//! | dominance | `flow` |
//! | invariants of every tree | `check` |

mod check;
mod copy;
mod flow;
mod id;
mod order;
mod tree;
mod visit;

pub use check::Problem;
pub(crate) use flow::{END, Graph, Point, Ways};
pub use id::Node;
pub use tree::Hir;
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
    /// The body of a region or loop.
    Body,
    /// A loop's preheader: executed once before the first iteration, if there is one.
    Preheader,
    /// A loop's postexit: executed once after the loop ends by itself.
    Postexit,
    /// The then-list of an if.
    Then,
    /// The else-list of an if.
    Else,
    /// A switch's default: executed if no case matches.
    Default,
    /// A switch's case with this number, from 0.
    Case(u32),
}

/// A loop nest taken out of a function, or several consecutive nests with the code between them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct HlRegion {
    /// The region's name: the name of its first loop's header.
    pub name: Box<str>,
    /// The names of the exit blocks in the function. The end of the region's body continues at the first one.
    pub exits: Vec<Box<str>>,
    /// The variables that are read after the region.
    pub live_out: Vec<Temp>,
}

/// How a loop's iterations are controlled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LoopKind {
    /// Its iterations are counted.
    Do {
        /// The first value of the induction variable: 0 if the loop is normalized.
        lower: RegDdRef,
        /// The last value.
        upper: RegDdRef,
        /// The increment: 1 if the loop is normalized.
        stride: RegDdRef,
    },
    /// The loop continues as long as control jumps to this label, the first node of its body.
    Unknown(Node),
}

/// A loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HlLoop {
    /// Iteration control.
    pub kind: LoopKind,
    /// Zero-trip test: the guard under which the loop runs; empty if it always runs.
    pub ztt: Vec<Predicate>,
    /// The type of the iteration counter; wide enough for all iterations of a loop with bounds.
    pub iv: ScalarType,
    /// The loop's name: the name of its header.
    pub name: Box<str>,
    /// Upper bound on the backedge-taken count of one execution; `None` if unknown. A transform that changes the loop
    /// must keep it valid.
    pub most: Option<u128>,
    /// The same bound, derived from flags that the input code states.
    pub most_by_flags: Option<u128>,
    /// The loop's `!llvm.loop` metadata. It describes the original loop, so a transform that creates another loop
    /// drops it.
    pub options: Option<MdRef>,
    /// The loop's source location, if known.
    pub location: Option<MdRef>,
    /// Header phis of the input code that equal the iteration number, for debug records. A transform that renumbers
    /// iterations clears them.
    pub counters: Vec<Inst>,
    /// For a loop with bounds: the hints of the latch's branch. The first successor was the backedge, or the exit if
    /// the hints are turned. A transform that changes the number of iterations drops them.
    pub hints: Hints,
}

impl HlLoop {
    /// Whether the induction variable equals the iteration number, counted from 0.
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

/// The comparison of two values.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Compare {
    /// Integers or pointers.
    Int(IntPredicate),
    /// Floats.
    Float(FloatPredicate),
}

/// Metadata of a branch that does not affect semantics: how often each successor is taken. A copy of the branch may
/// carry the same hints.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Hints {
    /// `!prof`: one weight per successor, in order.
    pub prof: Option<MdRef>,
    /// `!unpredictable`.
    pub unpredictable: Option<MdRef>,
    /// The hints list the successors in the opposite order. Always false for empty hints.
    is_turned: bool,
}

impl Hints {
    /// Whether there are no hints.
    pub fn is_empty(&self) -> bool {
        self.prof.is_none() && self.unpredictable.is_none()
    }
    /// The hints of a branch, for its successors in order.
    pub fn new(prof: Option<MdRef>, unpredictable: Option<MdRef>) -> Self {
        Self { prof, unpredictable, is_turned: false }
    }
    /// The same hints for successors in the opposite order.
    #[must_use]
    pub fn turned(self) -> Self {
        Self { is_turned: !self.is_turned && !self.is_empty(), ..self }
    }
    /// Whether there are hints that list the successors in the opposite order.
    pub fn is_turned(&self) -> bool {
        self.is_turned
    }
}

/// A comparison.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Predicate {
    /// The comparison.
    pub compare: Compare,
    /// The left and the right operand.
    pub refs: [RegDdRef; 2],
    /// Hints of the branch on this comparison. The first successor is taken if the comparison holds.
    pub hints: Hints,
}

impl Predicate {
    /// A comparison without hints.
    pub fn new(compare: Compare, refs: [RegDdRef; 2]) -> Self {
        Self { compare, refs, hints: Hints::default() }
    }
}

/// A conditional branch: the then-list if all conditions hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HlIf {
    /// The conditions; at least one.
    pub conditions: Vec<Predicate>,
    /// The source location, if known.
    pub location: Option<MdRef>,
}

/// A switch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HlSwitch {
    /// The value that selects the case.
    pub condition: RegDdRef,
    /// The value of each case, no two equal.
    pub cases: Vec<Int>,
    /// Hints of the switch: first for the default, then for the cases in order.
    pub hints: Hints,
    /// The source location, if known.
    pub location: Option<MdRef>,
}

/// A jump target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HlLabel {
    /// The label's name: the name of a block.
    pub name: Box<str>,
}

/// The target of a goto.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Target {
    /// A label of the region.
    Label(Node),
    /// The exit of the region with this number.
    Exit(u32),
}

/// A jump.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct HlGoto {
    /// The target.
    pub target: Target,
}

impl HlGoto {
    /// The label, unless the goto leaves the region.
    pub fn label(self) -> Option<Node> {
        match self.target {
            Target::Label(label) => Some(label),
            Target::Exit(_) => None,
        }
    }
}

/// The operation of an instruction.
#[derive(Clone, Debug)]
pub enum Operation {
    /// Copies the single operand to the result.
    Copy,
    /// An instruction of the IR. Its operands and blocks are ignored: the references are the operands, in that order.
    Ir(Box<InstData>),
}

/// Memory that an instruction accesses in addition to its references.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Reach {
    /// All memory.
    Everything,
    /// Memory that the operand with this number points to: this many bytes from there on, or any bytes of the object
    /// if `None`.
    Operand(u32, Option<u64>),
    /// Memory owned by an allocator; the module can reach it only through the allocator's results.
    Inaccessible,
}

/// An instruction.
#[derive(Clone, Debug)]
pub struct HlInst {
    /// The operation.
    pub operation: Operation,
    /// The scalar or memory that it writes, if any.
    pub lval: Option<RegDdRef>,
    /// Its operands.
    pub rvals: Vec<RegDdRef>,
    /// Effects on memory beyond its references: calls have such effects, and volatile or atomic accesses are ordered
    /// with other accesses. Reaches without an effect are not listed.
    pub reaches: SmallVec<[(Reach, ModRef); 2]>,
    /// The instruction has no effects beyond those listed here and, if it is defined, always continues with the next
    /// node. So it may be executed before or after anything that it does not depend on. Calls to functions and
    /// ordered accesses are not reorderable.
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
    /// The intrinsic that it calls, if any.
    pub(crate) fn intrinsic(&self, blobs: &Blobs) -> Option<Intrinsic> {
        let Operation::Ir(template) = &self.operation else { return None };
        if !matches!(template.kind, InstKind::Call(_) | InstKind::Invoke(_) | InstKind::CallBr(_)) {
            return None;
        }
        let of = blobs.temp(self.rvals.last()?.as_temp(blobs)?);
        let name = of.name.strip_prefix('@').filter(|_| matches!(of.value, Some(Value::Const(_))))?;
        Intrinsic::from_function_name(name)
    }
    /// Whether it may write memory beyond its references.
    pub fn writes_beyond(&self) -> bool {
        self.reaches.iter().any(|(_, how)| how.writes)
    }
    /// The operand that points to the reached memory, if there is one.
    pub(crate) fn pointer_of(&self, reach: Reach) -> Option<&RegDdRef> {
        match reach {
            Reach::Operand(number, _) => self.rvals.get(number as usize),
            Reach::Everything | Reach::Inaccessible => None,
        }
    }
}

/// The kind of a node.
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
    /// The source location, if known.
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
    /// The number of child lists.
    fn lists(&self) -> usize {
        match self {
            Self::Region(_) => 1,
            Self::Loop(_) => 3,
            Self::If(_) => 2,
            Self::Switch(switch) => switch.cases.len() + 1,
            Self::Label(_) | Self::Goto(_) | Self::Inst(_) => 0,
        }
    }
    /// The index of a child list, in lexical order.
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
    /// The child list with that index.
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
    /// The references to data: for an instruction the written one, then the operands; for a loop the bounds, then the
    /// operands of the zero-trip test.
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
    /// The same, mutable.
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
    /// Whether it carries references to data, that is, whether it is an HLDDNode (docs/hir-terms.md).
    pub fn is_dd_node(&self) -> bool {
        matches!(self, Self::Loop(_) | Self::If(_) | Self::Switch(_) | Self::Inst(_))
    }
}
