import { createManualClock, createSeededRandom, type JsonObject } from '@sluice/core'
import {
  action,
  configurationError,
  type DeletionRule,
  type DestinationDefinition,
  json,
  oauth2,
  webhook,
} from '@sluice/destinations'
import { respondWithCount, type SearchRule } from '@sluice/destinations/kit'
import { describe, expect, it } from 'vitest'
import { type Answer, createRecordingTransport, reply } from '../transport/recording-transport.ts'
import { type ApiEraserOptions, createApiEraser } from './api-eraser.ts'

const live = new AbortController().signal
const settings = { key: 'pw-key', id: 'client', secret: 'pw-client', refresh: 'pw-refresh' }
const people = (count: number) => Array.from({ length: count }, (_, i) => ({ userId: `u${i}` }))

const rule: DeletionRule = {
  usersMax: 2,
  requests: (users, { key }, { requestId }) => [
    json({
      method: 'POST',
      endpoint: 'https://api.test/delete',
      headers: { Authorization: `Bearer ${key}`, 'X-Request': requestId },
      body: { ids: users.map(({ userId }) => userId ?? '') },
    }),
  ],
}

function setUp(
  deletion: Partial<DeletionRule>,
  answer: Answer,
  more: Partial<DestinationDefinition> = {},
  options: Pick<ApiEraserOptions, 'writingsOf'> = {},
) {
  const transport = createRecordingTransport(answer)
  const eraser = createApiEraser({
    definition: { ...webhook, secrets: ['key', 'secret', 'refresh'], ...more, deletion: { ...rule, ...deletion } },
    settings,
    transport,
    clock: createManualClock(),
    random: createSeededRandom(1),
    ...options,
  })
  const erase = (users: readonly JsonObject[], signal = live) => eraser.erase(users, signal)
  const sent = () => transport.requests.map(({ body }) => body.JSON['ids'])
  return { eraser, erase, transport, sent }
}

/** Answers late and counts the requests that wait at the same time. */
function slow() {
  let underWay = 0
  const seen = { most: 0 }
  const answer: Answer = async () => {
    underWay += 1
    seen.most = Math.max(seen.most, underWay)
    await new Promise((resolve) => setTimeout(resolve, 5))
    underWay -= 1
    return reply(200)
  }
  return { answer, seen }
}

describe('the eraser of an API', () => {
  it('sends as many users per request as the rule says, each once', async () => {
    const { erase, sent } = setUp({}, () => reply(200))
    expect(await erase(people(5))).toEqual(Array(5).fill({ status: 'complete' }))
    expect(sent()).toEqual([['u0', 'u1'], ['u2', 'u3'], ['u4']])
  })

  it('supports a rule whose number of users depends on the settings', async () => {
    const { erase, sent } = setUp({ usersMax: ({ key }) => String(key).length }, () => reply(200))
    await erase(people(7))
    expect(sent()).toHaveLength(2)
  })

  it('gives each request a unique id', async () => {
    const { erase, transport } = setUp({}, () => reply(200))
    await erase(people(6))
    expect(new Set(transport.requests.map(({ headers }) => headers['X-Request'])).size).toBe(3)
  })

  for (const concurrency of [1, 3]) {
    it(`sends ${concurrency} requests concurrently and no more, across calls`, async () => {
      const { answer, seen } = slow()
      const { erase, sent } = setUp({ concurrency }, answer)
      await Promise.all([erase(people(10)), erase(people(10))])
      expect([sent().length, seen.most]).toEqual([10, concurrency])
    })
  }

  it('starts no more requests per minute than the rule allows, and stops waiting when the signal aborts', async () => {
    const { erase, sent } = setUp({ perMinuteMax: 2, concurrency: 5 }, () => reply(200))
    const stop = new AbortController()
    const erasing = erase(people(8), stop.signal)
    await expect.poll(sent).toHaveLength(2)
    // The clock stands still, so nothing more may be sent.
    const outcome = Promise.race([erasing, new Promise((resolve) => setTimeout(resolve, 20, 'waiting'))])
    expect(await outcome).toBe('waiting')
    expect(sent()).toHaveLength(2)
    stop.abort(new Error('stopping'))
    await expect(erasing).rejects.toThrow('stopping')
  })

  it('completes for unknown users, with a note that there was nothing to delete', async () => {
    const { erase } = setUp({ tolerates: [404] }, () => reply(404, '{"error":"no such user"}'))
    const [erasure] = await erase(people(1))
    expect(erasure).toMatchObject({ status: 'complete', note: expect.stringContaining('404') })
  })

  describe('that can be searched', () => {
    const search: SearchRule = {
      requests: ({ userId = '' }) => [json({ method: 'POST', endpoint: 'https://api.test/find', body: { userId } })],
      respond: respondWithCount(({ body }) => (typeof body === 'number' ? body : undefined)),
    }
    /** A product that refuses the deletion with 404, and answers searches with this. */
    const refusing = (found: Answer) =>
      setUp({ tolerates: [404], usersMax: 2, search }, (request, options) =>
        request.endpoint.endsWith('/find') ? found(request, options) : reply(404, '{"error":"not found"}'),
      )

    it('completes for a user who is not known there, when a search finds none either', async () => {
      const { erase, transport } = refusing(() => reply(200, '0'))
      expect(await erase(people(2))).toMatchObject(Array(2).fill({ status: 'complete' }))
      expect(transport.requests.slice(1).map(({ body }) => body.JSON)).toEqual([
        { ids: ['u0'] },
        { userId: 'u0' },
        { ids: ['u1'] },
        { userId: 'u1' },
      ])
    })

    it('has not deleted a user whom a search still finds: 404 was about the account or an address', async () => {
      const { erase } = refusing(({ body }) => reply(200, body.JSON['userId'] === 'u1' ? '1' : '0'))
      const [gone, kept] = await erase(people(2))
      expect(gone).toMatchObject({ status: 'complete' })
      expect(kept).toMatchObject({ status: 'failed', reason: expect.stringContaining('a search there finds the user') })
    })

    it('has not deleted a user when the search fails, for the same reason or another', async () => {
      for (const status of [404, 403, 500]) {
        const { erase } = refusing(() => reply(status, '{"error":"no such list"}'))
        expect(await erase(people(1))).toMatchObject([
          { status: 'failed', reason: expect.stringContaining(`could not be checked: It answered ${status}.`) },
        ])
      }
    })
  })

  it('takes a refusal for an unknown user only when it names exactly this user, where the product does so', async () => {
    const isUnknownUser: DeletionRule['isUnknownUser'] = ({ body }, { userId }) =>
      body !== null && Object(body).id === userId
    const { erase } = setUp({ tolerates: [404], usersMax: 1, isUnknownUser }, () => reply(404, '{"id":"u0"}'))
    expect(await erase(people(2))).toMatchObject([{ status: 'complete' }, { status: 'failed' }])
  })

  it('takes 404 for an unknown user only from an API: a page or nothing comes from a wrong address', async () => {
    for (const body of ['', '<h1>Not found</h1>', '"not found"']) {
      const { erase } = setUp({ tolerates: [404] }, () => reply(404, body))
      expect(await erase(people(2))).toMatchObject([{ status: 'aborted' }, { status: 'aborted' }])
    }
  })

  it('sends each user alone when a batch was refused because of an unknown user', async () => {
    const { erase, sent } = setUp({ tolerates: [400], usersMax: 3 }, ({ body }) => {
      const { ids } = body.JSON as { ids: readonly string[] }
      if (ids.includes('u1')) return reply(400)
      return ids.includes('u2') ? reply(500) : reply(200)
    })
    expect((await erase(people(4))).map(({ status }) => status)).toEqual(['complete', 'complete', 'failed', 'complete'])
    expect(sent()).toEqual([['u0', 'u1', 'u2'], ['u0'], ['u1'], ['u2'], ['u3']])
  })

  it('never reports users without the required identifier as deleted', async () => {
    const { erase, sent } = setUp({ identifier: () => 'email' }, () => reply(200))
    const [named, ...others] = await erase([
      { userId: 'u0', email: 'e' },
      { userId: 'u1', email: ' ' },
      { userId: 'u2' },
    ])
    expect(named).toEqual({ status: 'complete' })
    const left = { status: 'aborted', reason: 'the regulation has no email, which identifies users there' }
    expect(others).toEqual([left, left])
    expect(sent()).toEqual([['u0']])
    expect(await setUp({ requests: () => [] }, () => reply(200)).erase(people(1))).toMatchObject([
      { status: 'aborted' },
    ])
  })

  it('adds a note when a destination accepts a refusal as success', async () => {
    const respond = () => ({ outcome: 'delivered', status: 200, message: 'no such contact' }) as const
    const [erasure] = await setUp({ respond }, () => reply(400)).erase(people(1))
    expect(erasure).toMatchObject({ status: 'complete', note: expect.stringContaining('The user was not known') })
  })

  it('gives up on 404, unless the rule tolerates it', async () => {
    const { erase } = setUp({}, () => reply(404))
    expect(await erase(people(1))).toMatchObject([{ status: 'aborted' }])
  })

  it('reports each batch separately, so that only failed users are retried', async () => {
    const { erase } = setUp({ concurrency: 2 }, ({ body }) =>
      JSON.stringify(body).includes('u2') ? reply(500) : reply(200),
    )
    const statuses = (await erase(people(6))).map(({ status }) => status)
    expect(statuses).toEqual(['complete', 'complete', 'failed', 'failed', 'complete', 'complete'])
  })

  it('gives each user the result that the reply has for them', async () => {
    const perform = async () =>
      ({
        outcome: 'delivered',
        status: 200,
        message: '',
        items: [
          { outcome: 'delivered', status: 200, message: 'deleted 2' },
          { outcome: 'delivered', status: 200, message: '' },
          { outcome: 'retry', status: 503, message: 'busy' },
        ],
      }) as const
    const { erase } = setUp(
      { usersMax: 4, requests: (users) => [action({ endpoint: 'action:erase', body: { count: users.length } })] },
      () => reply(200),
      { action: { perform } },
    )
    expect(await erase(people(4))).toEqual([
      { status: 'complete', note: 'deleted 2' },
      { status: 'complete' },
      { status: 'failed', reason: 'busy' },
      { status: 'failed', reason: 'the destination returned no result for this user' },
    ])
  })

  it('waits as long as Retry-After says', async () => {
    const { erase } = setUp({}, () => reply(429, '', { 'retry-after': '90' }))
    expect(await erase(people(1))).toMatchObject([{ status: 'failed', retryAfterMs: 90_000 }])
  })

  it('fails for a retry when there is no reply', async () => {
    const { erase } = setUp({}, () => ({ kind: 'network', code: 'ECONNRESET', message: 'The connection broke.' }))
    expect(await erase(people(1))).toMatchObject([{ status: 'failed' }])
  })

  it('gives up users that the rule rejects, and sends nothing', async () => {
    const { erase, sent } = setUp({ requests: () => configurationError('a key is needed') }, () => reply(200))
    expect(await erase(people(1))).toEqual([{ status: 'aborted', reason: 'a key is needed' }])
    expect(sent()).toEqual([])
  })

  it('sends the requests of a rule in order, up to the first failure', async () => {
    const requests: DeletionRule['requests'] = () =>
      ['a', 'b', 'c'].map((path) => json({ method: 'POST', endpoint: `https://api.test/${path}`, body: {} }))
    const { erase, transport } = setUp({ requests }, ({ endpoint }) => reply(endpoint.endsWith('b') ? 500 : 200))
    expect(await erase(people(1))).toMatchObject([{ status: 'failed' }])
    expect(transport.requests.map(({ endpoint }) => endpoint.at(-1))).toEqual(['a', 'b'])
  })

  it('never shows a secret, even when the reply repeats it', async () => {
    const { erase } = setUp({}, () => reply(403, 'pw-key and pw-client are wrong'))
    const [erasure] = await erase(people(1))
    expect(erasure).toMatchObject({ status: 'failed', reason: expect.stringContaining('are wrong') })
    expect(JSON.stringify(erasure)).not.toMatch(/pw-/)
  })
})

describe('the eraser of an API and writings of an id', () => {
  const written = [' u1', 'u\u200b1', 'other '].map((text) => ({
    userId: text.replace(/[ \u200b]/g, ''),
    written: text,
  }))
  const asked: (readonly string[])[] = []
  const writingsOf = async (userIds: readonly string[]) => {
    asked.push(userIds)
    return written.filter(({ userId }) => userIds.includes(userId))
  }

  it('deletes a user by every writing of the id, in batches as large as the rule says', async () => {
    const { erase, sent } = setUp({}, () => reply(200), {}, { writingsOf })
    expect(await erase(people(3))).toEqual(Array(3).fill({ status: 'complete' }))
    expect(sent()).toEqual([['u0', 'u1'], [' u1', 'u\u200b1'], ['u2']])
    expect(asked.at(-1)).toEqual(['u0', 'u1', 'u2'])
  })

  it('has deleted a user once every writing is deleted that the product knows', async () => {
    const of = (unknown: readonly string[], status: number) =>
      setUp(
        { usersMax: 1 },
        ({ body }) => reply(unknown.includes(String(body.JSON['ids'])) ? status : 200),
        {},
        { writingsOf },
      )
    const statuses = async (unknown: readonly string[], status: number) =>
      (await of(unknown, status).erase(people(2))).map((erasure) => erasure.status)
    expect(await statuses(['u1', 'u\u200b1'], 404)).toEqual(['complete', 'complete'])
    expect(await statuses(['u1', ' u1', 'u\u200b1'], 404)).toEqual(['complete', 'aborted'])
    expect(await statuses(['u\u200b1'], 500)).toEqual(['complete', 'failed'])
  })

  it('asks for no writings where users are found by another identifier', async () => {
    const before = asked.length
    const { erase, sent } = setUp({ identifier: () => 'email' }, () => reply(200), {}, { writingsOf })
    await erase([{ userId: 'u1', email: 'e' }])
    expect([asked.length, sent()]).toEqual([before, [['u1']]])
  })
})

describe('the eraser of an API with an account', () => {
  const account = oauth2({
    tokenEndpoint: 'https://login.test/token',
    grant: 'refresh_token',
    settings: { clientId: 'id', clientSecret: 'secret', refreshToken: 'refresh' },
  })

  /** Issues numbered tokens and rejects those before `firstAccepted`. */
  function product(firstAccepted: number): Answer {
    let given = 0
    return ({ endpoint, headers }) => {
      if (endpoint.startsWith('https://login.test')) {
        given += 1
        return reply(200, JSON.stringify({ access_token: `pw-token-${given}` }))
      }
      const token = headers['Authorization'] ?? ''
      return reply(Number(token.split('-').at(-1)) >= firstAccepted ? 200 : 401, `who is ${token}?`)
    }
  }

  it('requests a new token once when the first is refused', async () => {
    const { erase, transport } = setUp({}, product(2), { account })
    expect(await erase(people(4))).toEqual(Array(4).fill({ status: 'complete' }))
    expect(transport.requests.filter(({ endpoint }) => endpoint.includes('login'))).toHaveLength(2)
  })

  it('requests a new token only once, and shows no token', async () => {
    const { erase, transport } = setUp({}, product(9), { account })
    const [erasure] = await erase(people(1))
    expect(erasure?.status).toBe('failed')
    expect(JSON.stringify(erasure)).not.toMatch(/pw-/)
    expect(transport.requests).toHaveLength(4)
  })

  it('fails while the account returns no token, and deletes nothing', async () => {
    const { erase, transport } = setUp({}, () => reply(400, 'pw-client is unknown'), { account })
    const [erasure] = await erase(people(1))
    expect(erasure?.status).toBe('failed')
    expect(JSON.stringify(erasure)).not.toMatch(/pw-/)
    expect(transport.requests.every(({ endpoint }) => endpoint.startsWith('https://login.test'))).toBe(true)
  })
})
