import { type Event, isJsonObject } from '@sluice/core'

/**
 * Returns the event in Segment's shape: the traits of identify and group at the top. RudderStack's SDKs send them in
 * `context.traits`, where they stay as well. A trait that is in both places keeps its value of the top.
 *
 * Does not change its input. Returns the input itself if nothing is to be done.
 *
 * Source: packages/segment-actions/README.md#from-an-event-to-a-payload.
 */
export function toSegmentEvent(event: Event): Event {
  const { type, context, traits } = event
  if (type !== 'identify' && type !== 'group') return event
  const added = isJsonObject(context) ? context['traits'] : undefined
  if (!isJsonObject(added)) return event
  if (traits === undefined || traits === null) return { ...event, traits: added }
  if (!isJsonObject(traits)) return event
  for (const key in added) if (!Object.hasOwn(traits, key)) return { ...event, traits: { ...added, ...traits } }
  return event
}
