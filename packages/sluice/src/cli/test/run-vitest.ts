import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Reporter, TestModule, TestRunEndReason } from 'vitest/node'
import { CliError } from '../cli-error.ts'

/** What is run, and how. */
export interface VitestRun {
  /** Folder of the project, whose vitest is used. */
  readonly root: string
  /** Absolute paths. */
  readonly files: readonly string[]
  /** Only tests with this text in their name. */
  readonly filter?: string
  /** Stops with the first failure. */
  readonly bail: boolean
  /** Writes snapshots anew. */
  readonly update: boolean
  /** Asks the network for what is not recorded, and records it. */
  readonly record: boolean
  /** Where each process puts what it has counted; see coverage. */
  readonly coverageFolder?: string
  /** Nothing is printed: whoever asks prints what it gets. */
  readonly quiet: boolean
}

export interface VitestTest {
  /** Relative to the root. */
  readonly file: string
  readonly name: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  readonly timeMs: number
  /** Of one that failed. */
  readonly message?: string
}

/** Told once per run, in watch mode again and again. */
type Told = (tests: readonly VitestTest[]) => void

/** Runs test files once. @throws CliError when the project has no vitest. */
export async function runVitest(run: VitestRun): Promise<readonly VitestTest[]> {
  let told: readonly VitestTest[] = []
  const vitest = await start(run, false, (tests) => {
    told = tests
  })
  await vitest.close()
  return told
}

/** Runs test files now and with every change of theirs, of a transformation or of a library. @returns what ends it. */
export async function watchVitest(run: VitestRun, onRun: Told): Promise<() => Promise<void>> {
  const vitest = await start(run, true, onRun)
  return () => vitest.close()
}

async function start(run: VitestRun, watch: boolean, onRun: Told) {
  const { root, files, filter, bail, update, record, coverageFolder, quiet } = run
  const { startVitest } = await loadVitest(root, files)
  const reporter = collectingReporter(root, onRun)
  return startVitest('test', [...files], {
    root,
    watch,
    run: !watch,
    update,
    ...(bail && { bail: 1 }),
    ...(filter !== undefined && { testNamePattern: escaped(filter) }),
    reporters: quiet ? [reporter] : ['default', reporter],
    // Tests read them as files, which the module graph knows nothing of.
    forceRerunTriggers: ['**/transformations/**', '**/libraries/**'],
    env: {
      ...(record && { SLUICE_RECORD: '1' }),
      ...(coverageFolder !== undefined && { SLUICE_COVERAGE_FOLDER: coverageFolder }),
    },
  })
}

async function loadVitest(root: string, files: readonly string[]): Promise<typeof import('vitest/node')> {
  let entry: string
  try {
    entry = createRequire(join(root, 'package.json')).resolve('vitest/node')
  } catch {
    const [first = ''] = files
    throw new CliError(
      `${relative(root, first)} is a test for vitest, which ${root} does not have; npm install -D vitest`,
    )
  }
  return import(pathToFileURL(entry).href)
}

function collectingReporter(root: string, onRun: Told): Reporter {
  return {
    onTestRunEnd(modules: readonly TestModule[], unhandled, reason: TestRunEndReason) {
      const tests = modules.flatMap((module) => testsOf(root, module))
      const errors = unhandled.map(({ message }) => failure('', 'an error outside of tests', message))
      // In watch mode a run is interrupted by the next one, which tells all.
      if (reason !== 'interrupted') onRun([...tests, ...errors])
    },
  }
}

function testsOf(root: string, module: TestModule): readonly VitestTest[] {
  const file = relative(root, module.moduleId)
  const loading = module.errors().map(({ message }) => failure(file, 'the file could not be run', message))
  const tests = [...module.children.allTests()].map((test): VitestTest => {
    const { state, errors } = test.result()
    const outcome = state === 'pending' ? 'skipped' : state
    const timeMs = test.diagnostic()?.duration ?? 0
    const about = { file, name: test.fullName, outcome, timeMs }
    return outcome === 'failed' ? { ...about, message: (errors ?? []).map(({ message }) => message).join('\n') } : about
  })
  return [...loading, ...tests]
}

function failure(file: string, name: string, message: string): VitestTest {
  return { file, name, outcome: 'failed', timeMs: 0, message }
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
