import { describe, expect, it } from 'vitest'
import { createKeyedQueue } from './keyed-queue.ts'

describe('a keyed queue', () => {
  it('runs the work of one key in order, one at a time, even when it fails', async () => {
    const queue = createKeyedQueue(10)
    const steps: string[] = []
    const work = (name: string) => async () => {
      steps.push(`${name} begins`)
      await Promise.resolve()
      steps.push(`${name} ends`)
      if (name === 'a') throw new Error('a failed')
      return name
    }
    const results = await Promise.allSettled([queue.run('k', work('a')), queue.run('k', work('b'))])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
    expect(steps).toEqual(['a begins', 'a ends', 'b begins', 'b ends'])
  })
  it('runs the work of different keys independently', async () => {
    const queue = createKeyedQueue(1)
    let release = (): void => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const held = queue.run('a', () => gate)
    expect(await queue.run('b', async () => 'done')).toBe('done')
    release()
    await held
  })
  it('is full for a key with the most calls allowed, until one of them ends', async () => {
    const queue = createKeyedQueue(1)
    expect(queue.isFull('k')).toBe(false)
    const first = queue.run('k', async () => 1)
    expect(queue.isFull('k')).toBe(true)
    expect(queue.isFull('l')).toBe(false)
    expect(await first).toBe(1)
    expect(queue.isFull('k')).toBe(false)
  })
})
