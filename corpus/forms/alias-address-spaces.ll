; Aliases of addresses in another address space, and of casts, whose targets are spelled without their type.
@g = addrspace(1) global [4 x i8] zeroinitializer
@h = global [4 x i8] zeroinitializer
@a = alias i8, getelementptr (i8, ptr addrspace(1) @g, i64 1)
@b = alias i8, addrspacecast (ptr addrspace(1) @g to ptr)
@c = alias i8, getelementptr (i8, ptr @h, i64 1)
define i8 @f() {
  %v = load i8, ptr addrspace(1) @a
  ret i8 %v
}
