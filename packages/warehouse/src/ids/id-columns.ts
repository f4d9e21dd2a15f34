import type { LiveColumn } from '../evolve/live-schema.ts'
import { wholeIdColumn } from './whole-id-column.ts'

/**
 * Whose ids a column has: those of users; anonymous ids, which `identifies` links to users; or other identifiers of the
 * person, beside another id of a user or none. Source: packages/docs/behaviour/same-person.md.
 */
export type IdKind = 'user' | 'anonymous' | 'other'

interface IdColumn {
  /** As the warehouse names it. */
  readonly name: string
  readonly kind: IdKind
  readonly column: LiveColumn
  /** Whether its values are lists of external ids, as JSON text. */
  readonly isList: boolean
}

/** Columns by lower-case name, of every table that has them. */
const everywhere: ReadonlyMap<string, IdKind> = new Map([
  ['user_id', 'user'],
  ['anonymous_id', 'anonymous'],
  ['context_traits_id', 'other'],
  ['context_traits_user_id', 'other'],
  ['context_external_id', 'other'],
  // As `useBlendoCasing` names them.
  ['context_traits_userid', 'other'],
  ['context_externalid', 'other'],
])
const lists: ReadonlySet<string> = new Set(['context_external_id', 'context_externalid'])
/** The same for one table. */
const ofTable: ReadonlyMap<string, ReadonlyMap<string, IdKind>> = new Map(
  Object.entries<Readonly<Record<string, IdKind>>>({
    users: { id: 'user', [wholeIdColumn]: 'user' },
    aliases: { previous_id: 'user' },
    rudder_identity_merge_rules: { merge_property_1_value: 'other', merge_property_2_value: 'other' },
    rudder_identity_mappings: { merge_property_value: 'other' },
  }).map(([table, kinds]) => [table, new Map(Object.entries(kinds))]),
)

/** Returns the columns of a table that say whose its rows are; none for a table without users. */
export function idColumnsOf(table: string, columns: ReadonlyMap<string, LiveColumn>): readonly IdColumn[] {
  return [...columns].flatMap(([name, column]) => {
    const kind = idKindOf(table, name)
    return kind === undefined ? [] : [{ name, kind, column, isList: isListOfIds(name) }]
  })
}

/** Returns whose ids a column has, undefined when it has none. Names may have any case. */
export function idKindOf(table: string, name: string): IdKind | undefined {
  const key = name.toLowerCase()
  return everywhere.get(key) ?? ofTable.get(table.toLowerCase())?.get(key)
}

/** Returns whether a column of ids has lists of external ids. */
export function isListOfIds(name: string): boolean {
  return lists.has(name.toLowerCase())
}
