import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import type { SandboxOptions } from '@sluice/sandbox'
import { shownPath } from '@sluice/testing'
import type { Reporter, TestModule } from 'vitest/node'
import type { NotRun } from './not-run.ts'

/** Settings for running test files. */
export interface VitestSetup {
  /** Runs only tests with this text in their name. */
  readonly filter?: string
  /** Stops at the first failure. */
  readonly bail: boolean
  /** Updates snapshots. */
  readonly update: boolean
  /** Sends requests without a recording to the network, and records the replies. */
  readonly record: boolean
  /** Same settings as for cases in folders. */
  readonly sandbox: SandboxOptions
  /** Folder for the counts of each process; see coverage-run.ts. */
  readonly coverageFolder?: string
  /** Prints nothing; the caller prints the result. */
  readonly quiet: boolean
  /** Ends the run early. Tests that do not stop within two seconds are ended with their process. */
  readonly signal?: AbortSignal
}

export interface VitestTest {
  /** Absolute path. */
  readonly file: string
  readonly name: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  readonly timeMs: number
  /** For a failed test: error and diff, without colours. */
  readonly message?: string
}

export interface VitestOutcome {
  readonly tests: readonly VitestTest[]
  /** Files of projects without vitest, and files excluded by its configuration. */
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
    const loaded = await loadVitest(root)
    if (setup.signal?.aborted) break
    if (loaded === undefined) {
      notRun.push(...withoutVitest(root, own))
      continue
    }
    const reporter = collectingReporter((ran) => tests.push(...ran))
    try {
      await runOnce(
        loaded,
        own,
        { ...optionsOf(root, setup), reporters: setup.quiet ? [reporter] : ['default', reporter] },
        setup.signal,
      )
    } catch (error) {
      notRun.push(...notStarted(own, error))
      continue
    }
    if (setup.signal?.aborted) break
    // After a failure with --bail, the other files are expected to be missing.
    const left = setup.bail ? [] : own.filter((file) => tests.every((test) => test.file !== file))
    const reason = 'the configuration of vitest excludes it (include, exclude)'
    notRun.push(...left.map((file) => ({ file, reason })))
    if (setup.bail && tests.some(({ outcome }) => outcome === 'failed')) break
  }
  return { tests, notRun }
}

const signals = ['SIGINT', 'SIGTERM'] as const

/** Creates a vitest that neither reads keys nor handles signals, because the caller does, and runs files once. */
async function runOnce(
  { createVitest }: typeof import('vitest/node'),
  files: readonly string[],
  options: ReturnType<typeof optionsOf> & { readonly reporters: ('default' | Reporter)[] },
  signal: AbortSignal | undefined,
): Promise<void> {
  const before = new Set(signals.flatMap((name) => process.listeners(name)))
  const vitest = await createVitest('test', { ...options, run: true, watch: false }, { plugins: [patience] })
  if (signal !== undefined)
    for (const name of signals)
      for (const listener of process.listeners(name)) if (!before.has(listener)) process.off(name, listener)
  const ended = vitest.start([...files]).then(() => vitest.close())
  if (signal === undefined) return ended
  // It may end in an error after it was stopped.
  ended.catch(() => {})
  const stopped = new Promise<void>((resolve) => {
    const stop = (): void => {
      void vitest.cancelCurrentRun('keyboard-input')
      void wait(endMsMax, undefined, { ref: false }).then(resolve)
    }
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
  })
  await Promise.race([ended, stopped])
  if (signal.aborted) await Promise.race([vitest.close(), wait(endMsMax, undefined, { ref: false })])
}

/**
 * Gives tests more time where the configuration of a project sets none. The first test of a process starts the engine: a
 * second of processor time, which on a busy machine lasts longer than the five seconds that vitest allows by default.
 */
const patience = {
  name: 'sluice-patience',
  config: ({ test }: { readonly test?: { readonly testTimeout?: number } }) =>
    test?.testTimeout === undefined ? { test: { testTimeout: 30_000 } } : undefined,
}

/** Longest wait for a test that does not stop. */
const endMsMax = 2_000

/** Returns the test files of a project without vitest, with the reason. */
function withoutVitest(root: string, files: readonly string[]): readonly NotRun[] {
  const where = shownPath(process.cwd(), root) || '.'
  return files.map((file) => ({
    file,
    reason: `a test for vitest, which is not installed in ${where}; npm install there, or npm install -D vitest`,
  }))
}

/** Returns test files whose vitest failed to start, most often because of its configuration. */
function notStarted(files: readonly string[], error: unknown): readonly NotRun[] {
  const message = stripVTControlCharacters(error instanceof Error ? error.message : String(error))
  return files.map((file) => ({ file, reason: `vitest could not be started: ${message.split('\n', 1)[0]}` }))
}

/** Groups files by the nearest folder with a package.json, where vitest and its configuration are. */
export function byRoot(files: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const roots = new Map<string, string[]>()
  for (const file of files) {
    let root = dirname(file)
    while (!existsSync(join(root, 'package.json')) && root !== dirname(root)) root = dirname(root)
    const own = existsSync(join(root, 'package.json')) ? root : process.cwd()
    roots.set(own, [...(roots.get(own) ?? []), file])
  }
  return roots
}

/** Returns the options with which vitest runs test files of a project. */
function optionsOf(root: string, { filter, bail, update, record, coverageFolder, sandbox }: VitestSetup) {
  return {
    root,
    update,
    bail: bail ? 1 : undefined,
    testNamePattern: filter !== undefined ? escaped(filter) : undefined,
    // In parallel, two files could write the same recordings.
    fileParallelism: record ? false : undefined,
    // Hides our own stack frames.
    onStackTrace: (_error: unknown, { file }: { readonly file: string }): boolean => !ownFrame.test(file),
    env: {
      SLUICE_PROJECT: root,
      SLUICE_SANDBOX: JSON.stringify(sandbox),
      SLUICE_RECORD: record ? '1' : undefined,
      SLUICE_COVERAGE_FOLDER: coverageFolder,
    },
  }
}

const ownFrame = /[\\/]@sluice[\\/]testing[\\/]/

/** Loads the vitest installed in a project; undefined when there is none. */
async function loadVitest(root: string): Promise<typeof import('vitest/node') | undefined> {
  let entry: string
  try {
    entry = createRequire(join(root, 'package.json')).resolve('vitest/node')
  } catch {
    return undefined
  }
  return import(pathToFileURL(entry).href)
}

function collectingReporter(onEnd: (tests: readonly VitestTest[]) => void): Reporter {
  return {
    onTestRunEnd(modules: readonly TestModule[], unhandled) {
      const tests = modules.flatMap((module) => testsOf(module))
      const errors = unhandled.map(({ message }) => failure('', 'an error outside of tests', message))
      onEnd([...tests, ...errors])
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
    if (outcome !== 'failed') return about
    const texts = (errors ?? []).flatMap(({ message, diff }) => (diff === undefined ? [message] : [message, '', diff]))
    return { ...about, message: stripVTControlCharacters(texts.join('\n')) }
  })
  return [...loading, ...tests]
}

function failure(file: string, name: string, message: string): VitestTest {
  return { file, name, outcome: 'failed', timeMs: 0, message: stripVTControlCharacters(message) }
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
