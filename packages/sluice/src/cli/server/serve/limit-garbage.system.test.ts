import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { heapGrowthPercent } from './limit-garbage.ts'

/** Keeps the newest of many objects, as a queue does, and prints the most bytes that its heap had. */
const program = `
  const { getHeapStatistics, setFlagsFromString } = require('node:v8')
  if (process.argv[1]) setFlagsFromString('--heap-growing-percent=' + process.argv[1])
  const kept = []
  let most = 0
  for (let n = 0; n < 3_000_000; n += 1) {
    kept[n % 200_000] = { n, text: 'x' + n, list: [n, n + 1] }
    if (n % 10_000 === 0) most = Math.max(most, getHeapStatistics().total_heap_size)
  }
  console.log(most)`

it('keeps less garbage in memory than V8 does by itself', () => {
  const most = (...args: readonly string[]) => Number(execFileSync(process.execPath, ['-e', program, ...args]))
  expect(most(String(heapGrowthPercent))).toBeLessThan(0.9 * most())
})
