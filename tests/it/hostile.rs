//! Bad input of every kind: an error with its location and exit code 2, quickly; never a panic.

use crate::common::{Files, LOOP, run};
use std::time::Duration;

/// Passes `text` to the parsing commands, and requires exit code 2 with a location in the file.
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
    // A phi without an entry for an edge.
    refused(
        b"define i32 @f(i1 %c) {\na:\n  br i1 %c, label %b, label %d\nb:\n  br label %d\nd:\n  \
          %p = phi i32 [ 1, %b ]\n  ret i32 %p\n}\n",
    );
    // Uses before definitions, and of undefined names.
    refused(b"define i32 @f() {\n  %y = add i32 %x, 1\n  %x = add i32 1, 2\n  ret i32 %y\n}\n");
    refused(b"define i32 @f() {\n  ret i32 %nowhere\n}\n");
    refused(b"define void @f() {\n  br label %nowhere\n}\n");
    // Types.
    refused(b"define i32 @f(i64 %x) {\n  ret i32 %x\n}\n");
    refused(b"define i32 @f() {\n  %x = add ptr null, null\n  ret i32 0\n}\n");
    // No terminator, and an instruction after one.
    refused(b"define void @f() {\n  %x = add i32 1, 2\n}\n");
}

/// Files that are not `.ll` are rejected with their actual format.
#[test]
fn other_formats_are_named() {
    let utf16: Vec<u8> = [0xff, 0xfe].into_iter().chain(LOOP.bytes().flat_map(|b| [b, 0])).collect();
    let marked = [b"\xef\xbb\xbf", LOOP.as_bytes()].concat();
    for (text, what) in [(&marked, "byte order mark"), (&utf16, "UTF-16")] {
        let files = Files::new(&[("in.ll", text)]);
        files.backedge("print ir in.ll").exits(2).says("in.ll:1:1").says(what);
    }
    let source: &[u8] = b"fn main() {\n    let x = 1;\n}\n";
    for (name, text, what) in [
        ("in.ll", &b"\x7fELF\x02\x01\x01\0"[..], "in.ll is an object file or executable (ELF), not LLVM IR"),
        ("in.a", b"!<arch>\n", "in.a is an archive (ar), not LLVM IR: `ar x`"),
        ("in.ll", b"\x1f\x8b\x08", "in.ll is compressed (gzip)"),
        ("in.rs", source, "in.rs is Rust source, not LLVM IR: rustc -O --emit=llvm-ir"),
    ] {
        let files = Files::new(&[(name, text)]);
        files.backedge(&format!("print ir {name}")).exits(2).says(what);
        files.backedge(&format!("gate {name}")).exits(2).prints(what);
    }
    // A name alone decides nothing.
    Files::new(&[("in.rs", LOOP.as_bytes())]).backedge("print loops in.rs").exits(0);
    // LLVM's reader accepts this as bitcode without a module.
    let files = Files::new(&[("in.ll", &b"BC\xc0\xde\x35\x14\0\0"[..])]);
    files.backedge("print ir in.ll").exits(2).says("in.ll is LLVM bitcode").says("llvm-dis");
}

/// Line ends of other systems, NUL bytes between words (which LLVM skips too), no line end at the end of the file, a
/// comment of many megabytes: all valid, without an effect on the parsed module.
#[test]
fn odd_but_right() {
    let plain = Files::new(&[("in.ll", LOOP.as_bytes())]).backedge("print ir in.ll").exits(0).stdout;
    let long = format!("; {}\n{LOOP}", "x".repeat(50 << 20));
    for text in [
        LOOP.replace('\n', "\r\n"),
        LOOP.replace('\n', "\r"),
        LOOP.replace("ret i32", "ret\0i32"),
        LOOP.to_owned() + "\0",
        LOOP.trim_end().to_owned(),
        long,
    ] {
        let answer = run(&["print", "ir", "-"], text.as_bytes(), std::path::Path::new(".")).exits(0);
        assert_eq!(answer.stdout, plain, "{:?}", &text[..40]);
    }
    for text in ["", "; nothing here\n"] {
        let answer = run(&["print", "ir", "-"], text.as_bytes(), std::path::Path::new(".")).exits(0);
        assert_eq!(answer.stdout.trim(), "");
    }
}

#[test]
fn names_of_all_kinds() {
    let names = [
        "spaces in name.ll",
        "q'uote\".ll",
        "h\u{e9}\u{4e2d}.ll",
        "-S.ll",
        "--.ll",
        "new\nline.ll",
        "esc\x1b[31m.ll",
    ];
    for name in names {
        let files = Files::new(&[(name, LOOP.as_bytes()), ("bad.ll", b"define")]);
        let path = format!("./{name}");
        let answer = run(&["opt", "-passes=lcssa", &path, "-o", "out.ll"], b"", files.dir()).exits(0);
        assert_eq!(answer.stderr, "");
        run(&["gate", &path, "--bound", "1"], b"", files.dir()).exits(0);
        run(&["print", "ir", "--", name], b"", files.dir()).exits(0);
        std::fs::rename(files.path("bad.ll"), files.path(name)).unwrap();
        for command in ["print ir", "gate"] {
            let args: Vec<&str> = command.split(' ').chain([&*path]).collect();
            let answer = run(&args, b"", files.dir()).exits(2);
            let shown = answer.stderr + &answer.stdout;
            assert!(!shown.contains('\x1b') && shown.contains(".ll:1:7"), "{shown}");
        }
    }
    let text = LOOP.replace("@f", "@\"f\u{e9}\\22\"");
    let files = Files::new(&[("in.ll", text.as_bytes())]);
    for name in ["f\u{e9}\"", "@f\u{e9}\"", r"f\C3\A9\22", r#"@"f\C3\A9\22""#] {
        run(&["run", "in.ll", "--args", "1,1", "--function", name], b"", files.dir()).exits(0);
    }
    run(&["run", "in.ll", "--function", ""], b"", files.dir()).exits(2).says("no function @");
    run(&["print", "ir", ""], b"", files.dir()).exits(2).says("a value is required");
}

/// Nonsensical flag values: each is refused at once, with a readable message that says what is wrong.
#[test]
fn flags_of_all_kinds() {
    let files = Files::new(&[("in.ll", LOOP.as_bytes())]);
    let deep = 30_000;
    let parentheses = "(".repeat(deep);
    let pipelines = "function(".repeat(deep / 3);
    let braces = "{".repeat(deep);
    let nested = format!("{}1{},1", "{".repeat(deep), "}".repeat(deep));
    let many = "lcssa,".repeat(deep / 2) + "lcssa";
    let cases: [(&[&str], &str); 27] = [
        (&["opt", "in.ll", "-passes", &parentheses], "-passes:1:1"),
        (&["opt", "in.ll", "-passes", &pipelines], "nest deeper than 64"),
        (&["opt", "in.ll", "-passes", &many], "more than 10000 passes"),
        (&["opt", "in.ll", "-passes", "lcssa<<<>"], "-passes:1:7"),
        (&["opt", "in.ll", "-passes", "\u{e9}(\u{4e2d})"], "-passes:1:1"),
        (&["opt", "in.ll", "-passes", ","], "-passes:1:1"),
        (&["opt", "in.ll", "-passes", "loop-rotate<max-header-size=99999999999>"], "-passes:1:13"),
        (&["opt", "in.ll", "-passes", "lcssa", "-passes", "lcssa"], "multiple times"),
        (&["opt", "in.ll", "-passes", "lcssa", "-o", ""], "-o <FILE>"),
        (&["opt", "in.ll", "-passes", "lcssa", "-o", "no/such/out.ll"], "there is no directory no/such"),
        (&["opt", "in.ll", "-passes", "lcssa", "-o", "in.ll/out.ll"], "there is no directory in.ll"),
        (&["opt", "in.ll", "-passes", "lcssa", "-pass-remarks=(a{1000}){1000}"], "size limit"),
        (&["opt", "in.ll", "in.ll", "-passes", "lcssa"], "unexpected argument 'in.ll'"),
        (&["run", "in.ll", "--args", &braces], "--args"),
        (&["run", "in.ll", "--args", &nested], "--args"),
        (
            &["run", "in.ll", "--args", "zeros:99999999999999999999,1"],
            "(`zeros:99999999999999999999`) is not",
        ),
        (&["run", "in.ll", "--args", "bytes:zz,1"], "(`bytes:zz`) is not a value"),
        (
            &["run", "in.ll", "--args", "arg7+8,1"],
            "argument 1 of @f is of type i32: `arg7+8` is no such value",
        ),
        (&["run", "in.ll", "--args", "\u{e9},1"], "(`\u{e9}`) is not a value"),
        (
            &["print", "trees", "in.ll"],
            "possible values: loops, cfg, values, mustexecute, alias, scev, hir, ddg, vplan, ir",
        ),
        (&["print", "loops", "in.ll", "--dot"], "--dot goes with print cfg"),
        (&["print", "loops", "in.ll", "--order", "backwards"], "--order goes with print scev"),
        (&["tv", "in.ll", "--src-fn", "f"], "--tgt-fn"),
        (&["tv", "in.ll", "in.ll", "in.ll"], "unexpected argument"),
        (&["gate", "in.ll", "--json", ""], "--json <FILE>"),
        (&["gate", "in.ll", "--passes", "nonsense"], "-passes:1:1"),
        (&["gate", "in.ll", "--max-inconclusive", "-1"], "not between 0 and 1"),
    ];
    for (args, message) in cases {
        let answer = run(args, b"", files.dir());
        let (stderr, time) = (answer.stderr.clone(), answer.time);
        answer.exits(2).says(message);
        assert!(stderr.len() < 5_000, "{} bytes of message for {:?}", stderr.len(), &args[..2]);
        assert!(time < Duration::from_secs(10), "{time:?}");
    }
    assert_eq!(files.names(), ["in.ll"]);
}

/// Cyclic and dangling symlinks, pipes among the files of a directory, unreadable files.
#[cfg(unix)]
#[test]
fn odd_places() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let files = Files::new(&[("in.ll", LOOP.as_bytes()), ("secret.ll", LOOP.as_bytes())]);
    symlink("b.ll", files.path("a.ll")).unwrap();
    symlink("a.ll", files.path("b.ll")).unwrap();
    symlink("nowhere", files.path("dangling.ll")).unwrap();
    for name in ["a.ll", "dangling.ll"] {
        files.backedge(&format!("print ir {name}")).exits(2).says(&format!("{name} can't be read"));
        files
            .backedge(&format!("opt -passes=lcssa in.ll -o {name}"))
            .exits(2)
            .says("a link that leads nowhere");
        files.backedge("gate .").exits(2).prints(&format!("./{name} can't be read"));
    }
    assert_eq!(files.names(), ["a.ll", "b.ll", "dangling.ll", "in.ll", "secret.ll"]);

    let dir = Files::new(&[("in.ll", LOOP.as_bytes())]);
    symlink("..", dir.path("up")).unwrap();
    symlink(".", dir.path("here.ll")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(dir.path("pipe.ll")).status();
    assert!(made.is_ok_and(|s| s.success()), "mkfifo of coreutils");
    let answer =
        dir.backedge("gate . --bound 1").exits(0).says("./pipe.ll is skipped: it is not a regular file");
    assert!(answer.stdout.contains("3 judged"), "{}", answer.stdout);
    // The state of a campaign is not read from a pipe either.
    let campaign = "fuzz --seeds 0..16 --passes lcssa --findings f";
    dir.backedge(&format!("{campaign} --baseline pipe.ll")).exits(2).says("it is a pipe or a device");
    dir.backedge(campaign).exits(0);
    let mut kept = std::fs::read_dir(dir.path("f")).unwrap().map(|entry| entry.unwrap().path());
    let state = kept.find(|path| path.extension().is_some_and(|e| e == "json")).expect("the state is kept");
    std::fs::rename(dir.path("pipe.ll"), state).unwrap();
    dir.backedge(campaign).exits(2).says("it is a pipe or a device");

    std::fs::set_permissions(files.path("secret.ll"), std::fs::Permissions::from_mode(0o000)).unwrap();
    if std::fs::read(files.path("secret.ll")).is_ok() {
        return backedge_testkit::skip("files that may not be read", "the tests run as root");
    }
    files.backedge("print ir secret.ll").exits(2).says("secret.ll can't be read: Permission denied");
    files.backedge("gate secret.ll").exits(2).prints("Permission denied");
}

#[test]
fn files_that_are_no_files() {
    let files = Files::new(&[("f.ll", LOOP.as_bytes())]);
    for command in ["print ir", "opt -passes=lcssa", "tv", "run --function f"] {
        files.backedge(&format!("{command} missing.ll")).exits(2).says("missing.ll can't be read");
        files.backedge(&format!("{command} .")).exits(2).says("directory");
    }
    files.backedge("gate missing.ll").exits(2).says("missing.ll can't be read: No such file or directory");
    files.backedge("gate").exits(2);
    let empty = Files::new(&[]);
    empty.backedge("gate .").exits(2).says("no .ll file");
}
