//! `require<…>` and `invalidate<…>`: what LLVM's pass managers are told of their analyses. Passes ask for what they need
//! here, and what is remembered is brought up to date by itself, so that these words do nothing; but pipelines that LLVM
//! prints have them.

use crate::pass::Level;
use crate::text::Element;

/// LLVM's analyses of whole modules.
const OF_MODULES: &[&str] = &[
    "callgraph",
    "collector-metadata",
    "globals-aa",
    "inline-advisor",
    "ir-similarity",
    "lcg",
    "module-summary",
    "pass-instrumentation",
    "profile-summary",
    "stack-safety",
];

/// LLVM's analyses of functions.
const OF_FUNCTIONS: &[&str] = &[
    "aa",
    "access-info",
    "assumptions",
    "basic-aa",
    "block-freq",
    "branch-prob",
    "cycles",
    "da",
    "demanded-bits",
    "domfrontier",
    "domtree",
    "ephemerals",
    "func-properties",
    "last-run-tracking",
    "lazy-value-info",
    "loops",
    "memdep",
    "memoryssa",
    "objc-arc-aa",
    "opt-remark-emit",
    "phi-values",
    "postdomtree",
    "regions",
    "scalar-evolution",
    "scev-aa",
    "scoped-noalias-aa",
    "should-not-run-function-passes",
    "should-run-extra-vector-passes",
    "stack-safety-local",
    "target-ir",
    "target-lib-info",
    "tbaa",
    "uniformity",
];

/// LLVM's analyses of loops.
const OF_LOOPS: &[&str] = &["ddg", "iv-users", "should-run-extra-simple-loop-unswitch"];

/// Passes of LLVM's that it runs where one of those analyses says so, which none does here.
const EXTRA: &str = "extra-simple-loop-unswitch-passes";

/// What of functions LLVM's `verify<…>` verifies.
const VERIFIED: &[&str] = &["cycles", "domtree", "loops", "memoryssa", "regions", "scalar-evolution"];

/// All analyses by what they are of: for tests.
pub const ANALYSES: &[(Level, &[&str])] =
    &[(Level::Module, OF_MODULES), (Level::Function, OF_FUNCTIONS), (Level::Loop, OF_LOOPS)];

/// At which level of a pipeline that stands at `within`, or at the widest one, `element` says something of an analysis, if
/// it does.
pub(crate) fn level_of(element: &Element, within: Option<Level>) -> Option<Level> {
    if element.name == EXTRA && element.params.is_none() && element.inner.is_none() {
        return Some(Level::Loop);
    }
    let params = &element.params.as_ref()?.text;
    let drops = match &*element.name {
        "require" => false,
        "invalidate" => true,
        _ => return None,
    };
    if element.inner.is_some() {
        return None;
    }
    if drops && params == "all" {
        return Some(within.unwrap_or(Level::Module));
    }
    let has = |(level, names): &(Level, &[&str])| names.contains(&&**params).then_some(*level);
    ANALYSES.iter().find_map(has)
}

/// Whether `element` asks for what LLVM knows of a function to be verified.
pub(crate) fn is_verified(element: &Element) -> bool {
    let params = element.params.as_ref().map(|p| &*p.text);
    element.name == "verify" && element.inner.is_none() && params.is_some_and(|p| VERIFIED.contains(&p))
}
