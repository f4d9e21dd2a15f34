/**
 * Number of bytes per element, and a function that reads one (little-endian), by the kind byte of the object format.
 */
const kinds: readonly (readonly [number, (view: DataView, at: number) => number | undefined])[] = [
  [1, (view, at) => view.getUint8(at)],
  [1, (view, at) => view.getInt8(at)],
  [1, (view, at) => view.getUint8(at)],
  [2, (view, at) => view.getInt16(at, true)],
  [2, (view, at) => view.getUint16(at, true)],
  [4, (view, at) => view.getInt32(at, true)],
  [4, (view, at) => view.getUint32(at, true)],
  [8, () => undefined],
  [8, () => undefined],
  [2, (view, at) => half(view.getUint16(at, true))],
  [4, (view, at) => view.getFloat32(at, true)],
  [8, (view, at) => view.getFloat64(at, true)],
]

/**
 * Returns the elements of a typed array whose buffer is in `view` up to `end`; 'bigint' when they are BigInts;
 * undefined for an unknown kind, or when elements are outside the buffer.
 */
export function typedArrayElements(
  view: DataView,
  kind: number,
  start: number,
  count: number,
  end: number,
): readonly number[] | 'bigint' | undefined {
  const [bytes, read] = kinds[kind] ?? []
  if (bytes === undefined || read === undefined || start + count * bytes > end) return undefined
  const elements: number[] = []
  for (let i = 0; i < count; i += 1) {
    const element = read(view, start + i * bytes)
    if (element === undefined) return 'bigint'
    elements.push(element)
  }
  return elements
}

function half(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 31
  const fraction = bits & 1023
  if (exponent === 31) return fraction === 0 ? sign * Infinity : Number.NaN
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1024 + fraction) * 2 ** (exponent - 25)
}
