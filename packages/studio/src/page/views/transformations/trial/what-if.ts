import { type ChangeGroup, ChangeGroups, type EventEnding, endingChanges } from '@sluice/testing/diff'
import type { RunResult } from '../transformation.ts'
import { endingOf } from './ending-of.ts'
import { tryInPage } from './try-in-page.ts'

type Event = Readonly<Record<string, unknown>>

/** What code would make of recorded events, against the code that is live. The parts add up to all events. */
export interface WhatIf {
  readonly events: readonly Event[]
  readonly same: number
  readonly differ: number
  readonly newlyFiltered: number
  readonly threw: number
  readonly groups: readonly ChangeGroup[]
  readonly before: readonly EventEnding[]
  readonly after: readonly EventEnding[]
  /** Milliseconds that an event takes on average. */
  readonly beforeMs: number
  readonly afterMs: number
}

/** Batch size of production. */
const batchMax = 200

/**
 * Runs events through two versions of code in the page, and groups the differences. Places that already differ between
 * two runs of the same code, such as random ids, are left out.
 * @param before the live code; without it, everything that the code does is compared with passing events unchanged.
 */
export async function whatIf(
  name: string,
  before: string | undefined,
  after: string,
  events: readonly Event[],
): Promise<WhatIf> {
  const was = before === undefined ? unchanged(events) : await runAll(name, before, events)
  const again = before === undefined ? was : await runAll(name, before, events)
  const is = await runAll(name, after, events)
  const random = new Set(was.endings.flatMap((ending, n) => endingChanges(ending, again.endings[n]).map(placeOf)))
  const groups = new ChangeGroups()
  const counts = { same: 0, differ: 0, newlyFiltered: 0, threw: 0 }
  for (const [n, event] of events.entries()) {
    const [from, to] = [was.endings[n], is.endings[n]]
    const changes = endingChanges(from, to).filter((change) => !random.has(placeOf(change)))
    if (changes.length > 0) groups.add(event as Parameters<ChangeGroups['add']>[0], n, changes)
    if (to?.outcome === 'failed') counts.threw += 1
    else if (changes.length === 0) counts.same += 1
    else if (to?.outcome === 'dropped') counts.newlyFiltered += 1
    else counts.differ += 1
  }
  const perEvent = ({ runMs }: Ran): number => (events.length === 0 ? 0 : runMs / events.length)
  return {
    ...counts,
    events,
    groups: groups.list,
    before: was.endings,
    after: is.endings,
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

/** Changes of an outcome are never random: an event that is dropped now and then matters. */
const placeOf = ({ path, change }: { readonly path: string; readonly change: string }): string =>
  path === 'outcome' ? change : path

async function runAll(name: string, code: string, events: readonly Event[]): Promise<Ran> {
  const results: RunResult[] = []
  for (let from = 0; from < events.length; from += batchMax)
    results.push(await tryInPage(name, code, events.slice(from, from + batchMax)))
  return {
    endings: results.flatMap(({ outcomes }) => outcomes.map(endingOf)),
    runMs: results.reduce((sum, { runMs }) => sum + runMs, 0),
  }
}
