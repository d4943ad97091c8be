//! Types that contain themselves, nest deeply, or share members so that they are exponentially larger than their text:
//! they are rejected with their position, or parsed and laid out in time linear in the text.

use backedge_ir::data_layout::DataLayout;
use backedge_ir::module::Code;
use backedge_ir::parse::{LineIndex, ParseError, ParseErrorKind, Parsed, parse_module, read_module};
use backedge_ir::print::module_to_string;
use backedge_ir::types::{Type, TypeTable};
use backedge_testkit::peer;
use std::time::{Duration, Instant};

fn error(source: &str) -> ParseError {
    parse_module(source.as_bytes()).expect_err(source)
}

fn chain(levels: usize, level: impl Fn(usize) -> String) -> String {
    (1..=levels).map(|i| level(i) + "\n").collect()
}

/// Parses, verifies, prints and parses again, within seconds.
fn read(source: &str) -> Parsed {
    let start = Instant::now();
    let parsed = read_module(source.as_bytes()).unwrap_or_else(|wrong| panic!("{}", wrong[0].message));
    let printed = module_to_string(&parsed.module);
    let again = read_module(printed.as_bytes()).unwrap_or_else(|wrong| panic!("{}", wrong[0].message));
    assert_eq!(module_to_string(&again.module), printed);
    assert!(start.elapsed() < Duration::from_secs(20), "took {:?}", start.elapsed());
    parsed
}

const RECURSIVE: [(&str, u32); 5] = [
    ("%a = type { %a }\n", 1),
    ("%a = type { i32, %b }\n%b = type { [2 x %a] }\n", 1),
    ("%p = type { ptr }\n%a = type { %p, <{ i8, %c }> }\n%b = type { [0 x %a] }\n%c = type { %b, %b }\n", 2),
    ("define void @f(ptr %p) {\n  getelementptr %a, ptr %p, i32 1\n  ret void\n}\n%a = type { { %a } }\n", 5),
    ("@x = global %a zeroinitializer\n%a = type { i8, %b }\n%b = type { %c }\n%c = type { %b }\n", 2),
];

#[test]
fn a_struct_that_contains_itself_is_refused_with_its_place() {
    for (source, line) in RECURSIVE {
        let error = error(source);
        assert_eq!(error.kind, ParseErrorKind::Invalid("a struct that contains itself".into()), "{source}");
        assert_eq!(LineIndex::new(source.as_bytes()).line_col(error.span.start).line, line, "{source}");
    }
    // A type does not contain itself through pointers and functions.
    read("%a = type { ptr, i32 }\n%f = type ptr\n@x = global %a zeroinitializer\n");
}

#[test]
fn llvm_as_refuses_them_too() {
    let Some(llvm_as) = peer("llvm-as", "llvm-as on structs that contain themselves") else { return };
    for (source, _) in RECURSIVE {
        let answer = llvm_as.run(&["-disable-output"], source.as_bytes());
        assert!(!answer.ok(), "{source}: {}", answer.stderr);
    }
}

#[test]
fn a_query_of_layout_ends_on_any_table() {
    let mut types = TypeTable::default();
    let layout = DataLayout::default();
    let mut deep = Type::I8;
    for _ in 0..100_000 {
        deep = types.structure(&[deep], false);
    }
    assert_eq!(layout.size_bits(&types, deep), Some(8));
    // A large member type that occurs many times is measured once.
    let large = types.structure(&vec![Type::I8; 50_000], false);
    let whole = types.structure(&vec![large; 50_000], true);
    let start = Instant::now();
    assert_eq!(layout.alloc_bytes(&types, whole), Some(50_000 * 50_000));
    assert!(start.elapsed() < Duration::from_secs(5));
}

/// Each struct occurs twice in the next one: 2^60 members, whose size is computed instantly.
#[test]
fn structs_that_double() {
    let doubled = chain(60, |i| format!("%a{i} = type {{ %a{}, %a{} }}", i - 1, i - 1));
    let parsed = read(&format!(
        "%a0 = type {{ i8 }}\n{doubled}@x = external global %a60\n\
         define ptr @f(ptr %p) {{\n  %q = getelementptr %a60, ptr %p, i64 0, i32 1, i32 1\n  ret ptr %q\n}}\n"
    ));
    let var = parsed.module.env.vars.values().next().expect("a variable");
    let (types, layout) = (&parsed.module.env.types, &parsed.module.env.layout);
    assert_eq!(layout.alloc_bytes(types, var.ty), Some(1 << 60));
    assert_eq!(layout.struct_layout(types, var.ty).expect("a layout").offsets, [0, 1 << 59]);
    // Size zero, but as many members: a body can't have a value of it.
    let empty = doubled.replace("%a0,", "%e,").replace("%a0 }", "%e }");
    let parsed = read(&format!(
        "%e = type {{}}\n{empty}define void @f(ptr %p) {{\n  %v = load %a60, ptr %p\n  ret void\n}}\n\
         define void @g(ptr %p) {{\n  store %a60 zeroinitializer, ptr %p\n  ret void\n}}\n\
         define void @h(%a60 %v) {{\n  ret void\n}}\n"
    ));
    for code in parsed.module.code.values() {
        let Code::Opaque(code) = code else { panic!("a body") };
        assert_eq!(&*code.feature, "values of more than 65536 members");
    }
}

/// An unmodelled member of an identified struct is detected at the use of the struct.
#[test]
fn unmodelled_members_are_found_through_names() {
    let source = "%w = type { i8, %v }\n%v = type { [2 x i200] }\n\
                  define void @f(ptr %p) {\n  %x = load %w, ptr %p\n  ret void\n}\n";
    let parsed = read(source);
    let Some(Code::Opaque(code)) = parsed.module.code.values().next() else { panic!("a body") };
    assert_eq!(&*code.feature, "integers of more than 128 bits (i200)");
}

#[test]
fn structs_that_nest_deep() {
    let nest = |levels| {
        let types = chain(levels, |i| format!("%a{i} = type {{ %a{} }}", i - 1));
        format!("%a0 = type {{ i8 }}\n{types}@x = external global %a{levels}\n")
    };
    for levels in [400, 100_000] {
        let error = error(&nest(levels));
        assert!(matches!(error.kind, ParseErrorKind::TooDeep(_)), "{error:?}");
        assert!(error.span.end > error.span.start);
    }
    let parsed = read(&nest(300));
    let var = parsed.module.env.vars.values().next().expect("a variable");
    assert_eq!(parsed.module.env.layout.alloc_bytes(&parsed.module.env.types, var.ty), Some(1));
}

/// Aliases of literal types are expanded at their uses.
#[test]
fn second_names_do_not_explode() {
    let deep = chain(100_000, |i| format!("%a{i} = type [1 x %a{}]", i - 1));
    let error = error(&format!("%a0 = type [1 x i8]\n{deep}"));
    assert!(matches!(error.kind, ParseErrorKind::TooDeep(200)), "{error:?}");
    let wide = chain(60, |i| format!("%a{i} = type [1 x {{ %a{}, %a{} }}]", i - 1, i - 1));
    let start = Instant::now();
    let error = self::error(&format!("%a0 = type [1 x i8]\n{wide}"));
    assert!(error.kind.to_string().contains("far more than is written"), "{error:?}");
    assert!(start.elapsed() < Duration::from_secs(5));
    let parsed = read("%v = type [4 x <4 x i32>]\n@x = global [2 x %v] zeroinitializer\n");
    assert_eq!(parsed.module.env.vars.len(), 1);
}
