import { describe, expect, it } from 'vitest'
import { createManualClock, systemClock } from './clock.ts'

describe('the manual clock', () => {
  it('wakes sleepers in the order of their times, never early', async () => {
    const clock = createManualClock(0)
    const woken: number[] = []
    const sleepers = [30, 10, 20].map((ms) => clock.sleep(ms).then(() => woken.push(ms)))
    clock.advance(20)
    await Promise.all([sleepers[1], sleepers[2]])
    expect(woken).toEqual([10, 20])
    clock.advance(10)
    await sleepers[0]
    expect([woken, clock.now()]).toEqual([[10, 20, 30], 30])
  })
})

for (const [name, clock] of [
  ['manual', createManualClock()],
  ['system', systemClock],
] as const) {
  describe(`sleeping on the ${name} clock`, () => {
    it('ends immediately when the signal aborts, before or during the sleep', async () => {
      const stopping = new AbortController()
      const during = clock.sleep(1e9, stopping.signal)
      stopping.abort()
      await during
      await clock.sleep(1e9, stopping.signal)
    })
  })
}
