//! The graph as plain text and for Graphviz, on one function with a loop, an irreducible cycle in it, and a block that
//! can't be reached.

use backedge_analysis::print::{Detail, cfg_to_dot, cfg_to_string};
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
