import { describe, expect, it } from 'vitest'
import { advise } from './advise.ts'
import type { BenchReport, HotLine, MeasuredCell } from './bench-report.ts'

const cell: MeasuredCell = {
  batch: 200,
  isolation: 'batch',
  workers: 1,
  eventsPerSecond: 40_000,
  eventsPerSecondQuartiles: [39_000, 41_000],
  p50Ms: 0.02,
  p99Ms: 0.03,
  maxMs: 0.03,
  memoryBytes: 0,
  failedShare: 0,
}
const regex: HotLine = {
  module: 'orders.ts',
  line: 12,
  source: '',
  what: 'regex',
  share: 0.8,
  shareRange: [0.75, 0.85],
  isCounted: false,
  msPerEvent: 2.4,
  hits: 9,
}
const report: Omit<BenchReport, 'advice'> = {
  name: 'orders',
  events: 100,
  outcomes: { passed: 100, dropped: 0, failed: 0 },
  firstError: null,
  cells: [cell],
  skipped: [],
  recommended: cell,
  eventTimes: { p50Ms: 0.1, p99Ms: 3, maxMs: 3, all: [], outliers: [] },
  shares: { crossingInMs: 0.01, userCodeMs: 0.1, crossingOutMs: 0.01 },
  limits: [{ limit: 'time of one event', used: 3, allowed: 1_000, unit: 'ms' }],
  hotLines: [],
  slowLines: [regex],
}
const adviceOn = (changes: Partial<BenchReport>) => advise({ ...report, ...changes })

describe('the advice', () => {
  it('says which options to set, and where the slowest events spend their time', () => {
    expect(adviceOn({})).toEqual([
      'batch 200, isolation batch, 1 worker: 40,000 events/s',
      'your p99 event takes 3.00 ms, most of it in the regex on line 12 of orders.ts: check with includes before the regex runs, or use @sluice/pii',
    ])
  })

  const sentences: readonly [string, Partial<BenchReport>, string][] = [
    [
      'a share below one half',
      { slowLines: [{ ...regex, source: 'const total = sum(event)', what: '', share: 0.3, shareRange: [0.28, 0.31] }] },
      'your p99 event takes 3.00 ms, 30 % of it in line 12 of orders.ts (const total = sum(event)), which ran 9 times in the profile',
    ],
    [
      'no line that takes little time',
      { slowLines: [{ ...regex, share: 0.1, shareRange: [0.09, 0.12] }] },
      'your p99 event takes 3.00 ms',
    ],
    [
      'no line that took little time in one of the rounds',
      { slowLines: [{ ...regex, shareRange: [0.1, 0.9] }] },
      'your p99 event takes 3.00 ms',
    ],
    [
      'that shares of lines are unsure when rounds differ',
      { slowLines: [], hotLines: [{ ...regex, shareRange: [0.4, 0.9] }] },
      'the shares of lines are unsure: line 12 of orders.ts had 40 % to 90 % of the time in three rounds; measure again with nothing else running, or with a longer --time',
    ],
    ['no line if none is known', { slowLines: [] }, 'your p99 event takes 3.00 ms'],
    [
      'what strict isolation costs',
      {
        cells: [
          cell,
          { ...cell, isolation: 'event', eventsPerSecond: 30_000, eventsPerSecondQuartiles: [29_000, 31_000] },
        ],
      },
      'isolation event, where no event sees what another left, costs 25 % of that',
    ],
    [
      'what the default gives where another isolation is faster',
      {
        recommended: { ...cell, isolation: 'none' },
        cells: [{ ...cell, eventsPerSecond: 30_000, eventsPerSecondQuartiles: [29_000, 31_000] }],
      },
      'isolation batch, the default, gives 30,000 events/s, 75 % of that',
    ],
    [
      'that code is not what takes the time',
      { shares: { crossingInMs: 2, userCodeMs: 1, crossingOutMs: 1 } },
      'most of the time goes into getting events in and out: smaller events help more than faster code',
    ],
    [
      'which event stands out',
      { eventTimes: { ...report.eventTimes, outliers: [{ index: 6, messageId: 'm7', timeMs: 3 }] } },
      'event 7 (m7) takes 3.00 ms, 30 times what half of them take; sluice repl shows what becomes of it',
    ],
    [
      'the place of an event without messageId',
      { eventTimes: { ...report.eventTimes, outliers: [{ index: 6, messageId: null, timeMs: 3 }] } },
      'event 7 takes 3.00 ms, 30 times what half of them take; sluice repl shows what becomes of it',
    ],
    [
      'how close a limit is',
      { limits: [{ limit: 'events made of one', used: 25, allowed: 100, unit: 'events' }] },
      'events made of one: 25 % of the limit of 100 events is used',
    ],
    [
      'that events fail, and why',
      { outcomes: { passed: 98, dropped: 0, failed: 2 }, firstError: 'TypeError: no\n  at 1' },
      '2 of 100 events fail; failing is measured as well, so mend that first: TypeError: no',
    ],
    [
      'which combination runs out of a limit',
      { cells: [cell, { ...cell, isolation: 'none', failedShare: 0.5 }] },
      'with batch 200, isolation none, 1 worker, 50 % of the events fail: they run out of a limit, or of what others left them',
    ],
    [
      'combinations that were not measured',
      { skipped: [{ ...cell, isolation: 'none', reason: 'a batch would take 20 s' }] },
      '1 of 2 combinations were not measured; batch 200, isolation none, 1 worker: a batch would take 20 s',
    ],
    [
      'that not all events were run',
      { events: 5_000 },
      'events take long: 100 of 5,000 were run, spread evenly over the file; a longer --time runs more',
    ],
  ]
  it('compares no isolation whose runs vary as much as the difference', () => {
    const unsure: MeasuredCell = {
      ...cell,
      isolation: 'event',
      eventsPerSecond: 30_000,
      eventsPerSecondQuartiles: [20_000, 39_500],
    }
    expect(adviceOn({ cells: [cell, unsure] }).join()).not.toContain('isolation event')
  })

  for (const [what, changes, sentence] of sentences)
    it(`tells ${what}`, () => expect(adviceOn(changes)).toContain(sentence))

  it('does not mention distant limits', () => {
    expect(adviceOn({}).join()).not.toContain('limit')
  })
})
