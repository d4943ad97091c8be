; hir-distribute<force>
; Every part of a body that can be a separate loop becomes one, regardless of profit (@alike). Parts without memory
; accesses are placed in the last loop that is not a nest (@idle). A single part is not distributed (@one).

define void @alike(ptr noalias %a, ptr noalias %b) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %x = getelementptr inbounds i32, ptr %a, i64 %i
  store i32 0, ptr %x, align 4
  %y = getelementptr inbounds i32, ptr %b, i64 %i
  store i32 1, ptr %y, align 4
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 100
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

define i64 @idle(ptr noalias %a, ptr noalias %b) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %hash = phi i64 [ 1, %entry ], [ %hash.next, %loop ]
  %hash.next = mul i64 %hash, %hash
  %x = getelementptr inbounds i32, ptr %a, i64 %i
  store i32 0, ptr %x, align 4
  %y = getelementptr inbounds i32, ptr %b, i64 %i
  store i32 1, ptr %y, align 4
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 100
  br i1 %more, label %loop, label %exit

exit:
  ret i64 %hash.next
}

define i64 @one(ptr noalias %a) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %hash = phi i64 [ 1, %entry ], [ %hash.next, %loop ]
  %hash.next = mul i64 %hash, %hash
  %x = getelementptr inbounds i32, ptr %a, i64 %i
  store i32 0, ptr %x, align 4
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 100
  br i1 %more, label %loop, label %exit

exit:
  ret i64 %hash.next
}
