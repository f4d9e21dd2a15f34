import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OutputBudget, type OutputShare } from './output-budget.ts'

const live = new AbortController().signal
const mebibyte = 1024 * 1024
/** More than a batch can become, so that its size is known in advance: 32 MiB. */
const many = 200

/** Whether a line may begin a batch now. The batch ends at once, unless it `stays`. */
async function enters(line: OutputShare, stays = false): Promise<boolean> {
  const asked = new AbortController()
  const entered = line.enter(many, asked.signal).then(
    (leave) => {
      if (!stays) leave()
      return true
    },
    () => false,
  )
  await Promise.resolve()
  asked.abort()
  return entered
}

describe('the budget of what user code made', () => {
  it('lets a line wait until destinations have taken what others made', async () => {
    const budget = new OutputBudget(64 * mebibyte)
    const [first, second, third] = [budget.share('a'), budget.share('a'), budget.share('a')]
    const leaving = [await first.enter(many, live), await second.enter(many, live)]
    expect(await enters(third)).toBe(false)
    let isIn = false
    const entering = third.enter(many, live).then((leave) => {
      leaving.push(leave)
      isIn = true
    })
    first.made(20 * mebibyte)
    await Promise.resolve()
    expect(isIn).toBe(false)
    second.made(0)
    await entering
    for (const leave of leaving) leave()
    expect(await enters(first)).toBe(true)
  })

  it('counts what is left of a batch no longer once that batch has ended, though the next of its line is under way', async () => {
    const budget = new OutputBudget(64 * mebibyte)
    const line = budget.share('a')
    let leave = await line.enter(many, live)
    for (let n = 0; n < 10; n += 1) {
      line.made(20 * mebibyte)
      const leaveNext = await line.enter(many, live)
      leave()
      leave = leaveNext
    }
    leave()
    expect(await enters(line)).toBe(true)
  })

  it('keeps room for each workspace, whatever another one holds', async () => {
    const budget = new OutputBudget(128 * mebibyte)
    const theirs = Array.from({ length: 20 }, () => budget.share('a'))
    const mine = budget.share('b')
    const entered = await Promise.all(theirs.map((line) => enters(line, true)))
    expect(entered.filter(Boolean).length).toBeLessThanOrEqual(4)
    expect(await enters(mine)).toBe(true)
  })

  it('stops waiting when the pipeline stops', async () => {
    const budget = new OutputBudget(32 * mebibyte)
    const line = budget.share('a')
    const leave = await line.enter(many, live)
    const stopping = new AbortController()
    const waiting = budget.share('a').enter(many, stopping.signal)
    stopping.abort(new Error('the pipeline is stopping'))
    await expect(waiting).rejects.toThrow('the pipeline is stopping')
    leave()
    expect(await enters(line)).toBe(true)
  })

  it('ends empty, and everybody had a turn, whatever was made in whatever order', async () => {
    const batch = fc.record({ line: fc.nat(7), events: fc.integer({ min: 1, max: 200 }), made: fc.nat(40 * mebibyte) })
    await fc.assert(
      fc.asyncProperty(fc.array(batch, { maxLength: 60 }), async (batches) => {
        const budget = new OutputBudget(48 * mebibyte)
        const lines = Array.from({ length: 8 }, (_, n) => budget.share(`w${n % 3}`))
        await Promise.all(
          batches.map(async ({ line, events, made }) => {
            const outputs = lines[line] ?? budget.share('w0')
            const leave = await outputs.enter(events, live)
            await Promise.resolve()
            outputs.made(made)
            await Promise.resolve()
            leave()
          }),
        )
        for (const line of lines) expect(await enters(line)).toBe(true)
      }),
    )
  })
})
