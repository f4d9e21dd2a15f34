import { createManualClock, createSeededRandom } from '@sluice/core'
import { type DestinationDefinition, json, oauth2, webhook } from '@sluice/destinations'
import { describe, expect, it } from 'vitest'
import { createRecordingTransport, reply } from '../../transport/recording-transport.ts'
import { createSend } from '../create-send.ts'
import { sendAll } from '../send.ts'

const definition: DestinationDefinition = {
  ...webhook,
  secrets: ['secret', 'refresh'],
  account: oauth2({
    tokenEndpoint: 'https://login.test/token',
    grant: 'refresh_token',
    settings: { clientId: 'id', clientSecret: 'secret', refreshToken: 'refresh' },
  }),
}
const settings = { id: 'client', secret: 'pw-client', refresh: 'pw-first' }
const live = new AbortController().signal

const event = (userKey: string, messageId = userKey) => ({
  event: { messageId },
  requests: [json({ method: 'POST', endpoint: 'https://api.test/in', body: { messageId } })],
  userKey,
  messageId,
})

/** A product whose tokens are valid for a limited number of requests. */
function setUp(requestsPerToken: number, options: { readonly lifetime?: number; readonly broken?: number } = {}) {
  let token = 0
  let left = 0
  const clock = createManualClock()
  const transport = createRecordingTransport(async ({ endpoint, headers, body }) => {
    await new Promise(setImmediate)
    if (endpoint.startsWith('https://login.test')) {
      if (options.broken) return reply(options.broken, 'pw-client is unknown')
      expect(body.FORM).toMatchObject({ grant_type: 'refresh_token', client_id: 'client', client_secret: 'pw-client' })
      expect(body.FORM['refresh_token']).toBe(token === 0 ? 'pw-first' : `pw-refresh-${token}`)
      token += 1
      left = requestsPerToken
      const answer = { access_token: `pw-token-${token}`, refresh_token: `pw-refresh-${token}` }
      return reply(200, JSON.stringify({ ...answer, expires_in: options.lifetime || undefined }))
    }
    if (headers['Authorization'] !== `Bearer pw-token-${token}` || left === 0) return reply(401, 'who are you?')
    left -= 1
    return reply(200)
  })
  const send = createSend({
    transport,
    clock,
    random: createSeededRandom(1),
    destination: { definition, settings },
    retry: { attemptsMax: 1, baseMs: 1, capMs: 1 },
  })
  const asked = () => transport.requests.filter(({ endpoint }) => endpoint.startsWith('https://login.test')).length
  return { send, transport, clock, asked }
}

describe('delivery through an account', () => {
  it('requests tokens once for all requests', async () => {
    const { send, asked } = setUp(100)
    const outcomes = await sendAll(send, [event('a'), event('b'), event('c')], live)
    await sendAll(send, [event('a')], live)
    expect(outcomes.map(({ kind }) => kind)).toEqual(['pass', 'pass', 'pass'])
    expect(asked()).toBe(1)
  })

  it('requests new tokens when they are refused, sends again, and uses the new refresh token next time', async () => {
    const { send, asked } = setUp(2)
    const outcomes = await sendAll(
      send,
      [1, 2, 3, 4, 5].map((n) => event('a', `m${n}`)),
      live,
    )
    expect(outcomes.map(({ kind }) => kind)).toEqual(['pass', 'pass', 'pass', 'pass', 'pass'])
    expect(asked()).toBe(3)
  })

  it('requests new tokens before the old ones expire', async () => {
    const { send, clock, asked } = setUp(100, { lifetime: 3_600 })
    await sendAll(send, [event('a')], live)
    clock.advance(3_500_000)
    await sendAll(send, [event('a')], live)
    expect(asked()).toBe(1)
    clock.advance(41_000)
    await sendAll(send, [event('a')], live)
    expect(asked()).toBe(2)
  })

  it('gives up a request that is also refused with new tokens, and shows no token', async () => {
    const { send, transport } = setUp(0)
    const [outcome] = await sendAll(send, [event('a')], live)
    expect(outcome).toMatchObject({ kind: 'fail', error: { code: 'deliver.refused', detail: { status: 401 } } })
    expect(JSON.stringify(outcome)).not.toContain('pw-')
    expect(transport.requests).toHaveLength(4)
  })

  for (const [broken, code] of [
    [400, 'deliver.refused'],
    [503, 'deliver.unavailable'],
  ] as const)
    it(`sends nothing without tokens: status ${broken} from the account is ${code}`, async () => {
      const { send, transport } = setUp(1, { broken })
      const [outcome] = await sendAll(send, [event('a')], live)
      expect(outcome).toMatchObject({
        kind: 'fail',
        error: { code, message: expect.stringContaining('Its account returned no tokens.') },
      })
      expect(JSON.stringify(outcome)).not.toContain('pw-')
      expect(transport.requests.map(({ endpoint }) => endpoint)).toEqual(['https://login.test/token'])
    })

  it('stops waiting for tokens when the signal aborts', async () => {
    const stop = new AbortController()
    const transport = createRecordingTransport(
      () => new Promise(() => setImmediate(() => stop.abort(new Error('stopping')))),
    )
    const send = createSend({
      transport,
      clock: createManualClock(),
      random: createSeededRandom(1),
      destination: { definition, settings },
    })
    await expect(sendAll(send, [event('a')], stop.signal)).rejects.toThrow('stopping')
  })
})
