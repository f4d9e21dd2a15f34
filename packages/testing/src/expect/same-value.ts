interface AsymmetricMatcher {
  asymmetricMatch(value: unknown): boolean
}

/**
 * Whether two values are the same as JSON: members that are undefined are absent, the order of members says nothing.
 * `expected` may hold matchers such as vitest's `expect.any(String)` and `expect.objectContaining(…)`.
 */
export function isSameValue(actual: unknown, expected: unknown): boolean {
  if (isMatcher(expected)) return expected.asymmetricMatch(actual)
  if (typeof actual !== 'object' || typeof expected !== 'object' || actual === null || expected === null)
    return Object.is(actual, expected) || (actual === 0 && expected === 0)
  if (Array.isArray(actual) !== Array.isArray(expected)) return false
  const one = definedMembers(actual)
  const other = definedMembers(expected)
  if (one.size !== other.size) return false
  return [...other].every(([key, value]) => one.has(key) && isSameValue(one.get(key), value))
}

function isMatcher(value: unknown): value is AsymmetricMatcher {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'asymmetricMatch') === 'function'
}

function definedMembers(value: object): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(value).filter(([, member]) => member !== undefined))
}
