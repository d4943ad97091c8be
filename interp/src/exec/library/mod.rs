//! Calls of library functions, as defined by the C and C++ standards.
//!
//! Allocation and output have their own choices and events. The allocating program chooses whether an allocation
//! fails, so that allocations may be removed. Output is one event per byte, whichever function writes it. Known but
//! unmodelled functions run as unknown functions; the run records their names and then refutes nothing
//! ([`LibraryUse`]).

mod format;
mod heap;
mod output;
mod record;
mod strings;

use crate::exec::access;
pub(crate) use record::LibraryUse;
use record::Question;

use super::ctx::Ctx;
use super::external;
use crate::chooser::{ChoiceKind, Domain};
use crate::compile::op::{CallOp, Callee, Signature};
use crate::layout::Shape;
use crate::outcome::{Step, Stop, UbKind};
use crate::value::{Cube, Pointer, Val, mask};
use backedge_ir::int::Int;
use backedge_ir::meaning::library::{Family, Known, Library};
use std::sync::Arc;

fn note(list: &mut Vec<Arc<str>>, name: &Arc<str>) {
    if !list.contains(name) {
        list.push(name.clone());
    }
}

/// Calls a declared function, of the library or not. Returns its result.
pub(super) fn call(
    ctx: &mut Ctx<'_, '_>,
    op: &CallOp,
    callee: &Signature,
    args: &[Val],
) -> Step<Option<Val>> {
    let which = match (op.library, callee.library) {
        (Some(Known::Function(which)), _) => which,
        (None, None) => return external::call(ctx, op, callee, args),
        (None, Some(_)) if matches!(op.callee, Callee::Func(_)) => {
            note(&mut ctx.events.library.unknown, &callee.name);
            return external::call(ctx, op, callee, args);
        }
        (Some(Known::Unmodelled), _) | (None, Some(_)) => return unmodelled(ctx, op, callee, args),
    };
    note(&mut ctx.events.library.known, &callee.name);
    let call = Call { op, args, family: Family::of(&callee.name) };
    let Some(value) = execute(ctx, which, call)? else {
        return unmodelled(ctx, op, callee, args);
    };
    let (Some(shape), Some(mut value)) = (&op.ret, value) else { return Ok(None) };
    for facts in [&callee.ret_facts, &op.ret_facts].into_iter().flatten() {
        value = facts.apply(ctx.memory, shape, value)?;
    }
    Ok(Some(value))
}

/// Runs an unmodelled function as an unknown one.
fn unmodelled(ctx: &mut Ctx<'_, '_>, op: &CallOp, callee: &Signature, args: &[Val]) -> Step<Option<Val>> {
    ctx.events.library.unmodelled.get_or_insert_with(|| callee.name.clone());
    external::call(ctx, op, callee, args)
}

/// A library call with its arguments.
#[derive(Copy, Clone)]
struct Call<'a> {
    op: &'a CallOp,
    args: &'a [Val],
    family: Family,
}

impl Call<'_> {
    fn width(self, arg: usize) -> u32 {
        self.op.arg_shapes.get(arg).and_then(Shape::scalar_bits).unwrap_or(64)
    }
    /// An argument that must be defined.
    fn int(self, arg: usize) -> Step<Int> {
        match self.args.get(arg) {
            Some(value @ Val::Bits(_)) => value.as_int(self.width(arg)).ok_or(Stop::Ub(UbKind::PoisonLength)),
            _ => Err(Stop::Ub(UbKind::PoisonLength)),
        }
    }
    /// An argument that is converted to a one-byte character.
    fn character(self, arg: usize) -> Step<Cube> {
        let cube = self.args.get(arg).and_then(Val::cube).ok_or(Stop::Ub(UbKind::BranchOnPoison))?;
        Ok(Cube { bits: cube.bits & 0xff, undef: cube.undef & 0xff })
    }
    fn size(self, arg: usize) -> Step<u64> {
        Ok(self.int(arg)?.to_u64().unwrap_or(u64::MAX))
    }
    fn pointer(self, arg: usize) -> Step<Pointer> {
        access::pointer(self.args.get(arg).unwrap_or(&Val::Poison))
    }
    /// A number of the result's type.
    fn number(self, bits: u128) -> Val {
        let width = self.op.ret.as_ref().and_then(Shape::scalar_bits).unwrap_or(32);
        Val::int(Int::new(width, bits & mask(width)))
    }
    /// Chooses one of `count` results; the first if the result is unused.
    fn choose(self, ctx: &mut Ctx<'_, '_>, count: u32) -> u32 {
        if self.op.result_used {
            ctx.choose(ChoiceKind::Unspecified, Domain::Options(count)) as u32
        } else {
            0
        }
    }
    /// Like `choose`, for functions that give equal results for equal questions.
    fn answer(self, ctx: &mut Ctx<'_, '_>, question: Question, count: u32) -> u32 {
        if let Some(&answer) = ctx.events.library.answers.get(&question) {
            return answer;
        }
        let answer = self.choose(ctx, count);
        if self.op.result_used {
            ctx.events.library.answers.insert(question, answer);
        }
        answer
    }
}

/// The pointer plus `by` bytes.
fn advance(ctx: &Ctx<'_, '_>, ptr: Pointer, by: u64) -> Pointer {
    let addr = ptr.addr.wrapping_add(by) & mask(ctx.memory.pointer_bits) as u64;
    Pointer { addr, prov: ptr.prov }
}

/// The byte at `ptr`.
fn byte(ctx: &mut Ctx<'_, '_>, ptr: Pointer) -> Step<Val> {
    access::read(ctx, ptr, &Shape::Int(8), 1)
}

/// The character of `size` bytes at `ptr`. Poison is UB, because the character decides control flow. LLVM requires no
/// alignment of wide-character strings.
fn character(ctx: &mut Ctx<'_, '_>, ptr: Pointer, size: u64) -> Step<Cube> {
    let value = access::read(ctx, ptr, &Shape::Int(8 * size as u32), 1)?;
    value.cube().ok_or(Stop::Ub(UbKind::BranchOnPoison))
}

/// Whether two characters are equal, which decides how the function continues. As in a branch on the comparison,
/// undefined bits must not matter.
fn equal(a: Cube, b: Cube) -> Step<bool> {
    let open = a.undef | b.undef;
    match (a.bits ^ b.bits) & !open {
        0 if open == 0 => Ok(true),
        0 => Err(Stop::Ub(UbKind::BranchOnUndef)),
        _ => Ok(false),
    }
}

/// Runs the function. An outer `None` means that this call is not modelled.
fn execute(ctx: &mut Ctx<'_, '_>, which: Library, call: Call<'_>) -> Step<Option<Option<Val>>> {
    let value = match which {
        Library::Abs | Library::Ffs | Library::IsDigit | Library::IsAscii | Library::ToAscii => {
            Some(arithmetic(ctx, which, call))
        }
        Library::StrLen
        | Library::StrNLen
        | Library::WcsLen2
        | Library::WcsLen4
        | Library::MemCmp
        | Library::Bcmp
        | Library::StrCmp
        | Library::StrNCmp
        | Library::StrChr
        | Library::StrRChr
        | Library::MemChr => Some(strings::look(ctx, which, call)?),
        Library::MemCpy
        | Library::MemPCpy
        | Library::MemMove
        | Library::MemSet
        | Library::Bzero
        | Library::StrCpy
        | Library::StpCpy
        | Library::StrCat => strings::change(ctx, which, call)?,
        Library::Malloc | Library::Calloc | Library::AlignedAlloc | Library::New => {
            Some(heap::allocate(ctx, which, call)?)
        }
        Library::Realloc => Some(heap::reallocate(ctx, call)?),
        Library::Free => {
            heap::free(ctx, call)?;
            None
        }
        Library::Printf
        | Library::Puts
        | Library::PutChar
        | Library::FPrintf
        | Library::FPuts
        | Library::FPutC
        | Library::FWrite => return output::write(ctx, which, call).map(|value| value.map(Some)),
    };
    Ok(Some(value))
}

/// Functions of one number. LLVM folds each to instructions, so poison gives poison.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "`execute` dispatches exhaustively; each family handles its own functions"
)]
fn arithmetic(ctx: &mut Ctx<'_, '_>, which: Library, call: Call<'_>) -> Val {
    let width = call.width(0);
    let Some(cube) = call.args.first().and_then(Val::cube) else { return Val::Poison };
    let x = ctx.narrow(width, cube);
    let small = |low: u64, count: u64| x.to_u64().is_some_and(|x| x >= low && x - low < count);
    match which {
        Library::Abs if x.is_negative() && x.neg() == x => Val::Poison,
        Library::Abs => Val::int(if x.is_negative() { x.neg() } else { x }),
        Library::Ffs if x.is_zero() => call.number(0),
        Library::Ffs => call.number(u128::from(x.bits().trailing_zeros()) + 1),
        Library::IsDigit => truth(ctx, which, call, x, small(u64::from(b'0'), 10)),
        Library::IsAscii => truth(ctx, which, call, x, small(0, 128)),
        _ => call.number(x.bits() & 0x7f),
    }
}

/// Zero if false, an unspecified nonzero number if true.
fn truth(ctx: &mut Ctx<'_, '_>, which: Library, call: Call<'_>, x: Int, is_true: bool) -> Val {
    call.number(if is_true { strings::nonzero(ctx, call, (which, vec![Val::int(x)], 0)) } else { 0 })
}
