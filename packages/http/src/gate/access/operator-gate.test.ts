import { createManualClock, type Workspace } from '@sluice/core'
import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { createArea } from '../../routing/area.ts'
import { answer } from '../answer.ts'
import { createAccessAttempts } from './access-attempts.ts'
import { createOperatorGate, type OperatorGateOptions } from './operator-gate.ts'
import { sha256 } from './same-secret.ts'

const workspaceOf = (id: string): Workspace => ({
  id,
  name: id,
  sources: [],
  destinations: [],
  connections: [],
  accessTokens: [
    { name: 'operator', scopes: ['operate'], sha256: sha256(`operator-${id}`).toString('hex') },
    { name: 'reader', scopes: ['read'], sha256: sha256(`reader-${id}`).toString('hex') },
  ],
})
const admin = { user: 'admin', password: 'word' }
const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`

/** An area with a route that returns the workspaces it may see. */
function setUp(options: Partial<OperatorGateOptions> = { admin }) {
  const gate = createOperatorGate({
    workspaces: () => [workspaceOf('a'), workspaceOf('b')],
    attempts: createAccessAttempts({ clock: { ...createManualClock(), sleep: async () => {} } }),
    ...options,
  })
  const route = gate({
    path: '/seen/{id}',
    operationId: 'seen',
    summary: 'See',
    query: Type.Object({ workspaceId: Type.Optional(Type.String()), limit: Type.Optional(Type.Integer()) }),
    errors: [],
    responses: { 200: { description: 'Ids.', schema: Type.Unknown() } },
    handle: ({ workspaces, query, param }) =>
      answer([workspaces.map(({ id }) => id), param('id'), query.limit ?? 'no limit']),
  })
  const area = createArea([route])
  const get = async (authorization: string | undefined, path = '/seen/x') => {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
    const response = await area.fetch(new Request(`http://sluice.test${path}`, { headers }))
    const body = (await response.json()) as { code?: string }
    return [response.status, response.status === 200 ? body : body.code]
  }
  return { get, area, route }
}

describe('a route for operators', () => {
  const asked = [
    { name: 'shows a token its own workspace', by: 'Bearer operator-b', want: [200, [['b'], 'x', 'no limit']] },
    { name: 'shows the admin all workspaces', by: basic('admin:word'), want: [200, [['a', 'b'], 'x', 'no limit']] },
    {
      name: 'shows the admin the workspace that is named',
      by: basic('admin:word'),
      path: '/seen/x?workspaceId=b',
      want: [200, [['b'], 'x', 'no limit']],
    },
    {
      name: 'has parameters of their types',
      by: 'Bearer operator-a',
      path: '/seen/y?limit=5',
      want: [200, [['a'], 'y', 5]],
    },
    {
      name: 'shows a token no other workspace',
      by: 'Bearer operator-b',
      path: '/seen/x?workspaceId=a',
      want: [404, 'workspaceUnknown'],
    },
    {
      name: 'knows no other workspace',
      by: basic('admin:word'),
      path: '/seen/x?workspaceId=c',
      want: [404, 'workspaceUnknown'],
    },
    { name: 'refuses a token without the scope', by: 'Bearer reader-a', want: [403, 'scopeMissing'] },
    {
      name: 'refuses a wrong parameter',
      by: 'Bearer operator-a',
      path: '/seen/x?limit=many',
      want: [400, 'queryInvalid'],
    },
    { name: 'refuses a caller without credentials', by: undefined, want: [401, 'unauthorized'] },
    { name: 'refuses a wrong password', by: basic('admin:wor'), want: [401, 'unauthorized'] },
    { name: 'refuses a wrong admin', by: basic('root:word'), want: [401, 'unauthorized'] },
    { name: 'refuses the password as a token', by: 'Bearer word', want: [401, 'unauthorized'] },
  ]
  for (const { name, by, path, want } of asked) it(name, async () => expect(await setUp().get(by, path)).toEqual(want))

  it('accepts no blank admin credentials, whatever is configured', async () => {
    for (const blank of [
      undefined,
      { user: '', password: '' },
      { user: 'admin', password: '' },
      { user: '', password: 'p' },
    ])
      for (const sent of [basic(':'), basic('admin:'), basic(':p')])
        expect(await setUp(blank ? { admin: blank } : {}).get(sent)).toEqual([401, 'unauthorized'])
  })

  it('slows down an address that guesses, and lets it in with the right password', async () => {
    const { area } = setUp()
    const env = { incoming: { socket: { remoteAddress: '203.0.113.1' } } }
    const get = (authorization: string) =>
      area.fetch(new Request('http://sluice.test/seen/x', { headers: { authorization } }), env)
    for (let i = 0; i < 10; i += 1) expect((await get(basic(`admin:${i}`))).status).toBe(401)
    const response = await get(basic('admin:10'))
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '1'])
    expect((await get(basic('admin:word'))).status).toBe(200)
  })

  it('ends a stream that a HEAD request would never read', async () => {
    let isCancelled = false
    const gate = createOperatorGate({ workspaces: () => [workspaceOf('a')] })
    const body = () =>
      new ReadableStream({
        cancel: () => {
          isCancelled = true
        },
      })
    const description = {
      path: '/tap',
      operationId: 'tap',
      summary: 'Tap',
      query: Type.Object({}),
      errors: [],
      responses: {},
    }
    const area = createArea([gate({ ...description, handle: () => new Response(body()) })])
    const headers = { authorization: 'Bearer operator-a' }
    await area.fetch(new Request('http://sluice.test/tap', { method: 'HEAD', headers }))
    expect(isCancelled).toBe(true)
  })

  it('documents its own refusals and those of the gate', () => {
    expect(Object.keys(setUp().route.responses)).toEqual(['200', '400', '401', '403', '404', '429', '500'])
  })
})
