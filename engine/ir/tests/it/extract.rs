//! Extraction of one function with its references: the extract parses to the same function, unreferenced items are
//! omitted, and local names do not matter with [`Locals::Numbered`].

use backedge_ir::module::{Code, Module};
use backedge_ir::parse::{parse_module, read_module};
use backedge_ir::print::{Locals, extract as extract_from, function_to_string};
use backedge_ir::verify::verify_module;
use backedge_testkit::{corpus_files, llvm_tests};

fn read(text: &str) -> Module {
    read_module(text.as_bytes()).unwrap_or_else(|e| panic!("{e:?}\n{text}")).module
}

fn extract(module: &Module, name: &str, locals: Locals) -> String {
    extract_from(module, module.env.func_named(name).expect("the function"), &[], locals).text
}

const MODULE: &str = "\
source_filename = \"a.c\"
target datalayout = \"e-p:32:32\"

%used = type { i32, %inner }
%inner = type { i8 }
%unused = type { i64 }

@a = global ptr @b
@b = internal constant [2 x i8] c\"@d\"
@c = global %used zeroinitializer
@d = global i32 0
@\"odd name\" = external global i8

declare void @callee(ptr) #0
declare void @other() #1

define void @caller() {
  call void @root(i32 1)
  ret void
}

define void @root(i32 %x) #2 {
entry:
  %unused.local = add i32 %x, 1
  call void @callee(ptr @a)
  %l = load i32, ptr @b, !range !1
  store i8 0, ptr @\"odd name\"
  %p = getelementptr %used, ptr @b, i32 0, i32 1
  br label %loop
loop:
  br label %loop, !llvm.loop !3
}

attributes #0 = { nounwind }
attributes #1 = { cold }
attributes #2 = { mustprogress }

!llvm.ident = !{!0}
!0 = !{!\"nobody\"}
!1 = !{i32 0, i32 7}
!2 = !{!\"llvm.loop.mustprogress\"}
!3 = distinct !{!3, !2}
";

#[test]
fn extract_contains_exactly_the_references() {
    let module = read(MODULE);
    let text = extract(&module, "root", Locals::Named);
    for kept in [
        "target datalayout",
        "%used = type",
        "%inner = type",
        "@a = global ptr @b",
        "@b = internal",
        "@\"odd name\"",
        "declare void @callee",
        "define void @root",
        "attributes #0",
        "attributes #2",
        "!1 = !{i32 0, i32 7}",
        "!2 = !",
        "!3 = distinct",
    ] {
        assert!(text.contains(kept), "{kept} is missing in\n{text}");
    }
    for left in ["a.c", "%unused = ", "@c = ", "@d = ", "@other", "@caller", "attributes #1", "nobody"] {
        assert!(!text.contains(left), "{left} is not left out in\n{text}");
    }
    assert_eq!(extract(&read(&text), "root", Locals::Named), text);
    let root = module.env.func_named("root").expect("the function");
    let names = ["c", "nowhere", "caller"].map(Into::into);
    let more = extract_from(&module, root, &names, Locals::Named);
    assert!(more.text.contains("@c = ") && more.text.contains("@caller"));
    assert_eq!(more.globals, ["a", "b", "c", "odd name", "callee", "caller"].map(Into::into));
}

#[test]
fn names_of_locals_make_no_difference_where_they_are_not_asked_for() {
    let module = read(MODULE);
    let renamed = read(&MODULE.replace("loop:", "around:").replace("%loop", "%around").replace("%x", "%y"));
    let numbered = |module| extract(module, "root", Locals::Numbered);
    assert_eq!(numbered(&module), numbered(&renamed));
    assert_ne!(extract(&module, "root", Locals::Named), extract(&renamed, "root", Locals::Named));
    let other = read(&MODULE.replace("store i8 0", "store i8 1"));
    assert_ne!(numbered(&module), numbered(&other));
    // Other code refers to a block whose address is taken by name.
    let pinned =
        "@t = global ptr blockaddress(@f, %b)\ndefine ptr @f() {\na:\n  br label %b\nb:\n  ret ptr @t\n}\n";
    let text = extract(&read(pinned), "f", Locals::Numbered);
    assert!(text.contains("blockaddress(@f, %b)") && text.contains("\nb:") && !text.contains("a:"), "{text}");
    assert_eq!(extract(&read(&text), "f", Locals::Numbered), text);
}

#[test]
fn functions_of_all_files_are_the_same_by_themselves() {
    let mut files = corpus_files();
    files
        .extend(llvm_tests("functions of LLVM's tests by themselves").map(|t| t.files()).unwrap_or_default());
    let mut count = 0;
    for file in files {
        let source = std::fs::read(&file).expect("a file");
        let Ok(parsed) = parse_module(&source) else { continue };
        let module = parsed.module;
        for (func, code) in module.code.iter() {
            if matches!(code, Code::Declaration) {
                continue;
            }
            count += 1;
            let name = &module.env.funcs[func].name;
            let place = format!("{} @{name}", file.display());
            for locals in [Locals::Named, Locals::Numbered] {
                let text = extract_from(&module, func, &[], locals).text;
                let again =
                    read_module(text.as_bytes()).unwrap_or_else(|e| panic!("{place}: {e:?}\n{text}")).module;
                assert_eq!(extract(&again, name, locals), text, "{place}");
                assert!(verify_module(&again).is_empty() || !verify_module(&module).is_empty(), "{place}");
                if locals == Locals::Named && matches!(code, Code::Body(_)) {
                    let own = again.env.func_named(name).expect("the function");
                    assert_eq!(function_to_string(&again, own), function_to_string(&module, func), "{place}");
                }
            }
        }
    }
    println!("{count} functions");
    assert!(count > 500, "{count} functions");
}
