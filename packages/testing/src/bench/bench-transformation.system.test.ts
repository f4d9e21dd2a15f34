import type { Event } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import type { Subject } from '../run/offline-run.ts'
import { type BenchOptions, benchTransformation } from './bench-transformation.ts'
import { compareTransformations } from './compare-transformations.ts'
import { sharesOf } from './time-shares.ts'

/** A match takes 2¹⁷ backtracking steps: some milliseconds. */
const text = `${'a'.repeat(17)}!`
const slowAt = [7, 30]
/** Every fourth event is dropped, two have a text that is slow to match, and one has no messageId. */
const events = Array.from(
  { length: 40 },
  (_, n): Event => ({
    type: 'track',
    event: n % 4 === 1 ? 'Noise' : 'Order',
    text: slowAt.includes(n) ? text : 'b',
    messageId: n !== 30 ? `m${n}` : undefined,
  }),
)
const hiding =
  'export function isOdd(text: string): boolean {\n  const own: number = 1\n  return /^(?:a+)+$/.test(text) || own < 0\n}'
const subject: Subject = {
  name: 'orders',
  code: "import { isOdd } from 'odd'\nexport function transformEvent(event: any) {\n  if (event.event === 'Noise') return null\n  log('seen')\n  return [{ ...event, odd: isOdd(event.text) }, { n: 1 }]\n}",
  libraries: [{ name: 'odd', code: hiding }],
  files: { main: 'transformations/orders.ts', libraries: { odd: 'libraries/odd.ts' } },
}
/** In process where threads do not matter, because they take longest to start. */
const inProcess = { mode: 'in-process' } as const
const quick: BenchOptions = {
  timeMs: 120,
  batches: [10, 1],
  isolations: ['event', 'batch'],
  workers: [1],
  sandbox: inProcess,
}
const code = (body: string): Subject => ({ name: 'main', code: `export function transformEvent(event) {\n${body}\n}` })

describe('a bench', { retry: 1 }, () => {
  it('measures every combination, and finds a planted slow regex with file, line and kind', async () => {
    const seen: number[] = []
    const options: BenchOptions = { ...quick, onProgress: (_, done) => seen.push(done) }
    const report = await benchTransformation(subject, events, options)
    const { cells, recommended, eventTimes, shares, limits, hotLines, slowLines, advice } = report
    expect(report).toMatchObject({ name: 'orders', events: 40, firstError: null, skipped: [] })
    expect(report.outcomes).toEqual({ passed: 30, dropped: 10, failed: 0 })
    expect(cells.map(({ batch, isolation, workers }) => [isolation, batch, workers])).toEqual([
      ['event', 1, 1],
      ['event', 10, 1],
      ['batch', 1, 1],
      ['batch', 10, 1],
    ])
    for (const {
      eventsPerSecond,
      eventsPerSecondQuartiles: [low, high],
    } of cells)
      expect([low > 0, low <= eventsPerSecond, eventsPerSecond <= high]).toEqual([true, true, true])
    for (const { eventsPerSecond, p50Ms, p99Ms, maxMs, failedShare } of cells) {
      expect([eventsPerSecond > 0, p50Ms > 0, p50Ms <= p99Ms, p99Ms <= maxMs, failedShare]).toEqual([
        true,
        true,
        true,
        true,
        0,
      ])
    }
    expect(cells).toContain(recommended)
    const best = Math.max(...cells.map(({ eventsPerSecond }) => eventsPerSecond))
    expect(recommended.eventsPerSecond).toBeGreaterThanOrEqual(best * 0.9)

    // Source text, including types.
    const line = {
      module: 'libraries/odd.ts',
      line: 3,
      source: 'return /^(?:a+)+$/.test(text) || own < 0',
      what: 'regex',
    }
    expect([hotLines[0], slowLines[0]]).toMatchObject([line, line])
    expect(advice).toContainEqual(
      expect.stringMatching(
        /^your p99 event takes .* ms, most of it in the regex on line 3 of libraries\/odd\.ts: check with includes /,
      ),
    )
    expect(eventTimes.all.map(({ index }) => index)).toEqual([...events.keys()])
    expect(eventTimes.outliers).toEqual(
      expect.arrayContaining([
        { index: 7, messageId: 'm7', timeMs: expect.any(Number) },
        { index: 30, messageId: null, timeMs: expect.any(Number) },
      ]),
    )
    expect(eventTimes.maxMs).toBeGreaterThan(eventTimes.p50Ms * 3)

    const used = Object.fromEntries(limits.map(({ limit, used: most }) => [limit, most]))
    expect(used).toMatchObject({
      'events made of one': 2,
      'log of one event': 'seen\n'.length,
      'time of one event': eventTimes.maxMs,
    })
    expect(used['output of one event']).toBeGreaterThan(text.length)
    expect(shares.userCodeMs).toBeGreaterThan(shares.crossingOutMs)
    expect(seen).toEqual([...seen].sort((a, b) => a - b))
    expect(Math.max(...seen)).toBeLessThanOrEqual(1)
  })

  it('distinguishes short outputs from long ones', async () => {
    const many = events.map((event) => ({ ...event, long: 'x'.repeat(20_000) }))
    const options: BenchOptions = { ...quick, batches: [10], isolations: ['batch'] }
    const dropping = await benchTransformation(code('return null'), many, options)
    expect(dropping.shares).toMatchObject({ crossingOutMs: 0, crossingInMs: expect.any(Number) })
    expect(dropping.shares.crossingInMs).toBeGreaterThan(dropping.shares.userCodeMs)
    expect(dropping.advice).toContainEqual(
      expect.stringContaining('most of the time goes into getting events in and out'),
    )
  })

  it('ends in reasonable time for code that hangs, and reports what it skipped', async () => {
    const hanging = code("  event.a = 1\n  return /^(?:a+)+$/.test('a'.repeat(60) + '!')")
    const startedAt = performance.now()
    const sandbox = { ...inProcess, limits: { eventTimeMs: 50, batchTimeMs: 300 } }
    const report = await benchTransformation(hanging, events, { ...quick, timeMs: 30, batches: [1, 20, 200], sandbox })
    expect(performance.now() - startedAt).toBeLessThan(15_000)
    expect(report.skipped.map(({ batch, reason }) => [batch, reason])).toContainEqual([
      20,
      expect.stringMatching(/^a batch would take \d,\d+ ms, the limit is 300 ms$/),
    ])
    expect(report.recommended.batch).toBe(1)
    expect(report.outcomes.failed).toBeLessThan(events.length)
    expect(report.advice).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^your p99 event takes [\d.]+ ms, most of it in the regex on line 3 of main: check with includes before /,
        ),
        expect.stringMatching(/^(\d+) of \1 events fail; .*Script execution timed out/),
        expect.stringMatching(
          /^events take long: \d+ of 40 were run, spread evenly over the file; a longer --time runs more$/,
        ),
      ]),
    )
  })

  it('recommends no batch size at which events fail that pass in smaller batches', async () => {
    const counting: Subject = {
      name: 'main',
      code: 'let count = 0\nexport function transformEvent(event) {\n  count += 1\n  if (count > 10) throw new Error("full")\n  return event\n}',
    }
    const report = await benchTransformation(counting, events.slice(0, 8), {
      ...quick,
      batches: [2, 30],
      isolations: ['batch'],
    })
    expect(report.cells.map(({ batch, failedShare }) => [batch, failedShare > 0.3])).toEqual([
      [2, false],
      [30, true],
    ])
    expect(report.recommended.batch).toBe(2)
    expect(report.advice).toContainEqual(
      expect.stringMatching(/^with batch 30, isolation batch, 1 worker, 6\d % of the events fail: /),
    )
  })

  it('runs in the calling thread on request, with a single worker', async () => {
    const options: BenchOptions = { ...quick, workers: [1, 2], batches: [5, 5] }
    const { cells } = await benchTransformation(code('return event'), events.slice(0, 1), {
      ...options,
      isolations: ['none'],
    })
    expect(cells).toMatchObject([{ batch: 5, isolation: 'none', workers: 1 }])
  })

  it('refuses invalid options', async () => {
    const one = code('return event')
    await expect(benchTransformation(one, [])).rejects.toThrow('a bench needs events')
    await expect(benchTransformation(one, events, { batches: [0] })).rejects.toThrow(
      'is 0, must be a whole number of at least 1',
    )
    await expect(benchTransformation(one, events, { isolations: [] })).rejects.toThrow(
      'needs a batch size, an isolation',
    )
    await expect(benchTransformation(one, events, { timeMs: 0 })).rejects.toThrow('the time of a cell is 0 ms')
    await expect(benchTransformation({ name: 'x', code: 'export {' }, events, quick)).rejects.toThrow('SyntaxError')
  })
})

it('the shares add up to the whole time, and none is negative', () => {
  for (const [all, into, out] of [
    [10, 3, 2],
    [10, 9, 6],
    [10, 0, 0],
    [0, 1, 1],
  ] as const) {
    const { crossingInMs, userCodeMs, crossingOutMs } = sharesOf(all, into, out)
    expect(crossingInMs + userCodeMs + crossingOutMs).toBeCloseTo(all)
    expect(Math.min(crossingInMs, userCodeMs, crossingOutMs)).toBeGreaterThanOrEqual(0)
  }
})

describe('two transformations', () => {
  const cell = { batch: 10, isolation: 'batch', workers: 1 } as const
  const compare = (one: Subject, other: Subject) => compareTransformations(one, other, events, cell, 150, inProcess)

  it('report the events with different outputs, and which one is slower', async () => {
    const slower = code(
      `  /^(?:a+)+$/.test('${'a'.repeat(15)}!')\n  return event.text === 'b' ? event : { ...event, odd: true }`,
    )
    const { ratio, ratioRange, ...found } = await compare(code('return event'), slower)
    expect(found).toEqual({ name: 'main', other: 'main', cell, compared: 40, different: slowAt, differentCount: 2 })
    expect([ratio < 1, ratioRange[0] <= ratio, ratio <= ratioRange[1], ratioRange[1] < 1]).toEqual([
      true,
      true,
      true,
      true,
    ])
  })

  it('are equal if only places in the code or random values differ', async () => {
    const body = 'if (event.text === "b") throw new Error("no")\n  return { id: Math.random(), at: Date.now() }'
    const { differentCount, compared } = await compare(code(body), code(`  // another line\n  ${body}`))
    expect([differentCount, compared]).toEqual([0, 40])
  })

  it('list at most ten events', async () => {
    const { different, differentCount } = await compare(code('return event'), code('return null'))
    expect([different, differentCount]).toEqual([[0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 40])
  })

  it('must both load', async () => {
    await expect(compare(code('return event'), code('return }'))).rejects.toThrow('SyntaxError')
  })
})
