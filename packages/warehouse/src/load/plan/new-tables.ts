import type { LoadReport } from '@sluice/destinations'
import type { LiveSchema } from '../../evolve/live-schema.ts'
import type { StagedTable } from '../staged-rows.ts'

/** How many new tables named after events may be created. */
export interface NewTablesLimit {
  /** Most of one source. Anyone with its write key chooses the names, and databases get slow with many tables. */
  readonly perSourceMax: number
  /** Those that count already, by source. */
  readonly created: Readonly<Record<string, number>>
}

/** What a limit leaves of a load. */
export interface LimitedTables {
  readonly kept: readonly StagedTable[]
  /** New tables by source, of this load. */
  readonly created: Readonly<Record<string, number>>
  /** Tables that are not created, and their rows: these events are in the table of all events only. */
  readonly leftOut: { readonly tables: number; readonly rows: number }
}

/** Tables that are not named after events. */
const standardTables = new Set(['tracks', 'identifies', 'users', 'pages', 'screens', 'groups', 'aliases'])

/**
 * Leaves out new tables of events beyond the limit of their source, in the order of their first rows. Nothing is left out when there is no
 * table of all events, because the events would then be nowhere.
 */
export function limitNewTables(
  staged: readonly StagedTable[],
  live: LiveSchema,
  { perSourceMax, created: before }: NewTablesLimit,
  nameOf: (name: string) => string,
): LimitedTables {
  const hasTracks = staged.some(({ table }) => table === nameOf('tracks'))
  const created: Record<string, number> = {}
  const leftOut = { tables: 0, rows: 0 }
  const sourceColumn = nameOf('context_source_id')
  const kept = staged.filter(({ table, rows }) => {
    if (live.has(table) || standardTables.has(table.toLowerCase()) || !hasTracks) return true
    const [first] = rows
    const source = String(first?.values[first.names.indexOf(sourceColumn)] ?? '')
    const count = created[source] ?? 0
    if ((before[source] ?? 0) + count < perSourceMax) {
      created[source] = count + 1
      return true
    }
    leftOut.tables += 1
    leftOut.rows += rows.length
    return false
  })
  return { kept, created, leftOut }
}

const hourMs = 3_600_000

/** Counts the new tables of a destination by source, from the start each hour. */
export class NewTablesCount {
  readonly #perSourceMax: number | undefined
  #since = Number.NEGATIVE_INFINITY
  #created: Record<string, number> = {}

  /** @param perSourceMax most of a source in an hour. Left out, without limit. */
  constructor(perSourceMax?: number) {
    this.#perSourceMax = perSourceMax
  }

  /** The limit for a load. @param now in milliseconds. */
  limitAt(now: number): { readonly newTables?: NewTablesLimit } {
    if (now - this.#since >= hourMs) {
      this.#since = now
      this.#created = {}
    }
    if (this.#perSourceMax === undefined) return {}
    return { newTables: { perSourceMax: this.#perSourceMax, created: this.#created } }
  }

  /** Counts what a load has created. */
  add({ newTables = {} }: Pick<LoadReport, 'newTables'>): void {
    for (const [source, count] of Object.entries(newTables))
      this.#created[source] = (this.#created[source] ?? 0) + count
  }
}
