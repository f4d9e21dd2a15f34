import { randomBytes } from 'node:crypto'
import { join, resolve } from 'node:path'
import { adminTokenVariable, ensureAdminToken, ensureWorkspace, tokenLengthMin } from '@sluice/configuration'
import { systemClock, systemRandom } from '@sluice/core'
import { printable } from '@sluice/core/printable'
import { clientIpFromHeader } from '@sluice/http'
import type { Store } from '@sluice/pipeline'
import { readStudioFiles } from '@sluice/studio'
import type { Logger } from '../../../logger.ts'
import { publicAddressProblem } from '../../../public-address.ts'
import type { Sluice } from '../../../sluice.ts'
import type { SluiceOptions } from '../../../sluice-options.ts'
import { openWorkspace } from '../../../workspace/text/open-workspace.ts'
import { withPlaces } from '../../../workspace/text/with-places.ts'
import { toParsedWorkspace } from '../../../workspace/typed/parsed-workspace.ts'
import { CliError } from '../../cli-error.ts'
import { sandboxOptionsOf } from '../../flags/sandbox-flags.ts'
import { retentionOptionsOf } from '../../flags/storage-flags.ts'
import { requireReadable } from '../../read-ndjson.ts'
import { printLine } from '../../terminal/print-line.ts'
import { Progress } from '../../terminal/progress.ts'
import { applyFile } from './apply-file.ts'
import { openCrashRecord } from './crashes/open-crash-record.ts'
import { type EventsFile, feedEvents, writeKeyOf } from './feed-events.ts'
import { listenAll } from './listen/listen-all.ts'
import type { AdminCredentials } from './listen/serve-ports.ts'
import { openEmptyStore, openServedLedger, openServedStore } from './open-store.ts'
import type { OwnSupervisor } from './processes/own-supervisor.ts'
import type { Reloaded } from './processes/process-messages.ts'
import { logEarlierLosses } from './report/log-recovery.ts'
import { openLog } from './report/open-log.ts'
import { reportFlow } from './report/report-flow.ts'
import { startMemoryReturn } from './return-memory.ts'
import { exampleCommands } from './sample/example-commands.ts'
import { loadSample, type Sample } from './sample/load-sample.ts'
import { sampleQueries } from './sample/sample-queries.ts'
import { type SampleReceiver, startSampleReceiver } from './sample/sample-receiver.ts'
import type { ServeFlags } from './serve-flags.ts'
import type { Close } from './stop/close.ts'
import { studioLine } from './studio-line.ts'

/** Longest part shown of a request to the receiver of the sample: a whole event, also what user code appended. */
const receivedCharsShown = 2_000
const minuteMs = 60_000
const defaultRetryMinutes = 180

/**
 * Runs a workspace until its events have ended (`once`) or `signal` aborts.
 * @param closing receives the functions that close its resources. The caller runs them in reverse order in any case.
 * @param supervisor set when this process is one of several.
 */
export async function serveWorkspace(
  flags: ServeFlags,
  signal: AbortSignal,
  closing: Close[],
  supervisor?: OwnSupervisor,
): Promise<void> {
  const { publicAddress } = flags
  const wrong = publicAddress === undefined ? undefined : publicAddressProblem(publicAddress)
  if (wrong !== undefined) throw new CliError(`--public-address: it ${wrong}`)
  const sandboxOptions = await sandboxOptionsOf(flags)
  const log = openLog(flags, supervisor?.place.number)
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
  const [store, { startSluice }] = await Promise.all([
    sample ? openEmptyStore(flags, log) : openServedStore(flags, log),
    // Loaded while another thread opens the store.
    import('../../../start-sluice.ts'),
  ])
  const ledger = await openServedLedger(flags, log).catch(async (error: unknown) => {
    // Its connections would keep the process alive.
    await store.close()
    throw error
  })
  const crashes = await openCrashRecord(flags, store, log, (close) => closing.push(close))
  await logEarlierLosses(log, store, startedAt)
  if (!sample && flags.workspace === undefined)
    await logNewAdminToken(store, openLog({ ...flags, logLevel: 'info' }, supervisor?.place.number))
  const admin = adminOf(sample)
  const options: SluiceOptions = {
    workspace: workspace && toParsedWorkspace(workspace),
    destinations,
    store,
    ledger,
    admin,
    sandbox: { ...sandboxOptions, onWarning: (text) => log.warn({}, text) },
    trustedWorkspaces: flags.trustedWorkspace,
    onSuppressionUnavailable: flags.suppressionUnavailable,
    allowAddresses: sample ? [...flags.allowAddress, 'localhost'] : flags.allowAddress,
    clientIp: flags.clientIpHeader === undefined ? undefined : clientIpFromHeader(flags.clientIpHeader),
    publicAddress,
    // With --once, the user does not want to wait hours for the end.
    retries: { windowMs: (flags.retryMinutes ?? (flags.once ? 0 : defaultRetryMinutes)) * minuteMs },
    retention: retentionOptionsOf(flags),
    keptDeliveries: flags.keepDeliveries,
    receipts: flags.receipts === false ? 'off' : undefined,
    deletionsPerHour: flags.deletionsPerHour || undefined,
    onInvalid: flags.takeGoodEvents ? ('refuse-event' as const) : undefined,
    deduplication: flags.dedupMinutes ? { windowMs: flags.dedupMinutes * minuteMs } : undefined,
    studio: flags.studio ? readStudioFiles({ font: flags.studioFont }) : undefined,
    schemaLimits: flags.schemaLimit,
    strictCompatibility: flags.strictCompatibility ?? false,
    localDestinations: flags.localDestinations ?? false,
    governanceApart: flags.governancePort !== undefined,
    telemetry: crashes?.telemetry,
    logger: log,
    onConflict: (text) => log.warn({}, text),
  }
  const sluice = await withPlaces(opened, () => startSluice(options, supervisor))
  closing.push((deadline) => sluice.stop(deadline.left()))
  const endMemoryReturn = startMemoryReturn()
  closing.push(async () => endMemoryReturn())
  const apply = (): Promise<Reloaded> => applyAgain(sluice, flags.workspace)
  if (supervisor) supervisor.on({ reload: apply })
  else applyOnHangup(apply, closing)
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

  const lines = [`\nServing on http://${flags.host}:${listeners.main}`]
  const isTerminal = supervisor?.place.isTerminal ?? process.stdout.isTTY === true
  if (flags.studio) lines.push(await studioLine(sluice, flags, listeners.main, isTerminal))
  if (listeners.governance) lines.push(`Data Governance API on http://${flags.host}:${listeners.governance}`)
  if (!admin) lines.push('The Data Governance API is off: set SERVICE_ADMIN_USER and SERVICE_ADMIN_PASSWORD.')
  if (sample && admin) lines.push(exampleCommands(sluice, sample.token, admin, `http://${flags.host}`, listeners))
  if (supervisor) supervisor.serving(lines)
  else for (const line of lines) printLine(line)
  onTaken = (path, body) => printLine(`receiver: ${path} took ${printable(body.slice(0, receivedCharsShown))}`)
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** Without a workspace file, a new store has no token that could create others. @param log shows it at any log level. */
async function logNewAdminToken({ configuration }: Store, log: Logger): Promise<void> {
  const given = process.env[adminTokenVariable]
  if (given && given.length < tokenLengthMin)
    throw new CliError(
      `${adminTokenVariable} has ${given.length} characters; set ${tokenLengthMin} or more, which cannot be guessed`,
    )
  await ensureWorkspace(configuration, systemClock)
  const parts = { clock: systemClock, random: systemRandom, env: process.env }
  const token = await ensureAdminToken(configuration, parts)
  if (token !== undefined) log.info({ adminToken: token }, 'admin token (shown only now)')
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

/** Applies the workspace file again. A file with errors is reported and changes nothing. */
async function applyAgain(sluice: Sluice, file: string | undefined): Promise<Reloaded> {
  if (file === undefined) return { isApplied: false, text: 'there is no workspace file to apply' }
  try {
    await applyFile(file, ({ workspace, destinations }) => sluice.updateWorkspace(workspace, destinations))
    return { isApplied: true, text: `applied ${file}` }
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    return { isApplied: false, text: `${file} was not applied; the previous workspace keeps running: ${problem}` }
  }
}

/** Applies the workspace file on SIGHUP. */
function applyOnHangup(apply: () => Promise<Reloaded>, closing: Close[]): void {
  // One at a time, so that the file read last is applied last.
  let applying = Promise.resolve()
  const onHangup = (): void => {
    applying = applying.then(async () => printLine((await apply()).text))
  }
  process.on('SIGHUP', onHangup)
  closing.push(async () => {
    process.off('SIGHUP', onHangup)
    await applying
  })
}
