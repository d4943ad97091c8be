//! Deterministic inputs to run a pair of functions on.
//!
//! If there are at most [`EXHAUSTIVE`] inputs, the list holds all of them. Otherwise it starts with combinations of
//! small and boundary values as far as the limit permits, and continues with a seeded random mixture. The values
//! include constants of the two bodies and their neighbors, since conditions test them. Pointers are null, or point to
//! the start or the inside of buffers of [`BUFFER_BYTES`] bytes, a few of [`LONG_BUFFER`], one per argument or one
//! shared by several arguments. Global variables hold their initializers; on every second input they hold other
//! contents if other code may have written them or other modules define them.

use crate::pair::Side;
use crate::verdict::Options;
use backedge_interp::chooser::Domain as Choices;
use backedge_interp::input::{ArgSpec, Input};
use backedge_interp::memory::Contents;
use backedge_ir::attr::{Attr, AttrList, FlagAttr, IntAttr};
use backedge_ir::constant::{ConstData, GlobalRef};
use backedge_ir::module::{Env, Module};
use backedge_ir::types::{Compound, Type, TypeKind};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

/// Maximum number of inputs for an exhaustive search: two arguments of 8 bits, including poison.
pub(crate) const EXHAUSTIVE: u64 = 257 * 257;
/// Bytes of a buffer that an argument points to, unless the function requires more.
const BUFFER_BYTES: u64 = 64;
/// Bytes of a long buffer, which a few inputs have.
const LONG_BUFFER: u64 = 1 << 12;
/// Number of inputs of a function without parameters that reads globals: they differ in the globals' contents.
const GLOBAL_INPUTS: u64 = 32;
/// The largest buffer in bytes.
const MAX_BUFFER: u64 = 1 << 16;

/// Possible values of a parameter.
#[derive(Clone, Debug)]
enum Domain {
    Scalar { width: u32, float: bool },
    Ptr { nonnull: bool, noalias: bool, bytes: u64 },
    Members(Vec<Domain>),
}

/// All inputs of a function.
#[derive(Clone, Debug)]
pub(crate) struct Inputs {
    /// For each parameter: the domain, and whether it is noundef.
    params: Vec<(Domain, bool)>,
    /// Whether parameters that are not noundef may be poison.
    poison: bool,
    /// Values that conditions of the bodies test.
    hints: Vec<u128>,
    /// The global variables that the functions may reach.
    globals: HashSet<Arc<str>>,
}

impl Inputs {
    /// The inputs of `source` that the options admit, with the constants of both bodies as hints. `None` if a parameter
    /// has an unmodelled type.
    pub(crate) fn new(source: Side<'_>, target: Side<'_>, options: &Options) -> Option<Self> {
        let env = &source.module.env;
        let header = &env.funcs[source.func];
        let (_, params, vararg) = env.types.signature(header.ty)?;
        if vararg {
            return None;
        }
        let none = AttrList::default();
        let params = params.iter().enumerate().map(|(i, ty)| {
            let attrs = header.param_attrs.get(i).unwrap_or(&none);
            Some((domain(env, *ty, attrs, 0)?, env.has_attr(attrs, FlagAttr::NoUndef)))
        });
        let params = params.collect::<Option<Vec<_>>>()?;
        let mut hints = BTreeSet::new();
        for side in [source, target] {
            let consts = side.module.body(side.func).into_iter().flat_map(|b| b.consts().iter());
            for value in consts.filter_map(|(_, c)| match c.data {
                backedge_ir::constant::ConstData::Int(value) => Some(value.bits()),
                _ => None,
            }) {
                hints.extend([value, value.wrapping_add(1), value.wrapping_sub(1)]);
            }
        }
        let mut globals = HashSet::new();
        for side in [source, target] {
            note_globals(side, &mut globals);
        }
        Some(Self { params, poison: options.poison_inputs, hints: hints.into_iter().collect(), globals })
    }

    /// The `nth` input with other contents of global variables that both modules leave to others or that other code may
    /// have written; every second input stays unchanged.
    pub(crate) fn with_contents(&self, (nth, mut input): (usize, Input), modules: [&Module; 2]) -> Input {
        if nth % 2 == 1 && !self.globals.is_empty() {
            let mut mix = Mix::new(nth as u64);
            let mut choose = |domain: Choices| {
                let shape = mix.below(8);
                domain.clamp(match shape {
                    0..=2 => u128::from(mix.below(4)),
                    3..=4 if !self.hints.is_empty() => {
                        self.hints[mix.below(self.hints.len() as u64) as usize]
                    }
                    5 => domain.last(),
                    _ => mix.wide(),
                })
            };
            input.fill_globals(&modules, &|name| self.globals.contains(name), &mut choose);
        }
        input
    }

    /// Number of inputs of defined bits and poison; `None` if there are pointers, floats or wide integers, or only
    /// globals as inputs.
    pub(crate) fn count(&self) -> Option<u64> {
        if self.params.is_empty() && !self.globals.is_empty() {
            return None;
        }
        self.params.iter().try_fold(1u64, |product, (domain, noundef)| match domain {
            Domain::Scalar { width, float: false } if *width <= 16 => {
                product.checked_mul((1 << width) + u64::from(self.may_be_poison(*noundef)))
            }
            Domain::Scalar { .. } | Domain::Ptr { .. } | Domain::Members(_) => None,
        })
    }

    /// Whether no parameter can be partly or entirely `undef`.
    pub(crate) fn all_noundef(&self) -> bool {
        self.params.iter().all(|(_, noundef)| *noundef)
    }

    /// Whether a parameter that is `noundef` or not may be poison.
    fn may_be_poison(&self, noundef: bool) -> bool {
        self.poison && !noundef
    }

    /// All inputs. Requires that [`Inputs::count`] is not `None`.
    pub(crate) fn all(&self) -> impl Iterator<Item = Input> + '_ {
        let lists: Vec<Vec<ArgSpec>> = self
            .params
            .iter()
            .map(|(domain, noundef)| {
                let Domain::Scalar { width, .. } = domain else { return Vec::new() };
                let poison = self.may_be_poison(*noundef).then_some(ArgSpec::Poison);
                (0..1u128 << width).map(|bits| integer(*width, bits)).chain(poison).collect()
            })
            .collect();
        Product::new(lists).map(Input::new)
    }

    /// At most `limit` inputs, the most significant ones first; generated lazily.
    pub(crate) fn some(&self, limit: u64) -> impl Iterator<Item = Input> + '_ {
        let mut mix = Mix::new(0x6261_636b_6564_6765);
        // Half of the inputs: combinations of the first few values of every parameter.
        let combined = usize::try_from(limit.div_ceil(2)).unwrap_or(usize::MAX);
        let per_param = self.values_per_param(combined);
        let choices: Vec<Vec<usize>> = self.params.iter().map(|_| (0..per_param).collect()).collect();
        let mut choices = Product::new(choices).take(combined).fuse();
        let alone = if self.globals.is_empty() { 1 } else { GLOBAL_INPUTS };
        let count = if self.params.is_empty() { limit.min(alone) } else { limit };
        (0..count).map(move |_| match choices.next() {
            Some(choice) => self.build(&mut mix, |index, domain, noundef, builder, mix| {
                builder.telling(domain, self.may_be_poison(noundef), &self.hints, choice[index], mix)
            }),
            None => self.build(&mut mix, |_, domain, noundef, builder, mix| {
                builder.random(domain, self.may_be_poison(noundef), &self.hints, mix)
            }),
        })
    }

    /// Inputs with undef bits: in one parameter or the buffer that it points to, in all of them, and in a single bit,
    /// with plain values for the others. Only the first [`UNDEF_PLACES`] parameters are tried individually. Empty if no
    /// input can have undef bits.
    pub(crate) fn with_undef(&self) -> Vec<Input> {
        let mut mix = Mix::new(0x756e_6465_6669_6e65);
        let params = self.params.len();
        let places = (0..params.min(UNDEF_PLACES)).map(Some).chain((params > 1).then_some(None));
        let mut list: Vec<Input> = Vec::new();
        for nth in UNDEF_BESIDE {
            for place in places.clone() {
                for kind in [UndefBits::All, UndefBits::One] {
                    let input = self.build(&mut mix, |index, domain, noundef, builder, mix| {
                        let poison = self.may_be_poison(noundef);
                        let plain = builder.telling(domain, poison, &self.hints, nth, mix);
                        let is_undef = place.is_none_or(|place| place == index);
                        if is_undef { undef(domain, noundef, kind, plain) } else { plain }
                    });
                    if input.has_undef() && !list.contains(&input) {
                        list.push(input);
                    }
                }
            }
        }
        list
    }

    /// The largest number of values per parameter with at most `limit` combinations, at least 2.
    fn values_per_param(&self, limit: usize) -> usize {
        let n = u32::try_from(self.params.len()).unwrap_or(u32::MAX).max(1);
        let fits = |k: &usize| k.checked_pow(n).is_some_and(|all| all <= limit);
        (2..=TELLING + 2 * self.hints.len()).take_while(fits).last().unwrap_or(2)
    }

    fn build(
        &self,
        mix: &mut Mix,
        mut value: impl FnMut(usize, &Domain, bool, &mut Builder, &mut Mix) -> ArgSpec,
    ) -> Input {
        let mut builder = Builder::default();
        let params = self.params.iter().enumerate();
        let args = params.map(|(i, (domain, noundef))| {
            let arg = value(i, domain, *noundef, &mut builder, mix);
            if matches!(arg, ArgSpec::Buffer(_)) {
                builder.buffers.push(i);
            }
            arg
        });
        Input::new(args.collect())
    }
}

/// The global variables named by a function and by functions that it names, except constants with known contents.
fn note_globals(side: Side<'_>, globals: &mut HashSet<Arc<str>>) {
    let (mut seen, mut work) = (HashSet::from([side.func]), vec![side.func]);
    while let Some(func) = work.pop() {
        for (_, constant) in side.module.body(func).into_iter().flat_map(|b| b.consts().iter()) {
            match constant.data {
                ConstData::Global(GlobalRef::Var(id)) => {
                    let var = &side.module.env.vars[id];
                    if !var.is_constant || var.definitive_init().is_none() {
                        globals.insert(var.name.clone());
                    }
                }
                ConstData::Global(GlobalRef::Func(id)) if seen.insert(id) => work.push(id),
                _ => {}
            }
        }
    }
}

fn domain(env: &Env, ty: Type, attrs: &AttrList, depth: u32) -> Option<Domain> {
    match ty.kind() {
        TypeKind::Int(width) if width <= Type::MAX_INT_BITS => Some(Domain::Scalar { width, float: false }),
        TypeKind::Float(kind) => Some(Domain::Scalar { width: kind.bits(), float: true }),
        TypeKind::Ptr(_) => {
            let bytes = env.attrs(attrs).map(|a| match a {
                Attr::Int(IntAttr::Dereferenceable | IntAttr::DereferenceableOrNull, n) => *n,
                a => env.pointee_bytes(a),
            });
            let holds_value = env.attrs(attrs).any(|a| env.pointee_bytes(a) > 0);
            Some(Domain::Ptr {
                nonnull: holds_value || env.has_attr(attrs, FlagAttr::NonNull),
                noalias: env.has_attr(attrs, FlagAttr::NoAlias),
                bytes: bytes.max().unwrap_or(0).clamp(BUFFER_BYTES, MAX_BUFFER),
            })
        }
        TypeKind::Compound(id) if depth < 8 => {
            let none = AttrList::default();
            let (len, member): (u64, &dyn Fn(u64) -> Option<Type>) = match env.types.get(id) {
                Compound::Array { len, elem } | Compound::Vector { len, elem, scalable: false } => {
                    (*len, &|_| Some(*elem))
                }
                Compound::Struct { .. } | Compound::Named { .. } => {
                    let fields = env.types.struct_fields(ty)?.0;
                    (fields.len() as u64, &|i| fields.get(i as usize).copied())
                }
                Compound::Vector { scalable: true, .. }
                | Compound::Function { .. }
                | Compound::Target { .. } => return None,
            };
            if len > 64 {
                return None;
            }
            let members = (0..len).map(|i| domain(env, member(i)?, &none, depth + 1));
            Some(Domain::Members(members.collect::<Option<_>>()?))
        }
        TypeKind::Int(_)
        | TypeKind::Compound(_)
        | TypeKind::Void
        | TypeKind::Label
        | TypeKind::Metadata
        | TypeKind::Token => None,
    }
}

/// Number of significant values of an integer, without hints.
const TELLING: usize = 10;

/// Number of parameters that are undef individually.
const UNDEF_PLACES: usize = 32;

/// Indices of the significant values that parameters have next to undef ones.
const UNDEF_BESIDE: [usize; 4] = [2, 0, 4, 1];

/// The undef bits.
#[derive(Copy, Clone)]
enum UndefBits {
    All,
    /// The lowest bit, or one byte of memory.
    One,
}

/// `plain` with undef bits in it, or in the buffer that it points to.
fn undef(domain: &Domain, noundef: bool, kind: UndefBits, plain: ArgSpec) -> ArgSpec {
    match (domain, plain) {
        (Domain::Ptr { .. }, ArgSpec::Buffer(mut contents)) => {
            let len = match kind {
                UndefBits::All => contents.len(),
                UndefBits::One => 1,
            };
            contents.set_undef(0, len);
            ArgSpec::Buffer(contents)
        }
        (Domain::Members(members), ArgSpec::Members(plain)) => {
            let one = members.len() > 1 && matches!(kind, UndefBits::One);
            let all = members.iter().zip(plain).enumerate();
            ArgSpec::Members(
                all.map(
                    |(at, (member, plain))| {
                        if one && at > 0 { plain } else { undef(member, noundef, UndefBits::All, plain) }
                    },
                )
                .collect(),
            )
        }
        (Domain::Scalar { width, .. }, _) if !noundef => match kind {
            UndefBits::One if *width > 1 => ArgSpec::Partial { bits: 0, undef: 1 },
            UndefBits::One | UndefBits::All => ArgSpec::Undef,
        },
        (_, plain) => plain,
    }
}

/// Builds the arguments of one input.
#[derive(Default)]
struct Builder {
    /// Earlier arguments that are pointers to buffers.
    buffers: Vec<usize>,
}

impl Builder {
    /// The `nth` significant value; poison only if `poison` permits it.
    fn telling(
        &mut self,
        domain: &Domain,
        poison: bool,
        hints: &[u128],
        nth: usize,
        mix: &mut Mix,
    ) -> ArgSpec {
        match domain {
            Domain::Scalar { width, float } => {
                let mask = mask(*width);
                let list: [Option<u128>; TELLING] = [
                    Some(1),
                    Some(0),
                    Some(3),
                    None,
                    Some(mask),
                    Some(2),
                    Some(mask >> 1),
                    Some((mask >> 1).wrapping_add(1)),
                    Some(5),
                    Some(8),
                ];
                match (list.get(nth), float) {
                    (Some(None), _) if poison => ArgSpec::Poison,
                    (Some(value), false) => integer(*width, value.unwrap_or(4)),
                    (Some(_), true) => ArgSpec::Bits(float_bits(*width, nth)),
                    (None, _) => match hints.get(nth - TELLING) {
                        Some(hint) => integer(*width, *hint),
                        None => self.random(domain, poison, hints, mix),
                    },
                }
            }
            Domain::Ptr { nonnull, noalias, bytes } => match nth {
                1 if !nonnull => ArgSpec::Null,
                3 if poison => ArgSpec::Poison,
                2 if !noalias && !self.buffers.is_empty() => {
                    ArgSpec::Alias { arg: self.buffers[0], offset: 0 }
                }
                5 if !noalias && !self.buffers.is_empty() => {
                    ArgSpec::Alias { arg: self.buffers[0], offset: 4 }
                }
                _ => fresh(*bytes, nth, mix),
            },
            Domain::Members(members) => {
                ArgSpec::Members(members.iter().map(|m| self.telling(m, poison, hints, nth, mix)).collect())
            }
        }
    }

    fn random(&mut self, domain: &Domain, poison: bool, hints: &[u128], mix: &mut Mix) -> ArgSpec {
        let shape = mix.below(16);
        match domain {
            Domain::Scalar { .. } if shape == 0 && poison => ArgSpec::Poison,
            Domain::Scalar { width, float: true } => {
                let nth = mix.below(16) as usize;
                ArgSpec::Bits(if shape < 8 { float_bits(*width, nth) } else { mix.wide() & mask(*width) })
            }
            Domain::Scalar { width, float: false } => integer(
                *width,
                match shape {
                    0..=7 => u128::from(mix.below(12)),
                    8 => u128::MAX - u128::from(mix.below(6)),
                    9 => (mask(*width) >> 1).wrapping_add(u128::from(mix.below(5))).wrapping_sub(2),
                    10..=12 if !hints.is_empty() => hints[mix.below(hints.len() as u64) as usize],
                    13 => u128::from(mix.below(256)),
                    _ => mix.wide(),
                },
            ),
            Domain::Ptr { nonnull, noalias, bytes } => match shape {
                0 if !nonnull => ArgSpec::Null,
                1..=4 if !noalias && !self.buffers.is_empty() => {
                    let arg = self.buffers[mix.below(self.buffers.len() as u64) as usize];
                    ArgSpec::Alias { arg, offset: 4 * mix.below(5) as i64 }
                }
                15 => fresh(LONG_BUFFER.max(*bytes), shape as usize, mix),
                _ => fresh(*bytes, shape as usize, mix),
            },
            Domain::Members(members) => {
                ArgSpec::Members(members.iter().map(|m| self.random(m, poison, hints, mix)).collect())
            }
        }
    }
}

/// A pointer to a new buffer. Its words are small numbers, or all bytes are arbitrary.
fn fresh(bytes: u64, shape: usize, mix: &mut Mix) -> ArgSpec {
    let len = bytes as usize;
    let mut contents = vec![0; len];
    match shape % 4 {
        0 => contents.iter_mut().step_by(4).enumerate().for_each(|(i, b)| *b = (i as u8).wrapping_add(1)),
        1 => contents.iter_mut().for_each(|b| *b = mix.below(256) as u8),
        2 => contents.iter_mut().for_each(|b| *b = mix.below(4) as u8),
        _ => contents.iter_mut().step_by(4).for_each(|b| *b = mix.below(6) as u8),
    }
    ArgSpec::Buffer(Box::new(Contents::from_bytes(contents)))
}

/// The `nth` significant float of `width` bits: 1, 0, 2, -1, infinity, NaN, -0, 0.5.
pub(crate) fn float_bits(width: u32, nth: usize) -> u128 {
    let values = [1.0, 0.0, 2.0, -1.0, f64::INFINITY, f64::NAN, -0.0, 0.5];
    let value: f64 = values[nth % values.len()];
    match width {
        32 => (value as f32).to_bits().into(),
        64 => value.to_bits().into(),
        // Other formats: a bit pattern that is a valid value.
        _ => nth as u128,
    }
}

/// A scalar of that width by its bits, shown as a signed integer if the width permits.
pub(crate) fn integer(width: u32, bits: u128) -> ArgSpec {
    if width == 0 || width >= 127 {
        return ArgSpec::Bits(bits);
    }
    let sign = 1i128 << (width - 1);
    ArgSpec::Int(((bits & mask(width)) as i128 ^ sign) - sign)
}

pub(crate) fn mask(width: u32) -> u128 {
    u128::MAX >> (128 - width)
}

/// The Cartesian product of the lists; the first list varies slowest.
struct Product<T> {
    lists: Vec<Vec<T>>,
    at: Option<Vec<usize>>,
}

impl<T: Clone> Product<T> {
    fn new(lists: Vec<Vec<T>>) -> Self {
        let at = lists.iter().all(|l| !l.is_empty()).then(|| vec![0; lists.len()]);
        Self { lists, at }
    }
}

impl<T: Clone> Iterator for Product<T> {
    type Item = Vec<T>;

    fn next(&mut self) -> Option<Vec<T>> {
        let at = self.at.as_mut()?;
        let item = at.iter().zip(&self.lists).map(|(i, list)| list[*i].clone()).collect();
        let advanced = at.iter_mut().zip(&self.lists).rev().any(|(i, list)| {
            *i += 1;
            if *i == list.len() {
                *i = 0;
            }
            *i != 0
        });
        if !advanced {
            self.at = None;
        }
        Some(item)
    }
}

/// A random number generator that is deterministic across machines and versions.
pub(crate) struct Mix(SplitMix64);

impl Mix {
    pub(crate) fn new(seed: u64) -> Self {
        Self(SplitMix64::seed_from_u64(seed))
    }
    pub(crate) fn next(&mut self) -> u64 {
        self.0.next_u64()
    }
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.next() % end.max(1)
    }
    fn wide(&mut self) -> u128 {
        u128::from(self.next()) << 64 | u128::from(self.next())
    }
}

#[cfg(test)]
mod tests {
    use super::{Input, Inputs};
    use crate::pair::Side;
    use crate::verdict::Options;
    use backedge_interp::chooser::ZeroChooser;
    use backedge_interp::trace::NoObserver;
    use backedge_interp::{Config, Machine, Program};
    use backedge_ir::parse::parse_module;

    fn inputs<T>(params: &str, use_: impl FnOnce(&Inputs) -> T) -> T {
        let text = format!("define void @f({params}) {{\n  ret void\n}}\n");
        let module = parse_module(text.as_bytes()).unwrap().module;
        let side = Side { module: &module, func: module.env.func_named("f").unwrap() };
        use_(&Inputs::new(side, side, &Options::default()).unwrap())
    }

    #[test]
    fn small_spaces_are_listed_in_full() {
        for (params, count) in
            [("", 1), ("i1 %a", 3), ("i4 noundef %a, i1 %b", 48), ("i8 %a, i7 noundef %b", 257 * 128)]
        {
            inputs(params, |inputs| {
                assert_eq!(inputs.count(), Some(count));
                let all: Vec<Input> = inputs.all().collect();
                assert_eq!(all.len() as u64, count);
                assert!(all.windows(2).all(|w| w[0] != w[1]));
            });
        }
        inputs("ptr %p", |inputs| assert_eq!(inputs.count(), None));
        inputs("i32 %p", |inputs| assert_eq!(inputs.count(), None));
    }

    /// For all types, with and without poison: an input that a run rejects would be useless.
    #[test]
    fn each_input_fits_its_function() {
        let types =
            ["i1", "i2", "i7", "i33", "i64", "i128", "half", "bfloat", "float", "double", "fp128", "ptr"];
        let more = ["<2 x i1>", "{ i1, float }", "[3 x i65]"];
        for ty in types.into_iter().chain(more) {
            for attr in ["", " noundef"] {
                let text =
                    format!("define void @f({ty}{attr} %a, i32 %b, {ty}{attr} %c) {{\n  ret void\n}}\n");
                let module = parse_module(text.as_bytes()).unwrap().module;
                let side = Side { module: &module, func: module.env.func_named("f").unwrap() };
                let config = Config::default();
                let program = Program::new(&module, &config);
                let mut machine = Machine::new(&program, config);
                for input in Inputs::new(side, side, &Options::default()).unwrap().some(400) {
                    let run = machine.run(side.func, &input, &mut ZeroChooser, &mut NoObserver);
                    assert!(run.is_ok(), "{ty}{attr}: {:?}: {:?}", input.args, run.err());
                }
            }
        }
    }

    #[test]
    fn lists_of_some_are_full_and_the_same_every_time() {
        for params in
            ["i32 %a", "ptr %a, ptr %b", "<4 x i8> %v, double %d, { i32, ptr } %s", "i64 noundef %n"]
        {
            inputs(params, |inputs| {
                let some: Vec<Input> = inputs.some(100).collect();
                assert_eq!(some.len(), 100);
                assert!(some.into_iter().eq(inputs.some(100)));
            });
        }
        inputs("", |inputs| assert_eq!(inputs.some(100).count(), 1));
        inputs("i64 %n", |inputs| assert_eq!(inputs.some(u64::MAX).take(3).count(), 3));
    }
}
