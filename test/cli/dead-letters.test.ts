import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
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
let isRefusing = true

beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'sluice-dead-letters-'))
  receiver = await startReceiver(() => (isRefusing ? 422 : 200))
  const workspace = shop(receiver.url, {
    accessTokens: [
      { name: 'operator', token: hashOf('operator'), scopes: ['operate', 'write'] },
      { name: 'watcher', token: hashOf('watcher'), scopes: ['operate'] },
      { name: 'saver', token: hashOf('saver'), scopes: ['operate', 'read'] },
      { name: 'reader', token: hashOf('reader'), scopes: ['read'] },
    ],
  })
  writeFileSync(join(cwd, 'workspace.json'), JSON.stringify(workspace))
  const args = ['serve', '--allow-address', 'localhost', '--workspace', 'workspace.json', '--port', '0']
  server = startCommand(args, { cwd })
  url = (await server.printed(/Serving on (\S+)/))[1] ?? ''
  await fail('m1', 'm2', '\u001b[2J m3')
})
afterAll(async () => {
  server.child.kill('SIGKILL')
  await receiver.close()
  rmSync(cwd, { recursive: true })
})

async function fail(...messageIds: readonly string[]): Promise<void> {
  const batch = messageIds.map((messageId) => ({ type: 'track', event: 'E', userId: messageId, messageId }))
  const authorization = `Basic ${Buffer.from('web-key:').toString('base64')}`
  const body = JSON.stringify({ batch })
  expect((await fetch(`${url}/v1/batch`, { method: 'POST', headers: { authorization }, body })).status).toBe(200)
  await until(async () => (await listed()).length === messageIds.length)
}

const deadLetters = (args: readonly string[], token = 'operator', at = url) =>
  runHosted(['dead-letters', ...args], { cwd, env: { SLUICE_URL: at, SLUICE_TOKEN: token } })

interface Listed {
  readonly id: string
  readonly messageId: string
}
/** What the server responds. */
async function listed(): Promise<readonly Listed[]> {
  const answer = await fetch(`${url}/v2/dead-letters`, { headers: { authorization: 'Bearer operator' } })
  return ((await answer.json()) as { data: readonly Listed[] }).data
}

describe('sluice dead-letters', () => {
  it('lists failures as a table, which no content of an event can break', async () => {
    const env = { SLUICE_URL: url, SLUICE_TOKEN: 'operator' }
    const { status, stdout, stderr } = await runCommand(['dead-letters', 'list'], { cwd, env })
    expect(status).toBe(0)
    expect(stdout).toMatch(/^id +at +destination +stage +message +reason\n/)
    expect(stdout).toMatch(/hook +deliver +m1 +127\.0\.0\.1:\d+ refused the request\. It answered 422\./)
    expect(stdout).not.toContain('\u001b')
    expect(stderr).toBe(
      `deliver.refused: ${url}/docs/errors/deliver.refused\n3 dead letters, 0 % of the limit for all workspaces\n`,
    )
  })

  it('lists as many as requested, and those of one destination, as JSON', async () => {
    const all = await listed()
    for (const [args, wanted] of [
      [['--limit', '2'], all.slice(0, 2)],
      [['--destination', 'nowhere'], []],
    ] as const) {
      const { status, stdout, stderr } = await deadLetters(['list', '--json', ...args])
      expect([status, stderr]).toEqual([0, ''])
      expect(JSON.parse(stdout)).toMatchObject({ data: wanted, usage: { letters: 3 } })
    }
  })

  it('shows one with its request and its reply', async () => {
    const [first] = await listed()
    const { status, stdout } = await deadLetters(['show', first?.id ?? ''])
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      id: first?.id,
      status: 422,
      request: { method: 'POST', body: { JSON: { messageId: first?.messageId } } },
      event: { messageId: first?.messageId },
    })
  })

  it('shows personal data to a token that may write, and masks it for others', async () => {
    const [first] = await listed()
    for (const args of [
      ['list', '--json'],
      ['show', first?.id ?? ''],
    ]) {
      expect(await deadLetters(args, 'watcher')).toMatchObject({
        status: 1,
        stderr: expect.stringMatching(/scope write/),
      })
      const { status, stdout } = await deadLetters([...args, '--masked'], 'watcher')
      expect([status, stdout]).toEqual([0, expect.stringContaining(first?.messageId ?? '')])
    }
  })

  it('saves one as a test case where sluice test finds it, masked, and never over another file', async () => {
    const project = join(cwd, 'project')
    mkdirSync(join(project, 'transformations'), { recursive: true })
    writeFileSync(
      join(project, 'transformations/mask.js'),
      'export const transformEvent = (event) => ({ ...event, a: event.b.c })',
    )
    const [first] = await listed()
    const save = (...args: readonly string[]) =>
      deadLetters(['save-test', first?.id ?? '', '--project', 'project', ...args], 'saver')
    expect(await save()).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(
        'destination hook has no transformation, which a test would run; name one of mask',
      ),
    })
    const named = ['--transformation', 'mask']
    expect(await save(...named)).toMatchObject({
      status: 0,
      stdout: 'project/tests/mask/input/m1.json: run it with sluice test\n',
    })
    expect((await save(...named, '--json')).stdout).toContain('m1-2.json')
    const { status, stdout } = await runHosted(['test', 'project'], { cwd })
    expect(status).toBe(1)
    expect(stdout).toMatch(/^ {2}✗ m1-2 [\s\S]*^ {2}✗ m1 /m)
  })

  it('removes the named one', async () => {
    const before = await listed()
    const odd = before.find(({ messageId }) => messageId.includes('m3'))
    expect(await deadLetters(['remove', odd?.id ?? ''])).toMatchObject({ status: 0, stdout: '1 removed\n' })
    expect(await listed()).toEqual(before.filter(({ id }) => id !== odd?.id))
  })

  it('replays all of a destination, which arrive once it accepts them', async () => {
    isRefusing = false
    const before = receiver.received.length
    const replay = await deadLetters(['replay', '--destination', 'hook', '--json'])
    expect([replay.status, JSON.parse(replay.stdout)]).toEqual([0, { replayed: 2 }])
    await eventually(() => receiver.received.length).toBe(before + 2)
    expect(await listed()).toEqual([])
    expect(await deadLetters(['list'])).toMatchObject({ status: 0, stdout: '' })
  })

  const wrong: readonly (readonly [string, readonly string[], RegExp])[] = [
    ['no choice', ['replay'], /give either ids or a --destination/],
    ['two choices', ['remove', 'a', '--destination', 'hook'], /give either ids or a --destination/],
    [
      'an unknown destination',
      ['replay', '--destination', 'hok'],
      /answered 404: there is no destination hok; did you mean hook\?/,
    ],
    [
      'an unknown destination to remove from',
      ['remove', '--destination', 'nowhere'],
      /there is no destination nowhere; GET/,
    ],
    ['an unknown id', ['show', 'a/b?c'], /answered 404: there is no such dead letter/],
  ]
  for (const [name, args, text] of wrong)
    it(`says what to do about ${name}`, async () => {
      const { status, stdout, stderr } = await deadLetters(args)
      expect([status, stdout, stderr]).toEqual([1, '', expect.stringMatching(text)])
    })

  it('says what to do about a token that is missing, wrong or lacks a scope', async () => {
    for (const [token, text] of [
      ['', /give an access token: SLUICE_TOKEN/],
      ['wrong', /answered 401: /],
      ['reader', /answered 403: .*operate.*\nWhat to do: http:\/\/127\.0\.0\.1:\d+\/docs\/errors\/scopeMissing\n$/],
    ] as const) {
      const { status, stdout, stderr } = await deadLetters(['list'], token)
      expect([token, status, stdout, stderr]).toEqual([token, 1, '', expect.stringMatching(text)])
    }
  })

  it('says what to do about a server that does not respond, or is not Sluice', async () => {
    const page = createServer((_, response) => response.end('<html>'))
    await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve))
    const other = `http://127.0.0.1:${(page.address() as AddressInfo).port}`
    for (const [at, text] of [
      ['http://127.0.0.1:9', /does not answer \(.+\); is the server running\?/],
      [other, /is it a Sluice server\?/],
    ] as const) {
      const { status, stdout, stderr } = await deadLetters(['list'], 'operator', at)
      expect([at, status, stdout, stderr]).toEqual([at, 1, '', expect.stringMatching(text)])
    }
    page.close()
  })
})
