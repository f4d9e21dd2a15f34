import { describe, expect, it } from 'vitest'
import { createRestartDelays, defaultRestartTimes, type ProcessLife } from './restart-delays.ts'

const times = { baseMs: 100, capMs: 1_000, steadyMs: 60_000, failedMax: 3 }
const steady: ProcessLife = { ranMs: 60_000, hasServed: true }
const quick: ProcessLife = { ranMs: 900, hasServed: true }
const failed: ProcessLife = { ranMs: 900, hasServed: false }
const waits = (lives: readonly ProcessLife[]) => lives.map(createRestartDelays(times))

describe('the wait before a process is started again', () => {
  it('is the shortest for one that ran for long, however often it ends', () => {
    expect(waits([steady, steady, steady])).toEqual([100, 100, 100])
  })

  it('doubles up to its cap while processes end soon, and begins again after one that ran for long', () => {
    expect(waits([quick, quick, quick, quick, quick, quick, steady])).toEqual([100, 200, 400, 800, 1_000, 1_000, 100])
  })

  it('ends after too many failed starts in a row, however long each took', () => {
    expect(waits([failed, { ...failed, ranMs: 90_000 }, failed])).toEqual([100, 200, undefined])
  })

  it('does not end while a process serves in between', () => {
    expect(waits([failed, failed, quick, failed, failed, quick])).toEqual([100, 200, 400, 800, 1_000, 1_000])
  })

  it('is a minute in all before the server gives up, which a database needs to restart', () => {
    const next = createRestartDelays(defaultRestartTimes)
    let all = 0
    for (let wait = next(failed); wait !== undefined; wait = next(failed)) all += wait
    expect(all).toBeGreaterThanOrEqual(60_000)
    expect(all).toBeLessThan(180_000)
  })
})
