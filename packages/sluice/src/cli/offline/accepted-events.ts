import type { Event } from '@sluice/core'
import { parseEvents } from '@sluice/pipeline'
import { readNdjson } from '../read-ndjson.ts'

/** Yields the events of a file, one JSON object per line, that ingestion accepts. Others are counted in `refused`. */
export async function* acceptedEvents(file: string, refused: { count: number }): AsyncGenerator<Event> {
  for await (const { value } of readNdjson(file)) {
    const { events } = parseEvents('batch', { batch: [value] }, 'pipeline')
    if (events.length === 0) refused.count += 1
    for (const { event } of events) yield event
  }
}
