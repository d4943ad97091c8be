; A store through a noalias argument moves over a call that is sure to return and was never given the argument:
; it must not look at what is written there. The solver does not know that, and says so.

declare void @returns(i32) nounwind willreturn
declare void @reads(ptr) nounwind willreturn memory(read)

define void @src(ptr noalias %p, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  call void @returns(i32 %i)
  store i8 1, ptr %p
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %done

done:
  ret void
}

define void @tgt(ptr noalias %p, i32 %n) {
entry:
  store i8 1, ptr %p
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  call void @returns(i32 %i)
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %done

done:
  ret void
}

; What reads only keeps nothing of what it is given: the later call has no right to the argument in either.
define void @reads_before(ptr noalias %a) {
  call void @reads(ptr %a)
  store i8 1, ptr %a
  call void @returns(i32 0)
  ret void
}

define void @nothing_before(ptr noalias %a) {
  store i8 1, ptr %a
  call void @returns(i32 0)
  ret void
}
