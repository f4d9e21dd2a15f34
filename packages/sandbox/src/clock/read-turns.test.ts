import { describe, expect, it } from 'vitest'
import { readTurns } from './read-turns.ts'

/** Blocks the thread. */
function work(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

describe('the share of a turn of the event loop', () => {
  it('is spent after some ms, and available again in a later turn', async () => {
    await readTurns.next()
    expect(readTurns.isSpent()).toBe(false)
    work(12)
    expect(readTurns.isSpent()).toBe(true)
    await readTurns.next()
    expect(readTurns.isSpent()).toBe(false)
  })
  it('goes to one waiting reader per turn, in order', async () => {
    const order: string[] = []
    let turns = 0
    let isOver = false
    const count = (): void => {
      turns += 1
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    const run = async (name: string): Promise<void> => {
      for (let part = 0; part < 3; part += 1) {
        if (readTurns.isSpent()) await readTurns.next()
        order.push(name)
        work(9)
      }
    }
    await Promise.all([run('a'), run('b')])
    isOver = true
    expect(order.filter((name) => name === 'b')).toHaveLength(3)
    expect(order.indexOf('b')).toBeLessThan(3)
    // Each part except the first ran in a turn of its own.
    expect(turns).toBeGreaterThanOrEqual(4)
  })
})
