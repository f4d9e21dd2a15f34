import { memoryUsage } from 'node:process'
import type { SandboxLimits } from '../sandbox-limits.ts'

/** What a thread may take beyond `memoryBytes` while its code runs: garbage that is not collected yet. */
const spareBytes = 192 * 1024 * 1024

/**
 * Finds that the code which blocks a thread takes too much memory. A thread of V8 that reaches the limit of its heap
 * ends the process when it asks for much at once, and buffers do not count there. So the memory of the process is
 * compared with that before the code ran, without what this thread, the main one, has taken meanwhile.
 */
export class ThreadMemory {
  readonly #bytesMax: number
  #before = 0

  constructor({ memoryBytes }: Pick<SandboxLimits, 'memoryBytes'>) {
    this.#bytesMax = memoryBytes + spareBytes
  }

  /** Called while no code blocks the thread. */
  begin(): void {
    this.#before = othersBytes()
  }

  isUsedUp(): boolean {
    return othersBytes() - this.#before > this.#bytesMax
  }
}

/** Returns the bytes of the process that are not this thread's. */
function othersBytes(): number {
  const { rss, heapTotal, external } = memoryUsage()
  return rss - heapTotal - external
}
