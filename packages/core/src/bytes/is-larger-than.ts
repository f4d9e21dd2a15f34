/** Characters that a value counts as besides its text: quotes, a comma, digits. */
const valueLength = 4

/**
 * Returns whether the JSON text of a value is longer than about `lengthMax` characters. It looks at no more than that, so it
 * is asked before work that grows with the value.
 */
export function isLargerThan(value: unknown, lengthMax: number): boolean {
  const waiting: unknown[] = [value]
  let length = 0
  while (waiting.length > 0 && length <= lengthMax) {
    const one = waiting.pop()
    length += valueLength
    if (typeof one === 'string') length += one.length
    if (typeof one !== 'object' || one === null) continue
    if (Array.isArray(one)) {
      length += one.length
      if (length <= lengthMax) for (const item of one) waiting.push(item)
      continue
    }
    for (const key in one) {
      length += key.length
      if (length > lengthMax) break
      waiting.push((one as Record<string, unknown>)[key])
    }
  }
  return length > lengthMax
}
