//! Library functions on strings and memory, encoded byte by byte as the interpreter runs them.
//!
//! Each function scans bytes until one ends it. Runs that need more bytes than the bound on iterations allows are cut
//! off, like runs with more iterations of a loop; bytes with known values do not count. All bytes that a function needs
//! must be readable. Where a byte decides how a string function continues, its undef bits must not matter. A comparison
//! yields only the sign of its result, or only whether there is a difference; the rest of the result is a choice.

use crate::encode::bulk::{Length, MemoryOperand};
use crate::encode::function::{Encoded, Encoder};
use crate::encode::memory::MANY_BYTES;
use crate::encode::pointer::{block_of, offset_of};
use crate::encode::value::{Scalar, Sym};
use crate::encode::world::{OFFSET_BITS, POINTER_BITS};
use crate::term::{Bits, Term};
use backedge_ir::attr::FlagAttr;
use backedge_ir::entity::{FuncId, Inst};
use backedge_ir::inst::{CallView, Value};
use backedge_ir::meaning::library::Library;
use backedge_ir::types::Type;

/// Maximum number of iterations, whatever the bound: each byte is a read of memory, and calls multiply them.
const MOST_ITERATIONS: u32 = 16;
/// A known length up to this number of bytes is scanned completely, because no path is then cut.
const SHORT: u64 = 64;

/// Width in bits of the difference of two bytes.
const DIFFERENCE_BITS: u32 = 9;

/// A call of a library function: operands, their values under their attributes, and the width of the result in bits.
pub(super) struct LibraryCall<'v> {
    pub(super) which: Library,
    operands: &'v [Value],
    pub(super) args: Vec<Sym>,
    pub(super) width: u32,
}

/// An exit of a scan: the condition, for runs that reach it, and the result.
type Exit = (Term, Scalar);

impl Encoder<'_, '_> {
    /// The result of a function on strings or memory; `None` if it returns no value.
    pub(super) fn string_function(
        &mut self,
        which: Library,
        inst: Inst,
        func: Option<FuncId>,
        view: CallView<'_>,
    ) -> Encoded<Option<Sym>> {
        self.check_stated(which, func, view)?;
        let args = self.arguments(func, view)?;
        let width = self.body.inst(inst).ty.int_bits().unwrap_or(POINTER_BITS);
        let call = LibraryCall { which, operands: view.args(), args, width };
        let result = if which.writes_bytes() { self.change(&call)? } else { Some(self.look(&call)?) };
        let Some(result) = result else { return Ok(None) };
        let at_callee = func.and_then(|f| self.returned_of(&self.module.env.funcs[f].param_attrs));
        if let Some(i) = self.returned_of(&view.info.arg_attrs).or(at_callee)
            && call.args.get(i) != Some(&result)
        {
            return Err(self.unsupported("`returned` of an argument that a library function does not return"));
        }
        self.constrained_result(inst, func, view, result).map(Some)
    }
    /// An error if attributes contradict the function's behavior.
    fn check_stated(&self, which: Library, func: Option<FuncId>, view: CallView<'_>) -> Encoded<()> {
        let env = &self.module.env;
        let effects = self.effects(func, view);
        let memory = effects.memory.argmem;
        let reads = memory.reads || matches!(which, Library::MemSet | Library::Bzero);
        let writes = memory.writes || !which.writes_bytes();
        let lists = [Some(&view.info.ret_attrs), func.map(|f| &env.funcs[f].ret_attrs)];
        let is_new = lists.iter().flatten().any(|list| env.has_attr(list, FlagAttr::NoAlias));
        if reads && writes && !effects.no_return && !is_new {
            return Ok(());
        }
        Err(self.unsupported("a library function whose attributes contradict its behavior"))
    }

    /// Functions that only read memory.
    fn look(&mut self, call: &LibraryCall<'_>) -> Encoded<Sym> {
        let result = match call.which {
            Library::StrLen | Library::WcsLen2 | Library::WcsLen4 => self.string_length(call, None)?,
            Library::StrNLen => {
                let limit = self.defined_size(call, 1)?;
                self.string_length(call, Some(limit))?
            }
            Library::MemCmp | Library::Bcmp => {
                let difference = self.compare_bytes(call)?;
                self.compared(difference, call)?
            }
            Library::StrCmp => {
                let difference = self.compare_strings(call, None)?;
                self.compared(difference, call)?
            }
            Library::StrNCmp => {
                let limit = self.defined_size(call, 2)?;
                let difference = self.compare_strings(call, Some(limit))?;
                self.compared(difference, call)?
            }
            Library::MemChr => self.find_byte(call)?,
            _ => self.find_in_string(call, call.which == Library::StrRChr)?,
        };
        Ok(result.into())
    }
    /// Functions that write memory; they return a pointer or nothing.
    fn change(&mut self, call: &LibraryCall<'_>) -> Encoded<Option<Sym>> {
        let to = self.library_place(call, 0)?;
        match call.which {
            Library::MemCpy | Library::MemMove | Library::MemPCpy => {
                let from = self.library_place(call, 1)?;
                let length = self.library_scalar(call, 2)?;
                let length = self.length(length)?;
                self.copy_bytes(to, from, length, call.which == Library::MemMove)?;
                if call.which != Library::MemPCpy {
                    return Ok(Some(to.pointer.into()));
                }
                self.must_be_defined(to.pointer);
                Ok(Some(self.advanced(to.pointer, length.bytes).into()))
            }
            Library::MemSet | Library::Bzero => {
                let fills = call.which == Library::MemSet;
                let value = if fills {
                    let value = self.library_scalar(call, 1)?;
                    let terms = &mut self.w.terms;
                    let [bits, undef] = [value.bits, value.undef].map(|term| terms.truncate(term, 8));
                    Scalar { bits, undef, ..value }
                } else {
                    let zero = self.w.terms.number(8, 0);
                    Scalar::defined(&mut self.w.terms, zero)
                };
                let length = self.library_scalar(call, if fills { 2 } else { 1 })?;
                let length = self.length(length)?;
                self.fill(to, &value.into(), length)?;
                Ok(fills.then_some(to.pointer.into()))
            }
            _ => self.copy_string(call, to).map(Some),
        }
    }
    fn copy_string(&mut self, call: &LibraryCall<'_>, to: MemoryOperand) -> Encoded<Sym> {
        let from = self.library_place(call, 1)?;
        self.must_be_defined(to.pointer);
        self.must_be_defined(from.pointer);
        let mut end = to;
        if call.which == Library::StrCat {
            let (skip, _) = self.length_of(to, 1, None)?;
            end.pointer = self.advanced(to.pointer, skip);
        }
        let (length, steps) = self.length_of(from, 1, None)?;
        let terms = &mut self.w.terms;
        let one = terms.number(OFFSET_BITS, 1);
        let bytes = terms.add(length, one);
        let known = terms.as_bits(bytes).and_then(Bits::to_u128);
        let most = known.map_or(steps, |known| known as u64);
        self.copy_bytes(end, from, Length { bytes, most }, false)?;
        let result =
            if call.which == Library::StpCpy { self.advanced(to.pointer, length) } else { to.pointer };
        Ok(result.into())
    }

    fn library_scalar(&mut self, call: &LibraryCall<'_>, arg: usize) -> Encoded<Scalar> {
        match call.args.get(arg) {
            Some(Sym::Scalar(scalar)) => Ok(*scalar),
            Some(Sym::List(_)) | None => Err(self.unsupported("a library function without an argument")),
        }
    }
    fn library_place(&mut self, call: &LibraryCall<'_>, arg: usize) -> Encoded<MemoryOperand> {
        Ok(MemoryOperand { operand: call.operands[arg], pointer: self.library_scalar(call, arg)?, align: 1 })
    }
    /// A number of bytes, which must be defined.
    fn defined_size(&mut self, call: &LibraryCall<'_>, arg: usize) -> Encoded<Term> {
        let size = self.library_scalar(call, arg)?;
        Ok(self.defined_length(size))
    }
    fn must_be_defined(&mut self, value: Scalar) {
        let undef = value.has_undef(&mut self.w.terms);
        let bad = self.w.terms.or(value.poison, undef);
        self.ub(bad);
    }
    /// The character searched for.
    fn wanted(&mut self, call: &LibraryCall<'_>) -> Encoded<Scalar> {
        let wanted = self.library_scalar(call, 1)?;
        self.ub(wanted.poison);
        let terms = &mut self.w.terms;
        let [bits, undef] = [wanted.bits, wanted.undef].map(|term| terms.truncate(term, 8));
        Ok(Scalar { bits, undef, ..wanted })
    }
    /// `pointer` plus `by` bytes.
    fn advanced(&mut self, pointer: Scalar, by: Term) -> Scalar {
        let (block, offset) =
            (block_of(&mut self.w.terms, pointer.bits), offset_of(&mut self.w.terms, pointer.bits));
        let offset = self.w.terms.add(offset, by);
        let offset = self.w.wrapped_offset(offset);
        Scalar { bits: self.w.terms.concat(block, offset), ..pointer }
    }
    fn advanced_by(&mut self, pointer: Scalar, by: u64) -> Scalar {
        let by = self.w.terms.number(OFFSET_BITS, by.into());
        self.advanced(pointer, by)
    }
    /// Character number `at` from `place`, with `size` bytes per character. A poison character that decides the control
    /// flow is UB.
    fn character(&mut self, place: MemoryOperand, at: u64, size: u64) -> Encoded<Scalar> {
        let here = self.advanced_by(place.pointer, at * size);
        let bytes = self.w.terms.number(OFFSET_BITS, size.into());
        let alive = self.check_access(here, bytes, place.align, false);
        let seen = self.check_allowed(place.operand, here.bits, false)?;
        let visible = self.w.terms.and(alive, seen);
        let hidden = self.w.terms.not(visible);
        self.ub(hidden);
        let bytes: Vec<Term> = (0..size).map(|i| self.read_byte(here.bits, i)).collect();
        let Sym::Scalar(character) = self.of_bytes(Type::int(8 * size as u32), &bytes)? else {
            return Err(self.unsupported("an aggregate in place of a character"));
        };
        self.ub(character.poison);
        Ok(character)
    }
    /// Whether two characters are equal. Where `asked`, the result decides how the function continues, so undef bits
    /// that matter are UB, as in a branch on the comparison.
    fn equal(&mut self, a: Scalar, b: Scalar, asked: Term) -> Term {
        let terms = &mut self.w.terms;
        let open = terms.bv_or(a.undef, b.undef);
        let (unlike, known) = (terms.bv_xor(a.bits, b.bits), terms.bv_not(open));
        let unlike = terms.bv_and(unlike, known);
        let (differ, open) = (terms.is_nonzero(unlike), terms.is_nonzero(open));
        let same = terms.not(differ);
        let undecided = [asked, same, open].into_iter().reduce(|a, b| terms.and(a, b)).unwrap_or(open);
        self.ub(undecided);
        same
    }
    /// Whether a character terminates a string.
    fn is_end(&mut self, character: Scalar, asked: Term) -> Term {
        let zero = self.w.terms.number(self.w.terms.width(character.bits), 0);
        let zero = Scalar::defined(&mut self.w.terms, zero);
        self.equal(character, zero, asked)
    }
    /// The readable byte at offset `at` from `pointer`; poison unless `visible` holds.
    fn byte_of(&mut self, pointer: Scalar, at: u64, visible: Term) -> Encoded<Scalar> {
        let here = self.advanced_by(pointer, at);
        let byte = self.read_byte(here.bits, 0);
        let Sym::Scalar(byte) = self.of_bytes(Type::I8, &[byte])? else {
            return Err(self.unsupported("an aggregate in place of a byte"));
        };
        let hidden = self.w.terms.not(visible);
        Ok(byte.or_poison(&mut self.w.terms, hidden))
    }

    /// The result of a function that scans bytes one by one, and the maximum number of bytes scanned. `step` examines
    /// the byte with a given index and returns the exits there. At the limit, if there is one, the function ends
    /// without another byte.
    fn scan(
        &mut self,
        limit: Option<(Term, Scalar)>,
        mut step: impl FnMut(&mut Self, u64) -> Encoded<Vec<Exit>>,
    ) -> Encoded<(Scalar, u64)> {
        let bound = self.ends.bound.min(MOST_ITERATIONS);
        let known = limit.and_then(|(limit, _)| self.w.terms.as_bits(limit)?.to_u128());
        let short = known.filter(|known| *known <= SHORT.into()).unwrap_or_default() as u64;
        // A loop that takes `bound` backedges examines one byte more.
        let allowed = (u64::from(bound) + 1).max(short);
        let (mut exits, mut paths): (Vec<Exit>, Vec<Term>) = (Vec::new(), Vec::new());
        let (mut at, mut open) = (0, 0);
        loop {
            self.within_limits()?;
            let mut found: Vec<Exit> = Vec::new();
            if let Some((limit, result)) = limit {
                let number = self.w.terms.number(OFFSET_BITS, at.into());
                let reached = self.w.terms.eq(limit, number);
                self.leave_scan((reached, result), (&mut exits, &mut paths));
                found.push((reached, result));
            }
            if self.w.terms.as_bool(self.path) == Some(false) && !exits.is_empty() {
                break;
            }
            if open >= allowed || at >= MANY_BYTES {
                let rest = self.w.terms.bool(true);
                self.cut_where(rest);
                self.ends.bound = bound;
                break;
            }
            for exit in step(self, at)? {
                self.leave_scan(exit, (&mut exits, &mut paths));
                found.push(exit);
            }
            at += 1;
            open += u64::from(found.iter().any(|(when, _)| self.w.terms.as_bool(*when).is_none()));
            if self.w.terms.as_bool(self.path) == Some(false) && !exits.is_empty() {
                break;
            }
        }
        self.path = self.w.terms.or_all(paths);
        let terms = &mut self.w.terms;
        let result = exits
            .into_iter()
            .rev()
            .reduce(|rest, (when, result)| (when, Scalar::ite(terms, when, result, rest.1)));
        let (_, result) = result.ok_or_else(|| self.unsupported("a string without an end"))?;
        Ok((result, at))
    }
    /// Leaves a scan where the condition of the exit holds.
    fn leave_scan(&mut self, exit: Exit, (exits, paths): (&mut Vec<Exit>, &mut Vec<Term>)) {
        let (when, _) = exit;
        if self.w.terms.as_bool(when) == Some(false) {
            return;
        }
        paths.push(self.w.terms.and(self.path, when));
        exits.push(exit);
        let on = self.w.terms.not(when);
        self.path = self.w.terms.and(self.path, on);
    }

    /// Number of characters before the first zero, at most `limit`, in the width of the result.
    fn string_length(&mut self, call: &LibraryCall<'_>, limit: Option<Term>) -> Encoded<Scalar> {
        let place = self.library_place(call, 0)?;
        let (length, _) = self.length_of(place, call.which.character_bytes(), limit)?;
        let length = self.w.terms.zext_or_truncate(length, call.width);
        Ok(Scalar::defined(&mut self.w.terms, length))
    }
    /// The same for characters of `size` bytes, in the width of offsets, with the maximum number of characters
    /// examined.
    fn length_of(&mut self, place: MemoryOperand, size: u64, limit: Option<Term>) -> Encoded<(Term, u64)> {
        let limit = limit.map(|limit| (limit, Scalar::defined(&mut self.w.terms, limit)));
        let (length, steps) = self.scan(limit, |e, at| {
            let character = e.character(place, at, size)?;
            let always = e.w.terms.bool(true);
            let ends = e.is_end(character, always);
            let length = e.w.terms.number(OFFSET_BITS, at.into());
            Ok(vec![(ends, Scalar::defined(&mut e.w.terms, length))])
        })?;
        Ok((length.bits, steps))
    }
    fn find_byte(&mut self, call: &LibraryCall<'_>) -> Encoded<Scalar> {
        let (wanted, limit) = (self.wanted(call)?, self.defined_size(call, 2)?);
        let place = self.library_place(call, 0)?;
        let null = self.null();
        let (found, _) = self.scan(Some((limit, null)), |e, at| {
            let byte = e.character(place, at, 1)?;
            let always = e.w.terms.bool(true);
            let is_it = e.equal(byte, wanted, always);
            Ok(vec![(is_it, e.found(place, at))])
        })?;
        Ok(found)
    }
    /// The first or last occurrence of a character in a string; null if there is none.
    fn find_in_string(&mut self, call: &LibraryCall<'_>, last: bool) -> Encoded<Scalar> {
        let wanted = self.wanted(call)?;
        let place = self.library_place(call, 0)?;
        let null = self.null();
        let mut so_far = null;
        let (found, _) = self.scan(None, |e, at| {
            let byte = e.character(place, at, 1)?;
            let always = e.w.terms.bool(true);
            let is_it = e.equal(byte, wanted, always);
            // At the first occurrence, the search ends before the byte is compared with zero.
            let asked = if last { always } else { e.w.terms.not(is_it) };
            let is_end = e.is_end(byte, asked);
            let here = e.found(place, at);
            if last {
                so_far = Scalar::ite(&mut e.w.terms, is_it, here, so_far);
                return Ok(vec![(is_end, so_far)]);
            }
            Ok(vec![(is_it, here), (is_end, null)])
        })?;
        Ok(found)
    }
    fn null(&mut self) -> Scalar {
        let null = self.w.terms.number(POINTER_BITS, 0);
        Scalar::defined(&mut self.w.terms, null)
    }
    /// The pointer to the byte at offset `at` from `place`, which has been read.
    fn found(&mut self, place: MemoryOperand, at: u64) -> Scalar {
        let here = self.advanced_by(place.pointer, at);
        Scalar::defined(&mut self.w.terms, here.bits)
    }

    /// The difference of the first differing bytes of two ranges; poison if a byte before them is poison.
    fn compare_bytes(&mut self, call: &LibraryCall<'_>) -> Encoded<Scalar> {
        let limit = self.defined_size(call, 2)?;
        let (a, b) = (self.library_place(call, 0)?, self.library_place(call, 1)?);
        // All bytes must be readable, including those after the first difference.
        let alive = [self.check_range(a, limit, false)?, self.check_range(b, limit, false)?];
        let (path, mut hidden) = (self.path, Vec::new());
        let at_limit = (limit, self.no_difference());
        let (difference, _) = self.scan(Some(at_limit), |e, at| {
            let (x, y) = (e.byte_of(a.pointer, at, alive[0])?, e.byte_of(b.pointer, at, alive[1])?);
            hidden.push((at, x.poison, y.poison));
            let (x, y) = (e.used(x), e.used(y));
            let differ = e.w.terms.ne(x.bits, y.bits);
            let poison = e.w.terms.or(x.poison, y.poison);
            let ends = e.w.terms.or(differ, poison);
            Ok(vec![(ends, e.difference(x.bits, y.bits).or_poison(&mut e.w.terms, poison))])
        })?;
        // Poison after the first difference does not make the result poison; LLVM does not follow this rule everywhere.
        let terms = &mut self.w.terms;
        let poison = hidden.into_iter().map(|(at, x, y)| {
            let number = terms.number(OFFSET_BITS, at.into());
            let (within, any) = (terms.ult(number, limit), terms.or(x, y));
            terms.and(within, any)
        });
        let poison: Vec<Term> = poison.collect();
        let poison = terms.or_all(poison);
        let met = terms.and(path, poison);
        self.w.avoided.push(met);
        Ok(difference)
    }
    /// The difference of the first differing bytes of two strings.
    fn compare_strings(&mut self, call: &LibraryCall<'_>, limit: Option<Term>) -> Encoded<Scalar> {
        let (a, b) = (self.library_place(call, 0)?, self.library_place(call, 1)?);
        let limit = limit.map(|limit| (limit, self.no_difference()));
        let (difference, _) = self.scan(limit, |e, at| {
            let (x, y) = (e.character(a, at, 1)?, e.character(b, at, 1)?);
            let always = e.w.terms.bool(true);
            let same = e.equal(x, y, always);
            let (differ, is_end) = (e.w.terms.not(same), e.is_end(x, same));
            let ends = e.w.terms.or(differ, is_end);
            let (x, y) = (e.used(x), e.used(y));
            Ok(vec![(ends, e.difference(x.bits, y.bits))])
        })?;
        Ok(difference)
    }
    fn difference(&mut self, x: Term, y: Term) -> Scalar {
        let terms = &mut self.w.terms;
        let [x, y] = [x, y].map(|byte| terms.zext(byte, DIFFERENCE_BITS));
        let difference = terms.sub(x, y);
        Scalar::defined(terms, difference)
    }
    fn no_difference(&mut self) -> Scalar {
        let none = self.w.terms.number(DIFFERENCE_BITS, 0);
        Scalar::defined(&mut self.w.terms, none)
    }
}
