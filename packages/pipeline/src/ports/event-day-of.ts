import type { SourcedEvent } from '@sluice/core'
import { eventName } from './event-name.ts'
import { type EventDay, utcDay } from './stores/counter-store.ts'

const dayMs = 86_400_000
/** The last day that was needed: events mostly come on the same one, and its text costs more than the rest of a count. */
let last = { number: 0, text: utcDay(0) }

/**
 * Returns the name of an event, and the day on which it was received.
 * @param now for an event whose time of receipt is not known, in milliseconds since the epoch.
 */
export function eventDayOf({ event, receivedAt }: SourcedEvent, now: number): EventDay {
  const at = receivedAt ?? now
  const number = Math.floor(at / dayMs)
  if (number !== last.number) last = { number, text: utcDay(at) }
  return { day: last.text, name: eventName(event) }
}
