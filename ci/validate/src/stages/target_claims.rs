//! Claims of the target's attributes, judged by the whole list of stages on hardened copies of the pair
//! ([`crate::pair::hardened`]): a copy in which certain breaches are UB refutes claims, a copy in which all possible
//! breaches are UB proves them. If neither decides, the verdict names the claims that it assumes.

use crate::pair::hardened::{Which, hardened, hardened_for_shared_claims};
use crate::pair::{Side, as_ref};
use crate::verdict::{Report, Verdict, VerdictKind};
use backedge_smt::promises;

/// The report of `judge` on a pair, with claims of the target proved or refuted if possible.
pub(crate) fn judged(
    source: Side<'_>,
    target: Side<'_>,
    judge: impl Fn(Side<'_>, Side<'_>) -> Report,
) -> Report {
    let side = |module| Side { module, func: target.func };
    let sure = hardened(source, target, Which::Sure);
    let judge_copy = |source, target| judge(source, target).of_copy();
    let first = sure.as_ref().map_or_else(|| judge(source, target), |sure| judge_copy(source, side(sure)));
    if sure.is_some()
        && let Verdict::Refuted(_) = first.verdict
    {
        return naming_claims(first, source, target);
    }
    if first.verdict.kind() != VerdictKind::RefinesIfClaims {
        return first;
    }
    let Some(all) = hardened(source, target, Which::Possible) else { return first };
    let second = judge_copy(source, side(&all));
    let rlimit = first.rlimit + second.rlimit;
    let is_as_strong = match (&first.verdict, &second.verdict) {
        (_, Verdict::RefinesAll { .. }) => true,
        (Verdict::RefinesUpTo { bound, .. }, Verdict::RefinesUpTo { bound: second, .. }) => second >= bound,
        _ => false,
    };
    if is_as_strong {
        return Report { rlimit, ..second };
    }
    if let Some([own, other]) = hardened_for_shared_claims(source, target) {
        let third = judge_copy(Side { module: &own, func: source.func }, side(&other));
        if let Verdict::Refuted(_) = third.verdict {
            return naming_claims(third, source, target);
        }
    }
    Report { rlimit, ..first }
}

/// Adds to a refutation the claims that have a certain breach in the target.
fn naming_claims(mut report: Report, source: Side<'_>, target: Side<'_>) -> Report {
    let claims = promises::beyond(as_ref(source), as_ref(target));
    let broken = claims.into_iter().filter(|p| p.breaches.iter().any(|b| b.sure.is_some()));
    let broken: Vec<String> = broken.filter_map(|p| p.claim).collect();
    if let Verdict::Refuted(refutation) = &mut report.verdict {
        let said = format!("; includes claims that only the target makes: {}", broken.join(", "));
        if !refutation.divergence.ends_with(&said) {
            refutation.divergence.push_str(&said);
        }
    }
    report
}
