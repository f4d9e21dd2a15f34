import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRecordingTransport, reply } from '@sluice/delivery'
import { createSluice, toNodeListener } from 'sluice'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashOf } from '../support/http/api-client.ts'
import { runCommand } from '../support/processes/command.ts'
import { runHosted } from '../support/processes/command-host.ts'
import { shop } from '../support/scenes/shop.ts'

let cwd: string
const secret = 'secret-of-the-hook'
const workspace = (settings: object, more: readonly object[] = []) => ({
  id: 'shop',
  sources: [{ id: 'web', writeKey: 'k' }],
  destinations: [
    {
      id: 'hook',
      type: 'WEBHOOK',
      settings: { webhookUrl: 'https://hook.test/in', headers: [{ from: 'authorization', to: secret }], ...settings },
      transformation: { file: 'old.js' },
    },
    ...more,
  ],
  connections: ['hook', ...more.map((each) => (each as { id: string }).id)].map((destination) => ({
    source: 'web',
    destination,
  })),
})

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'sluice-diff-'))
  const events = [
    { type: 'track', event: 'Order', messageId: 'm1', userId: 'u1', properties: { email: 'ann@shop.test', total: 1 } },
    { type: 'track', event: 'Order', messageId: 'm2', userId: 'u2', properties: { email: 'bob@shop.test', total: 2 } },
    { type: 'page', name: '`<b>Home</b>`', messageId: 'm3', userId: 'u1' },
    { type: 'track', messageId: 'm4' },
  ]
  const files: Readonly<Record<string, string>> = {
    'events.ndjson': events.map((event) => `${JSON.stringify(event)}\n`).join(''),
    'old.js': 'export const transformEvent = (event) => event',
    'new.js':
      'export function transformEvent(event) {\n  if (event.type === "page") return null\n  event.properties.email += "!"\n  return event\n}',
    'leaky.js': `export function transformEvent(event) {
  const key = getCredential('api')
  return { ...event, userId: 'u', key, sent: 'Bearer ' + key, ['to ' + event.properties?.email]: 1 }
}`,
    'many.js': `export function transformEvent(event) {
  for (let n = 0; n < 190; n++) event['k' + n + event.messageId.repeat(6)] = 1
  return event
}`,
    'many.ndjson': Array.from(
      { length: 8 },
      (_, n) =>
        `${JSON.stringify({ type: 'track', event: 'To ann@shop.test', messageId: `z${n}ann@shop.test`, userId: 'u' })}\n`,
    ).join(''),
    'broken.js': 'export function transformEvent(event) {\n  return {{\n}',
    'accepted.txt': '# known\noutput[].properties.email: text → another text\n',
    'all.txt':
      'output[].properties.email: text → another text\noutcome: passed → dropped (transformation returned nothing)\n',
    'before.json': JSON.stringify(workspace({})),
    'after.json': JSON.stringify(
      workspace({ webhookMethod: 'PUT' }, [
        { id: 'second', type: 'WEBHOOK', settings: { webhookUrl: 'https://second.test/in' } },
        { id: 'off', type: 'WEBHOOK', enabled: false, settings: { webhookUrl: 'https://off.test/in' } },
      ]),
    ),
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text)
})
afterAll(() => rmSync(cwd, { recursive: true }))

const diff = (...args: readonly string[]) => runHosted(['diff', ...args, '--events', 'events.ndjson'], { cwd })

describe('sluice diff', () => {
  it('shows what two versions of a transformation make differently, and exits with 1', async () => {
    const { status, stdout, stderr } = await diff('old.js', 'new.js', '--in-process')
    expect(status).toBe(1)
    expect(stderr).toContain('1 events are left out because ingestion refuses them')
    expect(stdout).toMatch(/^3 events: 3 differ, in 2 groups\n/)
    expect(stdout).toMatch(/^passed +3 +2\ndropped +0 +1\nfailed +0 +0\n/m)
    expect(stdout).toContain(
      '~ output[].properties.email: text → another text\n  in 2 of 3 events (Order 2)\n  such as event 1 (m1)\n  - "[email]"\n  + "[email]!"',
    )
    expect(stdout).toContain('~ outcome: passed → dropped (transformation returned nothing)\n  in 1 of 3 events')
    expect(stdout).not.toContain('ann@')
    expect((await diff('old.js', 'new.js', '--in-process', '--show-personal-data')).stdout).toContain(
      '+ "ann@shop.test!"',
    )
  })

  it('is silent and exits with 0 for the same version', async () => {
    const { status, stdout } = await runCommand(
      ['diff', 'old.js', 'old.js', '--in-process', '--events', 'events.ndjson'],
      { cwd },
    )
    expect([status, stdout.split('\n', 1)[0]]).toEqual([0, '3 events: no difference'])
  })

  it('accepts groups that a file names', async () => {
    const some = await diff('old.js', 'new.js', '--in-process', '--accept', 'accepted.txt', '--json')
    expect(some.status).toBe(1)
    expect(JSON.parse(some.stdout)).toMatchObject({
      changed: 3,
      open: ['outcome: passed → dropped (transformation returned nothing)'],
    })
    expect((await diff('old.js', 'new.js', '--in-process', '--accept', 'all.txt')).status).toBe(0)
  })

  it('compares each destination of two workspaces, and shows no secret of their settings', async () => {
    const { status, stdout } = await diff('before.json', 'after.json', '--in-process')
    expect(status).toBe(1)
    expect(stdout).toContain('~ hook: requests[].method: text → another text\n')
    expect(stdout).toContain('~ second: outcome: not there → passed\n')
    expect(stdout).not.toContain('off:')
    expect(stdout).not.toContain(secret)
    const all = await diff('before.json', 'after.json', '--in-process', '--json', '--source', 'web')
    expect(all.stdout).not.toContain(secret)
  })

  it('compares the rows of a warehouse', async () => {
    const lake = { id: 'lake', type: 'DUCKDB', settings: { path: './lake.duckdb' } }
    for (const file of ['old.js', 'new.js'])
      writeFileSync(join(cwd, `${file}on`), JSON.stringify(workspace({}, [{ ...lake, transformation: { file } }])))
    const { stdout } = await diff('old.json', 'new.json', '--in-process')
    expect(stdout).toMatch(/^~ lake: requests\[\]\.body\.JSON\.rows\[\]\.data\.email: text → another text$/m)
  })

  it('shows neither credentials of user code nor personal data in keys, names and ids', async () => {
    const flags = ['--in-process', '--credential', 'api=key-of-the-api', '--json']
    const { stdout } = await diff('old.js', 'leaky.js', ...flags)
    expect(stdout).toContain('Bearer ••••••')
    expect(stdout).not.toMatch(/key-of-the-api|ann@|bob@/)
    const named = await runHosted(['diff', 'old.js', 'leaky.js', '--events', 'many.ndjson', ...flags], { cwd })
    expect(named.stdout).toContain('To [email]')
    expect(named.stdout).not.toContain('ann@')
  })

  it('does not accept changes at more places than it distinguishes', async () => {
    const args = ['diff', 'old.js', 'many.js', '--events', 'many.ndjson', '--in-process']
    const { stdout } = await runHosted([...args, '--json'], { cwd })
    const { groups, groupsLeftOut, open } = JSON.parse(stdout)
    expect([groups.length, groupsLeftOut]).toEqual([1_000, 520])
    writeFileSync(join(cwd, 'thousand.txt'), open.join('\n'))
    const accepted = await runHosted([...args, '--accept', 'thousand.txt', '--json'], { cwd })
    expect([JSON.parse(accepted.stdout).open, accepted.status]).toEqual([[], 1])
  })

  it('writes reports as a page that opens offline and as Markdown, in which events are text', async () => {
    const reports = ['--html', 'report.html', '--markdown', 'report.md']
    await diff('old.js', 'new.js', '--in-process', ...reports)
    const page = readFileSync(join(cwd, 'report.html'), 'utf8')
    expect(page).not.toMatch(/https?:|<script|<link|<img|@import|url\(|\son\w+=/i)
    expect(page).toContain('&lt;b&gt;Home&lt;/b&gt;')
    const text = readFileSync(join(cwd, 'report.md'), 'utf8')
    expect(text).toMatch(/^### sluice diff: 3 events: 3 differ, in 2 groups\n/)
    expect(text).toContain('```diff\n- "[email]"\n+ "[email]!"\n```')
    expect(text).toContain('\\`\\<b\\>Home\\</b\\>\\`')
    const printed = await diff('old.js', 'new.js', '--in-process', '--markdown', '-')
    expect(printed.stdout).toMatch(/^### sluice diff[\s\S]*are masked where they look like personal data/)
    const shown = await diff('old.js', 'new.js', '--in-process', '--markdown', '-', '--show-personal-data')
    expect(shown.stdout).toMatch(/ann@shop\.test[\s\S]*Personal data of examples is shown/)
  })

  it('takes its events from the log of a server, page by page, with what the server masks masked', async () => {
    const home = mkdtempSync(join(tmpdir(), 'sluice-diff-home-'))
    const accessTokens = [{ name: 'operator', token: hashOf('operator'), scopes: ['operate' as const] }]
    const sluice = await createSluice({
      workspace: shop('http://hook.test/', {
        accessTokens,
        sources: [
          { id: 'web', writeKey: 'web-key' },
          { id: 'app', writeKey: 'app-key' },
        ],
      }),
      transport: createRecordingTransport(() => reply(200)),
      sandbox: { mode: 'in-process' },
    })
    const server = createServer(toNodeListener(sluice))
    try {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const events = Array.from({ length: 600 }, (_, n) => ({
        type: 'track' as const,
        event: n % 2 === 0 ? 'Order' : 'Refund',
        messageId: `m${n}`,
        userId: 'u1',
        properties: { email: 'ann@shop.test', total: n },
      }))
      expect((await sluice.ingest('web-key', events)).ok).toBe(true)
      expect((await sluice.ingest('app-key', events.slice(0, 1))).ok).toBe(true)
      const env = { SLUICE_TOKEN: 'operator', XDG_CONFIG_HOME: home }
      const from = (...args: readonly string[]) =>
        runHosted(['diff', 'old.js', 'new.js', '--in-process', '--json', ...args], { cwd, env })
      const whole = await from('--from', url, '--sample', '10000')
      expect([whole.status, JSON.parse(whole.stdout)]).toMatchObject([1, { events: 601, changed: 601 }])
      expect(whole.stdout).toContain('[email]')
      expect(whole.stdout).not.toContain('ann@')
      const eventsOf = async (...args: readonly string[]) =>
        JSON.parse((await from('--from', url, ...args)).stdout).events
      expect(await eventsOf()).toBe(500)
      expect(await eventsOf('--event', 'Refund', '--sample', '1000')).toBe(300)
      expect(await eventsOf('--source', 'app')).toBe(1)
      expect(await eventsOf('--of-destination', 'hook', '--from-time', '1h', '--sample', '7')).toBe(7)
      mkdirSync(join(home, 'sluice'), { recursive: true })
      writeFileSync(join(home, 'sluice', 'profiles.json'), JSON.stringify({ shop: { url, token: 'operator' } }))
      const ofProfile = await runHosted(
        ['diff', 'old.js', 'new.js', '--in-process', '--json', '--from', 'shop', '--sample', '3'],
        { cwd, env: { XDG_CONFIG_HOME: home } },
      )
      expect(JSON.parse(ofProfile.stdout).events).toBe(3)
      const cases: readonly (readonly [args: readonly string[], says: string])[] = [
        [['--from', 'nowhere'], '--profile nowhere'],
        [['--from', url, '--to-time', '1h'], 'has no event to compare'],
        [['--from', url, '--sample', '20000'], '--sample 20000: at most 10,000 events'],
        [['--from', url, '--events', 'events.ndjson'], 'give either --events'],
        [['--events', 'events.ndjson', '--from-time', '1h'], '--from-time needs --from'],
      ]
      for (const [args, says] of cases) {
        const { status, stderr } = await from(...args)
        expect([args, status, stderr]).toEqual([args, 2, expect.stringContaining(says)])
      }
    } finally {
      server.close()
      await sluice.stop()
      rmSync(home, { recursive: true })
    }
  })

  it('saves what leaves as a baseline, and compares with it as with the version that it was saved from', async () => {
    const masked = (text: string) => JSON.parse(text).groups
    const saved = await runHosted(
      ['diff', 'before.json', '--in-process', '--events', 'events.ndjson', '--save', 'day.baseline'],
      { cwd },
    )
    expect([saved.status, saved.stdout]).toEqual([0, ''])
    if (process.platform !== 'win32') expect(statSync(join(cwd, 'day.baseline')).mode & 0o777).toBe(0o600)
    const same = await diff('before.json', '--in-process', '--against', 'day.baseline')
    expect([same.status, same.stdout.split('\n', 1)[0]]).toEqual([0, '3 events: no difference'])
    const other = await diff('after.json', '--in-process', '--against', 'day.baseline', '--json')
    expect(other.status).toBe(1)
    expect(masked(other.stdout)).toEqual(
      masked((await diff('before.json', 'after.json', '--in-process', '--json')).stdout),
    )
    writeFileSync(
      join(cwd, 'fewer.ndjson'),
      readFileSync(join(cwd, 'events.ndjson'), 'utf8').split('\n').slice(1).join('\n'),
    )
    writeFileSync(join(cwd, 'old.baseline'), '{"format":"sluice diff baseline","version":0,"now":0}\n')
    const cases: readonly (readonly [args: readonly string[], says: string])[] = [
      [
        ['before.json', '--against', 'day.baseline', '--events', 'fewer.ndjson'],
        'event 1: the baseline has another event there',
      ],
      [['before.json', '--against', 'events.ndjson', '--events', 'events.ndjson'], 'events.ndjson is no baseline'],
      [['before.json', '--against', 'old.baseline', '--events', 'events.ndjson'], 'has version 0 of the form'],
      [['before.json', 'after.json', '--save', 'x', '--events', 'events.ndjson'], '--save takes one file'],
      [['before.json', '--events', 'events.ndjson'], 'give the file after the change'],
    ]
    for (const [args, says] of cases) {
      const { status, stderr } = await runHosted(['diff', ...args, '--in-process'], { cwd })
      expect([args, status, stderr]).toEqual([args, 2, expect.stringContaining(says)])
    }
  })

  it('says what is wrong with what it is given', async () => {
    const cases: readonly (readonly [args: readonly string[], says: string])[] = [
      [['old.js', 'broken.js', '--in-process'], 'broken'],
      [['old.js', 'none.js'], 'none.js cannot be read (ENOENT)'],
      [['old.js', 'after.json'], 'after.json is a workspace and old.js a transformation'],
      [['before.json', 'after.json', '--source', 'nope'], '--source nope: before.json has no such source'],
      [['before.json', 'after.json', '--destination', 'webhook'], '--destination is for transformations'],
      [['old.js', 'new.js', '--now', 'soon'], '--now soon: expected a time such as'],
      [['old.js', 'new.js', '--accept', 'nope.txt'], '--accept: nope.txt cannot be read (ENOENT)'],
    ]
    const folder = await runHosted(['diff', 'old.js', 'new.js', '--events', '.'], { cwd })
    expect([folder.status, folder.stderr]).toEqual([2, expect.stringContaining('--events: . is a folder')])
    for (const [args, says] of cases) {
      const { status, stderr } = await diff(...args)
      expect([args, status, stderr]).toEqual([args, 2, expect.stringContaining(says)])
    }
  })
})
