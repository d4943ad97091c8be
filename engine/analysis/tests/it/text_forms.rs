//! The graph as plain text and for Graphviz, for one function with a loop, an irreducible cycle in it, and an
//! unreachable block.

use backedge_analysis::print::{
    Detail, alias_to_string, cfg_to_dot, cfg_to_string, must_execute_to_string, values_to_string,
};
use backedge_ir::parse::parse_module;

const SOURCE: &[u8] = br#"
define void @f(i1 %c) {
entry:
  br label %loop
loop:
  br i1 %c, label %a, label %"b b"
a:
  br label %"b b"
"b b":
  br i1 %c, label %a, label %latch
latch:
  br i1 %c, label %loop, label %exit
exit:
  ret void
dead:
  br label %exit
}
"#;

#[test]
fn plain_text() {
    let module = parse_module(SOURCE).expect("the source").module;
    let (func, body) = module.bodies().next().expect("a body");
    let expected = r#"CFG of function 'f':
%entry:
  preds: none
  succs: %loop
  idom: none, ipdom: %loop
%loop:
  preds: %entry, %latch
  succs: %a, %"b b"
  idom: %entry, ipdom: %"b b"
  loop: %loop, depth 1, header
%a:
  preds: %loop, %"b b"
  succs: %"b b"
  idom: %loop, ipdom: %"b b"
  loop: %loop, depth 1
%"b b":
  preds: %loop, %a
  succs: %a, %latch
  idom: %loop, ipdom: %latch
  loop: %loop, depth 1
%latch:
  preds: %"b b"
  succs: %loop, %exit
  idom: %"b b", ipdom: %exit
  loop: %loop, depth 1, latch, exiting
%exit:
  preds: %latch, %dead
  succs: none
  idom: %latch, ipdom: exit
%dead:
  preds: none
  succs: %exit
  unreachable
irreducible cycle: %a, %"b b"
  entries: %a, %"b b"
"#;
    assert_eq!(cfg_to_string(&module.env, func, body), expected);
}

#[test]
fn graphviz() {
    let module = parse_module(SOURCE).expect("the source").module;
    let (func, body) = module.bodies().next().expect("a body");
    let expected = r#"digraph "CFG of function 'f'" {
label="CFG of function 'f'";
node [shape=box, fontname=monospace];
block0 [label="%entry"];
block5 [label="%exit"];
block6 [label="%dead", style=dashed];
subgraph cluster_0 {
label="loop %loop, depth 1";
block1 [label="%loop"];
block2 [label="%a", peripheries=2];
block3 [label="%\"b b\"", peripheries=2];
block4 [label="%latch"];
}
block0 -> block1 [label=""];
block1 -> block2 [label="true"];
block1 -> block3 [label="false"];
block2 -> block3 [label=""];
block3 -> block2 [label="true"];
block3 -> block4 [label="false"];
block4 -> block1 [label="true", style=bold];
block4 -> block5 [label="false"];
block6 -> block5 [label=""];
}
"#;
    assert_eq!(cfg_to_dot(&module.env, func, body, Detail::Names), expected);
    let full = cfg_to_dot(&module.env, func, body, Detail::Instructions);
    assert!(full.contains(r#"block4 [label="%latch:\l  br i1 %c, label %loop, label %exit\l"];"#), "{full}");
}

const VALUES: &[u8] = br#"
define i32 @g(ptr noalias align 4 dereferenceable(64) %p, ptr %q, i8 range(i8 0, 10) %n) {
entry:
  %l = alloca [4 x i32], align 16
  %wide = zext i8 %n to i32
  %twice = shl nuw nsw i32 %wide, 1
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %bits = and i32 %i, 12
  %at = getelementptr inbounds i32, ptr %p, i32 %i
  %behind = getelementptr inbounds i32, ptr %q, i64 1
  store i32 %twice, ptr %at, align 4
  store i32 %bits, ptr %q, align 4
  store i32 1, ptr %behind, align 4
  %c = icmp ult i32 %i, %twice
  br i1 %c, label %latch, label %exit
latch:
  store i32 %i, ptr %l, align 4
  %next = add nuw nsw i32 %i, 1
  br label %loop
exit:
  ret i32 %i
}
"#;

#[test]
fn values() {
    let module = parse_module(VALUES).expect("the source").module;
    let (func, body) = module.bodies().next().expect("a body");
    let text = values_to_string(&module.env, func, body);
    for line in [
        "  i8 %n: bits 0000????, range [0,10)",
        "  i32 %wide: bits 0000000000000000000000000000????, range [0,10)",
        "  i32 %twice: bits 000000000000000000000000000????0, range [0,19)",
        // The condition of the backedge bounds the backedge value.
        "  i32 %i: bits 000000000000000000000000000?????, range [0,19)",
        "  i32 %bits: bits 0000000000000000000000000000??00, range [0,13)",
    ] {
        assert!(text.lines().any(|l| l == line), "{line} is not in\n{text}");
    }
}

#[test]
fn must_execute() {
    let module = parse_module(VALUES).expect("the source").module;
    let (func, body) = module.bodies().next().expect("a body");
    let text = must_execute_to_string(&module.env, func, body);
    let line = |part: &str| text.lines().find(|l| l.contains(part)).expect("the instruction").to_owned();
    assert!(line("store i32 1, ptr %behind").ends_with(" ; (mustexec in: loop)"), "{text}");
    assert!(line("br i1 %c").ends_with(" ; (mustexec in: loop)"), "{text}");
    assert!(!line("store i32 %i, ptr %l").contains("mustexec"), "{text}");
    assert!(line("%wide = zext").ends_with(" ; (mustexec in: function)"), "{text}");
}

#[test]
fn aliases() {
    let module = parse_module(VALUES).expect("the source").module;
    let (func, body) = module.bodies().next().expect("a body");
    let expected = "Function: g: 4 pointers
  NoAlias:\ti32* %q, i32* %at
  NoAlias:\ti32* %behind, i32* %at
  NoAlias:\ti32* %behind, i32* %q
  NoAlias:\ti32* %l, i32* %at
  NoAlias:\ti32* %l, i32* %q
  NoAlias:\ti32* %l, i32* %behind
  6 no alias, 0 may alias, 0 partial alias, 0 must alias
";
    assert_eq!(alias_to_string(&module.env, func, body), expected);
}
