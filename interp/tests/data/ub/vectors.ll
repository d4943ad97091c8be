; Vectors: poison and undef lane by lane.

; @add_lanes({255, 1}) -> { poison, i8 2 }
define <2 x i8> @add_lanes(<2 x i8> %v) {
  %r = add nuw <2 x i8> %v, splat (i8 1)
  ret <2 x i8> %r
}
; @lane_of_poison({poison, 4}) -> i8 4
define i8 @lane_of_poison(<2 x i8> %v) {
  %r = extractelement <2 x i8> %v, i32 1
  ret i8 %r
}
; @extract_at({1, 2}, 1) -> i8 2
; @extract_at({1, 2}, 2) -> poison
; @extract_at({1, 2}, -1) -> poison
; @extract_at({1, 2}, poison) -> poison
; @extract_at({1, 2}, undef) -> poison
define i8 @extract_at(<2 x i8> %v, i32 %i) {
  %r = extractelement <2 x i8> %v, i32 %i
  ret i8 %r
}
; @insert_at(1) -> { i8 1, i8 9 }
; @insert_at(2) -> { poison, poison }
; @insert_at(poison) -> { poison, poison }
define <2 x i8> @insert_at(i32 %i) {
  %r = insertelement <2 x i8> <i8 1, i8 2>, i8 9, i32 %i
  ret <2 x i8> %r
}
; @insert_poison(poison) -> { i8 1, poison }
define <2 x i8> @insert_poison(i8 %x) {
  %r = insertelement <2 x i8> <i8 1, i8 2>, i8 %x, i32 1
  ret <2 x i8> %r
}
; @shuffle({1, poison}) -> { poison, i8 1, i8 7 }
define <3 x i8> @shuffle(<2 x i8> %v) {
  %r = shufflevector <2 x i8> %v, <2 x i8> <i8 7, i8 8>, <3 x i32> <i32 1, i32 0, i32 2>
  ret <3 x i8> %r
}
; @shuffle_mask({1, 2}) -> { poison, i8 2 }
define <2 x i8> @shuffle_mask(<2 x i8> %v) {
  %r = shufflevector <2 x i8> %v, <2 x i8> poison, <2 x i32> <i32 poison, i32 1>
  ret <2 x i8> %r
}
; @shuffle_second({1, 2}) -> { i8 1, poison }
define <2 x i8> @shuffle_second(<2 x i8> %v) {
  %r = shufflevector <2 x i8> %v, <2 x i8> poison, <2 x i32> <i32 0, i32 2>
  ret <2 x i8> %r
}
; @select_lanes({1, 0}) -> { i8 1, poison }
; @select_lanes({poison, 1}) -> { poison, i8 2 }
define <2 x i8> @select_lanes(<2 x i1> %c) {
  %r = select <2 x i1> %c, <2 x i8> <i8 1, i8 2>, <2 x i8> poison
  ret <2 x i8> %r
}
; @select_whole(poison) -> { poison, poison }
define <2 x i8> @select_whole(i1 %c) {
  %r = select i1 %c, <2 x i8> <i8 1, i8 2>, <2 x i8> <i8 3, i8 4>
  ret <2 x i8> %r
}
; @compare_lanes({poison, 5}) -> { poison, i1 true }
define <2 x i1> @compare_lanes(<2 x i8> %v) {
  %r = icmp eq <2 x i8> %v, splat (i8 5)
  ret <2 x i1> %r
}
; A lane that divides by zero is UB for all.
; @divide_lanes({1, 0}) -> ub division-by-zero
; @divide_lanes({1, poison}) -> ub division-by-poison
; @divide_lanes({1, 2}) -> { i8 8, i8 4 }
define <2 x i8> @divide_lanes(<2 x i8> %v) {
  %r = udiv <2 x i8> splat (i8 8), %v
  ret <2 x i8> %r
}
; @shift_lanes({8, 1}) -> { poison, i8 2 }
define <2 x i8> @shift_lanes(<2 x i8> %by) {
  %r = shl <2 x i8> splat (i8 1), %by
  ret <2 x i8> %r
}
; @reduce({1, poison}) -> poison
; @reduce({1, 2}) -> i8 3
define i8 @reduce(<2 x i8> %v) {
  %r = call i8 @llvm.vector.reduce.add.v2i8(<2 x i8> %v)
  ret i8 %r
}
; @stored_lanes({poison, 6}) -> i8 6
define i8 @stored_lanes(<2 x i8> %v) {
  %p = alloca <2 x i8>
  store <2 x i8> %v, ptr %p
  %q = getelementptr i8, ptr %p, i64 1
  %r = load i8, ptr %q
  ret i8 %r
}
; A poison lane poisons the integer that is made of the bits.
; @bitcast_lanes({poison, 6}) -> poison
define i16 @bitcast_lanes(<2 x i8> %v) {
  %r = bitcast <2 x i8> %v to i16
  ret i16 %r
}
; @bitcast_apart(poison) -> { poison, poison }
define <2 x i8> @bitcast_apart(i16 %x) {
  %r = bitcast i16 %x to <2 x i8>
  ret <2 x i8> %r
}
; @branch_on_lane({poison, 1}) -> i8 1
; @branch_on_lane({1, poison}) -> ub branch-on-poison
define i8 @branch_on_lane(<2 x i1> %v) {
  %c = extractelement <2 x i1> %v, i32 1
  br i1 %c, label %a, label %b
a:
  ret i8 1
b:
  ret i8 2
}
; @gep_lanes({0, 8}) -> i64 8
define i64 @gep_lanes(<2 x i64> %i) {
  %p = alloca [16 x i8]
  %q = getelementptr i8, ptr %p, <2 x i64> %i
  %n = ptrtoint <2 x ptr> %q to <2 x i64>
  %a = extractelement <2 x i64> %n, i32 0
  %b = extractelement <2 x i64> %n, i32 1
  %r = sub i64 %b, %a
  ret i64 %r
}
declare i8 @llvm.vector.reduce.add.v2i8(<2 x i8>)
