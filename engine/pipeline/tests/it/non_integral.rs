//! Non-integral pointers (`ni` in the data layout): no pass converts one to an integer, because a garbage collector may
//! move its object.

use backedge_ir::parse::parse_module;
use backedge_ir::print::module_to_string;
use backedge_pipeline::{Nobody, Options, parse_pipeline, run};

const LOOPS: &str = r#"
target datalayout = "e-p:64:64-p1:64:64-ni:1"

define void @fill(ptr addrspace(1) %p, ptr addrspace(1) %e) {
entry:
  br label %l

l:
  %q = phi ptr addrspace(1) [ %p, %entry ], [ %q.n, %l ]
  store i8 0, ptr addrspace(1) %q
  %q.n = getelementptr inbounds i8, ptr addrspace(1) %q, i64 1
  %c = icmp ne ptr addrspace(1) %q.n, %e
  br i1 %c, label %l, label %x

x:
  ret void
}

define i64 @its.own(ptr addrspace(1) %p, ptr addrspace(1) %from, i64 %n) {
entry:
  br label %l

l:
  %i = phi i64 [ 0, %entry ], [ %i.n, %l ]
  %q = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %i
  %r = getelementptr inbounds i32, ptr addrspace(1) %from, i64 %i
  %v = load i32, ptr addrspace(1) %r
  store i32 %v, ptr addrspace(1) %q
  %i.n = add nuw nsw i64 %i, 1
  %c = icmp slt i64 %i.n, %n
  br i1 %c, label %l, label %x

x:
  %end = ptrtoint ptr addrspace(1) %q to i64
  ret i64 %end
}
"#;

#[test]
fn no_pass_makes_an_integer_of_one() {
    let passes = [
        "loop-idiom",
        "indvars",
        "loop-unroll<runtime;count=2>",
        "iteration-set-split<at=3>",
        "loop-peel<last>",
        "bound-restriction",
        "loop-simplify,loop-rotate,lcssa,loop-vectorize<force-vector-width=4>",
        "loop-simplify,loop-rotate,lcssa,hir-roundtrip",
        "default<O3>",
    ];
    for text in passes {
        let mut module = parse_module(LOOPS.as_bytes()).expect("a module").module;
        let pipeline = parse_pipeline(text).expect("a pipeline");
        let checked = Options { verify_each: true, ..Options::default() };
        run(&mut module, &pipeline, checked, &mut Nobody).expect("a right result");
        let printed = module_to_string(&module);
        let (fill, own) = printed.split_once("@its.own").expect("both functions");
        assert_eq!(fill.matches("ptrtoint").count(), 0, "{text}:\n{printed}");
        assert_eq!(own.matches("ptrtoint").count(), 1, "{text}:\n{printed}");
    }
}
