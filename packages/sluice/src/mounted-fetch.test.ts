import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createSluice } from './create-sluice.ts'
import type { Sluice } from './sluice.ts'
import { toNodeListener } from './to-node-listener.ts'

const workspace = { id: 'w', sources: [{ id: 's', writeKey: 'k' }], destinations: [], connections: [] }
const headers = { authorization: `Basic ${btoa('k:')}`, 'content-type': 'application/json' }
const body = JSON.stringify({ type: 'track', userId: 'u', event: 'E' })
const running: Sluice[] = []
afterEach(async () => {
  for (const sluice of running.splice(0)) await sluice.stop()
})

async function start(options: { readonly basePath?: string } = {}): Promise<Sluice> {
  const sluice = await createSluice({ workspace, ...options })
  running.push(sluice)
  return sluice
}
const post = (path: string) => new Request(`http://shop.test${path}`, { method: 'POST', headers, body })

describe('sluice.fetch with a base path', () => {
  it('answers below it, as a handler of a framework that passes whole paths', async () => {
    const { fetch } = await start({ basePath: '/api/events' })
    expect((await fetch(post('/api/events/v1/track'))).status).toBe(200)
    expect((await fetch(new Request('http://shop.test/api/events/health?full=1'))).status).toBe(200)
  })

  it('answers nothing elsewhere, and says so', async () => {
    const { fetch } = await start({ basePath: '/api/events' })
    for (const path of ['/v1/track', '/api/eventsource/v1/track', '/api']) {
      const response = await fetch(post(path))
      expect([path, response.status]).toEqual([path, 404])
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(await response.text()).toContain('all paths begin with /api/events')
    }
  })

  it('refuses a base path that can match nothing', async () => {
    for (const basePath of ['events', '/events/', '/'])
      await expect(createSluice({ workspace, basePath })).rejects.toThrow(`basePath is ${basePath}`)
  })
})

describe('a body that a parser in front has read', () => {
  it('is answered as a mistake of the program, and not counted as rejected', async () => {
    const sluice = await start()
    const request = post('/v1/track')
    await request.json()
    const response = await sluice.fetch(request)
    expect([response.status, await response.json()]).toMatchObject([500, { code: 'bodyConsumed' }])
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect((await sluice.stats())[0]?.rejected ?? {}).toEqual({})
  })

  it('is noticed by the listener for Node, too, which still answers requests without a body', async () => {
    const sluice = await start()
    const listener = toNodeListener(sluice)
    const read = async (incoming: IncomingMessage): Promise<void> => {
      for await (const _ of incoming);
    }
    const server = createServer(async (incoming, outgoing) => {
      await read(incoming)
      listener(incoming, outgoing)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const answer = await fetch(`${url}/v1/track`, { method: 'POST', headers, body })
    expect([answer.status, await answer.json()]).toMatchObject([500, { code: 'bodyConsumed' }])
    expect((await fetch(`${url}/health`)).status).toBe(200)
    expect((await sluice.stats())[0]?.rejected ?? {}).toEqual({})
    server.close()
    server.closeAllConnections()
  })
})
