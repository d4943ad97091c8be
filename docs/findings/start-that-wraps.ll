
@g = global [64 x i8] zeroinitializer, align 16
define void @f(i32 %a) {
entry:
  %v1 = mul nsw i32 -24, %a
  %v2 = mul i32 4, %a
  br label %b2

b1:                                               ; preds = %b2
  ret void

b2:                                               ; preds = %b2, %entry
  %p1 = phi i32 [ %v1, %entry ], [ %v4, %b2 ]
  %p2 = phi i32 [ -6, %entry ], [ %v3, %b2 ]
  store i32 %p1, ptr @g
  %v3 = add i32 %p2, 1
  %v4 = mul i32 %v3, %v2
  %v5 = icmp ne i32 %p2, 0
  br i1 %v5, label %b2, label %b1
}
