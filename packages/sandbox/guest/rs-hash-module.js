// @ts-check

export { md5, sha256 } from '@sluice/hash'

const { imul } = Math
const codeAt = Function.prototype.call.bind(String.prototype.charCodeAt)
/** A hash of 53 bits by bryc, in the public domain. */
export function cyrb53(text, seed = 0) {
  let low = 0xdeadbeef ^ seed
  let high = 0x41c6ce57 ^ seed
  for (let i = 0; i < text.length; i += 1) {
    const code = codeAt(text, i)
    low = imul(low ^ code, 2654435761)
    high = imul(high ^ code, 1597334677)
  }
  low = imul(low ^ (low >>> 16), 2246822507) ^ imul(high ^ (high >>> 13), 3266489909)
  high = imul(high ^ (high >>> 16), 2246822507) ^ imul(low ^ (low >>> 13), 3266489909)
  return 4294967296 * (high & 2097151) + (low >>> 0)
}
