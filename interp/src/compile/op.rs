//! The dense form that functions run in: a list of operations over numbered registers.
//!
//! A frame's registers are the arguments, the results of instructions, the constants, and one spare. Phis are copies
//! on edges. [`Op`] is the full form, for any operands; common operations have a short form beside it
//! ([`super::quick`]), for operands that are plain words.

use super::quick::Quick;
use crate::exec::regs::Template;
use crate::facts::Facts;
use crate::layout::Shape;
use crate::outcome::Feature;
use backedge_ir::attr::MemoryEffects;
use backedge_ir::entity::{Block, FuncId, Inst, SecondaryMap};
use backedge_ir::inst::{
    BinaryFlags, BinaryOp, CastFlags, CastOp, FastMath, FloatBinaryOp, FloatPredicate, GepFlags,
    IntPredicate, RmwOp,
};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::meaning::library::Known;
use std::sync::Arc;

/// The number of a register in its frame.
pub(crate) type Reg = u32;
/// The number of an edge in its function.
pub(crate) type EdgeId = u32;

/// An operation on scalars that works lane by lane on vectors.
#[derive(Clone, Debug)]
pub(crate) enum ScalarOp {
    Binary(BinaryOp, BinaryFlags, u32),
    Float(FloatBinaryOp, FastMath, Shape),
    FNeg(FastMath, Shape),
    ICmp {
        pred: IntPredicate,
        samesign: bool,
        width: u32,
        pointers: bool,
    },
    FCmp(FloatPredicate, FastMath, Shape),
    Cast {
        op: CastOp,
        flags: CastFlags,
        from: Shape,
        to: Shape,
    },
    /// `ptrtoint` whose result is not used: nothing is exposed.
    UnseenAddress(Shape),
    Select(FastMath, Shape),
    Freeze(Shape),
    Intrinsic {
        which: Intrinsic,
        shape: Shape,
        fast: FastMath,
    },
}

/// A scalar operation, or one on the lanes of vectors.
#[derive(Clone, Debug)]
pub(crate) struct LaneOp {
    pub(crate) dst: Reg,
    pub(crate) args: Box<[Reg]>,
    pub(crate) op: ScalarOp,
    /// Number of lanes; `None` for scalars.
    pub(crate) lanes: Option<u64>,
}

/// Any load or store.
#[derive(Clone, Debug)]
pub(crate) struct MemOp {
    pub(crate) val: Reg,
    pub(crate) ptr: Reg,
    pub(crate) shape: Shape,
    pub(crate) align: u64,
    pub(crate) volatile: bool,
    /// Whether it is atomic with an ordering above `unordered`: progress, as LangRef `mustprogress` has it.
    pub(crate) synchronizes: bool,
}

/// `atomicrmw`, run by one thread.
#[derive(Clone, Debug)]
pub(crate) struct RmwArgs {
    pub(crate) op: RmwOp,
    pub(crate) dst: Reg,
    pub(crate) arg: Reg,
    pub(crate) mem: MemOp,
}

/// `cmpxchg`, run by one thread.
#[derive(Clone, Debug)]
pub(crate) struct CmpXchgArgs {
    pub(crate) dst: Reg,
    pub(crate) expected: Reg,
    pub(crate) new: Reg,
    pub(crate) mem: MemOp,
    pub(crate) weak: bool,
}

/// One step of a `getelementptr`.
#[derive(Copy, Clone, Debug)]
pub(crate) enum GepTerm {
    /// A field's offset in bytes.
    Const(u64),
    /// An index and the bytes that it counts.
    Index { reg: Reg, width: u32, scale: u64 },
}

/// `getelementptr` on scalars.
#[derive(Clone, Debug)]
pub(crate) struct GepOp {
    pub(crate) dst: Reg,
    pub(crate) base: Reg,
    pub(crate) terms: Box<[GepTerm]>,
    pub(crate) flags: GepFlags,
    pub(crate) index_bits: u32,
    pub(crate) pointer_bits: u32,
    /// Number of lanes if the result is a vector of pointers.
    pub(crate) lanes: Option<u64>,
}

/// `alloca`.
#[derive(Clone, Debug)]
pub(crate) struct AllocaOp {
    pub(crate) dst: Reg,
    /// Register and width of the count.
    pub(crate) count: Option<(Reg, u32)>,
    pub(crate) elem_bytes: u64,
    pub(crate) align: u64,
    pub(crate) pointer_bits: u32,
    /// Whether lifetime markers say when it lives.
    pub(crate) has_lifetime: bool,
}

/// What a call or declaration says of what the callee may do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct CallEffects {
    pub(crate) nounwind: bool,
    pub(crate) willreturn: bool,
    pub(crate) noreturn: bool,
    pub(crate) speculatable: bool,
    pub(crate) memory: MemoryEffects,
}

/// What is called.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Callee {
    Func(FuncId),
    Pointer(Reg),
}

/// A call or invoke of anything but an intrinsic.
#[derive(Clone, Debug)]
pub(crate) struct CallOp {
    pub(crate) dst: Reg,
    pub(crate) callee: Callee,
    /// The library function that it calls.
    pub(crate) library: Option<Known>,
    /// Whether anything uses the result.
    pub(crate) result_used: bool,
    pub(crate) args: Box<[Reg]>,
    pub(crate) arg_shapes: Box<[Shape]>,
    pub(crate) arg_facts: Box<[Option<Box<Facts>>]>,
    /// Whether the callee may keep the argument.
    pub(crate) captured: Box<[bool]>,
    pub(crate) ret: Option<Shape>,
    pub(crate) ret_facts: Option<Box<Facts>>,
    /// Facts of the call's metadata, which apply to the result under its attributes.
    pub(crate) ret_metadata: Option<Box<Facts>>,
    pub(crate) ret_noalias: bool,
    /// The argument that the call says is what is returned.
    pub(crate) returned: Option<usize>,
    /// What the call itself says, to be joined with what the callee says.
    pub(crate) effects: CallEffects,
    pub(crate) fn_ty: backedge_ir::types::Type,
    /// What its types say beyond the callee ([`call_types_to_string`](backedge_ir::print::call_types_to_string)).
    pub(crate) more: Arc<str>,
    /// Whether it is `musttail`.
    pub(crate) musttail: bool,
    /// Edges to the normal and the unwind destination.
    pub(crate) invoke: Option<(EdgeId, EdgeId)>,
}

/// An operand bundle.
#[derive(Clone, Debug)]
pub(crate) struct BundleOp {
    pub(crate) tag: Box<str>,
    pub(crate) operands: Box<[Reg]>,
}

/// A call of an intrinsic that is not lane by lane.
#[derive(Clone, Debug)]
pub(crate) struct IntrinsicOp {
    pub(crate) which: Intrinsic,
    pub(crate) dst: Reg,
    pub(crate) args: Box<[Reg]>,
    pub(crate) shapes: Box<[Shape]>,
    pub(crate) aligns: Box<[u64]>,
    pub(crate) ret: Option<Shape>,
    pub(crate) fast: FastMath,
    pub(crate) bundles: Box<[BundleOp]>,
}

/// An argument that attributes constrain.
#[derive(Clone, Debug)]
pub(crate) struct PassOp {
    pub(crate) from: Reg,
    pub(crate) to: Reg,
    pub(crate) facts: Facts,
    pub(crate) shape: Shape,
}

/// Values that must not be denormal numbers.
#[derive(Clone, Debug)]
pub(crate) struct DenormalOp {
    pub(crate) values: Box<[(Reg, Shape)]>,
}

/// The fast-math flags of a call.
#[derive(Clone, Debug)]
pub(crate) struct FastCallOp {
    pub(crate) dst: Reg,
    pub(crate) shape: Shape,
    pub(crate) fast: FastMath,
    /// Arguments that are floats.
    pub(crate) args: Box<[(Reg, Shape)]>,
}

/// `switch`.
#[derive(Clone, Debug)]
pub(crate) struct SwitchOp {
    pub(crate) value: Reg,
    /// Sorted by value.
    pub(crate) cases: Box<[(u128, EdgeId)]>,
    pub(crate) default: EdgeId,
}

impl SwitchOp {
    /// The edge for a value.
    pub(crate) fn edge(&self, value: u128) -> EdgeId {
        let case = self.cases.binary_search_by_key(&value, |(key, _)| *key);
        case.map_or(self.default, |i| self.cases[i].1)
    }
}

/// Operations that move members of aggregates and vectors.
#[derive(Clone, Debug)]
pub(crate) enum AggOp {
    ExtractValue { dst: Reg, agg: Reg, path: Box<[u32]> },
    InsertValue { dst: Reg, agg: Reg, elem: Reg, path: Box<[u32]> },
    ExtractElement { dst: Reg, vec: Reg, index: Reg, width: u32 },
    InsertElement { dst: Reg, vec: Reg, elem: Reg, index: Reg, width: u32 },
    Shuffle { dst: Reg, a: Reg, b: Reg, mask: Box<[Option<u32>]> },
}

/// One operation.
#[derive(Clone, Debug)]
pub(crate) enum Op {
    Lanes(Box<LaneOp>),
    Gep(Box<GepOp>),
    Load(Box<MemOp>),
    Store(Box<MemOp>),
    Rmw(Box<RmwArgs>),
    CmpXchg(Box<CmpXchgArgs>),
    Fence,
    Alloca(Box<AllocaOp>),
    Agg(Box<AggOp>),
    /// Applies facts to a register in place.
    Check(Reg, Box<(Facts, Shape)>),
    /// Copies an argument of an intrinsic to another register, under the facts of its attributes.
    Pass(Box<PassOp>),
    /// Makes a result poison if it is not the argument that `returned` names: result, argument, the shape of both.
    Returned(Reg, Reg, Box<Shape>),
    /// Ends the run if one of the values is a denormal number that may be flushed.
    Denormals(Box<DenormalOp>),
    /// Applies the fast-math flags of a phi to its register.
    FastPhi(Reg, Box<(FastMath, Shape)>),
    /// Applies the fast-math flags of a call to its result.
    FastCall(Box<FastCallOp>),
    Intrinsic(Box<IntrinsicOp>),
    Call(Box<CallOp>),
    LandingPad(Reg, Box<Shape>),
    Br(EdgeId),
    CondBr {
        cond: Reg,
        if_true: EdgeId,
        if_false: EdgeId,
    },
    Switch(Box<SwitchOp>),
    /// `indirectbr`: the address, and the edges to the blocks whose addresses are taken.
    IndirectBr(Reg, Box<[(u64, EdgeId)]>),
    /// Where the asm of a `callbr` goes on.
    AsmJump(Box<[EdgeId]>),
    Ret(Option<Reg>),
    Resume(Reg),
    Unreachable,
    Unsupported(Box<Feature>),
}

/// An edge of the control-flow graph.
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    /// Index of the target's first operation.
    pub(crate) target: u32,
    /// The target block.
    pub(crate) block: Block,
    /// The range of [`Code::moves`] that brings the phis up to date, in an order in which no copy destroys the source
    /// of a later one.
    pub(crate) moves: (u32, u32),
    /// Whether all registers of the copies have 16-bit numbers.
    pub(crate) near: bool,
    /// Instructions of the target block, phis included: what the edge costs.
    pub(crate) cost: u32,
    /// Whether the target's place is not behind the branch, in the text or in reverse post-order: candidates for
    /// backedges. Each cycle has one.
    pub(crate) backward: bool,
    /// Whether a run that takes this edge for ever has to make progress, for all that it says: the backedge of a loop
    /// with `llvm.loop.mustprogress`, or none that closes a cycle.
    pub(crate) mustprogress: bool,
}

/// A function in dense form.
#[derive(Debug)]
pub(crate) struct Code {
    pub(crate) ops: Vec<Op>,
    /// The instruction that each operation comes from.
    pub(crate) places: Vec<Inst>,
    pub(crate) edges: Vec<Edge>,
    pub(crate) moves: Vec<(Reg, Reg)>,
    /// The short form of each operation.
    pub(crate) quick: Vec<Quick>,
    /// [`Code::moves`] with 16-bit numbers, for edges that are [`Edge::near`].
    pub(crate) near_moves: Vec<(u16, u16)>,
    /// A fresh frame: constants in place, everything else poison.
    pub(crate) template: Template,
    /// The first register of a constant, behind arguments and results.
    pub(crate) first_const: Reg,
    /// The register of each instruction that has a result.
    pub(crate) regs: SecondaryMap<Inst, Option<Reg>>,
    /// Cost of the entry block.
    pub(crate) entry_cost: u32,
    /// The phis of each block that has some, with their registers, sorted by block.
    pub(crate) phis: Vec<(Block, Vec<(Inst, Reg)>)>,
}

/// What callers need to know of a function.
#[derive(Debug)]
pub(crate) struct Signature {
    /// The library function that it declares, if it declares one.
    pub(crate) library: Option<Known>,
    pub(crate) name: Arc<str>,
    pub(crate) fn_ty: backedge_ir::types::Type,
    pub(crate) params: Vec<Shape>,
    /// Whether more arguments may follow.
    pub(crate) variadic: bool,
    pub(crate) param_facts: Vec<Option<Box<Facts>>>,
    pub(crate) restrictions: Vec<crate::memory::provenance::Restriction>,
    /// For `byval` parameters: bytes and alignment of the copy.
    pub(crate) byval: Vec<Option<(u64, u64)>>,
    /// Whether the callee may keep the argument.
    pub(crate) captured: Vec<bool>,
    pub(crate) ret: Option<Shape>,
    pub(crate) ret_facts: Option<Box<Facts>>,
    pub(crate) ret_noalias: bool,
    /// The parameter that the function says it returns.
    pub(crate) returned: Option<usize>,
    pub(crate) effects: CallEffects,
    pub(crate) mustprogress: bool,
    /// Whether it says `norecurse` and has calls by which it might break that.
    pub(crate) must_not_recur: bool,
}

impl Signature {
    /// Whether its types alone say what a call passes and gets: then a call of another type is one of a function that
    /// nobody knows.
    pub(crate) fn is_bare(&self) -> bool {
        let has_facts = self.param_facts.iter().any(Option::is_some) || self.ret_facts.is_some();
        let restricts = self.restrictions.iter().any(|r| !r.is_none()) || self.ret_noalias;
        let passes = self.byval.iter().any(Option::is_some) || self.returned.is_some();
        !has_facts && !restricts && !passes && self.library.is_none()
    }
}
