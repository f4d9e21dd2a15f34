import type { CatalogueDetail, CatalogueValues } from '@sluice/http'
import { withoutIndexes } from '../model-changes.ts'
import { keyRows } from './key-rows.ts'
import type { ShownKey } from './key-table.tsx'
import { isMasked, personalKeys } from './personal-keys.ts'
import { planFit } from './plan-fit.ts'

interface ShownKeysOptions {
  readonly detail: CatalogueDetail
  readonly values: CatalogueValues
  /** JSON Schema of the event in the plan of its source. */
  readonly planned: unknown
  /** Keys that came first at this time or later are new, in milliseconds since the epoch. */
  readonly since: number
}

/** Returns the keys of an event with all that is known of each. */
export function shownKeys({ detail, values, planned, since }: ShownKeysOptions): readonly ShownKey[] {
  const rows = keyRows(detail)
  const counts = new Map(rows.map(({ path, count }) => [path.join('.'), count]))
  const personal = personalKeys(values)
  const old = new Set(
    detail.versions
      .filter(({ firstSeen }) => Date.parse(firstSeen) < since)
      .flatMap(({ schema }) => Object.keys(schema).map(withoutIndexes)),
  )
  return rows.map((row): ShownKey => {
    const parent = row.path.slice(0, -1).join('.')
    const isLeaf = row.type !== 'object' && row.type !== 'list'
    return {
      row,
      fit: planned === undefined ? undefined : planFit(planned, row, counts.get(parent) ?? detail.model.totalCount),
      personal: personal.get(row.path.join('.')),
      // Of an event that is new itself, no key is marked.
      isNew: isLeaf && old.size > 0 && !row.sources.some((source) => old.has(withoutIndexes(source))),
      values: isLeaf
        ? (row.sources.map((source) => values.frequentValues[source]).find(Boolean) ?? []).filter(
            ({ value }) => !isMasked(value),
          )
        : [],
      column: row.sources.map((source) => detail.columns[source]).find(Boolean),
    }
  })
}
