import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock, systemRandom } from '@sluice/core'
import type { Store } from '@sluice/pipeline'
import { openSqliteStore } from '@sluice/storage'
import { Command, InvalidArgumentError, Option } from 'commander'
import { pino } from 'pino'
import { createSluice, type Sluice } from '../create-sluice.ts'
import { readWorkspaceFile } from '../workspace/read-workspace-file.ts'
import { asCliError, CliError } from './cli-error.ts'
import { type EventsFile, feedEvents } from './feed-events.ts'
import { flowReport } from './flow-report.ts'
import { type Listener, listen } from './listen.ts'
import { Progress } from './progress.ts'
import { loadSample, type Sample } from './sample.ts'
import { type SampleReceiver, startSampleReceiver } from './sample-receiver.ts'

interface ServeFlags {
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

/** `sluice serve`: runs a data plane with its store on disk, until it is told to stop. */
export function serveCommand(): Command {
  return new Command('serve')
    .description('run a workspace: take events over HTTP, deliver them, serve the APIs')
    .addOption(new Option('--workspace <file>', 'workspace file, JSON or YAML').conflicts('sample'))
    .option('--sample', 'run the sample workspace with its events and a local receiver')
    .option(
      '--data <folder>',
      'where the store is kept (default: .sluice; with --sample: .sluice/sample, emptied first)',
    )
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <number>', 'port to listen on, 0 for a free one', port, 8080)
    .option(
      '--governance-port <number>',
      'port of its own for the Data Governance API (default: with the others)',
      port,
    )
    .option(
      '--events <source=file>',
      'feed a file of events, one JSON object a line, to a source (repeatable)',
      eventsFile,
      [],
    )
    .option('--once', 'end when the events of the files have ended everywhere, instead of serving')
    .addHelpText(
      'after',
      `
SERVICE_ADMIN_USER and SERVICE_ADMIN_PASSWORD turn on the Data Governance API.
SIGHUP applies the workspace file again; Ctrl-C stops after the batches under way.

Examples:
  sluice serve --workspace workspace.yaml --port 8080
  sluice serve --workspace workspace.yaml --events web=events.ndjson --once
  sluice serve --sample`,
    )
    .action((flags: ServeFlags) => serve(flags).catch((error) => Promise.reject(asCliError(error))))
}

async function serve(flags: ServeFlags): Promise<void> {
  if (!flags.workspace && !flags.sample)
    throw new CliError('nothing to serve: name a --workspace file, or try --sample')
  const stopping = new AbortController()
  const onSignal = (): void => {
    if (stopping.signal.aborted) process.exit(130)
    stopping.abort()
    say('stopping (once more to stop at once)')
  }
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal)
  const closing: (() => Promise<unknown>)[] = []
  try {
    await run(flags, stopping.signal, closing)
  } finally {
    for (const close of closing.reverse()) await close()
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal)
  }
}

/** @param closing what has to be closed in the end, in reverse order, whatever happens. */
async function run(flags: ServeFlags, signal: AbortSignal, closing: (() => Promise<unknown>)[]): Promise<void> {
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
  if (sample && admin) say(tryLines(sluice, sample, admin, `http://${flags.host}`, listeners))
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

function adminOf(sample: Sample | undefined): { readonly user: string; readonly password: string } | undefined {
  const { SERVICE_ADMIN_USER: user, SERVICE_ADMIN_PASSWORD: password } = process.env
  if (user && password) return { user, password }
  if (user || password) throw new CliError('set both SERVICE_ADMIN_USER and SERVICE_ADMIN_PASSWORD, or neither')
  return sample && { user: 'admin', password: randomBytes(12).toString('base64url') }
}

interface Ports {
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

async function report(sluice: Sluice, folder: string, receiver: SampleReceiver | undefined): Promise<void> {
  let requests = 0
  let sumsAgree = true
  for (const workspace of sluice.workspaces) {
    const stats = await sluice.stats(workspace.id)
    const { text, ...told } = flowReport(workspace, stats)
    say(`\nWorkspace ${workspace.name}\n\n${text}`)
    sumsAgree &&= told.sumsAgree
    for (const { destinations } of stats) for (const { outputs } of destinations) requests += outputs
  }
  if (receiver) {
    say(`The receiver took ${receiver.taken()} requests, ${requests} were delivered.`)
    sumsAgree &&= receiver.taken() === requests
  }
  const megabytes = Math.round(process.resourceUsage().maxRSS / 1024)
  say(`Store: ${folder} · memory at most ${megabytes} MB`)
  if (!sumsAgree) process.exitCode = 1
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

function tryLines(
  sluice: Sluice,
  sample: Sample,
  admin: { readonly user: string; readonly password: string },
  address: string,
  { main, governance = main }: Ports,
): string {
  const writeKey = sluice.workspaces[0]?.sources[0]?.writeKey ?? ''
  const event = `{"userId":"you","event":"Order Completed","properties":{"total":42,"currency":"EUR"}}`
  return `
Try (Ctrl-C stops):
  curl -u ${writeKey}: -H 'content-type: application/json' -d '${event}' ${address}:${main}/v1/track
  curl -H 'authorization: Bearer ${sample.token}' ${address}:${main}/v2/destinations
  curl -u ${admin.user}:${admin.password} ${address}:${governance}/schemas/event-models
`
}

function port(value: string): number {
  const number = Number(value)
  if (Number.isInteger(number) && number >= 0 && number <= 65_535) return number
  throw new InvalidArgumentError('a port is a whole number from 0 to 65535')
}

function eventsFile(value: string, earlier: readonly EventsFile[]): readonly EventsFile[] {
  const [, sourceId, path] = /^([^=]+)=(.+)$/.exec(value) ?? []
  if (sourceId === undefined || path === undefined)
    throw new InvalidArgumentError('expected SOURCE=FILE, for example web=events.ndjson')
  return [...earlier, { sourceId, path }]
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
