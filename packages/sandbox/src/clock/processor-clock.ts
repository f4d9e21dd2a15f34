import type { RunClock } from './run-clock.ts'

/** Age of the last look at the processor time of the thread at which `start` looks again, in milliseconds. */
const lookMs = 10

/**
 * A clock that leaves out time in which the thread had no processor: code of users is not to be ended because a machine
 * has other work. Looking at the processor time costs some microseconds, so it is done every 10 ms at most, and when a
 * limit seems to be reached. So up to 10 ms more than the limit may pass.
 */
export class ProcessorClock implements RunClock {
  readonly #wallNow: () => number
  readonly #cpuNow: () => number
  #wall: number
  #cpu: number
  /** Time without a processor that was found so far. */
  #lost = 0

  /** @param cpuNow processor time of this thread, in milliseconds. */
  constructor(cpuNow: () => number, wallNow: () => number = () => performance.now()) {
    this.#wallNow = wallNow
    this.#cpuNow = cpuNow
    this.#wall = wallNow()
    this.#cpu = cpuNow()
  }

  now(): number {
    return this.#wallNow() - this.#lost
  }

  start(): number {
    const wall = this.#wallNow()
    if (wall - this.#wall > lookMs) {
      this.#wall = wall
      this.#cpu = this.#cpuNow()
    }
    return wall - this.#lost
  }

  settle(): void {
    const wall = this.#wallNow()
    const cpu = this.#cpuNow()
    this.#lost += Math.max(0, wall - this.#wall - (cpu - this.#cpu))
    this.#wall = wall
    this.#cpu = cpu
  }

  tick(): void {}
}
