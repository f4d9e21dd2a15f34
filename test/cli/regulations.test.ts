import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { basic, hashOf } from '../support/http/api-client.ts'
import { type RunningCommand, runCommand, startCommand } from '../support/processes/command.ts'
import { runHosted } from '../support/processes/command-host.ts'
import { shop } from '../support/scenes/shop.ts'

let cwd: string
let server: RunningCommand
let url: string
/** The deletion of u1, a later suppression of the same user, and regulations of many others. */
let ids: readonly string[]
const others = 1_100

beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'sluice-regulations-'))
  const workspace = shop('http://hook.test/', {
    destinations: [
      { id: 'away', name: 'Cache', type: 'REDIS', settings: { address: '127.0.0.1:9', password: 'pw-redis' } },
      { id: 'files', type: 'FILE', settings: { folder: join(cwd, 'files') } },
      { id: 'hook', type: 'WEBHOOK', settings: { webhookUrl: 'http://hook.test/' } },
    ],
    accessTokens: [
      { name: 'officer', token: hashOf('officer'), scopes: ['read', 'operate'] },
      { name: 'operator', token: hashOf('operator'), scopes: ['operate'] },
      { name: 'reader', token: hashOf('reader'), scopes: ['read'] },
      { name: 'all', token: hashOf('all') },
    ],
  })
  writeFileSync(join(cwd, 'workspace.json'), JSON.stringify(workspace))
  const args = ['serve', '--allow-address', 'localhost', '--workspace', 'workspace.json', '--port', '0']
  server = startCommand(args, { cwd })
  url = (await server.printed(/Serving on (\S+)/))[1] ?? ''
  const user = { userId: 'u1', email: '\u001b[2J u1@x.test' }
  await regulate({ regulationType: 'suppress_with_delete', users: [user] })
  await regulate({ regulationType: 'suppress', users: [{ userId: 'u1' }] })
  await regulate({ regulationType: 'suppress', users: Array.from({ length: others }, (_, i) => ({ userId: `o${i}` })) })
  await regulate({ regulationType: 'suppress_with_delete', destinationIds: ['hook'], users: [{ userId: 'z1' }] })
  await send({ type: 'identify', userId: 'p1', anonymousId: 'a1', traits: { email: 'Ann@X.test', phone: '+49 30 1' } })
  await send({ type: 'identify', userId: 'p2', anonymousId: 'a2', traits: { email: 'bob@x.test', phone: '49 (30) 1' } })
  await regulate({ regulationType: 'suppress', users: [{ userId: 'p1' }] })
  await regulate({ regulationType: 'suppress', users: [{ userId: 'p2' }] })
  const { data } = await asked<{ data: readonly { id: string }[] }>('/v2/regulations?userId=u1')
  ids = data.map(({ id }) => id)
  for (let isTried = false; !isTried; ) {
    const jobs = await asked<{ data: readonly { attempts: number }[] }>(`/v2/regulations/${ids[0]}/deletions`)
    isTried = jobs.data.every(({ attempts }) => attempts === 1)
  }
})
afterAll(async () => {
  server.child.kill('SIGKILL')
  await server.ended
  rmSync(cwd, { recursive: true })
})

const headers = { authorization: 'Bearer all' }
async function regulate(body: object): Promise<void> {
  const answer = await fetch(`${url}/v2/regulations`, { method: 'POST', headers, body: JSON.stringify(body) })
  expect(answer.status).toBe(201)
}
async function send(event: object): Promise<void> {
  const answer = await fetch(`${url}/v1/batch`, {
    method: 'POST',
    headers: { authorization: basic('web-key', ''), 'content-type': 'application/json' },
    body: JSON.stringify({ batch: [event] }),
  })
  expect(answer.status).toBe(200)
}
async function asked<Answer>(path: string): Promise<Answer> {
  return (await (await fetch(url + path, { headers })).json()) as Answer
}

const regulations = (args: readonly string[], token = 'officer', at = url) =>
  runHosted(['regulations', ...args], { cwd, env: { SLUICE_URL: at, SLUICE_TOKEN: token } })

describe('sluice regulations list', () => {
  it('shows regulations as a table, and says when there are more', async () => {
    const env = { SLUICE_URL: url, SLUICE_TOKEN: 'officer' }
    const { status, stdout, stderr } = await runCommand(['regulations', 'list', '--limit', '3'], { cwd, env })
    expect(status).toBe(0)
    const lines = stdout.trimEnd().split('\n')
    expect(lines.map((line) => line.split(/ {2,}/))).toEqual([
      ['id', 'type', 'state', 'user'],
      [ids[0], 'suppress_with_delete', 'active', 'u1'],
      [ids[1], 'suppress', 'active', 'u1'],
      [expect.any(String), 'suppress', 'active', 'o0'],
    ])
    expect(stderr).toBe('only the first 3 are listed; raise --limit for more\n')
  })

  it('follows all pages', async () => {
    const { status, stdout } = await regulations(['list', '--json', '--limit', '1050'])
    const listed = JSON.parse(stdout) as readonly { id: string }[]
    expect([status, new Set(listed.map(({ id }) => id)).size]).toEqual([0, 1_050])
  })

  it('shows those of one user', async () => {
    const { stdout, stderr } = await regulations(['list', '--json', '--user', 'u1'])
    expect((JSON.parse(stdout) as readonly { id: string }[]).map(({ id }) => id)).toEqual(ids)
    expect(stderr).toBe('')
  })
})

describe('a user of whom only something in events is known', () => {
  const byEvents = [
    ['--email', 'ANN@x.test', 'p1'],
    ['--anonymous-id', 'a2', 'p2'],
  ] as const
  for (const [flag, value, userId] of byEvents)
    it(`is found by ${flag}, for a list and for a report`, async () => {
      const listed = await regulations(['list', '--json', flag, value])
      expect(listed).toMatchObject({ status: 0, stderr: '' })
      expect(JSON.parse(listed.stdout)).toMatchObject([{ attributes: { userId } }])
      const reported = await regulations(['report', flag, value])
      expect(reported).toMatchObject({ status: 0, stdout: expect.stringContaining(`\nuserId ${userId}\n`), stderr: '' })
    })

  it('is found by --phone together with --email, because all that is given must match', async () => {
    const { stdout } = await regulations(['list', '--json', '--phone', '+49301', '--email', 'bob@x.test'])
    expect(JSON.parse(stdout)).toMatchObject([{ attributes: { userId: 'p2' } }])
  })

  it('is to be chosen when several users are found', async () => {
    const { status, stdout, stderr } = await regulations(['list', '--phone', '49301'])
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toContain('2 users were found; choose one with --user')
    const users = stderr.split('\n').flatMap((line) => /^(p\d) +userId +1 +\d{4}-/.exec(line)?.[1] ?? [])
    expect(users.sort()).toEqual(['p1', 'p2'])
  })

  const wrong: readonly (readonly [string, readonly string[], RegExp, string?])[] = [
    [
      'none is found',
      ['list', '--email', 'none@x.test'],
      /no user was found\nThe event log, events that wait for a destination, and dead letters were searched/,
    ],
    ['a user is given as well', ['list', '--email', 'a@x.test', '--user', 'p1'], /give either --user, or what/],
    ['the token lacks the scope read', ['list', '--email', 'ann@x.test'], /answered 403: .*read/, 'operator'],
  ]
  for (const [name, args, text, token] of wrong)
    it(`is reported when ${name}`, async () => {
      const { status, stdout, stderr } = await regulations(args, token)
      expect([status, stdout, stderr]).toEqual([1, '', expect.stringMatching(text)])
    })
})

describe('sluice regulations report', () => {
  it('shows for one regulation its state at each destination, as text that no content can break', async () => {
    const { status, stdout, stderr } = await regulations(['report', ids[0] ?? ''], 'operator')
    expect([status, stderr]).toEqual([0, ''])
    const at = String.raw`\d{4}-\d\d-\d\dT[\d:.]+Z`
    const wanted = [
      `deletion report of ${at}, by ${url}`,
      '',
      `regulation ${ids[0]} of ${at}: suppress_with_delete`,
      'userId u1',
      String.raw`email \[2J u1@x\.test`,
      'destination +status +attempts +since +reason',
      `Sluice +complete +1 +${at} *`,
      String.raw`Cache \(away\) +failed +1 +${at} +next attempt at ${at}: 127\.0\.0\.1:9 could not be reached.+`,
      `files +complete +1 +${at} +erased by userId only; the product cannot use: email`,
      `hook +aborted +1 +${at} +destination not supported: Webhook cannot delete users`,
      '',
      'not complete yet',
      '',
    ]
    expect(stdout).toMatch(new RegExp(`^${wanted.join('\n')}$`))
    expect(stdout).not.toContain('pw-redis')
  })

  it('shows all regulations of a user, as JSON too', async () => {
    const { status, stdout } = await regulations(['report', '--user', 'u1', '--json'])
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      madeAt: expect.stringMatching(/^\d{4}-/),
      server: url,
      isOver: false,
      regulations: [
        await asked(`/v2/regulations/${ids[0]}/deletions`),
        await asked(`/v2/regulations/${ids[1]}/deletions`),
      ],
    })
  })

  it('is written to a new file that only its owner may read, and never overwrites one', async () => {
    const args = ['report', '--user', 'o7', '--out', 'o7.txt']
    expect(await regulations(args)).toEqual({
      status: 0,
      stdout: 'wrote o7.txt (complete: nothing more will be done)\n',
      stderr: '',
    })
    const filed = readFileSync(join(cwd, 'o7.txt'), 'utf8')
    expect(filed).toMatch(
      /\nuserId o7\nno deletions: this regulation only suppresses\n\ncomplete: nothing more will be done\n$/,
    )
    expect(statSync(join(cwd, 'o7.txt')).mode & 0o777).toBe(0o600)
    const again = await regulations(args)
    expect(again).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/o7\.txt cannot be created \(EEXIST\)/),
    })
    expect(readFileSync(join(cwd, 'o7.txt'), 'utf8')).toBe(filed)
  })

  const wrong: readonly (readonly [string, readonly string[], RegExp, string?])[] = [
    ['neither an id nor a user', ['report'], /give either the id of a regulation or a user: --user/],
    ['both', ['report', 'a', '--user', 'u1'], /give either the id of a regulation or a user: --user/],
    ['an unknown id', ['report', 'a/b?c'], /answered 404: there is no such regulation/],
    ['an unknown user', ['report', '--user', 'unknown'], /there is no regulation of this user/],
    ['a wrong token', ['list'], /answered 401: /, 'wrong'],
    ['a token without the scope operate', ['report', '--user', 'u1'], /answered 403: .*operate/, 'reader'],
  ]
  for (const [name, args, text, token] of wrong)
    it(`says what to do about ${name}`, async () => {
      const { status, stdout, stderr } = await regulations(args, token)
      expect([status, stdout, stderr]).toEqual([1, '', expect.stringMatching(text)])
    })

  it('says what to do about a server that is away', async () => {
    const { status, stdout, stderr } = await regulations(['report', 'id'], 'officer', 'http://127.0.0.1:9')
    expect([status, stdout, stderr]).toEqual([1, '', expect.stringMatching(/does not answer \(.+\); is the server/)])
  })

  it('lists its subcommands with --help', async () => {
    const { status, stdout } = await runCommand(['regulations', '--help'], { cwd })
    expect(status).toBe(0)
    for (const text of ['list', 'report', '--user user-42', '--out user-42.txt']) expect(stdout).toContain(text)
  })
})

describe('sluice regulations certificate and verify', () => {
  const overId = async (): Promise<string> => {
    const { data } = await asked<{ data: readonly { id: string }[] }>('/v2/regulations?userId=z1')
    const id = data[0]?.id ?? ''
    for (let isOver = false; !isOver; )
      ({ isOver } = await asked<{ isOver: boolean }>(`/v2/regulations/${id}/deletions`))
    return id
  }

  it('write a signed certificate to a new file of its owner, and check it until a byte of it is changed', async () => {
    const id = await overId()
    const made = await regulations(['certificate', id, '--out', 'z1.json'], 'operator')
    expect(made).toEqual({
      status: 0,
      stdout: 'wrote z1.json (incomplete: 6 of 9 places are complete)\n',
      stderr: '',
    })
    expect(statSync(join(cwd, 'z1.json')).mode & 0o777).toBe(0o600)
    expect(await regulations(['certificate', id, '--out', 'z1.json'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('z1.json cannot be created (EEXIST)'),
    })
    const filed = readFileSync(join(cwd, 'z1.json'), 'utf8')
    expect(filed).not.toContain('"z1"')

    const checked = await regulations(['verify', 'z1.json'], 'operator')
    expect([checked.status, checked.stderr]).toEqual([0, ''])
    for (const line of [
      /^z1\.json: incomplete$/m,
      /^signature +right$/m,
      /^key +that of the ledger$/m,
      /^ledger +whole up to the line of the regulation$/m,
      /^event log +nothing found$/m,
      /^Cache \(away\) +not searched: the regulation does not name this destination$/m,
      /^hook +not searched: Sluice cannot search destinations of this type$/m,
      /^the certificate holds, and nothing of the person was found$/m,
    ])
      expect(checked.stdout).toMatch(line)

    writeFileSync(join(cwd, 'changed.json'), filed.replace('"incomplete"', '"completed"'))
    const changed = await regulations(['verify', 'changed.json', '--json'], 'operator')
    expect([changed.status, JSON.parse(changed.stdout)]).toMatchObject([1, { holds: false, isSigned: false }])
  })

  it('check each certificate in one of several, and refuse several that were not signed together', async () => {
    const made = await regulations(['certificate', await overId()], 'operator')
    const one = JSON.parse(made.stdout)
    writeFileSync(join(cwd, 'both.json'), JSON.stringify({ ...one, certificates: [one, one] }))
    const { status, stdout } = await regulations(['verify', 'both.json'], 'operator')
    expect(status).toBe(1)
    for (const line of [
      /^both\.json, 1 of 2: /m,
      /^both\.json, 2 of 2: /m,
      /^the signature of all together is wrong: /m,
    ])
      expect(stdout).toMatch(line)
    expect(stdout.match(/^the certificate holds, and nothing of the person was found$/gm)).toHaveLength(2)
    const asJson = await regulations(['verify', 'both.json', '--json'], 'operator')
    expect(JSON.parse(asJson.stdout)).toMatchObject({
      holds: false,
      isSigned: false,
      certificates: [{ holds: true }, { holds: true }],
    })
  })

  it('write ids into it when they are given', async () => {
    const { status, stdout } = await regulations(['certificate', await overId(), '--id', 'userId=z1'])
    expect([status, JSON.parse(stdout).subject_identities.at(-1)]).toMatchObject([0, { identity_value: 'z1' }])
  })

  it.each([
    ['deletions that are not over', () => ['certificate', ids[0] ?? ''], /answered 409: 1 of 4 deletions are not over/],
    ['a file that is not there', () => ['verify', 'none.json'], /none\.json cannot be read \(ENOENT\)/],
    ['a file that is no certificate', () => ['verify', 'workspace.json'], /it has no subject_request_id/],
  ])('say what to do about %s', async (_, args, text) => {
    const { status, stderr } = await regulations(args())
    expect([status, stderr]).toEqual([1, expect.stringMatching(text)])
  })
})

describe('sluice regulations create', () => {
  const create = (...args: readonly string[]) =>
    runHosted(['regulations', 'create', '--url', url, ...args], { cwd, env: { SLUICE_TOKEN: 'all' } })
  const ofUser = async (userId: string): Promise<readonly string[]> =>
    (await asked<{ data: readonly { regulationType: string }[] }>(`/v2/regulations?userId=${userId}`)).data.map(
      ({ regulationType }) => regulationType,
    )

  it('suppresses users, and deletes them with --delete', async () => {
    expect(await create('--user', 'c1', '--user', 'c2')).toMatchObject({ status: 0, stdout: 'in force\n' })
    expect(await create('--user', 'c3', '--email', 'c3@x.test', '--delete', '--json')).toMatchObject({
      status: 0,
      stdout: '{"regulationType":"suppress_with_delete","users":1}\n',
    })
    expect([await ofUser('c1'), await ofUser('c2'), await ofUser('c3')]).toEqual([
      ['suppress'],
      ['suppress'],
      ['suppress_with_delete'],
    ])
  })

  it('finds the user by an e-mail address, and refuses when there is none', async () => {
    const event = { type: 'identify', userId: 'c4', traits: { email: 'Ada@mail.test' } }
    const accepted = await fetch(`${url}/v1/identify`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from('web-key:').toString('base64')}` },
      body: JSON.stringify(event),
    })
    expect(accepted.status).toBe(200)
    expect(await create('--email', 'ada@mail.test')).toMatchObject({ status: 0, stdout: 'in force\n' })
    expect(await ofUser('c4')).toEqual(['suppress'])
    const unknown = await create('--email', 'unknown@mail.test')
    expect([unknown.status, unknown.stderr]).toEqual([
      1,
      expect.stringContaining('no event in the log has these identifiers'),
    ])
  })

  it('asks for a user, and for one user with an e-mail address', async () => {
    expect((await create()).stderr).toContain('give the user: --user, --email, --phone or --anonymous-id')
    expect((await create('--user', 'a', '--user', 'b', '--email', 'x')).stderr).toContain('give one --user with it')
  })
})

describe('sluice regulations try', () => {
  it('tries a deletion that failed and waits, and refuses one that does not', async () => {
    expect(await regulations(['try', ids[0] ?? '', 'away'], 'operator')).toMatchObject({
      status: 0,
      stdout: `the deletion at away is tried now; sluice regulations report ${ids[0]} shows what came of it\n`,
    })
    expect(await regulations(['try', ids[0] ?? '', 'hook'], 'operator')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('no failed deletion at hook waits'),
    })
  })
})
