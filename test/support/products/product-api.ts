import { createHash } from 'node:crypto'
import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'

/** A request to the API of a product. */
export interface ProductRequest {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly body: JsonObject
}

/** People that a product has, by the identifier that it finds them by. */
export type People = Set<string>

/** Answers like the API of a product, in the form that its documentation shows. */
export type ProductApi = (request: ProductRequest, people: People) => readonly [status: number, body?: JsonValue]

const texts = (value: JsonValue | undefined): readonly string[] => (Array.isArray(value) ? value.map(String) : [])
const member = (value: JsonValue | undefined, ...path: readonly string[]): JsonValue | undefined =>
  path.reduce<JsonValue | undefined>((at, name) => (isJsonObject(at) ? at[name] : undefined), value)

/** Deletes one of the people. */
function deleted(
  people: People,
  id: string,
  found: readonly [number, JsonValue?],
  unknown: readonly [number, JsonValue?],
) {
  return people.delete(id) ? found : unknown
}

export const hubspotApi: ProductApi = ({ path, body }, people) => {
  if (path.endsWith('/search')) {
    const groups = Array.isArray(body['filterGroups']) ? body['filterGroups'].filter(isJsonObject) : []
    const filters = groups.flatMap(({ filters }) => (Array.isArray(filters) ? filters.filter(isJsonObject) : []))
    const asked = filters.filter(({ propertyName }) => propertyName === 'email').flatMap(({ values }) => texts(values))
    const results = asked.filter((email) => people.has(email)).map((email, id) => ({ id, properties: { email } }))
    return [200, { total: results.length, results }]
  }
  const unknown = { status: 'error', message: 'resource not found', correlationId: 'c', category: 'OBJECT_NOT_FOUND' }
  return deleted(people, String(body['objectId']), [204], [404, unknown])
}

/** Has one audience, with the id `list`. */
export const mailchimpApi: ProductApi = ({ path }, people) => {
  const [, list, , hash] = path.split('/').slice(2)
  const detail = 'The requested resource could not be found.'
  const notFound = [404, { title: 'Resource Not Found', status: 404, detail, instance: 'i' }] as const
  if (list !== 'list') return notFound
  if (hash === undefined) return [200, { id: list }]
  const known = [...people].find((email) => createHash('md5').update(email).digest('hex') === hash)
  if (known === undefined) return notFound
  if (!path.endsWith('/actions/delete-permanent')) return [200, { id: hash }]
  people.delete(known)
  return [204]
}

export const klaviyoApi: ProductApi = ({ path, query, body }, people) => {
  if (path.endsWith('/profiles')) {
    const [, email = ''] = /^equals\(email,"(.*)"\)$/.exec(query.get('filter') ?? '') ?? []
    return [200, { data: people.has(email) ? [{ type: 'profile', id: 'p', attributes: { email } }] : [] }]
  }
  const email = member(body, 'data', 'attributes', 'profile', 'data', 'attributes', 'email')
  const errors = [{ status: 404, code: 'not_found', title: 'Not found.', detail: 'A profile does not exist.' }]
  return deleted(people, String(email), [202], [404, { errors }])
}

export const brazeApi: ProductApi = ({ path, body }, people) => {
  const known = texts(body['external_ids']).filter((id) => people.has(id))
  if (path.endsWith('/users/export/ids'))
    return [201, { users: known.map((external_id) => ({ external_id })), message: 'success' }]
  for (const id of known) people.delete(id)
  return [201, { deleted: known.length, message: 'success' }]
}

export const iterableApi: ProductApi = ({ method, path }, people) => {
  const userId = decodeURIComponent(path.slice(path.lastIndexOf('/') + 1))
  if (method === 'GET') return [200, people.has(userId) ? { user: { userId, dataFields: { userId } } } : {}]
  const unknown = { msg: 'Could not find the user', code: 'BadParams', params: null }
  return deleted(people, userId, [200, { msg: '', code: 'Success', params: null }], [404, unknown])
}

/** Also finds users whose id begins with the one asked for. */
export const amplitudeApi: ProductApi = ({ path, query, body }, people) => {
  if (path.endsWith('/usersearch')) {
    const found = [...people].filter((id) => id.startsWith(query.get('user') ?? ''))
    return [200, { matches: found.map((user_id, amplitude_id) => ({ user_id, amplitude_id })), type: 'match_user_id' }]
  }
  for (const id of texts(body['user_ids'])) people.delete(id)
  return [200, [{ day: '2026-01-02', status: 'staging' }]]
}

export const emarsysApi: ProductApi = ({ path, body }, people) => {
  const ok = { replyCode: 0, replyText: 'OK' }
  if (path.endsWith('/checkids')) {
    const known = texts(body['external_ids']).filter((id) => people.has(id))
    const ids = known.length === 0 ? [] : Object.fromEntries(known.map((id, at) => [id, String(at)]))
    return [200, { ...ok, data: { ids, errors: {} } }]
  }
  const [id = ''] = texts(body[String(body['key_id'])])
  const unknown = { replyCode: 2008, replyText: 'No contact found with the external id', data: '' }
  return deleted(people, id, [200, { ...ok, data: { deleted_contacts: 1 } }], [400, unknown])
}

export const intercomApi: ProductApi = ({ path, body }, people) => {
  if (path.endsWith('/contacts/search')) {
    const terms = member(body, 'query', 'value')
    const values = Array.isArray(terms) ? terms.filter(isJsonObject).map(({ value }) => String(value)) : []
    return [200, { type: 'list', data: [], total_count: new Set(values.filter((id) => people.has(id))).size }]
  }
  const errors = [{ code: 'not_found', message: 'User Not Found' }]
  return deleted(people, String(body['intercom_user_id']), [200, { id: 10 }], [404, { type: 'error.list', errors }])
}
