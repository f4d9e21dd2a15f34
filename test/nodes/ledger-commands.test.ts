import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ask, dropSchema, freshDatabase, freshSchema, noPostgres, postgresUrl } from '../support/databases/postgres.ts'
import { eventually } from '../support/eventually.ts'
import { hashOf } from '../support/http/api-client.ts'
import { runCommand, startCommand } from '../support/processes/command.ts'
import { shop } from '../support/scenes/shop.ts'

const headers = { authorization: 'Bearer all' }
const key = 'a-key-of-the-operator-that-cannot-be-guessed'
const nextKey = 'another-key-of-the-operator-that-cannot-be-guessed'
const person = { userId: 'kim', email: 'kim@x.test' }

let cwd: string
let schema: string
let store: string
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'sluice-ledger-commands-'))
  schema = freshSchema()
  store = `${postgresUrl}?schema=${schema}`
  const workspace = shop('http://hook.test/', { accessTokens: [{ name: 'all', token: hashOf('all') }] })
  writeFileSync(join(cwd, 'workspace.json'), JSON.stringify(workspace))
})
afterEach(async () => {
  await dropSchema(schema)
  rmSync(cwd, { recursive: true })
})

type Answer = { readonly status: number; readonly body: Readonly<Record<string, unknown>> }

async function whileServing(
  flags: readonly string[],
  env: NodeJS.ProcessEnv,
  work: (call: (path: string, method?: string, body?: object) => Promise<Answer>) => Promise<void>,
): Promise<string> {
  const args = ['serve', '--workspace', 'workspace.json', '--port', '0', ...flags]
  const server = startCommand(args, { cwd, env: { ...process.env, ...env } })
  try {
    const url = (await server.printed(/Serving on (\S+)/))[1] ?? ''
    await work(async (path, method = 'GET', body) => {
      const answer = await fetch(url + path, { method, headers, body: body ? JSON.stringify(body) : undefined })
      const text = await answer.text()
      return { status: answer.status, body: text.startsWith('{') ? JSON.parse(text) : {} }
    })
  } finally {
    server.child.kill('SIGTERM')
  }
  return (await server.ended).stderr
}

const erase = { regulationType: 'suppress_with_delete', users: [person] }
type Call = Parameters<Parameters<typeof whileServing>[2]>[0]
const firstId = async (call: Call): Promise<string> => {
  const { body } = await call('/v2/regulations')
  const [first] = body['data'] as readonly { readonly id: string }[]
  return first?.id ?? ''
}
const statesOf = async (call: Call): Promise<readonly string[]> => {
  const { body } = await call(`/v2/regulations/${await firstId(call)}/deletions`)
  return (body['data'] as readonly { readonly status: string }[]).map(({ status }) => status)
}

describe.skipIf(noPostgres)('a server on PostgreSQL', () => {
  it('starts without a ledger, and says everywhere that a restore would forget', async () => {
    const log = await whileServing(['--store', store], {}, async (call) => {
      expect(await call('/health')).toEqual({ status: 200, body: { status: 'ok', warnings: ['noLedger'] } })
      expect((await call('/v2/server')).body).not.toHaveProperty('ledger')
      expect((await call('/v2/regulations', 'POST', erase)).status).toBe(201)
      await eventually(() => statesOf(call)).toEqual(['complete', 'aborted'])
      const certificate = await call(`/v2/regulations/${await firstId(call)}/certificate`)
      expect(certificate).toMatchObject({ status: 409, body: { code: 'ledgerMissing' } })
      expect(certificate.body['message']).toContain('--ledger')
    })
    expect(log).toContain('no ledger of regulations: a store that is restored from a backup forgets later ones')
  })

  it('refuses a ledger in the database of the store, whatever its address is', async () => {
    const role = `same_${schema}`
    await ask(`create role ${role} login`)
    try {
      for (const ledger of [
        postgresUrl,
        postgresUrl.replace('127.0.0.1', 'localhost'),
        `${postgresUrl.replace('postgres@', `${role}@`)}?application_name=x`,
      ]) {
        const { status, stderr } = await runCommand(
          ['serve', '--workspace', 'workspace.json', '--port', '0', '--store', store, '--ledger', ledger],
          { cwd },
        )
        expect([status, stderr]).toEqual([1, expect.stringMatching(/is the database of the store .+ name another one/)])
      }
    } finally {
      await ask(`drop role ${role}`)
    }
  })

  it('takes a ledger in another database, and a drill with a dump proves what a restore would do', async () => {
    const [ledger, scratch] = await Promise.all([freshDatabase(), freshDatabase()])
    try {
      const flags = ['--store', store, '--ledger', ledger.url]
      const env = { SLUICE_LEDGER_KEY: key }
      const dump = join(cwd, 'dump')
      await whileServing(flags, env, async (call) => {
        await call('/v2/regulations', 'POST', { regulationType: 'suppress', users: [{ userId: 'early' }] })
      })
      execFileSync('pg_dump', ['--format=custom', `--schema=${schema}`, `--file=${dump}`, postgresUrl])
      await whileServing(flags, env, async (call) => {
        expect((await call('/health')).body).toEqual({ status: 'ok' })
        expect((await call('/v2/regulations', 'POST', erase)).status).toBe(201)
        await call('/v2/regulations', 'POST', { regulationType: 'suppress', users: [{ userId: 'late' }] })
      })
      execFileSync('pg_restore', ['--no-owner', `--dbname=${scratch.url}`, dump])
      const drilled = ['restore', '--drill', '--store', `${scratch.url}?schema=${schema}`, '--ledger', ledger.url]
      const proved = await runCommand([...drilled, '--json'], { cwd, env })
      expect([proved.stderr, proved.status]).toEqual(['', 0])
      const report = { inBackup: 1, active: 3, putBack: 2, notInForce: [], tried: 2, deletions: 1, withoutIds: [] }
      expect(JSON.parse(proved.stdout)).toMatchObject(report)
      // What a drill with the wrong ledger proves is nothing.
      const [, name = ''] = scratch.url.split(/\/(?=[^/]*$)/)
      const wrong = await runCommand([...drilled.slice(0, -1), 'elsewhere'], { cwd, env })
      expect([wrong.status, wrong.stderr]).toEqual([1, expect.stringMatching(/there is no ledger in/)])
      expect(name).not.toBe('')
    } finally {
      await Promise.all([ledger.drop(), scratch.drop()])
    }
  })
})

describe('sluice ledger rekey', () => {
  it('has a restored store delete again with the next key, and says what it did', async () => {
    await whileServing([], { SLUICE_LEDGER_KEY: key }, async (call) => {
      expect((await call('/v2/regulations', 'POST', erase)).status).toBe(201)
      await eventually(() => statesOf(call)).toEqual(['complete', 'aborted'])
    })
    const rekey = ['ledger', 'rekey', '--data', '.sluice']
    const refused = await runCommand(rekey, { cwd, env: { ...process.env, SLUICE_LEDGER_KEY: key } })
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('SLUICE_LEDGER_NEW_KEY')])
    const wrong = { ...process.env, SLUICE_LEDGER_KEY: `${key}x`, SLUICE_LEDGER_NEW_KEY: nextKey }
    expect(await runCommand(rekey, { cwd, env: wrong })).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('cannot be decrypted'),
    })
    const env = { ...process.env, SLUICE_LEDGER_KEY: key, SLUICE_LEDGER_NEW_KEY: nextKey }
    for (const notes of [1, 0])
      expect(await runCommand(rekey, { cwd, env })).toMatchObject({
        status: 0,
        stdout: expect.stringContaining(`: ${notes} notes encrypted under the new key`),
      })

    rmSync(join(cwd, '.sluice', 'sluice.db'))
    for (const ending of ['-wal', '-shm', '.mark']) rmSync(join(cwd, '.sluice', `sluice.db${ending}`), { force: true })
    const old = await runCommand(['serve', '--workspace', 'workspace.json', '--port', '0'], {
      cwd,
      env: { ...process.env, SLUICE_LEDGER_KEY: key },
    })
    expect([old.status, old.stderr]).toEqual([1, expect.stringMatching(/cannot be decrypted.+or start without it/)])
    await whileServing([], {}, async (call) => {
      expect(await statesOf(call)).toEqual(['waiting', 'waiting'])
      expect((await call('/health')).body).toEqual({ status: 'ok', warnings: ['ledgerKeyNeeded'] })
      const { body } = await call('/v2/regulations/overview')
      expect(body['data']).toMatchObject([{ deletions: { total: 2, open: 2, waiting: 2, aborted: 0 } }])
    })
    await whileServing([], { SLUICE_LEDGER_KEY: nextKey }, async (call) => {
      await eventually(() => statesOf(call)).toEqual(['complete', 'aborted'])
    })
  })
})
