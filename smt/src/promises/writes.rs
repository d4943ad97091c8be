//! Writes of the target next to `noalias` parameters.
//!
//! The solver takes what a `noalias` parameter points to for a block of its own. That is right where the source accesses
//! what the target accesses: memory that both a parameter and another pointer lead to is undefined behaviour of the source
//! then. What is written in a run has to be written by the source too, or the two may overlap in the target alone. That
//! holds where each write of the target runs whenever the source writes the same bytes. What is written in other iterations,
//! or in other parts, the solver compares ([`Promised::by_writes`]). Memory that an `!invariant.load` speaks of has one value all
//! the time, so what is written counts there too. Reads are left out: optimizers load early what can be
//! loaded at all.

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

/// The intrinsics that write as many bytes as their third argument says.
const COPYING: [Intrinsic; 5] = [
    Intrinsic::Memcpy,
    Intrinsic::MemcpyInline,
    Intrinsic::Memmove,
    Intrinsic::Memset,
    Intrinsic::MemsetInline,
];

/// What is written.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Written {
    /// A hash of an address, and an offset from there in bytes.
    at: (u64, i64),
    length: Length,
    /// A hash of what is written, where that matters.
    value: Option<u64>,
}

/// What two writes must have in common.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Alike {
    /// The bytes that are written.
    Places,
    /// What they become, too.
    Values,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Length {
    Bytes(i64),
    /// As values say, of which this is a hash; with the type of what is written, where it counts elements.
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
                    // Which of the bytes are written the mask says, and the type of what is written.
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
    /// Whether `others` together write all of it.
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

/// That a target with `noalias` parameters does not write what its source does not.
pub(super) fn beyond(source: FunctionRef<'_>, target: FunctionRef<'_>) -> Option<Promised> {
    let env = &target.module.env;
    let header = &env.funcs[target.func];
    let is_kept = |list: &AttrList| env.has_attr(list, FlagAttr::NoAlias);
    if !header.param_attrs.iter().any(is_kept) || !writes_more(source, target) {
        return None;
    }
    let claim = format!("what @{} writes is reached by `noalias` parameters as in the source", header.name);
    let promised = Promised::new("a write", "next to `noalias` parameters").claiming(claim);
    Some(Promised { by_writes: true, ..promised })
}

/// Whether the target may write what its source does not write in the same run. `false` is a proof.
pub(super) fn writes_more(source: FunctionRef<'_>, target: FunctionRef<'_>) -> bool {
    more(source, target, Alike::Places, Whose::Others)
}

/// Whether the target may write something that its source does not write there in the same run, where these accesses of the
/// target may be. `false` is a proof.
pub(super) fn changes_more(source: FunctionRef<'_>, target: FunctionRef<'_>, accesses: &[Inst]) -> bool {
    let env = &target.module.env;
    let is_of_others = |root: Root| matches!(root, Root::Parameter(_) | Root::Global(_) | Root::Constant);
    let may_be_own = target.module.body(target.func).is_some_and(|body| {
        accesses.iter().flat_map(|inst| roots(env, body, *inst)).any(|root| !is_of_others(root))
    });
    more(source, target, Alike::Values, if may_be_own { Whose::All } else { Whose::Others })
}

/// Whose memory is looked at.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Whose {
    /// That of the function's allocas, too.
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
        // Writes of the source that run whenever this one does.
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
        // One of several writes of the same bytes may run.
        let same = |(_, other): &&(Inst, Option<Written>)| {
            written.as_ref().zip(other.as_ref()).is_some_and(|(a, b)| a.is_within(std::slice::from_ref(b)))
        };
        let others: Vec<Inst> = of_source.iter().filter(same).map(|(other, _)| *other).collect();
        !here.covers(inst, &mut there, &others, false)
    };
    of_target.into_iter().any(is_new)
}

/// What is stored back on entry: the first bytes of `writable` parameters.
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

/// The pointer that an instruction writes through. Calls of functions are compared by what they do, but for those of the
/// library that the engines take for their code.
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
