/** Converters for rules: `to('email').from(generic.email).as(convert.trim, convert.lower)`. */
export { basicAuth } from './basic-auth.ts'
export { md5, sha256 } from './hash.ts'
export { id } from './id.ts'
export { list } from './list.ts'
export { integer, number, rounded } from './number.ts'
export { oneOf, renamed } from './one-of.ts'
export { cut, lower, text, trim, upper } from './text.ts'
export { instant, isoDate, milliseconds, seconds } from './time.ts'
