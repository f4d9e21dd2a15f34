import { describe, expect, it } from 'vitest'
import { FairTurns } from './fair-turns.ts'

const { signal } = new AbortController()

/** Work that ends when the test says so. */
function held(begun: string[], name: string) {
  let end = (): void => {}
  const work = () =>
    new Promise<string>((resolve) => {
      begun.push(name)
      end = () => resolve(name)
    })
  return { work, end: () => end() }
}

describe('turns of owners', () => {
  it('leave some to others while those of one owner never end', async () => {
    const turns = new FairTurns({ turnsMax: 3, turnsPerOwnerMax: 2 })
    const begun: string[] = []
    const all = ['a1', 'a2', 'a3', 'b1', 'c1'].map((name) => held(begun, name))
    const done = all.map(({ work }, n) => turns.run('aaabc'[n] ?? '', signal, work))
    await Promise.resolve()
    expect(begun).toEqual(['a1', 'a2', 'b1'])
    all[3]?.end()
    expect(await done[3]).toBe('b1')
    await Promise.resolve()
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1'])
    all[0]?.end()
    await done[0]
    await Promise.resolve()
    expect(begun.at(-1)).toBe('a3')
  })

  it('are given up while they wait, and free for the next when their work fails', async () => {
    const turns = new FairTurns({ turnsMax: 1, turnsPerOwnerMax: 1, waitingPerOwnerMax: 1 })
    const begun: string[] = []
    const first = held(begun, 'first')
    const running = turns.run('a', signal, first.work)
    const giveUp = new AbortController()
    const waiting = turns.run('a', giveUp.signal, async () => 'never')
    await expect(turns.run('a', signal, async () => 'never')).rejects.toThrow('Too many tasks of a wait for a turn')
    giveUp.abort(new Error('given up'))
    await expect(waiting).rejects.toThrow('given up')
    await expect(turns.run('a', giveUp.signal, async () => 'never')).rejects.toThrow('given up')
    const failing = turns.run('a', signal, () => Promise.reject(new Error('failed')))
    first.end()
    await expect(failing).rejects.toThrow('failed')
    expect([await running, await turns.run('a', signal, async () => 'next')]).toEqual(['first', 'next'])
  })
})
