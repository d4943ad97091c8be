; A load through a noalias argument leaves the loop, over a call that was never given the argument: what is read
; through it the call must not write. The solver does not know that, and says so.

declare void @any(i8)

define void @src(ptr noalias %p, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %v = load i8, ptr %p
  call void @any(i8 %v)
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %done

done:
  ret void
}

define void @tgt(ptr noalias %p, i32 %n) {
entry:
  %v = load i8, ptr %p
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  call void @any(i8 %v)
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %done

done:
  ret void
}
