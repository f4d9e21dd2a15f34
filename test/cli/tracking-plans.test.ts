import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject } from '@sluice/core'
import { createSluice, type Sluice } from 'sluice'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { hashOf } from '../support/http/api-client.ts'
import { type HookedServer, startHookedServer } from '../support/http/hooked-server.ts'
import { runCommand } from '../support/processes/command.ts'
import { runHosted } from '../support/processes/command-host.ts'

const order = (n: number, more: JsonObject = {}): JsonObject => ({
  type: 'track',
  event: 'Order Completed',
  messageId: `m${n}`,
  userId: `u${n}`,
  properties: {
    orderId: `0190${String(n).padStart(4, '0')}-0000-4000-8000-000000000003`,
    currency: n % 2 ? 'EUR' : 'USD',
    total: n + 0.5,
    lines: [{ sku: `s${n}`, count: 1 }],
    email: `u${n}@shop.test`,
    ...(n % 4 === 0 ? { coupon: 'X' } : {}),
    ...more,
  },
})
const events = Array.from({ length: 80 }, (_, n) => order(n))
const rare = { type: 'page', name: 'Home', messageId: 'p1', userId: 'u1' }
const plan = {
  onViolation: 'mark',
  unplanned: 'pass',
  events: [
    {
      type: 'track',
      event: 'Order Completed',
      schema: {
        type: 'object',
        properties: {
          properties: {
            type: 'object',
            properties: {
              coupon: { type: 'string', enum: ['X'] },
              currency: { type: 'string', enum: ['EUR', 'USD'] },
              email: { type: 'string', format: 'email', 'x-pii': 'email' },
              lines: {
                type: 'array',
                items: {
                  type: 'object',
                  properties: { count: { type: 'integer' }, sku: { type: 'string' } },
                  required: ['count', 'sku'],
                },
              },
              orderId: { type: 'string', format: 'uuid' },
              total: { type: 'number' },
            },
            required: ['currency', 'email', 'lines', 'orderId', 'total'],
          },
        },
        required: ['properties'],
      },
    },
  ],
}

let cwd: string
let sluice: Sluice
let server: HookedServer
beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'sluice-tracking-plan-'))
  const bad = [order(80, { total: 'ann@shop.test' }), order(81, { total: null, currency: 'GBP' })]
  const lines = (list: readonly object[]): string => list.map((event) => `${JSON.stringify(event)}\n`).join('')
  writeFileSync(join(cwd, 'day.ndjson'), lines([...events, rare, { type: 'track' }]))
  writeFileSync(join(cwd, 'next.ndjson'), lines([...events, ...bad]))
  writeFileSync(join(cwd, 'plan.json'), JSON.stringify(plan))
  writeFileSync(join(cwd, 'source.yaml'), `name: Web\ntrackingPlan: ${JSON.stringify(plan)}`)
  writeFileSync(join(cwd, 'broken.json'), JSON.stringify({ ...plan, onViolation: 'dropp' }))
  sluice = await createSluice({
    workspace: {
      id: 'shop',
      accessTokens: [{ name: 'all', token: hashOf('token-of-the-shop') }],
      sources: [
        { id: 'web', writeKey: 'web-key' },
        { id: 'app', writeKey: 'app-key', trackingPlan: { ...plan, onViolation: 'quarantine' } as never },
      ],
      // All events of its source violate the plan, so that none is sent.
      destinations: [{ id: 'hook', type: 'WEBHOOK', settings: { webhookUrl: 'http://hook.test/' } }],
      connections: [{ source: 'app', destination: 'hook' }],
    },
    sandbox: { mode: 'in-process' },
  })
  server = await startHookedServer(sluice)
  expect((await sluice.ingest('web-key', [...events, rare, ...bad])).ok).toBe(true)
  await sluice.settled()
})
afterAll(async () => {
  await server.close()
  await sluice.stop()
  rmSync(cwd, { recursive: true })
})
const run = (...args: readonly string[]) =>
  runHosted(['plan', ...args], {
    cwd,
    env: { XDG_CONFIG_HOME: cwd, SLUICE_URL: server.url, SLUICE_TOKEN: 'token-of-the-shop', NO_COLOR: '1' },
  })

describe('sluice plan infer', () => {
  it('prints the plan of the events of a file, and what was seen too rarely', async () => {
    const { status, stdout, stderr } = await runCommand(['plan', 'infer', '--events', 'day.ndjson'], { cwd })
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toEqual(plan)
    expect(stderr).toContain('page is left out: it was seen 1 times')
    expect(stderr).toContain('1 events are left out because ingestion refuses them')
  })

  it('prints the plan of the catalogue of a server, without its personal data', async () => {
    const { status, stdout } = await run('infer', '--source', 'web', '--json')
    expect(status).toBe(0)
    expect(stdout).not.toContain('@shop.test')
    const { plan: found, tooFew } = JSON.parse(stdout) as { plan: typeof plan; tooFew: readonly object[] }
    expect(tooFew).toEqual([{ name: 'page', count: 1 }])
    const { properties } = found.events[0]?.schema.properties ?? {}
    expect(properties?.required).toEqual(['currency', 'email', 'lines', 'orderId', 'total'])
    expect(properties?.properties).toMatchObject({
      // Seen as a text and as null in two events.
      total: { type: ['string', 'number', 'null'] },
      currency: { type: 'string' },
      email: { type: 'string', format: 'email', 'x-pii': 'email' },
      orderId: { type: 'string', format: 'uuid' },
      lines: {
        type: 'array',
        items: {
          type: 'object',
          properties: { count: { type: 'integer' }, sku: { type: 'string' } },
          required: ['count', 'sku'],
        },
      },
    })
  })

  it('merges with a plan, and shows what it does not follow', async () => {
    const { stdout, stderr } = await run('infer', '--events', 'next.ndjson', '--merge', 'source.yaml')
    expect(JSON.parse(stdout)).toEqual(plan)
    expect(
      stderr,
    ).toBe(`~ track Order Completed: properties.currency had a value that the plan does not list (kept as it is)
~ track Order Completed: properties.total is number in the plan, and was also string and null (kept as it is)
`)
    const weaker = await run(
      'infer',
      '--events',
      'next.ndjson',
      '--merge',
      'plan.json',
      '--weaken',
      '--out',
      'new.json',
    )
    expect(weaker.stdout).toBe('')
    const after = await run('check', 'new.json', '--events', 'next.ndjson')
    expect(after).toMatchObject({ status: 0, stdout: '82 events: no violation\n' })
  })

  it('writes the rules of Segment', async () => {
    const { stdout } = await run('infer', '--events', 'day.ndjson', '--format', 'segment')
    const [event] = plan.events
    expect(JSON.parse(stdout)).toEqual({
      rules: [
        {
          type: 'TRACK',
          key: 'Order Completed',
          version: 1,
          jsonSchema: { $schema: 'http://json-schema.org/draft-07/schema#', ...event?.schema },
        },
      ],
    })
  })

  it('writes files of rudder-cli that are read back as the same checks', async () => {
    await run('infer', '--events', 'day.ndjson', '--format', 'rudder-cli', '--out', 'project')
    const printed = await run('infer', '--events', 'day.ndjson', '--format', 'rudder-cli')
    expect(parseAllDocuments(printed.stdout).map((each) => each.toJS().kind)).toEqual([
      'properties',
      'events',
      'tracking-plan',
    ])
    writeFileSync(
      join(cwd, 'project', 'sources.yaml'),
      `version: rudder/v1
kind: event-stream-source
metadata: { name: web }
spec:
  id: web
  name: Web
  type: javascript
  governance: { validations: { tracking_plan: "#tracking-plan:inferred", config: { track: { propagate_violations: false } } } }
`,
    )
    expect(await run('check', 'project', '--events', 'day.ndjson')).toMatchObject({
      status: 0,
      stderr: expect.any(String),
    })
    const { status, stdout } = await run('check', 'project', '--events', 'next.ndjson', '--json')
    expect(status).toBe(1)
    const { groups } = JSON.parse(stdout) as { groups: readonly { path: string; rule: string }[] }
    expect(groups.map(({ path, rule }) => `${path} ${rule}`).sort()).toEqual([
      'properties.currency enum',
      'properties.total type',
    ])
  })
})

describe('sluice plan check', () => {
  const groups = [
    {
      event: 'track Order Completed',
      path: 'properties.total',
      type: 'Datatype-Mismatch',
      rule: 'type',
      count: 2,
      share: 2 / 82,
      first: { messageId: 'm80', value: '[email]', message: 'must be number' },
    },
    {
      event: 'track Order Completed',
      path: 'properties.currency',
      type: 'Other',
      rule: 'enum',
      count: 1,
      share: 1 / 82,
      first: { messageId: 'm81', value: 'GBP', message: expect.any(String) },
    },
  ]

  it('groups what events of a file violate, with masked samples, and has exit status 1', async () => {
    const { status, stdout } = await run('check', 'plan.json', '--events', 'next.ndjson', '--json')
    expect(status).toBe(1)
    expect(JSON.parse(stdout)).toEqual({ events: 82, violating: 2, groups, leftOut: 0, isCut: false })
    const text = await runCommand(['plan', 'check', 'plan.json', '--events', 'next.ndjson'], { cwd })
    expect(text.status).toBe(1)
    expect(text.stdout).toContain(`82 events: 2 violate the plan, in 2 groups

~ track Order Completed properties.total (type): must be number
  in 2 events, 2.4 % of that name
  such as "[email]" in m80`)
    const markdown = await run('check', 'source.yaml', '--events', 'next.ndjson', '--markdown')
    expect(markdown.stdout).toContain(
      '- `track Order Completed properties.total (type)`: 2 events, 2.4 % of that name, such as `"[email]"` (`m80`)',
    )
  })

  it('groups what events of the log of a server violate', async () => {
    const { status, stdout } = await run('check', 'plan.json', '--source', 'web', '--json')
    expect(status).toBe(1)
    // The newest event comes last in its batch, so the first of a group is the same as in a file.
    expect(JSON.parse(stdout)).toEqual({ events: 83, violating: 2, groups, leftOut: 0, isCut: false })
    const few = await run('check', 'plan.json', '--source', 'web', '--limit', '1', '--json')
    expect(JSON.parse(few.stdout)).toMatchObject({ events: 1, violating: 1, isCut: true })
  })

  it('ends with exit status 2 when nothing could be checked', async () => {
    const none = await run('check', 'nope.json', '--events', 'day.ndjson')
    expect(none).toMatchObject({ status: 2, stderr: expect.stringContaining('nope.json cannot be read') })
    const broken = await run('check', 'broken.json', '--events', 'day.ndjson')
    expect(broken).toMatchObject({ status: 2, stderr: expect.stringContaining('trackingPlan.onViolation') })
    const unknown = await run('check', 'plan.json', '--source', 'nope')
    expect(unknown).toMatchObject({ status: 2, stderr: expect.stringContaining('there is no source nope') })
    expect(await run('check', 'plan.json')).toMatchObject({ status: 2, stderr: expect.stringContaining('--source') })
  })
})

describe('sluice dead-letters replay --violation', () => {
  it('replays what a plan keeps in quarantine, by key or by rule', async () => {
    const kept = [order(1, { total: 'x' }), order(2, { total: 'y', currency: 'GBP' }), order(3, { currency: 'GBP' })]
    expect((await sluice.ingest('app-key', kept)).ok).toBe(true)
    await sluice.settled()
    const replayed = async (...args: readonly string[]): Promise<string> => {
      const env = { XDG_CONFIG_HOME: cwd, SLUICE_URL: server.url, SLUICE_TOKEN: 'token-of-the-shop' }
      const { status, stdout, stderr } = await runHosted(['dead-letters', 'replay', ...args], { cwd, env })
      // They violate the plan again.
      await sluice.settled()
      return status === 0 ? stdout.trim() : stderr
    }
    expect(await replayed('--violation', 'properties.total')).toBe('2 queued')
    expect(await replayed('--violation', 'enum', '--destination', 'hook')).toBe('2 queued')
    expect(await replayed('--violation', 'total')).toBe('0 queued')
    expect(await replayed('--violation', 'required')).toBe('0 queued')
    expect(await replayed('some-id', '--violation', 'type')).toContain('give either ids or a --violation')
    expect(await sluice.deadLetters.list('shop', { limit: 9 })).toHaveLength(3)
  })
})

describe('sluice types', () => {
  const types = (...args: readonly string[]) => runHosted(['types', ...args], { cwd, env: { XDG_CONFIG_HOME: cwd } })

  it('prints types for a plan, and the same for the events that it was inferred from', async () => {
    const { status, stdout } = await runCommand(['types', 'plan.json'], { cwd })
    expect(status).toBe(0)
    expect(stdout).toContain('export type OrderCompleted = {\n  coupon?: "X"\n  currency: "EUR" | "USD"\n')
    expect((await types('--events', 'day.ndjson')).stdout).toBe(stdout)
    expect((await types('source.yaml', '--json')).stdout).toBe(`${JSON.stringify({ code: stdout })}\n`)
  })

  it('shows with --check how a file is out of date, and changes nothing', async () => {
    expect(
      await types('plan.json', '--language', 'kotlin', '--package', 'shop.events', '--out', 'Events.kt'),
    ).toMatchObject({
      status: 0,
      stdout: '',
    })
    const again = ['plan.json', '--language', 'kotlin', '--package', 'shop.events', '--out', 'Events.kt', '--check']
    expect(await types(...again)).toMatchObject({ status: 0, stdout: 'Events.kt is up to date\n' })
    const before = readFileSync(join(cwd, 'Events.kt'), 'utf8')
    writeFileSync(join(cwd, 'Events.kt'), before.replace('val coupon', 'val coupons'))
    const { status, stdout } = await types(...again)
    expect(status).toBe(1)
    expect(stdout).toContain('-    val coupons: ')
    expect(stdout).toContain('+    val coupon: ')
    expect(readFileSync(join(cwd, 'Events.kt'), 'utf8')).not.toBe(before)
    const none = await types('plan.json', '--out', 'none.swift', '--language', 'swift', '--check')
    expect(none).toMatchObject({ status: 1, stdout: expect.stringContaining('none.swift is out of date') })
  })

  it('says what is wrong with the flags', async () => {
    expect(await types('plan.json', '--check')).toMatchObject({ status: 2, stderr: expect.stringContaining('--out') })
    const named = await types('plan.json', '--language', 'kotlin', '--package', 'a b')
    expect(named).toMatchObject({ status: 1, stderr: expect.stringContaining('--package a b') })
  })
})

describe('sluice plan', () => {
  it('still takes a path, also of a folder that has the name of a subcommand', async () => {
    const { stderr } = await run('./infer')
    expect(stderr).toContain('infer')
    expect(readFileSync(join(cwd, 'plan.json'), 'utf8')).toBe(JSON.stringify(plan))
  })
})
