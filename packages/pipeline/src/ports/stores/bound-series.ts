import type { HistoryKind, HistoryRow } from './history-store.ts'

/** Series of a workspace in one slot, and buckets of delays in addition. */
export const seriesMax = 500
/** Stands for the reasons, sources and destinations of series beyond the limit. */
const otherSeries = '(others)'

const delayKinds: ReadonlySet<HistoryKind> = new Set(['deliveryMs', 'answerMs', 'loadMs'])

/** Whether the amount is a state, whose highest value counts, and not a sum. */
export const isGauge = (kind: HistoryKind): boolean => kind === 'oldestWaiting'

/** Returns a text that is unique to a series of a workspace. */
export function seriesKey({
  sourceId,
  destinationId,
  kind,
  reason,
}: Omit<HistoryRow, 'workspaceId' | 'count'>): string {
  return JSON.stringify([sourceId, destinationId, kind, reason])
}

/** Returns one row per series, in order of first appearance. @param rows of one workspace. */
export function sumSeries<Row extends HistoryRow>(rows: readonly Row[]): readonly Row[] {
  const sums = new Map<string, Row>()
  for (const row of rows) {
    const key = seriesKey(row)
    const known = sums.get(key)
    if (known === undefined) sums.set(key, row)
    else {
      const count = isGauge(row.kind) ? Math.max(known.count, row.count) : known.count + row.count
      sums.set(key, { ...known, count })
    }
  }
  return [...sums.values()]
}

/**
 * Returns rows with at most so many new series: beyond that, reasons are joined first, then sources and destinations. Sums
 * stay exact. The joined series come in addition, one or two of each kind and bucket.
 * @param rows of one workspace and slot. @param known keys of the series that are in the slot already.
 */
export function boundSeries(
  rows: readonly HistoryRow[],
  known: ReadonlySet<string>,
  max: number = seriesMax,
): readonly HistoryRow[] {
  if (known.size + rows.length <= max) return sumSeries(rows)
  const delays = rows.filter(({ kind }) => delayKinds.has(kind))
  const counts = rows.filter(({ kind }) => !delayKinds.has(kind))
  const knownDelays = [...known].filter((key) => delayKinds.has(kindOf(key))).length
  const summed = sumSeries(counts)
  const fresh = summed.filter((row) => !known.has(seriesKey(row))).length
  const isOver = fresh > max - (known.size - knownDelays)
  const narrowed = isOver
    ? sumSeries(summed.map((row) => (known.has(seriesKey(row)) ? row : withoutReason(row))))
    : summed
  return sumSeries([
    ...admitted(narrowed, known, max - (known.size - knownDelays)),
    ...admitted(sumSeries(delays), known, max - knownDelays),
  ])
}

/** Joins what is beyond the room. */
function admitted(rows: readonly HistoryRow[], known: ReadonlySet<string>, room: number): readonly HistoryRow[] {
  let left = room
  return rows.map((row) => {
    if (known.has(seriesKey(row))) return row
    left -= 1
    return left >= 0 ? row : joinedSeries(row)
  })
}

const withoutReason = (row: HistoryRow): HistoryRow => (row.reason === '' ? row : { ...row, reason: otherSeries })

/** Returns the row as one of the series that stands for many. */
export function joinedSeries<Row extends HistoryRow>(row: Row): Row {
  const { sourceId, destinationId } = row
  return {
    ...row,
    sourceId: sourceId === '' ? '' : otherSeries,
    destinationId: destinationId === '' ? '' : otherSeries,
    reason: delayKinds.has(row.kind) || row.reason === '' ? row.reason : otherSeries,
  }
}

const kindOf = (key: string): HistoryKind => JSON.parse(key)[2]
