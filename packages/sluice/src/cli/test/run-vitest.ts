import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { shownPath } from '@sluice/testing'
import type { Reporter, TestModule, TestRunEndReason, Vitest } from 'vitest/node'
import type { NotRun } from './outcome.ts'

/** How test files are run. */
export interface VitestSetup {
  /** Only tests with this text in their name. */
  readonly filter?: string
  /** Stops with the first failure. */
  readonly bail: boolean
  /** Writes snapshots anew. */
  readonly update: boolean
  /** Asks the network for what is not recorded, and records it. */
  readonly record: boolean
  /** Where each process puts what it has counted; see coverage-run.ts. */
  readonly coverageFolder?: string
  /** Nothing is printed: whoever asks prints what it gets. */
  readonly quiet: boolean
}

export interface VitestTest {
  /** Absolute path. */
  readonly file: string
  readonly name: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  readonly timeMs: number
  /** Of one that failed. */
  readonly message?: string
}

/** Told once per run, in watch mode again and again. */
type Told = (tests: readonly VitestTest[]) => void

export interface VitestOutcome {
  readonly tests: readonly VitestTest[]
  /** Files of projects without vitest. */
  readonly notRun: readonly NotRun[]
}

/**
 * Runs test files once, each with the vitest of its project.
 * @param files absolute paths.
 */
export async function runVitest(files: readonly string[], setup: VitestSetup): Promise<VitestOutcome> {
  const tests: VitestTest[] = []
  const notRun: NotRun[] = []
  for (const [root, own] of byRoot(files)) {
    const vitest = await start(root, own, setup, false, (ran) => tests.push(...ran))
    if (vitest === undefined) notRun.push(...withoutVitest(root, own))
    await vitest?.close()
  }
  return { tests, notRun }
}

/**
 * Runs test files now and with every change of theirs, of a transformation or of a library.
 * @returns what is not run, and what ends it.
 */
export async function watchVitest(
  files: readonly string[],
  setup: VitestSetup,
  onRun: Told,
): Promise<{ readonly notRun: readonly NotRun[]; end(): Promise<void> }> {
  const watching: Vitest[] = []
  const notRun: NotRun[] = []
  for (const [root, own] of byRoot(files)) {
    const vitest = await start(root, own, setup, true, onRun)
    if (vitest) watching.push(vitest)
    else notRun.push(...withoutVitest(root, own))
  }
  return {
    notRun,
    async end() {
      await Promise.all(watching.map((vitest) => vitest.close()))
    },
  }
}

function withoutVitest(root: string, files: readonly string[]): readonly NotRun[] {
  const where = shownPath(process.cwd(), root) || '.'
  return files.map((file) => ({
    file,
    reason: `a test for vitest, which is not installed in ${where}; npm install -D vitest`,
  }))
}

/** By the nearest folder with a package.json, where vitest and its configuration are. */
function byRoot(files: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const roots = new Map<string, string[]>()
  for (const file of files) {
    let root = dirname(file)
    while (!existsSync(join(root, 'package.json')) && root !== dirname(root)) root = dirname(root)
    const own = existsSync(join(root, 'package.json')) ? root : process.cwd()
    roots.set(own, [...(roots.get(own) ?? []), file])
  }
  return roots
}

async function start(root: string, files: readonly string[], setup: VitestSetup, watch: boolean, onRun: Told) {
  const { filter, bail, update, record, coverageFolder, quiet } = setup
  const loaded = await loadVitest(root)
  if (loaded === undefined) return undefined
  const reporter = collectingReporter(onRun)
  return loaded.startVitest('test', [...files], {
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

async function loadVitest(root: string): Promise<typeof import('vitest/node') | undefined> {
  let entry: string
  try {
    entry = createRequire(join(root, 'package.json')).resolve('vitest/node')
  } catch {
    return undefined
  }
  return import(pathToFileURL(entry).href)
}

function collectingReporter(onRun: Told): Reporter {
  return {
    onTestRunEnd(modules: readonly TestModule[], unhandled, reason: TestRunEndReason) {
      const tests = modules.flatMap((module) => testsOf(module))
      const errors = unhandled.map(({ message }) => failure('', 'an error outside of tests', message))
      // In watch mode a run is interrupted by the next one, which tells all.
      if (reason !== 'interrupted') onRun([...tests, ...errors])
    },
  }
}

function testsOf(module: TestModule): readonly VitestTest[] {
  const file = module.moduleId
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
