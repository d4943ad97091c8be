//! Stage: pairs whose runs never show anything: both sides run forever on every input, without an event.
//!
//! Requires: both functions have bodies. Guarantees: if [`both_run_forever`] returns true, the target refines the
//! source on every input. The source cannot reach an end and has no visible effects, so each of its runs continues
//! silently or is UB. The target runs silently forever, and is never UB ([`crate::replay::endless`]).

use super::{Earlier, SoFar, Stage, Step};
use crate::admit::qualified::qualified;
use crate::pair::{Side, Sides};
use crate::replay::endless::{may_have_progress_obligation, never_ends_on_any};
use crate::verdict::{Method, Options, Verdict};
use backedge_ir::attr::Attr;
use backedge_ir::body::Body;
use backedge_ir::cfg::Cfg;
use backedge_ir::inst::{InstData, InstKind};

/// The stage.
pub(crate) struct EndlessPairs;

impl Stage for EndlessPairs {
    /// The verdict if both sides run forever.
    type Answer = Option<Verdict>;

    fn name(&self) -> &'static str {
        "endless-pairs"
    }
    fn wanted(&self, _: &SoFar, _: &Options) -> bool {
        true
    }
    fn run(&self, Sides { source, target }: Sides<'_>, _: &Earlier, _: &Options) -> Self::Answer {
        let verdict = Verdict::RefinesAll { method: Method::NoRunEnds, assumed: Vec::new() };
        both_run_forever(source, target).then(|| qualified(verdict, source, target))
    }
    fn fold(&self, so_far: SoFar, answer: Self::Answer) -> Step {
        match answer {
            Some(verdict) => so_far.decided(verdict),
            None => Step::Continue(so_far),
        }
    }
}

/// Whether every run of the target continues forever, silently and defined, and no run of the source has visible
/// effects.
///
/// A target that must make progress would be UB.
fn both_run_forever(source: Side<'_>, target: Side<'_>) -> bool {
    let is_silent = source.module.body(source.func).is_some_and(shows_nothing);
    is_silent
        && !may_have_progress_obligation(target)
        && has_no_stronger_param_attrs(source, target)
        && never_ends_on_any(target).is_some()
}

/// Whether each attribute of the target's parameters is one of the source's: another one could make the call UB.
fn has_no_stronger_param_attrs(source: Side<'_>, target: Side<'_>) -> bool {
    let attributes = |side: Side<'_>, place: usize| -> Vec<Attr> {
        let env = &side.module.env;
        let list = env.funcs[side.func].param_attrs.get(place);
        list.into_iter().flat_map(|list| env.attrs(list)).cloned().collect()
    };
    let count = target.module.env.funcs[target.func].param_attrs.len();
    (0..count).all(|place| {
        let given = attributes(source, place);
        // Type ids are local to a module.
        let is_given = |attr: &Attr| !matches!(attr, Attr::Type(..)) && given.contains(attr);
        attributes(target, place).iter().all(is_given)
    })
}

/// Whether no reachable block ends the function or has visible effects.
fn shows_nothing(body: &Body) -> bool {
    let cfg = Cfg::new(body);
    let mut insts = cfg.rpo().iter().flat_map(|block| body.insts(*block));
    body.entry().is_some() && insts.all(|inst| is_silent(body.inst(*inst)))
}

/// Whether executing the instruction has no visible effect. Atomic and volatile accesses are visible.
fn is_silent(data: &InstData) -> bool {
    match &data.kind {
        InstKind::Br | InstKind::CondBr | InstKind::Switch | InstKind::Unreachable => true,
        InstKind::Load(access) | InstKind::Store(access) => !access.volatile && access.ordering.is_none(),
        InstKind::Binary(..)
        | InstKind::FNeg(_)
        | InstKind::FloatBinary(..)
        | InstKind::Cast(..)
        | InstKind::ICmp { .. }
        | InstKind::FCmp(..)
        | InstKind::Select(_)
        | InstKind::Phi(_)
        | InstKind::Freeze
        | InstKind::Alloca(_)
        | InstKind::Gep { .. }
        | InstKind::ExtractValue(_)
        | InstKind::InsertValue(_)
        | InstKind::ExtractElement
        | InstKind::InsertElement
        | InstKind::ShuffleVector(_) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use backedge_ir::parse::parse_module;

    /// Whether [`both_run_forever`] holds for the pair in the text.
    fn goes_on(source: &str, target: &str) -> bool {
        let text = format!(
            "define void @src(i32 %n, ptr %p) {{\nentry:\n{source}}}\ndefine void @tgt(i32 %n, ptr %p) {{\nentry:\n{target}}}"
        );
        let module = parse_module(text.as_bytes()).expect("a module").module;
        let side = |name| Side { module: &module, func: module.env.func_named(name).expect("the function") };
        both_run_forever(side("src"), side("tgt"))
    }

    const FOR_EVER: &str = "br label %loop\nloop:\nbr label %loop\n";

    #[test]
    fn what_never_ends_refines_what_never_ends() {
        assert!(goes_on(FOR_EVER, FOR_EVER));
        let nest = "br label %a\na:\n%c = icmp eq i32 %n, 0\nbr i1 %c, label %a, label %b\nb:\nbr label %a\n";
        assert!(goes_on(nest, FOR_EVER));
        // The branch may be UB.
        assert!(!goes_on(FOR_EVER, nest));
    }

    #[test]
    fn what_asks_more_of_its_arguments_may_be_undefined() {
        let text = |of_target: &str| {
            format!(
                "define void @src(i32 %n) {{\nentry:\n{FOR_EVER}}}\ndefine void @tgt(i32 {of_target} %n) {{\nentry:\n{FOR_EVER}}}"
            )
        };
        let goes_on = |of_target| {
            let module = parse_module(text(of_target).as_bytes()).expect("a module").module;
            let side =
                |name| Side { module: &module, func: module.env.func_named(name).expect("the function") };
            both_run_forever(side("src"), side("tgt"))
        };
        assert!(goes_on(""));
        assert!(!goes_on("noundef"));
    }

    #[test]
    fn what_may_end_or_is_seen_is_not_silent() {
        let ends = "%c = icmp eq i32 %n, 0\nbr i1 %c, label %a, label %b\na:\nbr label %a\nb:\nret void\n";
        assert!(!goes_on(ends, FOR_EVER));
        let seen = "br label %a\na:\nstore volatile i32 1, ptr %p\nbr label %a\n";
        assert!(!goes_on(seen, FOR_EVER));
        assert!(!goes_on(FOR_EVER, seen));
        let undefined = "br label %a\na:\nstore i32 1, ptr null\nbr label %a\n";
        assert!(goes_on(undefined, FOR_EVER));
        assert!(!goes_on(FOR_EVER, undefined));
    }
}
