; The first iterations of a sum in closed form, the rest by a loop that begins one too late.
; Wrong for n = 7 and k = 3: the source returns 21, the target 18.

define i32 @src(i32 noundef %n, i32 noundef %k) mustprogress {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %body ]
  %c = icmp ult i32 %i, %n
  br i1 %c, label %body, label %exit

body:
  %s.next = add i32 %s, %i
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret i32 %s
}

define i32 @tgt(i32 noundef %n, i32 noundef %k) mustprogress {
entry:
  %less = icmp ult i32 %k, %n
  %first = select i1 %less, i32 %k, i32 %n
  %w = zext i32 %first to i64
  %wm = sub i64 %w, 1
  %p = mul i64 %w, %wm
  %h = lshr i64 %p, 1
  %sum = trunc i64 %h to i32
  %next = add i32 %first, 1
  br label %header

header:
  %i = phi i32 [ %next, %entry ], [ %i.next, %body ]
  %s = phi i32 [ %sum, %entry ], [ %s.next, %body ]
  %c = icmp ult i32 %i, %n
  br i1 %c, label %body, label %exit

body:
  %s.next = add i32 %s, %i
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret i32 %s
}
