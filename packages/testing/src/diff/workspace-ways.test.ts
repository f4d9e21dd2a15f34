import type { Event, TrackingPlan, Workspace } from '@sluice/core'
import {
  createDestinationRegistry,
  type DestinationDefinition,
  json,
  parseSettings,
  webhook,
} from '@sluice/destinations'
import { describe, expect, it } from 'vitest'
import { groupName } from './change-groups.ts'
import { diffRuns } from './diff-runs.ts'
import { workspaceWays } from './workspace-ways.ts'

/** Sends which audience the connection of an event has. */
const audience: DestinationDefinition = {
  ...webhook,
  type: 'AUDIENCE',
  requests: (_event, _settings, { connection }) =>
    json({
      method: 'POST',
      endpoint: 'https://audience.test/in',
      body: { ...connection },
    }),
}
const definitions = createDestinationRegistry([webhook, audience])
const hook = parseSettings(webhook, { webhookUrl: 'https://hook.test/in' })
if (!hook.ok) throw new Error('no settings')

const shop: Workspace = {
  id: 'shop',
  name: 'Shop',
  sources: ['web', 'app'].map((id) => ({ id, name: id, writeKey: id, enabled: true })),
  destinations: [
    { id: 'hook', name: 'Hook', type: 'WEBHOOK', enabled: true, settings: hook.settings },
    { id: 'ads', name: 'Ads', type: 'AUDIENCE', enabled: true, settings: hook.settings },
  ],
  connections: [
    { sourceId: 'web', destinationId: 'hook' },
    { sourceId: 'app', destinationId: 'hook' },
    { sourceId: 'web', destinationId: 'ads', settings: { audience: 'a' } },
  ],
  accessTokens: [],
}
const order = (messageId: string, properties: Event['properties']): Event => ({
  type: 'track',
  event: 'Order',
  userId: 'u1',
  messageId,
  properties,
})
const web = [order('m1', { total: 1 }), order('m2', { total: 'two' })]
const app = [order('m3', { total: 'three' })]
const plan = (onViolation: TrackingPlan['onViolation']): TrackingPlan => ({
  onViolation,
  unplanned: 'pass',
  events: [
    {
      type: 'track',
      event: 'Order',
      schema: { properties: { properties: { properties: { total: { type: 'number' } } } } },
    },
  ],
})
const planned = (trackingPlan: TrackingPlan): Workspace => ({
  ...shop,
  sources: shop.sources.map((source) => (source.id === 'web' ? { ...source, trackingPlan } : source)),
})

async function groupsOf(before: Workspace, after: Workspace, sourceId?: string) {
  const sources = new Map<Event, string>([
    ...web.map((event): [Event, string] => [event, 'web']),
    ...app.map((event): [Event, string] => [event, 'app']),
  ])
  const side = (workspace: Workspace) => ({ workspaces: [workspace], definitions })
  const { groups } = await diffRuns(workspaceWays(side(before), side(after), sourceId), [...web, ...app], {
    sandbox: { mode: 'in-process' },
    conditions: { sourceOf: (event) => sources.get(event) },
  })
  return groups.map((group) => `${group.events}× ${groupName(group)}`)
}

describe('a comparison of two workspaces', () => {
  it('is empty for the same workspace, with a plan and without', async () => {
    expect(await groupsOf(shop, { ...shop })).toEqual([])
    expect(await groupsOf(planned(plan('drop')), planned(plan('drop')))).toEqual([])
  })

  it('shows what a tracking plan drops, and what it finds, for events of its source only', async () => {
    expect(await groupsOf(shop, planned(plan('drop')), 'web')).toEqual([
      '1× ads: outcome: passed → dropped (violates the tracking plan)',
      '1× ads: tracking plan: no violation → Datatype-Mismatch',
      '1× hook: outcome: passed → dropped (violates the tracking plan)',
      '1× hook: tracking plan: no violation → Datatype-Mismatch',
    ])
  })

  it('shows verdicts that change nothing of what a destination gets', async () => {
    const groups = await groupsOf(shop, planned(plan('mark')))
    expect(groups.filter((group) => group.includes('ads'))).toEqual([
      '1× ads: tracking plan: no violation → Datatype-Mismatch',
    ])
    expect(groups).toContain('1× hook: requests[].body.JSON.context: absent → object')
  })

  it('shows the effect of settings of a connection', async () => {
    const [first, second, last] = shop.connections
    if (!first || !second || !last) throw new Error('no connections')
    const other = { ...shop, connections: [first, second, { ...last, settings: { audience: 'b' } }] }
    expect(await groupsOf(shop, other)).toEqual([
      '2× ads: requests[].body.JSON.config.destination.audience: text → another text',
    ])
  })

  it('shows events that come to a destination only after the change, and credentials that user code reads', async () => {
    const connected = { ...shop, connections: [...shop.connections, { sourceId: 'app', destinationId: 'ads' }] }
    expect(await groupsOf(shop, connected)).toEqual(['1× ads: outcome: not there → passed'])
    const reading = (key: string): Workspace => ({
      ...shop,
      credentials: { key },
      destinations: shop.destinations.map((each) => ({
        ...each,
        transformation: {
          versionId: 'v1',
          name: 'reads',
          libraries: [],
          code: 'export const transformEvent = (event) => ({ ...event, key: getCredential("key") })',
        },
      })),
    })
    expect(await groupsOf(reading('one'), reading('two'))).toEqual([
      '3× hook: requests[].body.JSON.key: text → another text',
    ])
  })
})
