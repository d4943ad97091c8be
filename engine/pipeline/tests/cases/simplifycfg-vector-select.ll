; function(simplifycfg)
; A select is used for a vector that fills one register.
define <4 x i32> @one(i1 %c, <4 x i32> %a, <4 x i32> %b) {
entry:
  br i1 %c, label %side, label %join
side:
  %s = add nsw <4 x i32> %a, %b
  br label %join
join:
  %r = phi <4 x i32> [ %s, %side ], [ <i32 1, i32 poison, i32 undef, i32 4>, %entry ]
  ret <4 x i32> %r
}
; Two registers.
define <8 x float> @two(i1 %c, <8 x float> %a, <8 x float> %b) {
entry:
  br i1 %c, label %join, label %side
side:
  br label %join
join:
  %r = phi <8 x float> [ %a, %side ], [ %b, %entry ]
  ret <8 x float> %r
}
; Four registers are too many, and so are three for two phis.
define <16 x i32> @four(i1 %c, <16 x i32> %a, <16 x i32> %b) {
entry:
  br i1 %c, label %side, label %join
side:
  br label %join
join:
  %r = phi <16 x i32> [ %a, %side ], [ %b, %entry ]
  ret <16 x i32> %r
}
define <8 x i32> @three(i1 %c, <8 x i32> %a, <8 x i32> %b, i32 %x, i32 %y) {
entry:
  br i1 %c, label %side, label %join
side:
  br label %join
join:
  %r = phi <8 x i32> [ %a, %side ], [ %b, %entry ]
  %z = phi i32 [ %x, %side ], [ %y, %entry ]
  %s = insertelement <8 x i32> %r, i32 %z, i32 0
  ret <8 x i32> %s
}
; A speculated instruction counts once per register that it fills.
define <8 x i32> @work(i1 %c, <8 x i32> %a, <8 x i32> %b) {
entry:
  br i1 %c, label %side, label %join
side:
  %s = add <8 x i32> %a, %b
  %t = mul <8 x i32> %s, %b
  br label %join
join:
  %r = phi <8 x i32> [ %t, %side ], [ %b, %entry ]
  ret <8 x i32> %r
}
; No select for aggregates.
define { i32, i32 } @aggregate(i1 %c, { i32, i32 } %a, { i32, i32 } %b) {
entry:
  br i1 %c, label %side, label %join
side:
  br label %join
join:
  %r = phi { i32, i32 } [ %a, %side ], [ %b, %entry ]
  ret { i32, i32 } %r
}
