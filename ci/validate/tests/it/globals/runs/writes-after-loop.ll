; A write in a loop, and one after it.
; judged after_loop: if memory that @tgt_after_loop writes is reached through `noalias` parameters as in the source

declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
define void @src_after_loop(ptr noalias noundef dereferenceable(16) %p, ptr noundef dereferenceable(8) %q, i64 noundef %n) {
entry:
  store i64 1, ptr %q, align 8
  %c0 = icmp ult i64 0, %n
  br i1 %c0, label %h, label %done
h:
  %i = phi i64 [ 0, %entry ], [ %i1, %b ]
  %m = and i64 %i, 15
  %g = getelementptr i8, ptr %p, i64 %m
  %c = icmp ult i64 %i, %n
  br i1 %c, label %b, label %exit
b:
  store i8 0, ptr %g, align 1
  %i1 = add i64 %i, 1
  br label %h
exit:
  br label %done
done:
  ret void
}
define void @tgt_after_loop(ptr noalias noundef dereferenceable(16) %p, ptr noundef dereferenceable(8) %q, i64 noundef %n) {
entry:
  store i64 1, ptr %q, align 8
  %c0 = icmp ult i64 0, %n
  br i1 %c0, label %h, label %done
h:
  %i = phi i64 [ 0, %entry ], [ %i1, %b ]
  %m = and i64 %i, 15
  %g = getelementptr i8, ptr %p, i64 %m
  %c = icmp ult i64 %i, %n
  br i1 %c, label %b, label %exit
b:
  store i8 0, ptr %g, align 1
  %i1 = add i64 %i, 1
  br label %h
exit:
  call void @llvm.memmove.p0.p0.i64(ptr %g, ptr %g, i64 1, i1 false)
  br label %done
done:
  ret void
}
