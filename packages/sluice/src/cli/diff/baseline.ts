import { open } from 'node:fs/promises'
import { type Event, isJsonObject } from '@sluice/core'
import type { DiffedWay, EventEnding, RecordedEndings } from '@sluice/testing'
import { CliError } from '../cli-error.ts'
import { type NdjsonLine, readNdjson, requireReadable } from '../read-ndjson.ts'

/** Name of the form of a baseline, in its first line. */
const format = 'sluice diff baseline'
/** Counts up when a baseline of an older release can no longer be read. */
const version = 1

/**
 * Writes what leaves for each event: first the form and the time that user code saw, then one line per event. Values are as they
 * would be sent, secrets and personal data too, so only the owner may read the file.
 */
export async function writeBaseline(
  file: string,
  now: number,
  recorded: AsyncIterable<RecordedEndings>,
): Promise<number> {
  const handle = await open(file, 'w', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new CliError(`--save: ${file} cannot be written (${error.code})`)
  })
  let events = 0
  try {
    // The mode of an existing file stays.
    await handle.chmod(0o600)
    await handle.write(`${JSON.stringify({ format, version, now })}\n`)
    for await (const { event, endings } of recorded) {
      events += 1
      await handle.write(`${JSON.stringify({ messageId: event.messageId ?? null, endings })}\n`)
    }
  } finally {
    await handle.close()
  }
  return events
}

/** What left for each event when a baseline was saved. */
interface Baseline {
  /** Time that user code saw, in milliseconds since the epoch. */
  readonly now: number
  /** Returns the ways with the baseline in the place of what is before the change. */
  before(ways: readonly DiffedWay[]): readonly DiffedWay[]
  /** Yields the same events, each with its line of the baseline. @throws CliError when they are not those of the baseline. */
  along(events: AsyncIterable<Event> | Iterable<Event>): AsyncGenerator<Event>
}

/** Opens a baseline, which is read line by line. @throws CliError when it is none, or of another version. */
export async function openBaseline(file: string): Promise<Baseline> {
  await requireReadable('--against', file)
  const lines = readNdjson(file)
  const { value: first } = await lines.next()
  const head: unknown = first?.value
  if (!isJsonObject(head) || head['format'] !== format || typeof head['now'] !== 'number')
    throw new CliError(`--against: ${file} is no baseline; sluice diff --save writes one`)
  if (head['version'] !== version)
    throw new CliError(
      `--against: ${file} has version ${String(head['version'])} of the form, and this release reads ${version}; save it again`,
    )
  const known = new WeakMap<Event, Readonly<Record<string, EventEnding>>>()
  async function* along(events: AsyncIterable<Event> | Iterable<Event>): AsyncGenerator<Event> {
    let place = 0
    for await (const event of events) {
      place += 1
      known.set(event, endingsOf(await lines.next(), event, `--against: ${file}, event ${place}`))
      yield event
    }
    if ((await lines.next()).done !== true) throw new CliError(`--against: ${file} has more than ${place} events`)
  }
  return {
    now: head['now'],
    before: (ways) =>
      ways.map((way) => ({
        ...way,
        before: { recorded: (event) => known.get(event)?.[way.destination ?? ''] },
      })),
    along,
  }
}

function endingsOf(
  { value: line, done }: IteratorResult<NdjsonLine, unknown>,
  { messageId }: Event,
  at: string,
): Readonly<Record<string, EventEnding>> {
  const value: unknown = done ? undefined : (line as NdjsonLine).value
  if (!isJsonObject(value) || !isJsonObject(value['endings']))
    throw new CliError(`${at}: the baseline has no such event`)
  if (value['messageId'] !== (messageId ?? null))
    throw new CliError(`${at}: the baseline has another event there; compare over the events it was saved with`)
  return value['endings'] as unknown as Readonly<Record<string, EventEnding>>
}
