import { type DestinationFamily, isMappingError, mapEvent, parseSettings } from '@sluice/destinations'
import { segmentActions } from '@sluice/segment-actions'
import { beforeAll, describe, expect, it } from 'vitest'
import { noSegmentPeer, segmentPeer } from '../support/scenes/segment-peer.ts'

const context = { ip: '203.0.113.9', page: { url: 'https://shop.test/' }, traits: { email: 'ada@shop.test' } }
const shared = { userId: 'u1', anonymousId: 'a1', messageId: 'm1', timestamp: '2024-03-05T10:20:30.000Z', context }
const events = [
  { ...shared, type: 'track', event: 'Order Completed', properties: { revenue: 5, products: [{ sku: 's1' }] } },
  { ...shared, type: 'identify', traits: { name: 'Ada' } },
  { ...shared, type: 'page', name: 'Home', properties: { path: '/' } },
  { ...shared, type: 'screen', name: 'Home' },
  { ...shared, type: 'group', groupId: 'g1', traits: { name: 'Acme' } },
  { ...shared, type: 'alias', previousId: 'a1' },
]

describe.skipIf(segmentPeer === undefined)(
  `the installed definitions of Segment${noSegmentPeer && ` (skipped: ${noSegmentPeer})`}`,
  () => {
    // Not while tests are collected, which also happens to those that are skipped.
    let family: DestinationFamily
    beforeAll(() => {
      family = segmentActions(segmentPeer)
    })

    /** Loads a definition, or fails the test with the reason. */
    function load(type: string) {
      const loaded = family.load(type)
      if (!loaded.ok) throw new Error(loaded.problem)
      return loaded.definition
    }

    it('all load, and each of their actions maps all six event types or says why not', () => {
      let mapped = 0
      for (const type of family.types) {
        const definition = load(type)
        const actions = definition.actions?.actions ?? []
        expect(actions.length, type).toBeGreaterThan(0)
        // One subscription for each action, which every event reaches, with the defaults of its fields.
        const subscriptions = actions.map(({ name }) => ({ action: name, preset: null, subscribe: 'type != "none"' }))
        expect(definition.checkSettings?.({ subscriptions, allowOwnNetwork: true }), type).toEqual([])
        for (const subscription of subscriptions) {
          const settings = { subscriptions: [subscription] }
          for (const event of events) {
            const requests = mapEvent(definition, event, settings, { now: 0 })
            if (!isMappingError(requests)) {
              expect(requests).toMatchObject([{ type: 'ACTION', body: { JSON: { action: subscription.action } } }])
              mapped += 1
            } else expect(requests.message).toContain(subscription.action)
          }
        }
      }
      expect(mapped).toBeGreaterThan(1_000)
    })

    it('with automatic presets need no subscriptions; the others name their actions', () => {
      const problemsOf = (type: string) => load(type).checkSettings?.({ allowOwnNetwork: true }) ?? []
      const without = family.types.filter((type) => problemsOf(type).length > 0)
      expect(family.types.length - without.length).toBeGreaterThanOrEqual(100)
      expect(without.length).toBeGreaterThanOrEqual(100)
      for (const type of without) {
        const [problem] = problemsOf(type)
        const [action] = load(type).actions?.actions ?? []
        expect(problem).toMatchObject({ path: 'subscriptions', allowed: expect.stringContaining(action?.name ?? '') })
      }
    })

    it('have conditions that settings may repeat, except those with == which never match', () => {
      let checked = 0
      for (const type of family.types) {
        const definition = load(type)
        const { actions = [], presets = [] } = definition.actions ?? {}
        const conditions = [
          ...actions.map(({ name, defaultSubscription }) => ({ action: name, subscribe: defaultSubscription ?? '' })),
          ...presets.map(({ action, subscribe }) => ({ action, subscribe })),
        ].filter(({ subscribe }) => subscribe.trim() !== '')
        for (const each of conditions) {
          const subscriptions = [{ ...each, preset: null }]
          const problems = definition.checkSettings?.({ subscriptions, allowOwnNetwork: true })
          const wrong = each.subscribe.includes('==') ? [{ allowed: expect.stringContaining('a single =') }] : []
          expect(problems, `${type}: ${each.subscribe}`).toMatchObject(wrong)
          checked += 1
        }
      }
      expect(checked).toBeGreaterThan(500)
    })

    it('that connect on their own are refused unless the workspace allows it', () => {
      for (const name of ['kafka', 'aws-kinesis', 'aws-s3', 'amazon-eventbridge', 'sftp']) {
        const definition = load(`segment/${name}`)
        expect(definition.checkSettings?.({ subscriptions: [] })).toMatchObject([
          { path: 'allowOwnNetwork', allowed: expect.stringContaining('true, if you trust it') },
        ])
        expect(definition.checkSettings?.({ subscriptions: [], allowOwnNetwork: true })).toEqual([])
      }
      expect(parseSettings(load('segment/webhook'), { subscriptions: [] })).toMatchObject({ ok: true })
    })

    it('are described in a thread, with settings, actions and secrets', async () => {
      const descriptions = await family.describe()
      expect(descriptions.map(({ type }) => type)).toEqual(family.types)
      expect(descriptions.find(({ type }) => type === 'segment/amplitude')).toMatchObject({
        displayName: 'Actions Amplitude',
        secretKeys: ['apiKey', 'secretKey'],
        deletesUsers: true,
        settings: { required: expect.arrayContaining(['apiKey', 'secretKey']) },
        actions: expect.arrayContaining([expect.objectContaining({ name: 'logEventV2', title: 'Log Event V2' })]),
        presets: expect.arrayContaining([expect.objectContaining({ action: 'identifyUser', isAutomatic: true })]),
      })
    })

    it('name the path and what is allowed when a subscription is wrong', () => {
      const definition = load('segment/amplitude')
      const problemsWith = (subscription: object) =>
        parseSettings(definition, { apiKey: 'k', secretKey: 's', subscriptions: [subscription] })
      expect(problemsWith({ action: 'nope' })).toMatchObject({
        problems: [{ path: 'subscriptions[0].action', allowed: expect.stringContaining('logEventV2') }],
      })
      expect(problemsWith({ action: 'logEventV2', subscribe: 'type = "track" and (' })).toMatchObject({
        problems: [{ path: 'subscriptions[0].subscribe', allowed: expect.stringContaining('FQL') }],
      })
      expect(problemsWith({ action: 'logEventV2', mapping: { user: 'u' } })).toMatchObject({
        problems: [{ path: 'subscriptions[0].mapping.user', allowed: expect.stringContaining('user_id') }],
      })
      expect(problemsWith({ action: 'logEventV2', mapping: { user_id: { '@pth': '$.userId' } } })).toMatchObject({
        problems: [{ path: 'subscriptions[0].mapping.user_id.@pth', allowed: expect.stringContaining('@path') }],
      })
      expect(problemsWith({ action: 'logEventV2', preset: 'Nothing' })).toMatchObject({
        problems: [{ path: 'subscriptions[0].preset', allowed: expect.stringContaining('one of') }],
      })
      expect(problemsWith({ action: 'mapUser', batch: true })).toMatchObject({
        problems: [{ path: 'subscriptions[0].batch' }],
      })
    })
  },
)
