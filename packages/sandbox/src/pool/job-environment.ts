import { type Clock, createSeededRandom, type Random, systemClock, systemRandom } from '@sluice/core'
import type { RunEnvironment } from '../run-environment.ts'

/**
 * Clock and randomness of the run in progress in a machine. A machine runs one batch at a time, and each batch has its
 * own. If a time is given, it does not advance during the run.
 */
export class JobEnvironment implements Clock, Random {
  #nowMs: number | undefined
  #random: Random = systemRandom

  use({ nowMs, seed }: RunEnvironment): void {
    this.#nowMs = nowMs
    this.#random = seed === undefined ? systemRandom : createSeededRandom(seed)
  }

  now(): number {
    return this.#nowMs ?? systemClock.now()
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return systemClock.sleep(milliseconds, signal)
  }

  fill(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    return this.#random.fill(bytes)
  }
}
