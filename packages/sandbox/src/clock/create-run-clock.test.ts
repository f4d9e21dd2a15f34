import { describe, expect, it } from 'vitest'
import { createSandbox, type SandboxOptions } from '../sandbox.ts'
import { createRunClock } from './create-run-clock.ts'

const limits = { eventTimeMs: 50, batchTimeMs: 10_000 }
const live = new AbortController().signal

/** Returns how many thousand rounds of a loop the code of an event logs before it is ended. */
async function roundsOf(options: SandboxOptions): Promise<number> {
  const sandbox = await createSandbox({ mode: 'in-process', limits, ...options })
  const code = 'export function transformEvent() { for (let n = 1; ; n += 1) if (n % 1_000 === 0) log(n / 1_000) }'
  const compiled = await sandbox.compile({ name: 'counting', code, libraries: [] })
  if (!compiled.ok) throw new Error(compiled.error.message)
  const { outcomes, log } = await compiled.program.run([{ event: { type: 'track' }, metadata: {} }], live)
  await sandbox.close()
  expect(outcomes).toMatchObject([{ kind: 'fail', error: { code: 'transform.timeout' } }])
  return Number(log.at(-1))
}

describe('counted time', () => {
  it('moves with the steps of the engine alone', () => {
    const clock = createRunClock('counted')
    const before = clock.now()
    expect(clock.now()).toBe(before)
    for (let ticks = 0; ticks < 100; ticks += 1) clock.tick()
    expect(clock.now() - before).toBe(50)
  })

  it('ends a loop after the same number of rounds every time, and later with a higher limit', async () => {
    const first = await roundsOf({ timing: 'counted' })
    expect(await roundsOf({ timing: 'counted' })).toBe(first)
    const double = await roundsOf({ timing: 'counted', limits: { ...limits, eventTimeMs: 100 } })
    expect(double / first).toBeCloseTo(2, 1)
  })

  it('needs the thread of the caller', async () => {
    await expect(createSandbox({ mode: 'worker', timing: 'counted' })).rejects.toThrow(
      "sandbox option timing 'counted' needs mode 'in-process'",
    )
  })
})
