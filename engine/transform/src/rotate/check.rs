//! Whether a loop can be rotated, and whether its header is small enough to copy.

use super::remarks::{FormPart, RotateMissed};
use super::{DEFAULT_MAX_HEADER_SIZE, LoopRotate};
use crate::clone::check::check_inst;
use crate::loop_metadata;
use crate::shape::Shape;
use crate::size::size_of;
use backedge_analysis::LoopId;
use backedge_analysis::effects::called_function;
use backedge_analysis::must_execute::call_has;
use backedge_ir::attr::FlagAttr;
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, FuncId, Inst};
use backedge_ir::inst::InstKind;
use backedge_ir::module::Env;

/// Metadata that requests vectorization.
const VECTORIZE: &str = "llvm.loop.vectorize.enable";

/// Facts about a loop that can be rotated.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    /// Its header, which ends in a conditional branch.
    pub(super) header: Block,
    /// Its preheader.
    pub(super) preheader: Block,
    /// Its only latch, which is not exiting and not the header.
    pub(super) latch: Block,
    /// The header's successor in the loop.
    pub(super) new_header: Block,
    /// The header's successor outside.
    pub(super) exit: Block,
}

/// Checks whether `l` can be rotated.
pub(super) fn check(env: &Env, body: &Body, shape: &Shape, l: LoopId) -> Result<Facts, RotateMissed> {
    let Shape { cfg, loops, .. } = shape;
    let header = loops.header(l);
    let preheader = loops.preheader(cfg, l).ok_or(RotateMissed::NotSimplified(FormPart::Preheader))?;
    let latch = loops.single_latch(cfg, l).ok_or(RotateMissed::NotSimplified(FormPart::SingleBackedge))?;
    if !loops.has_dedicated_exits(cfg, l) {
        return Err(RotateMissed::NotSimplified(FormPart::DedicatedExits));
    }
    if loops.is_exiting(cfg, l, latch) {
        return Err(RotateMissed::AlreadyRotated);
    }
    let (new_header, exit) = branch_out(body, shape, l)?;
    for &inst in body.insts(header) {
        check_inst(env, body, inst).map_err(RotateMissed::Uncopyable)?;
    }
    Ok(Facts { header, preheader, latch, new_header, exit })
}

/// The successors of the header inside and outside the loop.
fn branch_out(body: &Body, shape: &Shape, l: LoopId) -> Result<(Block, Block), RotateMissed> {
    let header = shape.loops.header(l);
    if !shape.loops.is_exiting(&shape.cfg, l, header) {
        return Err(RotateMissed::HeaderDoesNotExit);
    }
    let terminator = body.terminator(header).map(|t| body.inst(t));
    let mnemonic = terminator.map_or("nothing", |t| t.kind.mnemonic());
    match terminator.map(|t| (&t.kind, t.successors())) {
        Some((InstKind::CondBr, &[a, b])) if shape.loops.contains(l, a) => Ok((a, b)),
        Some((InstKind::CondBr, &[a, b])) => Ok((b, a)),
        Some(_) | None => Err(RotateMissed::HeaderNotConditional { terminator: mnemonic }),
    }
}

/// Decides whether rotation is worthwhile.
pub(super) fn decide(
    env: &Env,
    func: FuncId,
    body: &Body,
    facts: Facts,
    options: LoopRotate,
) -> Result<Facts, RotateMissed> {
    // The branch counts too, as in LLVM.
    let size = size_of(env, body, &[facts.header]);
    // Vectorization needs a rotated loop.
    let asked = loop_metadata::number(env, body, facts.latch, VECTORIZE).is_some_and(|n| !n.is_zero());
    if !asked && env.has_attr(&env.funcs[func].attrs, FlagAttr::MinSize) {
        return Err(RotateMissed::ForSize);
    }
    let limit = options.max_header_size.max(if asked { DEFAULT_MAX_HEADER_SIZE } else { 0 });
    if size > limit {
        return Err(RotateMissed::HeaderTooLarge { size, limit });
    }
    let inlinable = |inst: &Inst| is_inlinable_call(env, body, *inst);
    if options.prepare_for_lto && body.insts(facts.header).iter().any(inlinable) {
        return Err(RotateMissed::InlinableCall);
    }
    Ok(facts)
}

/// Library functions that targets implement with instructions.
const NOT_CALLED: &[&str] = &[
    "abs",
    "copysign",
    "copysignf",
    "copysignl",
    "cos",
    "cosf",
    "cosl",
    "exp2",
    "exp2f",
    "exp2l",
    "fabs",
    "fabsf",
    "fabsl",
    "ffs",
    "ffsl",
    "floor",
    "floorf",
    "fmax",
    "fmaxf",
    "fmaxl",
    "fmin",
    "fminf",
    "fminl",
    "labs",
    "llabs",
    "pow",
    "powf",
    "powl",
    "round",
    "sin",
    "sinf",
    "sinl",
    "sqrt",
    "sqrtf",
    "sqrtl",
    "tan",
    "tanf",
    "tanl",
];

/// Whether `inst` is a direct call of a function that is not an intrinsic and may be inlined.
fn is_inlinable_call(env: &Env, body: &Body, inst: Inst) -> bool {
    body.inst(inst).call().is_some_and(|call| {
        let callee = called_function(body, call).map(|f| &env.funcs[f].name);
        callee.is_some_and(|name| !name.starts_with("llvm.") && !NOT_CALLED.contains(&&**name))
            && !call_has(env, body, call, FlagAttr::NoInline)
    })
}
