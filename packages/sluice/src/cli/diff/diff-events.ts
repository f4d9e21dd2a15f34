import type { Event } from '@sluice/core'
import { CliError } from '../cli-error.ts'
import { acceptedEvents } from '../offline/accepted-events.ts'
import { requireReadable } from '../read-ndjson.ts'
import { namedServer } from '../server/profiles/named-server.ts'
import { readRecordedSample } from './recorded-sample.ts'

/** Flags that say which events are compared. */
export interface DiffEventsFlags {
  readonly events?: string
  readonly from?: string
  readonly token?: string
  readonly source?: string
  readonly ofDestination?: string
  readonly event?: string
  readonly fromTime?: string
  readonly toTime?: string
  readonly sample?: number
}

/** Events to compare two versions with. */
interface DiffEvents {
  readonly events: AsyncIterable<Event> | Iterable<Event>
  /** Absent when the source of no event is known. */
  readonly sourceOf?: (event: Event) => string | undefined
  /** Where they are from, for messages. */
  readonly place: string
  /** Returns how many events were left out so far, because ingestion refuses them. */
  refused(): number
}

const sampleUsual = 500
const sampleMax = 10_000

/**
 * Opens the events of a file, or reads those of a server.
 * @param onProgress called with the number of events that a server has given.
 * @throws CliError naming the flag that is wrong.
 */
export async function openDiffEvents(
  flags: DiffEventsFlags,
  onProgress: (events: number) => void,
): Promise<DiffEvents> {
  const { events: file, from, source: sourceId } = flags
  if ((file === undefined) === (from === undefined))
    throw new CliError('give either --events, a file, or --from, the server whose log has the events')
  if (file !== undefined) {
    const onlyOfServer = (['ofDestination', 'event', 'fromTime', 'toTime', 'sample'] as const).find(
      (name) => flags[name],
    )
    if (onlyOfServer !== undefined)
      throw new CliError(`--${onlyOfServer.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} needs --from`)
    await requireReadable('--events', file)
    const refused = { count: 0 }
    return {
      events: acceptedEvents(file, refused),
      ...(sourceId === undefined ? {} : { sourceOf: () => sourceId }),
      place: `--events: ${file}`,
      refused: () => refused.count,
    }
  }
  const { sample = sampleUsual, ofDestination: destinationId, event, fromTime, toTime } = flags
  if (sample > sampleMax) throw new CliError(`--sample ${sample}: at most ${sampleMax.toLocaleString('en')} events`)
  const server = await namedServer(from ?? '', flags.token)
  const filter = { sourceId, destinationId, event, from: fromTime, to: toTime }
  const recorded = await readRecordedSample(server, filter, sample, onProgress)
  return { ...recorded, place: `--from: the log of ${server.url}`, refused: () => 0 }
}
