//! Random function inputs, with extreme values and poison, for comparing two models of the language.

use crate::replay::inputs::Mix;
use backedge_interp::input::{ArgSpec, BlockSpec, Input};
use backedge_interp::memory::Contents;
use backedge_ir::attr::{Attr, AttrList, FlagAttr, TypeAttr};
use backedge_ir::entity::FuncId;
use backedge_ir::module::Module;
use backedge_ir::types::{Compound, FloatKind, Type, TypeKind};

fn bits(mix: &mut Mix, width: u32) -> u128 {
    let mask = u128::MAX >> (128 - width);
    let value = match mix.below(6) {
        0 => 0,
        1 => mask,
        2 => 1 << (width - 1),
        3 => mask >> 1,
        4 => mix.below(9).into(),
        _ => u128::from(mix.next()) << 64 | u128::from(mix.next()),
    };
    value & mask
}

fn float(mix: &mut Mix, kind: FloatKind) -> u128 {
    const NICE: [f64; 10] =
        [0.0, -0.0, 1.0, -2.5, 100.0, 1e30, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 3e-320];
    let nice = NICE[mix.below(10) as usize];
    match kind {
        FloatKind::Float => (nice as f32).to_bits().into(),
        FloatKind::Double => nice.to_bits().into(),
        _ => bits(mix, kind.bits()),
    }
}

fn contents(mix: &mut Mix, size: usize) -> Contents {
    let mut contents = Contents::from_bytes((0..size).map(|_| bits(mix, 8) as u8).collect());
    for at in 0..size {
        match mix.below(24) {
            0 => contents.set_poison(at, 1),
            1 => contents.set_undef(at, 1),
            _ => {}
        }
    }
    contents
}

/// Bytes of a buffer, unless a global variable determines the size.
const BUFFER_BYTES: usize = 16;

/// The first writable global variable that is an array of bytes, with its size.
fn byte_array(module: &Module) -> Option<(String, usize)> {
    module.env.vars.values().filter(|v| !v.is_constant).find_map(|v| match module.env.types.compound(v.ty) {
        Some(Compound::Array { len, elem: Type::I8 }) => {
            Some((v.name.to_string(), usize::try_from(*len).ok()?))
        }
        _ => None,
    })
}

/// Objects that arguments may refer to.
#[derive(Copy, Clone)]
struct Surroundings<'a> {
    module: &'a Module,
    /// A global variable.
    global: Option<&'a str>,
    /// Size in bytes of the global variable and of buffers.
    bytes: usize,
}

/// A random argument of type `ty`; `pointers` are the indices of the earlier pointer arguments.
fn argument(mix: &mut Mix, around: Surroundings<'_>, ty: Type, pointers: &[usize]) -> ArgSpec {
    let module = around.module;
    match mix.below(24) {
        0 => return ArgSpec::Poison,
        1 => return ArgSpec::Undef,
        _ => {}
    }
    match ty.kind() {
        TypeKind::Int(width) => ArgSpec::Bits(bits(mix, width)),
        TypeKind::Float(kind) => ArgSpec::Bits(float(mix, kind)),
        TypeKind::Ptr(_) => match (mix.below(12), around.global) {
            (0, _) => ArgSpec::Null,
            (1, Some(name)) => ArgSpec::Global { name: name.to_owned(), offset: mix.below(8) as i64 },
            (2 | 3, _) if !pointers.is_empty() => {
                let arg = pointers[mix.below(pointers.len() as u64) as usize];
                ArgSpec::Alias { arg, offset: mix.below(4) as i64 }
            }
            (4, _) => {
                let offset = mix.below(16) as i64 - 4;
                ArgSpec::Inside { contents: Box::new(contents(mix, 12)), offset }
            }
            _ => ArgSpec::Buffer(Box::new(contents(mix, around.bytes))),
        },
        _ => {
            let count = match module.env.types.compound(ty) {
                Some(Compound::Vector { len, .. } | Compound::Array { len, .. }) => *len,
                _ => 0,
            };
            let member = module.env.types.member(ty, 0).unwrap_or(Type::VOID);
            ArgSpec::Members((0..count).map(|_| argument(mix, around, member, &[])).collect())
        }
    }
}

/// A random input for `func`, and a seed for the choices of a run on it; deterministic in `number`. `None` if `func` is
/// not a function.
pub fn random_case(module: &Module, func: FuncId, number: u64) -> Option<(Input, u64)> {
    let mut mix = Mix::new(number);
    let input = random_input(&mut mix, module, func)?;
    Some((input, mix.next()))
}

/// The size in bytes of a `byval` argument's copy.
fn copied_bytes(module: &Module, list: &AttrList) -> Option<usize> {
    let env = &module.env;
    let ty = env.attrs(list).find_map(|attr| match attr {
        Attr::Type(TypeAttr::ByVal, ty) => *ty,
        _ => None,
    })?;
    env.layout.alloc_bytes(&env.types, ty).and_then(|bytes| usize::try_from(bytes).ok())
}

fn random_input(mix: &mut Mix, module: &Module, func: FuncId) -> Option<Input> {
    let (_, params, _) = module.env.types.signature(module.env.funcs[func].ty)?;
    let mut args: Vec<ArgSpec> = Vec::new();
    let mut pointers = Vec::new();
    let global = byte_array(module);
    let surroundings = Surroundings {
        module,
        global: global.as_ref().map(|(name, _)| &**name),
        bytes: global.as_ref().map_or(BUFFER_BYTES, |(_, bytes)| *bytes),
    };
    for (i, ty) in params.iter().enumerate() {
        // The encoder assumes that nothing else points to the object of a `noalias` argument.
        let header = &module.env.funcs[func];
        let apart = header.param_attrs.get(i).is_some_and(|a| module.env.has_attr(a, FlagAttr::NoAlias));
        // A `byval` argument is a copy of the given size.
        let copied = header.param_attrs.get(i).and_then(|list| copied_bytes(module, list));
        let arg = if apart || copied.is_some() {
            ArgSpec::Buffer(Box::new(contents(mix, copied.unwrap_or(surroundings.bytes))))
        } else {
            argument(mix, surroundings, *ty, &pointers)
        };
        if !apart && !matches!(arg, ArgSpec::Poison | ArgSpec::Undef) && ty.is_ptr() {
            pointers.push(i);
        }
        args.push(arg);
    }
    let globals = global.map(|(name, bytes)| (name, BlockSpec::new(contents(mix, bytes))));
    let globals = globals.into_iter().collect();
    Some(Input { globals, ..Input::new(args) })
}
