import type { HistoryAnswer } from '@sluice/http'
import type { FlowModel } from '../flow/flow-model.ts'

type Point = HistoryAnswer['workspaces'][number]['points'][number]

/** What came to all destinations since the store was created, and what became of it. */
interface OverviewNumbers {
  readonly received: number
  readonly came: number
  readonly delivered: number
  readonly filtered: number
  readonly failed: number
  readonly waiting: number
}

/** Adds up all destinations. An event that goes to two of them counts twice, except in `received`. */
export function overviewNumbers({ received, destinations }: FlowModel): OverviewNumbers {
  const total = (name: string): number =>
    destinations
      .flatMap(({ parts }) => parts)
      .filter((part) => part.name === name)
      .reduce((sum, { count }) => sum + count, 0)
  return {
    received,
    came: destinations.reduce((sum, { whole }) => sum + whole, 0),
    delivered: total('delivered'),
    filtered: total('dropped'),
    failed: total('failed'),
    waiting: total('pending'),
  }
}

interface LastHour {
  /** Beginning of the first slot, in milliseconds since the epoch. */
  readonly from: number
  readonly everyMs: number
  readonly delivered: readonly number[]
  readonly failed: readonly number[]
}

/** Returns what was delivered and failed in each slot of the history; undefined before there are two points. */
export function lastHour(points: readonly Point[]): LastHour | undefined {
  const [first, second] = points
  if (first === undefined || second === undefined) return undefined
  const total = (point: Point, kind: 'delivered' | 'failed'): number =>
    point.sources.flatMap(({ destinations }) => destinations).reduce((sum, each) => sum + each[kind], 0)
  const grown = (kind: 'delivered' | 'failed'): readonly number[] =>
    points.slice(1).map((point, n) => Math.max(0, total(point, kind) - total(points[n] ?? point, kind)))
  const from = Date.parse(first.at)
  return {
    from,
    everyMs: Math.max(1, Math.round((Date.parse(points.at(-1)?.at ?? first.at) - from) / (points.length - 1))),
    delivered: grown('delivered'),
    failed: grown('failed'),
  }
}
