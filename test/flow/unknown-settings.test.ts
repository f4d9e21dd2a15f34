import { createRecordingTransport } from '@sluice/delivery'
import { createSluice, parseWorkspace } from 'sluice'
import { describe, expect, it } from 'vitest'
import { hashOf } from '../support/http/api-client.ts'
import { shop } from '../support/scenes/shop.ts'
import { uncheckedWorkspace } from '../support/scenes/unchecked-workspace.ts'
import { serveWorkspaces } from '../support/served-workspace.ts'

const serve = serveWorkspaces()
const misspelt = { id: 'hook', type: 'WEBHOOK', settings: { webhookUrl: 'http://hook.test/', webhookMetod: 'PUT' } }
const workspace = { ...shop(''), destinations: [misspelt] }
const place = 'workspaces[0].destinations[0].settings.webhookMetod'

describe('settings that a destination type does not have', () => {
  it('are refused, with the nearest name', async () => {
    const started = createSluice({ workspace: uncheckedWorkspace(workspace), transport: createRecordingTransport() })
    await expect(started).rejects.toThrow(
      `${place}: got an unknown member; allowed: webhookMethod (similar), or one of`,
    )
  })

  it('are refused when a workspace is replaced, and the earlier one stays', async () => {
    const { sluice } = await serve()
    await expect(sluice.updateWorkspace(uncheckedWorkspace(workspace))).rejects.toThrow(place)
    expect(sluice.workspaces[0]?.destinations[0]?.settings).toMatchObject({ webhookMethod: 'POST' })
  })

  it('are accepted and logged where the workspace is lenient', async () => {
    const warnings: unknown[] = []
    const logger = { debug() {}, info() {}, error() {}, warn: (...line: unknown[]) => warnings.push(line) }
    await serve({ workspace: uncheckedWorkspace({ ...workspace, lenient: true }), logger })
    expect(warnings).toEqual([
      [{ settings: [expect.stringContaining(place)] }, expect.stringMatching(/without effect: 1$/)],
    ])
  })

  it("are accepted in RudderStack's workspaceConfig.json, which has more of them", async () => {
    const { type: name, settings: config } = misspelt
    const destinations = [{ id: 'hook', name: 'Hook', enabled: true, config, destinationDefinition: { name } }]
    const sources = [{ id: 's', name: 'S', writeKey: 'k', enabled: true, destinations }]
    const { sluice } = await serve({ workspace: uncheckedWorkspace({ workspaceId: 'w', sources }) })
    expect(sluice.workspaces[0]?.destinations[0]?.settings).toMatchObject({ webhookMethod: 'POST' })
  })

  it('are accepted from clients of the API', async () => {
    const { api } = await serve({
      workspace: shop('http://hook.test/', { accessTokens: [{ name: 'all', token: hashOf('all') }] }),
    })
    const client = await api('Bearer all')
    const config = { webhookUrl: 'http://hook.test/', connectionMode: { web: 'cloud' } }
    expect(
      await client.post('/v2/destinations', { name: 'Hook', type: 'WEBHOOK', enabled: true, config }),
    ).toMatchObject({
      status: 201,
    })
  })
})

describe('a workspace from a text', () => {
  const text = `id: shop
sources: [{ id: web, writeKey: "env:WEB_KEY" }]
destinations:
  - { id: hook, type: WEBHOOK, settings: { webhokUrl: "http://hook.test/" } }
connections: [{ source: web, destination: hok }]
`

  it('is parsed, with the variables that it may name', async () => {
    const right = text.replace('webhokUrl', 'webhookUrl').replace('hok }', 'hook }')
    const { sluice } = await serve({ workspace: await parseWorkspace(right, { env: { WEB_KEY: 'secret-key' } }) })
    expect(await sluice.ingest('secret-key', [{ type: 'track', event: 'Seen', userId: 'u1' }])).toMatchObject({
      ok: true,
    })
    await expect(parseWorkspace(right, { env: {} })).rejects.toThrow(
      'workspace:2:32 sources[0].writeKey: got "env:WEB_KEY"',
    )
  })

  it('is refused with the line of each problem, in their order', async () => {
    const env = { WEB_KEY: 'secret-key' }
    const error: Error = await parseWorkspace(text, { env }).then(String, (refused) => refused)
    expect(error.message.split('\n').map((line) => line.trim().split(':', 3).join(':'))).toEqual([
      'the workspace has 3 problems:',
      'workspace:4:32 destinations[0].settings.webhookUrl',
      'workspace:4:44 destinations[0].settings.webhokUrl',
      'workspace:5:43 connections[0].destination',
    ])
  })

  it('can name no files and no packages', async () => {
    const files = `id: shop
sources: []
connections: []
destinationPackages: [./own.js]
destinations: []
libraries: [{ name: pii, file: /etc/hosts }]
`
    await expect(parseWorkspace(files)).rejects.toThrow(/destinationPackages: got a list; .*libraries\[0\]\.file: got/s)
  })
})
