declare void @f(i32)
declare i32 @__gxx_personality_v0(...)
@T = external constant ptr

define i32 @src_lost_store(i32 %n, ptr %o) personality ptr @__gxx_personality_v0 {
entry:
  invoke void @f(i32 %n)
          to label %ok unwind label %pad

ok:
  ret i32 1

pad:
  %l = landingpad { ptr, i32 }
          cleanup
  store i32 %n, ptr %o
  resume { ptr, i32 } %l
}

define i32 @tgt_lost_store(i32 %n, ptr %o) personality ptr @__gxx_personality_v0 {
entry:
  invoke void @f(i32 %n)
          to label %ok unwind label %pad

ok:
  ret i32 1

pad:
  %l = landingpad { ptr, i32 }
          cleanup
  resume { ptr, i32 } %l
}

define i32 @src_lost_store_guarded(i32 %n, ptr %o, i32 %k) personality ptr @__gxx_personality_v0 {
guard:
  %x = xor i32 %k, 1515870810
  %gc = icmp eq i32 %x, -559038737
  br i1 %gc, label %entry, label %skip

skip:
  ret i32 0

entry:
  invoke void @f(i32 %n)
          to label %ok unwind label %pad

ok:
  ret i32 1

pad:
  %l = landingpad { ptr, i32 }
          cleanup
  store i32 %n, ptr %o
  resume { ptr, i32 } %l
}

define i32 @tgt_lost_store_guarded(i32 %n, ptr %o, i32 %k) personality ptr @__gxx_personality_v0 {
guard:
  %x = xor i32 %k, 1515870810
  %gc = icmp eq i32 %x, -559038737
  br i1 %gc, label %entry, label %skip

skip:
  ret i32 0

entry:
  invoke void @f(i32 %n)
          to label %ok unwind label %pad

ok:
  ret i32 1

pad:
  %l = landingpad { ptr, i32 }
          cleanup
  resume { ptr, i32 } %l
}

define i32 @src_other_exception(i32 %n, ptr %o) personality ptr @__gxx_personality_v0 {
entry:
  invoke void @f(i32 %n)
          to label %ok unwind label %pad

ok:
  ret i32 1

pad:
  %l = landingpad { ptr, i32 }
          cleanup
  resume { ptr, i32 } %l
}

define i32 @tgt_other_exception(i32 %n, ptr %o) personality ptr @__gxx_personality_v0 {
entry:
  invoke void @f(i32 %n)
          to label %ok unwind label %pad

ok:
  ret i32 1

pad:
  %l = landingpad { ptr, i32 }
          cleanup
  %m = insertvalue { ptr, i32 } %l, i32 5, 1
  resume { ptr, i32 } %m
}

define i32 @src_other_exception_guarded(i32 %n, ptr %o, i32 %k) personality ptr @__gxx_personality_v0 {
guard:
  %x = xor i32 %k, 1515870810
  %gc = icmp eq i32 %x, -559038737
  br i1 %gc, label %entry, label %skip

skip:
  ret i32 0

entry:
  invoke void @f(i32 %n)
          to label %ok unwind label %pad

ok:
  ret i32 1

pad:
  %l = landingpad { ptr, i32 }
          cleanup
  resume { ptr, i32 } %l
}

define i32 @tgt_other_exception_guarded(i32 %n, ptr %o, i32 %k) personality ptr @__gxx_personality_v0 {
guard:
  %x = xor i32 %k, 1515870810
  %gc = icmp eq i32 %x, -559038737
  br i1 %gc, label %entry, label %skip

skip:
  ret i32 0

entry:
  invoke void @f(i32 %n)
          to label %ok unwind label %pad

ok:
  ret i32 1

pad:
  %l = landingpad { ptr, i32 }
          cleanup
  %m = insertvalue { ptr, i32 } %l, i32 5, 1
  resume { ptr, i32 } %m
}

define i32 @src_swallowed(i32 %n, ptr %o) personality ptr @__gxx_personality_v0 {
entry:
  invoke void @f(i32 %n)
          to label %ok unwind label %pad

ok:
  ret i32 1

pad:
  %l = landingpad { ptr, i32 }
          cleanup
  resume { ptr, i32 } %l
}

define i32 @tgt_swallowed(i32 %n, ptr %o) personality ptr @__gxx_personality_v0 {
entry:
  invoke void @f(i32 %n)
          to label %ok unwind label %pad

ok:
  ret i32 1

pad:
  %l = landingpad { ptr, i32 }
          cleanup
  ret i32 1
}

define i32 @src_swallowed_guarded(i32 %n, ptr %o, i32 %k) personality ptr @__gxx_personality_v0 {
guard:
  %x = xor i32 %k, 1515870810
  %gc = icmp eq i32 %x, -559038737
  br i1 %gc, label %entry, label %skip

skip:
  ret i32 0

entry:
  invoke void @f(i32 %n)
          to label %ok unwind label %pad

ok:
  ret i32 1

pad:
  %l = landingpad { ptr, i32 }
          cleanup
  resume { ptr, i32 } %l
}

define i32 @tgt_swallowed_guarded(i32 %n, ptr %o, i32 %k) personality ptr @__gxx_personality_v0 {
guard:
  %x = xor i32 %k, 1515870810
  %gc = icmp eq i32 %x, -559038737
  br i1 %gc, label %entry, label %skip

skip:
  ret i32 0

entry:
  invoke void @f(i32 %n)
          to label %ok unwind label %pad

ok:
  ret i32 1

pad:
  %l = landingpad { ptr, i32 }
          cleanup
  ret i32 1
}

define i32 @src_next_one(i32 %n, ptr %o) personality ptr @__gxx_personality_v0 {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %cont ]
  %c = icmp ult i32 %i, %n
  br i1 %c, label %body, label %exit

body:
  %k1 = mul i32 %n, 3
  invoke void @f(i32 %k1)
          to label %cont unwind label %pad

cont:
  %i1 = add nuw i32 %i, 1
  br label %loop

exit:
  ret i32 %i

pad:
  %l = landingpad { ptr, i32 }
          cleanup
  store i32 %i, ptr %o
  resume { ptr, i32 } %l
}

define i32 @tgt_next_one(i32 %n, ptr %o) personality ptr @__gxx_personality_v0 {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %cont ]
  %c = icmp ult i32 %i, %n
  br i1 %c, label %body, label %exit

body:
  %k1 = mul i32 %n, 3
  invoke void @f(i32 %k1)
          to label %cont unwind label %pad

cont:
  %i1 = add nuw i32 %i, 1
  br label %loop

exit:
  ret i32 %i

pad:
  %l = landingpad { ptr, i32 }
          cleanup
  %j = add i32 %i, 1
  store i32 %j, ptr %o
  resume { ptr, i32 } %l
}

define i32 @src_next_one_guarded(i32 %n, ptr %o, i32 %k) personality ptr @__gxx_personality_v0 {
guard:
  %x = xor i32 %k, 1515870810
  %gc = icmp eq i32 %x, -559038737
  br i1 %gc, label %entry, label %skip

skip:
  ret i32 0

entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %cont ]
  %c = icmp ult i32 %i, %n
  br i1 %c, label %body, label %exit

body:
  %k1 = mul i32 %n, 3
  invoke void @f(i32 %k1)
          to label %cont unwind label %pad

cont:
  %i1 = add nuw i32 %i, 1
  br label %loop

exit:
  ret i32 %i

pad:
  %l = landingpad { ptr, i32 }
          cleanup
  store i32 %i, ptr %o
  resume { ptr, i32 } %l
}

define i32 @tgt_next_one_guarded(i32 %n, ptr %o, i32 %k) personality ptr @__gxx_personality_v0 {
guard:
  %x = xor i32 %k, 1515870810
  %gc = icmp eq i32 %x, -559038737
  br i1 %gc, label %entry, label %skip

skip:
  ret i32 0

entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %cont ]
  %c = icmp ult i32 %i, %n
  br i1 %c, label %body, label %exit

body:
  %k1 = mul i32 %n, 3
  invoke void @f(i32 %k1)
          to label %cont unwind label %pad

cont:
  %i1 = add nuw i32 %i, 1
  br label %loop

exit:
  ret i32 %i

pad:
  %l = landingpad { ptr, i32 }
          cleanup
  %j = add i32 %i, 1
  store i32 %j, ptr %o
  resume { ptr, i32 } %l
}

define i32 @src_other_clause(i32 %n, ptr %o) personality ptr @__gxx_personality_v0 {
entry:
  invoke void @f(i32 %n)
          to label %ok unwind label %pad

ok:
  ret i32 1

pad:
  %l = landingpad { ptr, i32 }
          catch ptr @T
  %s = extractvalue { ptr, i32 } %l, 1
  ret i32 %s
}

define i32 @tgt_other_clause(i32 %n, ptr %o) personality ptr @__gxx_personality_v0 {
entry:
  invoke void @f(i32 %n)
          to label %ok unwind label %pad

ok:
  ret i32 1

pad:
  %l = landingpad { ptr, i32 }
          catch ptr null
  %s = extractvalue { ptr, i32 } %l, 1
  ret i32 %s
}

define i32 @src_other_clause_guarded(i32 %n, ptr %o, i32 %k) personality ptr @__gxx_personality_v0 {
guard:
  %x = xor i32 %k, 1515870810
  %gc = icmp eq i32 %x, -559038737
  br i1 %gc, label %entry, label %skip

skip:
  ret i32 0

entry:
  invoke void @f(i32 %n)
          to label %ok unwind label %pad

ok:
  ret i32 1

pad:
  %l = landingpad { ptr, i32 }
          catch ptr @T
  %s = extractvalue { ptr, i32 } %l, 1
  ret i32 %s
}

define i32 @tgt_other_clause_guarded(i32 %n, ptr %o, i32 %k) personality ptr @__gxx_personality_v0 {
guard:
  %x = xor i32 %k, 1515870810
  %gc = icmp eq i32 %x, -559038737
  br i1 %gc, label %entry, label %skip

skip:
  ret i32 0

entry:
  invoke void @f(i32 %n)
          to label %ok unwind label %pad

ok:
  ret i32 1

pad:
  %l = landingpad { ptr, i32 }
          catch ptr null
  %s = extractvalue { ptr, i32 } %l, 1
  ret i32 %s
}
