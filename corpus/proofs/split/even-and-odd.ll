; A branch on the parity of the counter is decided in either copy of a loop unrolled by two.

define void @src(i32 noundef %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %bit = and i32 %i, 1
  %odd = icmp ne i32 %bit, 0
  br i1 %odd, label %then, label %else

then:
  %t = xor i32 %i, -1
  call void @observe(i32 noundef %t)
  br label %latch

else:
  call void @observe(i32 noundef %i)
  br label %latch

latch:
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret void
}

define void @tgt(i32 noundef %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.2, %body.1 ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  call void @observe(i32 noundef %i)
  %i.1 = or disjoint i32 %i, 1
  %more.1 = icmp ult i32 %i.1, %n
  br i1 %more.1, label %body.1, label %exit

body.1:
  %t = xor i32 %i.1, -1
  call void @observe(i32 noundef %t)
  %i.2 = add nuw i32 %i, 2
  br label %header

exit:
  ret void
}

declare void @observe(i32 noundef)
