import { describe, expect, it } from 'vitest'
import { serveRoutes } from '../routing/serve-routes.ts'
import { createHealthArea } from './health-area.ts'

type Checks = Parameters<typeof createHealthArea>[0]

/** Answers as a process that works, with one of several that do not. */
async function answer(path: string, checks: Partial<Checks> = {}): Promise<readonly [number, unknown]> {
  const area = createHealthArea({
    health: () => 'ok',
    warnings: () => [],
    hasUnconfirmedLoss: () => false,
    readiness: () => 'ok',
    unwell: async () => [{ process: 2, reason: 'starting' }],
    ...checks,
  })
  const response = await serveRoutes([area], { onError: () => {} }).fetch(new Request(`http://sluice.test${path}`))
  return [response.status, await response.json()]
}

const processes = [{ process: 2, reason: 'starting' }]

describe('the health of one of several processes', () => {
  it('names the others that do not work, and still serves', async () => {
    expect(await answer('/health')).toEqual([200, { status: 'degraded', reason: 'processesUnwell', processes }])
  })

  it('is ok when the others work', async () => {
    expect(await answer('/health', { unwell: async () => [] })).toEqual([200, { status: 'ok' }])
  })

  it('says first that acknowledged events were lost, which an operator is to confirm', async () => {
    expect(await answer('/health', { hasUnconfirmedLoss: () => true })).toEqual([
      200,
      { status: 'degraded', reason: 'lossUnconfirmed', processes },
    ])
  })

  it('is its own when it does not work itself', async () => {
    expect(await answer('/health', { health: () => 'storeLost' })).toEqual([
      503,
      { status: 'unavailable', reason: 'storeLost' },
    ])
  })

  it('leaves the others out of whether it takes requests', async () => {
    expect(await answer('/ready')).toEqual([200, { status: 'ok' }])
  })
})
