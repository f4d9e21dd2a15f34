import { type Event, isJsonObject } from '@sluice/core'

/**
 * Returns the event with the time that a row of a warehouse gives for it: the column `timestamp`. The timestamp of such
 * an event (`channel` is `sources`) only says when the row was read. Other events are returned unchanged.
 *
 * Source: packages/docs/behaviour/mapping.md#time-of-an-event; RudderStack docs, syncing events from reverse ETL sources.
 */
export function withRowTime<E extends Event>(event: E): E {
  if (event['channel'] !== 'sources') return event
  const { properties } = event
  const timestamp = isJsonObject(properties) ? properties['timestamp'] : undefined
  return timestamp ? { ...event, timestamp } : event
}
