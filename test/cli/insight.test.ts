import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { WorkspaceDefinition } from 'sluice'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { hashOf } from '../support/http/api-client.ts'
import { type RunningCommand, runCommand, startCommand } from '../support/processes/command.ts'
import { runHosted } from '../support/processes/command-host.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { shop } from '../support/scenes/shop.ts'

let cwd: string
let receiver: Receiver
let server: RunningCommand
let url: string
beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'sluice-insight-'))
  receiver = await startReceiver(({ body }) => (body.includes('"refused"') ? 400 : 200))
  const accessTokens: WorkspaceDefinition['accessTokens'] = [
    { name: 'operator', token: hashOf('operator'), scopes: ['operate'] },
  ]
  const code = `export function transformEvent(event) {
  if (event.messageId === 'thrown') throw new Error('no currency')
  return event
}`
  const settings = { webhookUrl: receiver.url }
  const destinations = [
    { id: 'hook', type: 'WEBHOOK', settings, transformation: { name: 'currencies', code } },
  ] as const
  writeFileSync(join(cwd, 'workspace.json'), JSON.stringify(shop(receiver.url, { accessTokens, destinations })))
  const args = ['serve', '--allow-address', 'localhost', '--workspace', 'workspace.json', '--port', '0']
  server = startCommand(args, { cwd })
  url = (await server.printed(/Serving on (\S+)/))[1] ?? ''
  const batch = ['delivered', 'refused', 'thrown'].map((messageId) => ({
    type: 'track',
    event: 'E',
    userId: 'u',
    messageId,
  }))
  const authorization = `Basic ${Buffer.from('web-key:').toString('base64')}`
  const sent = await fetch(`${url}/v1/batch`, {
    method: 'POST',
    headers: { authorization },
    body: JSON.stringify({ batch }),
  })
  expect(sent.status).toBe(200)
})
afterAll(async () => {
  server.child.kill('SIGKILL')
  await receiver.close()
  rmSync(cwd, { recursive: true })
})

const sluice = (...args: readonly string[]) =>
  runHosted(args, { cwd, env: { SLUICE_URL: url, SLUICE_TOKEN: 'operator' } })

describe('a look at a running server', () => {
  it('shows what became of an event, and says when it is not known', async () => {
    await eventually(async () => (await sluice('trace', 'refused')).stdout).toContain('deliver.refused')
    const { status, stdout } = await sluice('trace', 'refused')
    expect(status).toBe(0)
    expect(stdout).toMatch(/^refused of web, accepted 20/)
    expect(stdout).toMatch(/^hook +failed +.*deliver failed.*It answered 400\..*dead letter \S+$/m)
    expect(JSON.parse((await sluice('trace', 'delivered', '--json')).stdout)).toMatchObject({
      messageId: 'delivered',
      destinations: [{ destinationId: 'hook', outcome: 'delivered' }],
    })
    expect(await sluice('trace', 'unknown')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('no event with this id is known'),
    })
  })

  it('shows the first line of an error of code, without the lines of its stack', async () => {
    await eventually(async () => (await sluice('trace', 'thrown')).stdout).toContain('transform.threw')
    const { stdout } = await sluice('trace', 'thrown')
    expect(stdout).toMatch(/^hook +failed +.*transform\.threw: Error: no currency, dead letter \S+$/m)
  })

  it('shows why events did not reach a destination', async () => {
    await eventually(async () => (await sluice('why', '--source', 'web', '--event', 'E')).stdout).toContain('× failed')
    const { status, stdout } = await sluice('why', '--source', 'web', '--event', 'E')
    expect(status).toBe(0)
    expect(stdout).toMatch(/^E of source web on \d{4}-\d\d-\d\d \(UTC\): 3 accepted$/m)
    expect(stdout).toMatch(/^hook +1 +2 +0 +0$/m)
    expect(stdout).toMatch(/^ +1 × the transformation failed \(version \S+\): transform\.threw$/m)
    expect(stdout).toMatch(/^ +1 × failed: deliver\.refused$/m)
    expect((await sluice('why', '--source', 'web')).stdout).toMatch(/^Events\n +3 × E$/m)
    expect(JSON.parse((await sluice('why', '--source', 'web', '--json')).stdout)).toMatchObject({ accepted: 3 })
    expect(await sluice('why', '--source', 'gone')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('there is no source gone'),
    })
  })

  it('shows the counts, which agree', async () => {
    const { status, stdout } = await sluice('stats')
    expect(status).toBe(0)
    expect(stdout).toMatch(/^Workspace shop$/m)
    expect(stdout).toMatch(/^ {2}hook +3 +1 +0 +2 +0 +1$/m)
    expect(stdout).toContain('The sums agree')
    expect(JSON.parse((await sluice('stats', '--json')).stdout)).toMatchObject({
      workspaces: [{ workspaceId: 'shop', sources: [{ received: 3, destinations: [{ delivered: 1 }] }] }],
    })
  })

  it('shows what was counted lately, with reasons, and when it cannot', async () => {
    const { status, stdout } = await sluice('stats', '--range', '1h')
    expect(status).toBe(0)
    expect(stdout).toMatch(/^Workspace shop, .* to .*Z$/m)
    expect(stdout).toMatch(/^web +3 +0 +0 +3$/m)
    expect(stdout).toMatch(/^hook +1 +0 +2 +0/m)
    expect(stdout).toMatch(/^ +1 × failed +hook: transform\.threw$/m)
    expect(JSON.parse((await sluice('stats', '--range', '24h', '--json')).stdout)).toMatchObject({
      everyMs: 900_000,
      workspaces: [{ workspaceId: 'shop', oldestWaiting: [] }],
    })
    expect(await runCommand(['stats', '--range', '2h'], { cwd, env: { SLUICE_URL: url } })).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('Allowed choices are 1h, 24h, 7d, 90d'),
    })
  })

  it('says how the destinations do, to a token that may know it', async () => {
    const { status, stdout } = await sluice('health')
    expect(status).toBe(0)
    expect(stdout).toMatch(/^hook +works +0 +2 of 3$/m)
    const env = { SLUICE_URL: url, SLUICE_TOKEN: 'unknown' }
    expect(await runHosted(['health'], { cwd, env })).toMatchObject({ status: 0, stdout: 'health: ok\nready:  ok\n' })
  })

  it('says whether the server works, without a token', async () => {
    const env = { SLUICE_URL: url, SLUICE_TOKEN: '' }
    expect(await runCommand(['health'], { cwd, env })).toEqual({
      status: 0,
      stdout: 'health: ok\nready:  ok\n',
      stderr: '',
    })
    const read = JSON.parse((await runHosted(['health', '--json'], { cwd, env })).stdout)
    expect(read).toEqual({ health: { status: 'ok' }, ready: { status: 'ok' } })
    expect(await sluice('health', '--url', 'http://127.0.0.1:9')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('does not answer'),
    })
    expect(await sluice('health', '--url', receiver.url)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('is it a Sluice server?'),
    })
  })
})
