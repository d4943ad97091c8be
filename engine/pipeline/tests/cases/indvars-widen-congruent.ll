; loop(indvars)
; Two congruent counters: one is kept, with the width of its extension.
target triple = "x86_64-unknown-linux-gnu"
define void @same(i32 noundef %n, ptr %p) {
entry:
  %g = icmp sgt i32 %n, 0
  br i1 %g, label %h, label %x
h:
  %i = phi i32 [ 0, %entry ], [ %i.n, %h ]
  %j = phi i32 [ 0, %entry ], [ %j.n, %h ]
  %ie = sext i32 %i to i64
  %a = getelementptr i32, ptr %p, i64 %ie
  store i32 %j, ptr %a
  %i.n = add nsw i32 %i, 1
  %j.n = add nsw i32 %j, 1
  %c = icmp slt i32 %i.n, %n
  br i1 %c, label %h, label %x
x:
  ret void
}
; A counter whose extension is congruent to another counter is removed together with its extension.
define void @extended(ptr %in, ptr %out, i64 noundef %n) {
entry:
  br label %h
h:
  %j = phi i32 [ 0, %entry ], [ %j.n, %b ]
  %i = phi i64 [ 0, %entry ], [ %i.n, %b ]
  %c = icmp slt i64 %i, %n
  br i1 %c, label %b, label %x
b:
  %f = getelementptr inbounds i8, ptr %in, i64 %i
  %v = load i8, ptr %f
  %je = sext i32 %j to i64
  %t = getelementptr inbounds i8, ptr %out, i64 %je
  store i8 %v, ptr %t
  %j.n = add nsw i32 %j, 1
  %i.n = add nuw nsw i64 %i, 1
  br label %h
x:
  ret void
}
