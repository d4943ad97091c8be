; A sum in four lanes from a start that is in each of them: it counts four times.

define i32 @src(ptr %a, i64 noundef %n, i32 noundef %start) {
entry:
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %i.next, %body ]
  %s = phi i32 [ %start, %entry ], [ %s.next, %body ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %exit

body:
  %p = getelementptr inbounds i32, ptr %a, i64 %i
  %v = load i32, ptr %p, align 4, !noundef !0
  %s.next = add i32 %s, %v
  %i.next = add nuw i64 %i, 1
  br label %header

exit:
  ret i32 %s
}

define i32 @tgt(ptr %a, i64 noundef %n, i32 noundef %start) {
entry:
  %many = and i64 %n, -4
  %start.0 = insertelement <4 x i32> poison, i32 %start, i64 0
  %starts = shufflevector <4 x i32> %start.0, <4 x i32> poison, <4 x i32> zeroinitializer
  br label %vector.header

vector.header:
  %i = phi i64 [ 0, %entry ], [ %i.next, %vector.body ]
  %lanes = phi <4 x i32> [ %starts, %entry ], [ %lanes.next, %vector.body ]
  %more = icmp ult i64 %i, %many
  br i1 %more, label %vector.body, label %middle

vector.body:
  %p = getelementptr inbounds i32, ptr %a, i64 %i
  %v = load <4 x i32>, ptr %p, align 4
  %lanes.next = add <4 x i32> %lanes, %v
  %i.next = add nuw i64 %i, 4
  br label %vector.header

middle:
  %sum = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %lanes)
  br label %header

header:
  %j = phi i64 [ %i, %middle ], [ %j.next, %body ]
  %s = phi i32 [ %sum, %middle ], [ %s.next, %body ]
  %more.1 = icmp ult i64 %j, %n
  br i1 %more.1, label %body, label %exit

body:
  %q = getelementptr inbounds i32, ptr %a, i64 %j
  %w = load i32, ptr %q, align 4, !noundef !0
  %s.next = add i32 %s, %w
  %j.next = add nuw i64 %j, 1
  br label %header

exit:
  ret i32 %s
}

declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)

!0 = !{}
