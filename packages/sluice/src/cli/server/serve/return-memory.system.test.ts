import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
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

  it('frees the garbage of a flood, in a process of its own', () => {
    // Of the build: the heap of this process has what other tests left.
    const built = join(import.meta.dirname, '../../../../dist/cli/server/serve/return-memory.js')
    const program = `
      import { getHeapStatistics } from 'node:v8'
      import { createMemoryReturn } from ${JSON.stringify(pathToFileURL(built).href)}
      const size = () => getHeapStatistics().total_heap_size
      const look = createMemoryReturn({ size, busy: () => 0, collect: () => gc() })
      let flood = Array.from({ length: 1_500_000 }, (_, n) => ({ ['k' + (n % 10)]: ['v' + n] }))
      const high = size()
      if (flood.length === 0) throw new Error('there was no flood')
      flood = undefined
      for (let n = 0; n < 4; n += 1) look()
      process.stdout.write(JSON.stringify({ high, low: size() }))`
    const args = ['--expose-gc', '--input-type=module', '-e', program]
    const { high, low } = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', timeout: 30_000 }))
    expect(low).toBeLessThan(high - 96 * megabyte)
  })
})
