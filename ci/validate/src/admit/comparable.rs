//! Whether the engines can compare two functions: both have code that the engines model, and the same signature.

use super::absolute;
use super::unmodelled::{duplicated, exposes_less, unmodelled};
use crate::pair::Side;
use crate::verdict::Reason;
use backedge_ir::module::Code;
use backedge_ir::print::type_to_string;

pub(crate) fn not_comparable(source: Side<'_>, target: Side<'_>) -> Option<Reason> {
    for side in [source, target] {
        let place = format!("@{}", side.name());
        match &side.module.code[side.func] {
            Code::Body(_) => {
                if let Some(feature) = unmodelled(side) {
                    return Some(Reason::Unsupported { feature: feature.to_owned(), place });
                }
                if let Some(symbol) = absolute::looked_at(side) {
                    let feature = format!("`!absolute_symbol` of @{symbol} in code that looks at addresses");
                    return Some(Reason::Unsupported { feature, place });
                }
            }
            Code::Opaque(code) => {
                return Some(Reason::Unsupported { feature: code.feature.to_string(), place });
            }
            Code::Declaration => {
                return Some(Reason::Unsupported { feature: "a declaration without code".to_owned(), place });
            }
        }
    }
    if let Some(feature) = duplicated(source, target) {
        return Some(Reason::Unsupported { feature, place: format!("@{}", target.name()) });
    }
    if exposes_less(source, target) {
        let feature = "`ptrtoaddr` where the source has `ptrtoint`, which exposes provenance".to_owned();
        return Some(Reason::Unsupported { feature, place: format!("@{}", target.name()) });
    }
    let signature = |s: Side<'_>| type_to_string(&s.module.env.types, s.module.env.funcs[s.func].ty);
    let (s, t) = (signature(source), signature(target));
    (s != t).then(|| Reason::Incomparable { what: format!("the source is {s}, the target {t}") })
}
