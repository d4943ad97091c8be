//! The module around `@f`: the function's signature, a global variable, and the region that forms its body.

use super::draw::Draw;
use super::knobs::{Knob, Knobs};
use super::memory::Base;
use super::writer::Writer;
use backedge_ir::attr::{Attr, AttrList, FlagAttr, IntAttr};
use backedge_ir::body::Body;
use backedge_ir::constant::{ConstData, Constant, GlobalRef};
use backedge_ir::editor::Editor;
use backedge_ir::entity::FuncId;
use backedge_ir::module::{Code, Env, Function, GlobalVar, Linkage, Module, TopLevel};
use backedge_ir::types::Type;

/// Size in bytes of the memory objects that programs access: all iterations of most loops stay in bounds.
pub(super) const OBJECT_BYTES: u64 = 64;

/// A generated program.
pub(super) struct Written {
    pub(super) module: Module,
    pub(super) func: FuncId,
    pub(super) used: Knobs,
    pub(super) loops: usize,
}

/// Decisions made before any code is generated.
struct Shape {
    widths: Vec<u32>,
    /// Arguments: types, and whether they are `noundef`.
    params: Vec<(Type, bool)>,
    returns: Vec<Type>,
    has_memory: bool,
    mustprogress: bool,
    noalias: bool,
    /// The number of bytes for `dereferenceable` on pointer arguments, and for `align`.
    dereferenceable: Option<[u64; 2]>,
}

/// Generates a program.
///
/// `later` are the decisions about later knobs.
pub(super) fn program<'w, 'b>(
    [mut draw, mut later]: [Draw<'w, 'b>; 2],
    knobs: Knobs,
    favoured: Knobs,
) -> Written {
    let shape = shape(&mut draw, &mut later, knobs);
    let mut module = Module::default();
    let return_type = match *shape.returns {
        [ty] => ty,
        ref many => module.env.types.structure(many, false),
    };
    let global = shape.has_memory.then(|| declare_global(&mut module.env));
    let (func, mut body) = declare(&mut module.env, &shape, return_type);
    let (used, loops) = {
        let mut editor = Editor::new(&mut body);
        let mut scope = Vec::new();
        let mut bases = Vec::new();
        for (i, (ty, _)) in shape.params.iter().enumerate() {
            let name = ["n", "x", "c", "p", "q"].get(i).copied();
            let value = editor.add_arg(*ty, name).into();
            if ty.is_ptr() {
                bases.push(Base { pointer: value, bytes: OBJECT_BYTES, moves: false });
            } else {
                scope.push((*ty, value));
            }
        }
        if let Some(global) = global {
            let pointer = editor.consts().global(Type::PTR, global).into();
            bases.push(Base { pointer, bytes: OBJECT_BYTES, moves: false });
        }
        let block = editor.add_block(Some("entry"));
        let used = [
            (Knob::MustProgress, shape.mustprogress),
            (Knob::NoAlias, shape.noalias),
            (Knob::Dereferenceable, shape.dereferenceable.is_some()),
            (Knob::NoUndefArguments, shape.params.iter().any(|(_, noundef)| *noundef)),
            (Knob::Wide, shape.widths.iter().any(|w| *w > 8)),
        ];
        let used = used.into_iter().filter(|(_, is)| *is).map(|(knob, _)| knob).collect();
        let budget = draw.between(6, 26);
        let mut writer = Writer {
            env: &mut module.env,
            editor,
            draw,
            later,
            is_aside: false,
            knobs,
            favoured,
            used,
            block,
            scope,
            bases,
            widths: shape.widths,
            returns: shape.returns,
            return_type,
            loops: Vec::new(),
            loop_count: 0,
            budget,
            recent: Vec::new(),
            slot: None,
        };
        writer.function();
        (writer.used, writer.loop_count)
    };
    module.code.push(Code::Body(Box::new(body)));
    module.adopt_declarations();
    Written { module, func, used, loops }
}

fn shape(draw: &mut Draw<'_, '_>, later: &mut Draw<'_, '_>, knobs: Knobs) -> Shape {
    const NARROW: [u32; 10] = [8, 4, 3, 5, 8, 6, 7, 8, 2, 1];
    const WIDE: [u32; 6] = [32, 64, 16, 13, 33, 9];
    let mut widths = vec![draw.pick(&NARROW)];
    if knobs.has(Knob::Wide) {
        widths.insert(draw.below(2), draw.pick(&WIDE));
    }
    if knobs.has(Knob::Casts) {
        widths.push(draw.pick(&NARROW));
    }
    let first = Type::int(widths[0]);
    let noundef = knobs.has(Knob::NoUndefArguments);
    let mut params = vec![(first, noundef && draw.chance(70)), (first, noundef && draw.chance(70))];
    params.push((Type::I1, noundef && draw.chance(70)));
    let users =
        [Knob::Memory, Knob::Pointers, Knob::Fills, Knob::Copies, Knob::FixedAddresses, Knob::AffineNests];
    let has_memory = users.iter().any(|k| knobs.has(*k));
    if has_memory {
        params.push((Type::PTR, noundef && draw.chance(70)));
        params.push((Type::PTR, noundef && draw.chance(70)));
    }
    let returns = (0..draw.pick(&[1, 1, 2, 3, 4]))
        .map(|_| if draw.chance(80) { Type::int(draw.pick(&widths)) } else { Type::I1 })
        .collect();
    let mustprogress = knobs.has(Knob::MustProgress) && draw.chance(60);
    let noalias = has_memory && knobs.has(Knob::NoAlias) && draw.chance(60);
    let promises = has_memory && knobs.has(Knob::Dereferenceable) && later.chance(60);
    let dereferenceable = promises.then(|| [later.pick(&[OBJECT_BYTES, 32, 16]), later.pick(&[1, 4, 8])]);
    Shape { widths, params, returns, has_memory, mustprogress, noalias, dereferenceable }
}

fn declare_global(env: &mut Env) -> GlobalRef {
    let ty = env.types.array(OBJECT_BYTES, Type::I8);
    let init = env.consts.intern(Constant { ty, data: ConstData::Zero });
    let id = env.vars.push(GlobalVar {
        name: "g".into(),
        ty,
        linkage: Linkage::External,
        prefix_words: Vec::new(),
        addrspace: 0,
        is_constant: false,
        init: Some(init),
        align: Some(16),
        suffix: Vec::new(),
        metadata: Vec::new(),
    });
    env.symbols.insert("g".into(), GlobalRef::Var(id));
    env.order.push(TopLevel::Var(id));
    GlobalRef::Var(id)
}

fn declare(env: &mut Env, shape: &Shape, return_type: Type) -> (FuncId, Body) {
    let types: Vec<Type> = shape.params.iter().map(|(ty, _)| *ty).collect();
    let ty = env.types.function(return_type, &types, false);
    let attrs = |flags: &[(FlagAttr, bool)]| AttrList {
        own: flags.iter().filter(|(_, is)| *is).map(|(flag, _)| Attr::Flag(*flag)).collect(),
        ..AttrList::default()
    };
    let param_attrs = shape.params.iter().map(|(ty, noundef)| {
        let mut list =
            attrs(&[(FlagAttr::NoAlias, ty.is_ptr() && shape.noalias), (FlagAttr::NoUndef, *noundef)]);
        if let Some([bytes, align]) = shape.dereferenceable.filter(|_| ty.is_ptr()) {
            list.own.push(Attr::Int(IntAttr::Dereferenceable, bytes));
            list.own.push(Attr::Int(IntAttr::Align, align));
        }
        list
    });
    let func = env.funcs.push(Function {
        name: "f".into(),
        ty,
        linkage: Linkage::External,
        prefix_words: Vec::new(),
        cc: "".into(),
        ret_attrs: AttrList::default(),
        param_attrs: param_attrs.collect(),
        unnamed_addr: "".into(),
        addrspace: 0,
        attrs: attrs(&[(FlagAttr::MustProgress, shape.mustprogress)]),
        suffix: Vec::new(),
        metadata: Vec::new(),
        intrinsic: None,
        asm: None,
    });
    env.symbols.insert("f".into(), GlobalRef::Func(func));
    env.order.push(TopLevel::Func(func));
    (func, Body::default())
}
