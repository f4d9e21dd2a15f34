import { historyKept, hourMs, keptLengthFor, minuteMs, quarterMs, slotOf } from '../../ports/stores/history-store.ts'

/** Times are in milliseconds since the epoch, and multiples of `everyMs`. */
export interface HistoryRange {
  readonly since: number
  /** Exclusive. */
  readonly until: number
  readonly everyMs: number
}

/** What may be chosen of it. */
export interface HistoryChoice {
  readonly range?: keyof typeof ranges | undefined
  /** Milliseconds since the epoch. */
  readonly since?: number | undefined
  readonly until?: number | undefined
  readonly every?: keyof typeof lengths | undefined
}

export const lengths = { '1m': minuteMs, '15m': quarterMs, '1h': hourMs, '1d': 24 * hourMs } as const
export const ranges = { '1h': hourMs, '24h': 24 * hourMs, '7d': 7 * 24 * hourMs, '90d': 90 * 24 * hourMs } as const

/** Slots of one answer: a day of minutes, and some more. */
const slotsMax = 1_500
/** Slots of an answer whose length is not chosen: enough for a chart. */
const slotsUsual = 200

/**
 * Completes a choice: the last 24 hours, in as many slots as a chart shows. The range is widened to whole slots, so that the last
 * one may have only begun.
 * @returns what is wrong with the choice, as a text.
 */
export function toHistoryRange(choice: HistoryChoice, now: number): HistoryRange | string {
  const { range, since: from, until: to } = choice
  if (range !== undefined && (from !== undefined || to !== undefined))
    return 'range cannot be given with since or until: leave one of them out'
  if (from === undefined && to !== undefined) return 'until needs since: give both, or a range'
  const end = Math.min(to ?? now, now)
  const start = from ?? end - ranges[range ?? '24h']
  if (start >= end) return 'since must be before until, and in the past'
  const everyMs = choice.every ? lengths[choice.every] : usualLength(start, end, now)
  // The slot that has begun at this very moment is part of it.
  const until = slotOf(end === now ? now : end - 1, everyMs) + everyMs
  const since = from === undefined ? until - ranges[range ?? '24h'] : slotOf(start, everyMs)
  const slots = (until - since) / everyMs
  if (slots > slotsMax)
    return `every is too short: the range has ${slots} such slots, and an answer at most ${slotsMax}. Choose longer slots or a shorter range`
  if (everyMs < hourMs && since < slotOf(now, everyMs) - keptMsOf(everyMs))
    return everyMs < quarterMs
      ? 'minutes are kept for 48 hours: choose every=15m, every=1h or every=1d for what is older'
      : 'quarters of an hour are kept for 14 days: choose every=1h or every=1d for what is older'
  return { since, until, everyMs }
}

function usualLength(since: number, until: number, now: number): number {
  const fitting = Object.values(lengths).find((everyMs) => {
    const isKept = everyMs >= hourMs || since >= now - keptMsOf(everyMs) + hourMs
    return isKept && (until - since) / everyMs <= slotsUsual
  })
  return fitting ?? lengths['1d']
}

/** Returns how long slots of a length can be read. */
function keptMsOf(everyMs: number): number {
  const fromMs = keptLengthFor(everyMs)
  return historyKept.find((kept) => kept.everyMs === fromMs)?.keptMs ?? 0
}
