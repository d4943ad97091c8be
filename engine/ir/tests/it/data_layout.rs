//! Sizes, alignments and offsets of types: a handwritten table, and a comparison with `opt`, which folds address
//! arithmetic on a null pointer, for every type and layout below.

use backedge_ir::data_layout::DataLayout;
use backedge_ir::entity::EntityId;
use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use backedge_ir::types::{Compound, StructBody, Type, TypeTable};
use backedge_testkit::peer;

const LAYOUTS: [&str; 8] = [
    "",
    "e",
    "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128",
    "e-m:e-p:32:32-p270:32:32-p271:32:32-p272:64:64-i128:128-f64:32:64-f80:32-n8:16:32-S128",
    "e-m:e-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128-Fn32",
    "E-m:e-i64:64-n32:64",
    "e-p:16:16-p1:32:32:32:16-i32:16-i64:32:64-f64:16-v64:32-v128:64-a:32:64",
    "e-i1:32-i16:64-i24:8-a:0:64-v32:16",
];

const TYPES: [&str; 40] = [
    "i1",
    "i3",
    "i8",
    "i15",
    "i16",
    "i24",
    "i31",
    "i32",
    "i33",
    "i64",
    "i65",
    "i96",
    "i128",
    "half",
    "bfloat",
    "float",
    "double",
    "x86_fp80",
    "fp128",
    "ppc_fp128",
    "ptr",
    "ptr addrspace(1)",
    "ptr addrspace(270)",
    "[3 x i16]",
    "[5 x i24]",
    "[0 x i64]",
    "<2 x i32>",
    "<3 x i32>",
    "<4 x i32>",
    "<8 x i1>",
    "<3 x i1>",
    "<2 x ptr>",
    "<5 x i16>",
    "{}",
    "{ i8 }",
    "{ i8, i32, i8, i64 }",
    "<{ i8, i32, i8, i64 }>",
    "{ i16, [3 x i24], x86_fp80 }",
    "{ { i8, ptr }, <4 x i8>, i1 }",
    "[2 x { i1, i128, i1 }]",
];

/// A module with this layout and a variable of each type.
fn module(layout: &str) -> (Module, String) {
    let mut text = String::new();
    if !layout.is_empty() {
        text.push_str(&format!("target datalayout = \"{layout}\"\n"));
    }
    for (i, ty) in TYPES.iter().enumerate() {
        text.push_str(&format!("@t{i} = external global {ty}\n"));
    }
    let parsed = parse_module(text.as_bytes()).unwrap_or_else(|e| panic!("{layout}: {e}"));
    (parsed.module, text)
}

fn types(module: &Module) -> Vec<Type> {
    module.env.vars.values().map(|v| v.ty).collect()
}

#[test]
fn sizes_and_alignments_of_some_types_by_hand() {
    let x86 = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128";
    let (module, _) = module(x86);
    let (types, layout, table) = (types(&module), &module.env.layout, &module.env.types);
    // Size in bits, store size, allocation size, alignment.
    let expected = [
        ("i1", 1, 1, 1, 1),
        ("i24", 24, 3, 4, 4),
        ("i65", 65, 9, 16, 16),
        ("x86_fp80", 80, 10, 16, 16),
        ("ptr addrspace(270)", 32, 4, 4, 4),
        ("<3 x i32>", 96, 12, 16, 16),
        ("<3 x i1>", 3, 1, 1, 1),
        ("{ i8, i32, i8, i64 }", 192, 24, 24, 8),
        ("<{ i8, i32, i8, i64 }>", 112, 14, 14, 1),
    ];
    for (text, bits, store, alloc, align) in expected {
        let ty = types[TYPES.iter().position(|t| *t == text).expect("a type of the table")];
        let found = (
            layout.size_bits(table, ty),
            layout.store_bytes(table, ty),
            layout.alloc_bytes(table, ty),
            layout.abi_align(table, ty),
        );
        assert_eq!(found, (Some(bits), Some(store), Some(alloc), Some(align)), "{text}");
    }
}

#[test]
fn sizes_that_do_not_fit_are_refused() {
    let text = "@a = external global [1152921504606846976 x [1152921504606846976 x i64]]\n\
                @b = external global { [2305843009213693952 x i8], i8 }\n";
    let module = parse_module(text.as_bytes()).expect("types of any size").module;
    for ty in types(&module) {
        assert_eq!(module.env.layout.size_bits(&module.env.types, ty), None);
    }
}

/// Three hundred levels of pairs have 2^300 scalars. (The parser accepts no deeper types; `type_bounds` builds them.)
#[test]
fn nested_and_shared_types_cost_no_more_than_their_text() {
    let chain = |levels: usize, fields: fn(usize) -> String| {
        let mut text = "%t0 = type { i8 }\n".to_owned();
        for level in 1..levels {
            text.push_str(&format!("%t{level} = type {{ {} }}\n", fields(level - 1)));
        }
        text.push_str(&format!("@a = external global %t{}\n", levels - 1));
        parse_module(text.as_bytes()).expect("it is right").module
    };
    let size = |module: &Module| module.env.layout.alloc_bytes(&module.env.types, types(module)[0]);
    assert_eq!(size(&chain(300, |inner| format!("%t{inner}, %t{inner}"))), None);
    assert_eq!(size(&chain(21, |inner| format!("%t{inner}, %t{inner}"))), Some(1 << 20));
    assert_eq!(size(&chain(300, |inner| format!("%t{inner}"))), Some(1));
}

#[test]
fn a_struct_that_contains_itself_has_no_size() {
    let mut table = TypeTable::default();
    let [a, b] = ["a", "b"].map(|name| table.intern(Compound::Named { name: name.into() }));
    for (ty, inner) in [(a, b), (b, a)] {
        assert!(table.set_body(ty, StructBody { fields: [Type::I8, inner].into(), packed: false }));
    }
    for ty in [a, b] {
        assert_eq!(DataLayout::default().size_bits(&table, ty), None);
        assert_eq!(DataLayout::default().struct_layout(&table, ty), None);
    }
}

#[test]
fn wrong_layouts_are_errors() {
    for text in
        ["e-q", "p:", "p:64", "p:0:8", "p:64:64:64:65", "i0:8", "i32", "i32:3", "i32:24", "v1x:8", "é"]
    {
        let error = DataLayout::parse(text).expect_err(text);
        assert!(text.contains(&error.spec), "{error}");
    }
}

/// The size and alignment that `opt` computes for a type, and the field offsets if it is a struct.
#[test]
fn sizes_alignments_and_offsets_are_those_of_opt() {
    let Some(opt) = peer("opt", "data layouts against opt") else { return };
    for layout in LAYOUTS {
        let (module, mut text) = module(layout);
        let (env, mut expected) = (&module.env, Vec::new());
        for (i, ty) in types(&module).into_iter().enumerate() {
            let spelled = TYPES[i];
            let mut ask = |name: String, source: String, path: String, answer: u64| {
                text.push_str(&format!(
                    "define i64 @{name}() {{\n  %p = getelementptr {source}, ptr null, {path}\n  \
                     %n = ptrtoint ptr %p to i64\n  ret i64 %n\n}}\n"
                ));
                expected.push((name, answer));
            };
            let size = env.layout.alloc_bytes(&env.types, ty).expect("a size");
            ask(format!("size{i}"), spelled.to_owned(), "i64 1".to_owned(), size);
            let align = env.layout.abi_align(&env.types, ty).expect("an alignment");
            ask(format!("align{i}"), format!("{{ i8, {spelled} }}"), "i64 0, i32 1".to_owned(), align);
            let offsets = env.layout.struct_layout(&env.types, ty).map(|l| l.offsets).unwrap_or_default();
            for (field, offset) in offsets.into_iter().enumerate() {
                ask(format!("offset{i}.{field}"), spelled.to_owned(), format!("i64 0, i32 {field}"), offset);
            }
        }
        let answer = opt.run(&["-S", "-passes=instcombine", "-o", "-", "-"], text.as_bytes());
        assert!(answer.ok(), "{layout}: {}", answer.stderr);
        let folded = parse_module(answer.stdout.as_bytes()).expect("what opt printed").module;
        for (name, wanted) in expected {
            let func = folded.env.func_named(&name).expect("every function is still there");
            let body = folded.body(func).expect("a body");
            let ret = body.terminator(body.entry().expect("a block")).expect("a ret");
            let found = body.as_int(body.inst(ret).operands[0]).and_then(|n| n.to_u64());
            let ty =
                name.trim_start_matches(char::is_alphabetic).split('.').next().and_then(|n| n.parse().ok());
            let ty: usize = ty.expect("the name ends in the number of a type");
            assert_eq!(found, Some(wanted), "{name} of {} in {layout:?}", TYPES[ty]);
        }
        assert_eq!(env.vars.keys().next_back().map(EntityId::index), Some(TYPES.len() - 1));
    }
}
