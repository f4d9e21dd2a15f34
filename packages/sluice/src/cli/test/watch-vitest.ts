import { setTimeout as wait } from 'node:timers/promises'
import type { Vitest } from 'vitest/node'
import { say } from '../say.ts'
import type { NotRun } from './outcome.ts'
import { byRoot, loadVitest, notStarted, optionsOf, type VitestSetup, withoutVitest } from './run-vitest.ts'

/** A test that does not listen is not waited for longer than this. */
const endMsMax = 2_000
const signals = ['SIGINT', 'SIGTERM'] as const

export interface WatchedVitest {
  /** Files of projects without vitest, or whose vitest does not start. */
  readonly notRun: readonly NotRun[]
  end(): Promise<void>
}

/**
 * Runs test files now and with every change of theirs, of a transformation or of a library; vitest tells how they went.
 * @param onRun called after every run.
 * @returns what is not run, and what ends it; the first run is over by then, or was aborted.
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
 * Not by vitest's own start for watching: that reads keys from the terminal, so that Ctrl-C would be no signal any more,
 * and clears the screen, with what was told of the cases.
 */
async function create(
  { createVitest, DefaultReporter }: typeof import('vitest/node'),
  base: ReturnType<typeof optionsOf>,
  onRun: () => void,
): Promise<Vitest> {
  class WatchReporter extends DefaultReporter {
    /** In the place of what names keys. */
    override onWatcherStart(): void {
      onRun()
    }
  }
  const before = new Set(signals.flatMap((signal) => process.listeners(signal)))
  const options = { ...base, watch: true, reporters: [new WatchReporter()] }
  const vitest = await createVitest('test', options, { clearScreen: false })
  // Whoever asked ends it; vitest would end the whole process.
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
    say(error instanceof Error ? error.message : String(error))
  })
  await Promise.race([ran, stopped])
}

async function end(vitest: Vitest): Promise<void> {
  await vitest.cancelCurrentRun('keyboard-input')
  await Promise.race([vitest.close(), wait(endMsMax, undefined, { ref: false })])
}
