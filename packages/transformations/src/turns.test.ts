import { describe, expect, it } from 'vitest'
import { createTurns } from './turns.ts'

describe('turns', () => {
  it('run the work of one key in order, one at a time, even when it fails', async () => {
    const turns = createTurns(10)
    const steps: string[] = []
    const work = (name: string) => async () => {
      steps.push(`${name} begins`)
      await Promise.resolve()
      steps.push(`${name} ends`)
      if (name === 'a') throw new Error('a failed')
      return name
    }
    const results = await Promise.allSettled([turns.take('k', work('a')), turns.take('k', work('b'))])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
    expect(steps).toEqual(['a begins', 'a ends', 'b begins', 'b ends'])
  })
  it('run the work of different keys independently', async () => {
    const turns = createTurns(1)
    let release = (): void => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const held = turns.take('a', () => gate)
    expect(await turns.take('b', async () => 'done')).toBe('done')
    release()
    await held
  })
  it('refuse work beyond the limit, and accept it again once there is room', async () => {
    const turns = createTurns(1)
    const first = turns.take('k', async () => 1)
    expect(await turns.take('k', async () => 2)).toBeUndefined()
    expect(await first).toBe(1)
    expect(await turns.take('k', async () => 3)).toBe(3)
  })
})
