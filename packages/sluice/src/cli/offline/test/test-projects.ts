import { writeFile } from 'node:fs/promises'
import {
  type CaseReport,
  type CaseSetup,
  checkLibraries,
  createOfflineRunner,
  type LibraryReport,
  ProjectError,
  runProject,
} from '@sluice/testing'
import colors from 'picocolors'
import { CliError } from '../../cli-error.ts'
import { type CredentialFlags, credentialsOf } from '../../flags/credential-flags.ts'
import type { DestinationFlags } from '../../flags/destination-flags.ts'
import { networkOf, type SandboxFlags, sandboxOptionsOf } from '../../flags/sandbox-flags.ts'
import { printLine } from '../../terminal/print-line.ts'
import { Progress } from '../../terminal/progress.ts'
import { offlineDestination } from '../offline-destination.ts'
import { type CoverageFlags, wantsCoverage } from './coverage-flags.ts'
import { type Found, findProjects, notRunOf } from './find-projects.ts'
import { jsonReport } from './json-report.ts'
import { junitReport } from './junit-report.ts'
import { runVitest, type VitestSetup, type VitestTest } from './run-vitest.ts'
import { hasPassed, notTestedStatus, type TestOutcome } from './test-outcome.ts'
import { createTextReport, type TextReport } from './text-report.ts'

export interface TestFlags extends SandboxFlags, DestinationFlags, CredentialFlags, CoverageFlags {
  readonly filter?: string
  readonly bail?: true
  readonly update?: true
  readonly record?: true
  readonly watch?: true
  readonly json?: true
  readonly reporter: 'text' | 'json' | 'junit'
  readonly out?: string
}

/** Runs `sluice test`. */
export async function testProjects(paths: readonly string[], flags: TestFlags): Promise<void> {
  try {
    await test(paths, flags)
  } catch (error) {
    const isUserError = error instanceof ProjectError || error instanceof CliError || error instanceof RangeError
    throw isUserError ? new CliError(error.message, notTestedStatus) : error
  }
}

async function test(paths: readonly string[], flags: TestFlags): Promise<void> {
  const reporter = flags.json ? 'json' : flags.reporter
  if (flags.watch && flags.update)
    throw new CliError('--watch with --update would write the output of half-finished edits; leave one of them out')
  if (flags.watch && (reporter !== 'text' || flags.out))
    throw new CliError('--watch prints text only; leave out --json, --reporter and --out')
  if (flags.out !== undefined && reporter === 'text')
    throw new CliError(`--out ${flags.out}: needs --reporter json or junit`)
  const found = await findProjects(paths, flags.filter)
  const destination = await offlineDestination(flags)
  if (flags.watch && wantsCoverage(flags))
    throw new CliError('--watch does not measure coverage; leave one of them out')
  // Without a host, the addresses are only for recording.
  const sandbox = await sandboxOptionsOf(flags.fetchAllow ? flags : { ...flags, fetchAddress: [] })
  const network = networkOf(flags, 'public')
  // Loaded when needed, with a parser of JavaScript.
  const measuring = wantsCoverage(flags) ? await import('./coverage-run.ts') : undefined
  const coverage = await measuring?.startCoverage(flags, sandbox)
  const runner = coverage?.runner ?? (await createOfflineRunner(sandbox))
  for (const { project, isWhole } of found.projects) if (isWhole) await coverage?.include(project)
  const setup: CaseSetup = {
    runner,
    update: flags.update === true,
    record: flags.record === true,
    network,
    credentials: await credentialsOf(flags),
    destination,
  }
  const shown = colors.createColors(process.stdout.isTTY === true && colors.isColorSupported)
  const text = createTextReport(process.cwd(), shown)
  try {
    const vitest: VitestSetup = {
      bail: flags.bail === true,
      update: flags.update === true,
      record: flags.record === true,
      quiet: reporter !== 'text' && flags.out === undefined,
      filter: flags.filter,
      coverageFolder: coverage?.folder,
      sandbox,
    }
    if (flags.watch) {
      const { watchProjects } = await import('./watch-projects.ts')
      return await watchProjects({ paths, setup, vitest, text, filter: flags.filter || undefined })
    }
    const printsText = reporter === 'text' || flags.out !== undefined
    const ran = await runFound(found, setup, { vitest, text: printsText ? text : undefined })
    if (flags.filter !== undefined && ran.cases.length === 0 && ran.notRun.length === 0 && ran.tests.every(isSkipped))
      throw new CliError(`--filter ${flags.filter}: no “transformation / case” and no test of a test file contains it`)
    const outcome = coverage ? { ...ran, coverage: await coverage.end() } : ran
    const report = reporter === 'json' ? jsonReport(outcome, process.cwd()) : junitReport(outcome, process.cwd())
    if (printsText && measuring && outcome.coverage)
      printLine(`\n${measuring.coverageText(outcome.coverage, shown.isColorSupported)}`)
    if (printsText) printLine(text.end(outcome))
    else printLine(report)
    if (flags.out !== undefined)
      await writeFile(flags.out, `${report}\n`).catch((error: Error) => {
        throw new CliError(`--out ${flags.out}: ${error.message}`)
      })
    if (!hasPassed(outcome)) process.exitCode = 1
  } finally {
    await runner.close()
    await coverage?.close()
  }
}

const isSkipped = ({ outcome }: VitestTest): boolean => outcome === 'skipped'

async function runFound(
  { projects, vitestFiles }: Found,
  setup: CaseSetup,
  { vitest, text }: { readonly vitest: VitestSetup; readonly text?: TextReport },
): Promise<TestOutcome> {
  const startedAt = performance.now()
  const cases: CaseReport[] = []
  const libraries: LibraryReport[] = []
  const notRun = [...notRunOf(projects)]
  let tests: readonly VitestTest[] = []
  const total = projects.flatMap(({ project }) => project.transformations.flatMap((each) => each.cases)).length
  // Only when the cases are not printed one by one.
  const progress = text === undefined && process.stderr.isTTY ? new Progress(process.stderr) : undefined
  const outcome = (): TestOutcome => ({ cases, libraries, tests, notRun, timeMs: performance.now() - startedAt })
  for (const { project, libraries: asked } of projects) {
    libraries.push(...(await checkLibraries(project, setup.runner, asked)))
    for await (const report of runProject(project, setup)) {
      cases.push(report)
      if (text) printLine(text.caseLine(report))
      progress?.update(`${cases.length} of ${total} cases`)
      if (!vitest.bail || report.status !== 'failed') continue
      progress?.done('')
      return outcome()
    }
  }
  const ran = await runVitest(vitestFiles, vitest)
  tests = ran.tests
  notRun.push(...ran.notRun)
  progress?.done(`${cases.length} of ${total} cases`)
  return outcome()
}
