import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { createArea } from './area.ts'
import type { Route } from './route.ts'

const routeOf = (method: Route['method'], path: string, handle: Route['handle']): Route => ({
  method,
  path,
  handle,
  operationId: path,
  summary: path,
  area: 'Things',
  credential: 'open',
  responses: {},
})
const call = (area: { fetch: Hono['fetch'] | ReturnType<typeof createArea>['fetch'] }, path: string, method = 'GET') =>
  area.fetch(new Request(`http://sluice.test${path}`, { method }))

describe('an area', () => {
  const area = createArea([
    routeOf('get', '/things/{id}/parts/{part}', (c) => c.json(c.req.param())),
    routeOf('post', '/things', async (c) => c.text('made', 201)),
  ])

  it('passes the parameters of a path, decoded', async () => {
    expect(await (await call(area, '/things/a%2Fb/parts/7')).json()).toEqual({ id: 'a/b', part: '7' })
  })

  it('answers only the method and the path of a route, with or without a slash at its end', async () => {
    for (const [path, method, status] of [
      ['/things', 'POST', 201],
      ['/things/', 'POST', 201],
      ['/things', 'GET', 405],
      ['/things//', 'POST', 404],
      ['/things/1', 'POST', 404],
    ] as const)
      expect([path, method, (await call(area, path, method)).status]).toEqual([path, method, status])
  })

  it('lets no cache keep an answer, and no browser guess its type', async () => {
    const { headers } = await call(area, '/things', 'POST')
    expect([headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual(['no-store', 'nosniff'])
  })

  it('runs what its app had before its routes', async () => {
    const app = new Hono()
    app.use(async (c, next) => (c.req.header('x-in') ? next() : c.text('out', 401)))
    const guarded = createArea([routeOf('get', '/x', (c) => c.text('in'))], app)
    expect((await call(guarded, '/x')).status).toBe(401)
  })

  it('passes the context of its host to handlers', async () => {
    const own = createArea([routeOf('get', '/x', (c) => c.json(c.env))])
    const response = await own.fetch(new Request('http://sluice.test/x'), { host: 'here' })
    expect(await response.json()).toEqual({ host: 'here' })
  })

  it('can be mounted below a path', async () => {
    const host = new Hono().mount('/events', (request) => area.fetch(request))
    expect((await call(host, '/events/things', 'POST')).status).toBe(201)
  })
})
