import assert from 'node:assert/strict'
import type { Event } from '@sluice/core'
import { webhook } from '@sluice/destinations'
import { createOfflineRunner, type DiffedWay, type DiffReport, diffRuns } from '@sluice/testing'
import type { CaseResult, OpenCase } from './bench-case.ts'
import { type FigureResult, runBench } from './bench-kit.ts'
import { type Corpus, loadCorpus } from './corpus.ts'
import { batchSize, light, settings } from './flow-case.ts'

const destination = { definition: webhook, settings }
const side = (code: string) => ({ subject: { name: 'light', code }, destination })
const same: DiffedWay = { destination: 'hook', before: side(light), after: side(light) }
/** Every event differs at one place. */
const other: DiffedWay = { ...same, after: side(light.replace('seen = true', 'seen = 1')) }
/** Each event draws a number, so that those that differ run again by themselves. */
const random: DiffedWay = {
  destination: 'hook',
  before: side(light.replace('seen = true', 'seen = Math.random()')),
  after: side(light.replace('seen = true', 'seen = 1 + Math.random()')),
}
/** Copies of the corpus in one run, so that opening the sandbox weighs little. */
const copies = 10

function* repeated(events: readonly Event[], times: number): Generator<Event> {
  for (let n = 0; n < times; n += 1) yield* events
}

/** The events once through code and mapping: what a comparison is measured by. */
async function processing({ events }: Corpus): Promise<OpenCase> {
  const runner = await createOfflineRunner()
  const run = async (): Promise<void> => {
    for (let from = 0; from < events.length; from += batchSize)
      await runner.run(same.before?.subject, events.slice(from, from + batchSize), { destination, now: 0, seed: from })
  }
  return {
    events: events.length,
    check: async () => {
      const { endings } = await runner.run(same.before?.subject, events.slice(0, batchSize), { destination })
      assert.ok(endings.every(({ outcome, requests }) => outcome === 'dropped' || requests?.length === 1))
    },
    run,
    close: () => runner.close(),
  }
}

function comparing({ events }: Corpus, way: DiffedWay, isRight: (report: DiffReport) => boolean): OpenCase {
  const run = (): Promise<DiffReport> => diffRuns([way], repeated(events, copies), { now: 0 })
  return {
    events: events.length * copies,
    check: async () => assert.ok(isRight(await run())),
    run: async () => {
      await run()
    },
  }
}

const once = 'processed once: light code, webhook'
const compared = 'compared: no difference'

function ratios(cases: readonly CaseResult[]): readonly FigureResult[] {
  const reference = cases.find(({ name }) => name === once)
  if (reference === undefined) return []
  return cases.flatMap(({ name, eventsPerSecond }) =>
    name === once
      ? []
      : [
          {
            name: `${name}, against processing once`,
            unit: '×',
            goal: '≤ 10',
            value: reference.eventsPerSecond / eventsPerSecond,
          },
        ],
  )
}

/** Returns the heap in use, in KiB, after the unused part was freed. */
async function heapKib(): Promise<number> {
  for (let n = 0; n < 5; n += 1) {
    globalThis.gc?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return process.memoryUsage().heapUsed / 1024
}

await runBench(
  'What does it cost to compare two versions over events?',
  (corpus) => [
    { name: once, open: () => processing(corpus) },
    { name: compared, open: () => comparing(corpus, same, ({ changed }) => changed === 0) },
    { name: 'compared: each event differs', open: () => comparing(corpus, other, ({ groups }) => groups.length === 1) },
    {
      name: 'compared: each differs and is random',
      open: () => comparing(corpus, random, ({ groups }) => groups.length === 1),
    },
  ],
  [
    {
      name: 'heap that 100,000 compared events hold more than 10,000',
      unit: 'KiB',
      goal: '≤ 2,048',
      async measure() {
        const { events } = loadCorpus()
        const held: number[] = []
        for (const count of [10_000, 100_000]) {
          let atEnd = 0
          async function* measured(): AsyncGenerator<Event> {
            yield* repeated(events, Math.ceil(count / events.length))
            atEnd = await heapKib()
          }
          await diffRuns([other], measured(), { now: 0 })
          held.push(atEnd)
        }
        return (held[1] ?? 0) - (held[0] ?? 0)
      },
    },
  ],
  ratios,
)
