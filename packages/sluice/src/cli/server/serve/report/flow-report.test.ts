import type { Workspace } from '@sluice/core'
import type { SourceStats } from '@sluice/pipeline'
import { describe, expect, it } from 'vitest'
import { flowReport } from './flow-report.ts'

const workspace: Workspace = {
  id: 'w',
  name: 'Shop',
  sources: [{ id: 's', name: 'Site', writeKey: 'k', enabled: true }],
  destinations: [{ id: 'd', name: 'Hook', type: 'WEBHOOK', enabled: false, settings: {} }],
  connections: [],
  accessTokens: [],
}
const stats: SourceStats = {
  sourceId: 's',
  received: 1_010,
  rejected: { 'invalid json': 4 },
  suppressed: 6,
  duplicates: 0,
  largeNumbers: 0,
  invalidTimes: 0,
  countedOnly: 0,
  accepted: 1_000,
  destinations: [
    {
      destinationId: 'd',
      accepted: 1_000,
      replayed: 0,
      delivered: 990,
      dropped: { 'not wanted': 7 },
      failed: { 'deliver.refused': 2 },
      forgotten: {},
      pending: 1,
      outputs: 995,
    },
  ],
}

describe('the report of a flow', () => {
  it('shows names, numbers and reasons', () => {
    const { text, sumsAgree } = flowReport(workspace, [stats], Number.POSITIVE_INFINITY)
    expect(sumsAgree).toBe(true)
    expect(text).toMatch(/^Site +1,010 +4 +6 +1,000$/m)
    expect(text).toMatch(/^Site →\n {2}Hook \(disabled\) +1,000 +990 +7 +2 +1 +995$/m)
    expect(text).toMatch(/^Site → Hook \(disabled\)\n.*\n +2 × failed +deliver\.refused: The destination answered/m)
  })
  it('fits into 80 columns, whatever the names', () => {
    const long = {
      ...workspace,
      destinations: workspace.destinations.map((each) => ({ ...each, name: 'N'.repeat(60) })),
    }
    for (const shown of [workspace, long])
      for (const line of flowReport(shown, [stats], 80).text.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })
  it('says when the sums do not agree', () => {
    for (const wrong of [{ received: 1_011 }, { suppressed: 5 }, { accepted: 999, received: 1_009 }])
      expect(flowReport(workspace, [{ ...stats, ...wrong }], 80)).toMatchObject({
        sumsAgree: false,
        text: expect.stringContaining('DO NOT AGREE'),
      })
  })
})
