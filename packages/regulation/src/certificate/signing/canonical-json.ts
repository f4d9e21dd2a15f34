import { isJsonObject, type JsonValue } from '@sluice/core'

/** Deeper values are no certificate. Bounds the recursion. */
const depthMax = 32

/**
 * Returns the one text that stands for a JSON value, whatever the order of its members and its white space, so that
 * a signature of it can be checked. Source: RFC 8785, JSON Canonicalization Scheme.
 * @throws RangeError when the value is nested too deeply.
 */
export function canonicalJson(value: JsonValue, depth = 0): string {
  if (depth > depthMax) throw new RangeError(`the value is nested more than ${depthMax} levels deep`)
  if (Array.isArray(value)) return `[${value.map((each) => canonicalJson(each, depth + 1)).join(',')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const members = Object.entries(value).flatMap(([name, member]) => (member === undefined ? [] : [{ name, member }]))
  // By UTF-16 code units, as the RFC wants it.
  const sorted = members.sort((a, b) => (a.name < b.name ? -1 : 1))
  return `{${sorted.map(({ name, member }) => `${JSON.stringify(name)}:${canonicalJson(member, depth + 1)}`).join(',')}}`
}
