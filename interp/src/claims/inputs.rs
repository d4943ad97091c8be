//! Inputs for checking claims: all of them where there are few, else small, boundary and random values.
//!
//! Constants of the body and their neighbours are among the values, since exits depend on them; small values come
//! often, so that loops end. Pointers lead to buffers of their own or of an earlier argument, or are null. The list
//! depends on the seed alone.

use crate::batch::Exhaustive;
use crate::input::{ArgSpec, Input};
use crate::memory::Contents;
use crate::value::mask;
use backedge_ir::attr::{AttrList, FlagAttr};
use backedge_ir::constant::ConstData;
use backedge_ir::entity::FuncId;
use backedge_ir::module::{Env, Module};
use backedge_ir::types::{Compound, Type, TypeKind};

/// Sizes of buffers in bytes.
const BUFFERS: [usize; 4] = [64, 256, 256, 4096];

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
    all: Option<Exhaustive>,
    runs: usize,
    seed: u64,
}

impl Inputs {
    /// Inputs of `func`: all of them if they are at most `exhaustive`, else `runs` of them. `None` if a parameter is
    /// of a type that can't be made.
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
        let all = widths.and_then(|w| Exhaustive::new(w, true)).filter(|all| all.count() <= exhaustive);
        let mut hints: Vec<u128> = Vec::new();
        for (_, constant) in module.body(func)?.consts().iter() {
            if let ConstData::Int(value) = constant.data {
                let bits = value.signed() as u128;
                hints.extend([bits, bits.wrapping_add(1), bits.wrapping_sub(1), bits.wrapping_neg()]);
            }
        }
        hints.sort_unstable();
        hints.dedup();
        Some(Self { params, hints, all, runs, seed })
    }
    /// How many there are.
    pub fn count(&self) -> usize {
        match &self.all {
            Some(all) => all.count(),
            None if self.params.is_empty() => 1,
            None => self.runs,
        }
    }
    /// Whether they are all that the function can get, but for memory.
    pub fn are_all(&self) -> bool {
        self.all.is_some()
    }
    /// Makes `input` the one of that number.
    pub fn fill(&self, number: usize, input: &mut Input) {
        if let Some(all) = &self.all {
            return all.fill(number, input);
        }
        let mut dice = Dice(self.seed ^ (number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        input.args.clear();
        // Most runs have no poison: one poison argument mostly ends them.
        let poison = number > 0 && dice.one_in(6);
        for i in 0..self.params.len() {
            let (domain, defined) = &self.params[i];
            let arg = if poison && !defined && dice.one_in(3) {
                ArgSpec::Poison
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

/// A buffer of zeros, of small numbers of 32 bits, or of any bytes.
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

/// SplitMix64 (Steele, Lea, Flood 2014).
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound.max(1)
    }
    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }
}
