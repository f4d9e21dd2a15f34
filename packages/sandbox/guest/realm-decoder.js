// @ts-check

/**
 * Reads documents of our own encoder (see src/crossing/object-format.ts) into objects of the realm in which this runs.
 * The functions make texts of bytes: they are those of the buffer of the host.
 */
;(
  /** @type {(bytes: Uint8Array, start: number, end: number) => string} */ latin1,
  /** @type {(bytes: Uint8Array, start: number, end: number) => string} */ utf16,
) => {
  const { defineProperty } = Object
  const { fromCharCode } = String
  const shortLength = 10
  const view = new DataView(new ArrayBuffer(8))
  const setByte = view.setUint8.bind(view)
  const getNumber = view.getFloat64.bind(view)
  /** @type {Uint8Array} */
  let bytes
  let at = 0
  let keys = []
  /** @type {Uint8Array | undefined} */
  let keyBytes
  let keyBytesLength = 0

  function number() {
    let byte = bytes[at++]
    if (byte < 128) return byte
    let result = byte & 127
    let shift = 7
    do {
      byte = bytes[at++]
      result |= (byte & 127) << shift
      shift += 7
    } while (byte > 127)
    return result >>> 0
  }

  function text() {
    const head = number()
    const length = head >>> 1
    const start = at
    if (head & 1) {
      at += 2 * length
      return utf16(bytes, start, at)
    }
    at += length
    if (length >= shortLength) return latin1(bytes, start, at)
    let short = ''
    for (let i = start; i < at; i += 1) short += fromCharCode(bytes[i])
    return short
  }

  function float() {
    for (let i = 0; i < 8; i += 1) setByte(i, bytes[at++])
    return getNumber(0, true)
  }

  function object() {
    const made = {}
    for (let left = number(); left > 0; left -= 1) {
      const word = number()
      const key = word & 1 ? `${word >>> 1}` : keys[(word >>> 1) - 1]
      if (key === '__proto__')
        defineProperty(made, key, {
          __proto__: null,
          value: value(),
          writable: true,
          enumerable: true,
          configurable: true,
        })
      else made[key] = value()
    }
    return made
  }

  function list() {
    const made = []
    const length = number()
    for (let i = 0; i < length; i += 1) made[i] = value()
    return made
  }

  function value() {
    switch (bytes[at++]) {
      case 1:
        return null
      case 3:
        return false
      case 4:
        return true
      case 5: {
        const zigzag = number()
        return (zigzag >>> 1) ^ -(zigzag & 1)
      }
      case 6:
        return float()
      case 7:
        return text()
      case 8:
        return object()
      case 9:
        return list()
      default:
        return undefined
    }
  }

  // The keys of a document are mostly those of the one before.
  function readKeys() {
    const count = number()
    if (keyBytes !== undefined && keys.length === count && hasSameKeys()) {
      at += keyBytesLength
      return
    }
    const start = at
    keys = []
    for (let i = 0; i < count; i += 1) keys[i] = text()
    keyBytesLength = at - start
    keyBytes = new Uint8Array(keyBytesLength)
    for (let i = 0; i < keyBytesLength; i += 1) keyBytes[i] = bytes[start + i]
  }

  function hasSameKeys() {
    if (at + keyBytesLength > bytes.length) return false
    for (let i = 0; i < keyBytesLength; i += 1) if (keyBytes?.[i] !== bytes[at + i]) return false
    return true
  }

  return (/** @type {Uint8Array} */ source) => {
    bytes = source
    at = 1
    readKeys()
    return value()
  }
}
