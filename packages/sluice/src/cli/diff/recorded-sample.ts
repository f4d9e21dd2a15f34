import type { Event } from '@sluice/core'
import { CliError } from '../cli-error.ts'
import { askServer, type ServerFlags } from '../server/ask-server.ts'

/** Which events of the log of a server are compared. */
interface RecordedFilter {
  readonly sourceId?: string
  readonly destinationId?: string
  readonly event?: string
  /** ISO 8601. */
  readonly from?: string
  readonly to?: string
}

interface Page {
  readonly data: readonly { readonly sourceId: string; readonly event: Event }[]
  readonly next?: string
}

/** The newest events of a log that match, personal data masked. */
interface RecordedSample {
  /** In the order in which they were accepted. */
  readonly events: readonly Event[]
  sourceOf(event: Event): string | undefined
}

/** Largest page that a server gives. */
const pageMax = 500

/**
 * Reads the newest events of the log of a server, page by page. The server masks personal data in them, and leaves out
 * those of suppressed users.
 * @throws CliError when the server refuses, or repeats a page.
 */
export async function readRecordedSample(
  server: ServerFlags,
  filter: RecordedFilter,
  sample: number,
  onProgress: (events: number) => void,
): Promise<RecordedSample> {
  const sources = new WeakMap<Event, string>()
  const events: Event[] = []
  let after: string | undefined
  do {
    const given = { ...filter, after, limit: String(Math.min(pageMax, sample - events.length)) }
    const query = new URLSearchParams(
      Object.entries(given).filter(([, value]) => value !== undefined) as [string, string][],
    )
    const { data, next }: Page = await askServer(server, 'GET', `/v2/recorded-events?${query}`)
    if (next !== undefined && next === after) throw new CliError(`${server.url} gives the same page again and again`)
    for (const { sourceId, event } of data) {
      sources.set(event, sourceId)
      events.push(event)
    }
    onProgress(events.length)
    after = next
  } while (after !== undefined && events.length < sample)
  return { events: events.reverse(), sourceOf: (event) => sources.get(event) }
}
