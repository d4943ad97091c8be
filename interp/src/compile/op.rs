//! The dense form of functions: a list of operations over numbered registers.
//!
//! A frame's registers are the arguments, the results of instructions, the constants, and one spare. Phis are copies
//! on edges. [`Op`] is the full form, for any operands; common operations also have a short form ([`super::quick`])
//! for operands that are plain words.

use super::quick::Quick;
use super::reg::Reg;
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

/// Index of an edge in its function.
pub(crate) type EdgeId = u32;

/// A scalar operation, applied lane by lane to vectors.
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
    /// `ptrtoint` whose result is unused and thus exposes nothing.
    UnseenAddress(Shape),
    Select(FastMath, Shape),
    Freeze(Shape),
    Intrinsic {
        which: Intrinsic,
        shape: Shape,
        fast: FastMath,
    },
}

/// A scalar operation, or its application to the lanes of vectors.
#[derive(Clone, Debug)]
pub(crate) struct LaneOp {
    pub(crate) dst: Reg,
    pub(crate) args: Box<[Reg]>,
    pub(crate) op: ScalarOp,
    /// Number of lanes; `None` for scalars.
    pub(crate) lanes: Option<u64>,
}

/// A load or store.
#[derive(Clone, Debug)]
pub(crate) struct MemOp {
    pub(crate) val: Reg,
    pub(crate) ptr: Reg,
    pub(crate) shape: Shape,
    pub(crate) align: u64,
    pub(crate) volatile: bool,
    /// Whether it is atomic with an ordering above `unordered`, which counts as progress (LangRef `mustprogress`).
    pub(crate) synchronizes: bool,
}

/// `atomicrmw`, executed by one thread.
#[derive(Clone, Debug)]
pub(crate) struct RmwArgs {
    pub(crate) op: RmwOp,
    pub(crate) dst: Reg,
    pub(crate) arg: Reg,
    pub(crate) mem: MemOp,
}

/// `cmpxchg`, executed by one thread.
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
    /// An index with its width and its scale in bytes.
    Index { reg: Reg, width: u32, scale: u64 },
}

/// `getelementptr`.
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
    /// Whether lifetime markers determine when it is live.
    pub(crate) has_lifetime: bool,
}

/// Effects of the callee as stated by a call or declaration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct CallEffects {
    pub(crate) nounwind: bool,
    pub(crate) willreturn: bool,
    pub(crate) noreturn: bool,
    pub(crate) speculatable: bool,
    pub(crate) memory: MemoryEffects,
}

/// The callee of a call.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Callee {
    Func(FuncId),
    Pointer(Reg),
}

/// A call or invoke of anything except an intrinsic.
#[derive(Clone, Debug)]
pub(crate) struct CallOp {
    pub(crate) dst: Reg,
    pub(crate) callee: Callee,
    /// The called library function, if known.
    pub(crate) library: Option<Known>,
    /// Whether the result has uses.
    pub(crate) result_used: bool,
    pub(crate) args: Box<[Reg]>,
    pub(crate) arg_shapes: Box<[Shape]>,
    pub(crate) arg_facts: Box<[Option<Box<Facts>>]>,
    /// Whether the callee may capture each argument.
    pub(crate) captured: Box<[bool]>,
    pub(crate) ret: Option<Shape>,
    pub(crate) ret_facts: Option<Box<Facts>>,
    /// Facts of the call's metadata, which apply to the result in addition to its attributes.
    pub(crate) ret_metadata: Option<Box<Facts>>,
    pub(crate) ret_noalias: bool,
    /// The argument that the call states to be the result (`returned`).
    pub(crate) returned: Option<usize>,
    /// Effects stated by the call itself; the callee's are added.
    pub(crate) effects: CallEffects,
    pub(crate) fn_ty: backedge_ir::types::Type,
    /// Type information beyond the callee ([`call_types_to_string`](backedge_ir::print::call_types_to_string)).
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

/// A call of an intrinsic that is not executed lane by lane.
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

/// An argument constrained by attributes.
#[derive(Clone, Debug)]
pub(crate) struct PassOp {
    pub(crate) from: Reg,
    pub(crate) to: Reg,
    pub(crate) facts: Facts,
    pub(crate) shape: Shape,
}

/// Values that must not be denormal.
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
    /// The floating-point arguments.
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

/// Operations on members of aggregates and vectors.
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
    /// Copies an intrinsic's argument to another register and applies its attributes.
    Pass(Box<PassOp>),
    /// Makes a result poison if it differs from the `returned` argument: result, argument, shape of both.
    Returned(Reg, Reg, Box<Shape>),
    /// Ends the run if a value is a denormal number that may be flushed.
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
    /// The possible continuations of a `callbr`'s asm.
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
    /// The range of [`Code::moves`] that updates the phis, ordered so that no copy overwrites the source of a later
    /// one.
    pub(crate) moves: (u32, u32),
    /// Whether all registers of the copies have 16-bit numbers.
    pub(crate) near: bool,
    /// Cost of the edge: instructions of the target block, phis included.
    pub(crate) cost: u32,
    /// Whether the target is not after the branch in the text or in reverse post-order. Such edges are candidates for
    /// backedges; each cycle has one.
    pub(crate) backward: bool,
    /// Whether taking this edge forever requires progress by the metadata: it is the backedge of a loop with
    /// `llvm.loop.mustprogress`, or closes no cycle.
    pub(crate) mustprogress: bool,
}

/// A function in dense form.
#[derive(Debug)]
pub(crate) struct Code {
    pub(crate) ops: Vec<Op>,
    /// The instruction that each operation was compiled from.
    pub(crate) places: Vec<Inst>,
    pub(crate) edges: Vec<Edge>,
    pub(crate) moves: Vec<(Reg, Reg)>,
    /// The short form of each operation.
    pub(crate) quick: Vec<Quick>,
    /// [`Code::moves`] with 16-bit register numbers, for edges that are [`Edge::near`].
    pub(crate) near_moves: Vec<(u16, u16)>,
    /// Initial frame: constants in place, all other registers poison.
    pub(crate) template: Template,
    /// The first register of a constant; constants follow arguments and results.
    pub(crate) first_const: Reg,
    /// The register of each instruction that has a result.
    pub(crate) regs: SecondaryMap<Inst, Option<Reg>>,
    /// Cost of the entry block.
    pub(crate) entry_cost: u32,
    /// The phis of each block that has any, with their registers, sorted by block.
    pub(crate) phis: Vec<(Block, Vec<(Inst, Reg)>)>,
}

/// Facts about a function that callers need.
#[derive(Debug)]
pub(crate) struct Signature {
    /// The library function that it declares, if any.
    pub(crate) library: Option<Known>,
    pub(crate) name: Arc<str>,
    pub(crate) fn_ty: backedge_ir::types::Type,
    pub(crate) params: Vec<Shape>,
    /// Whether it is variadic.
    pub(crate) variadic: bool,
    pub(crate) param_facts: Vec<Option<Box<Facts>>>,
    pub(crate) restrictions: Vec<crate::memory::provenance::Restriction>,
    /// For `byval` parameters: size and alignment in bytes of the copy.
    pub(crate) byval: Vec<Option<(u64, u64)>>,
    /// Whether the callee may capture each argument.
    pub(crate) captured: Vec<bool>,
    pub(crate) ret: Option<Shape>,
    pub(crate) ret_facts: Option<Box<Facts>>,
    pub(crate) ret_noalias: bool,
    /// The parameter that the function states to be its result (`returned`).
    pub(crate) returned: Option<usize>,
    pub(crate) effects: CallEffects,
    pub(crate) mustprogress: bool,
    /// Whether it is `norecurse` and has calls that might violate that.
    pub(crate) must_not_recur: bool,
}

impl Signature {
    /// Whether only its types describe what a call passes and returns. A call with another type is then treated as a
    /// call of an unknown function.
    pub(crate) fn is_bare(&self) -> bool {
        let has_facts = self.param_facts.iter().any(Option::is_some) || self.ret_facts.is_some();
        let restricts = self.restrictions.iter().any(|r| !r.is_none()) || self.ret_noalias;
        let passes = self.byval.iter().any(Option::is_some) || self.returned.is_some();
        !has_facts && !restricts && !passes && self.library.is_none()
    }
}
