; One freeze used in every iteration is one value; a freeze in the loop is a new value each time and
; so refines only in one direction.
;
; The source's freeze in the loop may choose differently each time; the target's single one may not, which is allowed.

define i32 @twice(i32 %x) {
entry:
  %a = freeze i32 %x
  %b = freeze i32 %x
  %r = sub i32 %a, %b
  ret i32 %r
}

define i32 @once(i32 %x) {
entry:
  %a = freeze i32 %x
  %r = sub i32 %a, %a
  ret i32 %r
}
