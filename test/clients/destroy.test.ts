import { beforeEach, expect, it } from 'vitest'
import { type ApiAnswer, type ApiClient, hashOf } from '../support/http/api-client.ts'
import { serveWorkspaces } from '../support/served-workspace.ts'

/** What rudder-cli and Terraform send when a whole project, or a whole state, is destroyed. */
let api: ApiClient
const serve = serveWorkspaces({
  workspace: {
    id: 'shop',
    accessTokens: [{ name: 'all', token: hashOf('token'), scopes: ['read', 'write', 'operate', 'admin'] }],
    sources: [],
    destinations: [],
    connections: [],
  },
})
beforeEach(async () => {
  api = await (await serve()).api('Bearer token')
})

type Body = Readonly<Record<string, unknown>> & { readonly id: string }
async function ok(answer: Promise<ApiAnswer>): Promise<Body> {
  const { status, body } = await answer
  expect([status < 300, body]).toEqual([true, expect.anything()])
  return body as Body
}
const made = async (noun: string, answer: Promise<ApiAnswer>): Promise<Body> => (await ok(answer))[noun] as Body

/** Deletes a path. Clients take any 2xx for success. */
async function deleted(path: string): Promise<void> {
  expect([path, (await api.delete(path)).status < 300]).toEqual([path, true])
}

/** Counts the records of lists. */
const listed = (paths: readonly string[]): Promise<readonly (readonly [path: string, records: number])[]> =>
  Promise.all(
    paths.map(async (path) => {
      const { body } = await api.get(path)
      return [path, (Object.values(body).find(Array.isArray) ?? []).length] as const
    }),
  )

const catalogue = ['events', 'properties', 'custom-types', 'categories', 'tracking-plans']
const ofRudderCli = [
  ...catalogue.map((list) => `/v2/catalog/${list}?hasExternalId=true`),
  '/v2/event-stream-sources',
  '/v2/destinations',
  '/v2/connections?hasExternalId=true',
  '/transformations',
  '/libraries',
]

/** Creates a record of each kind that a project can have, as `apply` does. */
async function project() {
  const add = (list: string, body: object) => ok(api.post(`/v2/catalog/${list}`, body))
  const category = await add('categories', { name: 'Sales', externalId: 'sales' })
  const type = await add('custom-types', { name: 'Amount', type: 'number', config: {}, externalId: 'amount' })
  const property = await add('properties', { name: 'total', type: 'Amount', externalId: 'total' })
  const event = await add('events', {
    name: 'Order',
    eventType: 'track',
    categoryId: category.id,
    externalId: 'order',
  })
  const plan = await add('tracking-plans', { name: 'Plan', externalId: 'plan' })
  const rule = { id: event.id, properties: [{ id: property.id, required: true }], identitySection: 'properties' }
  await ok(api.put(`/v2/catalog/tracking-plans/${plan.id}/events`, { events: [rule] }))
  const library = await ok(
    api.post('/libraries?publish=false', { name: 'Lib', code: 'export const f = () => 1', externalId: 'lib' }),
  )
  const transformation = await ok(
    api.post('/transformations?publish=false', {
      name: 'T',
      code: "import { f } from 'lib'\nexport const transformEvent = (event) => ({ ...event, f: f() })",
      language: 'javascript',
      externalId: 'code',
    }),
  )
  const source = await ok(
    api.post('/v2/event-stream-sources', { externalId: 'web', name: 'Web', type: 'javascript', enabled: true }),
  )
  await ok(
    api.post(`/v2/catalog/tracking-plans/${plan.id}/sources/${source.id}`, {
      config: { track: { anyOtherViolation: 'drop' } },
    }),
  )
  const config = { webhookUrl: 'https://hook.test/', webhookMethod: 'POST' }
  const destination = await made(
    'destination',
    api.post('/v2/destinations', { externalId: 'hook', name: 'Hook', type: 'WEBHOOK', version: 1, config }),
  )
  await ok(api.put(`/v2/destinations/${destination.id}/transformation`, { transformationId: transformation.id }))
  const connection = await made(
    'connection',
    api.post('/v2/connections', { externalId: 'link', sourceId: source.id, destinationId: destination.id }),
  )
  const versions = [{ versionId: transformation['versionId'] }]
  await ok(
    api.post('/transformations/publish', {
      transformations: versions,
      libraries: [{ versionId: library['versionId'] }],
    }),
  )
  return { category, type, property, event, plan, library, transformation, source, destination, connection }
}

/** The paths that `destroy` deletes, in its order: what refers to others goes before them. */
const pathsOf = (made: Awaited<ReturnType<typeof project>>): readonly string[] => [
  `/v2/catalog/tracking-plans/${made.plan.id}/sources/${made.source.id}`,
  `/v2/catalog/tracking-plans/${made.plan.id}`,
  `/v2/catalog/properties/${made.property.id}`,
  `/v2/catalog/events/${made.event.id}`,
  `/v2/connections/${made.connection.id}`,
  `/v2/event-stream-sources/${made.source.id}`,
  `/v2/destinations/${made.destination.id}/transformation`,
  `/v2/destinations/${made.destination.id}`,
  `/v2/catalog/custom-types/${made.type.id}`,
  `/v2/catalog/categories/${made.category.id}`,
  `/transformations/${made.transformation.id}`,
  `/libraries/${made.library.id}`,
]

it('destroying a project of rudder-cli leaves nothing, and the project can be applied again', async () => {
  for (const _ of ['first', 'again']) {
    const created = await project()
    expect(await listed(ofRudderCli)).toEqual(ofRudderCli.map((path) => [path, 1]))
    for (const path of pathsOf(created)) await deleted(path)
    expect(await listed(ofRudderCli)).toEqual(ofRudderCli.map((path) => [path, 0]))
  }
})

it('destroying a state of Terraform reads each record again, and leaves nothing', async () => {
  const source = await made('source', api.post('/v2/sources', { name: 's', type: 'Javascript', config: null }))
  const config = { webhookUrl: 'https://hook.test/' }
  const destination = await made(
    'destination',
    api.post('/v2/destinations', { name: 'd', type: 'WEBHOOK', enabled: true, config }),
  )
  const connection = await made(
    'connection',
    api.post('/v2/connections', { sourceId: source.id, destinationId: destination.id, enabled: true }),
  )
  const lists = ['/v2/connections', '/v2/destinations', '/v2/sources'] as const
  const paths = [connection, destination, source].map(({ id }, index) => `${lists[index]}/${id}`)
  for (const path of paths) await ok(api.get(path))
  for (const path of paths) await deleted(path)
  expect(await listed(lists)).toEqual(lists.map((path) => [path, 0]))
  // The provider takes a destination with this status out of its state.
  for (const path of paths) expect([path, (await api.get(path)).status]).toEqual([path, 404])
})
