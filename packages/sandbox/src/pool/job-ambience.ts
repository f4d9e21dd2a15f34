import { type Clock, createSeededRandom, type Random, systemClock, systemRandom } from '@sluice/core'
import type { RunAmbience } from './worker-messages.ts'

/** The clock and randomness of the run under way in a machine: it runs one batch at a time, and each has its own. */
export class JobAmbience implements Clock, Random {
  #startedAt = 0
  #nowMs: number | undefined
  #random: Random = systemRandom

  use({ nowMs, seed }: RunAmbience): void {
    this.#startedAt = performance.now()
    this.#nowMs = nowMs
    this.#random = seed === undefined ? systemRandom : createSeededRandom(seed)
  }

  now(): number {
    return this.#nowMs === undefined ? systemClock.now() : this.#nowMs + performance.now() - this.#startedAt
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return systemClock.sleep(milliseconds, signal)
  }

  fill(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    return this.#random.fill(bytes)
  }
}
