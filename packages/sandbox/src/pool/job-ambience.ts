import { type Clock, createSeededRandom, type Random, systemClock, systemRandom } from '@sluice/core'
import type { RunAmbience } from './worker-messages.ts'

/** The clock and randomness of the run under way in a machine: it runs one batch at a time, and each has its own. A clock that was given stands still for it. */
export class JobAmbience implements Clock, Random {
  #nowMs: number | undefined
  #random: Random = systemRandom

  use({ nowMs, seed }: RunAmbience): void {
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
