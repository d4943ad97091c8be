//! Values as text: `i32 3`, `poison`, `ptr 0x1000`, `{ i32 1, i1 0 }`.

use crate::value::{Cube, Val};
use backedge_ir::int::Int;
use backedge_ir::module::Env;
use backedge_ir::types::{Type, TypeKind};

/// A value with its type, as in LLVM's text; poison and undef stand without one. Integers are signed. A value of which
/// only some bits are undefined is written bit by bit, `?` for undefined ones.
pub fn typed_value(env: &Env, ty: Type, value: &Val) -> String {
    match value {
        Val::Agg(members) => {
            let member_ty = |i: usize| env.types.member(ty, i as u64).unwrap_or(Type::VOID);
            let parts: Vec<String> =
                members.iter().enumerate().map(|(i, m)| typed_value(env, member_ty(i), m)).collect();
            format!("{{ {} }}", parts.join(", "))
        }
        Val::Poison => "poison".to_owned(),
        Val::Ptr(ptr) if ptr.addr == 0 => "ptr null".to_owned(),
        Val::Ptr(ptr) => format!("ptr {:#x}", ptr.addr),
        Val::Bits(bits) => scalar(ty, Cube::known((*bits).into())),
        Val::Wide(cube) => scalar(ty, **cube),
    }
}

fn scalar(ty: Type, cube: Cube) -> String {
    let width = match ty.kind() {
        TypeKind::Int(width) => width.min(128),
        TypeKind::Float(kind) => kind.bits(),
        TypeKind::Ptr(_) => 64,
        TypeKind::Void | TypeKind::Label | TypeKind::Metadata | TypeKind::Token | TypeKind::Compound(_) => {
            128
        }
    };
    if cube.undef == crate::value::mask(width) {
        return "undef".to_owned();
    }
    if !cube.is_known() {
        let digit = |i: u32| match (cube.undef >> i & 1, cube.bits >> i & 1) {
            (1, _) => '?',
            (_, 1) => '1',
            _ => '0',
        };
        let bits: String = (0..width).rev().map(digit).collect();
        return format!("{ty:?} 0b{bits}");
    }
    match ty.kind() {
        TypeKind::Int(1) => format!("i1 {}", cube.bits != 0),
        TypeKind::Int(_) => format!("{ty:?} {}", Int::new(width, cube.bits).signed()),
        TypeKind::Float(backedge_ir::types::FloatKind::Float) => {
            format!("float {:?}", f32::from_bits(cube.bits as u32))
        }
        TypeKind::Float(backedge_ir::types::FloatKind::Double) => {
            format!("double {:?}", f64::from_bits(cube.bits as u64))
        }
        TypeKind::Float(_)
        | TypeKind::Ptr(_)
        | TypeKind::Void
        | TypeKind::Label
        | TypeKind::Metadata
        | TypeKind::Token
        | TypeKind::Compound(_) => format!("{ty:?} {:#x}", cube.bits),
    }
}
