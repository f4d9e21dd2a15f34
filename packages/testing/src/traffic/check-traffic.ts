import type { Event } from '@sluice/core'
import { toSubject } from '../cases/to-subject.ts'
import type { Project, ProjectTransformation } from '../project/project.ts'
import type { EventEnding, OfflineDestination, RunConditions, Subject } from '../run/offline-run.ts'
import type { OfflineRunner } from '../run/offline-runner.ts'
import { eventArbitrary, type Fc } from './event-arbitrary.ts'
import type { TrafficModel } from './observe-traffic.ts'
import { type BrokenLaw, brokenLaw, type LawScope } from './traffic-laws.ts'

export interface TrafficSetup {
  readonly fc: Fc
  readonly runner: OfflineRunner
  readonly destination?: OfflineDestination | undefined
  /** Values of `getCredential`. */
  readonly credentials?: Readonly<Record<string, string>>
  readonly personalPaths: readonly string[]
  /** Events that are tried for each model and transformation. */
  readonly runs: number
  /** Makes the events repeatable. */
  readonly seed: number
}

/** What was found for one transformation and model. */
export interface TrafficReport {
  readonly transformation: string
  readonly model: string
  /** Events that were tried. */
  readonly runs: number
  /** Recorded events that the transformation dropped, and all that were tried. While none was, none may be dropped. */
  readonly recorded: { readonly dropped: number; readonly events: number }
  readonly broken?: BrokenLaw & Counterexample
}

/** The smallest event that breaks a law. */
export interface Counterexample {
  readonly event: Event
  readonly seed: number
  /** With the seed, it leads fast-check to the event again. */
  readonly path: string
}

/** Under which every event is run: a law speaks about the same clock and randomness. */
export const trafficConditions = { now: Date.UTC(2026, 0, 1), seed: 1 } as const

/**
 * Checks the laws of one transformation with events like those of one model. The smallest event that breaks one is found by
 * fast-check. @throws OfflineLoadError when the code cannot be loaded.
 */
export async function checkTraffic(
  project: Project,
  transformation: ProjectTransformation,
  model: TrafficModel,
  { fc, runner, destination, credentials, personalPaths, runs, seed }: TrafficSetup,
): Promise<TrafficReport> {
  const subject = toSubject(project, transformation)
  const conditions: RunConditions = { ...trafficConditions, ...(credentials ? { credentials } : {}) }
  const at = destination ? { ...conditions, destination } : conditions
  const recorded = await endingsOf(runner, subject, model.recorded, at)
  const dropped = recorded.filter(({ outcome }) => outcome === 'dropped').length
  const scope: LawScope = { personalPaths, mayDrop: dropped > 0 }
  let tried = 0
  const found = async (event: Event): Promise<BrokenLaw | undefined> => {
    tried += 1
    const [first] = await endingsOf(runner, subject, [event], at)
    const [again] = await endingsOf(runner, subject, [event], at)
    return first && again ? brokenLaw(event, [first, again], scope) : undefined
  }
  const law = fc.asyncProperty(eventArbitrary(fc, model.value), async (event) => (await found(event)) === undefined)
  const details = await fc.check(law, { numRuns: runs, seed })
  const about = {
    transformation: transformation.name,
    model: model.name,
    recorded: { dropped, events: model.recorded.length },
  }
  if (!details.failed || details.counterexample === null) return { ...about, runs: tried }
  const [event] = details.counterexample
  const broken = await found(event)
  const path = details.counterexamplePath ?? ''
  return { ...about, runs: tried, ...(broken ? { broken: { ...broken, event, seed: details.seed, path } } : {}) }
}

/** Runs events one by one, as each is a delivery of its own. */
async function endingsOf(
  runner: OfflineRunner,
  subject: Subject,
  events: readonly Event[],
  conditions: RunConditions,
): Promise<readonly EventEnding[]> {
  const endings: EventEnding[] = []
  for (const event of events) endings.push(...(await runner.run(subject, [structuredClone(event)], conditions)).endings)
  return endings
}
