import { describe, expect, it } from 'vitest'
import { createProcessVitals } from './process-vitals.ts'

function gauged() {
  const gauge = { now: 0, cpuMs: 0, memoryBytes: 7 }
  const vitals = createProcessVitals({
    now: () => gauge.now,
    cpuMs: () => gauge.cpuMs,
    memoryBytes: () => gauge.memoryBytes,
  })
  const work = (kind: 'append' | 'deliver' | 'stage', inputs: number) =>
    vitals.telemetry.around({ kind, workspaceId: 'w', inputs }, async () => 'done')
  return { gauge, vitals, work }
}

describe('vitals of a process', () => {
  it('are rates of the last ten seconds, and the memory of now', async () => {
    const { gauge, vitals, work } = gauged()
    await work('append', 1_000)
    for (let second = 1; second <= 30; second += 1) {
      gauge.now = second * 1_000
      gauge.cpuMs += 250
      await work('append', 4)
      await work('deliver', 12)
      await work('stage', 99)
      vitals.read()
    }
    expect(vitals.read()).toEqual({ cpuShare: 0.25, memoryBytes: 7, acceptedPerSecond: 4, sentPerSecond: 12 })
  })

  it('are since the start at first, and since the reading before where no one has read for long', async () => {
    const { gauge, vitals, work } = gauged()
    gauge.now = 2_000
    await work('append', 10)
    expect(vitals.read().acceptedPerSecond).toBe(5)
    gauge.now = 102_000
    await work('append', 200)
    expect(vitals.read().acceptedPerSecond).toBe(2)
  })

  it('do not count what failed', async () => {
    const { gauge, vitals } = gauged()
    gauge.now = 1_000
    const failed = vitals.telemetry.around({ kind: 'append', workspaceId: 'w', inputs: 5 }, () =>
      Promise.reject(new Error('down')),
    )
    await expect(failed).rejects.toThrow('down')
    expect(vitals.read().acceptedPerSecond).toBe(0)
  })
})
