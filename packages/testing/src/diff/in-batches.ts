import type { Event } from '@sluice/core'

/** Batch size of production. */
const batchMax = 200

/** Yields events in batches as large as those of production. */
export async function* inBatches(events: AsyncIterable<Event> | Iterable<Event>): AsyncGenerator<readonly Event[]> {
  let batch: Event[] = []
  for await (const event of events) {
    batch.push(event)
    if (batch.length < batchMax) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
