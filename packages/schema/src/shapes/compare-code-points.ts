/**
 * Orders texts by code point, which is the byte order of their UTF-8 and the order a database compares in. JavaScript's
 * own comparison differs for characters outside the Basic Multilingual Plane.
 *
 * @returns a negative number, 0 or a positive number, as `Array.prototype.sort` takes it.
 */
export function compareCodePoints(a: string, b: string): number {
  if (a === b) return 0
  if (!surrogateOrAbove.test(a) || !surrogateOrAbove.test(b)) return a < b ? -1 : 1
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i += 1) {
    const left = a.charCodeAt(i)
    const right = b.charCodeAt(i)
    if (left !== right) return rank(left) - rank(right)
  }
  return a.length - b.length
}

/** The texts in that order. Takes the faster comparison of the platform when it gives the same order. */
export function sortByCodePoints(texts: readonly string[]): string[] {
  return texts.some((text) => surrogateOrAbove.test(text)) ? texts.toSorted(compareCodePoints) : texts.toSorted()
}

// Only when both texts hold such a unit can the two orders differ.
const surrogateOrAbove = /[\ud800-\uffff]/

// A surrogate is half of a code point above U+FFFF, so it ranks behind every unit that is a character of its own.
const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit)
