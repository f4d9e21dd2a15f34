import { createHash } from 'node:crypto'
import { defineWorkspace } from '../../../../workspace/typed/define-workspace.ts'

/** Who changes something in the demonstration: the tokens that they use, by name. */
export type DemoPeople = Readonly<Record<'kim' | 'release bot' | 'privacy office', string>>

/** Each source sends to each destination. */
export const demoConnections = ['web', 'mobile', 'till'].flatMap((source) =>
  ['warehouse', 'analytics', 'orders', 'crm', 'archive'].map((destination) => ({ source, destination })),
)

/** What orders are agreed to look like. The new release of the mobile app does not keep to it. */
export const trackingPlan = {
  onViolation: 'mark',
  unplanned: 'pass',
  events: [
    {
      type: 'track',
      event: 'Order Completed',
      schema: {
        properties: {
          properties: { properties: { total: { type: 'number' } }, required: ['order_id', 'total', 'currency'] },
        },
      },
    },
  ],
} as const

/**
 * The file of the demonstration's shop; `demoChanges` sets up the rest, by the API. Its destinations are of real types, with
 * credentials that are none: their requests never leave the process.
 * @param warehouse path of the DuckDB file; undefined where DuckDB is not installed.
 */
export function demoWorkspace(people: DemoPeople, warehouse: string | undefined) {
  return defineWorkspace({
    id: 'demo',
    name: 'Sample shop (demonstration)',
    accessTokens: Object.entries(people).map(([name, token]) => ({
      name,
      token: `sha256:${createHash('sha256').update(token).digest('hex')}`,
    })),
    sources: [
      { id: 'web', name: 'Web shop', writeKey: 'demo-web-write-key', trackingPlan },
      { id: 'till', name: 'Point of sale', writeKey: 'demo-till-write-key' },
    ],
    destinations: [
      ...(warehouse === undefined
        ? []
        : [
            {
              id: 'warehouse',
              name: 'Warehouse',
              type: 'DUCKDB' as const,
              settings: { path: warehouse, namespace: 'shop' },
            },
          ]),
      {
        id: 'analytics',
        name: 'Product analytics',
        type: 'POSTHOG',
        settings: { teamApiKey: 'demonstration', yourInstance: 'https://analytics.invalid' },
      },
      {
        id: 'archive',
        name: 'Archive',
        type: 'WEBHOOK',
        enabled: false,
        settings: { webhookUrl: 'https://archive.invalid/in' },
      },
    ],
    connections: demoConnections.filter(
      ({ source, destination }) =>
        source !== 'mobile' &&
        ['analytics', 'archive', ...(warehouse === undefined ? [] : ['warehouse'])].includes(destination),
    ),
  })
}
