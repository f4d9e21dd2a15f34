import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mmdbFile } from '../support/mmdb-file.ts'
import { runCommand } from '../support/processes/command.ts'
import { startReceiver } from '../support/receiver.ts'

let cwd: string
/** Answers with the key that it was asked with, except below `/quiet`. */
let server: Server
let port: number

beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'sluice-flags-'))
  server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(request.url?.startsWith('/quiet') ? { is: 'quiet' } : { asked: request.url }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
  const oslo = {
    city: { names: { en: 'Oslo', de: 'Oslo' } },
    country: { iso_code: 'NO', names: { en: 'Norway' } },
    location: { latitude: 59.9127, longitude: 10.7461, time_zone: 'Europe/Oslo' },
    postal: { code: '0154' },
    subdivisions: [{ iso_code: '03', names: { en: 'Oslo County' } }],
  }
  write('city.mmdb', mmdbFile(81, oslo))
  write('no.mmdb', 'text')
  write('events.ndjson', JSON.stringify({ type: 'track', event: 'E', userId: 'u', messageId: 'm' }))
  write(
    'geo.js',
    'export const transformEvent = async (e) => ({ ...e, known: await geolocation("81.2.3.4"), unknown: await geolocation("82.1.1.1") })',
  )
  write(
    'fetch.js',
    `export const transformEvent = async (e) => ({ ...e, answer: (await fetchV2('http://localhost:${port}/a?key=' + getCredential('key'))).body })`,
  )
})
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve))
  rmSync(cwd, { recursive: true })
})

function write(path: string, content: string | Buffer): void {
  mkdirSync(join(cwd, path, '..'), { recursive: true })
  writeFileSync(join(cwd, path), content)
}

const run = (code: string, ...flags: readonly string[]) =>
  runCommand(['run', '--events', 'events.ndjson', '--transformation', code, ...flags], {
    cwd,
    env: { SECRET: 'from-env' },
  })
const outputOf = (stdout: string) => JSON.parse(stdout).output[0]

const known = {
  ip: '81.2.3.4',
  city: 'Oslo',
  country: 'NO',
  region: 'Oslo County',
  postal: '0154',
  location: '59.912700,10.746100',
  timezone: 'Europe/Oslo',
}
const unknown = { ip: '82.1.1.1', city: '', country: '', region: '', postal: '', location: '', timezone: '' }

describe('--geolocation', () => {
  it('answers geolocation(ip) as RudderStack does, with blanks for what is not known', async () => {
    const { status, stdout } = await run('geo.js', '--geolocation', 'city.mmdb')
    expect([status, outputOf(stdout)]).toEqual([0, expect.objectContaining({ known, unknown })])
  })

  it('names a file that is missing or of another form', async () => {
    for (const [file, why] of [
      ['nowhere.mmdb', 'no such file'],
      ['no.mmdb', 'no.mmdb is no database of the format MMDB'],
    ] as const) {
      const { status, stderr } = await run('geo.js', '--geolocation', file)
      expect([status, stderr]).toEqual([1, expect.stringMatching(`--geolocation: .*${why}`)])
    }
  })

  it('does the same in a server', async () => {
    const receiver = await startReceiver()
    write(
      'workspace.json',
      JSON.stringify({
        id: 'w',
        sources: [{ id: 'web', writeKey: 'k' }],
        destinations: [
          { id: 'hook', type: 'WEBHOOK', settings: { webhookUrl: receiver.url }, transformation: { file: 'geo.js' } },
        ],
        connections: [{ source: 'web', destination: 'hook' }],
      }),
    )
    const flags = [
      '--geolocation',
      'city.mmdb',
      '--allow-address',
      'localhost',
      '--events',
      'web=events.ndjson',
      '--once',
    ]
    const { status, stderr } = await runCommand(['serve', '--workspace', 'workspace.json', ...flags], { cwd })
    expect([status, stderr]).toEqual([0, expect.any(String)])
    expect(receiver.received.map(({ body }) => JSON.parse(body))).toEqual([expect.objectContaining({ known, unknown })])
    await receiver.close()
  })
})

describe('--fetch-address and --credential', () => {
  const localhost = ['--fetch-allow', 'localhost', '--fetch-address', 'localhost']

  it('let user code fetch from addresses that are not public, with credentials', async () => {
    write('credentials.json', '{ "key": "from-file" }')
    const cases = [
      [['--credential', 'key=a=b'], 'a=b'],
      [['--credential', 'key=env:SECRET'], 'from-env'],
      [['--credentials', 'credentials.json'], 'from-file'],
      [['--credentials', 'credentials.json', '--credential', 'key=other'], 'other'],
    ] as const
    for (const [flags, key] of cases) {
      const { stdout } = await run('fetch.js', ...localhost, ...flags)
      expect(outputOf(stdout).answer).toEqual({ asked: `/a?key=${key}` })
    }
  })

  it('are refused when they are incomplete, without showing a value', async () => {
    write('broken.json', '{ "key": 5, "other": "hidden" }')
    for (const [flags, why] of [
      [['--fetch-address', 'localhost'], '--fetch-address needs --fetch-allow HOST'],
      [['--credential', 'hidden'], 'expected NAME=VALUE'],
      [['--credential', 'key=env:NOWHERE'], '--credential key: the variable NOWHERE is not set'],
      [['--credentials', 'broken.json'], '--credentials: broken.json must be a JSON object of texts'],
      [['--credentials', 'nowhere.json'], '--credentials: ENOENT'],
    ] as const) {
      const { status, stderr } = await run('fetch.js', ...flags)
      expect([status, stderr]).toEqual([1, expect.stringContaining(why)])
      if (flags[1] !== 'hidden') expect(stderr).not.toContain('hidden')
    }
  })

  it('record what user code fetches from this machine, without the credentials, and replay it offline', async () => {
    write('project/transformations/ask.js', readFileSync(join(cwd, 'fetch.js'), 'utf8').replace('/a?', '/quiet?'))
    write('project/tests/ask/input/one.json', '{ "type": "track", "event": "E", "userId": "u" }')
    const test = (...flags: readonly string[]) =>
      runCommand(['test', 'project', '--json', '--credential', 'key=s3cr3t', ...flags], { cwd })
    const refused = await test('--record')
    expect([refused.status, refused.stdout]).toEqual([1, expect.stringContaining('--fetch-address')])
    const recorded = await test('--record', '--update', '--fetch-address', 'localhost')
    expect([recorded.status, recorded.stdout, recorded.stderr]).toEqual([0, expect.any(String), expect.any(String)])
    expect(readFileSync(join(cwd, 'project/tests/ask/fetch/one.json'), 'utf8')).not.toContain('s3cr3t')
    expect((await test()).status).toBe(0)
  })
})
