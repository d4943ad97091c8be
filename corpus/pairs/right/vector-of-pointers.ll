; Each pointer of a vector has a buffer of its own.

define <2 x ptr> @src(<2 x ptr> %a) {
  ret <2 x ptr> %a
}

define <2 x ptr> @tgt(<2 x ptr> %a) {
  ret <2 x ptr> %a
}
