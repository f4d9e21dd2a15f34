import { nothingReturned } from '@sluice/sandbox'
import { describe, expect, it } from 'vitest'
import type { History } from '../destinations/health/history.ts'
import { filteredByCode, passedCode } from './passed-code.ts'

const series = (destinationId: string, kind: string, total: number, reason?: string) =>
  ({
    destinationId,
    kind,
    counts: [total],
    total,
    ...(reason === undefined ? {} : { reason }),
  }) as History['series'][number]
const history: History = {
  workspaceId: 'main',
  slots: { from: 0, everyMs: 60_000, count: 1 },
  series: [
    series('hook', 'accepted', 100),
    series('hook', 'delivered', 40),
    series('hook', 'dropped', 20, filteredByCode),
    series('hook', 'dropped', 5, 'denied by consent'),
    series('hook', 'failed', 3, 'transform.threw'),
    series('hook', 'failed', 2, 'deliver.rejected'),
    series('other', 'delivered', 900),
  ],
  delays: [],
  oldestWaiting: [],
}

describe('events that passed the code of a transformation', () => {
  it('are all that ended, but those that it filtered and those that failed in it', () => {
    expect(passedCode(history, new Set(['hook']))).toEqual({ ended: 70, passed: 47 })
  })

  it('are none where it runs before nothing', () => {
    expect(passedCode(history, new Set())).toEqual({ ended: 0, passed: 0 })
  })

  it('are known by the reason that the server gives for filtered ones', () => {
    expect(filteredByCode).toBe(nothingReturned)
  })
})
