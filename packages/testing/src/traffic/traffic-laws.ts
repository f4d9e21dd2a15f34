import { isDeepStrictEqual } from 'node:util'
import type { Event, JsonValue } from '@sluice/core'
import type { EventEnding } from '../run/offline-run.ts'
import { madeUpIn } from './event-arbitrary.ts'

/** What holds for every event, with what it is called in reports. */
export const trafficLaws = {
  'never throws': 'user code raises no exception and stays within its limits',
  'the destination accepts it': 'the mapping of the destination takes what user code returns',
  'leaks no personal data': 'no value of a place marked as personal is in what is sent',
  'redelivery gives the same': 'the same event, clock and randomness give the same result',
  'drops only by rule': 'an event is dropped only where a rule says so',
} as const

export type TrafficLaw = keyof typeof trafficLaws

/** How an event breaks a law. */
export interface BrokenLaw {
  readonly law: TrafficLaw
  /** What happened; no personal value, because all of them are made up. */
  readonly reason: string
}

export interface LawScope {
  /** Places whose values must not be sent, such as `context.traits.ssn`. */
  readonly personalPaths: readonly string[]
  /** Whether events may be dropped, because recorded ones were. */
  readonly mayDrop: boolean
}

/** Returns the first law that two runs of the same event break, undefined when they hold. */
export function brokenLaw(
  event: Event,
  [first, again]: readonly [EventEnding, EventEnding],
  { personalPaths, mayDrop }: LawScope,
): BrokenLaw | undefined {
  const { outcome, error, reason = '' } = first
  if (outcome === 'failed' && error !== undefined)
    return {
      law: error.code.startsWith('transform.') ? 'never throws' : 'the destination accepts it',
      reason: `${error.code}: ${error.message}`,
    }
  if (!isDeepStrictEqual(first, again)) return { law: 'redelivery gives the same', reason: 'the second run differs' }
  const sent = JSON.stringify(first.requests ?? first.output)
  for (const path of personalPaths)
    for (const value of valuesAt(event, path))
      if (value !== '' && sent.includes(value)) return { law: 'leaks no personal data', reason: `${path} is sent` }
  if (outcome === 'dropped' && !mayDrop) return { law: 'drops only by rule', reason: reason || 'it was dropped' }
  return undefined
}

/** Returns the made-up texts at a path and below. */
function valuesAt(event: Event, path: string): readonly string[] {
  let nodes: readonly JsonValue[] = [event]
  for (const key of path.split('.'))
    nodes = nodes.flatMap((node) => {
      const items = Array.isArray(node) ? (node as readonly JsonValue[]) : [node]
      return items.flatMap((item) =>
        typeof item === 'object' && item !== null && !Array.isArray(item) ? ((item as Event)[key] ?? []) : [],
      )
    })
  return madeUpIn(JSON.stringify(nodes))
}
