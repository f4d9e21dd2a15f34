import { stat } from 'node:fs/promises'
import { printable } from '@sluice/core/printable'
import { shownPath } from '@sluice/testing'
import type { Sluice } from '../../../sluice.ts'
import { CliError } from '../../cli-error.ts'
import { readNdjson, standardInput } from '../../read-ndjson.ts'
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
/** Lines that are not JSON, of all files, that are named. */
const notJsonShown = 5

/**
 * Ingests files one after the other, and waits until every event has ended everywhere, or until it is aborted. Shows the
 * share of the files that is read, then that of the outcomes; lines that are not JSON are named.
 */
export async function feedEvents(
  sluice: Sluice,
  files: readonly EventsFile[],
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  let read = 0
  let isReading = true
  /** Bytes of files that were read completely. */
  let bytesBefore = 0
  let bytes = 0
  let notJson = 0
  const bytesOfAll = await sizeOf(files)
  const state = (): Promise<string> =>
    stateOf(sluice, read, isReading && bytesOfAll !== undefined ? (bytesBefore + bytes) / bytesOfAll : undefined)
  for (const { source, path } of files) {
    const writeKey = writeKeyOf(sluice, source)
    let call: unknown[] = []
    const send = async (): Promise<void> => {
      const result = call.length > 0 && (await sluice.ingest(writeKey, call, { onInvalid: 'refuse-event' }))
      if (result && !result.ok && result.code === 'unavailable')
        throw new Error('the store accepts no more events: its disk budget is used up')
      read += call.length
      call = []
      progress.update(await state())
    }
    const onBytes = (count: number): void => {
      bytes = count
    }
    for await (const { number, value, problem } of readNdjson(path, { onBytes, signal })) {
      if (signal.aborted) break
      if (problem !== undefined) {
        notJson += 1
        if (notJson <= notJsonShown)
          progress.note(`${shownPath(process.cwd(), path)}:${number} is not JSON: ${printable(problem)}`)
      }
      call.push(value)
      if (call.length === callMax) await send()
    }
    if (signal.aborted) return progress.done(await state())
    await send()
    bytesBefore += bytes
    bytes = 0
  }
  isReading = false
  if (notJson > notJsonShown) progress.note(`… and ${notJson - notJsonShown} more lines that are not JSON`)

  let settled = false
  const settling = sluice.settled().then(() => {
    settled = true
  })
  while (!settled && !signal.aborted) {
    await Promise.race([settling, new Promise((resolve) => setTimeout(resolve, pollMs))])
    progress.update(await state())
  }
  progress.done(await state())
}

/** Size of all files in bytes; undefined when one of them is standard input. */
async function sizeOf(files: readonly EventsFile[]): Promise<number | undefined> {
  if (files.some(({ path }) => path === standardInput)) return undefined
  const sizes = await Promise.all(files.map(async ({ path }) => (await stat(path)).size))
  return sizes.reduce((total, size) => total + size, 0)
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

/** @param share of the bytes of all files that are read; absent when all are, or their size is unknown. */
async function stateOf(sluice: Sluice, read: number, share: number | undefined): Promise<string> {
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
  const ended = accepted - pending
  const outcomes = `${ended} of ${accepted} outcomes at destinations`
  if (share !== undefined) return `read ${Math.floor(share * 100)} %, ${read} events · ${outcomes}`
  return `read ${read} events · ${outcomes} (${accepted === 0 ? 100 : Math.floor((ended / accepted) * 100)} %)`
}
