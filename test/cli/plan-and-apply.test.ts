import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSluice, type Sluice } from 'sluice'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { hashOf } from '../support/http/api-client.ts'
import { type HookedServer, startHookedServer } from '../support/http/hooked-server.ts'
import { type CommandResult, runCommand } from '../support/processes/command.ts'
import { runHosted } from '../support/processes/command-host.ts'
import { uncheckedWorkspace } from '../support/scenes/unchecked-workspace.ts'

const allScopes = ['read', 'write', 'operate', 'admin'] as const
const secrets = {
  WEB_KEY: 'planted-web-key',
  HOOK_KEY: 'planted-hook-key',
  GEO_KEY: 'planted-geo-key',
  CI_TOKEN: 'planted-ci-token',
}

/** Tokens of variables have a least length. */
const tokenOf = (name: string): string => `${name}-of-the-shop`

let cwd: string
let sluice: Sluice
let server: HookedServer
beforeEach(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'sluice-plan-'))
  sluice = await createSluice({
    workspace: {
      id: 'shop',
      accessTokens: [
        { name: 'admin', token: hashOf(tokenOf('admin')), scopes: allScopes },
        { name: 'writer', token: hashOf(tokenOf('writer')) },
        { name: 'reader', token: hashOf(tokenOf('reader')), scopes: ['read'] },
      ],
      sources: [{ id: 'fixed', writeKey: 'fixed-key' }],
      destinations: [],
      connections: [],
    },
    // Starting threads for each test would take longer than the tests.
    sandbox: { mode: 'in-process' },
  })
  server = await startHookedServer(sluice)
})
afterEach(async () => {
  await server.close()
  await sluice.stop()
  rmSync(cwd, { recursive: true })
})

/** Everything that the commands of a test print. */
let printed = ''
async function run(args: readonly string[], env: NodeJS.ProcessEnv = secrets, token = 'admin'): Promise<CommandResult> {
  const all = { XDG_CONFIG_HOME: cwd, SLUICE_URL: server.url, SLUICE_TOKEN: tokenOf(token), NO_COLOR: '1', ...env }
  const result = await runHosted(args, { cwd, env: all })
  printed += result.stdout + result.stderr
  return result
}
function write(file: string, text: string): void {
  mkdirSync(join(cwd, file, '..'), { recursive: true })
  writeFileSync(join(cwd, file), text)
}

interface Entry {
  readonly id: string
  readonly revision: number
  readonly [member: string]: unknown
}
async function api(method: string, path: string, body?: object): Promise<unknown> {
  const response = await sluice.fetch(
    new Request(`http://sluice.test${path}`, {
      method,
      headers: { authorization: `Bearer ${tokenOf('admin')}` },
      body: body ? JSON.stringify(body) : undefined,
    }),
  )
  expect(response.status).toBeLessThan(300)
  return response.status === 204 ? undefined : response.json()
}
const listed = async (plural: string): Promise<readonly Entry[]> =>
  ((await api('GET', `/v2/${plural}`)) as Record<string, readonly Entry[]>)[plural] ?? []

const code = (mark: string): string => `export const transformEvent = (event) => ({ ...event, mark: "${mark}" })`
const file = (changes: Readonly<Record<string, string>> = {}): string =>
  Object.entries(changes).reduce(
    (text, [from, to]) => text.replace(from, to),
    `id: shop
accessTokens: [{ name: ci, token: "env:CI_TOKEN", scopes: [read] }]
sources:
  - { id: web, name: Web, writeKey: "env:WEB_KEY" }
destinations:
  - id: hook
    type: WEBHOOK
    settings: { webhookUrl: "http://hook.test/in", headers: [{ from: X-Key, to: "env:HOOK_KEY" }] }
    transformation: { name: mark, code: '${code('one')}' }
  - { id: plain, type: webhook, settings: { webhookUrl: "http://plain.test" } }
connections:
  - { source: web, destination: hook }
  - { source: web, destination: plain }
credentials: { geo: "env:GEO_KEY" }
libraries: [{ name: words, code: "export const loud = (text) => text.toUpperCase()" }]
`,
  )

describe('sluice plan and apply', () => {
  it('create what a file has, find it equal afterwards, and show each member that changes', async () => {
    write('workspace.yaml', file())
    const options = { cwd, env: { ...secrets, SLUICE_URL: server.url, SLUICE_TOKEN: tokenOf('admin'), NO_COLOR: '1' } }
    const planned = await runCommand(['plan', 'workspace.yaml'], options)
    expect([planned.status, planned.stderr]).toEqual([2, ''])
    expect(planned.stdout.split('\n')).toEqual([
      '+ library words',
      '+ transformation mark',
      '+ source web',
      '+ destination hook',
      '+ destination plain',
      '+ connection web → hook',
      '+ connection web → plain',
      '+ credential geo',
      '+ token ci',
      '~ destination hook: runs transformation mark',
      '',
      '9 to create, 1 to change, 0 to replace, 0 to delete, 0 unchanged',
      '',
    ])
    expect(await listed('destinations')).toEqual([])
    expect(await run(['apply', 'workspace.yaml', '--yes'])).toMatchObject({ status: 0, stderr: '' })
    expect(await run(['plan', 'workspace.yaml'])).toMatchObject({ status: 0, stdout: '7 unchanged\n' })
    // What the server runs, and not only what it shows.
    const [workspace] = sluice.workspaces
    expect(workspace?.sources.map(({ writeKey }) => writeKey)).toEqual(['fixed-key', secrets.WEB_KEY])
    expect(workspace?.destinations[0]).toMatchObject({
      settings: { headers: [{ from: 'X-Key', to: secrets.HOOK_KEY }] },
      transformation: { code: code('one') },
    })
    expect(workspace?.credentials).toEqual({ geo: secrets.GEO_KEY })

    const changed = file({ 'name: Web,': '', 'http://hook.test/in': 'http://hook.test/out', one: 'two' })
    write('workspace.yaml', changed)
    const changes = await run(['plan', 'workspace.yaml', '--json'], { ...secrets, HOOK_KEY: 'planted-other-secret' })
    expect(changes.status).toBe(2)
    expect(JSON.parse(changes.stdout)).toMatchObject({
      workspaceId: 'shop',
      changes: [
        { action: 'update', kind: 'transformation', name: 'mark' },
        { action: 'update', kind: 'source', name: 'web', members: [{ path: 'name', before: 'Web', after: 'web' }] },
        {
          action: 'update',
          kind: 'destination',
          name: 'hook',
          members: [
            { path: 'settings.webhookUrl', before: 'http://hook.test/in', after: 'http://hook.test/out' },
            { path: 'settings.headers[0].to', secret: true },
          ],
        },
      ],
      unchanged: 5,
    })
    for (const name of ['HOOK_KEY', 'WEB_KEY', 'GEO_KEY', 'CI_TOKEN']) {
      write('workspace.yaml', file())
      const { stdout } = await run(['plan', 'workspace.yaml'], { ...secrets, [name]: 'planted-other-secret' })
      expect(stdout).toMatch(/changed \(secret\)\n\n0 to create, 1 to change/)
    }
    expect(printed).not.toContain('planted-')
  })

  it('leave what only the server has alone, delete it with --prune, and never an access token', async () => {
    write('workspace.yaml', file())
    await run(['apply', 'workspace.yaml', '--yes'])
    write('workspace.yaml', 'id: shop\nsources: []\ndestinations: []\nconnections: []\n')
    const { status, stdout } = await run(['plan', 'workspace.yaml'])
    expect([status, stdout.match(/^\? /gm)?.length]).toEqual([0, 6])
    const pruned = await run(['apply', 'workspace.yaml', '--prune', '--yes'])
    expect(pruned).toMatchObject({ status: 0, stderr: '' })
    expect(pruned.stdout).toContain('0 created, 0 changed, 0 replaced, 6 deleted, 0 unchanged')
    expect(await listed('sources')).toMatchObject([{ id: 'fixed', managedBy: 'file' }])
    expect((await listed('tokens')).map(({ name }) => name)).toEqual(['admin', 'writer', 'reader', 'ci'])
  })

  it('keep secrets whose variables are not set, or stop; a credential that is kept is not pruned', async () => {
    write('workspace.yaml', file())
    await run(['apply', 'workspace.yaml', '--yes'])
    const stopped = await run(['plan', 'workspace.yaml'], {})
    expect(stopped).toMatchObject({ status: 1, stderr: expect.stringMatching(/GEO_KEY, HOOK_KEY, CI_TOKEN; set them/) })
    const kept = await run(['plan', 'workspace.yaml', '--keep-secrets', '--prune'], {})
    expect([kept.status, kept.stdout]).toEqual([0, expect.stringContaining('5 unchanged')])
    write('workspace.yaml', file({ 'X-Key': 'X-Other' }))
    const renamed = await run(['plan', 'workspace.yaml', '--keep-secrets'], {})
    // A header with another name needs its secret again.
    expect(renamed).toMatchObject({ status: 1, stderr: expect.stringContaining('the mask of a secret') })
  })

  it('do not touch what the file of the server defines, and say so', async () => {
    write(
      'workspace.yaml',
      file({
        'id: web, name: Web': 'id: fixed, name: Web',
        'source: web': 'source: fixed',
        'source: web,': 'source: fixed,',
      }),
    )
    const { status, stdout } = await run(['apply', 'workspace.yaml', '--yes'])
    expect(status).toBe(0)
    expect(stdout).toContain('= source fixed: defined by the workspace file of the server, left alone\n')
    expect(await listed('sources')).toMatchObject([{ id: 'fixed', name: 'fixed', managedBy: 'file' }])
  })

  it('never overwrite a change that was made after the plan', async () => {
    write('workspace.yaml', file())
    await run(['apply', 'workspace.yaml', '--yes'])
    write('workspace.yaml', file({ 'name: Web': 'name: Shop', 'http://plain.test': 'http://other.test' }))
    server.hook(async (request) => {
      if (request.method !== 'POST' || !request.url.includes('/v2/configuration?validate=false')) return undefined
      server.hook()
      await api('PUT', '/v2/sources/web', { name: 'Changed by someone else' })
      return undefined
    })
    const { status, stderr } = await run(['apply', 'workspace.yaml', '--yes'])
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/answered 412: source web has revision 2, not revision 1/),
    ])
    expect(stderr).toContain(
      'Not done: change 2 parts.\nDone: nothing. Run sluice apply again to continue; it shows what',
    )
    expect(await listed('sources')).toMatchObject([{}, { id: 'web', name: 'Changed by someone else' }])
    expect(await listed('destinations')).toMatchObject([{}, { config: { webhookUrl: 'http://plain.test' } }])
    expect(await run(['apply', 'workspace.yaml', '--yes'])).toMatchObject({ status: 0 })
    expect(await listed('sources')).toMatchObject([{}, { id: 'web', name: 'Shop' }])
  })

  it('say after a failure what was done, let no event pass without its transformation, and continue', async () => {
    write('workspace.yaml', file())
    server.hook((request) =>
      request.method === 'PUT' && request.url.endsWith('/v2/destinations/hook/transformation')
        ? new Response('bad gateway', { status: 502 })
        : undefined,
    )
    const { status, stderr } = await run(['apply', 'workspace.yaml', '--yes'])
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining(
        'Whether this was done is unknown: connect 1 transformation; connect sources with 1 destination.\nDone: publish 2 transformations and libraries; change 6 parts. Run sluice apply again to continue.',
      ),
    ])
    expect(await listed('connections')).toMatchObject([{ destinationId: 'plain' }])
    server.hook()
    const again = await run(['apply', 'workspace.yaml', '--yes'])
    expect(again.stdout).toContain('+ connection web → hook\n~ destination hook: runs transformation mark\n')
    expect(sluice.workspaces[0]?.destinations[0]).toMatchObject({ id: 'hook', transformation: { name: 'mark' } })
    expect(await run(['plan', 'workspace.yaml'])).toMatchObject({ status: 0 })
  })

  const refused: readonly (readonly [string, string, readonly string[], RegExp, string?])[] = [
    [
      'a file with problems',
      file({ 'type: webhook': 'type: webhok' }),
      [],
      /workspace\.yaml:10:24 destinations\[1\]\.type/,
    ],
    [
      'another workspace',
      file({ 'id: shop': 'id: other' }),
      [],
      /the token is for workspace shop, and the file has other/,
    ],
    ['a workspace that the file does not have', file(), ['--workspace', 'gone'], /has no such workspace, but shop/],
    ['a token without the scope to change', file(), [], /answered 403: .*write/, 'reader'],
    ['access tokens without the scope admin', file(), [], /answered 403: .*admin/, 'writer'],
    ['code that does not run', file({ event: 'event2' }), [], /not live|failed|ReferenceError/],
  ]
  for (const [name, text, flags, expected, token] of refused)
    it(`refuse ${name}, and change nothing`, async () => {
      write('workspace.yaml', text)
      const { status, stderr } = await run(['apply', 'workspace.yaml', '--yes', ...flags], secrets, token)
      expect([status, stderr]).toEqual([1, expect.stringMatching(expected)])
      expect(await listed('destinations')).toEqual([])
    })

  it('ask before they change something, and need --yes without a terminal', async () => {
    write('workspace.yaml', file())
    const { status, stderr } = await run(['apply', 'workspace.yaml'])
    expect([status, stderr]).toEqual([1, expect.stringContaining('give --yes')])
    expect(await run(['apply', 'workspace.yaml', '--no-tokens', '--yes'], secrets, 'writer')).toMatchObject({
      status: 0,
    })
  })
})

describe('sluice export', () => {
  it('writes a file that apply finds equal, with variables for secrets, and that another server can start from', async () => {
    write('workspace.yaml', file())
    await run(['apply', 'workspace.yaml', '--yes'])
    await api('PUT', '/v2/destinations/plain', { enabled: false })
    const exported = await run(['export', '--out', 'exported.yaml'])
    expect([exported.status, exported.stdout]).toEqual([0, 'wrote exported.yaml\n'])
    expect(exported.stderr).toContain('  HOOK_HEADERS_0_TO  destination hook: settings.headers[0].to\n')
    const text = readFileSync(join(cwd, 'exported.yaml'), 'utf8')
    expect(text).not.toContain('planted-')
    expect(parse(text)).toMatchObject({
      sources: [
        { id: 'fixed', writeKey: 'env:FIXED_WRITE_KEY' },
        { id: 'web', name: 'Web', writeKey: 'env:WEB_WRITE_KEY' },
      ],
      destinations: [
        { id: 'hook', transformation: { name: 'mark', code: code('one') } },
        { id: 'plain', enabled: false, settings: { webhookUrl: 'http://plain.test' } },
      ],
      credentials: { geo: 'env:GEO' },
    })
    const env = {
      FIXED_WRITE_KEY: 'fixed-key',
      WEB_WRITE_KEY: secrets.WEB_KEY,
      HOOK_HEADERS_0_TO: secrets.HOOK_KEY,
      GEO: secrets.GEO_KEY,
      SLUICE_TOKEN_CI: secrets.CI_TOKEN,
      SLUICE_TOKEN_ADMIN: tokenOf('admin'),
      SLUICE_TOKEN_WRITER: tokenOf('writer'),
      SLUICE_TOKEN_READER: tokenOf('reader'),
    }
    expect(await run(['plan', 'exported.yaml', '--prune'], env)).toMatchObject({ status: 0 })
    expect(await run(['plan', 'exported.yaml', '--prune', '--keep-secrets'], {})).toMatchObject({ status: 0 })
    const other = await createSluice({ workspace: uncheckedWorkspace(parse(text)), env }).catch((error) => error)
    // createSluice takes no variables in settings and write keys: they are for files.
    expect(String(other)).toContain('writeKey')
    expect(await run(['check', 'exported.yaml'], env)).toMatchObject({ status: 0 })
    expect(await run(['export', '--out', 'exported.yaml'])).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/exists/),
    })
    const keys = await run(['export', '--with-write-keys', '--json'])
    expect(JSON.parse(keys.stdout)).toMatchObject({ workspace: { sources: [{}, { writeKey: secrets.WEB_KEY }] } })
  })

  it('keeps settings that no type declares with their types, and makes variables of masks alone', async () => {
    const config = {
      webhookUrl: 'http://hook.test',
      syncFrequency: '180',
      useRudderStorage: true,
      sasToken: 'planted-sas',
    }
    await api('POST', '/v2/destinations', { name: 'old', type: 'WEBHOOK', enabled: true, config })
    const exported = await run(['export', '--json'])
    expect(JSON.parse(exported.stdout).workspace.destinations).toMatchObject([
      { settings: { ...config, sasToken: 'env:OLD_SAS_TOKEN' } },
    ])
  })

  it('writes out what keeps events from a destination, so that the next server keeps them from it too', async () => {
    const consents = [{ provider: 'custom', resolutionStrategy: 'or', consents: [{ consent: 'ads' }] }]
    const gates = {
      consentManagement: { web: consents },
      oneTrustCookieCategories: [{ oneTrustCookieCategory: 'C1' }],
      ketchConsentPurposes: [{ purpose: 'p' }],
      eventFilteringOption: 'whitelistedEvents',
      whitelistedEvents: [{ eventName: 'Seen' }],
      blacklistedEvents: [],
    }
    const config = { webhookUrl: 'http://hook.test', ...gates }
    await api('POST', '/v2/destinations', { externalId: 'x', name: 'gated', type: 'WEBHOOK', enabled: true, config })
    // They are no secrets: the scope `read` is enough to review them.
    expect(await listed('destinations')).toMatchObject([{ config: gates }])
    await run(['export', '--out', 'exported.yaml'])
    const { destinations } = parse(readFileSync(join(cwd, 'exported.yaml'), 'utf8'))
    expect(destinations).toMatchObject([{ settings: gates }])
    expect(await run(['check', 'exported.yaml', '--json'], { FIXED_WRITE_KEY: 'k' })).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('"notes": []'),
    })
    const { consentManagement: _, ...others } = config
    write(
      'workspace.yaml',
      JSON.stringify({
        id: 'shop',
        sources: [],
        connections: [],
        destinations: [{ id: destinations[0].id, name: 'gated', type: 'WEBHOOK', settings: others }],
      }),
    )
    const planned = await run(['plan', 'workspace.yaml'])
    expect(planned.stdout).toContain('consentManagement')
  })
})
