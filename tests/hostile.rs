//! Bad input of every kind: an error with its place and exit code 2, quickly; never a panic.

mod common;

use common::{Files, LOOP, run};
use std::time::Duration;

/// Feeds `text` to the commands that parse, and demands exit code 2 with a place in the file.
#[track_caller]
fn refused(text: &[u8]) {
    let files = Files::new(&[("in.ll", text)]);
    for command in
        ["print ir in.ll", "opt -passes=lcssa in.ll -o out.ll", "tv in.ll", "run in.ll --function f"]
    {
        let answer = files.backedge(command).exits(2).says("in.ll:");
        assert!(answer.time < Duration::from_secs(20), "{command} took {:?}", answer.time);
        assert!(answer.stderr.len() < 100_000, "{} bytes of errors", answer.stderr.len());
        let place = answer.stderr.split("in.ll:").nth(1).unwrap();
        assert!(place.starts_with(|c: char| c.is_ascii_digit()), "no line number in\n{}", answer.stderr);
    }
    assert!(!files.path("out.ll").exists());
    files.backedge("gate in.ll").exits(2).prints("unreadable");
}

#[test]
fn truncated_at_every_line() {
    let lines: Vec<_> = LOOP.lines().collect();
    for count in 1..lines.len() {
        let text = lines[..count].join("\n");
        let files = Files::new(&[("in.ll", text.as_bytes())]);
        files.backedge("print ir in.ll").exits(2).says("in.ll:");
    }
}

#[test]
fn truncated_at_any_byte_of_a_line() {
    let end = LOOP.find("header:").unwrap();
    for at in (1..end).chain(LOOP.len() - 20..LOOP.len() - 2) {
        let answer = run(&["print", "ir", "-"], &LOOP.as_bytes()[..at], std::path::Path::new("."));
        answer.exits(2).says("<stdin>:");
    }
}

#[test]
fn garbage() {
    refused(b"define i32 @f() { \x01\x02\x03 }");
    refused(b"\x7fELF\x02\x01\x01\0\0\0");
    refused(b"BC\xc0\xde\x35\x14\0\0");
    refused(b"define i32 @f() {\n  frobnicate i32 1\n}");
    refused("d\u{e9}fine i32 @f()".as_bytes());
}

#[test]
fn invalid_utf8() {
    refused(b"define i32 @f() {\n  %x\xff = add i32 1, 2\n  ret i32 0\n}");
    refused(b"\xff\xfe\xfd");
}

#[test]
fn brackets_by_the_million() {
    for open in ["[", "(", "{", "<", "[[{{<("] {
        let mut text = b"@g = global ".to_vec();
        text.extend(open.as_bytes().iter().cycle().take(25 << 20));
        refused(&text);
    }
}

#[test]
fn deep_nesting() {
    let depth = 200_000;
    let ty = format!("@g = global {}i8{} zeroinitializer", "[1 x ".repeat(depth), "]".repeat(depth));
    refused(ty.as_bytes());
    let constant =
        format!("@g = global i64 {}0{}", "ptrtoint (ptr inttoptr (i64 ".repeat(depth), "".repeat(depth));
    refused(constant.as_bytes());
    let metadata = format!("!0 = {}", "!{".repeat(depth));
    refused(metadata.as_bytes());
}

#[test]
fn many_blocks_and_long_chains_are_no_error() {
    let mut text = String::from("define void @f() {\nb0:\n");
    for i in 1..50_000 {
        text.push_str(&format!("  br label %b{i}\nb{i}:\n"));
    }
    text.push_str("  ret void\n}\n");
    let files = Files::new(&[("in.ll", text.as_bytes())]);
    for command in ["print cfg in.ll", "opt -passes=loop-simplify,lcssa,loop-rotate in.ll -o out.ll"] {
        files.backedge(command).exits(0);
    }
}

#[test]
fn broken_rules() {
    // Duplicate names, of functions, blocks and values.
    refused(b"define void @f() {\n  ret void\n}\ndefine void @f() {\n  ret void\n}\n");
    refused(b"define void @f() {\na:\n  br label %a\na:\n  ret void\n}\n");
    refused(b"define i32 @f() {\n  %x = add i32 1, 2\n  %x = add i32 1, 2\n  ret i32 %x\n}\n");
    // A phi that lacks an edge.
    refused(
        b"define i32 @f(i1 %c) {\na:\n  br i1 %c, label %b, label %d\nb:\n  br label %d\nd:\n  \
          %p = phi i32 [ 1, %b ]\n  ret i32 %p\n}\n",
    );
    // Uses before definitions, and of nothing.
    refused(b"define i32 @f() {\n  %y = add i32 %x, 1\n  %x = add i32 1, 2\n  ret i32 %y\n}\n");
    refused(b"define i32 @f() {\n  ret i32 %nowhere\n}\n");
    refused(b"define void @f() {\n  br label %nowhere\n}\n");
    // Types.
    refused(b"define i32 @f(i64 %x) {\n  ret i32 %x\n}\n");
    refused(b"define i32 @f() {\n  %x = add ptr null, null\n  ret i32 0\n}\n");
    // No terminator, and something behind one.
    refused(b"define void @f() {\n  %x = add i32 1, 2\n}\n");
}

#[test]
fn files_that_are_no_files() {
    let files = Files::new(&[("f.ll", LOOP.as_bytes())]);
    for command in ["print ir", "opt -passes=lcssa", "tv", "run --function f"] {
        files.backedge(&format!("{command} missing.ll")).exits(2).says("missing.ll can't be read");
        files.backedge(&format!("{command} .")).exits(2).says("directory");
    }
    files.backedge("gate missing.ll").exits(2).prints("missing.ll can't be read");
    files.backedge("gate").exits(2);
    let empty = Files::new(&[]);
    empty.backedge("gate .").exits(2).says("no .ll file");
}
