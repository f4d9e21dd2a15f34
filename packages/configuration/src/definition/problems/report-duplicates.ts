import type { Collected, Placed, Sparse } from '../parse-context.ts'
import { shown } from './problem.ts'

/**
 * Adds a problem for each value whose key an earlier one has, or one that does not give way.
 *
 * @param keyOf returns the key that must be unique; undefined is not compared.
 */
export function reportDuplicates<T>(
  items: Sparse<Placed<T>>,
  keyOf: (item: T) => string | undefined,
  { problems, yields }: Collected,
  display?: string,
): void {
  const seen = new Set<string>()
  const gives = (each: Placed<T> | undefined): boolean => each !== undefined && yields?.(each.path) === true
  const inOrder = yields ? [...items.filter((each) => !gives(each)), ...items.filter(gives)] : items
  for (const each of inOrder) {
    const key = each && keyOf(each.item)
    if (each === undefined || key === undefined) continue
    if (seen.has(key))
      problems.push({ path: each.path, value: display ?? shown(key), allowed: 'a value no other entry has' })
    seen.add(key)
  }
}
