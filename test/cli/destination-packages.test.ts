import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type RunningCommand, runCommand, startCommand } from '../support/processes/command.ts'
import { runHosted } from '../support/processes/command-host.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'

let cwd: string
let receiver: Receiver
let served: RunningCommand | undefined

beforeEach(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'sluice-destinations-'))
  receiver = await startReceiver()
})
afterEach(async () => {
  served?.child.kill('SIGKILL')
  await receiver.close()
  rmSync(cwd, { recursive: true })
})

/** A module that sends the name of an event to a path below the address in its settings. */
function writeModule(file: string, type: string): void {
  writeFileSync(
    join(cwd, file),
    `export default {
  type: '${type}', displayName: '${type}', supports: ['track'], secrets: ['key'], examples: [],
  settings: { type: 'object', required: ['url'], properties: { url: { type: 'string' }, key: { type: 'string' } } },
  requests: ({ event }, { url, key }) => ({
    version: '1', type: 'REST', method: 'POST', endpoint: url + '/${type}', headers: { key }, params: {},
    body: { JSON: { event }, JSON_ARRAY: {}, XML: {}, FORM: {} }, files: {},
  }),
}`,
  )
}

function writeWorkspace(modules: readonly string[], type: string): void {
  const settings = { url: receiver.url, key: 'k-secret' }
  const workspace = {
    destinationPackages: modules,
    id: 'shop',
    accessTokens: [{ name: 'ci', token: 'env:CI_TOKEN' }],
    sources: [{ id: 'web', writeKey: 'web-key' }],
    destinations: [{ id: 'mine', type, settings }],
    connections: [{ source: 'web', destination: 'mine' }],
  }
  writeFileSync(join(cwd, 'workspace.json'), JSON.stringify(workspace))
}

async function track(url: string, event: string): Promise<void> {
  const headers = { authorization: `Basic ${Buffer.from('web-key:').toString('base64')}` }
  await fetch(`${url}/v1/track`, { method: 'POST', headers, body: JSON.stringify({ userId: 'u', event }) })
}

describe('destinationPackages of a workspace file', () => {
  it('add destination types, also on SIGHUP, which the APIs know and whose secrets they mask', async () => {
    writeModule('first.mjs', 'FIRST')
    writeWorkspace(['./first.mjs'], 'first')
    const env = { CI_TOKEN: 'ci-token-of-the-shop' }
    const command = startCommand(
      ['serve', '--workspace', 'workspace.json', '--port', '0', '--allow-address', 'localhost'],
      { cwd, env },
    )
    served = command
    const [, url = ''] = await command.printed(/Serving on (\S+)/)
    await track(url, 'One')
    await eventually(() => receiver.received.length).toBe(1)

    writeModule('second.mjs', 'SECOND')
    writeWorkspace(['./first.mjs', './second.mjs'], 'SECOND')
    command.child.kill('SIGHUP')
    await command.printed(/applied workspace\.json/)
    await track(url, 'Two')
    await eventually(() => receiver.received.length).toBe(2)
    expect(receiver.received.map(({ path, body }) => [path, body])).toEqual([
      ['/FIRST', '{"event":"One"}'],
      ['/SECOND', '{"event":"Two"}'],
    ])

    writeWorkspace(['./gone.mjs'], 'SECOND')
    command.child.kill('SIGHUP')
    await command.printed(/was not applied.*/)
    await track(url, 'Three')
    await eventually(() => receiver.received.length).toBe(3)

    const definitions = (await (await fetch(`${url}/destination-definitions`)).json()) as { type: string }[]
    expect(definitions.slice(-2)).toEqual([
      expect.objectContaining({ type: 'FIRST', secretKeys: ['key'] }),
      expect.objectContaining({ type: 'SECOND', defaultConfig: ['url', 'key'] }),
    ])
    const headers = { authorization: 'Bearer ci-token-of-the-shop' }
    const listed = await (await fetch(`${url}/v2/destinations`, { headers })).text()
    expect(listed).toContain(receiver.url)
    expect(listed).not.toContain('k-secret')
  })

  it('are refused by name when they cannot be loaded', async () => {
    writeWorkspace(['./gone.mjs'], 'FIRST')
    const { status, stderr } = await runHosted(['serve', '--workspace', 'workspace.json'], {
      cwd,
      env: { CI_TOKEN: 'another-ci-token' },
    })
    expect(status).toBe(1)
    expect(stderr).toMatch(/destinationPackages\[0\]: got "\.\/gone\.mjs"; allowed: a file that is there/)
  })
})

describe('sluice run --destination-package', () => {
  it('maps events for a destination type of that package', async () => {
    writeModule('first.mjs', 'FIRST')
    writeFileSync(join(cwd, 'events.ndjson'), '{"type":"track","event":"One","messageId":"m1","userId":"u"}')
    const args = ['run', '--events', 'events.ndjson', '--destination', 'first']
    const settings = ['--settings', '{"url":"https://first.test"}']
    const mapped = await runCommand([...args, ...settings, '--destination-package', './first.mjs'], { cwd })
    expect(JSON.parse(mapped.stdout)).toMatchObject({ requests: [{ endpoint: 'https://first.test/FIRST' }] })

    const refused = await runCommand([...args, ...settings, '--destination-package', './gone.mjs'], { cwd })
    expect([refused.status, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/^sluice: --destination-package: got "\.\/gone\.mjs"; allowed: a file that is there/),
    ])
  })
})
