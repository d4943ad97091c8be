//! Passes keep blocks whose address is taken, with their names.

use crate::common;
use backedge_ir::print::module_to_string;
use backedge_ir::verify::verify_module;
use backedge_testkit::module;

/// A loop whose old header would be merged into the latch; header, latch and exit have their address taken.
const SOURCE: &str = "@x = global [3 x ptr] [ptr blockaddress(@f, %header), ptr blockaddress(@f, %latch), ptr blockaddress(@f, %exit)]
define i32 @f(i32 %n) {
entry:
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %j, %latch ]
  %c = icmp ult i32 %i, %n
  br i1 %c, label %latch, label %exit
latch:
  %j = add i32 %i, 1
  br label %header
exit:
  ret i32 %i
}";

#[test]
fn canonical_forms_keep_addressed_blocks() {
    let rotated = |source: &str| {
        let mut module = module(source);
        common::canonicalize(&mut module);
        assert_eq!(verify_module(&module), [], "{}", module_to_string(&module));
        let (_, body) = module.bodies().next().expect("f");
        ["header", "latch", "exit"].map(|name| body.local(name).is_some())
    };
    assert_eq!(rotated(SOURCE), [true, true, true]);
    // Without the addresses the header is merged: the test above is not vacuous.
    let (_, plain) = SOURCE.split_once('\n').expect("two lines");
    assert_eq!(rotated(plain), [false, true, true]);
}
