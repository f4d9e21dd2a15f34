import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type RunningCommand, runCommand, startCommand } from '../support/processes/command.ts'
import { runHosted } from '../support/processes/command-host.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { shop } from '../support/scenes/shop.ts'

const bin = join(import.meta.dirname, '../../packages/sluice/bin/sluice.js')
let cwd: string
let receiver: Receiver
const started: RunningCommand[] = []

beforeEach(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'sluice-serve-'))
  receiver = await startReceiver()
})

afterEach(async () => {
  for (const { child } of started.splice(0)) child.kill('SIGKILL')
  await receiver.close()
  rmSync(cwd, { recursive: true })
})

function start(args: readonly string[], env: NodeJS.ProcessEnv = {}): RunningCommand {
  const command = startCommand(args, { cwd, env })
  started.push(command)
  return command
}

function writeWorkspace(webhookUrl = receiver.url): string {
  writeFileSync(join(cwd, 'workspace.json'), JSON.stringify(shop(webhookUrl)))
  return 'workspace.json'
}

const authorization = `Basic ${Buffer.from('web-key:').toString('base64')}`

async function track(url: string, event: object): Promise<Response> {
  return fetch(`${url}/v1/track`, { method: 'POST', headers: { authorization }, body: JSON.stringify(event) })
}

describe('sluice serve --sample', () => {
  it('processes at least 1,000 events from end to end, shows where they went, and ends with --once', async () => {
    const { status, stdout, stderr } = await runCommand(['serve', '--sample', '--once'], { cwd })
    expect([status, stderr]).toEqual([0, expect.stringMatching(/read [\d]{4} events/)])
    expect(stdout).toMatch(/Web shop +\d/)
    expect(stdout).toContain('The sums agree')
    for (const word of ['rejected', 'suppressed', 'dropped', 'failed', 'destination is disabled', 'transform.threw'])
      expect(stdout).toContain(word)
    const [, taken, delivered] = /accepted (\d+) requests, (\d+) were delivered/.exec(stdout) ?? []
    expect(Number(taken)).toBeGreaterThan(1_000)
    expect(taken).toBe(delivered)
    // DuckDB takes some 60 MB of it.
    expect(Number(/memory at most (\d+) MB/.exec(stdout)?.[1])).toBeLessThan(420)
    expect(existsSync(join(cwd, '.sluice/sample.db'))).toBe(true)
    expect(stdout).not.toContain('Emptying')
  })

  it('keeps serving until Ctrl-C, and prints example commands that work', async () => {
    const command = start(['serve', '--sample', '--port', '0'])
    const [, writeKey, body, url] = await command.printed(/curl -u (\S+): .* -d '(.+)' (http:\S+)/)
    const sent = await fetch(url ?? '', {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${writeKey}:`).toString('base64')}` },
      body: body ?? '',
    })
    expect(await sent.text()).toBe('ok')
    // The whole event, with what user code and ingestion append to it.
    await command.printed(/receiver: \/everything took .*"userId":"you".*"receivedAt".*\}/)
    const root = new URL('/', url)
    expect(await (await fetch(root)).json()).toMatchObject({ openapi: '/openapi.json', studio: '/studio/' })
    const [, bearer, destinations] = await command.printed(/curl -H 'authorization: (Bearer \S+)' (http:\S+)/)
    expect((await fetch(destinations ?? '', { headers: { authorization: bearer ?? '' } })).status).toBe(200)
    const [, admin, models] = await command.printed(/curl -u (admin:\S+) (http:\S+)/)
    const headers = { authorization: `Basic ${Buffer.from(admin ?? '').toString('base64')}` }
    expect(await (await fetch(models ?? '', { headers })).json()).not.toEqual([])
    command.child.kill('SIGINT')
    expect(await command.ended).toMatchObject({ status: 0 })
  })
})

describe('sluice serve --events --once', () => {
  it('names lines that are not JSON, shows progress, and prints the table when it is interrupted', async () => {
    const event = (name: string): string => JSON.stringify({ type: 'track', userId: 'u1', event: name })
    const lines = [event('A'), 'no json', ...Array.from({ length: 98 }, (_, index) => event(`E${index}`))]
    writeFileSync(join(cwd, 'events.ndjson'), `${lines.join('\n')}\n`)
    // Nothing listens there, so the events stay pending.
    const workspace = writeWorkspace('http://127.0.0.1:9/')
    const args = ['serve', '--workspace', workspace, '--allow-address', 'localhost', '--once', '--retry-minutes', '5']
    const command = start([...args, '--events', 'web=events.ndjson'])
    await command.logged(/^events\.ndjson:2 is not JSON: /m)
    await command.logged(/^read \d\d? %, 20 events · \d+ of \d+ outcomes at destinations$/m)
    await command.logged(/^read 100 events · 0 of 99 outcomes at destinations \(0 %\)$/m)
    command.child.kill('SIGINT')
    const { stdout } = await command.ended
    expect(stdout).toMatch(/Stopped before all events were processed\.[\s\S]*The sums agree/)
    expect(stdout).toMatch(/ 99 +0 +0 +0 +99 +0$/m)
  })

  it('reads standard input', async () => {
    const args = [
      'serve',
      '--workspace',
      writeWorkspace(),
      '--allow-address',
      'localhost',
      '--once',
      '--events',
      'web=-',
    ]
    const ran = await promisify(execFile)('bash', ['-c', 'echo "$event" | node "$bin" "$@"', 'bash', ...args], {
      cwd,
      env: { ...process.env, bin, event: '{"type":"track","userId":"u1","event":"Piped"}' },
    })
    expect(ran.stdout).toContain('The sums agree')
    expect(receiver.received.map(({ body }) => JSON.parse(body).event)).toEqual(['Piped'])
  })
})

describe('sluice serve --workspace', () => {
  it('keeps its state over a restart, and refuses a second process on the same data', async () => {
    const args = ['serve', '--allow-address', 'localhost', '--workspace', writeWorkspace(), '--port', '0']
    const first = start(args)
    const [, url = ''] = await first.printed(/Serving on (\S+)/)
    expect((await track(url, { userId: 'u1', event: 'Before' })).status).toBe(200)
    await eventually(() => receiver.received.length).toBe(1)
    first.child.kill('SIGTERM')
    expect((await first.ended).status).toBe(0)
    const second = start(args)
    const [, again = ''] = await second.printed(/Serving on (\S+)/)
    const third = await runHosted(args, { cwd })
    expect([third.status, third.stderr]).toEqual([1, expect.stringMatching(/^sluice: .*\.sluice/)])
    expect((await track(again, { userId: 'u1', event: 'After' })).status).toBe(200)
    await eventually(() => receiver.received.length).toBe(2)
    expect(receiver.received.map(({ body }) => JSON.parse(body).event)).toEqual(['Before', 'After'])
  })

  it('refuses a client-ip-header that is not a valid header name', async () => {
    const { status, stderr } = await runCommand(['serve', '--sample', '--client-ip-header', 'a b'], { cwd })
    expect([status, stderr]).toEqual([1, expect.stringContaining('name of a header')])
  })

  it('refuses a stop time that is longer than the maximum of a timer', async () => {
    const { status, stderr } = await runCommand(['serve', '--sample', '--stop-seconds', '3000000'], { cwd })
    expect([status, stderr]).toEqual([1, expect.stringContaining('at most 86400')])
  })

  const unusable: readonly (readonly [string, readonly string[], RegExp])[] = [
    ['a folder below a file', ['--data', 'workspace.json/x'], /the store cannot be kept in .*workspace\.json\/x/],
    ['a folder that cannot be created', ['--data', '/proc/sluice'], /the store cannot be kept in \/proc\/sluice/],
    ['a missing events file', ['--events', 'web=gone.ndjson'], /--events: gone\.ndjson cannot be read/],
    [
      'events of an unknown source',
      ['--events', 'nope=workspace.json'],
      /--events: there is no source nope; known: web/,
    ],
  ]
  for (const [name, args, text] of unusable) {
    it(`says what to do about ${name}`, async () => {
      const { status, stderr } = await runHosted(
        ['serve', '--allow-address', 'localhost', '--workspace', writeWorkspace(), '--once', ...args],
        {
          cwd,
        },
      )
      expect([status, stderr]).toEqual([1, expect.stringMatching(text)])
      expect(stderr.trim().split('\n')).toHaveLength(1)
    })
  }

  it('says so when the port is in use', async () => {
    const port = new URL(receiver.url).port
    const { status, stderr } = await runHosted(
      ['serve', '--allow-address', 'localhost', '--workspace', writeWorkspace(), '--port', port],
      { cwd },
    )
    expect([status, stderr]).toEqual([
      1,
      `sluice: port ${port} on 127.0.0.1 is in use; choose another with --port (0 takes a free one)\n`,
    ])
  })

  it('names everything that is wrong with the workspace file', async () => {
    writeFileSync(
      join(cwd, 'bad.yaml'),
      'id: w\nsources: [{id: s, writeKey: 1}]\ndestinations: []\nconnections: nothing\n',
    )
    const { status, stderr } = await runHosted(['serve', '--workspace', 'bad.yaml'], { cwd })
    expect(status).toBe(1)
    expect(stderr).toContain('bad.yaml:2:29 sources[0].writeKey')
    expect(stderr).toContain('bad.yaml:4:14 connections: got "nothing"')
  })

  it('gives the Data Governance API its own port; takes the address of a client from the header that its proxy writes; on SIGHUP reads the file again, and keeps its settings when the file is wrong', async () => {
    const env = { SERVICE_ADMIN_USER: 'admin', SERVICE_ADMIN_PASSWORD: 'pass' }
    const where = ['--workspace', writeWorkspace('http://127.0.0.1:1/nowhere'), '--port', '0', '--governance-port', '0']
    const proxied = ['--client-ip-header', 'X-Forwarded-For']
    const command = start(['serve', '--allow-address', 'localhost', ...proxied, ...where], env)
    const [, url = ''] = await command.printed(/Serving on (\S+)/)
    const [, governance = ''] = await command.printed(/Data Governance API on (\S+)/)
    const headers = { authorization: `Basic ${Buffer.from('admin:pass').toString('base64')}` }
    expect((await fetch(`${governance}/schemas/event-models`, { headers })).status).toBe(200)
    expect((await fetch(`${url}/schemas/event-models`, { headers })).status).toBe(404)
    expect((await track(governance, { userId: 'u', event: 'x' })).status).toBe(404)

    const statuses: number[] = []
    const guess = async (address: string): Promise<void> => {
      const forwarded = { authorization: 'Bearer wrong', 'x-forwarded-for': `198.51.100.1, ${address}` }
      statuses.push((await fetch(`${url}/v2/sources`, { headers: forwarded })).status)
    }
    for (let i = 0; i < 11; i += 1) await guess('203.0.113.1')
    await guess('203.0.113.2')
    expect(statuses.slice(-3)).toEqual([401, 429, 401])

    writeWorkspace()
    command.child.kill('SIGHUP')
    await command.printed(/applied workspace\.json/)
    writeFileSync(join(cwd, 'workspace.json'), '{"workspaces": []}')
    command.child.kill('SIGHUP')
    await command.printed(/was not applied/)
    expect((await track(url, { userId: 'u1', event: 'Later' })).status).toBe(200)
    await eventually(() => receiver.received.length).toBe(1)
  })

  it('is not blocked by a client that sends nothing', async () => {
    const command = start(['serve', '--allow-address', 'localhost', '--workspace', writeWorkspace(), '--port', '0'])
    const [, url = ''] = await command.printed(/Serving on (\S+)/)
    const slow = connect(Number(new URL(url).port), '127.0.0.1')
    slow.write(
      `POST /v1/track HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\ncontent-length: 500\r\n\r\n{"user`,
    )
    slow.on('error', () => {})
    expect((await track(url, { userId: 'u1', event: 'Meanwhile' })).status).toBe(200)
    command.child.kill('SIGTERM')
    await eventually(() => receiver.received.length).toBe(1)
    slow.destroy()
    expect((await command.ended).status).toBe(0)
  })
})
