import fc from 'fast-check'
import { createSluice, type Sluice } from 'sluice'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { basic, hashOf } from '../support/http/api-client.ts'
import { type DocumentedHandler, documented } from '../support/http/documented.ts'
import { sized } from '../support/long.ts'
import { shop } from '../support/scenes/shop.ts'
import { runSeed } from '../support/seed.ts'
import { type Call, spoiltCalls, validCalls } from './generated-calls.ts'
import { type Operation, operationsOf } from './operations.ts'

/** Generated calls of each operation. */
const callsOfEach = sized(12, 100)
/** Answers that do not end. */
const streams = new Set(['/v1/tap', '/v1/logs'])
/** Codes of refusals for what a schema does not say: what is stored, what a text means, and rules over several parts. */
const ofState = new Set([
  'checkUnsupported',
  'codeInvalid',
  'configurationInvalid',
  'cursorInvalid',
  'destinationUnknown',
  'destinationsNeedPublish',
  'destinationsNotAllowed',
  'diffUnchosen',
  'eventsNeedPublish',
  'featureUnsupported',
  'importNameInvalid',
  'planPartInvalid',
  'planPartUnknown',
  'publishContradicts',
  'publishEmpty',
  'rangeInvalid',
  'request neither has anonymousId nor userId',
  'sourceUnknown',
  'sourcesNotAllowed',
  'usersInvalid',
])
/** What is refused for the state of the server before the form of a call is looked at. */
const refusedBefore = new Set(['/opendsr/v2/requests', '/v2/workspace'])
/** Records of the API, so that the form of changes to them is looked at. They are not deleted. */
const records: Readonly<Record<string, string>> = { sources: 'web-2', destinations: 'hook-2', connections: 'both-2' }

let sluice: Sluice
let api: DocumentedHandler
let operations: readonly Operation[]

beforeAll(async () => {
  const accessTokens = [
    { name: 'all', token: hashOf('all'), scopes: ['read', 'write', 'operate', 'admin'] as const },
  ].map((token) => ({ ...token, scopes: [...token.scopes] }))
  sluice = await createSluice({
    workspace: shop('http://x.test', { accessTokens }),
    admin: { user: 'admin', password: 'right' },
    sandbox: { mode: 'in-process' },
    transport: { send: async () => ({ kind: 'network', code: 'ECONNREFUSED', message: 'refused' }) },
    onError: () => {},
  })
  api = await documented(sluice)
  operations = operationsOf(api.document).filter(({ path }) => !streams.has(path))
  for (const [plural, body] of [
    ['sources', {}],
    ['destinations', { type: 'WEBHOOK', config: { webhookUrl: 'http://x.test' } }],
    ['connections', { sourceId: 'web-2', destinationId: 'hook-2' }],
  ] as const) {
    const headers = { authorization: 'Bearer all' }
    const text = JSON.stringify({ id: records[plural], ...body })
    const made = new Request(`http://sluice.test/v2/${plural}`, { method: 'POST', headers, body: text })
    expect((await api.fetch(made)).status).toBe(201)
  }
})
afterAll(() => sluice.stop())

/** Sends a call, and returns its status and the code of a refusal. Throws when the answer is not as documented. */
async function send({ path, method, credentials }: Operation, { query, headers, body }: Call) {
  const [, , plural = ''] = path.split('/')
  const id = (method === 'delete' ? undefined : records[plural]) ?? 'x'
  const url = new URL(`http://sluice.test${path.replaceAll('{writeKey}', 'web-key').replaceAll(/\{\w+\}/g, id)}`)
  for (const [name, value] of Object.entries(query))
    url.searchParams.set(name, name === 'writeKey' && value !== '' ? 'web-key' : String(value))
  const authorization = credentials.has('bearer')
    ? 'Bearer all'
    : credentials.has('admin')
      ? basic('admin', 'right')
      : credentials.has('writeKey')
        ? basic('web-key', '')
        : undefined
  const response = await api.fetch(
    new Request(url, {
      method: method.toUpperCase(),
      headers: {
        ...(headers as Readonly<Record<string, string>>),
        ...(authorization === undefined ? {} : { authorization }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    }),
  )
  const text = await response.text()
  // An image is the answer to every pixel.
  const refused = response.headers.get('sluice-refused')
  if (refused !== null) return { status: 400, code: refused, text }
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return { status: response.status, code: isJson ? String(Object(JSON.parse(text)).code) : text.trim(), text }
}

const sampled = (operation: Operation, count: number): readonly Call[] =>
  fc.sample(validCalls(operation), { numRuns: count, seed: runSeed })

describe('the document and the server', () => {
  it('agree on what is allowed: no generated call is refused for its form, and none fails', async () => {
    const wrong: Record<string, string> = {}
    for (const operation of operations)
      for (const call of sampled(operation, callsOfEach)) {
        const { status, code, text } = await send(operation, call)
        if (status === 500 || ([400, 413, 415].includes(status) && !ofState.has(code)))
          wrong[`${operation.method} ${operation.path} ${status} ${code}`] = `${JSON.stringify(call)} → ${text}`
      }
    expect(wrong).toEqual({})
  })

  it('agree on what is forbidden: a call that is spoilt in one place is refused', async () => {
    const wrong: Record<string, string> = {}
    for (const operation of operations)
      for (const call of sampled(operation, Math.ceil(callsOfEach / 4)))
        for (const [what, spoilt] of spoiltCalls(operation, call)) {
          const { status } = await send(operation, spoilt)
          const isRefused =
            [400, 401, 413, 415].includes(status) || (status === 409 && refusedBefore.has(operation.path))
          if (!isRefused) wrong[`${operation.method} ${operation.path}: ${what} ${status}`] = JSON.stringify(spoilt)
        }
    expect(wrong).toEqual({})
  })

  it('agree on the methods of each path, also where a path with a parameter would fit', async () => {
    const methodsOf = new Map<string, Set<string>>()
    for (const { path, method } of operationsOf(api.document))
      methodsOf.set(path, (methodsOf.get(path) ?? new Set()).add(method.toUpperCase()))
    for (const [path, methods] of methodsOf) {
      const url = `http://sluice.test${path.replaceAll(/\{\w+\}/g, 'x')}`
      const options = await sluice.fetch(new Request(url, { method: 'OPTIONS' }))
      // Ingestion answers preflights itself.
      const allowed = options.headers.get('allow')
      if (allowed !== null) {
        const own = [...methods, ...(methods.has('GET') ? ['HEAD'] : []), 'OPTIONS']
        expect([path, allowed.split(', ').toSorted()]).toEqual([path, own.toSorted()])
      }
      for (const method of ['PUT', 'POST', 'DELETE', 'PATCH'].filter((each) => !methods.has(each))) {
        const { status } = await sluice.fetch(new Request(url, { method, headers: { authorization: 'Bearer all' } }))
        expect([method, path, status]).toEqual([method, path, 405])
      }
    }
  })
})
