import { detectors, type Event, type EventType, isEventType, isJsonObject, type JsonValue } from '@sluice/core'
import { createPersonalDataMask } from '../observe/personal-data.ts'
import { nameOf } from '../tracking-plan/compile-plan.ts'
import { ValueFacts } from './value-facts.ts'

/** Places of events that a plan describes. The rest is written by SDKs. */
export const eventSections = ['properties', 'traits', 'context.traits'] as const
export type EventSection = (typeof eventSections)[number]

/** What is known of the events of one name. */
export interface LearntEvent {
  readonly type: EventType
  /** The name of a track call; absent for other types. */
  readonly event?: string
  /** Events that were seen. */
  readonly count: number
  /** What they had at each place; absent where none had anything. */
  readonly sections: ReadonlyMap<EventSection, ValueFacts>
}

/** Learns from events what a tracking plan can say of them. */
export interface EventLearner {
  add(event: Event): void
  /** Returns what was learnt, in the order in which events were first seen. */
  learnt(): readonly LearntEvent[]
  /** Returns the number of events that have no place: without a known type, or beyond a thousand names. */
  leftOut(): number
}

/** Most events of a plan. */
const namesMax = 1_000

/**
 * Creates a learner that has seen nothing.
 * @example
 * ```ts
 * import { createEventLearner } from '@sluice/schema'
 *
 * const learner = createEventLearner()
 * learner.add({ type: 'track', event: 'Order Completed', properties: { total: 42 } })
 * console.log(learner.learnt()[0]?.count) // 1
 * ```
 */
export function createEventLearner(): EventLearner {
  const byName = new Map<string, LearningEvent>()
  const mask = createPersonalDataMask({ maskPaths: [], detectors })
  // Checks of schemas do not know the member __proto__.
  const isShown = (key: string): boolean => key !== '__proto__' && mask.key(key) === key
  let leftOut = 0
  return {
    add(event) {
      const { type, event: called } = event
      const isNamed = type !== 'track' || (typeof called === 'string' && mask.key(called) === called)
      if (!isEventType(type) || !isNamed) {
        leftOut += 1
        return
      }
      const name = nameOf({ type, event: called })
      const known = byName.get(name)
      if (known === undefined && byName.size >= namesMax) {
        leftOut += 1
        return
      }
      const learning = known ?? {
        type,
        ...(type === 'track' ? { event: String(called) } : {}),
        count: 0,
        sections: new Map(),
      }
      byName.set(name, learning)
      learning.count += 1
      for (const section of eventSections) {
        const value = valueAt(event, section)
        if (value === undefined) continue
        const facts = learning.sections.get(section) ?? new ValueFacts()
        learning.sections.set(section, facts)
        facts.add(value, isShown)
      }
    },
    learnt: () => [...byName.values()],
    leftOut: () => leftOut,
  }
}

interface LearningEvent extends LearntEvent {
  count: number
  readonly sections: Map<EventSection, ValueFacts>
}

function valueAt(event: Event, section: EventSection): JsonValue | undefined {
  let at: JsonValue | undefined = event
  for (const key of section.split('.')) at = isJsonObject(at) ? at[key] : undefined
  return at
}
