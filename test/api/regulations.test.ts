import { createManualClock, createSeededRandom, type JsonObject } from '@sluice/core'
import { type Answer, createRecordingTransport, reply } from '@sluice/delivery'
import { defineDestination } from '@sluice/destinations'
import { createSluice, type Sluice } from 'sluice'
import Type from 'typebox'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type ApiAnswer, type ApiClient, createApiClient, hashOf } from '../support/http/api-client.ts'
import { shop } from '../support/scenes/shop.ts'
import { conformanceJson, hasConformance } from '../support/texts/conformance.ts'

const keptByUser = defineDestination({
  type: 'KEEPER',
  displayName: 'Keeper',
  storage: 'key-value',
  supports: ['track'],
  settings: Type.Object({}),
  secrets: [],
  requests: () => [],
  examples: [],
})

let sluice: Sluice
let api: ApiClient
let recorded: ReturnType<typeof createRecordingTransport>
/** The response of the destination. */
let answer: Answer

beforeEach(async () => {
  answer = () => reply(200)
  recorded = createRecordingTransport((...request) => answer(...request))
  const definition = shop('http://hook.test/', {
    sources: [
      { id: 'web', writeKey: 'web-key' },
      { id: 'app', writeKey: 'app-key' },
    ],
    connections: [
      { source: 'web', destination: 'hook' },
      { source: 'app', destination: 'hook' },
    ],
    accessTokens: [
      { name: 'all', token: hashOf('all-token') },
      { name: 'reader', token: hashOf('reader-token'), scopes: ['read'] },
    ],
  })
  const { destinations = [] } = definition
  sluice = await createSluice({
    workspace: { ...definition, destinations: [...destinations, { id: 'keeper', type: 'KEEPER', settings: {} }] },
    destinations: [keptByUser],
    transport: recorded,
    clock: createManualClock(),
    random: createSeededRandom(3),
  })
  api = await createApiClient(sluice, 'Bearer all-token')
})
afterEach(() => sluice.stop())

const create = (body: JsonObject): Promise<ApiAnswer> => api.post('/v2/regulations', body)
const suppress = (userId: string, more: JsonObject = {}): Promise<ApiAnswer> =>
  create({ regulationType: 'suppress', users: [{ userId }], ...more })

interface Listed {
  readonly id: string
  readonly canceled: boolean
  readonly attributes: JsonObject
}
const list = async (path = '/v2/regulations'): Promise<{ data: readonly Listed[]; next: string | undefined }> => {
  const { body } = await api.get(path)
  const { data, paging } = body as unknown as { data: readonly Listed[]; paging: { next?: string } }
  return { data, next: paging.next }
}
const userOf = ({ attributes }: Listed): unknown => attributes['userId']

/** Returns whether an event of the user at this source still arrives. */
async function arrives(userId: unknown, writeKey = 'web-key'): Promise<boolean> {
  const before = recorded.requests.length
  expect((await sluice.ingest(writeKey, [{ type: 'track', event: 'E', userId, anonymousId: 'a' }])).ok).toBe(true)
  await sluice.settled()
  return recorded.requests.length > before
}

describe('creating a regulation', () => {
  it('answers 201 with the text Created, and applies from the next event on', async () => {
    expect(await arrives('u1')).toBe(true)
    expect(await suppress('u1')).toMatchObject({ status: 201, text: 'Created' })
    expect([await arrives('u1'), await arrives('u2')]).toEqual([false, true])
  })

  it('creates one regulation per user, with the identifiers flat in its attributes', async () => {
    const users = [{ userId: 'u1', email: 'u1@mail.test', loyalty: '77' }, { userId: ' u2 ' }]
    await create({ regulationType: 'suppress', users })
    const { data, next } = await list()
    expect(next).toBeUndefined()
    expect(data).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        workspaceId: 'shop',
        canceled: false,
        regulationType: 'suppress',
        attributes: { userId: 'u1', email: 'u1@mail.test', loyalty: '77' },
      },
      expect.objectContaining({ attributes: { userId: 'u2' } }),
    ])
  })

  it('suppresses at the listed sources only', async () => {
    await suppress('u1', { sourceIds: ['web'] })
    expect([await arrives('u1', 'web-key'), await arrives('u1', 'app-key')]).toEqual([false, true])
  })

  it('refuses an empty list of sources or destinations, which would mean all of them', async () => {
    for (const regulationType of ['suppress', 'suppress_with_delete'])
      for (const [name, code] of [
        ['sourceIds', 'sourcesMissing'],
        ['destinationIds', 'destinationsMissing'],
      ] as const) {
        const refused = await api.post('/v2/regulations', { regulationType, users: [{ userId: 'u1' }], [name]: [] })
        expect(refused).toMatchObject({ status: 400, body: { code } })
        expect(refused.body.message).toContain(`${name} is empty`)
      }
    expect(await arrives('u1', 'web-key')).toBe(true)
  })

  it('refuses misspelt lists, which would widen it to everything, and names the right ones', async () => {
    const users = [{ userId: 'u1', anything: 'of the caller' }]
    for (const [given, meant] of [
      ['destinationID', 'destinationIds'],
      ['destinationIDs', 'destinationIds'],
      ['sourceID', 'sourceIds'],
    ] as const) {
      const body = { regulationType: 'suppress_with_delete', users, [given]: ['hook'] }
      const refused = await api.post('/v2/regulations', body)
      expect(refused).toMatchObject({ status: 400, body: { code: 'bodyUnknownMember' } })
      expect(refused.body.message).toContain(`body.${given} does not exist; did you mean ${meant}?`)
    }
    expect(await arrives('u1', 'web-key')).toBe(true)
  })

  it('without a list of sources means all sources, those added later included', async () => {
    await suppress('u1')
    await sluice.updateWorkspace(
      shop('http://hook.test/', {
        sources: [{ id: 'late', writeKey: 'late-key' }],
        connections: [{ source: 'late', destination: 'hook' }],
      }),
    )
    expect(await arrives('u1', 'late-key')).toBe(false)
  })

  it('suppresses at all sources when data is to be deleted too', async () => {
    await create({
      regulationType: 'suppress_with_delete',
      destinationIds: ['hook'],
      users: [{ userId: 'u1', email: 'e' }],
    })
    expect([await arrives('u1', 'web-key'), await arrives('u1', 'app-key')]).toEqual([false, false])
  })

  it('compares ids as cleaned text, whatever their type in the event', async () => {
    await suppress(' 456\u200b')
    expect([await arrives(456), await arrives('456 '), await arrives('4567')]).toEqual([false, false, true])
  })

  it('matches the anonymousId of an event, too, and that of a regulation never', async () => {
    await create({ regulationType: 'suppress', users: [{ userId: 'u', anonymousId: 'a' }] })
    expect(await arrives(undefined)).toBe(true)
    await suppress('a')
    expect(await arrives(undefined)).toBe(false)
  })

  it('accepts 5,000 users in one request', async () => {
    const users = Array.from({ length: 5_000 }, (_, i) => ({ userId: `u${i}` }))
    expect((await create({ regulationType: 'suppress', users })).status).toBe(201)
    expect([await arrives('u0'), await arrives('u4999'), await arrives('u5000')]).toEqual([false, false, true])
  })
})

describe('a request that is refused', () => {
  const users = [{ userId: 'fine' }]
  const cases: readonly (readonly [string, JsonObject, string, RegExp])[] = [
    [
      'another type',
      { regulationType: 'erase', users },
      'regulationTypeUnknown',
      /"erase".*suppress or suppress_with_delete/,
    ],
    ['no type', { users }, 'regulationTypeUnknown', /regulationType is missing/],
    [
      'destinations for a regulation that only suppresses',
      { regulationType: 'suppress', destinationIds: ['hook'], users },
      'destinationsNotAllowed',
      /destinationIds/,
    ],
    [
      'sources to a deletion',
      { regulationType: 'suppress_with_delete', sourceIds: ['web'], users },
      'sourcesNotAllowed',
      /sourceIds/,
    ],
    ['an unknown source', { regulationType: 'suppress', sourceIds: ['web', 'nope'], users }, 'sourceUnknown', /"nope"/],
    [
      'an unknown destination',
      { regulationType: 'suppress_with_delete', destinationIds: ['nope'], users },
      'destinationUnknown',
      /"nope"/,
    ],
    ['no users', { regulationType: 'suppress' }, 'usersMissing', /users is missing/],
    ['an empty list of users', { regulationType: 'suppress', users: [] }, 'usersMissing', /empty/],
    [
      'users that are not a list',
      { regulationType: 'suppress', users: { userId: 'u' } },
      'usersMissing',
      /users is an object/,
    ],
    [
      'too many users',
      { regulationType: 'suppress', users: Array.from({ length: 5_001 }, () => ({ userId: 'u' })) },
      'usersTooMany',
      /5001/,
    ],
    [
      'an identifier that is not text',
      { regulationType: 'suppress', users: [{ userId: 'u', phone: 7 }] },
      'usersInvalid',
      /users\[0\]: phone must be a string/,
    ],
    [
      'custom identifiers for users who are found only by userId',
      {
        regulationType: 'suppress_with_delete',
        destinationIds: ['hook', 'keeper'],
        users: [{ userId: 'u', email: 'e', loyaltyCard: 'c' }],
      },
      'usersInvalid',
      /loyaltyCard is not accepted with destination keeper/,
    ],
  ]
  for (const [what, body, code, message] of cases)
    it(`${what}: 400 ${code}, and nothing is stored`, async () => {
      const answer = await create(body)
      expect(answer).toMatchObject({ status: 400, body: { code, message: expect.stringMatching(message) } })
      expect((await list()).data).toEqual([])
      expect(await arrives('fine')).toBe(true)
    })

  it('names each invalid user by its index, without repeating an id, and stores none', async () => {
    const answer = await create({
      regulationType: 'suppress',
      users: [{ userId: 'fine' }, {}, { userId: 'secret-id', email: { x: 1 } }, { userId: ' ' }, { userId: 5 }],
    })
    expect(answer.body).toMatchObject({
      code: 'usersInvalid',
      details: {
        users: [
          { index: 1, message: 'userId is missing' },
          { index: 2, message: 'email must be a string of at most 1000 characters' },
          { index: 3, message: 'userId is blank' },
          { index: 4, message: 'userId must be a string, not number' },
        ],
      },
    })
    expect(answer.text).not.toContain('secret-id')
    expect((await list()).data).toEqual([])
  })

  it('names each user that is not an object by its index, without repeating it, and stores none', async () => {
    const answer = await create({
      regulationType: 'suppress',
      users: ['secret-id', { userId: 'fine' }, {}, 7, null, ['secret-id']],
    })
    expect(answer).toMatchObject({
      status: 400,
      body: {
        code: 'usersInvalid',
        message: 'users[0]: must be an object with userId, not a string (and 4 more)',
        details: {
          users: [
            { index: 0, message: 'must be an object with userId, not a string' },
            { index: 2, message: 'userId is missing' },
            { index: 3, message: 'must be an object with userId, not a number' },
            { index: 4, message: 'must be an object with userId, not null' },
            { index: 5, message: 'must be an object with userId, not a list' },
          ],
        },
      },
    })
    expect(answer.text).not.toContain('secret-id')
    expect((await list()).data).toEqual([])
  })

  it('does not repeat a user id that was sent in place of the list', async () => {
    const answer = await create({ regulationType: 'suppress', users: 'secret-id' })
    expect(answer).toMatchObject({ status: 400, body: { code: 'usersMissing' } })
    expect(answer.body.message).toMatch(/users is a string/)
    expect(answer.text).not.toContain('secret-id')
  })

  it('without a token, or with a read-only one: 401 and 403', async () => {
    const body = { regulationType: 'suppress', users }
    expect((await api.as('Bearer unknown').post('/v2/regulations', body)).status).toBe(401)
    expect((await api.as('Bearer reader-token').post('/v2/regulations', body)).status).toBe(403)
    expect((await api.as('Bearer reader-token').get('/v2/regulations')).status).toBe(200)
  })
})

describe('listing regulations', () => {
  it('returns pages that stay stable while others are created, without next on the last page', async () => {
    const users = Array.from({ length: 250 }, (_, i) => ({ userId: `u${i}` }))
    await create({ regulationType: 'suppress', users })
    const first = await list()
    expect(first.data.length).toBe(100)
    expect(first.next).toMatch(/^\/v2\/regulations\?after_cursor=[\w-]+$/)
    await suppress('late')
    const second = await list(first.next)
    const third = await list(second.next)
    expect([...first.data, ...second.data, ...third.data].map(userOf)).toEqual([
      ...users.map(({ userId }) => userId),
      'late',
    ])
    expect(third.next).toBeUndefined()
  })

  it('allows page sizes up to 1,000, which the next path keeps', async () => {
    await create({ regulationType: 'suppress', users: Array.from({ length: 5 }, (_, i) => ({ userId: `u${i}` })) })
    const first = await list('/v2/regulations?limit=2')
    expect(first.next).toMatch(/&limit=2$/)
    expect((await list(first.next)).data.map(userOf)).toEqual(['u2', 'u3'])
    for (const limit of ['0', '1001', 'x', '1.5'])
      expect(await api.get(`/v2/regulations?limit=${limit}`)).toMatchObject({
        status: 400,
        body: { code: 'queryInvalid' },
      })
  })

  it('can be limited to one user, whose id is compared as cleaned text, page by page', async () => {
    const users = ['a&b', 'other', 'a&b', 'a&b'].map((userId) => ({ userId }))
    await create({ regulationType: 'suppress', users })
    const first = await list(`/v2/regulations?limit=2&userId=${encodeURIComponent(' a&b\u200b')}`)
    const second = await list(first.next)
    expect([first.data.map(userOf), second.data.map(userOf)]).toEqual([['a&b', 'a&b'], ['a&b']])
    expect(second.next).toBeUndefined()
    expect(first.next).not.toContain('\u200b')
    for (const unknown of ['u', '']) expect((await list(`/v2/regulations?userId=${unknown}`)).data).toEqual([])
  })

  it('refuses a cursor that no list returned', async () => {
    for (const cursor of ['nonsense', 'MTA', '-', ''])
      expect(await api.get(`/v2/regulations?after_cursor=${cursor}`)).toMatchObject({
        status: 400,
        body: { code: 'cursorInvalid' },
      })
  })

  it.skipIf(!hasConformance)('returns exactly the members that RudderStack documents', async () => {
    const example = conformanceJson('governance/docs-examples/data-regulation-01-list-all-data-regulations.json') as {
      data: readonly JsonObject[]
    }
    await suppress('u1')
    expect(Object.keys((await list()).data[0] ?? {}).sort()).toEqual(Object.keys(example.data[0] ?? {}).sort())
  })
})

describe('cancelling a regulation', () => {
  it('answers 204, also when repeated, ends the suppression, and keeps the regulation in the list', async () => {
    await suppress('u1')
    const [first] = (await list()).data
    for (let times = 0; times < 2; times += 1)
      expect(await api.delete(`/v2/regulations/${first?.id}`)).toMatchObject({ status: 204, text: '' })
    expect(await arrives('u1')).toBe(true)
    expect((await list()).data).toEqual([{ ...first, canceled: true }])
  })

  it('leaves another regulation of the same user in force', async () => {
    await suppress('u1')
    await suppress('u1', { sourceIds: ['web'] })
    const [all, web] = (await list()).data
    await api.delete(`/v2/regulations/${all?.id}`)
    expect([await arrives('u1', 'web-key'), await arrives('u1', 'app-key')]).toEqual([false, true])
    await api.delete(`/v2/regulations/${web?.id}`)
    expect(await arrives('u1', 'web-key')).toBe(true)
  })

  it('answers 404 to an unknown id', async () => {
    for (const id of ['no-such-id', '01900000-0000-7000-8000-000000000001', '%F0%9F', '%2e%2e'])
      expect((await api.delete(`/v2/regulations/${id}`)).status).toBe(404)
  })
})

describe('counts of suppressed events', () => {
  it('are available to operators by source and day, without any user id', async () => {
    await suppress('u1')
    await arrives('u1')
    await arrives('u1', 'app-key')
    await arrives('u1', 'app-key')
    const answer = await api.get('/v2/regulations/suppressions')
    expect(answer.body['data']).toEqual([
      { sourceId: 'app', day: '2026-01-01', events: 2 },
      { sourceId: 'web', day: '2026-01-01', events: 1 },
    ])
    expect((await api.as('Bearer reader-token').get('/v2/regulations/suppressions')).status).toBe(403)
  })

  it('also list events that were stopped right before a destination, and the stats count these as its drops', async () => {
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    answer = async () => {
      await released
      return reply(200)
    }
    const event = { type: 'track', event: 'E', userId: 'u1' }
    await sluice.ingest('web-key', [event, event])
    await eventually(() => recorded.requests.length).toBe(1)
    await sluice.ingest('app-key', [event])
    await suppress('u1')
    await sluice.ingest('web-key', [event])
    release()
    await sluice.settled()
    expect((await api.get('/v2/regulations/suppressions')).body['data']).toEqual([
      { sourceId: 'app', destinationId: 'hook', day: '2026-01-01', events: 1 },
      { sourceId: 'web', day: '2026-01-01', events: 1 },
      { sourceId: 'web', destinationId: 'hook', day: '2026-01-01', events: 1 },
    ])
    expect(await sluice.stats()).toMatchObject([
      { sourceId: 'app', suppressed: 0, destinations: [{ accepted: 1, dropped: { suppressed: 1 }, pending: 0 }] },
      {
        sourceId: 'web',
        received: 3,
        suppressed: 1,
        accepted: 2,
        destinations: [{ accepted: 2, delivered: 1, dropped: { suppressed: 1 }, pending: 0 }],
      },
    ])
  })
})

describe('the overview of regulations', () => {
  const overview = async (query = '', as = api) => (await as.get(`/v2/regulations/overview${query}`)).body
  interface Shown {
    readonly attributes: { readonly userId: string }
  }
  const usersOf = async (query: string) =>
    ((await overview(query))['data'] as readonly Shown[]).map(({ attributes }) => attributes.userId)

  it('has id, date, state and the progress of deletions, which only tokens with operate see', async () => {
    await suppress('u1')
    await create({ regulationType: 'suppress_with_delete', users: [{ userId: 'u2' }], destinationIds: ['hook'] })
    const [{ id } = { id: '' }] = (await api.get('/v2/regulations')).body['data'] as readonly { id: string }[]
    await api.delete(`/v2/regulations/${id}`)
    const shared = { id: expect.any(String), createdAt: expect.stringMatching(/Z$/) }
    const first = { ...shared, id, regulationType: 'suppress', attributes: { userId: 'u1' }, state: 'canceled' }
    const second = {
      ...shared,
      regulationType: 'suppress_with_delete',
      attributes: { userId: 'u2' },
      state: 'inForce',
    }
    // A webhook cannot delete.
    await eventually(() => overview()).toEqual({
      data: [first, { ...second, deletions: { total: 2, complete: 1, open: 0, aborted: 1 } }],
      paging: {},
    })
    expect(await overview('', api.as('Bearer reader-token'))).toEqual({ data: [first, second], paging: {} })
    expect(await usersOf('?state=inForce')).toEqual(['u2'])
    expect(await usersOf('?regulationType=suppress')).toEqual(['u1'])
    expect(await usersOf('?deletions=aborted')).toEqual(['u2'])
    expect(await usersOf('?deletions=open')).toEqual([])
    expect((await api.as('Bearer reader-token').get('/v2/regulations/overview?deletions=open')).status).toBe(403)
  })

  it('returns every match once, page by page, whatever the filter', async () => {
    for (let n = 0; n < 7; n += 1) await suppress(`u${n}`)
    for (const { id, attributes } of (await api.get('/v2/regulations')).body['data'] as readonly (Shown & {
      id: string
    })[])
      if (attributes.userId > 'u3') await api.delete(`/v2/regulations/${id}`)
    const seen: string[] = []
    let path: string | undefined = '?state=canceled&limit=2'
    while (path !== undefined) {
      seen.push(...(await usersOf(path)))
      const { next } = (await overview(path))['paging'] as { readonly next?: string }
      path = next?.replace('/v2/regulations/overview', '')
    }
    expect(seen).toEqual(['u4', 'u5', 'u6'])
    expect((await api.get('/v2/regulations/overview?after_cursor=x')).status).toBe(400)
  })
})

describe('a user without userId', () => {
  const seen = (...events: readonly JsonObject[]) =>
    sluice.ingest('web-key', events.map((event) => ({ type: 'track', event: 'E', ...event })) as never)
  const regulate = (...users: readonly JsonObject[]) => create({ regulationType: 'suppress', users })
  const ids = async () => ((await api.get('/v2/regulations')).body['data'] as readonly Listed[]).map(userOf)

  it('is the one whose events have the e-mail address, phone number or anonymousId, with what is anonymous of them', async () => {
    await seen(
      { userId: 'u1', anonymousId: 'a1', context: { traits: { email: 'Ada@mail.test', phone: '+49 (30) 12' } } },
      { anonymousId: 'a2', context: { traits: { email: 'ada@mail.test' } } },
      { userId: 'u2', anonymousId: 'a3', properties: { email: 'eve@mail.test' } },
    )
    expect((await regulate({ email: ' ada@MAIL.test' })).status).toBe(201)
    expect(await ids()).toEqual(['u1', 'a2'])
    expect((await regulate({ anonymousId: 'a3' }, { phone: '0049-30-12' })).status).toBe(400)
    expect((await regulate({ anonymousId: 'a3' }, { phone: '+493012' })).status).toBe(201)
    expect(await ids()).toEqual(['u1', 'a2', 'u2', 'u1'])
  })

  it('is refused, with all others of the request, where no user or several have the identifiers', async () => {
    await seen(
      { userId: 'u1', properties: { email: 'x@mail.test' } },
      { userId: 'u2', properties: { email: 'x@mail.test' } },
    )
    const several = await regulate({ userId: 'fine' }, { email: 'x@mail.test' })
    expect(several).toMatchObject({ status: 400, body: { code: 'usersInvalid', details: { users: [{ index: 1 }] } } })
    expect(several.text).toContain('2 users have these identifiers')
    const none = await regulate({ userId: 'fine' }, { email: 'y@mail.test' })
    expect(none.text).toContain('no event in the log has these identifiers')
    expect(several.text + none.text).not.toMatch(/mail\.test/)
    const many = await regulate(...Array.from({ length: 21 }, (_, n) => ({ email: `${n}@mail.test` })))
    expect(many.text).toContain('at most 20 users of a request')
    expect(await ids()).toEqual([])
  })
})
