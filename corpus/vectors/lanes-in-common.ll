; What four iterations have in common, vectors of four lanes compute once: i / 4 and what is loaded by it; i % 4 is known in
; each lane. With two or eight lanes there is less of it. The source of the example is the loop notes' "uniform lanes".

define void @quarters(ptr noalias %to, ptr noalias %table, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %quarter = lshr i64 %i, 2
  %from = getelementptr i64, ptr %table, i64 %quarter
  %base = load i64, ptr %from, align 8
  %place = and i64 %i, 3
  %scaled = mul i64 %base, 5
  %value = add i64 %scaled, %place
  %at = getelementptr i64, ptr %to, i64 %i
  store i64 %value, ptr %at, align 8
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}
