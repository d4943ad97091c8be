; @stays may run forever, and nobody looks at memory then: it reads none itself, and can't end the program, which would be
; an effect. So the first store is needed by nobody. Its second call does what the first did.

declare i8 @stays(i8) nounwind memory(none)

define i8 @src(ptr noundef %p) {
  store i8 1, ptr %p
  %a = call i8 @stays(i8 0)
  %b = call i8 @stays(i8 0)
  store i8 2, ptr %p
  %d = sub i8 %a, %b
  ret i8 %d
}

define i8 @tgt(ptr noundef %p) {
  %a = call i8 @stays(i8 0)
  %b = call i8 @stays(i8 0)
  store i8 2, ptr %p
  ret i8 0
}
