//! When two instructions compute the same value, and which flags and metadata remain if one replaces the other.

use backedge_ir::body::Body;
use backedge_ir::editor::Editor;
use backedge_ir::entity::Inst;
use backedge_ir::inst::{BinaryFlags, CastFlags, GepFlags, InstKind, Value};
use backedge_ir::metadata::MdKind;
use backedge_ir::opcode::FastMath;
use backedge_ir::types::Type;
use smallvec::SmallVec;

/// The computation of an instruction, without flags.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Key {
    kind: InstKind,
    ty: Type,
    operands: SmallVec<[Value; 3]>,
}

impl Key {
    /// The key of `inst`, with operands replaced by their leaders.
    pub(super) fn of(body: &Body, inst: Inst, leader: impl Fn(Value) -> Value) -> Self {
        let data = body.inst(inst);
        let mut operands: SmallVec<[Value; 3]> = data.operands.iter().map(|v| leader(*v)).collect();
        let mut kind = bare(&data.kind);
        let swapped = operands.len() == 2 && operands[1] < operands[0];
        match &mut kind {
            InstKind::Binary(op, _) if op.is_commutative() && swapped => operands.swap(0, 1),
            InstKind::ICmp { pred, .. } if swapped => {
                *pred = pred.swapped();
                operands.swap(0, 1);
            }
            _ => {}
        }
        Self { kind, ty: data.ty, operands }
    }
}

/// The kind without flags.
fn bare(kind: &InstKind) -> InstKind {
    match kind {
        InstKind::Binary(op, _) => InstKind::Binary(*op, BinaryFlags::default()),
        InstKind::FloatBinary(op, _) => InstKind::FloatBinary(*op, FastMath::NONE),
        InstKind::FNeg(_) => InstKind::FNeg(FastMath::NONE),
        InstKind::Cast(op, _) => InstKind::Cast(*op, CastFlags::default()),
        InstKind::ICmp { pred, .. } => InstKind::ICmp { pred: *pred, samesign: false },
        InstKind::FCmp(pred, _) => InstKind::FCmp(*pred, FastMath::NONE),
        InstKind::Select(_) => InstKind::Select(FastMath::NONE),
        InstKind::Gep { source, .. } => InstKind::Gep { source: *source, flags: GepFlags::default() },
        other => other.clone(),
    }
}

/// Drops flags and metadata of `kept` that `other`, an equal instruction that it replaces, does not have.
pub(super) fn intersect_flags(editor: &mut Editor<'_>, kept: Inst, other: Inst) {
    let (ours, theirs) = (editor.body().inst(kept), editor.body().inst(other));
    let kind = both(&ours.kind, &theirs.kind);
    if kind != ours.kind {
        editor.set_kind(kept, kind);
    }
    let theirs = &editor.body().inst(other).metadata;
    let ours = &editor.body().inst(kept).metadata;
    let common: Vec<MdKind> =
        ours.iter().filter(|m| theirs.contains(m)).map(|(kind, _)| kind.clone()).collect();
    if common.len() < ours.len() {
        editor.retain_metadata(kept, |kind| *kind == MdKind::Dbg || common.contains(kind));
    }
}

/// The kind of `a`, with only the flags that `b` has too.
fn both(a: &InstKind, b: &InstKind) -> InstKind {
    let fast = |x: FastMath, y: FastMath| x.without(FastMath::FAST.without(y));
    match (a, b) {
        (InstKind::Binary(op, x), InstKind::Binary(_, y)) => {
            let BinaryFlags { nuw, nsw, exact, disjoint } = *y;
            let flags = BinaryFlags {
                nuw: x.nuw && nuw,
                nsw: x.nsw && nsw,
                exact: x.exact && exact,
                disjoint: x.disjoint && disjoint,
            };
            InstKind::Binary(*op, flags)
        }
        (InstKind::FloatBinary(op, x), InstKind::FloatBinary(_, y)) => {
            InstKind::FloatBinary(*op, fast(*x, *y))
        }
        (InstKind::FNeg(x), InstKind::FNeg(y)) => InstKind::FNeg(fast(*x, *y)),
        (InstKind::FCmp(pred, x), InstKind::FCmp(_, y)) => InstKind::FCmp(*pred, fast(*x, *y)),
        (InstKind::Select(x), InstKind::Select(y)) => InstKind::Select(fast(*x, *y)),
        (InstKind::Cast(op, x), InstKind::Cast(_, y)) => {
            let flags = CastFlags {
                nneg: x.nneg && y.nneg,
                nuw: x.nuw && y.nuw,
                nsw: x.nsw && y.nsw,
                fast: fast(x.fast, y.fast),
            };
            InstKind::Cast(*op, flags)
        }
        (InstKind::ICmp { pred, samesign }, InstKind::ICmp { samesign: other, .. }) => {
            InstKind::ICmp { pred: *pred, samesign: *samesign && *other }
        }
        (InstKind::Gep { source, flags: x }, InstKind::Gep { flags: y, .. }) => {
            let flags =
                GepFlags { inbounds: x.inbounds && y.inbounds, nusw: x.nusw && y.nusw, nuw: x.nuw && y.nuw };
            InstKind::Gep { source: *source, flags }
        }
        _ => a.clone(),
    }
}
