//! Inputs for checking claims: all inputs of small functions, otherwise small, boundary and random values.
//!
//! Inputs built from the ends of types come first, because the limits of all runs together may end the list early,
//! and wrong counts and flags mostly show there.
//!
//! Constants of the body and their neighbors are among the values, because exits depend on them. Small values are
//! frequent, so that loops end. Pointers point to their own buffer or to an earlier argument's, or are null. The list
//! depends only on the seed.

use crate::batch::Exhaustive;
use crate::input::{ArgSpec, Input};
use crate::memory::Contents;
use crate::value::mask;
use backedge_ir::attr::{AttrList, FlagAttr};
use backedge_ir::constant::ConstData;
use backedge_ir::entity::FuncId;
use backedge_ir::module::{Env, Module};
use backedge_ir::types::{Compound, Type, TypeKind};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// Sizes of buffers in bytes.
const BUFFERS: [usize; 4] = [64, 256, 256, 4096];

/// Maximum number of inputs built from the ends of types that come first if all inputs are run.
const CORNERS: usize = 512;
/// Otherwise one in this many runs has such an input: their combinations must not crowd out small and random values.
const PART_OF_CORNERS: usize = 8;

#[derive(Clone, Debug)]
enum Domain {
    Bits(u32),
    Pointer,
    Members(Vec<Domain>),
}

/// The inputs of one function.
#[derive(Clone, Debug)]
pub struct Inputs {
    params: Vec<(Domain, bool)>,
    hints: Vec<u128>,
    all: Option<(Exhaustive, First)>,
    corners: Corners,
    runs: usize,
    seed: u64,
}

impl Inputs {
    /// Inputs of `func`: all of them if there are at most `exhaustive`, otherwise `runs` of them. `None` if the type
    /// of a parameter is not supported.
    pub fn new(module: &Module, func: FuncId, exhaustive: usize, runs: usize, seed: u64) -> Option<Self> {
        let env = &module.env;
        let header = &env.funcs[func];
        let (_, types, _) = env.types.signature(header.ty)?;
        let none = AttrList::default();
        let mut params = Vec::with_capacity(types.len());
        for (i, ty) in types.iter().enumerate() {
            let attrs = header.param_attrs.get(i).unwrap_or(&none);
            params.push((domain(env, *ty, 0)?, env.has_attr(attrs, FlagAttr::NoUndef)));
        }
        let widths: Option<Vec<u32>> = params
            .iter()
            .map(|(d, _)| if let Domain::Bits(width) = d { Some(*width) } else { None })
            .collect();
        let all = widths.and_then(|widths| {
            let all = Exhaustive::new(widths.clone(), true).filter(|all| all.count() <= exhaustive)?;
            let first = Corners::new(&params, CORNERS).numbers(&widths);
            Some((all, First::new(first)))
        });
        let corners = Corners::new(&params, runs / PART_OF_CORNERS);
        let mut hints: Vec<u128> = Vec::new();
        for (_, constant) in module.body(func)?.consts().iter() {
            if let ConstData::Int(value) = constant.data {
                let bits = value.signed() as u128;
                hints.extend([bits, bits.wrapping_add(1), bits.wrapping_sub(1), bits.wrapping_neg()]);
            }
        }
        hints.sort_unstable();
        hints.dedup();
        Some(Self { params, hints, all, corners, runs, seed })
    }
    /// Number of inputs.
    pub fn count(&self) -> usize {
        match &self.all {
            Some((all, _)) => all.count(),
            None if self.params.is_empty() => 1,
            None => self.runs,
        }
    }
    /// Whether they are all possible inputs, apart from memory contents.
    pub fn are_all(&self) -> bool {
        self.all.is_some()
    }
    /// The first `most` inputs.
    pub fn first(&self, most: usize) -> impl Iterator<Item = Input> + '_ {
        (0..self.count().min(most)).map(|number| {
            let mut input = Input::new(Vec::new());
            self.fill(number, &mut input);
            input
        })
    }
    /// Sets `input` to the input with that number.
    pub fn fill(&self, number: usize, input: &mut Input) {
        if let Some((all, first)) = &self.all {
            return all.fill(first.number(number), input);
        }
        let mut dice = Dice::new(self.seed ^ (number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        input.args.clear();
        // Most runs have no poison, because a poison argument usually makes a run UB unless its loops end at once.
        let poison = number > 0 && dice.one_in(4);
        let at_once = poison && dice.one_in(2);
        for i in 0..self.params.len() {
            let (domain, defined) = &self.params[i];
            let arg = if let Some(corner) = self.corners.value(number, i) {
                corner.map_or(ArgSpec::Poison, ArgSpec::Bits)
            } else if poison && !defined && dice.one_in(3) {
                ArgSpec::Poison
            } else if let (true, Domain::Bits(width)) = (at_once, domain) {
                ArgSpec::Bits(u128::from(dice.below(3)) & mask(*width))
            } else {
                self.value(&mut dice, domain, &input.args)
            };
            input.args.push(arg);
        }
    }
    fn value(&self, dice: &mut Dice, domain: &Domain, before: &[ArgSpec]) -> ArgSpec {
        match domain {
            Domain::Bits(width) => ArgSpec::Bits(self.bits(dice, *width)),
            Domain::Members(members) => {
                ArgSpec::Members(members.iter().map(|m| self.value(dice, m, before)).collect())
            }
            Domain::Pointer => {
                let pointer = |a: &ArgSpec| matches!(a, ArgSpec::Buffer(_));
                let earlier = before.iter().position(pointer).filter(|_| dice.one_in(6));
                match earlier {
                    Some(arg) => ArgSpec::Alias { arg, offset: (dice.below(4) * 4) as i64 },
                    None if dice.one_in(24) => ArgSpec::Null,
                    None => ArgSpec::Buffer(Box::new(buffer(dice))),
                }
            }
        }
    }
    fn bits(&self, dice: &mut Dice, width: u32) -> u128 {
        let random = u128::from(dice.next()) << 64 | u128::from(dice.next());
        let small = dice.below(20) as u128;
        let bits = match dice.below(12) {
            0..=4 => small,
            5 => small.wrapping_neg(),
            6 | 7 if !self.hints.is_empty() => self.hints[dice.below(self.hints.len() as u64) as usize],
            8 => (mask(width) >> 1).wrapping_sub(small),
            9 => (mask(width) >> 1).wrapping_add(small),
            10 => random & mask(width / 2 + 1),
            _ => random,
        };
        bits & mask(width)
    }
}

/// Inputs built from the ends of types and poison: all combinations of the first values of each parameter.
#[derive(Clone, Debug)]
struct Corners {
    /// Values of each parameter (`None` for poison); empty if the parameter is not an integer.
    values: Vec<Vec<Option<u128>>>,
    count: usize,
}

impl Corners {
    /// Creates at most `most` combinations.
    fn new(params: &[(Domain, bool)], most: usize) -> Self {
        let one = |(domain, defined): &(Domain, bool)| match domain {
            Domain::Bits(width) => ends(*width, *defined),
            Domain::Pointer | Domain::Members(_) => Vec::new(),
        };
        let mut values: Vec<Vec<Option<u128>>> = params.iter().map(one).collect();
        let count = |values: &[Vec<Option<u128>>]| {
            values.iter().try_fold(1usize, |n, v| n.checked_mul(v.len().max(1))).unwrap_or(usize::MAX)
        };
        let mut longest = values.iter().map(Vec::len).max().unwrap_or(0);
        while longest > 2 && count(&values) > most {
            longest -= 1;
            values.iter_mut().for_each(|v| v.truncate(longest));
        }
        let count = if longest == 0 { 0 } else { count(&values).min(most) };
        Self { values, count }
    }
    /// The value of parameter `param` in input `number`; `None` if the input is not a corner.
    fn value(&self, number: usize, param: usize) -> Option<Option<u128>> {
        let radix = |values: &Vec<Option<u128>>| values.len().max(1);
        if number >= self.count {
            return None;
        }
        let digit = self.values[..param].iter().fold(number, |n, values| n / radix(values));
        let values = &self.values[param];
        values.get(digit % radix(values)).copied()
    }
    /// The corners' numbers among all inputs of these widths.
    fn numbers(&self, widths: &[u32]) -> Vec<usize> {
        let number = |corner: usize| {
            let mut weight = 1;
            let mut sum = 0;
            for (param, width) in widths.iter().enumerate() {
                let poison = 1usize << width;
                let value = self.value(corner, param).flatten().map_or(poison, |bits| bits as usize);
                sum += weight * value;
                weight *= poison + 1;
            }
            sum
        };
        (0..self.count).map(number).collect()
    }
}

/// The ends of the signed and unsigned ranges of an integer, the neighbors of zero, and poison.
fn ends(width: u32, defined: bool) -> Vec<Option<u128>> {
    let (most, half) = (mask(width), mask(width) >> 1);
    let mut values: Vec<Option<u128>> = Vec::new();
    for bits in [most, 0, half, half + 1, 1] {
        if !values.contains(&Some(bits)) {
            values.push(Some(bits));
        }
    }
    values.extend((!defined).then_some(None));
    values
}

/// A permutation of the numbers from 0 on in which the listed ones come first.
#[derive(Clone, Debug)]
struct First {
    /// The numbers that come first.
    listed: Vec<usize>,
    /// For each listed number, in order of size, the number of unlisted ones below it.
    below: Vec<usize>,
}

impl First {
    fn new(listed: Vec<usize>) -> Self {
        let mut below = listed.clone();
        below.sort_unstable();
        below.iter_mut().enumerate().for_each(|(i, number)| *number -= i);
        Self { listed, below }
    }
    /// The number at that position.
    fn number(&self, position: usize) -> usize {
        match position.checked_sub(self.listed.len()) {
            None => self.listed[position],
            Some(rest) => rest + self.below.partition_point(|below| *below <= rest),
        }
    }
}

fn domain(env: &Env, ty: Type, depth: u32) -> Option<Domain> {
    if depth > 8 {
        return None;
    }
    match ty.kind() {
        TypeKind::Int(width) => (width <= 128).then_some(Domain::Bits(width)),
        TypeKind::Float(kind) => Some(Domain::Bits(kind.bits())),
        TypeKind::Ptr(_) => Some(Domain::Pointer),
        TypeKind::Void | TypeKind::Label | TypeKind::Metadata | TypeKind::Token => None,
        TypeKind::Compound(id) => {
            let length = match env.types.get(id) {
                Compound::Array { len, .. } | Compound::Vector { len, scalable: false, .. } => {
                    usize::try_from(*len).ok().filter(|l| *l <= 64)?
                }
                Compound::Struct { .. } | Compound::Named { .. } => env.types.struct_fields(ty)?.0.len(),
                Compound::Vector { .. } | Compound::Function { .. } | Compound::Target { .. } => return None,
            };
            let member = |i| domain(env, env.types.member(ty, i as u64)?, depth + 1);
            Some(Domain::Members((0..length).map(member).collect::<Option<_>>()?))
        }
    }
}

/// A buffer of zeros, of small 32-bit numbers, or of arbitrary bytes.
fn buffer(dice: &mut Dice) -> Contents {
    let size = BUFFERS[dice.below(4) as usize];
    let kind = dice.below(4);
    let byte = |i: usize, dice: &mut Dice| match kind {
        0 => 0,
        1 | 2 if i.is_multiple_of(4) => dice.below(12) as u8,
        1 | 2 => 0,
        _ => dice.next() as u8,
    };
    Contents::from_bytes((0..size).map(|i| byte(i, dice)).collect::<Vec<u8>>())
}

struct Dice(SplitMix64);

impl Dice {
    fn new(seed: u64) -> Self {
        Self(SplitMix64::seed_from_u64(seed))
    }
    fn next(&mut self) -> u64 {
        self.0.next_u64()
    }
    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound.max(1)
    }
    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use backedge_ir::parse::read_module;
    use std::collections::HashSet;

    fn inputs(params: &str, exhaustive: usize, runs: usize) -> Inputs {
        let text = format!("define void @f({params}) {{\n  ret void\n}}\n");
        let module = read_module(text.as_bytes()).expect("a module").module;
        let func = module.env.funcs.iter().next().expect("a function").0;
        Inputs::new(&module, func, exhaustive, runs, 0).expect("inputs")
    }
    fn list(inputs: &Inputs) -> Vec<String> {
        let mut input = Input::default();
        let one = |number| {
            inputs.fill(number, &mut input);
            input.args.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
        };
        (0..inputs.count()).map(one).collect()
    }

    #[test]
    fn all_inputs_come_once_and_the_ends_of_types_first() {
        for (params, count) in [("i4 %a", 17), ("i4 %a, i3 %b", 17 * 9), ("i1 %a, i1 %b, i2 %c", 3 * 3 * 5)] {
            let all = list(&inputs(params, 1 << 12, 10));
            assert_eq!(all.len(), count);
            assert_eq!(all.iter().collect::<HashSet<_>>().len(), count, "{params}");
        }
        let all = list(&inputs("i8 %a, i8 %b", 1 << 17, 10));
        assert_eq!(all[..7], ["255,255", "0,255", "127,255", "128,255", "1,255", "poison,255", "255,0"]);
        assert!(all[..36].contains(&"poison,poison".to_owned()) && all[36] == "2,0", "{:?}", &all[..37]);
        // With many parameters only some combinations come first.
        let some =
            inputs("i1 %a, i1 %b, i1 %c, i1 %d, i1 %e, i1 %f, i1 %g, i1 %h, i1 %i, i1 %j", 1 << 17, 10);
        assert_eq!(list(&some).iter().collect::<HashSet<_>>().len(), 59_049);
    }

    #[test]
    fn some_runs_of_many_inputs_are_of_the_ends_of_types() {
        let inputs = inputs("i32 %a, ptr noundef %p, i64 noundef %b", 1 << 10, 400);
        let mut input = Input::default();
        let mut found = HashSet::new();
        for number in 0..inputs.count() / PART_OF_CORNERS {
            inputs.fill(number, &mut input);
            assert!(matches!(input.args[1], ArgSpec::Buffer(_) | ArgSpec::Null), "{number}");
            found.insert((input.args[0].to_string(), input.args[2].to_string()));
        }
        let bits = |bits: u128| ArgSpec::Bits(bits).to_string();
        for (a, b) in [(bits(0xffff_ffff), u64::MAX), (bits(0), 1 << 63), (ArgSpec::Poison.to_string(), 1)] {
            let pair = (a, bits(b.into()));
            assert!(found.contains(&pair), "{pair:?}: {found:?}");
        }
    }
}
