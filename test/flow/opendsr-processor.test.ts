import { createManualClock, createSeededRandom, type JsonObject, type ManualClock, systemClock } from '@sluice/core'
import { createFolderLedgerPlace, openSqliteStore } from '@sluice/storage'
import type { WorkspaceDefinition } from 'sluice'
import { afterEach, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { hashOf } from '../support/http/api-client.ts'
import { startHookedServer } from '../support/http/hooked-server.ts'
import { type Answer, startReceiver } from '../support/receiver.ts'
import { shop } from '../support/scenes/shop.ts'
import { type ServeOptions, serveWorkspaces } from '../support/served-workspace.ts'

const serve = serveWorkspaces({ clock: systemClock, allowAddresses: ['localhost'] })
const accessTokens: NonNullable<WorkspaceDefinition['accessTokens']> = [{ name: 'all', token: hashOf('all') }]
const person = { userId: 'kim-4711', email: 'kim@mail.test' }

const servers: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

/** A controller whose deletions a processor at an address carries out. */
async function controllerOf(address: string, clock: ManualClock, options: ServeOptions = {}) {
  const processor = { id: 'vendor', type: 'OPENDSR' as const, settings: { address, authorization: 'Bearer all' } }
  const workspace = shop('', { destinations: [processor], connections: [] })
  const { sluice } = await serve({ workspace, clock, ...options })
  const job = async (id: string) => {
    const jobs = await sluice.deletions.ofRegulation('shop', id)
    return jobs.find(({ destinationId }) => destinationId === 'vendor')
  }
  const erase = async (): Promise<string> => {
    const request = { regulationType: 'suppress_with_delete', users: [person] } as const
    const [made] = await sluice.regulations.create('shop', request)
    return made?.id ?? ''
  }
  return { sluice, job, erase }
}

/** A processor that gives these statuses in turn, the last one for ever. */
async function processorOf(statuses: readonly string[], answers: Partial<Record<'POST' | 'GET', Answer>> = {}) {
  let asked = 0
  const receiver = await startReceiver((request, response) => {
    const own = answers[request.method as 'POST' | 'GET']
    if (own) return own(request, response)
    if (request.method === 'POST') return 201
    const status = statuses[Math.min(asked, statuses.length - 1)]
    asked += 1
    const id = request.path.split('/').at(-1)
    response.writeHead(200, { 'content-type': 'application/json' })
    return response.end(JSON.stringify({ subject_request_id: id, request_status: status }))
  })
  servers.push(receiver)
  const orders = () => receiver.received.filter(({ method }) => method === 'POST')
  const questions = () => receiver.received.filter(({ method }) => method === 'GET')
  return { address: `${receiver.url}/v2/requests`, orders, questions }
}

describe('a deletion at a processor that speaks OpenDSR', () => {
  it('is complete when the processor says so: another Sluice', async () => {
    const place = createFolderLedgerPlace(serve.file('ledger'), createSeededRandom(5))
    const workspace = shop('', { destinations: [], connections: [], accessTokens })
    const { sluice: processor } = await serve({ workspace, ledger: { place } })
    const server = await startHookedServer(processor)
    servers.push(server)
    const clock = createManualClock()
    const { job, erase } = await controllerOf(`${server.url}/opendsr/v2/requests`, clock)
    const id = await erase()
    await eventually(async () => {
      clock.advance(60_000)
      return (await job(id))?.status
    }).toBe('complete')
    expect((await job(id))?.reason).toMatch(/^the processor reports request [\da-f-]{36} as completed$/)
    const { regulations } = await processor.regulations.list('shop', { limit: 10 })
    expect(regulations.map(({ attributes }) => attributes)).toEqual([{ userId: 'kim-4711' }])
  })

  it('is ordered once, and followed while the processor works on it, also after a restart', async () => {
    const { address, orders, questions } = await processorOf(['pending', 'in_progress', 'completed'])
    const clock = createManualClock()
    const path = serve.file('store.db')
    const open = () => openSqliteStore({ path, thread: 'this', clock, random: createSeededRandom(3) })
    const first = await controllerOf(address, clock, { store: await open() })
    const id = await first.erase()
    const requestId = () => JSON.parse(orders()[0]?.body ?? '{}').subject_request_id
    await eventually(() => first.job(id)).toMatchObject({
      status: 'failed',
      attempts: 0,
      reason: expect.stringMatching(/request [\da-f-]{36} was accepted and is pending$/),
    })
    await first.sluice.stop()
    clock.advance(60_000)
    const { job } = await controllerOf(address, clock, { store: await open() })
    await eventually(() => job(id)).toMatchObject({
      status: 'failed',
      reason: expect.stringMatching(/is in_progress$/),
    })
    await eventually(async () => {
      clock.advance(6 * 3_600_000)
      return (await job(id))?.status
    }).toBe('complete')
    expect(orders().length).toBe(1)
    expect(questions().map(({ path }) => path)).toEqual(Array(3).fill(`/v2/requests/${requestId()}`))
    expect(JSON.parse(orders()[0]?.body ?? '{}') as JsonObject).toMatchObject({
      regulation: 'gdpr',
      subject_request_type: 'erasure',
      api_version: '2.0',
      subject_identities: [{ identity_type: 'controller_customer_id', identity_value: 'kim-4711' }],
    })
    expect(orders()[0]?.headers['authorization']).toBe('Bearer all')
  })

  it('is never complete because it was accepted: it is given up after 45 days', async () => {
    const { address, orders } = await processorOf(['pending'])
    const clock = createManualClock()
    const { job, erase } = await controllerOf(address, clock)
    const id = await erase()
    const seen = new Set<string>()
    await eventually(async () => {
      const found = await job(id)
      seen.add(found?.status ?? '')
      if (found?.status === 'failed') clock.advance(6 * 3_600_000)
      return found?.status
    }).toBe('aborted')
    expect((await job(id))?.reason).toMatch(/^not done after 45 days: .+ was accepted and is pending$/)
    expect([seen.has('complete'), orders().length]).toEqual([false, 1])
  })

  it('is aborted when the processor cancelled it', async () => {
    const { address } = await processorOf(['cancelled'])
    const { job, erase } = await controllerOf(address, createManualClock())
    const id = await erase()
    await eventually(() => job(id)).toMatchObject({ status: 'aborted', reason: expect.stringMatching(/was cancelled/) })
  })

  const unclear: readonly (readonly [string, Answer, RegExp])[] = [
    [
      'is about another request',
      (_, response) => response.end('{"subject_request_id":"x"}'),
      /is not about the request/,
    ],
    ['is no JSON', (_, response) => response.end('<html>'), /is not about the request/],
    ['refuses', () => 404, /It answered 404/],
  ]
  for (const [what, GET, reason] of unclear)
    it(`is given up after five questions where the answer ${what}`, async () => {
      const { address, orders, questions } = await processorOf([], { GET })
      const clock = createManualClock()
      const { job, erase } = await controllerOf(address, clock)
      const id = await erase()
      await eventually(async () => {
        const found = await job(id)
        if (found?.status === 'failed') clock.advance(6 * 3_600_000)
        return found?.status
      }).toBe('aborted')
      expect((await job(id))?.reason).toMatch(reason)
      expect([orders().length, questions().length]).toEqual([1, 5])
    })

  it('is ordered again when the processor did not take the order', async () => {
    let isDown = true
    const { address, orders } = await processorOf(['completed'], { POST: () => (isDown ? 503 : 201) })
    const clock = createManualClock()
    const { job, erase } = await controllerOf(address, clock)
    const id = await erase()
    await eventually(() => job(id)).toMatchObject({ status: 'failed', attempts: 1 })
    isDown = false
    await eventually(async () => {
      clock.advance(60_000)
      return (await job(id))?.status
    }).toBe('complete')
    expect(orders().length).toBe(2)
  })
})
