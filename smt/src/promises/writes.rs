//! Writes of the target next to `noalias` parameters.
//!
//! The solver takes what a `noalias` parameter points to for a block of its own. That is right where the source accesses
//! what the target accesses: memory that both a parameter and another pointer lead to is undefined behaviour of the source
//! then. What is written in a run has to be written by the source too, or the two may overlap in the target alone. That
//! holds where each write of the target runs whenever the source writes the same bytes. Loops write the same bytes in other
//! iterations and in larger parts: where all pointers have an origin that the source writes to, the solver may answer
//! ([`Promised::by_writes`]). Reads are left out: optimizers load early what can be loaded at all.

use super::Promised;
use super::guards::{Guards, Loops};
use super::pointers::{Root, roots_of};
use crate::refinement::FunctionRef;
use backedge_ir::attr::FlagAttr;
use backedge_ir::body::Body;
use backedge_ir::entity::Inst;
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::module::Env;
use std::collections::BTreeSet;

/// What is written.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct Written {
    /// A hash of an address, and an offset from there in bytes.
    at: (u64, i64),
    length: Length,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Length {
    Bytes(i64),
    /// As a value says, of which this is a hash.
    Of(u64),
    Unknown,
}

impl Written {
    fn of(side: FunctionRef<'_>, guards: &mut Guards<'_>, inst: Inst) -> Option<Self> {
        let env = &side.module.env;
        let body = side.module.body(side.func)?;
        let data = body.inst(inst);
        let at = guards.address_in_parts(written(env, body, inst)?);
        let bytes = |value: Value| env.layout.store_bytes(&env.types, body.ty(value));
        let length = match &data.kind {
            InstKind::Store(_) => bytes(data.operands[0]),
            InstKind::AtomicRmw(..) | InstKind::CmpXchg(_) => bytes(data.operands[1]),
            _ => {
                let length = data.call().and_then(|call| call.args().get(2).copied());
                let length = length.filter(|value| body.ty(*value).is_int())?;
                match body.as_int(length) {
                    Some(length) => length.to_u64(),
                    None => return Some(Self { at, length: Length::Of(guards.value(length, false)) }),
                }
            }
        };
        let length = length.and_then(|n| i64::try_from(n).ok()).map_or(Length::Unknown, Length::Bytes);
        Some(Self { at, length })
    }
    /// Whether `others` together write all of it.
    fn is_within(self, others: &[Self]) -> bool {
        let Length::Bytes(bytes) = self.length else {
            return self.length != Length::Unknown && others.contains(&self);
        };
        let end = self.at.1.saturating_add(bytes);
        let of_others = others.iter().filter(|other| other.at.0 == self.at.0);
        let mut ranges: Vec<(i64, i64)> = of_others
            .filter_map(|other| match other.length {
                Length::Bytes(bytes) => Some((other.at.1, other.at.1.saturating_add(bytes))),
                Length::Of(_) | Length::Unknown => None,
            })
            .collect();
        ranges.sort_unstable();
        let reached =
            ranges.into_iter().fold(self.at.1, |at, (from, to)| if from <= at { at.max(to) } else { at });
        reached >= end
    }
}

/// That a target with `noalias` parameters does not write what its source does not.
pub(super) fn beyond(source: FunctionRef<'_>, target: FunctionRef<'_>) -> Option<Promised> {
    let env = &target.module.env;
    let header = &env.funcs[target.func];
    if !header.param_attrs.iter().any(|list| env.has_attr(list, FlagAttr::NoAlias)) {
        return None;
    }
    // What is writable is stored back on entry.
    let own = &source.module.env;
    let is_stored_back = |root: &Root| {
        let Root::Parameter(index) = root else { return false };
        let list = own.funcs[source.func].param_attrs.get(*index);
        list.is_some_and(|list| own.has_attr(list, FlagAttr::Writable))
    };
    let mut written = writes(target);
    written.retain(|(_, roots)| !roots.iter().all(is_stored_back));
    if written.is_empty() {
        return None;
    }
    let [mut there, mut here] = Guards::of_pair([source, target], Loops::End)?;
    let of_source: BTreeSet<Vec<Root>> = writes(source).into_iter().map(|(_, roots)| roots).collect();
    // What is loaded or computed may be any pointer, one that the target knows better too.
    let is_open =
        |roots: &[Root]| roots.iter().any(|root| !matches!(root, Root::Parameter(_) | Root::Global(_)));
    let mut of_bytes: Vec<(Inst, Option<Written>)> = Vec::new();
    let mut of_any: Vec<(Inst, Option<Written>)> = Vec::new();
    for (inst, roots) in writes(source) {
        let written = Written::of(source, &mut there, inst);
        if is_open(&roots) {
            of_any.push((inst, written));
        }
        of_bytes.push((inst, written));
    }
    let mut is_new = |inst: Inst| {
        let chain = here.chain(inst);
        // Writes of the source that run whenever this one does.
        let mut runs = Vec::new();
        for (other, written) in &of_bytes {
            if chain == there.chain(*other) || here.covers(inst, &mut there, &[*other]) {
                runs.extend(*written);
            }
        }
        let written = Written::of(target, &mut here, inst);
        if written.is_some_and(|written| written.is_within(&runs)) {
            return false;
        }
        // One of several writes of the same bytes may run.
        let same = |(_, other): &&(Inst, Option<Written>)| {
            written.zip(*other).is_some_and(|(a, b)| a.is_within(&[b]))
        };
        let mut others: Vec<Inst> = of_bytes.iter().filter(same).map(|(other, _)| *other).collect();
        let is_as_long = |(_, other): &&(Inst, Option<Written>)| {
            written.zip(*other).is_some_and(|(a, b)| a.length == b.length)
        };
        others.extend(of_any.iter().filter(is_as_long).map(|(other, _)| *other));
        !others.iter().any(|other| chain == there.chain(*other)) && !here.covers(inst, &mut there, &others)
    };
    written.retain(|(inst, _)| is_new(*inst));
    if written.is_empty() {
        return None;
    }
    // What is written in a loop may be written in other iterations, or in larger parts: the solver is asked.
    let of_origin = |roots: &[Root]| of_source.iter().any(|own| own == roots || is_open(own));
    let has_cycles = here.has_cycles() || there.has_cycles();
    let by_writes = has_cycles && written.iter().all(|(_, roots)| of_origin(roots));
    let claim = format!("what @{} writes is reached by `noalias` parameters as in the source", header.name);
    let promised = Promised::new("a write", "next to `noalias` parameters").claiming(claim);
    Some(Promised { by_writes, ..promised })
}

/// The instructions that write memory that is not the function's own, with what their pointers go back to.
fn writes(side: FunctionRef<'_>) -> Vec<(Inst, Vec<Root>)> {
    let Some(body) = side.module.body(side.func) else { return Vec::new() };
    let env = &side.module.env;
    let mut found = Vec::new();
    for inst in body.all_insts() {
        let Some(pointer) = written(env, body, inst) else { continue };
        let roots = roots_of(env, body, [pointer]);
        if roots.iter().any(|root| *root != Root::Alloca) {
            found.push((inst, roots));
        }
    }
    found
}

/// The pointer that an instruction writes through, other than calls of functions: these are compared by what they do.
fn written(env: &Env, body: &Body, inst: Inst) -> Option<Value> {
    let data = body.inst(inst);
    match &data.kind {
        InstKind::Store(_) => Some(data.operands[1]),
        InstKind::AtomicRmw(..) | InstKind::CmpXchg(_) => Some(data.operands[0]),
        _ => {
            let call = data.call()?;
            let intrinsic = env.funcs[body.called_function(call.callee())?].intrinsic?;
            let index = match intrinsic {
                Intrinsic::MaskedStore | Intrinsic::MaskedScatter => 1,
                _ if intrinsic.facts().memory.argmem.writes => 0,
                _ => return None,
            };
            call.args().get(index).copied().filter(|v| env.types.scalar(body.ty(*v)).is_ptr())
        }
    }
}
