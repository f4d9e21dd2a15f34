import type { Sluice } from '../../../sluice.ts'
import { CliError } from '../../cli-error.ts'
import { readNdjson } from '../../read-ndjson.ts'
import type { Progress } from '../../terminal/progress.ts'

/** A file of events, and the source they belong to. */
export interface EventsFile {
  /** Id of the source, or `workspace/source` when several workspaces have a source with that id. */
  readonly source: string
  readonly path: string
}

/** Events per call, as many as SDKs send. */
const callMax = 20
const pollMs = 50

/** Ingests files one after the other, and waits until every event has ended everywhere, or until it is aborted. */
export async function feedEvents(
  sluice: Sluice,
  files: readonly EventsFile[],
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  let read = 0
  for (const { source, path } of files) {
    const writeKey = writeKeyOf(sluice, source)
    let call: unknown[] = []
    const send = async (): Promise<void> => {
      const result = call.length > 0 && (await sluice.ingest(writeKey, call, { onInvalid: 'refuse-event' }))
      if (result && !result.ok && result.code === 'unavailable')
        throw new Error('the store accepts no more events: its disk budget is used up')
      read += call.length
      call = []
      progress.update(await stateOf(sluice, read))
    }
    for await (const event of readNdjson(path)) {
      if (signal.aborted) return
      call.push(event)
      if (call.length === callMax) await send()
    }
    await send()
  }

  let settled = false
  const settling = sluice.settled().then(() => {
    settled = true
  })
  while (!settled && !signal.aborted) {
    await Promise.race([settling, new Promise((resolve) => setTimeout(resolve, pollMs))])
    progress.update(await stateOf(sluice, read))
  }
  if (!signal.aborted) progress.done(await stateOf(sluice, read))
}

/** Returns the write key of a source. @throws CliError when there is no such source, or more than one. */
export function writeKeyOf(sluice: Sluice, source: string): string {
  const all = sluice.workspaces.flatMap(({ id, sources }) =>
    sources.map((each) => ({ names: [each.id, `${id}/${each.id}`], writeKey: each.writeKey })),
  )
  const [found, ...more] = all.filter(({ names }) => names.includes(source))
  if (found === undefined)
    throw new CliError(`--events: there is no source ${source}; known: ${all.map(({ names }) => names[0]).join(', ')}`)
  if (more.length > 0)
    throw new CliError(`--events: several workspaces have a source ${source}; write WORKSPACE/${source}=FILE`)
  return found.writeKey
}

async function stateOf(sluice: Sluice, read: number): Promise<string> {
  let accepted = 0
  let pending = 0
  for (const { id } of sluice.workspaces) {
    for (const { destinations } of await sluice.stats(id)) {
      for (const destination of destinations) {
        accepted += destination.accepted
        pending += destination.pending
      }
    }
  }
  const share = accepted === 0 ? 0 : Math.floor(((accepted - pending) / accepted) * 100)
  return `read ${read} events · ${accepted - pending} of ${accepted} outcomes at destinations (${share} %)`
}
