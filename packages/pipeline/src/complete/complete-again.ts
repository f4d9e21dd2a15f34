import { type Event, identifierText, type JsonObject } from '@sluice/core'
import { completeAs, isoTime } from './complete-event.ts'
import type { CompletedCall, Completion } from './raw-events.ts'

/**
 * Completes events that were kept as they were sent: they become what they were when they were accepted.
 * @param completions of all of them, in order.
 */
export function completeAgain(sent: readonly JsonObject[], completions: readonly Completion[]): readonly Event[] {
  const events: Event[] = []
  for (const { events: count, call } of completions) {
    const own = sent.slice(events.length, events.length + count)
    for (const event of call ? completeCall(own, call) : own) events.push(event)
  }
  return events
}

function completeCall(sent: readonly JsonObject[], { type, ids, ...call }: CompletedCall): readonly Event[] {
  const received = { ...call, receivedAtText: isoTime(call.receivedAt) }
  return sent.map((item, index) => {
    const event = type === 'batch' ? item : { ...item, type }
    return completeAs(event, received, ids?.[index] ?? identifierText(event['messageId']))
  })
}
