; what a noalias argument leads to may be reached in other ways as long as nobody writes it
@q = global i32 3
define i32 @compared(ptr noalias %a) {
  %v = load i32, ptr %a
  %c = icmp eq ptr %a, @q
  %s = select i1 %c, i32 1, i32 %v
  ret i32 %s
}
define i32 @never(ptr noalias %a) {
  %v = load i32, ptr %a
  ret i32 %v
}
