import { expect } from 'vitest'

declare module 'vitest' {
  interface Matchers<T> {
    /**
     * Runs a function, and passes when it takes at most so many milliseconds of processor time. Time in which the machine does
     * something else does not count, so a bound of ten times what was measured holds on a busy machine, too. For algorithms
     * that are a thousand times slower when they are wrong: a small factor is the matter of a bench.
     */
    toCostAtMost(cpuMs: number): T
  }
}

expect.extend({
  toCostAtMost(run: () => unknown, cpuMs: number) {
    const began = process.cpuUsage()
    run()
    const { user, system } = process.cpuUsage(began)
    const took = (user + system) / 1_000
    return {
      pass: took <= cpuMs,
      message: () => `expected at most ${cpuMs} ms of processor time, got ${took.toFixed(0)}`,
    }
  },
})
