import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSluice, type Sluice } from 'sluice'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashOf } from '../support/http/api-client.ts'
import { type HookedServer, startHookedServer } from '../support/http/hooked-server.ts'
import { type CommandResult, runCommand } from '../support/processes/command.ts'
import { runHosted } from '../support/processes/command-host.ts'

let cwd: string
let sluice: Sluice
let server: HookedServer
beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'sluice-records-'))
  sluice = await createSluice({
    workspace: {
      id: 'shop',
      accessTokens: [
        { name: 'all', token: hashOf('all') },
        { name: 'reader', token: hashOf('reader'), scopes: ['read'] },
      ],
      sources: [{ id: 'fixed', writeKey: 'fixed-key' }],
      destinations: [],
      connections: [],
    },
    sandbox: { mode: 'in-process' },
  })
  server = await startHookedServer(sluice)
})
afterAll(async () => {
  await server.close()
  await sluice.stop()
  rmSync(cwd, { recursive: true })
})

const env = (token = 'all') => ({ XDG_CONFIG_HOME: cwd, SLUICE_URL: server.url, SLUICE_TOKEN: token, NO_COLOR: '1' })
const run = (args: readonly string[], more: NodeJS.ProcessEnv = {}, token?: string): Promise<CommandResult> =>
  runHosted(args, { cwd, env: { ...env(token), ...more } })
const json = async (args: readonly string[]): Promise<unknown> => JSON.parse((await run([...args, '--json'])).stdout)

describe('sluice sources, destinations and connections', () => {
  it('pause and resume a destination', async () => {
    await run([
      'destinations',
      'create',
      '--id',
      'slow',
      '--type',
      'webhook',
      '--setting',
      'webhookUrl=http://hook.test',
    ])
    const paused = await run(['destinations', 'pause', 'slow'])
    expect(paused).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^destination slow is paused since .*Z\n$/),
    })
    expect(await json(['destinations', 'resume', 'slow'])).toEqual({ destinationId: 'slow' })
    expect(await run(['destinations', 'pause', 'none'])).toMatchObject({ status: 1 })
    expect(await run(['destinations', 'try', 'slow'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('its circuit is closed'),
    })
    await run(['destinations', 'delete', 'slow', '--yes'])
  })

  it('rotate the write key of a source, and say how long the former one is valid', async () => {
    await run(['sources', 'create', '--id', 'tv'])
    expect(await run(['sources', 'rotate', 'tv', '--yes'])).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^source tv has the write key [0-9a-f]{40}; the former one is valid until .*Z\n$/),
    })
    const atOnce = await json(['sources', 'rotate', 'tv', '--yes', '--valid-for-seconds', '0'])
    expect(atOnce).toMatchObject({ id: 'tv', writeKey: expect.any(String) })
    expect(atOnce).not.toHaveProperty('formerWriteKey')
    expect(await run(['sources', 'rotate', 'fixed', '--yes'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('defined by the workspace file'),
    })
    await run(['sources', 'delete', 'tv', '--yes'])
  })

  it('create, list, show, change and delete records, as tables and as JSON', async () => {
    const made = await runCommand(['sources', 'create', '--id', 'web', '--name', 'Web', '--type', 'javascript'], {
      cwd,
      env: env(),
    })
    expect(made).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^source web created, write key [0-9a-f]{40}\n$/),
    })
    const settings = [
      '--setting',
      'webhookUrl=http://hook.test',
      '--setting',
      'headers=[{"from":"X-Key","to":"env:KEY"}]',
    ]
    const hook = ['destinations', 'create', '--id', 'hook', '--type', 'webhook', ...settings]
    expect(await run(hook)).toMatchObject({ status: 1, stderr: 'sluice: the variable KEY is not set\n' })
    const created = await run([...hook, '--json'], { KEY: 'planted-secret' })
    expect(JSON.parse(created.stdout)).toMatchObject({ id: 'hook', type: 'WEBHOOK', revision: 1 })
    expect(created.stdout).not.toContain('planted-secret')
    expect(await run(['connections', 'create', '--source', 'web', '--destination', 'hook'])).toMatchObject({
      status: 0,
    })

    const { stdout, stderr } = await run(['sources', 'list'])
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['id', 'name', 'type', 'enabled', 'managedBy'],
      ['fixed', 'fixed', 'true', 'file'],
      ['web', 'Web', 'javascript', 'true', 'api'],
      [''],
    ])
    expect(stderr).toBe('2 sources\n')
    expect(await json(['connections', 'list'])).toMatchObject([{ sourceId: 'web', destinationId: 'hook' }])
    expect(await json(['destinations', 'show', 'hook'])).toMatchObject({
      config: { headers: [{ from: 'X-Key', to: '••••••' }] },
    })
    expect(await run(['destinations', 'list'])).toMatchObject({ stdout: expect.stringContaining('WEBHOOK') })
  })

  it('change only what is given, and keep secrets', async () => {
    expect(
      await run(['destinations', 'update', 'hook', '--setting', 'webhookMethod=PUT', '--enabled', 'false']),
    ).toMatchObject({
      status: 0,
      stdout: 'destination hook changed\n',
    })
    expect(sluice.workspaces[0]?.destinations[0]).toMatchObject({
      enabled: false,
      settings: {
        webhookUrl: 'http://hook.test',
        webhookMethod: 'PUT',
        headers: [{ from: 'X-Key', to: 'planted-secret' }],
      },
    })
    expect(await run(['destinations', 'update', 'hook', '--enabled', 'false'])).toMatchObject({
      stdout: 'destination hook already like that\n',
    })
    writeFileSync(join(cwd, 'observe.yaml'), 'observe: { samples: false }\n')
    expect(
      await json(['sources', 'update', 'web', '--file', 'observe.yaml', '--set', 'type=null-is-text']),
    ).toMatchObject({
      name: 'Web',
      type: 'null-is-text',
      observe: { samples: false },
    })
  })

  const refused: readonly (readonly [string, readonly string[], RegExp, string?])[] = [
    [
      'a record of the file',
      ['sources', 'update', 'fixed', '--name', 'x'],
      /409: source fixed is defined by the workspace file/,
    ],
    ['an unknown record', ['sources', 'show', 'gone'], /answered 404: there is no source gone/],
    [
      'an unknown setting value',
      ['destinations', 'update', 'hook', '--setting', 'webhookMethod=PUTT'],
      /config\.webhookMethod is "PUTT"; allowed is: one of POST/,
    ],
    ['a change of nothing', ['sources', 'update', 'web'], /nothing to change/],
    ['a deletion without confirmation', ['sources', 'delete', 'web'], /give --yes/],
    ['the deletion of what connections need', ['destinations', 'delete', 'hook', '--yes'], /delete them first/],
    ['a token without the scope', ['sources', 'create', '--name', 'x'], /answered 403: .*write/, 'reader'],
    ['a file that is no YAML', ['sources', 'create', '--file', '-x'], /cannot be read/],
  ]
  for (const [name, args, text, token] of refused)
    it(`say what to do about ${name}`, async () => {
      const { status, stdout, stderr } = await run(args, {}, token)
      expect([status, stdout, stderr]).toEqual([1, '', expect.stringMatching(text)])
    })

  it('do not overwrite what someone else changes meanwhile', async () => {
    server.hook(async (request) => {
      if (request.method !== 'PUT') return undefined
      server.hook()
      await run2(['sources', 'update', 'web', '--name', 'Theirs'])
      return undefined
    })
    const { status, stderr } = await run(['sources', 'update', 'web', '--name', 'Ours'])
    expect([status, stderr]).toEqual([1, expect.stringContaining('answered 412')])
    expect(await json(['sources', 'show', 'web'])).toMatchObject({ name: 'Theirs' })
  })

  it('delete, also what is gone already', async () => {
    const [connection] = (await json(['connections', 'list'])) as readonly { id: string }[]
    expect(await run(['connections', 'delete', connection?.id ?? '', '--yes'])).toMatchObject({ status: 0 })
    for (const round of [1, 2])
      expect([round, await run(['destinations', 'delete', 'hook', '--yes', '--json'])]).toMatchObject([
        round,
        { status: 0, stdout: '{"deleted":"hook"}\n' },
      ])
  })
})

/** Hosted commands run one at a time. */
const run2 = (args: readonly string[]): Promise<CommandResult> => runCommand(args, { cwd, env: env() })

describe('sluice transformations', () => {
  const post = (path: string, body: object): Promise<Response> =>
    Promise.resolve(
      sluice.fetch(
        new Request(`http://sluice.test${path}`, {
          method: 'POST',
          headers: { authorization: 'Bearer all' },
          body: JSON.stringify(body),
        }),
      ),
    )
  const code = (mark: string): string => `export const transformEvent = (event) => ({ ...event, mark: '${mark}' })\n`

  it('list, compare, roll back, connect, disconnect and delete', async () => {
    await run(['destinations', 'create', '--id', 'crm', '--type', 'WEBHOOK', '--setting', 'webhookUrl=http://crm.test'])
    const created = (await (
      await post('/transformations', { name: 'mark', code: code('one'), publish: true })
    ).json()) as { id: string; versionId: string }
    await post(`/transformations/${created.id}`, { code: code('two'), publish: true })
    await post(`/transformations/${created.id}`, { code: code('three') })
    expect(await run(['transformations', 'connect', 'mark', 'crm'])).toMatchObject({
      status: 0,
      stdout: 'mark runs for crm\n',
    })
    const { stdout } = await run(['transformations', 'list'])
    expect(stdout.split('\n')[1]?.split(/ {2,}/)).toEqual(['mark', created.id, 'live, newer saved', 'crm'])
    const versions = await run(['transformations', 'versions', 'mark'])
    expect(versions.stdout.match(/ {2}live$/gm)).toHaveLength(1)
    expect((await run(['transformations', 'diff', 'mark'])).stdout).toMatch(/-.*'two'.*\n\+.*'three'/)
    expect((await run(['transformations', 'show', created.id])).stdout).toContain(code('three').trim())

    expect(await run(['transformations', 'rollback', 'mark'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('--yes'),
    })
    expect(await run(['transformations', 'rollback', 'mark', '--yes'])).toMatchObject({ status: 0 })
    expect(sluice.workspaces[0]?.destinations[0]?.transformation).toMatchObject({ code: code('one') })
    expect(await run(['transformations', 'rollback', 'mark', '--yes'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('no version before'),
    })
    expect(await json(['transformations', 'list'])).toMatchObject([
      { id: created.id, publishedVersionId: created.versionId },
    ])

    expect(await run(['transformations', 'disconnect', 'mark', 'crm'])).toMatchObject({ status: 0 })
    expect(sluice.workspaces[0]?.destinations[0]?.transformation).toBeUndefined()
    expect(await run(['transformations', 'delete', 'mark', '--yes'])).toMatchObject({
      status: 0,
      stdout: 'mark is deleted\n',
    })
    expect(await run(['transformations', 'show', 'mark'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('no transformation mark'),
    })
  })
})

describe('sluice libraries', () => {
  it('list, compare, roll back and delete', async () => {
    const post = (path: string, body: object): Promise<Response> =>
      Promise.resolve(
        sluice.fetch(
          new Request(`http://sluice.test${path}`, {
            method: 'POST',
            headers: { authorization: 'Bearer all' },
            body: JSON.stringify(body),
          }),
        ),
      )
    const code = (mark: string): string => `export const mark = () => '${mark}'\n`
    const created = (await (
      await post('/libraries', { name: 'Marks', importName: 'marks', code: code('one') })
    ).json()) as { id: string; versionId: string }
    const first = { libraries: [{ versionId: created.versionId }] }
    expect((await post('/transformations/libraries/publish', first)).status).toBe(200)
    await post(`/libraries/${created.id}`, { code: code('two'), publish: true })
    const { stdout } = await run(['libraries', 'list'])
    expect(stdout.split('\n')[1]?.split(/ {2,}/).slice(0, 3)).toEqual(['Marks', created.id, 'marks'])
    expect((await run(['libraries', 'versions', 'Marks'])).stdout.match(/ {2}live$/gm)).toHaveLength(1)
    expect((await run(['libraries', 'show', 'Marks'])).stdout).toContain(code('two').trim())
    expect(await run(['libraries', 'rollback', 'Marks', '--yes'])).toMatchObject({ status: 0 })
    const versions = await json(['libraries', 'versions', 'Marks'])
    expect(versions).toMatchObject([
      { code: code('one'), isPublished: true },
      { code: code('two'), isPublished: false },
    ])
    expect((await run(['libraries', 'diff', 'Marks'])).stdout).toMatch(/-.*'one'.*\n\+.*'two'/)
    expect(await run(['libraries', 'rollback', 'Marks', '--yes'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('no version before'),
    })
    expect(await run(['libraries', 'delete', 'Marks', '--yes'])).toMatchObject({
      status: 0,
      stdout: 'Marks is deleted\n',
    })
    expect(await run(['libraries', 'show', 'Marks'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('no library Marks'),
    })
  })
})

describe('sluice login', () => {
  const login = (args: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<CommandResult> =>
    runHosted(args, { cwd, env: { XDG_CONFIG_HOME: join(cwd, 'config'), NO_COLOR: '1', ...more } })
  const file = (): string => join(cwd, 'config/sluice/profiles.json')

  it('stores profiles that only the user may read, and that every command of a server uses', async () => {
    expect(await login(['login', '--url', server.url, '--token', 'all'])).toMatchObject({
      status: 0,
      stdout: `profile default: workspace shop (shop) at ${server.url}\n`,
    })
    expect(await login(['login', '--url', server.url, '--token', 'reader', '--profile', 'look'])).toMatchObject({
      status: 0,
    })
    expect(statSync(file()).mode & 0o777).toBe(0o600)
    expect(await login(['sources', 'list', '--json'])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('fixed'),
    })
    expect(await login(['dead-letters', 'list'])).toMatchObject({ status: 0 })
    const asReader = await login(['sources', 'create', '--name', 'x'], { SLUICE_PROFILE: 'look' })
    expect(asReader).toMatchObject({ status: 1, stderr: expect.stringContaining('403') })
    const unknown = await login(['sources', 'list', '--profile', 'gone'])
    expect(unknown).toMatchObject({ status: 1, stderr: expect.stringContaining('it has default, look') })
  })

  it('comes after flags and variables, and never sends a token to another server', async () => {
    const seen: (string | null)[] = []
    const other = await startHookedServer({
      fetch: async (request: Request) => {
        seen.push(request.headers.get('authorization'))
        return new Response('{}', { status: 401 })
      },
    })
    // The token of the profile belongs to its URL.
    expect(await login(['sources', 'list'], { SLUICE_URL: other.url })).toMatchObject({
      stderr: expect.stringContaining('give an access token'),
    })
    expect(seen).toEqual([])
    // A given token belongs to the given URL, or to the default one.
    const given = await login(['sources', 'list'], { SLUICE_TOKEN: 'mine' })
    expect(given.stderr).toContain('http://127.0.0.1:8080')
    await login(['sources', 'list'], { SLUICE_URL: other.url, SLUICE_TOKEN: 'mine' })
    expect(seen).toEqual(['Bearer mine'])
    await other.close()
  })

  it('stores nothing that the server does not accept, and forgets a profile', async () => {
    const before = readFileSync(file(), 'utf8')
    const wrong = await login(['login', '--url', server.url, '--token', 'planted-wrong'])
    expect(wrong).toMatchObject({ status: 1, stderr: expect.stringContaining('answered 401') })
    expect(wrong.stderr).not.toContain('planted-wrong')
    expect(readFileSync(file(), 'utf8')).toBe(before)
    expect(await login(['logout', '--profile', 'look', '--json'])).toMatchObject({
      status: 0,
      stdout: '{"forgotten":"look"}\n',
    })
    expect(Object.keys(JSON.parse(readFileSync(file(), 'utf8')) as object)).toEqual(['default'])
    writeFileSync(file(), 'not JSON')
    expect(await login(['sources', 'list'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('log in again'),
    })
  })
})
