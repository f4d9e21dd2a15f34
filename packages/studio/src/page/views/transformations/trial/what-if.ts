import type { EventEnding } from '@sluice/testing/diff'
import { type Comparison, compareEndings } from '../../compare/comparison.ts'
import type { RunResult } from '../transformation.ts'
import { endingOf } from './ending-of.ts'

type Event = Readonly<Record<string, unknown>>

/** What code would make of recorded events, against the code that is live. */
export interface WhatIf extends Comparison {
  /** Milliseconds that an event takes on average. */
  readonly beforeMs: number
  readonly afterMs: number
}

/** Batch size of production. */
const batchMax = 200

/** Runs code on a batch of events. */
type RunCode = (code: string, events: readonly Event[]) => Promise<Pick<RunResult, 'outcomes' | 'runMs'>>

/**
 * Runs events through two versions of code, and groups the differences.
 * @param before the live code; without it, everything that the code does is compared with passing events unchanged.
 */
export async function whatIf(
  before: string | undefined,
  after: string,
  events: readonly Event[],
  run: RunCode,
): Promise<WhatIf> {
  const was = before === undefined ? unchanged(events) : await runAll(run, before, events)
  const again = before === undefined ? was : await runAll(run, before, events)
  const is = await runAll(run, after, events)
  const perEvent = ({ runMs }: Ran): number => (events.length === 0 ? 0 : runMs / events.length)
  return {
    ...compareEndings(events, { before: was.endings, again: again.endings, after: is.endings }),
    beforeMs: perEvent(again),
    afterMs: perEvent(is),
  }
}

interface Ran {
  readonly endings: readonly EventEnding[]
  readonly runMs: number
}

const unchanged = (events: readonly Event[]): Ran => ({
  endings: events.map((event) => ({ outcome: 'passed', output: [event] }) as unknown as EventEnding),
  runMs: 0,
})

async function runAll(run: RunCode, code: string, events: readonly Event[]): Promise<Ran> {
  const results: Awaited<ReturnType<RunCode>>[] = []
  for (let from = 0; from < events.length; from += batchMax)
    results.push(await run(code, events.slice(from, from + batchMax)))
  return {
    endings: results.flatMap(({ outcomes }) => outcomes.map(endingOf)),
    runMs: results.reduce((sum, { runMs }) => sum + runMs, 0),
  }
}
