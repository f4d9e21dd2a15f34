import { type Costs, spend, spendOn } from './steps.ts'

/** Returns whether two values are the same JSON. Counts what it looks at: a large constant may be compared with many values. */
export function isSameWithin(costs: Costs, a: unknown, b: unknown): boolean {
  if (typeof a === 'string' && typeof b === 'string' && a.length === b.length) spendOn(a, costs)
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) && Array.isArray(b)) {
    if (a.length !== b.length) return false
    return a.every((item, index) => {
      spend(costs, 1)
      return isSameWithin(costs, item, b[index])
    })
  }
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [members, others] = [Object.entries(a), Object.keys(b)]
  spend(costs, members.length + others.length)
  if (members.length !== others.length) return false
  return members.every(([name, value]) => {
    spendOn(name, costs)
    return Object.hasOwn(b, name) && isSameWithin(costs, value, (b as Readonly<Record<string, unknown>>)[name])
  })
}
