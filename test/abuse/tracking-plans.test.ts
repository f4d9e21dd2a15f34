import { createRecordingTransport, reply } from '@sluice/delivery'
import { createSluice, type Sluice } from 'sluice'
import { afterEach, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type ApiClient, createApiClient, hashOf } from '../support/http/api-client.ts'
import { longestTurn } from '../support/processes/longest-turn.ts'

let running: Sluice | undefined
afterEach(() => running?.stop())

const workspace = {
  id: 'a',
  accessTokens: [{ name: 'all', token: hashOf('all'), scopes: ['read', 'write', 'operate', 'admin'] as const }],
  sources: [{ id: 's', writeKey: 'key' }],
  destinations: [{ id: 'hook', type: 'WEBHOOK' as const, settings: { webhookUrl: 'https://hook.test/' } }],
  connections: [{ source: 's', destination: 'hook' }],
}

async function start(): Promise<{ readonly sluice: Sluice; readonly api: ApiClient; readonly bodies: unknown[] }> {
  const bodies: unknown[] = []
  const sluice = await createSluice({
    workspace: { workspaces: [workspace] },
    transport: createRecordingTransport((request) => {
      bodies.push(request.body.JSON)
      return reply(200)
    }),
    sandbox: { mode: 'in-process' },
  })
  running = sluice
  return { sluice, api: await createApiClient(sluice, 'Bearer all'), bodies }
}

const range = (length: number) => Array.from({ length }, (_, n) => n)
const named = (length: number, schemaOf: (n: number) => object) =>
  Object.fromEntries(range(length).map((n) => [`p${n}`, schemaOf(n)]))
const doubling = (times: number) => ({
  $defs: {
    a0: { required: ['x'] },
    ...Object.fromEntries(
      range(times).map((n) => [`a${n + 1}`, { allOf: range(2).map(() => ({ $ref: `#/$defs/a${n}` })) }]),
    ),
  },
  $ref: `#/$defs/a${times}`,
})
const plan = (schemas: readonly object[], more: object = {}) => ({
  id: 'planned',
  writeKey: 'planned',
  trackingPlan: {
    onViolation: 'mark',
    events: schemas.map((schema, n) => ({ type: 'track', event: `E${n}`, schema })),
    ...more,
  },
})
/**
 * Processor time of one stretch, in milliseconds. The aim is 50; the rest is for a machine that also compiles this code for
 * the first time. Before, the stretches below took from 0.2 to 29 s.
 */
const stretchMax = 150

describe('a tracking plan that is costly to compile', () => {
  const length = 3_000
  const hostile: Readonly<Record<string, readonly [schemas: readonly object[], says: string]>> = {
    'references through a long chain': [
      [
        {
          $defs: Object.fromEntries(
            range(length).map((n) => [`c${n}`, n === length - 1 ? { type: 'string' } : { $ref: `#/$defs/c${n + 1}` }]),
          ),
          properties: named(length, () => ({ $ref: '#/$defs/c0' })),
        },
      ],
      'it is too large: preparing it takes more than 80000 steps, those of some 1600 properties',
    ],
    'many references': [
      [{ $defs: { a: { type: 'string' } }, properties: named(20_000, () => ({ $ref: '#/$defs/a' })) }],
      'leave out what need not be checked',
    ],
    'many patterns': [
      [
        {
          patternProperties: Object.fromEntries(range(1_000).map((n) => [`^x${n}[a-z]+$`, { type: 'string' }])),
          properties: named(5_000, () => ({ type: 'string' })),
        },
      ],
      'leave out what need not be checked',
    ],
    'many events whose references multiply': [
      range(400).map(() => doubling(12)),
      'the plan is too large: preparing it takes more than 5000000 steps',
    ],
  }
  it.each(Object.entries(hostile))('is refused with a sentence, in short turns: %s', async (_, [schemas, says]) => {
    const { sluice, api } = await start()
    await api.get('/v2/sources')
    // What any request of this size takes.
    await api.post('/v2/sources?validate=true', { name: 'x'.repeat(300_000) })
    const { result, turnMs } = await longestTurn(() => api.post('/v2/sources', plan(schemas)))
    expect(result.status).toBe(400)
    expect(result.text).toContain(says)
    expect(turnMs).toBeLessThan(stretchMax)
    expect(sluice.workspaces[0]?.sources).toHaveLength(1)
  })

  it('is accepted in short turns when it is one of a large product, and costs little to store once more', async () => {
    const { api } = await start()
    const schemas = range(200).map((n) => ({
      properties: { properties: { properties: named(30, () => ({ type: 'string', maxLength: n + 1 })) } },
    }))
    const { result, turnMs } = await longestTurn(() => api.post('/v2/sources', plan(schemas)))
    expect([result.status, result.status === 201 ? '' : result.text]).toEqual([201, ''])
    expect(turnMs).toBeLessThan(stretchMax)
  })
})

describe('a tracking plan that is costly to check', () => {
  const { $defs, $ref } = doubling(6)
  const costly = { $defs, properties: { properties: { properties: { l: { items: { $ref } } } } } }
  const events = (count: number, properties: object, n = 0) =>
    range(count).map((id) => ({ type: 'track', event: `E${n}`, userId: 'u', messageId: `m${id}`, properties }))

  it.each(['mark', 'strip', 'drop'])(
    'checks a batch in short turns, where events are observed, too: %s',
    async (onViolation) => {
      const { sluice, api } = await start()
      const source = await api.post('/v2/sources', plan([costly], { onViolation }))
      expect(source.status).toBe(201)
      expect((await api.post('/v2/connections', { sourceId: 'planned', destinationId: 'hook' })).text).toContain('hook')
      expect(await sluice.ingest('planned', events(20, { l: [1] }))).toMatchObject({ ok: true })
      await sluice.settled()
      const { turnMs } = await longestTurn(async () => {
        expect(await sluice.ingest('planned', events(500, { l: range(20).map(() => ({})) }))).toMatchObject({
          ok: true,
        })
        await sluice.settled()
      })
      expect(turnMs).toBeLessThan(stretchMax)
    },
  )

  it('does not copy its texts into events many times over', async () => {
    const { sluice, api, bodies } = await start()
    const pattern = `^${'x'.repeat(900)}$`
    const source = await api.post(
      '/v2/sources',
      plan([
        { properties: { properties: { additionalProperties: { pattern } } } },
        { properties: { properties: { required: range(100).map((n) => `${n}${'y'.repeat(5_000)}`) } } },
      ]),
    )
    expect(source.status).toBe(201)
    expect((await api.post('/v2/connections', { sourceId: 'planned', destinationId: 'hook' })).text).toContain('hook')
    const texts = named(100, () => 'text' as unknown as object)
    expect(await sluice.ingest('planned', [...events(1, texts), ...events(1, {}, 1)])).toMatchObject({ ok: true })
    await sluice.settled()
    await eventually(() => bodies.length).toBe(2)
    for (const body of bodies) {
      const { violationErrors } = (body as { context: { violationErrors: { message: string }[] } }).context
      expect(violationErrors.length).toBeGreaterThan(10)
      expect(JSON.stringify(violationErrors).length).toBeLessThan(20_000)
      for (const { message } of violationErrors) expect(message).toMatch(/^must (match pattern|have required).{1,300}$/)
    }
  })
})
