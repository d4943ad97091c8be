; A store of the value that was loaded before the calls is added: what they write there, which no access of the
; source forbids, is lost.

declare void @returns(i32) nounwind willreturn

define void @src(ptr noalias %p, i32 %n) {
entry:
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

define void @tgt(ptr noalias %p, i32 %n) {
entry:
  %v = load i8, ptr %p
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  call void @returns(i32 %i)
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %done

done:
  store i8 %v, ptr %p
  ret void
}
