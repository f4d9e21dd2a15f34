import { createManualClock, type Event, InvariantError } from '@sluice/core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { defineDestination } from '../define/define-destination.ts'
import { createDestinationTransformStage } from './destination-transform-stage.ts'
import { instrumentationError } from './mapping-error.ts'
import { type DeliveryRequest, query } from './request/delivery-request.ts'

const request = query({ method: 'GET', endpoint: 'https://api.test' })

const chatty = defineDestination({
  type: 'CHATTY',
  displayName: 'Chatty',
  supports: ['track', 'page'],
  settings: Type.Object({ key: Type.String() }),
  secrets: ['key'],
  requests(event, { key }) {
    switch (event['event']) {
      case 'twice':
        return [request, request]
      case 'none':
        return []
      case 'bad':
        return instrumentationError('needs a price')
      case 'throw':
        return JSON.parse(key)
      case 'broken':
        throw new InvariantError('half a table')
      default:
        return request
    }
  },
  examples: [],
})

const options = {
  definition: chatty,
  settings: { key: 'pw-secret' },
  destination: { id: 'd1', name: 'Our chat', type: 'CHATTY' },
  clock: createManualClock(0),
}
const runOn = (stage: ReturnType<typeof createDestinationTransformStage>, ...events: Event[]) =>
  stage.run(
    events.map((event) => ({ workspaceId: 'w', sourceId: 's', writeKey: 'k', event })),
    new AbortController().signal,
  )
const run = (...events: Event[]) => runOn(createDestinationTransformStage(options), ...events)

describe('destination-transform stage', () => {
  it('passes the settings of the connection that an event came through', async () => {
    const seen: unknown[] = []
    const definition = {
      ...chatty,
      requests: (...[, , context]: Parameters<typeof chatty.requests>) => {
        seen.push(context.connection)
        return request
      },
    }
    const connections = [{ sourceId: 's', destinationId: 'd1', settings: { audienceId: '7' } }]
    await runOn(createDestinationTransformStage({ ...options, definition, connections }), { type: 'track' })
    await runOn(createDestinationTransformStage({ ...options, definition, connections: [] }), { type: 'track' })
    const config = { destination: { audienceId: '7' } }
    expect(seen).toEqual([{ sourceId: 's', destinationId: 'd1', enabled: true, config }, undefined])
  })

  it('returns one independent outcome per event, in order', async () => {
    const page = { type: 'page', userId: 'u1', messageId: 'm1' }
    const twice = { type: 'track', event: 'twice', userId: 'u1', messageId: 'm2' }
    const [one, two, none, bad, threw, after] = await run(
      page,
      twice,
      { type: 'track', event: 'none' },
      { type: 'track', event: 'bad' },
      { type: 'track', event: 'throw' },
      { type: 'page', userId: 'u2', messageId: 'm3' },
    )
    const mapped = (event: Event, messageId: string, ...requests: readonly DeliveryRequest[]) => ({
      kind: 'pass',
      items: [{ event, requests, userKey: 'u1', messageId }],
    })
    expect(one).toEqual(mapped(page, 'm1', request))
    expect(two).toEqual(mapped(twice, 'm2', request, request))
    expect(none).toEqual({ kind: 'drop', reason: 'nothing to send' })
    expect(bad).toEqual({ kind: 'fail', error: { code: 'destination.event', message: 'needs a price' } })
    expect(threw).toMatchObject({ kind: 'fail', error: { code: 'stage.broken' } })
    expect(after).toMatchObject({ kind: 'pass', items: [{ requests: [request], userKey: 'u2', messageId: 'm3' }] })
  })

  it('reports where a mapping threw, without the message of the exception', async () => {
    const [threw] = await run({ type: 'track', event: 'throw' })
    const text = JSON.stringify(threw)
    expect(text).toContain('The mapping of Our chat (CHATTY) threw SyntaxError at ')
    expect(text).not.toMatch(/pw-|secret|packages/)
  })

  it('rejects on an InvariantError', async () => {
    await expect(run({ type: 'track', event: 'broken' })).rejects.toThrow(InvariantError)
  })

  for (const type of ['identify', 'Identify', 'extract']) {
    it(`drops the type '${type}', which the destination does not support`, async () => {
      expect(await run({ type })).toEqual([{ kind: 'drop', reason: 'message type not supported' }])
    })
  }

  for (const event of [{}, { type: null }, { type: 7 }, { type: ['track'] }]) {
    it(`fails ${JSON.stringify(event)}, whose type is missing or not a string`, async () => {
      const error = { code: 'destination.event', message: 'message type missing or invalid' }
      expect(await run(event)).toEqual([{ kind: 'fail', error }])
    })
  }

  it('drops what its sender does not want at the destination, for user code may have made it', async () => {
    const reason = 'not wanted by the integrations object'
    expect(await run({ type: 'page', integrations: { All: false } })).toEqual([{ kind: 'drop', reason }])
  })

  const users: { event: Event; key: string }[] = [
    { event: { userId: ' u1\u200b', anonymousId: 'a1' }, key: 'u1' },
    { event: { userId: '', anonymousId: 'a1' }, key: 'a1' },
    { event: { userId: 42 }, key: '42' },
    { event: { messageId: 'm1' }, key: 'm1' },
    { event: {}, key: '' },
  ]
  for (const { event, key } of users) {
    it(`keeps ${JSON.stringify(event)} in the order of '${key}'`, async () => {
      expect(await run({ type: 'page', ...event })).toMatchObject([{ items: [{ userKey: key }] }])
    })
  }
})
