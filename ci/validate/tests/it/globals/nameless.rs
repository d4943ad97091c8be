//! Variables that no other module can name: they may have other names in the target, and constants whose address is not
//! significant may be merged.

use super::judged;
use backedge_ir::parse::parse_module;

/// Modules of these globals in which `@f` passes pointers to an unknown function.
fn passing(source: (&str, &[&str]), target: (&str, &[&str])) -> String {
    let modules = [source, target].map(|(globals, passed)| {
        let calls: String = passed.iter().map(|p| format!("  call void @u(ptr {p})\n")).collect();
        let text = format!("{globals}\ndeclare void @u(ptr)\ndefine void @f() {{\n{calls}  ret void\n}}\n");
        parse_module(text.as_bytes()).expect("a module").module
    });
    judged(&modules)
}

#[test]
fn a_name_that_nobody_else_knows_may_change() {
    for (source, target) in [
        (("@s = private constant i8 1", &["@s"][..]), ("@t = private constant i8 1", &["@t"][..])),
        (("@s = internal constant i8 1", &["@s"]), ("@t = internal constant i8 1", &["@t"])),
        (("@s = internal global i8 1", &["@s"]), ("@t = internal global i8 1", &["@t"])),
        (
            ("@s = private constant i8 1\n@t = private constant i8 2", &["@s", "@t"]),
            ("@s = private constant i8 2\n@t = private constant i8 1", &["@t", "@s"]),
        ),
        (
            ("@s = private constant i8 1\n@s.1 = private constant i8 2", &["@s.1"]),
            ("@s = private constant i8 2", &["@s"]),
        ),
        (
            ("@s = private constant i8 1", &["@s"]),
            ("@s = private constant i8 2\n@t = private constant i8 1", &["@t"]),
        ),
        (
            ("@s = private constant i8 1\n@l = private constant [1 x ptr] [ptr @s]", &["@l"]),
            ("@t = private constant i8 1\n@m = private constant [1 x ptr] [ptr @t]", &["@m"]),
        ),
        (
            ("@\"a b\" = private constant [2 x i8] c\"@t\"", &["@\"a b\""]),
            ("@t = private constant [2 x i8] c\"@t\"", &["@t"]),
        ),
    ] {
        let verdict = passing(source, target);
        assert!(verdict.starts_with("refines, all iterations"), "{verdict}: {target:?}");
    }
}

#[test]
fn a_name_that_others_know_and_other_contents_count() {
    for (source, target) in [
        (("@s = constant i8 1", &["@s"][..]), ("@t = constant i8 1", &["@t"][..])),
        (("@s = private constant i8 1", &["@s"]), ("@t = private constant i8 2", &["@t"])),
        (("@s = private constant i8 1", &["@s"]), ("@t = private constant i16 1", &["@t"])),
        (("@s = private constant i8 1", &["@s"]), ("@t = private global i8 1", &["@t"])),
    ] {
        let verdict = passing(source, target);
        assert!(verdict.starts_with("refuted"), "{verdict}: {target:?}");
    }
    // The correspondence is unknown.
    let two = |a: &str, b: &str| format!("@{a} = private constant i8 1\n@{b} = private constant i8 1");
    let verdict = passing((&two("s", "t"), &["@s", "@t"]), (&two("k", "l"), &["@l", "@k"]));
    assert!(verdict.contains("which variable of the source corresponds to @s of the target"), "{verdict}");
}

#[test]
fn constants_whose_address_is_not_significant_may_be_merged() {
    let constant = |name: &str, rest: &str| format!("@{name} = private unnamed_addr constant {rest}\n");
    let two = constant("a", "i8 1") + &constant("b", "i8 1");
    let table = "@l = private unnamed_addr constant [2 x ptr] [ptr @a, ptr ";
    for (source, target) in [
        ((two.clone(), &["@a", "@b"][..]), (constant("a", "i8 1"), &["@a", "@a"][..])),
        ((two.clone(), &["@a", "@b"]), (constant("k", "i8 1"), &["@k", "@k"])),
        ((two.clone() + &constant("c", "i8 1"), &["@c", "@b"]), (constant("a", "i8 1"), &["@a", "@a"])),
        (
            (constant("a", "i8 1, align 1") + &constant("b", "i8 1, align 4"), &["@a", "@b"]),
            (constant("a", "i8 1, align 4"), &["@a", "@a"]),
        ),
        (
            ("@a = constant i8 1\n".to_owned() + &constant("b", "i8 1"), &["@a", "@b"]),
            ("@a = constant i8 1\n".to_owned(), &["@a", "@a"]),
        ),
        // The other constant remains, unused.
        ((two.clone(), &["@a", "@b"]), (two.clone(), &["@a", "@a"])),
        ((two.clone() + table + "@b]\n", &["@l"]), (constant("a", "i8 1") + table + "@a]\n", &["@l"])),
    ] {
        let verdict = passing((&source.0, source.1), (&target.0, target.1));
        assert!(verdict.starts_with("refines, all iterations"), "{verdict}: {target:?}");
    }
}

#[test]
fn other_constants_may_not_be_merged() {
    let private = |words: &str, rest: &str| {
        ["a", "b"].map(|name| format!("@{name} = private {words} {rest}\n")).concat()
    };
    let unnamed = |name: &str, rest: &str| format!("@{name} = private unnamed_addr constant {rest}\n");
    for (source, target) in [
        (private("", "constant i8 1"), "@a = private constant i8 1\n".to_owned()),
        (unnamed("a", "i8 1") + &unnamed("b", "i8 2"), unnamed("a", "i8 1")),
        (private("unnamed_addr", "global i8 1"), "@a = private unnamed_addr global i8 1\n".to_owned()),
    ] {
        let verdict = passing((&source, &["@a", "@b"]), (&target, &["@a", "@a"]));
        assert!(verdict.starts_with("refuted"), "{verdict}: {source}");
    }
    // No function names either constant any more, or only another function does.
    let two = unnamed("a", "i8 1") + &unnamed("b", "i8 1");
    let verdict = passing((&two, &["@a", "@b"]), (&two, &[]));
    assert!(verdict.starts_with("refuted"), "{verdict}");
    let user = unnamed("a", "i8 1") + "define ptr @other() {\n  ret ptr @a\n}\n";
    let verdict = passing((&two, &["@b"]), (&user, &[]));
    assert!(verdict.starts_with("refuted"), "{verdict}");
    // Merged with the wrong one.
    let three = unnamed("a", "i8 1") + &unnamed("b", "i8 1") + &unnamed("c", "i8 2");
    let left = unnamed("a", "i8 1") + &unnamed("c", "i8 2");
    let verdict = passing((&three, &["@a", "@b", "@c"]), (&left, &["@a", "@c", "@a"]));
    assert!(verdict.starts_with("refuted"), "{verdict}");
    // A constant is split: no address is significant, but no optimizer does this.
    let verdict = passing((&unnamed("a", "i8 1"), &["@a", "@a"]), (&two, &["@a", "@b"]));
    assert!(verdict.contains("the placement of equal constants with insignificant addresses"), "{verdict}");
}
