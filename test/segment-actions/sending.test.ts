import type { JsonObject } from '@sluice/core'
import { createManualClock, createSeededRandom, systemClock } from '@sluice/core'
import { createApiEraser, createSend, createTransport, type Delivery, sendAll } from '@sluice/delivery'
import { type DestinationDefinition, isKnown, mapEvent, parseSettings } from '@sluice/destinations'
import { segmentActions } from '@sluice/segment-actions'
import { afterEach, describe, expect, it } from 'vitest'
import { plainDefinition, type SmallPeer, writeSmallPeer } from '../support/faults/small-peer.ts'
import { pause } from '../support/pause.ts'
import { type Answer, type Receiver, startReceiver } from '../support/receiver.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** A product that answers in JSON. */
async function startProduct(answer: Answer = (_, response) => response.end('{}')): Promise<Receiver> {
  const product = await startReceiver((call, response) =>
    answer(call, response.setHeader('content-type', 'application/json')),
  )
  cleanups.push(() => product.close())
  return product
}

function peerWith(definitions: Readonly<Record<string, string>>): SmallPeer {
  const peer = writeSmallPeer(definitions)
  cleanups.push(() => peer.remove())
  return peer
}

/** The destination `plain`, with other parts in place of its own. */
function plainWith(change: string): DestinationDefinition {
  const loaded = segmentActions(peerWith({ plain: `${plainDefinition}\n${change}` }).folder).load('segment/plain')
  if (!loaded.ok) throw new Error(loaded.problem)
  return loaded.definition
}

function settingsOf(definition: DestinationDefinition, settings: JsonObject): JsonObject {
  const parsed = parseSettings(definition, { key: 'secret-key', ...settings })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  return parsed.settings
}

const live = new AbortController().signal
const track = (userId: string, event = 'Order Completed') => ({
  type: 'track',
  userId,
  event,
  messageId: `${userId}-${event}`,
})

/** Maps events and delivers them as production does. */
async function deliver(
  definition: DestinationDefinition,
  settings: JsonObject,
  events: readonly JsonObject[],
  timeMs = 60_000,
) {
  const transport = createTransport({ clock: systemClock, allowAddresses: ['localhost'] })
  cleanups.push(() => transport.close())
  const send = createSend({
    transport,
    clock: systemClock,
    random: createSeededRandom(1),
    destination: { definition, settings },
    retry: { attemptsMax: 2, baseMs: 1, capMs: 1 },
    timeMs,
  })
  const items = events.map((event) => {
    const requests = mapEvent(definition, event, settings, { now: 0 })
    if (!isKnown(requests)) throw new Error(JSON.stringify(requests))
    return { event, requests, userKey: String(event['userId']), messageId: String(event['messageId']) }
  })
  return sendAll(send, items, live)
}

const statusesOf = (outcomes: Awaited<ReturnType<typeof deliver>>) =>
  outcomes.map((outcome) =>
    outcome.kind === 'pass'
      ? outcome.items.map((each: Delivery) => (each.kind === 'delivered' ? each.status : 'later'))
      : outcome,
  )

describe('an action', () => {
  it('sends its payload with the options of extendRequest, and is delivered', async () => {
    const product = await startProduct()
    const definition = plainWith('')
    const outcomes = await deliver(definition, settingsOf(definition, { url: product.url }), [track('u1')])
    expect(statusesOf(outcomes)).toEqual([[200]])
    expect(product.received).toMatchObject([
      {
        method: 'POST',
        path: '/events',
        headers: { 'x-key': 'secret-key' },
        body: '{"name":"Order Completed","user":"u1"}',
      },
    ])
  })

  it('counts all its requests in its delivery, from which receipts and sums take them', async () => {
    const product = await startProduct()
    const definition = plainWith(`exports.default.actions.send.perform = async (request, { settings, payload }) => {
      await request(settings.url + '/find')
      return request(settings.url + '/events', { method: 'post', json: payload })
    }`)
    const outcomes = await deliver(definition, settingsOf(definition, { url: product.url }), [track('u1')])
    expect(outcomes).toMatchObject([{ kind: 'pass', items: [{ kind: 'delivered', status: 200, requests: 2 }] }])
  })

  it('is tried again when the product fails, with its payload as it was', async () => {
    let answered = 0
    const product = await startProduct((_, response) => {
      answered += 1
      response.writeHead(answered === 1 ? 503 : 200).end('{}')
    })
    const definition = plainWith(`exports.default.actions.send.perform = async (request, { settings, payload }) => {
      const body = { ...payload }
      payload.name = 'changed'
      return request(settings.url, { method: 'post', json: body })
    }`)
    const outcomes = await deliver(definition, settingsOf(definition, { url: product.url }), [track('u1')])
    expect(statusesOf(outcomes)).toEqual([[200]])
    expect(product.received.map(({ body }) => JSON.parse(body).name)).toEqual(['Order Completed', 'Order Completed'])
  })

  it('that is refused becomes a failure which shows its requests, without secrets', async () => {
    const product = await startProduct((_, response) =>
      response.writeHead(400).end('{"error":"key secret-key is wrong"}'),
    )
    const definition = plainWith('')
    const [outcome] = await deliver(definition, settingsOf(definition, { url: product.url }), [track('u1')])
    expect(outcome).toMatchObject({
      kind: 'fail',
      error: {
        code: 'deliver.refused',
        message: expect.stringContaining('segment/plain/send refused the request. It answered 400.'),
        detail: { status: 400, steps: [{ method: 'POST', endpoint: `${product.url}/events`, status: 400 }] },
      },
    })
    expect(JSON.stringify(outcome)).not.toContain('secret-key')
  })

  it('reads the errors of Segment: its status decides whether it is tried again', async () => {
    const product = await startProduct()
    const throwing = (error: string) => plainWith(`exports.default.actions.send.perform = () => { throw ${error} }`)
    const outcomeOf = async (error: string) => {
      const definition = throwing(error)
      const [outcome] = await deliver(definition, settingsOf(definition, { url: product.url }), [track('u1')])
      return outcome?.kind === 'fail' ? [outcome.error.code, outcome.error.detail?.['attempts']] : outcome
    }
    expect(await outcomeOf('new core.RetryableError("wait")')).toEqual(['deliver.unavailable', 2])
    expect(await outcomeOf('new core.IntegrationError("no", "BAD", 500)')).toEqual(['deliver.unavailable', 2])
    expect(await outcomeOf('new core.PayloadValidationError("no")')).toEqual(['deliver.refused', 1])
    expect(await outcomeOf('new core.InvalidAuthenticationError("no")')).toEqual(['deliver.refused', 1])
    expect(await outcomeOf('new TypeError("a bug")')).toEqual(['deliver.refused', 1])
    expect(await outcomeOf('"a text"')).toEqual(['deliver.refused', 1])
  })

  it('that never ends is given up after its time, and does not hold up another destination', async () => {
    const product = await startProduct()
    const endless = plainWith('exports.default.actions.send.perform = () => new Promise(() => {})')
    const other = plainWith('')
    const given = deliver(endless, settingsOf(endless, { url: product.url }), [track('u1')], 100)
    expect(statusesOf(await deliver(other, settingsOf(other, { url: product.url }), [track('u1')]))).toEqual([[200]])
    expect(await given).toMatchObject([
      { kind: 'fail', error: { message: expect.stringContaining('did not end within 300 ms') } },
    ])
  })

  it('can send nothing after its time is over', async () => {
    const product = await startProduct()
    const late = plainWith(`exports.default.actions.send.perform = async (request, { settings }) => {
      await new Promise((resolve) => setTimeout(resolve, 150))
      await request(settings.url + '/late')
    }`)
    await deliver(late, settingsOf(late, { url: product.url }), [track('u1')], 30)
    await pause(200, 'the action would send 150 ms after it began')
    expect(product.received).toEqual([])
  })

  it('fails once and for all when a reply is longer than 4 MiB', async () => {
    const product = await startProduct((_, response) => response.end(Buffer.alloc(10_000_000, 0x20)))
    const definition = plainWith('')
    const outcomes = await deliver(definition, settingsOf(definition, { url: product.url }), [track('u1')])
    expect(outcomes).toMatchObject([
      { kind: 'fail', error: { message: expect.stringContaining('longer than the limit of 4 MiB') } },
    ])
    expect(product.received).toHaveLength(1)
  })

  it('follows redirects, but not to addresses that are not allowed, and without secrets or bodies to another origin', async () => {
    const second = await startProduct()
    const first = await startProduct((call, response) => {
      const to = call.path === '/inside' ? 'http://10.0.0.1/' : `${second.url}/moved`
      response.writeHead(call.path === '/body' ? 307 : 302, { location: to }).end()
    })
    const definition = plainWith(`exports.default.actions.send.perform = (request, { settings, payload }) =>
      request(settings.url + payload.name, {
        method: 'post', json: payload, username: 'me', password: 'pw', headers: { 'x-api-key': 'k', accept: 'a/b' }
      })`)
    const settings = settingsOf(definition, { url: first.url })
    const events = [track('u1', '/out'), track('u2', '/inside'), track('u3', '/body')]
    const [moved, inside, withBody] = await deliver(definition, settings, events)
    expect(statusesOf([moved as NonNullable<typeof moved>])).toEqual([[200]])
    expect(second.received).toMatchObject([{ method: 'GET', path: '/moved', body: '', headers: { accept: 'a/b' } }])
    expect(second.received[0]?.headers.authorization).toBeUndefined()
    expect(second.received[0]?.headers['x-api-key']).toBeUndefined()
    expect(inside).toMatchObject({
      kind: 'fail',
      error: { message: expect.stringContaining('10.0.0.1 is not a public address') },
    })
    expect(withBody).toMatchObject({ kind: 'fail', error: { code: 'deliver.refused' } })
  })

  it('may send at most 200 requests for one event', async () => {
    const product = await startProduct()
    const definition = plainWith(`exports.default.actions.send.perform = async (request, { settings }) => {
      for (;;) await request(settings.url)
    }`)
    const outcomes = await deliver(definition, settingsOf(definition, { url: product.url }), [track('u1')])
    expect(outcomes).toMatchObject([
      { kind: 'fail', error: { message: expect.stringContaining('at most 200 requests') } },
    ])
    expect(product.received).toHaveLength(200)
  })

  it('that gets a redirect which leads nowhere, or aborts its own request, is not delivered', async () => {
    const product = await startProduct((call, response) => {
      if (call.path === '/moved') response.writeHead(302).end()
    })
    const moved = plainWith(
      `exports.default.actions.send.perform = (request, { settings }) => request(settings.url + '/moved')`,
    )
    const [refused] = await deliver(moved, settingsOf(moved, { url: product.url }), [track('u1')])
    expect(refused).toMatchObject({ kind: 'fail', error: { code: 'deliver.refused' } })
    const impatient = plainWith(`exports.default.actions.send.perform = (request, { settings }) =>
      request(settings.url + '/slow', { signal: AbortSignal.timeout(20) })`)
    const [aborted] = await deliver(impatient, settingsOf(impatient, { url: product.url }), [track('u1')])
    expect(aborted).toMatchObject({ kind: 'fail', error: { code: 'deliver.unavailable' } })
  })

  it('makes request clients of its own through the same transport', async () => {
    const definition = plainWith(`exports.default.actions.send.perform = (_, { settings }) =>
      core.createRequestClient({ headers: { 'x-own': '1' } })(settings.url + '/own')`)
    const product = await startProduct()
    const settings = settingsOf(definition, { url: product.url })
    expect(statusesOf(await deliver(definition, settings, [track('u1')]))).toEqual([[200]])
    expect(product.received).toMatchObject([{ path: '/own', headers: { 'x-own': '1' } }])
    const refused = await deliver(definition, { ...settings, url: 'http://192.168.7.7' }, [track('u1')])
    expect(refused).toMatchObject([
      { kind: 'fail', error: { message: expect.stringContaining('not a public address') } },
    ])
  })

  it('gets only its own settings, contexts without effect, and copies of the event', async () => {
    const product = await startProduct()
    const definition = plainWith(`exports.default.actions.send.perform = async (request, data) => {
      data.rawData.event = 'changed'
      data.statsContext.statsClient.incr('n', 1, data.statsContext.tags)
      data.statsContext.tags.push('x')
      data.logger.info('secret')
      const { settings, features, auth, audienceMembership } = data
      return request(settings.url, { method: 'post', json: { settings: Object.keys(settings), features, auth, audienceMembership: audienceMembership ?? 'none' } })
    }`)
    const event = Object.freeze(track('u1'))
    await deliver(definition, settingsOf(definition, { url: product.url }), [event])
    expect(JSON.parse(product.received[0]?.body ?? '')).toEqual({
      settings: ['key', 'url'],
      features: {},
      auth: {},
      audienceMembership: 'none',
    })
  })
})

const batching = `
exports.default.actions.send.fields.enable_batching = { label: 'Batch', description: 'Send together.', type: 'boolean', default: true }
exports.default.actions.send.fields.batch_size = { label: 'Size', description: 'Events in a batch.', type: 'number', default: 3 }
exports.default.actions.send.fields.batch_keys = { label: 'Keys', description: 'What a batch has in common.', type: 'string', multiple: true, default: ['name'] }
exports.default.presets[0].mapping = core.defaultValues(exports.default.actions.send.fields)
`

describe('events that are sent together', () => {
  it('share requests of batch_size events with the same values of batch_keys', async () => {
    const product = await startProduct()
    const definition = plainWith(`${batching}
      exports.default.actions.send.performBatch = (request, { settings, payload }) =>
        request(settings.url, { method: 'post', json: payload.map(({ user, name }) => user + ' ' + name) })`)
    const events = ['u1', 'u2', 'u3', 'u4'].map((user) => track(user, 'A')).concat(track('u5', 'B'))
    const outcomes = await deliver(definition, settingsOf(definition, { url: product.url }), events)
    expect(statusesOf(outcomes)).toEqual([[200], [200], [200], [200], [200]])
    expect(product.received.map(({ body }) => JSON.parse(body)).sort()).toEqual([
      ['u1 A', 'u2 A', 'u3 A'],
      ['u4 A'],
      ['u5 B'],
    ])
  })

  it('are judged one by one where the action reports a status for each', async () => {
    const product = await startProduct()
    const definition = plainWith(`${batching}
      exports.default.actions.send.performBatch = async (request, { settings, payload }) => {
        await request(settings.url, { method: 'post', json: payload })
        const response = new core.MultiStatusResponse()
        for (const { user } of payload) {
          if (user === 'bad') response.pushErrorResponse({ status: 400, errormessage: 'bad user' })
          else response.pushSuccessResponse({ status: 201, sent: {}, body: {} })
        }
        return response
      }`)
    const outcomes = await deliver(definition, settingsOf(definition, { url: product.url }), [
      track('u1', 'A'),
      track('bad', 'A'),
      track('u3', 'A'),
    ])
    expect(statusesOf(outcomes)).toEqual([
      [201],
      expect.objectContaining({
        kind: 'fail',
        error: expect.objectContaining({ message: expect.stringContaining('bad user') }),
      }),
      [201],
    ])
    expect(product.received).toHaveLength(1)
  })

  it('are sent again alone, with new tokens, when the product refused the tokens of one only', async () => {
    const product = await startProduct((call, response) =>
      response.end(call.path === '/token' ? '{"access_token":"second-token"}' : '{}'),
    )
    const definition = plainWith(`${batching}
      exports.default.authentication.scheme = 'oauth2'
      exports.default.authentication.refreshAccessToken = async (request, { settings }) =>
        ({ accessToken: (await request(settings.url + '/token', { method: 'post' })).data.access_token })
      exports.default.actions.send.performBatch = async (request, { settings, payload, auth }) => {
        await request(settings.url, { method: 'post', json: payload.map(({ user }) => user) })
        const response = new core.MultiStatusResponse()
        for (const { user } of payload) {
          if (user === 'u1' || auth.accessToken === 'second-token') response.pushSuccessResponse({ status: 200, sent: {}, body: {} })
          else response.pushErrorResponse({ status: 401, errormessage: 'token' })
        }
        return response
      }`)
    const settings = settingsOf(definition, { url: product.url, oauth: { accessToken: 'first-token' } })
    const outcomes = await deliver(definition, settings, [track('u1', 'A'), track('u2', 'A')])
    expect(statusesOf(outcomes)).toEqual([[200], [200]])
    const sent = product.received.filter(({ path }) => path !== '/token').map(({ body }) => JSON.parse(body))
    expect(sent).toEqual([['u1', 'u2'], ['u2']])
  })

  it('are sent one by one after the product refused them together, so that only the event at fault fails', async () => {
    const product = await startProduct((call, response) =>
      response.writeHead(call.body.includes('bad') ? 400 : 200).end('{}'),
    )
    const definition = plainWith(`${batching}
      exports.default.actions.send.performBatch = (request, { settings, payload }) => request(settings.url, { method: 'post', json: payload })`)
    const outcomes = await deliver(definition, settingsOf(definition, { url: product.url }), [
      track('u1', 'A'),
      track('bad', 'A'),
    ])
    expect(outcomes.map(({ kind }) => kind)).toEqual(['pass', 'fail'])
    expect(product.received).toHaveLength(3)
  })
})

describe('tokens of an account', () => {
  const oauth = `
    exports.default.authentication.scheme = 'oauth2'
    exports.default.authentication.refreshAccessToken = async (request, { settings, auth }) => {
      const { data } = await request(settings.url + '/token', { method: 'post', body: new URLSearchParams({
        refresh_token: auth.refreshToken, client_id: auth.clientId, client_secret: auth.clientSecret }) })
      return { accessToken: data.access_token }
    }
    exports.default.extendRequest = ({ auth }) => ({ headers: { authorization: 'Bearer ' + auth?.accessToken } })
  `

  it('are renewed once for all requests when the product refuses them', async () => {
    const product = await startProduct((call, response) => {
      if (call.path === '/token') return response.end('{"access_token":"second-token"}')
      return response.writeHead(call.headers.authorization === 'Bearer second-token' ? 200 : 401).end('{}')
    })
    const definition = plainWith(oauth)
    const settings = settingsOf(definition, {
      url: product.url,
      oauth: { accessToken: 'first-token', refreshToken: 'refresh-me', clientId: 'id', clientSecret: 'client-secret' },
    })
    const outcomes = await deliver(
      definition,
      settings,
      ['u1', 'u2', 'u3'].map((user) => track(user)),
    )
    expect(statusesOf(outcomes)).toEqual([[200], [200], [200]])
    const asked = product.received.filter(({ path }) => path === '/token')
    expect(asked.map(({ body }) => body)).toEqual(['refresh_token=refresh-me&client_id=id&client_secret=client-secret'])
  })

  it('that cannot be renewed fail the event without showing them', async () => {
    const product = await startProduct((call, response) =>
      response.writeHead(401).end(JSON.stringify({ echo: call.headers.authorization ?? call.body })),
    )
    const definition = plainWith(oauth)
    const settings = settingsOf(definition, {
      url: product.url,
      oauth: { accessToken: 'first-token', refreshToken: 'refresh-me', clientId: 'id', clientSecret: 'client-secret' },
    })
    const outcomes = await deliver(definition, settings, [track('u1')])
    expect(outcomes).toMatchObject([
      { kind: 'fail', error: { message: expect.stringContaining('returned no tokens') } },
    ])
    for (const secret of ['first-token', 'refresh-me', 'client-secret'])
      expect(JSON.stringify(outcomes)).not.toContain(secret)
  })
})

describe('secrets that are in no setting', () => {
  it('are hidden in failures: renewed tokens in addresses and replies, and credentials that a reply quotes', async () => {
    const product = await startProduct((call, response) => {
      if (call.path === '/token') return response.end('{"access_token":"renewed-token"}')
      if (!call.path.includes('renewed-token')) return response.writeHead(401).end('{}')
      return response.writeHead(400).end(`you sent renewed-token and ${call.headers.authorization}`)
    })
    const definition = plainWith(`
      exports.default.authentication.scheme = 'oauth2'
      exports.default.authentication.refreshAccessToken = async (request, { settings }) =>
        ({ accessToken: (await request(settings.url + '/token', { method: 'post' })).data.access_token })
      exports.default.actions.send.perform = (request, { settings, auth }) =>
        request(settings.url + '/in?token=' + auth.accessToken, { method: 'post', username: 'me', password: 'pass-word' })`)
    const settings = settingsOf(definition, { url: product.url, oauth: { accessToken: 'first-token' } })
    const [outcome] = await deliver(definition, settings, [track('u1')])
    expect(outcome).toMatchObject({
      kind: 'fail',
      error: { detail: { reply: expect.stringContaining('you sent'), steps: [{ endpoint: `${product.url}/in?…` }] } },
    })
    const basic = Buffer.from('me:pass-word').toString('base64')
    for (const secret of ['renewed-token', basic]) expect(JSON.stringify(outcome)).not.toContain(secret)
  })
})

describe('requests that an action does not wait for', () => {
  it('are part of it: they are sent before it counts as delivered', async () => {
    const product = await startProduct((_, response) => setTimeout(() => response.end('{}'), 30))
    const definition = plainWith(`exports.default.actions.send.perform = async (request, { settings }) => {
      request(settings.url + '/unawaited', { method: 'post', json: { a: 1 } })
    }`)
    const outcomes = await deliver(definition, settingsOf(definition, { url: product.url }), [track('u1')])
    expect(statusesOf(outcomes)).toEqual([[200]])
    expect(product.received).toMatchObject([{ path: '/unawaited', body: '{"a":1}' }])
  })
})

describe('JSON text in an event', () => {
  it('of more levels than events may have stays a text, so that every payload can be shown', async () => {
    const product = await startProduct()
    const definition = plainWith(`
      exports.default.actions.send.fields.name.type = 'object'
      exports.default.presets[0].mapping = { name: { data: { '@json': { mode: 'decode', value: { '@path': '$.event' } } } } }`)
    const settings = settingsOf(definition, { url: product.url })
    const outcomes = await deliver(definition, settings, [
      track('u1', `${'['.repeat(400)}1${']'.repeat(400)}`),
      track('u2', `${'['.repeat(3_000)}1${']'.repeat(3_000)}`),
    ])
    expect(statusesOf(outcomes)).toEqual([[200], [200]])
    const [first, second] = product.received.map(({ body }) => JSON.parse(body).name.data)
    expect([Array.isArray(first), typeof second]).toEqual([true, 'string'])
  })
})

describe('deletion', () => {
  it('runs onDelete for each user, and reports users that the product did not delete', async () => {
    const product = await startProduct((call, response) =>
      response.writeHead(call.path.endsWith('u2') ? 500 : 200).end('{}'),
    )
    const definition = plainWith('')
    const { deletion } = definition
    if (deletion === undefined) throw new Error('no deletion')
    const transport = createTransport({ clock: systemClock, allowAddresses: ['localhost'] })
    cleanups.push(() => transport.close())
    const eraser = createApiEraser({
      definition: { ...definition, deletion },
      settings: settingsOf(definition, { url: product.url }),
      transport,
      clock: createManualClock(),
      random: createSeededRandom(1),
    })
    const erasures = await eraser.erase([{ userId: 'u1' }, { userId: 'u2' }], live)
    expect(erasures.map(({ status }) => status)).toEqual(['complete', 'failed'])
    expect(product.received.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
      'DELETE /users/u1',
      'DELETE /users/u2',
    ])
    expect(product.received[0]?.headers['x-key']).toBe('secret-key')
  })
})
