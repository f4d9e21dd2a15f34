/**
 * The object format of the engine (`JS_WriteObject` / `JS_ReadObject` of QuickJS 2025-09-13, used by `encodeBinaryJSON`
 * and `decodeBinaryJSON`), limited to JSON values and other values that user code may return.
 *
 * A document: version byte, number of key strings, key strings, one value. Numbers are LEB128. A string: length << 1 |
 * wide, then Latin-1 bytes or UTF-16LE units. A value: tag, then
 * - int: zigzag LEB128; float: 8 bytes; string; object: property count, then per property key and value, where a key is
 *   (position in the key strings, from 1) << 1 or integer << 1 | 1; array: length, values;
 * - typed array: kind byte, length, byte offset, then the value of its buffer; array buffer: length, largest length,
 *   bytes;
 * - date: a number; boxed: a primitive; reference: the number of an earlier object, which need not be complete.
 *
 * Objects, arrays, typed arrays, buffers, dates and boxed values are numbered from 0 in the order in which they begin.
 * Source: found by inspecting the pinned build; choose-crossing.ts verifies it at start-up.
 */
export const objectFormatVersion = 5

export const tag = {
  null: 1,
  undefined: 2,
  false: 3,
  true: 4,
  int: 5,
  float: 6,
  string: 7,
  object: 8,
  array: 9,
  bigint: 10,
  typedArray: 14,
  arrayBuffer: 15,
  date: 17,
  boxed: 18,
  reference: 19,
} as const
