import { performance } from 'node:perf_hooks'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Milliseconds between two looks at the heap. */
const everyMs = 10_000
/** Growth of the heap, in bytes, after which its garbage is worth a collection: V8 keeps that much for a long time. */
const growthBytes = 96 * 1_024 * 1_024
/** Share of the time in which the event loop may be busy: a collection stops it for about 0.1 s. */
const busyMax = 0.2
/** Collections after each other: V8 returns the pages that the first one emptied in the next ones. */
const collections = 3

/** What is looked at, and how garbage is collected. */
interface HeapPort {
  /** Size of the heap in bytes, garbage and empty pages included. */
  size(): number
  /** Share of the time since the last call in which the event loop was busy, 0 to 1. */
  busy(): number
  collect(): void
}

/**
 * Decides when to collect garbage: when the heap has grown since the last collection, and there is little to do. After a
 * flood of events, V8 would keep the memory of the flood until events have made as much garbage again.
 * @returns a function to be called every so often.
 */
export function createMemoryReturn(heap: HeapPort): () => void {
  let before = heap.size()
  let left = 0
  return () => {
    const isIdle = heap.busy() <= busyMax
    if (left === 0 && heap.size() - before >= growthBytes) left = collections
    if (left === 0 || !isIdle) return
    heap.collect()
    left -= 1
    before = heap.size()
  }
}

/** Starts to return memory of this process. @returns a function that ends it. */
export function startMemoryReturn(): () => void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  let last = performance.eventLoopUtilization()
  const look = createMemoryReturn({
    size: () => getHeapStatistics().total_heap_size,
    busy: () => {
      const now = performance.eventLoopUtilization()
      const { utilization } = performance.eventLoopUtilization(now, last)
      last = now
      return utilization
    },
    collect,
  })
  const timer = setInterval(look, everyMs).unref()
  return () => clearInterval(timer)
}
