//! Translates certificates of the narrow pair to the original pair: cuts and steps are unchanged; widths and numbers in
//! facts and measures become their original counterparts. Facts without a counterpart are dropped. The result is a
//! guess.

use crate::encode::world::Side;
use crate::proof::find::narrow::Widths;
use crate::proof::lang::certificate::Draft;
use crate::proof::lang::fact::{Atom, Bound, Fact, Linear, Owner, Part, Product, Reading, ValueRef};
use crate::proof::lang::number::mask;
use crate::proof::vc::pair::Pair;
use std::collections::BTreeSet;

/// Translates `draft` from the narrow pair to `pair`.
pub(in crate::proof) fn rescale(pair: &Pair<'_>, widths: &Widths, draft: &Draft) -> Draft {
    let rescale = Rescale { pair, widths };
    let mut new = Draft {
        cuts: draft.cuts.clone(),
        steps: draft.steps.clone(),
        apart: draft.apart.clone(),
        ..Draft::default()
    };
    for (node, facts) in &draft.facts {
        let mut seen = BTreeSet::new();
        let facts = facts.iter().flat_map(|fact| rescale.fact(fact)).filter(|f| seen.insert(f.clone()));
        new.facts.insert(*node, facts.collect());
    }
    new.measures = draft.measures.iter().flat_map(|measure| rescale.linear(measure)).collect();
    new
}

struct Rescale<'a, 'm> {
    pair: &'a Pair<'m>,
    widths: &'a Widths,
}

impl Rescale<'_, '_> {
    /// Possible translations of a fact; several if it contains distances in memory.
    fn fact(&self, fact: &Fact) -> Vec<Fact> {
        match fact {
            Fact::Defined(_) | Fact::Settled(_) | Fact::PoisonTogether(..) | Fact::PoisonOnlyWith(..) => {
                vec![fact.clone()]
            }
            Fact::Linear(linear) => self.linear(linear).into_iter().map(Fact::Linear).collect(),
            Fact::EqualUnlessPoison(a, b) => {
                let both = self.part(*a).zip(self.part(*b));
                both.map(|(a, b)| Fact::EqualUnlessPoison(a, b)).into_iter().collect()
            }
            Fact::Gathers { width, by, whole, parts } => {
                let width = self.widths.wide(*width).unwrap_or(*width);
                let parts: Option<Vec<Part>> = parts.iter().map(|part| self.part(*part)).collect();
                let both = self.part(*whole).zip(parts);
                both.map(|(whole, parts)| Fact::Gathers { width, by: *by, whole, parts })
                    .into_iter()
                    .collect()
            }
            Fact::Compare { width, order, left, right } => {
                let pointers = [left, right].iter().any(|b| matches!(b, Bound::Part(p) if is_pointer(*p)));
                let wide = self.widths.wide(*width).filter(|_| !pointers);
                let bound = |bound: &Bound| match bound {
                    Bound::Part(part) => self.part(*part).map(Bound::Part),
                    Bound::Number(number) if wide.is_some() => {
                        self.widths.widened(*number, *width).map(Bound::Number)
                    }
                    Bound::Number(number) => Some(Bound::Number(*number)),
                };
                let both = bound(left).zip(bound(right));
                let width = wide.unwrap_or(*width);
                both.map(|(left, right)| Fact::Compare { width, order: *order, left, right })
                    .into_iter()
                    .collect()
            }
        }
    }
    fn linear(&self, linear: &Linear) -> Vec<Linear> {
        let parts = || linear.summands.iter().flat_map(|(_, product)| product.iter());
        let wide = self.widths.wide(linear.width).filter(|_| !parts().any(|p| is_pointer(*p)));
        if let Some(width) = wide {
            let number = |number: u128| self.widths.widened(number & mask(linear.width), linear.width);
            return self.with_numbers(linear, width, &|factor, _| number(factor)).into_iter().collect();
        }
        let same = self.with_numbers(linear, linear.width, &|factor, _| Some(factor));
        let distance = |product: Option<&Product>| product.is_none_or(|p| p.iter().all(|p| !is_pointer(*p)));
        let offsets = parts().any(|p| p.reading == Reading::Offset);
        let ratios = self.widths.ratios().into_iter().filter(|ratio| offsets && *ratio > 1);
        let others = ratios.filter_map(|ratio| {
            // A distance in elements: narrow elements have fewer bytes.
            self.with_numbers(linear, linear.width, &|factor, product| {
                Some(if distance(product) { factor.wrapping_mul(ratio) & mask(linear.width) } else { factor })
            })
        });
        others.chain(same.clone()).collect()
    }
    /// The same sum with other numbers; `number` maps each factor, with its product, and the constant.
    fn with_numbers(
        &self,
        linear: &Linear,
        width: u32,
        number: &dyn Fn(u128, Option<&Product>) -> Option<u128>,
    ) -> Option<Linear> {
        let mut summands: Vec<(u128, Product)> = Vec::new();
        for (factor, product) in &linear.summands {
            let parts: Option<Product> = product.iter().map(|p| self.part(*p)).collect();
            summands.push((number(*factor, Some(product))?, parts?));
        }
        summands.sort_by(|a, b| a.1.cmp(&b.1));
        Some(Linear { width, summands, constant: number(linear.constant, None)? })
    }
    fn part(&self, part: Part) -> Option<Part> {
        let (resized, to): (fn(u32) -> Reading, u32) = match part.reading {
            Reading::Whole | Reading::Offset | Reading::Block => return Some(part),
            Reading::Zext(to) => (Reading::Zext, to),
            Reading::Sext(to) => (Reading::Sext, to),
            Reading::Low(to) => (Reading::Low, to),
        };
        let to = self.widths.wide(to).unwrap_or(to);
        let own = self.width(part.atom);
        if own == Some(to) {
            return Some(Part::whole(part.atom));
        }
        let narrower = matches!(part.reading, Reading::Low(_));
        if own.is_some_and(|own| (own < to) == narrower) {
            return None;
        }
        Some(Part { atom: part.atom, reading: resized(to) })
    }
    /// The width of an integer; `None` for other types.
    fn width(&self, atom: Atom) -> Option<u32> {
        let side = if atom.owner == Owner::Target { Side::Target } else { Side::Source };
        let program = self.pair.program(side);
        let ty = match (atom.owner, atom.value) {
            (Owner::Argument, ValueRef::Number(i)) => {
                program.body.ty(program.body.args().nth(i as usize)?.into())
            }
            (Owner::Argument, ValueRef::Early(_)) => return None,
            (_, ValueRef::Returned) => {
                let function = program.function;
                let env = &function.module.env;
                env.types.signature(env.funcs[function.func].ty)?.0
            }
            (_, value) => program.body.inst(value.inst()?).ty,
        };
        program.function.module.env.types.scalar(ty).int_bits()
    }
}

/// Whether a part belongs to a pointer; its width is unchanged.
fn is_pointer(part: Part) -> bool {
    matches!(part.reading, Reading::Offset | Reading::Block)
}
