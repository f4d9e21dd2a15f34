/** Concatenates byte arrays. A single array is returned itself, not as a copy. */
export function joinBytes(arrays: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  const [only] = arrays
  if (only !== undefined && arrays.length === 1) return only
  const joined = new Uint8Array(arrays.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const bytes of arrays) {
    joined.set(bytes, at)
    at += bytes.length
  }
  return joined
}
