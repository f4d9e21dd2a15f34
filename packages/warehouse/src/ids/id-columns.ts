import type { LiveColumn } from '../evolve/live-schema.ts'

/** Whose ids a column has: those of users, or anonymous ids, which `identifies` links to users. */
export type IdKind = 'user' | 'anonymous'

export interface IdColumn {
  /** As the warehouse names it. */
  readonly name: string
  readonly kind: IdKind
  readonly column: LiveColumn
}

/** Columns by lower-case name, of every table that has them. */
const everywhere: ReadonlyMap<string, IdKind> = new Map([
  ['user_id', 'user'],
  ['anonymous_id', 'anonymous'],
])
/** The same for one table. */
const ofTable: Readonly<Record<string, ReadonlyMap<string, IdKind>>> = {
  users: new Map([['id', 'user']]),
  aliases: new Map([['previous_id', 'user']]),
}

/** Returns the columns of a table that say whose its rows are; none for a table without users. */
export function idColumnsOf(table: string, columns: ReadonlyMap<string, LiveColumn>): readonly IdColumn[] {
  return [...columns].flatMap(([name, column]) => {
    const kind = idKindOf(table, name)
    return kind === undefined ? [] : [{ name, kind, column }]
  })
}

/** Returns whose ids a column has, undefined when it has none. Names may have any case. */
export function idKindOf(table: string, name: string): IdKind | undefined {
  const key = name.toLowerCase()
  return everywhere.get(key) ?? ofTable[table.toLowerCase()]?.get(key)
}
