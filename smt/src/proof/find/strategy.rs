//! The order of searches for a proof: a short search of the original pair; a search over narrower integers, whose
//! queries are small; then a long search.

use crate::limits::Limits;
use crate::proof::Options;
use crate::proof::check::{Flaw, Proved};
use crate::proof::decide::ask::Asker;
use crate::proof::find::narrow::{self, Narrow};
use crate::proof::find::{needed, rescale, search};
use crate::proof::text::{Speller, reason_text, spelled};
use crate::proof::vc::pair::Pair;
use crate::refinement::FunctionRef;
use crate::refinement::inputs::Given;
use backedge_ir::inst::{InstKind, Value};

/// Divisor of the units for the short first search.
const SHORT: u64 = 16;
/// Divisor of the units that the first search leaves over if addresses are computed. Over narrower integers, indices
/// are extended, and equal indices are no longer identical terms; so the first search gets most units.
const ACCESSES: u64 = 4;
/// Divisor of the units for the search over narrower integers.
const NARROW: u64 = 2;

/// Whether a function computes addresses from non-constant numbers.
fn computes_addresses(function: FunctionRef<'_>) -> bool {
    function.module.body(function.func).is_some_and(|body| {
        body.all_insts().any(|inst| {
            let data = body.inst(inst);
            let open = |value: &Value| !matches!(value, Value::Const(_));
            matches!(data.kind, InstKind::Gep { .. }) && data.operands.iter().skip(1).any(open)
        })
    })
}

/// The search for a proof of one pair.
pub(in crate::proof) struct Strategy<'a, 'm> {
    source: FunctionRef<'m>,
    target: FunctionRef<'m>,
    options: &'a Options,
    limits: Limits,
}

impl<'a, 'm> Strategy<'a, 'm> {
    /// A search within `limits`.
    pub(in crate::proof) fn new(
        source: FunctionRef<'m>,
        target: FunctionRef<'m>,
        options: &'a Options,
        limits: Limits,
    ) -> Self {
        Self { source, target, options, limits }
    }
    /// A proof for inputs without undef bits. A short search comes first; if the solver left queries open, a search
    /// over narrower integers, whose queries are small; then a long search.
    pub(in crate::proof) fn search(&self, asker: &mut Asker) -> Result<Proved, String> {
        let all = asker.units;
        let Some(narrow) = narrow::narrow(self.source, self.target) else { return self.search_as_is(asker) };
        let accesses = [self.source, self.target].into_iter().any(computes_addresses);
        asker.units = if accesses { all - all / ACCESSES } else { all / SHORT };
        let first = self.search_as_is(asker);
        if first.is_ok() || asker.open == 0 {
            asker.units = all;
            return first;
        }
        asker.units = all.min(asker.cost.units + all / NARROW);
        let found = self.search_narrow(&narrow, all, asker);
        asker.units = all;
        match found {
            Some(found) => Ok(found),
            // The result of the first search is more informative than an exhausted budget.
            None if asker.left() == 0 => first,
            None => self.search_as_is(asker),
        }
    }
    /// A proof that was found over narrower integers and also holds for the original pair. The check for the original
    /// pair may use up to `all` units.
    fn search_narrow(&self, narrow: &Narrow, all: u64, asker: &mut Asker) -> Option<Proved> {
        let source = FunctionRef { module: &narrow.source, func: self.source.func };
        let target = FunctionRef { module: &narrow.target, func: self.target.func };
        let small = Strategy { source, target, options: self.options, limits: self.limits };
        let proved = small.search_as_is(asker).ok()?;
        let found = proved.draft();
        let core = small.with_pair((false, &found.cuts), |pair| needed::core(pair, found, asker));
        asker.units = all;
        let drafts = core.into_iter().chain([found.clone()]);
        let checked = self.with_pair((false, &found.cuts), |pair| {
            let mut last = Flaw::Cuts;
            for draft in drafts {
                match search::from_facts(pair, &rescale::rescale(pair, &narrow.widths, &draft), asker) {
                    Ok(proved) => return Ok(spelled(pair, proved)),
                    Err(flaw) => last = flaw,
                }
            }
            Err(last)
        });
        checked.ok()
    }
    /// Searches for a proof of the original pair: first with the source also cut at blocks that match the target's
    /// cuts, then without these cuts.
    fn search_as_is(&self, asker: &mut Asker) -> Result<Proved, String> {
        let all = asker.units;
        let cuts = search::likely_cuts(self.source, self.target);
        if !cuts.is_empty() {
            asker.units = asker.cost.units + asker.left() / 2;
            let found =
                self.with_pair((false, &cuts), |pair| Ok(spelled(pair, search::search(pair, asker)?)));
            asker.units = all;
            if found.is_ok() {
                return found;
            }
        }
        self.with_pair((false, &[]), |pair| Ok(spelled(pair, search::search(pair, asker)?)))
    }
    /// Extends `found` to inputs that may be undef, if that can be proved.
    pub(in crate::proof) fn with_undef(&self, found: &Proved, asker: &mut Asker) -> Option<Proved> {
        let draft = found.draft();
        let find = |pair: &Pair<'_>| Ok(spelled(pair, search::with_undef(pair, draft, asker)?));
        self.with_pair((true, &draft.cuts), find).ok()
    }
    /// The result of `find` for the pair with the additional `cuts`, or the flaw in words.
    fn with_pair<T>(
        &self,
        (undef, cuts): (bool, &[u32]),
        find: impl FnOnce(&Pair<'_>) -> Result<T, Flaw>,
    ) -> Result<T, String> {
        let Options { uninit, poison_inputs, .. } = *self.options;
        let given = Given { uninit, undef, undef_memory: false, poison: poison_inputs };
        let pair = Pair::new(self.source, self.target, given, cuts, self.limits)
            .map_err(|reason| reason_text(&reason))?;
        find(&pair).map_err(|flaw| Speller { pair: &pair }.flaw(&flaw))
    }
}

#[cfg(test)]
mod tests {
    use super::Strategy;
    use crate::proof::Options;
    use crate::proof::find::narrow;
    use crate::refinement::{FunctionRef, Uninit};
    use backedge_ir::parse::parse_module;
    use std::time::Duration;

    /// A loop that sums up `value` of a counter `%i` up to `%n`.
    fn sum(name: &str, value: &str) -> String {
        format!(
            "define i32 @{name}(i32 noundef %n) {{
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit
body:
  {value}
  %s.next = add i32 %s, %v
  %i.next = add nuw i32 %i, 1
  br label %loop
exit:
  ret i32 %s
}}
"
        )
    }
    /// Whether a proof over narrower integers exists, and whether it also proves the original pair.
    fn proved(source: &str, target: &str) -> (bool, bool) {
        let text = sum("src", source) + &sum("tgt", target);
        let module = parse_module(text.as_bytes()).expect("a module").module;
        let of = |name: &str| FunctionRef { module: &module, func: module.env.func_named(name).expect("it") };
        let options = Options {
            units: 20_000_000,
            time: Duration::from_secs(600),
            memory: 4096,
            uninit: Uninit::Undef,
            undef_inputs: true,
            poison_inputs: true,
        };
        let limits = options.limits();
        let [source, target] = ["src", "tgt"].map(of);
        let small = narrow::narrow(source, target).expect("a narrower pair");
        let over = [(&small.source, source.func), (&small.target, target.func)];
        let over = over.map(|(module, func)| FunctionRef { module, func });
        let over = Strategy::new(over[0], over[1], &options, limits);
        let found = over.search_as_is(&mut options.asker()).is_ok();
        let of_pair = Strategy::new(source, target, &options, limits);
        (found, of_pair.search_narrow(&small, options.units, &mut options.asker()).is_some())
    }

    #[test]
    fn a_narrow_proof_counts_if_it_proves_the_original_pair() {
        assert_eq!(proved("%v = mul i32 %i, 12", "%v = mul i32 12, %i"), (true, true));
        assert_eq!(proved("%v = add i32 %i, -2147483648", "%v = xor i32 %i, -2147483648"), (true, true));
        // 8·8·4 is zero in eight bits only.
        let product = "%a = mul i32 %i, 8\n  %b = mul i32 %a, 8\n  %v = mul i32 %b, 4";
        assert_eq!(proved(product, "%v = and i32 %i, 0"), (true, false));
        assert_eq!(proved("%v = add i32 %i, 1", "%v = add i32 %i, 2"), (false, false));
    }
}
