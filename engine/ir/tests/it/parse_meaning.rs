//! How the parser interprets a text: old spellings, positions, debug records, text kept verbatim.

use backedge_ir::attr::{Attr, FlagAttr, MemoryEffects, ModRef};
use backedge_ir::entity::EntityId;
use backedge_ir::inst::InstKind;
use backedge_ir::module::{Code, TopLevel};
use backedge_ir::parse::{Parsed, parse_module, read_module};
use backedge_ir::print::module_to_string;
use backedge_ir::types::Type;
use backedge_testkit::peer;

mod library;
mod registry;

const FEATURES: &[u8] = include_bytes!("../data/parse/features.ll");

fn parse(source: &str) -> Parsed {
    parse_module(source.as_bytes()).unwrap_or_else(|e| panic!("{}: {source}", e.kind))
}

#[test]
fn every_construct_is_read_verified_and_printed_for_llvm() {
    let parsed = read_module(FEATURES).expect("the features");
    let features: Vec<&str> = parsed.warnings.iter().map(|w| &*w.feature).collect();
    let wanted = ["integers of more than 128 bits (i256)", "no_cfi", "scalable vectors"];
    assert_eq!(features, wanted);
    assert_eq!(parsed.module.bodies().count(), 7);
    let printed = module_to_string(&parsed.module);
    assert_eq!(module_to_string(&parse(&printed).module), printed);
    let Some(llvm_as) = peer("llvm-as", "llvm-as on every construct") else { return };
    for text in [FEATURES, printed.as_bytes()] {
        let answer = llvm_as.run(&["-disable-output"], text);
        assert!(answer.ok(), "{}", answer.stderr);
    }
}

#[test]
fn old_memory_words_become_memory_effects() {
    let parsed = parse(
        "declare void @f(ptr nocapture readonly) readonly argmemonly\n\
         declare void @g() inaccessiblemem_or_argmemonly\n\
         declare void @h() #0 memory(read)\n\
         attributes #0 = { readnone }",
    );
    let env = &parsed.module.env;
    let effects = |name| env.memory_effects(&env.funcs[env.func_named(name).expect(name)].attrs);
    let none = MemoryEffects::all(ModRef::NONE);
    assert_eq!(effects("f"), Some(MemoryEffects { argmem: ModRef::READ, ..none }));
    let both = MemoryEffects { argmem: ModRef::READ_WRITE, inaccessiblemem: ModRef::READ_WRITE, ..none };
    assert_eq!(effects("g"), Some(both));
    assert_eq!(effects("h"), Some(none));
    let f = env.func_named("f").expect("f");
    assert_eq!(env.funcs[f].param_attrs[0].own, [Attr::NoCapture, Attr::Flag(FlagAttr::ReadOnly)]);
}

#[test]
fn typed_pointers_are_read_as_ptr() {
    let parsed = parse(
        "%s = type { i8*, void (i32)* }\n@g = external global i8 addrspace(3)**\n\
         define i32 @f(i32** %p, %s* %q) {\n  %a = load i32*, i32** %p\n  %b = load i32, i32* %a\n  ret i32 %b\n}",
    );
    let env = &parsed.module.env;
    let f = env.func_named("f").expect("f");
    assert_eq!(env.types.signature(env.funcs[f].ty).map(|s| s.1), Some(&[Type::PTR, Type::PTR][..]));
    let var = env.vars.values().next().expect("g");
    assert_eq!((var.ty, var.addrspace), (Type::PTR, 0));
    let printed = module_to_string(&parsed.module);
    assert!(printed.contains("%s = type { ptr, ptr }"), "{printed}");
}

#[test]
fn debug_intrinsics_become_records_after_phis() {
    let parsed = parse(
        "define i32 @f(i32 %x) {\n  br label %b\nb:\n\
         \x20   #dbg_value(i32 %x, !0, !DIExpression(), !1)\n\
         \x20 %p = phi i32 [ %x, %0 ]\n\
         \x20 call void @llvm.dbg.value(metadata i32 %p, i64 0, metadata !0, metadata !DIExpression()), !dbg !1\n\
         \x20 call void @llvm.dbg.value(metadata !DIArgList(i32 %p, i32 7), metadata !0, metadata !DIExpression()), !dbg !1\n\
         \x20 call void @llvm.dbg.value(metadata i32 %p, metadata !0, metadata !DIExpression())\n\
         \x20 ret i32 %p\n}\n\
         declare void @llvm.dbg.value(metadata, metadata, metadata)\n!0 = !{}\n!1 = !{}",
    );
    let (_, body) = parsed.module.bodies().next().expect("a body");
    let block = body.block_named("b").expect("b");
    let insts: Vec<_> = body.insts(block).iter().map(|i| body.inst(*i)).collect();
    assert_eq!(body.phis(block).count(), 1);
    let texts: Vec<String> = insts
        .iter()
        .filter_map(|i| match &i.kind {
            InstKind::DebugRecord(record) => Some(record.pieces.join("_")),
            _ => None,
        })
        .collect();
    assert_eq!(
        texts,
        [
            "#dbg_value(_, !0, !DIExpression(), !1)",
            "#dbg_value(_, !0, !DIExpression(), !1)",
            "#dbg_value(!DIArgList(_, _), !0, !DIExpression(), !1)",
        ]
    );
    assert!(parsed.warnings.iter().any(|w| w.feature.contains("without a location")));
}

#[test]
fn inline_asm_is_a_function_with_the_attributes_that_it_implies() {
    let none = MemoryEffects::all(ModRef::NONE);
    let hidden = MemoryEffects { inaccessiblemem: ModRef::READ_WRITE, ..none };
    let args = MemoryEffects { argmem: ModRef::READ_WRITE, ..none };
    for (asm, effects, returns) in [
        (r#"asm "nop", "r""#, Some(none), true),
        (r#"asm "nop", "r,~{memory}""#, None, true),
        (r#"asm "nop", "*m""#, Some(args), true),
        (r#"asm "", "r,!i""#, None, false),
        (r#"asm sideeffect "nop", """#, None, false),
        (r#"asm sideeffect "", """#, Some(hidden), true),
        (r#"asm sideeffect "", "~{memory}""#, None, false),
        (r#"asm sideeffect "", "r""#, None, false),
        (r#"asm sideeffect ".p2align 4\0A\09.balign 8", "~{flags}""#, Some(hidden), true),
        (r#"asm sideeffect ".p2align 4; ud2", """#, None, false),
        (r#"asm sideeffect alignstack inteldialect unwind "nop", """#, None, false),
    ] {
        let text =
            format!("define void @f(ptr %p) {{\n  call void {asm}(ptr elementtype(i8) %p)\n  ret void\n}}\n");
        let parsed = parse(&text);
        let env = &parsed.module.env;
        let (_, func) = env.funcs.iter().find(|(_, func)| func.asm.is_some()).expect(asm);
        assert_eq!(func.asm.as_deref(), Some(asm));
        assert_eq!(env.memory_effects(&func.attrs), effects, "{asm}");
        assert_eq!(env.has_attr(&func.attrs, FlagAttr::WillReturn), returns, "{asm}");
        assert_eq!(env.has_attr(&func.attrs, FlagAttr::NoUnwind), !asm.contains("unwind"), "{asm}");
        let printed = module_to_string(&parsed.module);
        assert!(
            printed.contains(&format!("call void {asm}(ptr")) && !printed.contains("declare"),
            "{printed}"
        );
        assert_eq!(module_to_string(&parse(&printed).module), printed);
    }
}

#[test]
fn places_lead_back_to_the_text() {
    let source = std::str::from_utf8(FEATURES).expect("text");
    let parsed = parse(source);
    let text = |span: backedge_ir::parse::Span| &source[span.range()];
    for (func, header) in parsed.module.env.funcs.iter() {
        let spelled = text(parsed.spans.func_name(func));
        if header.asm.is_some() {
            assert!(spelled.starts_with("asm "), "{spelled}");
        } else if !spelled.starts_with("@llvm.") {
            assert!(text(parsed.spans.func(func)).contains(&format!("{spelled}(")), "{}", header.name);
        }
    }
    for (func, body) in parsed.module.bodies() {
        for block in body.blocks() {
            for &inst in body.insts(block) {
                let spelled = text(parsed.spans.inst(func, inst).expect("a place"));
                let data = body.inst(inst);
                let record = matches!(data.kind, InstKind::DebugRecord(_));
                assert!(spelled.contains(if record { "#dbg_" } else { data.kind.mnemonic() }), "{spelled}");
                if let Some(name) = body.value_name(inst.into()) {
                    assert!(spelled.starts_with(&format!("%{name} =")), "{spelled}");
                }
            }
        }
    }
    assert!(text(parsed.spans.global(backedge_ir::entity::GlobalId::from_index(0))).starts_with("@g0 ="));
}

#[test]
fn a_variable_that_is_not_modelled_is_carried_and_unknown() {
    let parsed = parse("@x = internal constant i256 7, align 8\n@y = global ptr @x");
    let env = &parsed.module.env;
    let var = env.vars.values().next().expect("x");
    assert_eq!(var.init, None);
    assert!(matches!(&env.order[0], TopLevel::CarriedVar(_, text) if text.starts_with("@x = internal")));
    assert!(module_to_string(&parsed.module).starts_with("@x = internal constant i256 7, align 8\n"));
}

#[test]
fn reading_reports_all_findings_of_the_verifier_at_their_places() {
    let source = "define i32 @f(i1 %c) {\nentry:\n  br i1 %c, label %a, label %b\na:\n  %x = add i32 1, 2\n  \
                  br label %b\nb:\n  %y = add i32 %x, 1\n  %p = phi i32 [ 0, %a ]\n  ret i32 %y\n}\n";
    let diagnostics = read_module(source.as_bytes()).expect_err("wrong dominance and phi");
    let places: Vec<&str> = diagnostics.iter().map(|d| &source[d.span.range()]).collect();
    assert!(places.contains(&"%y = add i32 %x, 1"), "{diagnostics:?}");
    assert!(places.contains(&"%p = phi i32 [ 0, %a ]"), "{diagnostics:?}");
    let parse_error = read_module(b"define void @f() {\n  nonsense\n}").expect_err("a parse error");
    assert_eq!(parse_error.len(), 1);
}

/// LLVM rejects modules with debug info in both calls and records, so text kept verbatim gets records, too.
#[test]
fn debug_calls_of_a_carried_function_become_records() {
    let source = "define i32 @modelled(i32 %x) !dbg !4 {
  call void @llvm.dbg.value(metadata i32 %x, metadata !7, metadata !DIExpression()), !dbg !8
  ret i32 %x
}
define i200 @carried(i200 %x, ptr %p) !dbg !9 {
  call void @llvm.dbg.declare(metadata ptr %p, metadata !10, metadata !DIExpression()), !dbg !11
  tail call void @llvm.dbg.value(metadata i200 %x, metadata !10,
    metadata !DIExpression()) #0, !dbg !11
  %y = add i200 %x, 1
  call void @llvm.dbg.value(metadata !DIArgList(i200 %x, i200 %y), metadata !10, metadata !DIExpression()), !dbg !11
  tail call void @other(), !dbg !11
  ret i200 %y
}
declare void @other()
declare void @llvm.dbg.value(metadata, metadata, metadata)
declare void @llvm.dbg.declare(metadata, metadata, metadata)
attributes #0 = { nounwind }
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: \"f.c\", directory: \"/\")
!2 = !{i32 2, !\"Debug Info Version\", i32 3}
!3 = !{i32 2, !\"Dwarf Version\", i32 4}
!4 = distinct !DISubprogram(name: \"modelled\", scope: !1, file: !1, line: 1, type: !5, unit: !0, retainedNodes: !6)
!5 = !DISubroutineType(types: !6)
!6 = !{}
!7 = !DILocalVariable(name: \"x\", scope: !4, file: !1, line: 1)
!8 = !DILocation(line: 1, scope: !4)
!9 = distinct !DISubprogram(name: \"carried\", scope: !1, file: !1, line: 2, type: !5, unit: !0, retainedNodes: !6)
!10 = !DILocalVariable(name: \"x\", scope: !9, file: !1, line: 2)
!11 = !DILocation(line: 2, scope: !9)
";
    let parsed = parse(source);
    let carried = parsed.module.env.func_named("carried").expect("a function");
    let Code::Opaque(code) = &parsed.module.code[carried] else { panic!("a body") };
    let lines: Vec<&str> = code.text.lines().map(str::trim).collect();
    assert_eq!(
        lines[1..7],
        [
            "#dbg_declare(ptr %p, !10, !DIExpression(), !11)",
            "#dbg_value(i200 %x, !10,",
            "!DIExpression(), !11)",
            "%y = add i200 %x, 1",
            "#dbg_value(!DIArgList(i200 %x, i200 %y), !10, !DIExpression(), !11)",
            "tail call void @other(), !dbg !11",
        ]
    );
    let printed = module_to_string(&parsed.module);
    assert_eq!(module_to_string(&parse(&printed).module), printed);
    let Some(llvm_as) = peer("llvm-as", "llvm-as on carried debug records") else { return };
    for text in [source, &printed] {
        let answer = llvm_as.run(&["-disable-output"], text.as_bytes());
        assert!(answer.ok(), "{}", answer.stderr);
        assert!(!answer.stderr.contains("ignoring invalid debug info"), "{}", answer.stderr);
    }
}

/// If the data layout gives functions a non-zero address space, each header states its own.
#[test]
fn address_spaces_of_functions_are_kept() {
    let source = "target datalayout = \"P1\"
declare void @one()
declare void @zero() addrspace(0)
define void @f(ptr %p, ptr addrspace(1) %q) addrspace(0) {
  call void %q()
  call addrspace(0) void %p()
  call addrspace(1) void @one()
  call addrspace(0) void @zero()
  ret void
}
";
    let parsed = read_module(source.as_bytes()).expect("a module");
    let printed = module_to_string(&parsed.module);
    let again = read_module(printed.as_bytes()).expect("a module");
    let spaces = |p: &Parsed| p.module.env.funcs.values().map(|f| f.addrspace).collect::<Vec<_>>();
    assert_eq!(spaces(&parsed), [1, 0, 0]);
    assert_eq!(spaces(&again), [1, 0, 0]);
    let Some(llvm_as) = peer("llvm-as", "llvm-as on address spaces of functions") else { return };
    let answer = llvm_as.run(&["-disable-output"], printed.as_bytes());
    assert!(answer.ok(), "{}", answer.stderr);
}

/// A function whose name merely begins like a debug intrinsic's is called like any other. The call makes its function
/// opaque and must still be there when the text is parsed again.
#[test]
fn calls_of_unknown_debug_functions_stay() {
    let call = "call void @llvm.dbg.unknown(metadata i32 %x), !dbg !0";
    let source = format!(
        "define void @f(i32 %x) {{\n  {call}\n  ret void\n}}\n\
         declare void @llvm.dbg.unknown(metadata)\n!0 = !{{}}\n"
    );
    let parsed = parse(&source);
    let f = parsed.module.env.func_named("f").expect("a function");
    let Code::Opaque(code) = &parsed.module.code[f] else { panic!("a body") };
    assert!(code.text.contains(call), "{}", code.text);
    let printed = module_to_string(&parsed.module);
    assert_eq!(module_to_string(&parse(&printed).module), printed);
}
