import { describe, expect, it } from 'vitest'
import { MainTurns } from './main-turns.ts'

/** Holds the thread, as a stage that maps a batch does. */
function hold(milliseconds: number): void {
  for (const end = performance.now() + milliseconds; performance.now() < end; );
}

describe('turns on the main thread', () => {
  it('a workspace with a hundred batches delays another one by a turn or two, not by a hundred', async () => {
    const turns = new MainTurns()
    const started: string[] = []
    const work = (workspaceId: string) =>
      turns.run(workspaceId, async () => {
        started.push(workspaceId)
        hold(6)
      })
    const flood = Array.from({ length: 100 }, () => work('a'))
    await work('b')
    // One of the other had begun.
    expect(started).toEqual(['a', 'b'])
    await Promise.all(flood)
    expect(started.length).toBe(101)
  })

  it('the event loop turns between slices', async () => {
    const turns = new MainTurns()
    let ticks = 0
    const ticking = setInterval(() => {
      ticks += 1
    }, 1)
    await Promise.all(Array.from({ length: 20 }, () => turns.run('a', async () => hold(5))))
    clearInterval(ticking)
    expect(ticks).toBeGreaterThan(8)
  })

  it('work that can wait continues when the thread has time to spare', async () => {
    const turns = new MainTurns()
    await turns.spare()
    let started = 0
    // Few and short, so that a busy machine ends them within the longest wait.
    const work = Array.from({ length: 3 }, () =>
      turns.run('a', async () => {
        started += 1
        hold(4)
      }),
    )
    await turns.spare()
    expect(started).toBe(3)
    await Promise.all(work)
  })

  it('work that can wait continues slowly on a thread that never has time to spare', async () => {
    const turns = new MainTurns()
    let isOver = false
    const busy = (async () => {
      while (!isOver) await turns.run('a', async () => hold(6))
    })()
    await turns.spare()
    isOver = true
    await busy
  })

  it('light work starts at once, and results and failures are those of the work', async () => {
    const turns = new MainTurns()
    let isStarted = false
    const result = turns.run('a', async () => {
      isStarted = true
      return 5
    })
    expect(isStarted).toBe(true)
    expect(await result).toBe(5)
    hold(6)
    await expect(turns.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  })

  it('works on items one by one, in as many turns as they take, and returns the results in order', async () => {
    const turns = new MainTurns()
    const items = Array.from({ length: 12 }, (_, n) => n)
    let atOther = -1
    let done = 0
    const made = turns.each('a', items, (n) => {
      hold(2)
      done += 1
      return n * 2
    })
    await turns.run('b', async () => {
      atOther = done
    })
    expect(await made).toEqual(items.map((n) => n * 2))
    // The other workspace waited for an item or two, not for all.
    expect(atOther).toBeLessThan(4)
    expect(await turns.each('a', [], () => 1)).toEqual([])
  })
})
