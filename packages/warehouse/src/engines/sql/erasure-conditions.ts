import type { LiveColumn } from '../../evolve/live-schema.ts'

/** Which ids a column is compared with: those of users, or anonymous ids that are linked to them. */
export type IdKind = 'user' | 'anonymous'

/**
 * Returns the conditions under which a row of a table belongs to users, to be joined by `or`; none for a table without
 * users.
 * @param isOneOf returns the condition that a column contains one of the ids.
 */
export function erasureConditions<Condition>(
  table: string,
  columns: ReadonlyMap<string, LiveColumn>,
  isOneOf: (column: string, kind: IdKind) => Condition,
): readonly Condition[] {
  const name = table.toLowerCase()
  const wanted: readonly (readonly [column: string, kind: IdKind])[] = [
    ['user_id', 'user'],
    ['anonymous_id', 'anonymous'],
    ...(name === 'users' ? ([['id', 'user']] as const) : []),
    ...(name === 'aliases' ? ([['previous_id', 'user']] as const) : []),
  ]
  return wanted.flatMap(([column, kind]) => {
    const found = [...columns].find(([each]) => each.toLowerCase() === column)
    return found?.[1].type === 'string' ? [isOneOf(found[0], kind)] : []
  })
}
