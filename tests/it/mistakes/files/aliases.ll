@a = alias i8, ptr @b
@b = alias i8, ptr @a
