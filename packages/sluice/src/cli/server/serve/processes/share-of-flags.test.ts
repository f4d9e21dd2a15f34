import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { serveCommand } from '../serve-command.ts'
import type { ServeFlags } from '../serve-flags.ts'
import { shareOfFlags } from './share-of-flags.ts'

const flags: ServeFlags = serveCommand().opts()

describe('the part that one of several processes has', () => {
  it('is of the connections and of the threads for user code, also of the defaults', () => {
    expect(shareOfFlags(flags, 4, 8)).toMatchObject({ connections: 2_500, workers: 1 })
    expect(shareOfFlags({ ...flags, connections: 90, workers: 6 }, 2, 8)).toMatchObject({ connections: 45, workers: 3 })
  })

  it('is never more in all than was given, as long as each process has at least one', () => {
    const whole = fc.integer({ min: 1, max: 100_000 })
    fc.assert(
      fc.property(whole, whole, fc.integer({ min: 1, max: 32 }), (connections, workers, processes) => {
        const part = shareOfFlags({ ...flags, connections, workers }, processes, 8)
        for (const [given, own = 0] of [
          [connections, part.connections],
          [workers, part.workers],
        ] as const) {
          expect(own).toBeGreaterThanOrEqual(1)
          expect(own * processes).toBeLessThanOrEqual(Math.max(given, processes))
        }
      }),
    )
  })

  it('leaves all other flags as they are', () => {
    const { connections: _, workers: __, ...others } = shareOfFlags(flags, 3, 8)
    expect(others).toEqual(flags)
  })
})
