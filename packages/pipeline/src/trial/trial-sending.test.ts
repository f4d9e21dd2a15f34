import { createManualClock, createSeededRandom, type JsonObject } from '@sluice/core'
import { type Answer, createRecordingTransport, reply, sendAll } from '@sluice/delivery'
import { type BatchRule, type DestinationDefinition, json, oauth2, webhook } from '@sluice/destinations'
import { describe, expect, it } from 'vitest'
import { createTrialSending } from './trial-sending.ts'

const live = new AbortController().signal
const plain: DestinationDefinition = webhook

const source = { workspaceId: 'w', sourceId: 's', writeKey: 'k', event: { messageId: 'm' } }
const mapped = (...endpoints: readonly string[]) => ({
  source,
  output: source,
  event: { messageId: 'm' },
  requests: endpoints.map((endpoint) => json({ method: 'POST', endpoint, body: {} })),
  userKey: 'u',
  messageId: 'm',
})

function sendingOf(
  answer: Answer,
  place: { definition?: DestinationDefinition; settings?: JsonObject; stored?: JsonObject } = {},
) {
  const transport = createRecordingTransport(answer)
  const parts = { transport, clock: createManualClock(), random: createSeededRandom(1) }
  const sending = createTrialSending({ definition: plain, settings: {}, ...place }, parts)
  return { ...sending, requests: transport.requests }
}

const json200 = (body: JsonObject) => reply(200, JSON.stringify(body), { 'content-type': 'application/json' })

describe('sending in a trial', () => {
  it('sends each request once, also when the reply asks for another attempt', async () => {
    const { send, replies, requests } = sendingOf(() => reply(503, '', { 'retry-after': '1' }))
    await sendAll(send, [mapped('http://d.test/')], live)
    expect(requests).toHaveLength(1)
    expect(replies).toEqual([[{ body: '', status: 503 }]])
  })

  it('keeps the replies of each event apart, and a refused event from its neighbours', async () => {
    const { send, replies, requests } = sendingOf(({ endpoint }) => reply(endpoint.endsWith('bad') ? 400 : 200))
    const outcomes = await sendAll(
      send,
      [mapped('http://d.test/bad'), mapped('http://d.test/a', 'http://d.test/b')],
      live,
    )
    expect(outcomes.map(({ kind }) => kind)).toEqual(['fail', 'pass'])
    expect(replies).toMatchObject([[{ status: 400 }], [{ status: 200 }, { status: 200 }]])
    expect(requests).toHaveLength(3)
  })

  it('sends the requests of each event as they were mapped, not packed into batches', async () => {
    const batch: BatchRule = (entries) => {
      const parts = entries.map(({ index }) => ({ index, request: 0 }))
      const packed = json({ method: 'POST', endpoint: 'http://d.test/batch', body: {} })
      return [{ requests: [packed], indexes: parts.map(({ index }) => index), parts: [parts], batched: true }]
    }
    const { send, replies, requests } = sendingOf(() => reply(200), { definition: { ...plain, batch } })
    await sendAll(send, [mapped('http://d.test/a'), mapped('http://d.test/b')], live)
    expect(requests.map(({ endpoint }) => endpoint)).toEqual(['http://d.test/a', 'http://d.test/b'])
    expect(replies).toHaveLength(2)
  })
})

describe('sending in a trial of a destination with an account', () => {
  const definition: DestinationDefinition = {
    ...plain,
    secrets: ['secret'],
    account: oauth2({
      tokenEndpoint: (settings) => String(settings['login']),
      grant: 'client_credentials',
      settings: { clientId: 'id', clientSecret: 'secret' },
    }),
  }
  const stored = { id: 'client', secret: 'stored secret', login: 'http://login.test/token' }
  const withTokens: Answer = ({ endpoint }) =>
    endpoint.includes('token') ? json200({ access_token: 'pw' }) : reply(200)

  const secretOf = async (settings: JsonObject) => {
    const { send, requests } = sendingOf(withTokens, { definition, settings, stored })
    await sendAll(send, [mapped('http://d.test/')], live)
    return requests.map(({ endpoint, body }) => [endpoint, Object(body.FORM)['client_secret']])
  }

  it('requests tokens with the stored secrets where the stored settings lead', async () => {
    expect(await secretOf({ ...stored, login: 'http://login.test/other-token' })).toEqual([
      ['http://login.test/other-token', 'stored secret'],
      ['http://d.test/', undefined],
    ])
  })

  it('sends no stored secret to another host, only one that the caller gave', async () => {
    const login = 'http://thief.test/token'
    expect((await secretOf({ ...stored, login }))[0]).toEqual([login, ''])
    expect((await secretOf({ ...stored, login, secret: 'own' }))[0]).toEqual([login, 'own'])
  })

  it('shows the reply to the request that was sent again with other tokens', async () => {
    let isFirst = true
    const { send, replies } = sendingOf(
      (request, options) => {
        if (request.endpoint.includes('token')) return withTokens(request, options)
        const status = isFirst ? 401 : 200
        isFirst = false
        return reply(status)
      },
      { definition, settings: stored },
    )
    await sendAll(send, [mapped('http://d.test/')], live)
    expect(replies).toEqual([[{ body: '', status: 200 }]])
  })

  it('says why nothing was sent when there are no tokens, without a secret', async () => {
    const { send, replies } = sendingOf(() => reply(401, 'stored secret is wrong'), { definition, settings: stored })
    await sendAll(send, [mapped('http://d.test/')], live)
    expect(replies).toEqual([{ error: expect.stringContaining('401') }])
    expect(JSON.stringify(replies)).not.toContain('stored secret')
  })
})
