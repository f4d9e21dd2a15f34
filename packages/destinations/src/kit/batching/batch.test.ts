import { describe, expect, it } from 'vitest'
import { posthog } from '../../products/posthog/posthog.ts'
import { statsig } from '../../products/statsig/statsig.ts'
import { instrumentationError } from '../map/mapping-error.ts'
import { parseSettings } from '../settings/parse-settings.ts'
import { batchEvents } from './batch.ts'

const input = (event: Record<string, string>) => ({ event, userKey: 'u', context: { now: 0 } })

describe('batchEvents', () => {
  it('fails only the bad event, with its index', () => {
    const parsed = parseSettings(posthog, { teamApiKey: 'k' })
    if (!parsed.ok) throw new Error('unexpected')
    const track = { type: 'track', event: 'Seen', userId: 'u1' }
    const { batches, errors } = batchEvents(
      posthog,
      [input(track), input({ type: 'track' }), input(track)],
      parsed.settings,
    )
    expect(batches.map(({ indexes, batched }) => ({ indexes, batched }))).toEqual([{ indexes: [0, 2], batched: true }])
    expect(errors).toEqual([{ index: 1, error: instrumentationError('Either userId or anonymousId must be provided') }])
  })

  it('sends each event by itself when the definition has no batch rule', () => {
    const { batches } = batchEvents(statsig, [input({ type: 'page' }), input({ type: 'track' })], { secretKey: 'k' })
    expect(batches.map(({ indexes, batched }) => ({ indexes, batched }))).toEqual([
      { indexes: [0], batched: false },
      { indexes: [1], batched: false },
    ])
  })
})
