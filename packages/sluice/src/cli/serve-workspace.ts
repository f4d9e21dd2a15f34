import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock, systemRandom } from '@sluice/core'
import type { Store } from '@sluice/pipeline'
import { openSqliteStore } from '@sluice/storage'
import { pino } from 'pino'
import { createSluice, type Sluice } from '../create-sluice.ts'
import { readWorkspaceFile } from '../workspace/read-workspace-file.ts'
import { CliError } from './cli-error.ts'
import { type EventsFile, feedEvents } from './feed-events.ts'
import { type Listener, listen } from './listen.ts'
import { Progress } from './progress.ts'
import { report } from './report.ts'
import { loadSample, type Sample } from './sample.ts'
import { type SampleReceiver, startSampleReceiver } from './sample-receiver.ts'
import { say } from './say.ts'
import { tryLines } from './try-lines.ts'

export interface ServeFlags {
  readonly workspace?: string
  readonly sample?: true
  readonly data?: string
  readonly host: string
  readonly port: number
  readonly governancePort?: number
  readonly events: readonly EventsFile[]
  readonly once?: true
}

/** How long requests and batches under way may take once it was asked to stop. */
const stopDeadlineMs = 10_000

/**
 * Runs a workspace until its events have ended (`once`) or `signal` aborts.
 * @param closing gets what has to be closed in the end, in reverse order, whatever happens.
 */
export async function serveWorkspace(
  flags: ServeFlags,
  signal: AbortSignal,
  closing: (() => Promise<unknown>)[],
): Promise<void> {
  const log = pino({ name: 'sluice' }, pino.destination(2))
  let onTaken = (_path: string, _body: string): void => {}
  let receiver: SampleReceiver | undefined
  let sample: Sample | undefined
  if (flags.sample) {
    receiver = await startSampleReceiver((path, body) => onTaken(path, body))
    closing.push(receiver.close)
    sample = await loadSample(receiver)
  }
  const definition = sample?.definition ?? (await readWorkspaceFile(flags.workspace ?? ''))
  const folder = flags.data ?? (sample ? join('.sluice', 'sample') : '.sluice')
  const store = await openStore(folder, sample !== undefined)
  const admin = adminOf(sample)
  const sluice = await createSluice({
    workspace: definition,
    store,
    ...(admin ? { admin } : {}),
    governanceApart: flags.governancePort !== undefined,
    onError: (error) => log.error({ err: error }, 'going on after a failure'),
  })
  closing.push(() => sluice.stop(stopDeadlineMs))
  if (sample) for (const { id } of sluice.workspaces) await sluice.regulations.create(id, sample.regulation)

  const listeners = flags.once ? undefined : await listenAll(sluice, flags, closing)
  const events = [...(sample?.events ?? []), ...flags.events]
  checkSources(sluice, events)
  if (events.length > 0) {
    await feedEvents(sluice, events, new Progress(process.stderr), signal)
    if (!signal.aborted) await report(sluice, folder, receiver)
  }
  if (!listeners || signal.aborted) return

  if (flags.workspace) applyOnHangup(sluice, flags.workspace, closing)
  say(`\nServing on http://${flags.host}:${listeners.main}`)
  if (listeners.governance) say(`Data Governance API on http://${flags.host}:${listeners.governance}`)
  if (sample && admin) say(tryLines(sluice, sample.token, admin, `http://${flags.host}`, listeners))
  onTaken = (path, body) => say(`receiver: ${path} took ${body.slice(0, 200)}`)
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

/** @param empty whether what an earlier run left there is removed first; the store is opened for that, so that nobody else's is. */
async function openStore(folder: string, empty: boolean): Promise<Store> {
  const open = (): Promise<Store> =>
    openSqliteStore({ path: join(folder, 'sluice.db'), clock: systemClock, random: systemRandom })
  const store = await open()
  if (!empty) return store
  await store.close()
  for (const suffix of ['', '-wal', '-shm']) await rm(join(folder, `sluice.db${suffix}`), { force: true })
  return open()
}

function adminOf(sample: Sample | undefined): AdminCredentials | undefined {
  const { SERVICE_ADMIN_USER: user, SERVICE_ADMIN_PASSWORD: password } = process.env
  if (user && password) return { user, password }
  if (user || password) throw new CliError('set both SERVICE_ADMIN_USER and SERVICE_ADMIN_PASSWORD, or neither')
  return sample && { user: 'admin', password: randomBytes(12).toString('base64url') }
}

export interface AdminCredentials {
  readonly user: string
  readonly password: string
}

export interface Ports {
  readonly main: number
  readonly governance?: number
}

async function listenAll(sluice: Sluice, flags: ServeFlags, closing: (() => Promise<unknown>)[]): Promise<Ports> {
  const closeLater = (listener: Listener): number => {
    closing.push(() => listener.close(stopDeadlineMs))
    return listener.port
  }
  const main = closeLater(await listen(sluice, flags.host, flags.port))
  if (flags.governancePort === undefined) return { main }
  const { governance } = sluice.areas
  if (!governance) throw new CliError('--governance-port needs SERVICE_ADMIN_USER and SERVICE_ADMIN_PASSWORD to be set')
  return { main, governance: closeLater(await listen(governance, flags.host, flags.governancePort)) }
}

function checkSources(sluice: Sluice, files: readonly EventsFile[]): void {
  const known = sluice.workspaces.flatMap(({ sources }) => sources.map(({ id }) => id))
  for (const { sourceId } of files)
    if (!known.includes(sourceId))
      throw new CliError(`--events: there is no source ${sourceId}; known: ${known.join(', ')}`)
}

/** SIGHUP applies the workspace file again; a file that is wrong is told and changes nothing. */
function applyOnHangup(sluice: Sluice, file: string, closing: (() => Promise<unknown>)[]): void {
  const apply = async (): Promise<void> => {
    try {
      await sluice.updateWorkspace(await readWorkspaceFile(file))
      say(`applied ${file}`)
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error)
      say(`${file} was not applied; everything goes on as before: ${text}`)
    }
  }
  const onHangup = (): void => void apply()
  process.on('SIGHUP', onHangup)
  closing.push(async () => process.off('SIGHUP', onHangup))
}
