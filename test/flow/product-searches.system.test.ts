import { createSeededRandom, isJsonObject, type JsonObject, systemClock } from '@sluice/core'
import { createApiEraser, createApiSearcher, createRecordingTransport, createTransport } from '@sluice/delivery'
import {
  amplitude,
  braze,
  type DestinationDefinition,
  emarsys,
  hubspot,
  intercom,
  iterable,
  klaviyo,
  mailchimp,
  parseSettings,
} from '@sluice/destinations'
import { afterEach, describe, expect, it } from 'vitest'
import {
  amplitudeApi,
  brazeApi,
  emarsysApi,
  hubspotApi,
  intercomApi,
  iterableApi,
  klaviyoApi,
  mailchimpApi,
  type ProductApi,
} from '../support/products/product-api.ts'
import { startReceiver } from '../support/receiver.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

interface Product {
  readonly definition: DestinationDefinition
  readonly api: ProductApi
  readonly settings: JsonObject
  readonly identifier: 'userId' | 'email'
  /** Whether it refuses to delete someone it does not know, rather than accepting that. */
  readonly refusesUnknown: boolean
}

const token = { authorizationType: 'newPrivateAppApi', accessToken: 'key', apiVersion: 'newApi' }
const products: readonly Product[] = [
  { definition: hubspot, api: hubspotApi, settings: token, identifier: 'email', refusesUnknown: true },
  {
    definition: mailchimp,
    api: mailchimpApi,
    settings: { apiKey: 'key', audienceId: 'list', datacenterId: 'us1' },
    identifier: 'email',
    refusesUnknown: true,
  },
  {
    definition: klaviyo,
    api: klaviyoApi,
    settings: { privateApiKey: 'key' },
    identifier: 'email',
    refusesUnknown: true,
  },
  {
    definition: emarsys,
    api: emarsysApi,
    settings: { emersysUsername: 'name', emersysUserSecret: 'key' },
    identifier: 'email',
    refusesUnknown: true,
  },
  { definition: intercom, api: intercomApi, settings: { apiKey: 'key' }, identifier: 'userId', refusesUnknown: true },
  { definition: iterable, api: iterableApi, settings: { apiKey: 'key' }, identifier: 'userId', refusesUnknown: true },
  {
    definition: braze,
    api: brazeApi,
    settings: { restApiKey: 'key', dataCenter: 'eu-01' },
    identifier: 'userId',
    refusesUnknown: false,
  },
  {
    definition: amplitude,
    api: amplitudeApi,
    settings: { apiKey: 'key', apiSecret: 'secret' },
    identifier: 'userId',
    refusesUnknown: false,
  },
]

const live = new AbortController().signal
const kim = { userId: 'kim-4711', email: 'kim@mail.test' }
const neighbour = { userId: 'kim-47110', email: 'kim@mail.test.example' }

/** Starts the API of a product on a port of this machine, to which all requests go whatever their host is. */
async function scene({ definition, api, settings, identifier }: Product, changed: JsonObject = {}) {
  const people = new Set([kim, neighbour].map(({ [identifier]: id }) => id))
  const asked: string[] = []
  let refusal: number | undefined
  const server = await startReceiver(({ path: target, method, body: text }, response) => {
    const { pathname: path, searchParams: query } = new URL(target, 'http://product.test')
    asked.push(`${method} ${path}`)
    const body: unknown = text === '' ? {} : JSON.parse(text)
    const [status, answer] =
      refusal === undefined
        ? api({ method, path, query, body: isJsonObject(body) ? body : {} }, people)
        : [refusal, { error: 'refused' }]
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(answer === undefined ? '' : JSON.stringify(answer))
  })
  const real = createTransport({ clock: systemClock, allowAddresses: ['127.0.0.1'] })
  cleanups.push(() => real.close(), server.close)
  const transport = createRecordingTransport((request, options) => {
    const { pathname, search } = new URL(request.endpoint)
    return real.send({ ...request, endpoint: `${server.url}${pathname}${search}` }, options)
  })
  const parsed = parseSettings(definition, { ...settings, ...changed })
  const { deletion } = definition
  if (!parsed.ok || deletion?.search === undefined) throw new Error(`${definition.type} cannot be searched`)
  const parts = { settings: parsed.settings, transport, clock: systemClock, random: createSeededRandom(1) }
  const search = createApiSearcher({ ...parts, definition, rule: deletion.search })
  const eraser = createApiEraser({ ...parts, definition: { ...definition, deletion } })
  return {
    asked,
    people,
    search: (user: JsonObject = kim) => search(user, live),
    erase: async (user: JsonObject = kim) => (await eraser.erase([user], live))[0],
    refuse: (status: number) => {
      refusal = status
    },
  }
}

describe.each(products.map((product) => [product.definition.displayName ?? product.definition.type, product] as const))(
  'the API of %s',
  (_, product) => {
    it('says before a deletion that it has the person, and afterwards that it has not, and keeps the neighbour', async () => {
      const { people, search, erase } = await scene(product)
      expect(await search()).toEqual({ ok: true, count: 1 })
      expect(await erase()).toMatchObject({ status: 'complete' })
      expect(await search()).toEqual({ ok: true, count: 0 })
      expect([...people]).toEqual([neighbour[product.identifier]])
    })

    it('is not searched for a person without the identifier', async () => {
      const { asked, search } = await scene(product)
      const other = product.identifier === 'email' ? { userId: kim.userId } : { email: kim.email }
      expect(await search(other)).toMatchObject({ ok: false, reason: expect.stringContaining(product.identifier) })
      expect(asked).toEqual([])
    })

    it('has not said that it knows no such person when it refuses the search or knows no such address', async () => {
      for (const status of [401, 403, 404, 429, 500]) {
        const { search, refuse } = await scene(product)
        refuse(status)
        expect(await search()).toMatchObject({ ok: false, reason: expect.stringContaining(String(status)) })
      }
    })

    it('completes for someone it does not know, and only because its search says so', async () => {
      const { asked, erase } = await scene(product)
      const stranger = { userId: 'lee', email: 'lee@mail.test' }
      expect(await erase(stranger)).toMatchObject({ status: 'complete' })
      if (product.refusesUnknown) expect(asked.length).toBeGreaterThan(1)
    })
  },
)

describe('the API of Mailchimp', () => {
  const product = products.find(({ definition }) => definition === mailchimp)
  if (product === undefined) throw new Error('Mailchimp is not listed')

  it('does not complete a deletion in an audience that does not exist, and says so', async () => {
    const { people, erase, search } = await scene(product, { audienceId: 'lits' })
    const reason = expect.stringContaining('Mailchimp has no audience with this audienceId')
    expect(await erase()).toMatchObject({ status: 'failed', reason })
    expect(await search()).toMatchObject({ ok: false, reason })
    expect(people.has(kim.email)).toBe(true)
  })
})

describe('the API of Intercom', () => {
  const product = products.find(({ definition }) => definition === intercom)
  if (product === undefined) throw new Error('Intercom is not listed')

  it('does not complete the deletion of a contact that only the search finds, by the userId', async () => {
    const byOtherId: ProductApi = (request, people) =>
      request.path.endsWith('/search') ? intercomApi(request, people) : intercomApi(request, new Set())
    const { erase } = await scene({ ...product, api: byOtherId })
    expect(await erase()).toMatchObject({ status: 'failed', reason: expect.stringContaining('finds the user') })
  })
})
