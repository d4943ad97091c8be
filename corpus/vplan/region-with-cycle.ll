; Between the would-be entry and exit of a region lies the latch of the loop: no region may contain a
; cycle of the graph.
; From vplan-hcfg-builder.rst: Build Hierarchical CFG, VPRegionBlock (non-loop region) detection.

define i32 @f(i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.a, %a ], [ %i.b, %b ]
  br label %fork

fork:
  %odd = trunc i32 %i to i1
  br i1 %odd, label %a, label %b

a:
  %i.a = add i32 %i, 3
  %a.more = icmp ult i32 %i.a, %n
  br i1 %a.more, label %header, label %join

b:
  %i.b = add i32 %i, 1
  %b.more = icmp ult i32 %i.b, %n
  br i1 %b.more, label %header, label %join

join:
  %r = phi i32 [ %i.a, %a ], [ %i.b, %b ]
  ret i32 %r
}
