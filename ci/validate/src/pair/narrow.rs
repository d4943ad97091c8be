//! Narrows the integers of a pair: the same program with `i32` read as `i4`, for example. A failure among all inputs of
//! the copy is only a hint at a failure at full width: constants are mapped as far as that is meaningful, and arguments
//! about a 4-bit counter need not carry over.
//!
//! The printed text is rewritten and parsed again. Types keep their proportions, `i1` stays. Constants that fit stay
//! too; powers of two and their neighbors keep their position relative to the width, and shift amounts their fraction
//! of it. Code with memory accesses, floats, vectors or aggregates is not narrowed, nor are calls of library functions,
//! whose types are fixed.

use super::Side;
use super::extracted::Extracted;
use super::token::token_length;
use backedge_ir::entity::Inst;
use backedge_ir::inst::{CastOp, InstKind};
use backedge_ir::meaning::library::called;
use backedge_ir::types::Type;
use std::collections::BTreeSet;

/// First characters of names.
const SIGILS: &[char] = &['%', '@', '!', '#', '$'];

/// A narrower copy of a pair.
#[derive(Debug)]
pub(crate) struct Narrow {
    pub(crate) pair: Extracted,
    /// Whether the copy's constants have the meaning of the pair's: they fit, or are the ends of the range; and shift
    /// amounts are equally close to the width or to zero.
    pub(crate) is_alike: bool,
}

/// The pair with its widest parameter at `width` bits; `None` if it cannot be narrowed.
pub(crate) fn narrowed(source: Side<'_>, target: Side<'_>, width: u32) -> Option<Narrow> {
    let scale = Scale { from: widest(source)?, to: width };
    if scale.from <= width || ![source, target].into_iter().all(is_scalar) {
        return None;
    }
    let pair = Extracted::new(source, target).ok()?;
    let mut texts = Vec::new();
    let mut is_alike = true;
    for text in pair.texts() {
        let rewritten = rewritten(text, scale)?;
        is_alike &= rewritten.is_alike;
        texts.push(rewritten.text);
    }
    let texts: [String; 2] = texts.try_into().ok()?;
    let pair = Extracted::from_texts(texts, [source.name(), target.name()]).ok()?;
    Some(Narrow { pair, is_alike })
}

/// The width of the widest parameter.
pub(crate) fn widest(side: Side<'_>) -> Option<u32> {
    let env = &side.module.env;
    let (_, params, vararg) = env.types.signature(env.funcs[side.func].ty)?;
    let widths = params.iter().map(|ty| ty.int_bits()).collect::<Option<Vec<u32>>>()?;
    widths.into_iter().max().filter(|w| !vararg && *w <= 64)
}

/// Whether the body computes only with integers.
fn is_scalar(side: Side<'_>) -> bool {
    let Some(body) = side.module.body(side.func) else { return false };
    let scalar = |ty: Type| ty == Type::VOID || ty.int_bits().is_some();
    body.all_insts().all(|inst: Inst| {
        let data = body.inst(inst);
        let fits = match &data.kind {
            InstKind::Ret
            | InstKind::Br
            | InstKind::CondBr
            | InstKind::Switch
            | InstKind::Unreachable
            | InstKind::Binary(..)
            | InstKind::ICmp { .. }
            | InstKind::Select(_)
            | InstKind::Phi(_)
            | InstKind::Freeze
            | InstKind::DebugRecord(_)
            | InstKind::Call(_) => true,
            InstKind::Cast(op, _) => matches!(op, CastOp::Trunc | CastOp::ZExt | CastOp::SExt),
            _ => false,
        };
        // The last operand of a call, the callee, is a pointer.
        let operands = data.call().map_or(&data.operands[..], |call| call.args());
        let is_library = || called(side.module, side.func, body, inst).is_some();
        fits && !is_library() && scalar(data.ty) && operands.iter().all(|v| scalar(body.ty(*v)))
    })
}

/// Source and target widths of the mapping.
#[derive(Copy, Clone)]
struct Scale {
    from: u32,
    to: u32,
}

impl Scale {
    fn width(self, width: u32) -> Option<u32> {
        if width == 1 {
            return Some(1);
        }
        let scaled = width * self.to;
        (scaled.is_multiple_of(self.from) && scaled / self.from >= 2).then_some(scaled / self.from)
    }
    /// Maps a constant of that width; `shift` marks a shift amount.
    fn constant(self, value: i128, width: u32, shift: bool) -> Option<i128> {
        let narrow = self.width(width)?;
        if shift {
            let scaled = value * i128::from(narrow) / i128::from(width);
            return Some(if (0..=2).contains(&value) { value } else { scaled.max(1) });
        }
        let half = 1i128 << (narrow - 1);
        if (-half..half).contains(&value) {
            return Some(value);
        }
        // Powers of two of wider types do not fit in `i128`.
        if width > 126 {
            return None;
        }
        let (all, bits) = (1i128 << width, value.rem_euclid(1i128 << width));
        let near = (0..=width).flat_map(|k| (-2..=2).map(move |d: i128| (k, d)));
        let (k, d) = near.into_iter().find(|(k, d)| ((1i128 << k) + d).rem_euclid(all) == bits)?;
        let scaled = ((1i128 << (k * narrow / width)) + d).rem_euclid(1 << narrow);
        Some(if scaled < half { scaled } else { scaled - (1 << narrow) })
    }
    /// Whether such a constant has the same role after narrowing.
    fn is_alike(self, value: i128, width: u32, shift: bool) -> bool {
        let Some(narrow) = self.width(width) else { return false };
        if shift {
            return (0..=2).contains(&value) || value + 1 == i128::from(width);
        }
        let half = |width: u32| 1i128 << (width - 1);
        let fits = (-half(narrow)..half(narrow)).contains(&value);
        fits || (-2..=2).any(|d| [half(width) + d, d - half(width)].contains(&value))
    }
}

/// A text with all integers mapped.
#[derive(PartialEq, Eq, Debug)]
struct Rewritten {
    text: String,
    /// [`Narrow::is_alike`].
    is_alike: bool,
}

/// The text with all integers mapped.
fn rewritten(text: &str, scale: Scale) -> Option<Rewritten> {
    let mut out = Rewritten { text: String::with_capacity(text.len()), is_alike: true };
    for line in text.lines() {
        // Attribute groups and metadata contain no values.
        if line.starts_with(['!', ';']) || line.starts_with("attributes") || line.starts_with("target") {
            out.text.push_str(line);
        } else {
            rewrite_line(line, scale, &mut out)?;
        }
        out.text.push('\n');
    }
    Some(out)
}

fn rewrite_line(line: &str, scale: Scale, out: &mut Rewritten) -> Option<()> {
    let shifts: BTreeSet<&str> = ["shl", "lshr", "ashr"].into();
    let (mut width, mut shift) = (None, false);
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let len = token_length(rest, first, SIGILS);
        let (word, after) = rest.split_at(len);
        rest = after;
        if first == ';' {
            break;
        }
        if let Some(bits) = int_type(word) {
            width = Some(bits);
            out.text.push_str(&format!("i{}", scale.width(bits)?));
        } else if let (Ok(value), Some(bits)) = (word.parse::<i128>(), width) {
            out.text.push_str(&scale.constant(value, bits, shift)?.to_string());
            out.is_alike &= scale.is_alike(value, bits, shift);
        } else if let Some(name) = word.strip_prefix("@llvm.") {
            let parts: Option<Vec<String>> = name
                .split('.')
                .map(|part| {
                    int_type(part).map_or(Some(part.to_owned()), |b| Some(format!("i{}", scale.width(b)?)))
                })
                .collect();
            out.text.push_str(&format!("@llvm.{}", parts?.join(".")));
        } else {
            shift |= shifts.contains(word);
            out.text.push_str(word);
        }
    }
    Some(())
}

fn int_type(word: &str) -> Option<u32> {
    let digits = word.strip_prefix('i')?;
    digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::{Rewritten, Scale, narrowed, rewritten};
    use crate::pair::Side;
    use backedge_ir::parse::parse_module;

    #[test]
    fn constants_keep_their_place() {
        let scale = Scale { from: 32, to: 8 };
        for (value, shift, expected) in [
            (5, false, Some(5)),
            (-1, false, Some(-1)),
            (i128::from(i32::MAX), false, Some(127)),
            (i128::from(i32::MIN), false, Some(-128)),
            (65535, false, Some(15)),
            (65537, false, Some(17)),
            (1_000_000, false, None),
            (31, true, Some(7)),
            (16, true, Some(4)),
            (1, true, Some(1)),
        ] {
            assert_eq!(scale.constant(value, 32, shift), expected, "{value}");
        }
    }

    #[test]
    fn some_constants_mean_the_same() {
        let scale = Scale { from: 32, to: 8 };
        for (value, shift, expected) in [
            (5, false, true),
            (-128, false, true),
            (i128::from(i32::MAX), false, true),
            (i128::from(i32::MIN), false, true),
            (65535, false, false),
            (128, false, false),
            (31, true, true),
            (1, true, true),
            (16, true, false),
        ] {
            assert_eq!(scale.is_alike(value, 32, shift), expected, "{value}");
        }
    }

    #[test]
    fn types_are_mapped_and_names_are_not() {
        let text = "define i64 @src_i32(i32 %i32, i32 %\"i32\") {\n  %x = call i32 @llvm.umin.i32(i32 %i32, i32 7)\n  \
                    %w = zext i32 %x to i64\n  %s = lshr i64 %w, 48\n  ret i64 %s, !i32 !0\n}\n!0 = !{i32 99}\n";
        let expected = "define i8 @src_i32(i4 %i32, i4 %\"i32\") {\n  %x = call i4 @llvm.umin.i4(i4 %i32, i4 7)\n  \
                        %w = zext i4 %x to i8\n  %s = lshr i8 %w, 6\n  ret i8 %s, !i32 !0\n}\n!0 = !{i32 99}\n";
        // Bit 48 of 64 does not have the role of bit 6 of 8.
        let expected = Rewritten { text: expected.to_owned(), is_alike: false };
        assert_eq!(rewritten(text, Scale { from: 32, to: 4 }), Some(expected));
        assert_eq!(rewritten("  %x = add i32 %y, 1000000", Scale { from: 32, to: 8 }), None);
    }

    #[test]
    fn memory_and_the_library_are_not_narrowed() {
        let pair = |body: &str| {
            let text = format!(
                "define i32 @src(i32 %x) {{\n{body}}}\ndefine i32 @tgt(i32 %x) {{\n{body}}}\n\
                         declare i32 @isdigit(i32)\n"
            );
            let module = parse_module(text.as_bytes()).expect("a module").module;
            let side = |name| Side { module: &module, func: module.env.func_named(name).expect("there") };
            narrowed(side("src"), side("tgt"), 4).map(|narrow| narrow.pair.texts().join(""))
        };
        let text = pair("  %y = mul i32 %x, 3\n  ret i32 %y\n").expect("it is narrowed");
        assert!(text.contains("define i4 @src(i4 %x)") && text.contains("mul i4 %x, 3"), "{text}");
        let alloca = "  %p = alloca i32\n  store i32 %x, ptr %p\n  %y = load i32, ptr %p\n  ret i32 %y\n";
        assert_eq!(pair(alloca), None);
        assert_eq!(pair("  %y = call i32 @isdigit(i32 %x)\n  ret i32 %y\n"), None);
    }
}
