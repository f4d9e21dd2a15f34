import { printable, printableLines } from '@sluice/core/printable'
import {
  checkTraffic,
  createOfflineRunner,
  loadFastCheck,
  OfflineLoadError,
  observeTraffic,
  type Project,
  ProjectError,
  saveCounterexample,
  type TrafficReport,
  trafficLaws,
} from '@sluice/testing'
import { CliError } from '../../cli-error.ts'
import { type CredentialFlags, credentialsOf } from '../../flags/credential-flags.ts'
import type { DestinationFlags } from '../../flags/destination-flags.ts'
import { type SandboxFlags, sandboxOptionsOf } from '../../flags/sandbox-flags.ts'
import { readNdjson, requireReadable } from '../../read-ndjson.ts'
import { printLine } from '../../terminal/print-line.ts'
import { offlineDestination } from '../offline-destination.ts'
import { findProjects } from '../test/find-projects.ts'
import { notTestedStatus } from '../test/test-outcome.ts'

export interface TrafficFlags extends SandboxFlags, DestinationFlags, CredentialFlags {
  readonly fromTraffic: string
  readonly runs?: number
  readonly seed?: number
  readonly personal?: readonly string[]
  readonly filter?: string
  readonly json?: true
}

/** A report with the file in which the smallest event was saved, if any. */
interface SavedReport extends TrafficReport {
  readonly savedAs?: string
}

/** Events that are tried for each model and transformation, unless the flag says otherwise. */
const usualRuns = 100

/** Runs `sluice test --from-traffic`. */
export async function testTraffic(paths: readonly string[], flags: TrafficFlags): Promise<void> {
  try {
    await test(paths, flags)
  } catch (error) {
    const isUserError = error instanceof ProjectError || error instanceof CliError || error instanceof OfflineLoadError
    throw isUserError ? new CliError(error.message, notTestedStatus) : error
  }
}

async function test(paths: readonly string[], flags: TrafficFlags): Promise<void> {
  await requireReadable('--from-traffic', flags.fromTraffic)
  const { projects } = await findProjects(paths, flags.filter)
  const personalPaths = flags.personal ?? []
  const models = await observeTraffic(eventsIn(flags.fromTraffic), personalPaths)
  if (models.length === 0)
    throw new CliError(`--from-traffic ${flags.fromTraffic}: it has no events; give a file with one event per line`)
  const destination = await offlineDestination(flags)
  const runner = await createOfflineRunner(await sandboxOptionsOf(flags))
  const reports: SavedReport[] = []
  try {
    const credentials = await credentialsOf(flags)
    const [runs, seed] = [flags.runs ?? usualRuns, flags.seed ?? Date.now() % 2 ** 31]
    for (const { project } of projects) {
      const fc = await loadFastCheck(project.root)
      const setup = { fc, runner, destination, credentials, personalPaths, runs, seed }
      for (const transformation of project.transformations)
        for (const model of models) {
          const report = await checkTraffic(project, transformation, model, setup)
          reports.push(await saved(project, transformation, report))
          if (!flags.json) printLine(reportText(reports.at(-1) ?? report))
        }
    }
  } finally {
    await runner.close()
  }
  if (flags.json) printLine(JSON.stringify({ reports }, null, 2))
  if (reports.length === 0) throw new CliError('there is no transformation to test')
  if (reports.some(({ broken }) => broken !== undefined)) process.exitCode = 1
}

async function* eventsIn(file: string): AsyncGenerator<unknown> {
  for await (const { value } of readNdjson(file)) yield value
}

async function saved(
  project: Project,
  transformation: Project['transformations'][number],
  report: TrafficReport,
): Promise<SavedReport> {
  if (report.broken === undefined || project.layout !== 'folders') return report
  return { ...report, savedAs: await saveCounterexample(project, transformation, report.broken) }
}

function reportText({ transformation, model, runs, recorded, broken, savedAs }: SavedReport): string {
  const head = `${printable(transformation)} / ${printable(model)}`
  const drops =
    recorded.dropped === 0
      ? `none may be dropped, because none of ${recorded.events} recorded ones was`
      : `drops are not checked, because ${recorded.dropped} of ${recorded.events} recorded ones were dropped`
  if (broken === undefined) return `ok      ${head}: ${runs} runs; ${drops}`
  return [
    `broken  ${head}: ${broken.law}`,
    `        ${trafficLaws[broken.law]}; ${drops}`,
    ...printableLines(broken.reason)
      .split('\n')
      .map((line) => `        ${line}`),
    `        ${printable(JSON.stringify(broken.event))}`,
    `        again: --seed ${broken.seed}, path ${broken.path}`,
    ...(savedAs === undefined ? [] : [`        saved as ${printable(savedAs)}`]),
  ].join('\n')
}
