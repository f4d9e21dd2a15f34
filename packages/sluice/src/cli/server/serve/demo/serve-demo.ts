import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemRandom } from '@sluice/core'
import { createFolderLedgerPlace } from '@sluice/storage'
import { readStudioFiles } from '@sluice/studio'
import { hasDuckDB } from '@sluice/warehouse'
import { printLine } from '../../../terminal/print-line.ts'
import { Progress } from '../../../terminal/progress.ts'
import { listenAll } from '../listen/listen-all.ts'
import { openLog } from '../report/open-log.ts'
import type { ServeFlags } from '../serve-flags.ts'
import type { Close } from '../stop/close.ts'
import { studioLine } from '../studio-line.ts'
import { createDemo } from './create-demo.ts'

/**
 * Lets a day of the demonstration pass in memory, and then serves it until `signal` aborts. Nothing of it stays, and nothing
 * is sent to anyone: see `createDemo`.
 * @param closing receives the functions that close its resources. The caller runs them in reverse order in any case.
 */
export async function serveDemo(flags: ServeFlags, signal: AbortSignal, closing: Close[]): Promise<void> {
  // Failures are part of the day: they are for the studio, not for the terminal.
  const log = openLog({ ...flags, logLevel: flags.logLevel === 'info' ? 'error' : flags.logLevel })
  const folder = await mkdtemp(join(tmpdir(), 'sluice-demo-'))
  closing.push(() => rm(folder, { recursive: true, force: true }))
  const demo = createDemo((await hasDuckDB()) ? join(folder, 'demo.duckdb') : undefined)
  const { startSluice } = await import('../../../../start-sluice.ts')
  const sluice = await startSluice({
    workspace: demo.workspace,
    ledger: { place: createFolderLedgerPlace(join(folder, 'ledger'), systemRandom) },
    clock: demo.clock,
    transport: demo.transport,
    schemaLimits: demo.schemaLimits,
    telemetry: demo.telemetry,
    studio: readStudioFiles(),
    logger: log,
  })
  closing.push((deadline) => sluice.stop(deadline.left()))
  const end = await demo.play(sluice, new Progress(process.stderr), signal)
  closing.push(async () => end())
  if (signal.aborted) return
  const { main } = await listenAll(sluice, flags, log, closing)
  closing.push(async () => sluice.endTaps())
  printLine(`\nServing a demonstration on http://${flags.host}:${main}: a made-up shop; nothing is sent to anyone.`)
  // Its tokens are known to no one, and a log that has the link gives away a made-up shop only.
  printLine(await studioLine(sluice, flags, main, true))
  await new Promise<void>((done) => {
    if (signal.aborted) done()
    signal.addEventListener('abort', () => done(), { once: true })
  })
}
