import { setTimeout as wait } from 'node:timers/promises'
import type { Vitest } from 'vitest/node'
import { printLine } from '../../terminal/print-line.ts'
import type { NotRun } from './not-run.ts'
import { byRoot, loadVitest, notStarted, optionsOf, type VitestSetup, withoutVitest } from './run-vitest.ts'

/** Longest wait for a test that does not stop. */
const endMsMax = 2_000
const signals = ['SIGINT', 'SIGTERM'] as const

export interface WatchedVitest {
  /** Files of projects without vitest, or whose vitest does not start. */
  readonly notRun: readonly NotRun[]
  end(): Promise<void>
}

/**
 * Runs test files now, and after every change of a test file, transformation or library. Vitest prints the results.
 * @param onRun called after every run.
 * @returns the files not run, and a function that ends the watch, after the first run has ended or was aborted.
 */
export async function watchVitest(
  files: readonly string[],
  setup: VitestSetup,
  stopping: AbortSignal,
  onRun: () => void,
): Promise<WatchedVitest> {
  const watching: Vitest[] = []
  const notRun: NotRun[] = []
  for (const [root, own] of byRoot(files)) {
    if (stopping.aborted) break
    const loaded = await loadVitest(root)
    if (loaded === undefined) {
      notRun.push(...withoutVitest(root, own))
      continue
    }
    const vitest = await create(loaded, optionsOf(root, setup), onRun).catch((error: unknown) => {
      notRun.push(...notStarted(own, error))
    })
    if (vitest === undefined) continue
    watching.push(vitest)
    await firstRun(vitest, own, stopping)
  }
  return {
    notRun,
    async end() {
      await Promise.all(watching.map((vitest) => end(vitest)))
    },
  }
}

/**
 * Creates a watching vitest without its usual start-up, which reads keys from the terminal, so that Ctrl-C would no
 * longer be a signal, and clears the screen with the results of the cases.
 */
async function create(
  { createVitest, DefaultReporter }: typeof import('vitest/node'),
  base: ReturnType<typeof optionsOf>,
  onRun: () => void,
): Promise<Vitest> {
  class WatchReporter extends DefaultReporter {
    /** Replaces the list of keys. */
    override onWatcherStart(): void {
      onRun()
    }
  }
  const before = new Set(signals.flatMap((signal) => process.listeners(signal)))
  const options = { ...base, watch: true, reporters: [new WatchReporter()] }
  const vitest = await createVitest('test', options, { clearScreen: false })
  // The caller handles signals; vitest would end the whole process.
  for (const signal of signals)
    for (const listener of process.listeners(signal)) if (!before.has(listener)) process.off(signal, listener)
  return vitest
}

async function firstRun(vitest: Vitest, files: readonly string[], stopping: AbortSignal): Promise<void> {
  const stopped = new Promise<void>((resolve) => {
    stopping.addEventListener(
      'abort',
      () => {
        void vitest.cancelCurrentRun('keyboard-input')
        void wait(endMsMax, undefined, { ref: false }).then(resolve)
      },
      { once: true },
    )
  })
  const ran = vitest.start([...files]).catch((error: unknown) => {
    printLine(error instanceof Error ? error.message : String(error))
  })
  await Promise.race([ran, stopped])
}

async function end(vitest: Vitest): Promise<void> {
  await vitest.cancelCurrentRun('keyboard-input')
  await Promise.race([vitest.close(), wait(endMsMax, undefined, { ref: false })])
}
