//! The fast loop: short forms on plain words, edges, plain calls and returns, until an operation needs its full form.
//!
//! It has exactly the effects of the full forms. It stops before an operation that it cannot execute; the full form
//! then finds the same state as if it had executed everything before.

use super::ctx::Ctx;
use super::diverge::Site;
use super::regs::{PLAIN, RARE, Window, pointer_mark, provenance};
use super::run::Runner;
use super::word;
use crate::compile::op::{EdgeId, Op};
use crate::compile::quick::{
    Access, Bin, Cmp, CmpBr, CmpSelect, Float, Gep, GepConst, INBOUNDS, Indexed, NUW, Near, Quick,
};
use crate::memory::Memory;
use crate::memory::recent::Recent;
use crate::outcome::Step;
use crate::trace::Observer;
use crate::value::{Pointer, Prov};

/// Where execution continues after a short form.
enum Flow {
    /// At the next operation.
    Next,
    /// After the next operation: the short form executed both.
    Skip,
    /// With the full form at this place.
    Full,
    /// After an edge, from the branch at this place.
    Edge(EdgeId),
    /// After an edge, from the branch at the next place.
    NextEdge(EdgeId),
    /// After the edge that the switch at this place takes for a value.
    Switch(u64),
    /// In the callee of the call at this place.
    Call,
    /// In the caller, with the value of a register.
    Return(Option<Near>),
}

impl<'p, O: Observer> Runner<'_, 'p, O> {
    /// Runs short forms from `pc` of the topmost frame. Returns the next operation, in the frame that is then
    /// topmost, that needs its full form.
    pub(super) fn quick(&mut self, ctx: &mut Ctx<'_, 'p>, mut pc: usize) -> Step<usize> {
        let Some(top) = self.frames.list.last() else { return Ok(pc) };
        let (mut code, mut base) = (top.code, top.base);
        let Some(mut window) = self.frames.stack.window(base) else { return Ok(pc) };
        let mut recent = Recent::new();
        loop {
            let id = match step(&mut window, ctx.memory, &mut recent, &code.quick[pc]) {
                Flow::Next => {
                    pc += 1;
                    continue;
                }
                Flow::Skip => {
                    pc += 2;
                    continue;
                }
                Flow::Full => return Ok(pc),
                Flow::Edge(id) => id,
                Flow::NextEdge(id) => {
                    pc += 1;
                    id
                }
                Flow::Switch(value) => {
                    let Op::Switch(op) = &code.ops[pc] else { return Ok(pc) };
                    op.edge(value.into())
                }
                Flow::Call => {
                    let Op::Call(op) = &code.ops[pc] else { return Ok(pc) };
                    if !self.frames.plain_call(ctx, op, pc, &mut self.fuel) {
                        return Ok(pc);
                    }
                    (code, base, pc) = (ctx.code, self.frames.stack.top - ctx.code.template.len(), 0);
                    let Some(entered) = self.frames.stack.window(base) else { return Ok(pc) };
                    window = entered;
                    continue;
                }
                Flow::Return(reg) => {
                    let Some((caller, next)) = self.frames.plain_return(ctx, reg) else { return Ok(pc) };
                    (code, base, pc) = (ctx.code, caller, next);
                    let Some(returned) = self.frames.stack.window(base) else { return Ok(pc) };
                    window = returned;
                    continue;
                }
            };
            let edge = &code.edges[id as usize];
            if !edge.near {
                return Ok(pc);
            }
            for &(dst, src) in &code.near_moves[edge.moves.0 as usize..edge.moves.1 as usize] {
                window.copy(dst, src);
            }
            self.fuel.burn(edge.cost.into())?;
            if edge.backward {
                let word = window.words[self.detector.probe as usize];
                if self.detector.is_due(Site::Edge(id), edge.mustprogress, word) {
                    ctx.pc = pc;
                    self.detect(ctx, Site::Edge(id), edge.block)?;
                    let Some(same) = self.frames.stack.window(base) else { return Ok(pc) };
                    window = same;
                }
            }
            pc = edge.target as usize;
        }
    }
}

/// Executes one short form.
#[inline(always)]
#[expect(clippy::too_many_lines, reason = "one arm for each short form")]
fn step(w: &mut Window<'_>, memory: &mut Memory, recent: &mut Recent, quick: &Quick) -> Flow {
    match quick {
        Quick::Full => Flow::Full,
        Quick::Add(r) => binary(w, r, |x, y| Some(word::cut(x.wrapping_add(y), r.drop))),
        Quick::AddFlags(r) => binary(w, r, |x, y| word::add_flags(x, y, r.drop, r.flags)),
        Quick::Sub(r) => binary(w, r, |x, y| Some(word::cut(x.wrapping_sub(y), r.drop))),
        Quick::SubFlags(r) => binary(w, r, |x, y| word::sub_flags(x, y, r.drop, r.flags)),
        Quick::Mul(r) => binary(w, r, |x, y| Some(word::cut(x.wrapping_mul(y), r.drop))),
        Quick::MulFlags(r) => binary(w, r, |x, y| word::mul_flags(x, y, r.drop, r.flags)),
        Quick::Shl(r) => binary(w, r, |x, y| word::shl(x, y, r.drop)),
        Quick::ShlFlags(r) => binary(w, r, |x, y| word::shl_flags(x, y, r.drop, r.flags)),
        Quick::LShr(r) => binary(w, r, |x, y| word::lshr(x, y, r.drop, false)),
        Quick::LShrExact(r) => binary(w, r, |x, y| word::lshr(x, y, r.drop, true)),
        Quick::AShr(r) => binary(w, r, |x, y| word::ashr(x, y, r.drop, false)),
        Quick::AShrExact(r) => binary(w, r, |x, y| word::ashr(x, y, r.drop, true)),
        Quick::And(r) => binary(w, r, |x, y| Some(x & y)),
        Quick::Or(r) => binary(w, r, |x, y| Some(x | y)),
        Quick::OrDisjoint(r) => binary(w, r, |x, y| (x & y == 0).then_some(x | y)),
        Quick::Xor(r) => binary(w, r, |x, y| Some(x ^ y)),
        Quick::UDiv(r) => binary(w, r, u64::checked_div),
        Quick::SDiv(r) => binary(w, r, |x, y| word::sdiv(x, y, r.drop)),
        Quick::URem(r) => binary(w, r, u64::checked_rem),
        Quick::SRem(r) => binary(w, r, |x, y| word::srem(x, y, r.drop)),
        Quick::FAdd(r) => float(w, r, |x, y| x + y, |x, y| x + y),
        Quick::FSub(r) => float(w, r, |x, y| x - y, |x, y| x - y),
        Quick::FMul(r) => float(w, r, |x, y| x * y, |x, y| x * y),
        Quick::FDiv(r) => float(w, r, |x, y| x / y, |x, y| x / y),
        Quick::UMin(r) => binary(w, r, |x, y| Some(x.min(y))),
        Quick::UMax(r) => binary(w, r, |x, y| Some(x.max(y))),
        Quick::SMin(r) => binary(w, r, |x, y| Some(if signed_less(x, y, r.drop) { x } else { y })),
        Quick::SMax(r) => binary(w, r, |x, y| Some(if signed_less(x, y, r.drop) { y } else { x })),
        Quick::Eq(c) => compare(w, c, equal),
        Quick::Ult(c) => compare(w, c, less),
        Quick::Slt(c) => compare(w, c, signed_less),
        Quick::EqBr(b) => compare_and_branch(w, b, equal),
        Quick::UltBr(b) => compare_and_branch(w, b, less),
        Quick::SltBr(b) => compare_and_branch(w, b, signed_less),
        Quick::EqSelect(s) => compare_and_select(w, s, equal),
        Quick::UltSelect(s) => compare_and_select(w, s, less),
        Quick::SltSelect(s) => compare_and_select(w, s, signed_less),
        Quick::Copy { dst, a } => unary(w, *dst, *a, |x| x),
        Quick::Trunc { dst, a, drop } => unary(w, *dst, *a, |x| word::cut(x, *drop)),
        Quick::SExt { dst, a, from_drop, to_drop } => {
            unary(w, *dst, *a, |x| word::cut(word::signed(x, *from_drop) as u64, *to_drop))
        }
        Quick::Select { dst, cond, a, b } => {
            if w.marks[*cond as usize] != PLAIN {
                return Flow::Full;
            }
            let chosen = if w.words[*cond as usize] != 0 { *a } else { *b };
            w.copy(*dst, chosen);
            Flow::Next
        }
        Quick::Gep(g) => match address(w, memory, recent, g) {
            Some(_) => Flow::Next,
            None => Flow::Full,
        },
        Quick::GepConst(g) => address_const(w, memory, recent, g),
        Quick::Load8(a) => load::<1>(w, memory, recent, a),
        Quick::Load16(a) => load::<2>(w, memory, recent, a),
        Quick::Load32(a) => load::<4>(w, memory, recent, a),
        Quick::Load64(a) => load::<8>(w, memory, recent, a),
        Quick::LoadPtr(a) => load_ptr(w, memory, recent, a),
        Quick::StorePtr(a) => store_ptr(w, memory, recent, a),
        Quick::Store8(a) => store::<1>(w, memory, recent, a),
        Quick::Store16(a) => store::<2>(w, memory, recent, a),
        Quick::Store32(a) => store::<4>(w, memory, recent, a),
        Quick::Store64(a) => store::<8>(w, memory, recent, a),
        Quick::LoadAt8(i) => load_at::<1>(w, memory, recent, i),
        Quick::LoadAt32(i) => load_at::<4>(w, memory, recent, i),
        Quick::LoadAt64(i) => load_at::<8>(w, memory, recent, i),
        Quick::StoreAt8(i) => store_at::<1>(w, memory, recent, i),
        Quick::StoreAt32(i) => store_at::<4>(w, memory, recent, i),
        Quick::StoreAt64(i) => store_at::<8>(w, memory, recent, i),
        Quick::Br(edge) => Flow::Edge(*edge),
        Quick::CondBr { cond, edge } => {
            if w.marks[*cond as usize] != PLAIN {
                return Flow::Full;
            }
            Flow::Edge(edge + u32::from(w.words[*cond as usize] == 0))
        }
        Quick::Switch(value) => {
            if w.marks[*value as usize] != PLAIN {
                return Flow::Full;
            }
            Flow::Switch(w.words[*value as usize])
        }
        Quick::Call => Flow::Call,
        Quick::Ret(reg) => Flow::Return(Some(*reg)),
        Quick::RetVoid => Flow::Return(None),
    }
}

#[inline(always)]
fn set(w: &mut Window<'_>, dst: Near, word: u64) {
    w.words[dst as usize] = word;
    w.marks[dst as usize] = PLAIN;
}

#[inline(always)]
fn unary(w: &mut Window<'_>, dst: Near, a: Near, result: impl FnOnce(u64) -> u64) -> Flow {
    if w.marks[a as usize] != PLAIN {
        return Flow::Full;
    }
    let x = w.words[a as usize];
    set(w, dst, result(x));
    Flow::Next
}

#[inline(always)]
fn binary(w: &mut Window<'_>, r: &Bin, result: impl FnOnce(u64, u64) -> Option<u64>) -> Flow {
    if w.marks[r.a as usize] | w.marks[r.b as usize] != PLAIN {
        return Flow::Full;
    }
    match result(w.words[r.a as usize], w.words[r.b as usize]) {
        Some(word) => {
            set(w, r.dst, word);
            Flow::Next
        }
        None => Flow::Full,
    }
}

/// Floating-point arithmetic without flags; a NaN result needs the full form.
#[inline(always)]
fn float(
    w: &mut Window<'_>,
    r: &Float,
    single: impl FnOnce(f32, f32) -> f32,
    double: impl FnOnce(f64, f64) -> f64,
) -> Flow {
    if w.marks[r.a as usize] | w.marks[r.b as usize] != PLAIN {
        return Flow::Full;
    }
    let (x, y) = (w.words[r.a as usize], w.words[r.b as usize]);
    let (bits, is_nan) = if r.double {
        let result = double(f64::from_bits(x), f64::from_bits(y));
        (result.to_bits(), result.is_nan())
    } else {
        let result = single(f32::from_bits(x as u32), f32::from_bits(y as u32));
        (result.to_bits().into(), result.is_nan())
    };
    if is_nan {
        return Flow::Full;
    }
    set(w, r.dst, bits);
    Flow::Next
}

fn equal(x: u64, y: u64, _: u8) -> bool {
    x == y
}

fn less(x: u64, y: u64, _: u8) -> bool {
    x < y
}

fn signed_less(x: u64, y: u64, drop: u8) -> bool {
    ((x << drop) as i64) < (y << drop) as i64
}

/// The result of a comparison; `None` if an operand is not fully defined, or if comparing two addresses would reveal
/// the placement of objects.
#[inline(always)]
fn holds(w: &Window<'_>, c: &Cmp, test: impl FnOnce(u64, u64, u8) -> bool) -> Option<bool> {
    let (mark, other) = (w.marks[c.a as usize], w.marks[c.b as usize]);
    if mark | other != PLAIN && !is_same_object(mark, other) {
        return None;
    }
    Some(test(w.words[c.a as usize], w.words[c.b as usize], c.drop) != c.negate)
}

#[inline(always)]
fn is_same_object(mark: u32, other: u32) -> bool {
    mark == other && provenance(mark).is_some_and(|p| p != Prov::WILDCARD)
}

#[inline(always)]
fn compare(w: &mut Window<'_>, c: &Cmp, test: impl FnOnce(u64, u64, u8) -> bool) -> Flow {
    match holds(w, c, test) {
        Some(holds) => {
            set(w, c.dst, holds.into());
            Flow::Next
        }
        None => Flow::Full,
    }
}

#[inline(always)]
fn compare_and_branch(w: &mut Window<'_>, b: &CmpBr, test: impl FnOnce(u64, u64, u8) -> bool) -> Flow {
    match holds(w, &b.cmp, test) {
        Some(holds) => {
            set(w, b.cmp.dst, holds.into());
            Flow::NextEdge(b.edge + u32::from(!holds))
        }
        None => Flow::Full,
    }
}

#[inline(always)]
fn compare_and_select(w: &mut Window<'_>, s: &CmpSelect, test: impl FnOnce(u64, u64, u8) -> bool) -> Flow {
    match holds(w, &s.cmp, test) {
        Some(holds) => {
            w.copy(s.cmp.dst, if holds { s.if_true } else { s.if_false });
            Flow::Skip
        }
        None => Flow::Full,
    }
}

/// Computes an address and returns the pointer.
#[inline(always)]
fn address(w: &mut Window<'_>, memory: &Memory, recent: &mut Recent, g: &Gep) -> Option<Pointer> {
    let (base, mark) = (w.words[g.base as usize], w.marks[g.base as usize]);
    let prov = provenance(mark)?;
    if w.marks[g.index as usize] != PLAIN {
        return None;
    }
    let offset = word::signed(w.words[g.index as usize], g.drop).checked_mul(g.scale.into())?;
    let addr = base.wrapping_add_signed(offset);
    if g.flags & NUW != 0 && (offset < 0 || addr < base) {
        return None;
    }
    if g.flags & INBOUNDS != 0 && offset != 0 && !recent.holds(memory, prov, base, addr) {
        return None;
    }
    w.words[g.dst as usize] = addr;
    w.marks[g.dst as usize] = mark;
    Some(Pointer { addr, prov })
}

#[inline(always)]
fn address_const(w: &mut Window<'_>, memory: &Memory, recent: &mut Recent, g: &GepConst) -> Flow {
    let (base, mark) = (w.words[g.base as usize], w.marks[g.base as usize]);
    let Some(prov) = provenance(mark) else { return Flow::Full };
    let addr = base.wrapping_add(g.offset.into());
    if g.flags & NUW != 0 && addr < base
        || g.flags & INBOUNDS != 0 && g.offset != 0 && !recent.holds(memory, prov, base, addr)
    {
        return Flow::Full;
    }
    w.words[g.dst as usize] = addr;
    w.marks[g.dst as usize] = mark;
    Flow::Next
}

#[inline(always)]
fn load<const N: usize>(w: &mut Window<'_>, memory: &Memory, recent: &mut Recent, a: &Access) -> Flow {
    let Some(prov) = provenance(w.marks[a.ptr as usize]) else { return Flow::Full };
    match recent.load::<N>(memory, Pointer { addr: w.words[a.ptr as usize], prov }, a.align_log2) {
        Some(word) => {
            set(w, a.val, word);
            Flow::Next
        }
        None => Flow::Full,
    }
}

#[inline(always)]
fn store<const N: usize>(w: &mut Window<'_>, memory: &mut Memory, recent: &mut Recent, a: &Access) -> Flow {
    let Some(prov) = provenance(w.marks[a.ptr as usize]) else { return Flow::Full };
    let (word, mark) = (w.words[a.val as usize], w.marks[a.val as usize]);
    if mark == PLAIN
        && recent.store::<N>(memory, Pointer { addr: w.words[a.ptr as usize], prov }, a.align_log2, word)
    {
        Flow::Next
    } else {
        Flow::Full
    }
}

#[inline(always)]
fn load_ptr(w: &mut Window<'_>, memory: &Memory, recent: &mut Recent, a: &Access) -> Flow {
    let Some(prov) = provenance(w.marks[a.ptr as usize]) else { return Flow::Full };
    match recent.load_ptr(memory, Pointer { addr: w.words[a.ptr as usize], prov }, a.align_log2) {
        Some(Pointer { addr, prov }) => {
            w.words[a.val as usize] = addr;
            w.marks[a.val as usize] = pointer_mark(prov);
            Flow::Next
        }
        None => Flow::Full,
    }
}

#[inline(always)]
fn store_ptr(w: &mut Window<'_>, memory: &mut Memory, recent: &mut Recent, a: &Access) -> Flow {
    let (Some(prov), Some(value)) =
        (provenance(w.marks[a.ptr as usize]), provenance(w.marks[a.val as usize]))
    else {
        return Flow::Full;
    };
    let at = Pointer { addr: w.words[a.ptr as usize], prov };
    let value = Pointer { addr: w.words[a.val as usize], prov: value };
    if recent.store_ptr(memory, at, a.align_log2, value) { Flow::Next } else { Flow::Full }
}

#[inline(always)]
fn load_at<const N: usize>(w: &mut Window<'_>, memory: &Memory, recent: &mut Recent, i: &Indexed) -> Flow {
    let Some(pointer) = address(w, memory, recent, &i.gep) else { return Flow::Full };
    match recent.load::<N>(memory, pointer, i.align_log2) {
        Some(word) => {
            set(w, i.val, word);
            Flow::Skip
        }
        // The address is already computed; the full form recomputes the same one.
        None => Flow::Full,
    }
}

#[inline(always)]
fn store_at<const N: usize>(
    w: &mut Window<'_>,
    memory: &mut Memory,
    recent: &mut Recent,
    i: &Indexed,
) -> Flow {
    let Some(pointer) = address(w, memory, recent, &i.gep) else { return Flow::Full };
    let (word, mark) = (w.words[i.val as usize], w.marks[i.val as usize]);
    if mark == PLAIN && recent.store::<N>(memory, pointer, i.align_log2, word) {
        Flow::Skip
    } else {
        Flow::Full
    }
}

impl Window<'_> {
    #[inline(always)]
    fn copy(&mut self, dst: Near, src: Near) {
        let mark = self.marks[src as usize];
        self.words[dst as usize] = self.words[src as usize];
        self.marks[dst as usize] = mark;
        if mark == RARE {
            self.copy_rare(dst.into(), src.into());
        }
    }
}
