//! Claims of a target as code: promises of the target's attributes beyond the source's become UB or poison where the
//! body breaks them, so that runs and the solver judge claims like all other behavior of the target.
//!
//! Single instructions break an attribute ([`Breach`]). Two copies of the target are derived from them. In the first
//! copy, only certain breaches have their effect: a defined run that reaches one refutes the claim. In the second copy,
//! every possible breach is UB: if that copy refines the source, the claims are proved. If neither copy decides, the
//! verdict names the claims that it assumes.

use super::{Side, as_ref};
use backedge_ir::constant::{ConstData, Constant, GlobalRef};
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::{FuncId, Inst};
use backedge_ir::inst::{CallInfo, GepFlags, InstData, InstKind, MemAccess, Value};
use backedge_ir::int::Int;
use backedge_ir::module::Module;
use backedge_ir::opcode::IntPredicate;
use backedge_ir::types::Type;
use backedge_smt::promises::breach::{Breach, Effect};
use backedge_smt::promises::{self, Promised};

/// Selects the breaches that have an effect.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Which {
    /// Certain breaches.
    Sure,
    /// All possible breaches; each is UB.
    Possible,
}

/// A copy of the target's module in which breaches of its claims have an effect; `None` if there are none.
pub(crate) fn hardened(source: Side<'_>, target: Side<'_>, which: Which) -> Option<Module> {
    target.module.body(target.func)?;
    source.module.body(source.func)?;
    if is_same_function(source, target) {
        return None;
    }
    let mut claims = promises::beyond(as_ref(source), as_ref(target));
    // If the source may break the claim in the same run, a breach is no refutation.
    claims.retain(|claim| which == Which::Possible || !claim.shared);
    harden(target, &effects(&claims, which))
}

/// Copies of both modules for claims that the source makes too. In the source's copy every possible breach has its
/// maximal effect; in the target's copy certain breaches have their effect. Only refutations of the copies count.
/// `None` if no certain breach exists, or if the source's breaches are unknown.
pub(crate) fn hardened_for_shared_claims(source: Side<'_>, target: Side<'_>) -> Option<[Module; 2]> {
    let claims = promises::beyond(as_ref(source), as_ref(target));
    let shared = claims.iter().filter(|p| p.shared && p.claim.is_some());
    let shared: Vec<&Promised> = shared.filter(|p| p.breaches.iter().any(|b| b.sure.is_some())).collect();
    let mut excused = Vec::new();
    for claim in &shared {
        excused.extend(claim.of_source.as_ref()?.iter().map(|breach| (breach.inst, breach.at_most)));
    }
    if shared.is_empty() {
        return None;
    }
    let hardened = harden(target, &effects(&claims, Which::Sure))?;
    let source = harden(source, &excused).unwrap_or_else(|| source.module.clone());
    Some([source, hardened])
}

/// Whether the functions have the same attributes and the same code, so that no claim is the target's alone.
fn is_same_function(source: Side<'_>, target: Side<'_>) -> bool {
    std::ptr::eq(source.module, target.module) && source.func == target.func
}

/// The effects of the breaches of claims, without duplicates.
fn effects(claims: &[Promised], which: Which) -> Vec<(Inst, Effect)> {
    let breaches = claims.iter().filter(|p| p.claim.is_some()).flat_map(|p| &p.breaches);
    let mut found: Vec<(Inst, Effect)> = Vec::new();
    for Breach { inst, sure, .. } in breaches {
        let effect = match which {
            Which::Sure => *sure,
            Which::Possible => Some(Effect::Undefined),
        };
        if let Some(effect) = effect.map(|effect| (*inst, effect))
            && !found.contains(&effect)
        {
            found.push(effect);
        }
    }
    found
}

fn harden(target: Side<'_>, effects: &[(Inst, Effect)]) -> Option<Module> {
    if effects.is_empty() {
        return None;
    }
    let mut module = target.module.clone();
    let ty = module.env.types.function(Type::VOID, &[Type::I1], false);
    let assume = module.env.declare_intrinsic("llvm.assume", ty)?;
    let (_, body) = module.body_mut(target.func)?;
    let mut editor = Editor::new(body);
    for (inst, effect) in effects {
        apply(&mut editor, (assume, ty), *inst, *effect);
    }
    module.adopt_declarations();
    Some(module)
}

fn apply(editor: &mut Editor<'_>, (assume, ty): (FuncId, Type), inst: Inst, effect: Effect) {
    let demand = |editor: &mut Editor<'_>, condition: Value| {
        let callee: Value = editor.consts().global(Type::ptr(0), GlobalRef::Func(assume)).into();
        let kind = InstKind::Call(Box::new(CallInfo::plain(ty, 1)));
        editor.insert(Position::Before(inst), InstData::new(kind, Type::VOID, [condition, callee], []));
    };
    match effect {
        Effect::Undefined => {
            let never = editor.int(Int::bool(false));
            demand(editor, never);
        }
        Effect::UndefinedUnlessNull(pointer) => {
            let ty = editor_type(editor, pointer);
            let null = editor.constant(Constant { ty, data: ConstData::Zero }).into();
            let kind = InstKind::ICmp { pred: IntPredicate::Eq, samesign: false };
            let data = InstData::new(kind, Type::I1, [pointer, null], []);
            let is_null = editor.insert(Position::Before(inst), data);
            demand(editor, is_null.into());
        }
        Effect::Poison => {
            let ty = editor.body().inst(inst).ty;
            let poison = editor.poison(ty);
            editor.replace_uses(inst.into(), poison);
        }
        Effect::Forgets { arg, at, len } => {
            let pointer = Value::from(arg);
            let index = editor.int(Int::new(64, i128::from(at).cast_unsigned()));
            let kind = InstKind::Gep { source: Type::I8, flags: GepFlags::default() };
            let data = InstData::new(kind, editor_type(editor, pointer), [pointer, index], []);
            let place = editor.insert(Position::Before(inst), data);
            let undef = editor.consts().undef(Type::I8);
            debug_assert_eq!(len, 1);
            let access = MemAccess { align: Some(1), volatile: false, ordering: None, syncscope: None };
            let data = InstData::new(
                InstKind::Store(Box::new(access)),
                Type::VOID,
                [undef.into(), place.into()],
                [],
            );
            editor.insert(Position::Before(inst), data);
        }
    }
}

fn editor_type(editor: &Editor<'_>, value: Value) -> Type {
    editor.body().ty(value)
}
