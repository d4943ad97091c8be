; A sum of numbers with a start and a step in closed form, with one step too many in each.
; Wrong for n = 1, a = 0 and b = 1: the source returns 0, the target 1.

define i32 @src(i32 noundef %n, i32 noundef %a, i32 noundef %b) mustprogress {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %j = phi i32 [ %a, %entry ], [ %j.next, %body ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %body ]
  %c = icmp ult i32 %i, %n
  br i1 %c, label %body, label %exit

body:
  %s.next = add i32 %s, %j
  %j.next = add i32 %j, %b
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret i32 %s
}

define i32 @tgt(i32 noundef %n, i32 noundef %a, i32 noundef %b) mustprogress {
entry:
  %w = zext i32 %n to i33
  %m = add i32 %n, 1
  %wm = zext i32 %m to i33
  %p = mul i33 %w, %wm
  %h = lshr i33 %p, 1
  %t = trunc i33 %h to i32
  %steps = mul i32 %b, %t
  %starts = mul i32 %a, %n
  %r = add i32 %starts, %steps
  ret i32 %r
}
