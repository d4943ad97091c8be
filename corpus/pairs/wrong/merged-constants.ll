; constants that nothing depends on the address of may be merged, and a definition that the linker may replace may be
; another name of something else: that their addresses differ is not known
@a = private unnamed_addr constant [2 x i8] c"a\00"
@b = private unnamed_addr constant [2 x i8] c"a\00"
@w = weak global i32 0
@x = global i32 0
define i1 @constants() {
  %c = icmp eq ptr @a, @b
  ret i1 %c
}
define i1 @weak() {
  %c = icmp eq ptr @w, @x
  ret i1 %c
}
define i1 @differ() {
  ret i1 false
}
