//! `require<…>` and `invalidate<…>`: LLVM's requests to its analysis managers. Passes here request analyses themselves,
//! and cached results are kept up to date automatically, so these elements do nothing. They are accepted because
//! pipelines that LLVM prints contain them.

use crate::pass::Level;
use crate::text::Element;

/// LLVM's module analyses.
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

/// LLVM's function analyses.
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

/// LLVM's loop analyses.
const OF_LOOPS: &[&str] = &["ddg", "iv-users", "should-run-extra-simple-loop-unswitch"];

/// LLVM passes that run only if one of these analyses requests it, which never happens here.
const EXTRA: &str = "extra-simple-loop-unswitch-passes";

/// The function analyses that LLVM's `verify<…>` can verify.
const VERIFIED: &[&str] = &["cycles", "domtree", "loops", "memoryssa", "regions", "scalar-evolution"];

/// All analyses by level; for tests.
pub const ANALYSES: &[(Level, &[&str])] =
    &[(Level::Module, OF_MODULES), (Level::Function, OF_FUNCTIONS), (Level::Loop, OF_LOOPS)];

/// The level of `element` if it requires or invalidates an analysis. `within` is the level of the surrounding pipeline,
/// or `None` for the widest one.
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

/// Whether `element` requests the verification of a function analysis.
pub(crate) fn is_verified(element: &Element) -> bool {
    let params = element.params.as_ref().map(|p| &*p.text);
    element.name == "verify" && element.inner.is_none() && params.is_some_and(|p| VERIFIED.contains(&p))
}
