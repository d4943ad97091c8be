//! Writes of the target in functions with `noalias` parameters.
//!
//! The solver models the memory of a `noalias` parameter as a block of its own. That is correct where the source
//! accesses the same memory as the target: memory reachable through both a parameter and another pointer then makes the
//! source UB. Memory written in a run must also be written by the source; otherwise the two may overlap only in the
//! target. This holds if each write of the target executes whenever the source writes the same bytes. The solver
//! compares writes in other iterations or in other parts ([`Promised::by_writes`]). Memory with `!invariant.load` has
//! one value at all times, so for it the written value counts too. Reads are not considered: optimizers hoist loads of
//! memory that is dereferenceable.

use super::Promised;
use super::guards::{Guards, Loops};
use super::pointers::{Root, roots, roots_of};
use crate::refinement::FunctionRef;
use backedge_ir::attr::{Attr, AttrList, FlagAttr, IntAttr};
use backedge_ir::body::Body;
use backedge_ir::entity::{Arg, Inst};
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::meaning::library::{Known, called};
use backedge_ir::print::type_to_string;

/// The intrinsics whose third argument is the number of bytes written.
const COPYING: [Intrinsic; 5] = [
    Intrinsic::Memcpy,
    Intrinsic::MemcpyInline,
    Intrinsic::Memmove,
    Intrinsic::Memset,
    Intrinsic::MemsetInline,
];

/// A write.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Written {
    /// A hash of an address, and an offset from it in bytes.
    at: (u64, i64),
    length: Length,
    /// A hash of the written value, if it matters.
    value: Option<u64>,
}

/// The properties that two writes must share.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Alike {
    /// The written bytes.
    Places,
    /// The written bytes and their values.
    Values,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Length {
    Bytes(i64),
    /// A variable length, as a hash of its values; with the type of the written value, if it counts elements.
    Of(u64, String),
    Unknown,
}

impl Written {
    fn of(side: FunctionRef<'_>, guards: &mut Guards<'_>, inst: Inst, alike: Alike) -> Option<Self> {
        let env = &side.module.env;
        let body = side.module.body(side.func)?;
        let data = body.inst(inst);
        let at = guards.address_in_parts(written(side, body, inst)?, inst);
        let value = (alike == Alike::Values).then(|| guards.written(inst));
        let bytes = |value: Value| env.layout.store_bytes(&env.types, body.ty(value));
        let known = match &data.kind {
            InstKind::Store(_) => bytes(data.operands[0]),
            InstKind::AtomicRmw(..) | InstKind::CmpXchg(_) => bytes(data.operands[1]),
            _ => {
                let call = data.call()?;
                match body.called_function(call.callee()).and_then(|f| env.funcs[f].intrinsic) {
                    // The mask and the type of the written value determine which bytes are written.
                    Some(Intrinsic::MaskedStore | Intrinsic::MaskedScatter) => {
                        let (data, mask) = (*call.args().first()?, *call.args().last()?);
                        let ty = guards.typed(type_to_string(&env.types, body.ty(data)));
                        let length = Length::Of(guards.value(mask, inst), ty);
                        return Some(Self { at, length, value });
                    }
                    Some(which) if !COPYING.contains(&which) => None,
                    _ => {
                        let is_pointer = |value: Value| env.types.scalar(body.ty(value)).is_ptr();
                        let length = call.args().get(2).copied().filter(|value| !is_pointer(*value))?;
                        let Some(known) = body.as_int(length) else {
                            let length = Length::Of(guards.value(length, inst), String::new());
                            return Some(Self { at, length, value });
                        };
                        known.to_u64()
                    }
                }
            }
        };
        let length = known.and_then(|n| i64::try_from(n).ok()).map_or(Length::Unknown, Length::Bytes);
        Some(Self { at, length, value })
    }
    /// Whether `others` together write all of these bytes.
    fn is_within(&self, others: &[Self]) -> bool {
        let Length::Bytes(bytes) = self.length else {
            return self.length != Length::Unknown && others.contains(self);
        };
        if self.value.is_some() {
            return others.contains(self);
        }
        let range = |at: i64, bytes: i64| (i128::from(at), i128::from(at) + i128::from(bytes));
        let (start, end) = range(self.at.1, bytes);
        let of_others = others.iter().filter(|other| other.at.0 == self.at.0);
        let mut ranges: Vec<(i128, i128)> = of_others
            .filter_map(|other| match other.length {
                Length::Bytes(bytes) => Some(range(other.at.1, bytes)),
                Length::Of(..) | Length::Unknown => None,
            })
            .collect();
        ranges.sort_unstable();
        let reached =
            ranges.into_iter().fold(start, |at, (from, to)| if from <= at { at.max(to) } else { at });
        reached >= end
    }
}

/// The promise that a target with `noalias` parameters writes nothing that its source does not write.
pub(super) fn beyond(source: FunctionRef<'_>, target: FunctionRef<'_>) -> Option<Promised> {
    let env = &target.module.env;
    let header = &env.funcs[target.func];
    let is_kept = |list: &AttrList| env.has_attr(list, FlagAttr::NoAlias);
    if !header.param_attrs.iter().any(is_kept) || !writes_more(source, target) {
        return None;
    }
    let claim = format!(
        "memory that @{} writes is reached through `noalias` parameters as in the source",
        header.name
    );
    let promised = Promised::new("a write", "next to `noalias` parameters").claiming(claim);
    Some(Promised { by_writes: true, ..promised })
}

/// Whether the target may write bytes that its source does not write in the same run. `false` is a proof.
pub(super) fn writes_more(source: FunctionRef<'_>, target: FunctionRef<'_>) -> bool {
    more(source, target, Alike::Places, Whose::Others)
}

/// Whether the target may write a value that its source does not write there in the same run, to memory of these
/// accesses of the target. `false` is a proof.
pub(super) fn changes_more(source: FunctionRef<'_>, target: FunctionRef<'_>, accesses: &[Inst]) -> bool {
    let env = &target.module.env;
    let is_of_others = |root: Root| matches!(root, Root::Parameter(_) | Root::Global(_) | Root::Constant);
    let may_be_own = target.module.body(target.func).is_some_and(|body| {
        accesses.iter().flat_map(|inst| roots(env, body, *inst)).any(|root| !is_of_others(root))
    });
    more(source, target, Alike::Values, if may_be_own { Whose::All } else { Whose::Others })
}

/// The owner of the considered memory.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Whose {
    /// Also memory of the function's allocas.
    All,
    Others,
}

fn more(source: FunctionRef<'_>, target: FunctionRef<'_>, alike: Alike, whose: Whose) -> bool {
    let of_target = writes(target, whose);
    if of_target.is_empty() {
        return false;
    }
    let pair = Guards::of_pair([source, target], Loops::End);
    let Some([mut there, mut here]) = pair else { return true };
    let of_entry = stored_back(source, &mut there);
    let insts = writes(source, whose).into_iter().filter(|inst| there.is_reached(*inst)).collect::<Vec<_>>();
    let of_source: Vec<(Inst, Option<Written>)> =
        insts.into_iter().map(|inst| (inst, Written::of(source, &mut there, inst, alike))).collect();
    let is_new = |inst: Inst| {
        let chain = here.chain(inst);
        // Writes of the source that execute whenever this one does.
        let mut runs = of_entry.clone();
        for (other, written) in &of_source {
            if chain == there.chain(*other) || here.covers(inst, &mut there, &[*other], false) {
                runs.extend(written.clone());
            }
        }
        let written = Written::of(target, &mut here, inst, alike);
        if written.as_ref().is_some_and(|written| written.is_within(&runs)) {
            return false;
        }
        // One of several writes of the same bytes may execute.
        let same = |(_, other): &&(Inst, Option<Written>)| {
            written.as_ref().zip(other.as_ref()).is_some_and(|(a, b)| a.is_within(std::slice::from_ref(b)))
        };
        let others: Vec<Inst> = of_source.iter().filter(same).map(|(other, _)| *other).collect();
        !here.covers(inst, &mut there, &others, false)
    };
    of_target.into_iter().any(is_new)
}

/// The bytes that are stored back on entry: the first bytes of `writable` parameters.
fn stored_back(side: FunctionRef<'_>, guards: &mut Guards<'_>) -> Vec<Written> {
    let env = &side.module.env;
    let first = side.module.body(side.func).and_then(|body| Some((body, body.entry()?)));
    let Some((body, entry)) = first else { return Vec::new() };
    let Some(at) = body.insts(entry).first().copied() else { return Vec::new() };
    let lists = body.args().zip(&env.funcs[side.func].param_attrs);
    let writable = lists.filter(|(_, list)| env.has_attr(list, FlagAttr::Writable));
    let bytes = |attr: &Attr| match attr {
        Attr::Int(IntAttr::Dereferenceable, bytes) => i64::try_from(*bytes).ok(),
        _ => None,
    };
    let found = writable.filter_map(|(arg, list)| Some((arg, env.attrs(list).find_map(bytes)?)));
    let found: Vec<_> = found.collect();
    let mut written = |(arg, bytes): (Arg, i64)| Written {
        at: guards.address_in_parts(arg.into(), at),
        length: Length::Bytes(bytes),
        value: None,
    };
    found.into_iter().map(&mut written).collect()
}

/// The instructions that write such memory.
fn writes(side: FunctionRef<'_>, whose: Whose) -> Vec<Inst> {
    let Some(body) = side.module.body(side.func) else { return Vec::new() };
    let is_of_others = |inst: &Inst| {
        let pointer = written(side, body, *inst);
        pointer.is_some_and(|pointer| {
            let roots = roots_of(&side.module.env, body, [pointer]);
            whose == Whose::All || roots.iter().any(|root| *root != Root::Alloca)
        })
    };
    body.all_insts().filter(is_of_others).collect()
}

/// The pointer through which an instruction writes. Calls are compared as events, except calls of library functions
/// that the engines model.
fn written(side: FunctionRef<'_>, body: &Body, inst: Inst) -> Option<Value> {
    let env = &side.module.env;
    let data = body.inst(inst);
    match &data.kind {
        InstKind::Store(_) => Some(data.operands[1]),
        InstKind::AtomicRmw(..) | InstKind::CmpXchg(_) => Some(data.operands[0]),
        _ => {
            let call = data.call()?;
            let index = match env.funcs[body.called_function(call.callee())?].intrinsic {
                Some(Intrinsic::MaskedStore | Intrinsic::MaskedScatter) => 1,
                Some(intrinsic) if intrinsic.facts().memory.argmem.writes => {
                    call.args().iter().position(|v| env.types.scalar(body.ty(*v)).is_ptr())?
                }
                Some(_) => return None,
                None => match called(side.module, side.func, body, inst)? {
                    Known::Function(which) if which.writes_bytes() => 0,
                    Known::Function(_) | Known::Unmodelled => return None,
                },
            };
            call.args().get(index).copied().filter(|v| env.types.scalar(body.ty(*v)).is_ptr())
        }
    }
}
