import { identifierText } from '@sluice/core'
import { Bound, joined, type Statement, sql } from '../engines/sql/statement.ts'
import { type IdFamily, listedIds, storedId } from '../ids/id-family.ts'
import type { ErasureSql, ErasureStore } from './erasure-store.ts'
import { idLiteral } from './id-literal.ts'

/** Ids that are searched, as cleaned text, with the users that they stand for: indexes in the list of a deletion. */
export type WantedIds = ReadonlyMap<string, ReadonlySet<number>>

/** Where ids are searched. */
export interface IdPlace {
  /** As it is read. */
  readonly from: string
  readonly column: string
  readonly family: IdFamily
  readonly native: string
  /** Whether its values are lists of external ids, as JSON text. */
  readonly isList: boolean
}

/** Values of a column that are wanted ids, however they are spelt. */
export interface FoundIds {
  /** SQL that is compared with the values. */
  readonly operand: string
  /** SQL that is the key of a value. */
  readonly key: string
  readonly values: readonly FoundValue[]
}

interface FoundValue {
  readonly key: string
  readonly value: Statement
  readonly users: ReadonlySet<number>
  readonly rows: number
}

/** Values that are read at a time. */
const pageRows = 5_000
/** What cleaning may change: see `identifierText`. Everything else is compared as it is. */
export const unclean = '[^ -~]|^ | $'
/** Characters that cleaning leaves as they are, whatever is beside them. Letters are not among them: accents join them. */
export const notOutline = '[^0-9@._-]'

/**
 * Finds the values of a column that are wanted ids, page by page, so that spellings without number take no memory.
 *
 * Columns of text are read where they may contain an id: those that equal one, and those with characters that cleaning
 * may change and with the digits of an id. Which of them are ids is decided here, by `identifierText`, and they are
 * deleted by the text that was read. Lists of external ids are all read. Other types are compared by value.
 *
 * @param condition what else must be true of the rows.
 */
export async function* findIds(
  store: ErasureStore,
  place: IdPlace,
  wanted: WantedIds,
  condition?: Statement,
): AsyncGenerator<FoundIds> {
  const { family, isList } = place
  const also = condition ? sql` and ${condition}` : sql``
  const size = family === 'json' || isList ? Math.max(1, wanted.size) : store.sql.valuesMax
  for (const some of chunksOf([...wanted], size))
    if (family === 'text' || family === 'json') yield* findTexts(store, place, new Map(some), also)
    else {
      const found = await findTyped(store, place, new Map(some), also)
      if (found.values.length > 0) yield found
    }
}

async function* findTexts(
  store: ErasureStore,
  { from, column, family, isList }: IdPlace,
  wanted: WantedIds,
  also: Statement,
): AsyncGenerator<FoundIds> {
  const operand = store.sql.text(column, family)
  const candidates =
    family === 'json' || isList ? sql`${column} is not null` : mayBe(column, operand, wanted, store.sql)
  for (let after: string | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
    const rest = after === undefined ? sql`` : sql` and ${operand} > ${new Bound(after)}`
    const rows = await store.rows(
      sql`select ${operand} as k, count(*) as n from ${from} where ${candidates}${also}${rest} group by 1 order by 1 limit ${String(pageRows)}`,
    )
    const values = rows.flatMap(({ k, n }): readonly FoundValue[] => {
      if (k == null) return []
      const ids = isList ? listedIds(k) : [storedId(k, family)]
      const users = new Set(ids.flatMap((id) => [...(wanted.get(id) ?? [])]))
      return ids.some((id) => wanted.has(id)) ? [{ key: k, value: sql`${new Bound(k)}`, users, rows: Number(n) }] : []
    })
    if (values.length > 0) yield { operand, key: operand, values }
    after = rows.length < pageRows ? undefined : (rows.at(-1)?.['k'] ?? undefined)
  }
}

/** The condition that a text may be one of the ids: true of all that are, and of few others. */
function mayBe(column: string, operand: string, wanted: WantedIds, { matches, without }: ErasureSql): Statement {
  const ids = [...wanted.keys()]
  const equal = sql`${operand} in (${joined(
    ids.map((id) => sql`${new Bound(id)}`),
    ', ',
  )})`
  const outlines = new Set(ids.map((id) => `'${id.replaceAll(new RegExp(notOutline, 'g'), '')}'`))
  const alike = without ? ` and ${without(column, notOutline)} in (${[...outlines].join(', ')})` : ''
  return sql`(${equal} or (${matches(column, unclean)}${alike}))`
}

async function findTyped(
  store: ErasureStore,
  { from, column, family, native }: IdPlace,
  wanted: WantedIds,
  also: Statement,
): Promise<FoundIds> {
  const operand = family === 'uuid' ? store.sql.text(column, family) : column
  const literals = new Map<string, Set<number>>()
  for (const [id, users] of wanted) {
    const literal = idLiteral(id, family, native, store.sql)
    if (literal === undefined) continue
    const known = literals.get(literal) ?? new Set()
    for (const user of users) known.add(user)
    literals.set(literal, known)
  }
  const all = [...literals]
  const key = `case ${all.map(([literal], at) => `when ${operand} = ${literal} then '${at}'`).join(' ')} end`
  if (all.length === 0) return { operand, key, values: [] }
  const rows = await store.rows(
    sql`select ${key} as k, count(*) as n from ${from} where ${operand} in (${all.map(([literal]) => literal).join(', ')})${also} group by 1`,
  )
  const values = rows.flatMap(({ k, n }): readonly FoundValue[] => {
    const [literal, users] = all[Number(k ?? -1)] ?? []
    return literal === undefined || users === undefined
      ? []
      : [{ key: String(k), value: sql`${literal}`, users, rows: Number(n) }]
  })
  return { operand, key, values }
}

/** Returns the conditions that a row has one of the values, with at most so many values each as a statement may have. */
export function conditionsOf({ operand, values }: Pick<FoundIds, 'operand' | 'values'>, { valuesMax }: ErasureSql) {
  return chunksOf(values, valuesMax).map(
    (some) =>
      sql`${operand} in (${joined(
        some.map(({ value }) => value),
        ', ',
      )})`,
  )
}

/** Returns users by the key of each value. */
export function usersByKey({ values }: FoundIds): WantedIds {
  return new Map(values.map(({ key, users }) => [key, users]))
}

export function chunksOf<T>(all: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size))
}

/** Returns ids as they are searched: cleaned, without blank ones. */
export function wantedIds(ids: readonly string[]): WantedIds {
  const wanted = new Map<string, Set<number>>()
  for (const [at, id] of ids.entries()) {
    const text = identifierText(id)
    if (text !== '') wanted.set(text, (wanted.get(text) ?? new Set()).add(at))
  }
  return wanted
}
