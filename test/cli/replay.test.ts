import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, until } from '../support/eventually.ts'
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
  cwd = mkdtempSync(join(tmpdir(), 'sluice-replay-'))
  receiver = await startReceiver(() => 200)
  const accessTokens = [{ name: 'operator', token: hashOf('operator'), scopes: ['operate' as const] }]
  writeFileSync(join(cwd, 'workspace.json'), JSON.stringify(shop(receiver.url, { accessTokens })))
  const args = ['serve', '--allow-address', 'localhost', '--workspace', 'workspace.json', '--port', '0']
  server = startCommand(args, { cwd })
  url = (await server.printed(/Serving on (\S+)/))[1] ?? ''
  const authorization = `Basic ${Buffer.from('web-key:').toString('base64')}`
  const batch = ['a', 'b'].map((messageId) => ({ type: 'track', event: 'E', userId: 'u', messageId }))
  await fetch(`${url}/v1/batch`, { method: 'POST', headers: { authorization }, body: JSON.stringify({ batch }) })
  await until(() => receiver.received.length === 2)
})
afterAll(async () => {
  server.child.kill('SIGKILL')
  await receiver.close()
  rmSync(cwd, { recursive: true })
})

const options = () => ({ cwd, env: { SLUICE_URL: url, SLUICE_TOKEN: 'operator' } })
const replay = (...args: readonly string[]) => runHosted(['replay', ...args], options())

describe('sluice replay', () => {
  it('counts what would be sent, then sends it', async () => {
    const args = ['replay', '--destination', 'hook', '--from', '1h']
    const tried = await runCommand([...args, '--dry-run'], options())
    expect([tried.status, tried.stdout]).toEqual([0, '2 would be sent\n'])
    expect(receiver.received).toHaveLength(2)
    const done = await replay('--destination', 'hook', '--from', '1h', '--json')
    expect([done.status, JSON.parse(done.stdout)]).toEqual([0, { matched: 2, dryRun: false }])
    await eventually(() => receiver.received.length).toBe(4)
  })

  it('says what is wrong with a time or a destination', async () => {
    const time = await runCommand(['replay', '--destination', 'hook', '--from', 'yesterday'], options())
    expect([time.status, time.stderr]).toEqual([1, expect.stringContaining('90m, 24h, 7d ago')])
    const nowhere = await replay('--destination', 'nowhere')
    expect([nowhere.status, nowhere.stderr]).toEqual([1, expect.stringContaining('there is no destination nowhere')])
  })
})
