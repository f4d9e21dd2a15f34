/** Returns a copy of a value whose objects have no undefined members. Items of lists stay. */
export function withoutUndefined(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withoutUndefined)
  const object: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(value))
    if (member !== undefined && key !== '__proto__') object[key] = withoutUndefined(member)
  return object
}
