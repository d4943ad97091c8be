declare void @f(i32)
declare i32 @__gxx_personality_v0(...)
@T = external constant ptr

define i32 @src_stored(i32 %n, ptr %o) personality ptr @__gxx_personality_v0 {
entry:
  invoke void @f(i32 %n)
          to label %ok unwind label %pad

ok:
  ret i32 1

pad:
  %l = landingpad { ptr, i32 }
          cleanup
  %m = or i32 %n, %n
  store i32 %m, ptr %o
  resume { ptr, i32 } %l
}

define i32 @tgt_stored(i32 %n, ptr %o) personality ptr @__gxx_personality_v0 {
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

define i32 @src_stored_guarded(i32 %n, ptr %o, i32 %k) personality ptr @__gxx_personality_v0 {
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
  %m = or i32 %n, %n
  store i32 %m, ptr %o
  resume { ptr, i32 } %l
}

define i32 @tgt_stored_guarded(i32 %n, ptr %o, i32 %k) personality ptr @__gxx_personality_v0 {
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

define i32 @src_cleanup_gone(i32 %n, ptr %o) personality ptr @__gxx_personality_v0 {
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

define i32 @tgt_cleanup_gone(i32 %n, ptr %o) personality ptr @__gxx_personality_v0 {
entry:
  call void @f(i32 %n)
  ret i32 1
}

define i32 @src_cleanup_gone_guarded(i32 %n, ptr %o, i32 %k) personality ptr @__gxx_personality_v0 {
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

define i32 @tgt_cleanup_gone_guarded(i32 %n, ptr %o, i32 %k) personality ptr @__gxx_personality_v0 {
guard:
  %x = xor i32 %k, 1515870810
  %gc = icmp eq i32 %x, -559038737
  br i1 %gc, label %entry, label %skip

skip:
  ret i32 0

entry:
  call void @f(i32 %n)
  ret i32 1
}

define i32 @src_selector(i32 %n, ptr %o) personality ptr @__gxx_personality_v0 {
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

define i32 @tgt_selector(i32 %n, ptr %o) personality ptr @__gxx_personality_v0 {
entry:
  invoke void @f(i32 %n)
          to label %ok unwind label %pad

ok:
  ret i32 1

pad:
  %l = landingpad { ptr, i32 }
          catch ptr @T
  %s = extractvalue { ptr, i32 } %l, 1
  %t = sub i32 0, %s
  %u = sub i32 0, %t
  ret i32 %u
}

define i32 @src_selector_guarded(i32 %n, ptr %o, i32 %k) personality ptr @__gxx_personality_v0 {
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

define i32 @tgt_selector_guarded(i32 %n, ptr %o, i32 %k) personality ptr @__gxx_personality_v0 {
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
  %t = sub i32 0, %s
  %u = sub i32 0, %t
  ret i32 %u
}
