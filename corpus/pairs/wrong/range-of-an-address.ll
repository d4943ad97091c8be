; an address with inrange must not be used for bytes that it leaves out
@vt = constant { [2 x i32] } { [2 x i32] [i32 5, i32 6] }
define i32 @plain() {
  %v = load i32, ptr getelementptr inbounds ({ [2 x i32] }, ptr @vt, i32 0, i32 0, i32 1)
  ret i32 %v
}
define i32 @ranged() {
  %v = load i32, ptr getelementptr inbounds inrange(-4, 0) ({ [2 x i32] }, ptr @vt, i32 0, i32 0, i32 1)
  ret i32 %v
}
