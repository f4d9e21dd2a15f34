import { GCProfiler } from 'node:v8'

/** What was allocated on the heap of this thread: what each collection found, beyond what the one before had left. */
export class Allocations {
  readonly #profiler = new GCProfiler()
  readonly #before = process.memoryUsage().heapUsed

  constructor() {
    this.#profiler.start()
  }

  end(): number {
    let left = this.#before
    let bytes = 0
    for (const { beforeGC, afterGC } of this.#profiler.stop().statistics) {
      bytes += beforeGC.heapStatistics.usedHeapSize - left
      left = afterGC.heapStatistics.usedHeapSize
    }
    return bytes + process.memoryUsage().heapUsed - left
  }
}
