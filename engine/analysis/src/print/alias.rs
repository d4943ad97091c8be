//! Alias results of all pairs of accessed pointers, in the format of LLVM's `aa-eval` with
//! `-print-all-alias-modref-info`: a line for each pair with the accessed types, and totals at the end.

use super::raw_name;
use crate::alias::location::{access_bytes, accessed_type, pointer_operand};
use crate::alias::{AliasResult, Aliasing, Iterations, MemoryLocation, Size};
use crate::cache::{Analyses, At};
use backedge_ir::body::Body;
use backedge_ir::entity::FuncId;
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::module::Env;
use backedge_ir::print::{BodyPrinter, type_to_string};
use backedge_ir::types::Type;
use rustc_hash::FxHashSet;
use std::fmt::Write;

/// Limit on the number of pointers per function, because the output has one line for each pair of them. Further
/// pointers are left out.
pub const MOST_POINTERS: usize = 2000;

/// The number of results of each kind.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct AliasCounts {
    /// `NoAlias`.
    pub no: u64,
    /// `MayAlias`.
    pub may: u64,
    /// `PartialAlias`.
    pub partial: u64,
    /// `MustAlias`.
    pub must: u64,
}

/// The distinct (pointer, accessed type) pairs of loads and stores, in the order of the text.
pub fn accessed_pointers(body: &Body) -> Vec<(Value, Type)> {
    let mut seen = FxHashSet::default();
    let accesses =
        body.all_insts().filter(|i| matches!(body.inst(*i).kind, InstKind::Load(_) | InstKind::Store(_)));
    let pointers = accesses.filter_map(|i| Some((pointer_operand(body, i)?, accessed_type(body, i)?)));
    pointers.filter(|p| seen.insert(*p)).take(MOST_POINTERS).collect()
}

/// The result for each pair of [`accessed_pointers`], by their positions.
pub fn alias_pairs(at: At<'_>) -> Vec<(usize, usize, AliasResult)> {
    let pointers = accessed_pointers(at.body);
    let aliasing = Aliasing::new(at);
    let location = |(ptr, ty): (Value, Type)| MemoryLocation {
        ptr,
        size: access_bytes(at.env, ty).map_or(Size::AfterPointer, Size::Precise),
    };
    let mut pairs = Vec::new();
    for (i, &a) in pointers.iter().enumerate() {
        for (j, &b) in pointers[..i].iter().enumerate() {
            pairs.push((i, j, aliasing.alias(location(a), location(b), Iterations::Same, None)));
        }
    }
    pairs
}

/// The counts of one function.
pub fn count_aliases(at: At<'_>) -> AliasCounts {
    let mut counts = AliasCounts::default();
    for (_, _, result) in alias_pairs(at) {
        *match result {
            AliasResult::NoAlias => &mut counts.no,
            AliasResult::MayAlias => &mut counts.may,
            AliasResult::PartialAlias(_) => &mut counts.partial,
            AliasResult::MustAlias => &mut counts.must,
        } += 1;
    }
    counts
}

/// The report on one function.
pub fn alias_to_string(env: &Env, func: FuncId, body: &Body) -> String {
    let analyses = Analyses::of(func);
    let at = analyses.at(env, body);
    let printer = BodyPrinter::new(env, body);
    let pointers = accessed_pointers(body);
    let name = String::from_utf8_lossy(&raw_name(&env.funcs[func].name)).into_owned();
    let mut out = String::new();
    let written = writeln!(out, "Function: {name}: {} pointers", pointers.len());
    debug_assert!(written.is_ok(), "writing to a string does not fail");
    let spelled = |i: usize| {
        let (ptr, ty) = pointers[i];
        format!("{}* {}", type_to_string(&env.types, ty), printer.operand(ptr))
    };
    for (i, j, result) in alias_pairs(at) {
        let answer = match result {
            AliasResult::NoAlias => "NoAlias".to_owned(),
            AliasResult::MayAlias => "MayAlias".to_owned(),
            AliasResult::PartialAlias(by) => format!("PartialAlias (off {by})"),
            AliasResult::MustAlias => "MustAlias".to_owned(),
        };
        out.push_str(&format!("  {answer}:\t{}, {}\n", spelled(i), spelled(j)));
    }
    let c = count_aliases(at);
    let (no, may, partial, must) = (c.no, c.may, c.partial, c.must);
    out.push_str(&format!("  {no} no alias, {may} may alias, {partial} partial alias, {must} must alias\n"));
    out
}
