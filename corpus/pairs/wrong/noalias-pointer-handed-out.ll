; A store through a noalias argument moves over a call that may look at it: the pointer was stored where the
; function finds it.

@kept = global ptr null

declare void @returns(i32) nounwind willreturn

define void @src(ptr noalias %p, i32 %n) {
entry:
  store ptr %p, ptr @kept
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
  store ptr %p, ptr @kept
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
