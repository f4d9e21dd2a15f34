import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, until } from '../support/eventually.ts'
import { basic, hashOf } from '../support/http/api-client.ts'
import { type RunningCommand, startCommand } from '../support/processes/command.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { shop } from '../support/scenes/shop.ts'

let cwd: string
let receiver: Receiver
let server: RunningCommand
let url: string
const started: RunningCommand[] = []
const secret = 'canary-secret'

beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'sluice-tap-'))
  receiver = await startReceiver(({ body }) => (body.includes('Refused') ? 422 : 200))
  const hook = {
    id: 'hook',
    type: 'WEBHOOK' as const,
    settings: { webhookUrl: receiver.url, headers: [{ from: 'x-key', to: secret }] },
    transformation: {
      code: `export function transformEvent(event) {
        if (event.event === 'Broken') throw new Error('payload: ' + JSON.stringify(event.properties))
        return event
      }`,
    },
  }
  const accessTokens = [{ name: 'operator', token: hashOf('operator'), scopes: ['operate' as const] }]
  writeFileSync(join(cwd, 'workspace.json'), JSON.stringify(shop(receiver.url, { accessTokens, destinations: [hook] })))
  await serve()
})
afterAll(async () => {
  for (const { child } of started.splice(0)) child.kill('SIGKILL')
  await receiver.close()
  rmSync(cwd, { recursive: true })
})

async function serve(port = '0', data = '.sluice', stopSeconds = '600'): Promise<void> {
  const where = ['--workspace', 'workspace.json', '--data', data, '--port', port, '--stop-seconds', stopSeconds]
  const args = ['serve', '--allow-address', 'localhost', ...where]
  const env = { SERVICE_ADMIN_USER: 'admin', SERVICE_ADMIN_PASSWORD: 'canary-password' }
  server = startCommand([...args, '--log-level', 'trace'], { cwd, env })
  started.push(server)
  url = (await server.printed(/Serving on (\S+)/))[1] ?? ''
}

function tap(args: readonly string[], token = 'operator'): RunningCommand {
  const command = startCommand(['tap', ...args], { cwd, env: { SLUICE_URL: url, SLUICE_TOKEN: token } })
  started.push(command)
  return command
}

async function send(event: string, more: object = {}): Promise<void> {
  const body = JSON.stringify({
    userId: 'u1',
    event,
    messageId: `m-${event}`,
    properties: { k: 'canary-payload' },
    ...more,
  })
  const headers = { authorization: basic('web-key', '') }
  expect((await fetch(`${url}/v1/track`, { method: 'POST', headers, body })).status).toBe(200)
}

/** Sends events until the tap has printed one. The server does not report when a tap has started to watch. */
async function sendUntilPrinted(command: RunningCommand, pattern: RegExp, event = 'Beat'): Promise<void> {
  let isPrinted = false
  const printed = command.printed(pattern).then(() => {
    isPrinted = true
  })
  let beats = 0
  await until(async () => {
    await send(event, { messageId: `beat-${beats}` })
    beats += 1
    return isPrinted
  })
  await printed
}

describe('sluice tap', () => {
  it('records failed events as examples, without secrets and personal data', async () => {
    const file = join(cwd, 'recorded.json')
    const settings = JSON.stringify({ webhookUrl: receiver.url, headers: [{ from: 'x-key', to: secret }] })
    const flags = ['--destination', 'hook', '--outcome', 'failed', '--limit', '1']
    const recording = tap([...flags, '--record', file, '--as', 'WEBHOOK', '--settings', settings])
    const properties = { k: 'canary-payload', mail: 'ada@example.com' }
    let sent = 0
    await until(async () => {
      await send('Refused', { messageId: `refused-${sent}`, properties })
      sent += 1
      return recording.child.exitCode !== null
    })
    await recording.ended
    const text = readFileSync(file, 'utf8')
    const examples = JSON.parse(text)
    expect(examples).toMatchObject([
      {
        title: expect.stringContaining('recorded: track "Refused"'),
        event: { event: 'Refused', properties: { k: 'canary-payload' } },
        requests: [{ method: 'POST', endpoint: receiver.url }],
      },
    ])
    expect(text).not.toContain(secret)
    expect(text).not.toContain('ada@example.com')
  })

  it('shows what happens as log lines, which no event can break, and ends with Ctrl-C', async () => {
    // A client that disconnects silently does not keep its place.
    for (let i = 0; i < 20; i += 1) {
      const leaving = new AbortController()
      const init = { headers: { authorization: 'Bearer operator' }, signal: leaving.signal }
      await eventually(async () => (await fetch(`${url}/v1/tap`, init)).status).toBe(200)
      leaving.abort()
    }
    const watching = tap([])
    await sendUntilPrinted(watching, /accepted {3}web[\s\S]*delivered {2}web → hook/)
    await send('Refused', { messageId: 'm\u001b[2J1' })
    await send('Broken')
    await watching.printed(/user-transform: transform\.threw/)
    watching.child.kill('SIGINT')
    const { status, stdout, stderr } = await watching.ended
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^\d\d:\d\d:\d\d\.\d{3} {2}accepted {3}web {2,}track Beat {2,}beat-\d+$/m)
    expect(stdout).toMatch(
      /^\S+ {2}failed {5}web → hook {2}track Refused {2}m\S*1 {2}\d+ ms {2}deliver: deliver\.refused: The destination/m,
    )
    for (const canary of ['\u001b', 'canary-payload', secret]) expect(stdout).not.toContain(canary)
  })

  it('shows the selected entries as JSON, and ends after the requested number of lines', async () => {
    const watching = tap(['--json', '--limit', '2', '--outcome', 'delivered', '--source', 'web'])
    await sendUntilPrinted(watching, /\n.*\n/)
    const { status, stdout } = await watching.ended
    expect(status).toBe(0)
    const lines = stdout.trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ outcome: 'delivered', destinationId: 'hook', event: 'Beat' }),
      expect.objectContaining({ outcome: 'delivered', destinationId: 'hook', event: 'Beat' }),
    ])
  })

  it('reconnects when the server comes back, and does not keep the server from stopping', async () => {
    const watching = tap(['--outcome', 'delivered'])
    await sendUntilPrinted(watching, /Beat/)
    const { port } = new URL(url)
    // It would wait for its stop time, which is longer than a test may take.
    server.child.kill('SIGTERM')
    expect((await server.ended).status).toBe(0)
    await serve(port)
    await sendUntilPrinted(watching, /Again/, 'Again')
    watching.child.kill('SIGINT')
    const { status, stderr } = await watching.ended
    expect([status, stderr]).toEqual([
      0,
      expect.stringMatching(/lost the connection; trying again in 0\.5 s\n(?:.*\n)*watching again\n/),
    ])
  })

  it('gives up when the server stays away, and says what to do about a wrong token', async () => {
    expect(await tap([], 'wrong').ended).toMatchObject({ status: 1, stderr: expect.stringMatching(/answered 401: /) })
    const watching = tap(['--retries', '1'])
    await sendUntilPrinted(watching, /Beat/)
    server.child.kill('SIGKILL')
    expect(await watching.ended).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/lost the connection; trying again in 0\.5 s\nsluice: http:\S+ does not answer/),
    })
  })
})

describe('the log of sluice serve', () => {
  it('is one JSON object per line, without payloads and secrets, at the finest level too', async () => {
    await serve('0', 'of-its-own', '5')
    await send('Seen')
    await send('Broken')
    await send('Refused')
    const admin = { authorization: basic('admin', 'canary-password') }
    for (const path of ['/metrics', '/v1/stats', '/v1/events/m-Broken'])
      expect((await fetch(url + path, { headers: admin })).status).toBe(200)
    const isOver = async () =>
      ((await (await fetch(`${url}/v1/events/m-Refused`, { headers: admin })).json()) as { destinations?: unknown[] })
        .destinations
    await eventually(isOver).toMatchObject([{ outcome: 'failed' }])
    // From now on no receiver listens there.
    await receiver.close()
    await Promise.all(Array.from({ length: 6 }, (_, i) => send('Late', { userId: `u${i}`, messageId: `late-${i}` })))
    await server.logged(/left alone/)
    server.child.kill('SIGHUP')
    await server.printed(/applied workspace\.json/)
    server.child.kill('SIGTERM')
    const { stderr } = await server.ended
    const lines = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { level: number; msg: string })
    expect(lines.map(({ msg }) => msg)).toEqual([
      'workspace applied',
      'serving',
      // One of the transformation, one of the destination.
      'events failed at a destination and are dead letters now',
      'events failed at a destination and are dead letters now',
      'the destination fails and is left alone for a while',
      'workspace applied',
      'stopping',
    ])
    for (const canary of ['canary', 'u1', 'web-key', 'operator']) expect(stderr).not.toContain(canary)
  })
})
