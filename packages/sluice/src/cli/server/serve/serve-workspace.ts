import { randomBytes } from 'node:crypto'
import { join, resolve } from 'node:path'
import { ensureAdminToken, ensureWorkspace } from '@sluice/configuration'
import { systemClock, systemRandom } from '@sluice/core'
import { printable } from '@sluice/core/printable'
import { clientIpFromHeader } from '@sluice/http'
import type { Store } from '@sluice/pipeline'
import { readStudioFiles } from '@sluice/studio'
import { type Logger, pino } from 'pino'
import { createSluice } from '../../../create-sluice.ts'
import { publicAddressProblem } from '../../../public-address.ts'
import type { Sluice } from '../../../sluice.ts'
import type { SluiceOptions } from '../../../sluice-options.ts'
import { openWorkspace } from '../../../workspace/text/read-workspace-file.ts'
import { withPlaces } from '../../../workspace/text/with-places.ts'
import { CliError } from '../../cli-error.ts'
import { sandboxOptionsOf } from '../../flags/sandbox-flags.ts'
import { retentionOptionsOf } from '../../flags/storage-flags.ts'
import { requireReadable } from '../../read-ndjson.ts'
import { printLine } from '../../terminal/print-line.ts'
import { Progress } from '../../terminal/progress.ts'
import type { Close } from './close.ts'
import { openCrashRecord } from './crashes/open-crash-record.ts'
import { type EventsFile, feedEvents, writeKeyOf } from './feed-events.ts'
import { listenAll } from './listen/listen-all.ts'
import type { AdminCredentials } from './listen/serve-ports.ts'
import { openEmptyStore, openServedLedger, openServedStore } from './open-store.ts'
import { logEarlierLosses } from './report/log-recovery.ts'
import { logText } from './report/log-text.ts'
import { reportFlow } from './report/report-flow.ts'
import { startMemoryReturn } from './return-memory.ts'
import { exampleCommands } from './sample/example-commands.ts'
import { loadSample, type Sample } from './sample/load-sample.ts'
import { sampleQueries } from './sample/sample-queries.ts'
import { type SampleReceiver, startSampleReceiver } from './sample/sample-receiver.ts'
import type { ServeFlags } from './serve-flags.ts'

/** Longest part shown of a request to the receiver of the sample: a whole event, also what user code appended. */
const receivedCharsShown = 2_000
const minuteMs = 60_000
const defaultRetryMinutes = 180

/**
 * Runs a workspace until its events have ended (`once`) or `signal` aborts.
 * @param closing receives the functions that close its resources. The caller runs them in reverse order in any case.
 */
export async function serveWorkspace(flags: ServeFlags, signal: AbortSignal, closing: Close[]): Promise<void> {
  const { publicAddress } = flags
  const wrong = publicAddress === undefined ? undefined : publicAddressProblem(publicAddress)
  if (wrong !== undefined) throw new CliError(`--public-address: it ${wrong}`)
  const sandboxOptions = await sandboxOptionsOf(flags)
  const log = openLog(flags)
  let onTaken = (_path: string, _body: string): void => {}
  let receiver: SampleReceiver | undefined
  let sample: Sample | undefined
  if (flags.sample) {
    receiver = await startSampleReceiver((path, body) => onTaken(path, body))
    closing.push(receiver.close)
    sample = await loadSample(receiver, join(resolve(flags.data), 'sample.duckdb'))
  }
  const opened = flags.workspace === undefined ? undefined : await openWorkspace(flags.workspace)
  const { workspace, destinations } = sample?.file ?? opened ?? {}
  const events = [...(sample?.events ?? []), ...flags.events]
  for (const { path } of events) await requireReadable('--events', path)
  const place = flags.store === undefined ? flags.data : 'PostgreSQL'
  const startedAt = systemClock.now()
  const [store] = await Promise.all([
    sample ? openEmptyStore(flags, log) : openServedStore(flags, log),
    // Loaded for createSluice while another thread opens the store.
    import('../../../start-sluice.ts'),
  ])
  const ledger = await openServedLedger(flags, log).catch(async (error: unknown) => {
    // Its connections would keep the process alive.
    await store.close()
    throw error
  })
  const crashes = await openCrashRecord(flags, store, log, (close) => closing.push(close))
  await logEarlierLosses(log, store, startedAt)
  if (!sample && flags.workspace === undefined) await printNewAdminToken(store)
  const admin = adminOf(sample)
  const options: SluiceOptions = {
    workspace,
    destinations,
    store,
    ledger,
    admin,
    sandbox: { ...sandboxOptions, onWarning: printLine },
    onSuppressionUnavailable: flags.suppressionUnavailable,
    allowAddresses: sample ? [...flags.allowAddress, 'localhost'] : flags.allowAddress,
    clientIp: flags.clientIpHeader === undefined ? undefined : clientIpFromHeader(flags.clientIpHeader),
    publicAddress,
    // With --once, the user does not want to wait hours for the end.
    retries: { windowMs: (flags.retryMinutes ?? (flags.once ? 0 : defaultRetryMinutes)) * minuteMs },
    retention: retentionOptionsOf(flags),
    receipts: flags.receipts === false ? 'off' : undefined,
    deletionsPerHour: flags.deletionsPerHour || undefined,
    onInvalid: flags.takeGoodEvents ? ('refuse-event' as const) : undefined,
    deduplication: flags.dedupMinutes ? { windowMs: flags.dedupMinutes * minuteMs } : undefined,
    studio: flags.studio ? readStudioFiles() : undefined,
    schemaLimits: flags.schemaLimit,
    strictCompatibility: flags.strictCompatibility ?? false,
    localDestinations: flags.localDestinations ?? false,
    governanceApart: flags.governancePort !== undefined,
    telemetry: crashes?.telemetry,
    logger: log,
    onConflict: printLine,
  }
  const sluice = await withPlaces(opened, () => createSluice(options))
  closing.push((deadline) => sluice.stop(deadline.left()))
  const endMemoryReturn = startMemoryReturn()
  closing.push(async () => endMemoryReturn())
  applyOnHangup(sluice, flags.workspace, closing)
  checkSources(sluice, events)
  if (sample) for (const { id } of sluice.workspaces) await sluice.regulations.create(id, sample.regulation)

  const listeners = flags.once ? undefined : await listenAll(sluice, flags, log, closing)
  if (listeners) {
    log.info({ host: flags.host, ...listeners, store: place }, 'serving')
    closing.push(async () => {
      log.info({}, 'stopping')
      // A listener waits for open responses, and a tap never ends by itself.
      sluice.endTaps()
    })
  }
  if (events.length > 0) {
    await feedEvents(sluice, events, new Progress(process.stderr), signal)
    if (signal.aborted) printLine('\nStopped before all events were processed. Until now:')
    await reportFlow(sluice, place, signal.aborted ? undefined : receiver)
    if (sample && !signal.aborted) printLine(await sampleQueries(sample.warehouse))
  }
  if (!listeners || signal.aborted) return

  printLine(`\nServing on http://${flags.host}:${listeners.main}`)
  if (flags.studio) printLine(await studioLine(sluice, flags, listeners.main))
  if (listeners.governance) printLine(`Data Governance API on http://${flags.host}:${listeners.governance}`)
  if (!admin) printLine('The Data Governance API is off: set SERVICE_ADMIN_USER and SERVICE_ADMIN_PASSWORD.')
  if (sample && admin) printLine(exampleCommands(sluice, sample.token, admin, `http://${flags.host}`, listeners))
  onTaken = (path, body) => printLine(`receiver: ${path} took ${printable(body.slice(0, receivedCharsShown))}`)
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** Returns where the page is. Its link signs in the first browser that opens it, so it is not written into a log. */
async function studioLine(sluice: Sluice, { host, studioLink }: ServeFlags, port: number): Promise<string> {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  const page = `http://${name}:${port}/studio/`
  if (!process.stdout.isTTY && !studioLink)
    return `Studio: ${page}, with an access token; --studio-link prints a link for the operator`
  return `Studio, for the next ten minutes and once: ${page}#code=${await sluice.issueStudioCode?.()}`
}

/** Without a workspace file, a new store has no token that could create others. */
async function printNewAdminToken({ configuration }: Store): Promise<void> {
  await ensureWorkspace(configuration, systemClock)
  const parts = { clock: systemClock, random: systemRandom, env: process.env }
  const token = await ensureAdminToken(configuration, parts)
  if (token !== undefined) process.stderr.write(`admin token (shown only now): ${token}\n`)
}

function openLog({ logLevel, logFormat = process.stderr.isTTY ? 'text' : 'json' }: ServeFlags): Logger {
  const toText = { write: (line: string): unknown => process.stderr.write(`${logText(line)}\n`) }
  const stream = logFormat === 'text' ? toText : pino.destination(2)
  return pino({ name: 'sluice', level: logLevel, base: { pid: process.pid } }, stream)
}

function adminOf(sample: Sample | undefined): AdminCredentials | undefined {
  const { SERVICE_ADMIN_USER: user, SERVICE_ADMIN_PASSWORD: password } = process.env
  if (user && password) return { user, password }
  if (user || password) throw new CliError('set both SERVICE_ADMIN_USER and SERVICE_ADMIN_PASSWORD, or neither')
  return sample && { user: 'admin', password: randomBytes(12).toString('base64url') }
}

function checkSources(sluice: Sluice, files: readonly EventsFile[]): void {
  for (const { source } of files) writeKeyOf(sluice, source)
}

/** Applies the workspace file again on SIGHUP. A file with errors is reported and changes nothing. */
function applyOnHangup(sluice: Sluice, file: string | undefined, closing: Close[]): void {
  const apply = async (): Promise<void> => {
    if (file === undefined) return printLine('there is no workspace file to apply')
    try {
      const opened = await openWorkspace(file)
      await withPlaces(opened, () => sluice.updateWorkspace(opened.workspace, opened.destinations))
      printLine(`applied ${file}`)
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error)
      printLine(`${file} was not applied; the previous workspace keeps running: ${text}`)
    }
  }
  // One at a time, so that the file read last is applied last.
  let applying = Promise.resolve()
  const onHangup = (): void => {
    applying = applying.then(apply)
  }
  process.on('SIGHUP', onHangup)
  closing.push(async () => {
    process.off('SIGHUP', onHangup)
    await applying
  })
}
