import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { createMemoryReturn } from './return-memory.ts'

const megabyte = 1_024 ** 2

function heapOf() {
  const heap = { bytes: 50 * megabyte, busy: 0, collected: 0 }
  const look = createMemoryReturn({
    size: () => heap.bytes,
    busy: () => heap.busy,
    collect: () => {
      heap.collected += 1
      heap.bytes = Math.max(50 * megabyte, heap.bytes / 2)
    },
  })
  return { heap, look }
}

describe('returning memory', () => {
  it('collects nothing while the heap stays about as large', () => {
    const { heap, look } = heapOf()
    heap.bytes += 90 * megabyte
    for (let n = 0; n < 10; n += 1) look()
    expect(heap.collected).toBe(0)
  })

  it('collects three times after the heap has grown, when there is little to do, and then no more', () => {
    const { heap, look } = heapOf()
    heap.bytes += 400 * megabyte
    heap.busy = 0.9
    for (let n = 0; n < 10; n += 1) look()
    expect(heap.collected).toBe(0)
    heap.busy = 0.01
    for (let n = 0; n < 10; n += 1) look()
    expect([heap.collected, heap.bytes]).toEqual([3, (450 * megabyte) / 8])
  })

  it('frees the garbage of a flood in this very process', () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    collect()
    const look = createMemoryReturn({ size: () => getHeapStatistics().total_heap_size, busy: () => 0, collect })
    let flood: unknown[] | undefined = Array.from({ length: 1_500_000 }, (_, n) => ({ [`k${n % 10}`]: [`v${n}`] }))
    const high = getHeapStatistics().total_heap_size
    expect(flood.length).toBeGreaterThan(0)
    flood = undefined
    for (let n = 0; n < 4; n += 1) look()
    expect(getHeapStatistics().total_heap_size).toBeLessThan(high - 96 * megabyte)
  })
})
