//! Removes flags of instructions: poison-generating flags, fast-math flags, `inbounds`, `volatile`, orderings,
//! alignments, `tail`.

use super::super::edit::stands;
use super::super::search::{Edit, Search};
use super::on_body;
use backedge_ir::inst::{BinaryFlags, CastFlags, FastMath, GepFlags, InstKind, MemAccess, TailKind};

pub(super) fn run(search: &mut Search<'_>) {
    for strip in [all, first, second, only_align] as [fn(&InstKind) -> InstKind; 4] {
        let mut edits: Vec<Edit> = Vec::new();
        for (func, body) in search.best.program.module.bodies() {
            for inst in body.all_insts() {
                if strip(&body.inst(inst).kind) == body.inst(inst).kind {
                    continue;
                }
                edits.push(on_body(func, move |editor| {
                    if !stands(editor.body(), inst) {
                        return false;
                    }
                    let old = &editor.body().inst(inst).kind;
                    let new = strip(old);
                    let changed = new != *old;
                    editor.set_kind(inst, new);
                    changed
                }));
            }
        }
        search.chunked(edits);
    }
}

/// Removes all flags.
fn all(kind: &InstKind) -> InstKind {
    let mut kind = kind.clone();
    match &mut kind {
        InstKind::Binary(_, flags) => *flags = BinaryFlags::default(),
        InstKind::Cast(_, flags) => *flags = CastFlags::default(),
        InstKind::Gep { flags, .. } => *flags = GepFlags::default(),
        InstKind::ICmp { samesign, .. } => *samesign = false,
        InstKind::FNeg(fast)
        | InstKind::FloatBinary(_, fast)
        | InstKind::FCmp(_, fast)
        | InstKind::Select(fast)
        | InstKind::Phi(fast) => *fast = FastMath::NONE,
        InstKind::Load(access) | InstKind::Store(access) => **access = MemAccess::default(),
        InstKind::Alloca(info) => info.align = None,
        InstKind::Call(info) => {
            info.tail = TailKind::None;
            info.fast = FastMath::NONE;
        }
        _ => {}
    }
    kind
}

/// Removes the first of two flags.
fn first(kind: &InstKind) -> InstKind {
    without(kind, true)
}

/// Removes the second of two flags.
fn second(kind: &InstKind) -> InstKind {
    without(kind, false)
}

/// Removes one of two flags. Poison-generating flags must both be set, since [`all`] removes a single one.
fn without(kind: &InstKind, first: bool) -> InstKind {
    let mut kind = kind.clone();
    match &mut kind {
        InstKind::Binary(_, flags) if flags.nuw && flags.nsw => {
            *(if first { &mut flags.nuw } else { &mut flags.nsw }) = false;
        }
        InstKind::Cast(_, flags) if flags.nuw && flags.nsw => {
            *(if first { &mut flags.nuw } else { &mut flags.nsw }) = false;
        }
        InstKind::Gep { flags, .. } => *(if first { &mut flags.nuw } else { &mut flags.inbounds }) = false,
        InstKind::Load(access) | InstKind::Store(access) if first => access.volatile = false,
        InstKind::Load(access) | InstKind::Store(access) => access.ordering = None,
        _ => {}
    }
    kind
}

/// Reduces an alignment that must be explicit to one byte.
fn only_align(kind: &InstKind) -> InstKind {
    let mut kind = kind.clone();
    if let InstKind::Load(access) | InstKind::Store(access) = &mut kind
        && access.align.is_some_and(|align| align > 1)
    {
        access.align = Some(1);
    }
    kind
}
