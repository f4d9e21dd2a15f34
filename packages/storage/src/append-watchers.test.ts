import { describe, expect, it } from 'vitest'
import { createAppendWatchers } from './append-watchers.ts'

const laterTurn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2))

describe('append watchers', () => {
  it('calls a listener in a later turn, once for the appends before it', async () => {
    const watchers = createAppendWatchers(() => {})
    let calls = 0
    watchers.watch('w1', () => {
      calls += 1
    })
    watchers.notify('w1')
    watchers.notify('w1')
    expect(calls).toBe(0)
    await laterTurn()
    expect(calls).toBe(1)
    watchers.notify('w1')
    await laterTurn()
    expect(calls).toBe(2)
  })

  it('reports what a listener throws, and calls the others', async () => {
    const errors: unknown[] = []
    const watchers = createAppendWatchers((error) => errors.push(error))
    const calls: string[] = []
    const failure = new Error('a listener of a test')
    watchers.watch('w1', () => {
      throw failure
    })
    watchers.watch('w1', () => calls.push('second'))
    watchers.notify('w1')
    await laterTurn()
    expect([errors, calls]).toEqual([[failure], ['second']])
  })

  it('does not call a removed listener, or any after clear', async () => {
    const watchers = createAppendWatchers(() => {})
    const calls: string[] = []
    const stop = watchers.watch('w1', () => calls.push('stopped'))
    watchers.watch('w1', () => calls.push('kept'))
    watchers.notify('w1')
    stop()
    await laterTurn()
    watchers.notify('w1')
    watchers.clear()
    await laterTurn()
    expect(calls).toEqual(['kept'])
  })

  it('calls a listener added twice twice, and once after one of the two was removed', async () => {
    const watchers = createAppendWatchers(() => {})
    let calls = 0
    const listener = (): void => {
      calls += 1
    }
    const stop = watchers.watch('w1', listener)
    watchers.watch('w1', listener)
    watchers.notify('w1')
    await laterTurn()
    stop()
    watchers.notify('w1')
    await laterTurn()
    expect(calls).toBe(3)
  })
})
