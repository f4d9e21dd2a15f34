import { randomBytes } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Writable } from 'node:stream'
import { systemClock, systemRandom } from '@sluice/core'
import { createTransport } from '@sluice/delivery'
import type { SandboxOptions } from '@sluice/sandbox'
import { readStudioFiles } from '@sluice/studio'
import type { Sluice } from '../../../sluice.ts'
import type { WorkspaceFile } from '../../../workspace/text/read-workspace-file.ts'
import { CliError } from '../../cli-error.ts'
import { type SandboxFlags, sandboxOptionsOf } from '../../flags/sandbox-flags.ts'
import { FolderWatcher } from '../../offline/folder-watcher.ts'
import { listenAll } from '../serve/listen/listen-all.ts'
import { trackCommand } from '../serve/sample/example-commands.ts'
import type { Close } from '../serve/stop/close.ts'
import { closing } from '../serve/stop/closing.ts'
import { untilSignalled } from '../serve/stop/until-signalled.ts'
import { studioAddress, studioLink } from '../serve/studio-line.ts'
import { addressWarnings, devAddresses } from './address-warnings.ts'
import { createDevScreen, type DevScreen } from './dev-screen.ts'
import { createDevTests, type DevTests } from './dev-tests.ts'
import { LiveWorkspace } from './live-workspace.ts'
import { openPage } from './open-page.ts'
import { screenLogger } from './screen-logger.ts'
import { watchEvents } from './watch-events.ts'
import { watchKeys } from './watch-keys.ts'

/** The flags of `sluice dev`. */
export interface DevFlags extends SandboxFlags {
  readonly data?: string
  readonly host: string
  readonly port: number
  readonly allowAddress: readonly string[]
  readonly open: boolean
  readonly test: boolean
  readonly json?: true
}

/** Time for deliveries in progress when stopping. Little, because the user waits for it. */
const stopSeconds = 3

/** Runs `sluice dev`: serves a workspace, and applies each change of its files, until it is interrupted. */
export async function dev(file: string, flags: DevFlags): Promise<void> {
  const screen = createDevScreen(process.stdout, flags.json === true)
  const hint = (text: string): void => screen.show({ kind: 'hint', text })
  try {
    await untilSignalled(
      (stopping) => closing(stopSeconds, (opened) => run(file, flags, screen, stopping, opened)),
      hint,
    )
  } finally {
    screen.close()
  }
}

async function run(
  file: string,
  flags: DevFlags,
  screen: DevScreen,
  stopping: AbortController,
  opened: Close[],
): Promise<void> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new CliError(
      `${file}: there is no such file or folder (${error.code}); sluice init writes a project with one`,
    )
  })
  const folder = found.isDirectory() ? resolve(file) : dirname(resolve(file))
  const sandbox = await sandboxOptionsOf(flags)
  const tests = flags.test ? await createDevTests(folder, sandbox, screen.show) : undefined
  if (tests) opened.push(() => tests.close())
  const warnOfAddresses = addressWarnings(flags.allowAddress, screenLogger(screen))
  let sluice: Sluice | undefined
  const workspace = new LiveWorkspace(file, async (read) => {
    if (sluice) await sluice.updateWorkspace(read.workspace, read.destinations)
    else sluice = await start(read, flags, { sandbox, screen, stopping, opened })
    warnOfAddresses(sluice.workspaces)
  })
  const watcher = new FolderWatcher()
  opened.push(async () => watcher.close())
  await followChanges({ workspace, tests, screen, watcher, signal: stopping.signal })
}

interface StartParts {
  readonly sandbox: SandboxOptions
  readonly screen: DevScreen
  readonly stopping: AbortController
  readonly opened: Close[]
}

/** Serves the first workspace that can run. */
async function start(
  { workspace, destinations }: WorkspaceFile,
  flags: DevFlags,
  { sandbox, screen, stopping, opened }: StartParts,
): Promise<Sluice> {
  const { host } = flags
  const admin = { user: 'admin', password: randomBytes(24).toString('base64url') }
  const logger = screenLogger(screen)
  const [{ startSluice }, store] = await Promise.all([import('../../../start-sluice.ts'), openStore(flags.data)])
  const lines = new Writable({
    write(chunk, _, done) {
      screen.show({ kind: 'output', text: String(chunk).trimEnd() })
      done()
    },
  })
  const allowAddresses = devAddresses(flags.allowAddress)
  const transport = createTransport({ clock: systemClock, allowAddresses, console: { stdout: lines, stderr: lines } })
  const sluice = await startSluice({
    workspace,
    destinations,
    store,
    admin,
    sandbox: { ...sandbox, onWarning: (text) => logger.warn({}, text) },
    allowAddresses,
    transport,
    studio: readStudioFiles(),
    logger,
    onConflict: (text) => logger.warn({}, text),
  }).catch(async (error: unknown) => {
    // The workspace is tried again when it is mended.
    await transport.close()
    throw error
  })
  opened.push(() => transport.close())
  opened.push((deadline) => sluice.stop(deadline.left()))
  const { main: port } = await listenAll(sluice, flags, logger, opened)
  const watching = watchEvents(sluice, admin, screen.show)
  opened.push(async () => {
    // A listener waits for open responses, and a tap never ends by itself.
    sluice.endTaps()
    await watching
  })
  const url = `http://${host}:${port}`
  const isTerminal = process.stdout.isTTY === true && !flags.json
  screen.show({
    kind: 'serving',
    url,
    studio: isTerminal ? await studioLink(sluice, host, port) : studioAddress(host, port),
    store: flags.data === undefined ? 'in memory' : `in ${flags.data}`,
  })
  if (isTerminal) {
    const openStudio = async (): Promise<void> => openPage(await studioLink(sluice, host, port))
    const endKeys = watchKeys({ o: () => void openStudio(), q: () => stopping.abort() })
    opened.push(async () => endKeys())
    if (flags.open) await openStudio()
  }
  showExample(sluice, url, screen)
  return sluice
}

async function openStore(folder: string | undefined) {
  if (folder === undefined) return undefined
  const { openSqliteStore } = await import('@sluice/storage')
  return openSqliteStore({ path: join(folder, 'sluice.db'), clock: systemClock, random: systemRandom })
}

interface Followed {
  readonly workspace: LiveWorkspace
  readonly tests: DevTests | undefined
  readonly screen: DevScreen
  readonly watcher: FolderWatcher
  readonly signal: AbortSignal
}

/** Applies the workspace after each change, then runs the tests, without holding back the next change. */
async function followChanges({ workspace, tests, screen, watcher, signal }: Followed): Promise<void> {
  let testing: Promise<void> | undefined
  let testAgainSince: number | undefined
  let failure: unknown
  const watch = (): void => watcher.watch(new Set([...workspace.folders, ...(tests?.folders ?? [])]))
  const test = async (since: number): Promise<void> => {
    for (let from: number | undefined = since; from !== undefined && !signal.aborted; from = testAgainSince) {
      testAgainSince = undefined
      await tests?.run(from, signal)
      watch()
    }
  }
  const startTests = (since: number): void => {
    if (testing) {
      testAgainSince = since
      return
    }
    testing = test(since)
      .catch((error: unknown) => {
        failure = error
      })
      .finally(() => {
        testing = undefined
      })
  }
  watch()
  let changedAt: number | undefined = performance.now()
  while (changedAt !== undefined && failure === undefined) {
    const entry = await workspace.apply(changedAt)
    watch()
    if (entry) screen.show(entry)
    startTests(changedAt)
    changedAt = await watcher.changed(signal)
  }
  await testing
  if (failure !== undefined) throw failure
}

/** Shows how to send an event. */
function showExample(sluice: Sluice, address: string, screen: DevScreen): void {
  const writeKey = sluice.workspaces.flatMap(({ sources }) => sources)[0]?.writeKey
  const event = '{"userId":"u1","event":"Order Placed","properties":{"total":42,"currency":"EUR"}}'
  if (writeKey !== undefined)
    screen.show({ kind: 'hint', text: `Send an event:\n  ${trackCommand(writeKey, event, address)}` })
}
