import { gzipSync } from 'node:zlib'
import { createManualClock, type Workspace } from '@sluice/core'
import type { AuditEntry } from '@sluice/pipeline'
import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { createArea } from '../../routing/area.ts'
import { answer } from '../answer.ts'
import { sha256 } from './same-secret.ts'
import { createTokenGate, type TokenGateOptions } from './token-gate.ts'

const workspace: Workspace = {
  id: 'w',
  name: 'w',
  sources: [],
  destinations: [],
  connections: [],
  accessTokens: [{ name: 'ci', scopes: ['read', 'write'], sha256: sha256('token').toString('hex') }],
}

/** An area with one route that returns its validated input. */
function setUp(options: Partial<TokenGateOptions> = {}) {
  const entries: AuditEntry[] = []
  const gate = createTokenGate({
    workspaces: () => [workspace],
    audit: { add: async (entry) => void entries.push(entry) },
    clock: createManualClock(7),
    ...options,
  })
  const route = gate.route({
    method: 'post',
    path: '/things/{id}',
    operationId: 'change',
    summary: 'Change a thing',
    area: 'Things',
    scopes: ['write'],
    query: Type.Object({ count: Type.Optional(Type.Integer()), all: Type.Optional(Type.Boolean()) }),
    body: Type.Object({ name: Type.String({ 'x-error': 'nameMissing' }), size: Type.Optional(Type.Integer()) }),
    responses: { 200: { description: 'The thing.', schema: Type.Unknown() } },
    errors: ['notFound'],
    handle: ({ query, body, param, allows, workspace: { id } }) =>
      answer({ query, body, id: param('id'), operates: allows('operate'), workspace: id }),
  })
  const area = createArea([route])
  const send = async (body: string | Buffer<ArrayBuffer> | null, path = '/things/a%2Fb?count=5&all=true&more=1') => {
    const request = { method: 'POST', headers: { authorization: 'Bearer token' }, body }
    const response = await area.fetch(new Request(`http://sluice.test${path}`, request))
    return [response.status, await response.json()]
  }
  return { send, entries, route, area }
}

describe('a route behind the token gate', () => {
  it('receives parameters converted to their types, and only those that its schema declares', async () => {
    expect(await setUp().send('{"name":"n"}')).toEqual([
      200,
      { query: { count: 5, all: true }, body: { name: 'n' }, id: 'a/b', operates: false, workspace: 'w' },
    ])
  })

  const wrong = [
    { body: null, code: 'nameMissing', message: 'body.name is missing' },
    { body: '{"name":7}', code: 'nameMissing', message: 'body.name is 7' },
    { body: '{"name":"n","size":"large"}', code: 'bodyInvalid', message: 'body.size is "large"' },
    { body: '{"name":"n","size":[1,2]}', code: 'bodyInvalid', message: 'a list of 2' },
    { body: '"text"', code: 'bodyInvalid', message: 'body is "text"' },
    { body: '{', code: 'bodyInvalidJson', message: 'not JSON' },
    {
      body: '{"name":"n","szie":1}',
      code: 'bodyUnknownMember',
      message: 'body.szie does not exist; did you mean size? allowed are: name',
    },
    { body: '{"nam":"n"}', code: 'bodyUnknownMember', message: 'did you mean name?' },
    { body: '{"name":"n"}', path: '/things/a?count=x', code: 'queryInvalid', message: 'query.count is "x"' },
    { body: Buffer.from([0x1f, 0x8b, 0]), code: 'bodyInvalidGzip', message: 'gzip' },
  ]
  for (const { body, path, code, message } of wrong)
    it(`refuses ${body} ${path ?? ''} with ${code}`, async () => {
      const text = expect.stringContaining(message)
      const refusal = { code, message: text, error: text, docs: `/docs/errors/${code}` }
      expect(await setUp().send(body, path)).toEqual([400, refusal])
    })

  it('refuses bodies beyond its limits', async () => {
    const body = JSON.stringify({ name: 'x'.repeat(200) })
    expect(await setUp({ bodyBytesMax: 100 }).send(body)).toMatchObject([413, { code: 'bodyTooLarge' }])
    const inflating = gzipSync(JSON.stringify({ name: 'x'.repeat(1_000_000) }))
    const message = expect.stringContaining('200 times its size; send it uncompressed')
    expect(await setUp().send(inflating)).toMatchObject([413, { code: 'bodyTooLarge', message }])
    expect(await setUp({ bodiesBytesMax: 100 }).send(body)).toMatchObject([503, { code: 'unavailable' }])
  })

  it('writes caller and status to the audit log', async () => {
    const { send, entries } = setUp()
    await send('{"name":"n"}', '/things/a?secret=1')
    await send('{', '/things/a')
    const entry = { workspaceId: 'w', token: 'ci', user: '', method: 'POST', path: '/things/a', at: 7 }
    expect(entries).toEqual([
      { ...entry, status: 200 },
      { ...entry, status: 400 },
    ])
  })

  it('cuts user name and path to text that every store can keep', async () => {
    const { area, entries } = setUp()
    const credentials = Buffer.from(`${'x'.repeat(199)}😀:token`).toString('base64')
    const headers = { authorization: `Basic ${credentials}` }
    await area.fetch(new Request(`http://sluice.test/things/${'a'.repeat(5_000)}`, { method: 'POST', headers }))
    expect(entries[0]?.user).toBe(`${'x'.repeat(199)}\ufffd`)
    expect(entries[0]?.path).toHaveLength(1_000)
  })

  it('answers normally when the audit log fails, and reports the failure', async () => {
    const told: unknown[] = []
    const failure = new Error('the disk is full')
    const audit = { add: () => Promise.reject(failure), list: async () => [] }
    const { send } = setUp({ audit, onError: (error) => told.push(error) })
    expect(await send('{"name":"n"}')).toMatchObject([200, {}])
    expect(told).toEqual([failure])
  })

  it('documents its own refusals and those of the gate', () => {
    const { responses } = setUp().route
    expect(Object.keys(responses)).toEqual([
      '200',
      '400',
      '401',
      '403',
      '404',
      '408',
      '413',
      '415',
      '429',
      '500',
      '503',
    ])
    expect(responses[404]?.description).toContain('`notFound`')
  })
})
