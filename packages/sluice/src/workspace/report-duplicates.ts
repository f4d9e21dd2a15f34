import type { Collected, Placed, Sparse } from './parse-context.ts'
import { shown } from './problem.ts'

/**
 * Adds a problem for each value whose key an earlier one has.
 *
 * @param keyOf returns the key that must be unique; undefined is not compared.
 */
export function reportDuplicates<T>(
  items: Sparse<Placed<T>>,
  keyOf: (item: T) => string | undefined,
  { problems }: Collected,
  display?: string,
): void {
  const seen = new Set<string>()
  for (const each of items) {
    const key = each && keyOf(each.item)
    if (each === undefined || key === undefined) continue
    if (seen.has(key))
      problems.push({ path: each.path, value: display ?? shown(key), allowed: 'a value no other entry has' })
    seen.add(key)
  }
}
