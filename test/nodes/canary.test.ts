import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { startS3Server } from '../support/brokers/s3-server.ts'
import { noDuckDB } from '../support/databases/duckdb.ts'
import { askMysql, noMysql } from '../support/databases/mysql.ts'
import { dropSchema, freshSchema, noPostgres, postgresUrl } from '../support/databases/postgres.ts'
import { eventually, until } from '../support/eventually.ts'
import { basic } from '../support/http/api-client.ts'
import { type CommandResult, type RunningCommand, runCommand, startCommand } from '../support/processes/command.ts'
import { startReceiver } from '../support/receiver.ts'
import {
  canary,
  canaryEvents,
  canaryWorkspace,
  personIds,
  rowsInMysql,
  rowsInPostgres,
  staying,
} from '../support/scenes/canary.ts'
import { filesWith } from '../support/texts/files-with.ts'

const reason = noPostgres ?? noMysql ?? noDuckDB
const env = {
  SLUICE_LEDGER_KEY: 'a-key-of-the-operator-that-cannot-be-guessed',
  SERVICE_ADMIN_USER: 'admin',
  SERVICE_ADMIN_PASSWORD: 'password',
}
const bearer = { authorization: 'Bearer all', 'content-type': 'application/json' }

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** A store of one kind: how processes are started with it, and how it is backed up, restored and searched. */
interface StoreKind {
  readonly processes: number
  readonly flags: readonly string[]
  /** @param url of a process. */
  backUp(url: string): Promise<unknown>
  restore(): Promise<unknown>
  /** What of the store holds a text, but for the records of regulations, which keep the ids that they were given. */
  holding(text: string): Promise<readonly string[]>
}

function sqlite(cwd: string): StoreKind {
  return {
    processes: 1,
    flags: ['--data', 'data'],
    backUp: (url) => succeeded(runCommand(['backup', 'backup.db', '--url', url], { cwd, env })),
    restore: async () => {
      for (const end of ['', '-wal', '-shm']) rmSync(join(cwd, `data/sluice.db${end}`), { force: true })
      cpSync(join(cwd, 'backup.db'), join(cwd, 'data/sluice.db'))
    },
    holding: async (text) => filesWith(join(cwd, 'data'), text),
  }
}

function postgres(cwd: string): StoreKind {
  const schema = freshSchema()
  closing.push(() => dropSchema(schema))
  return {
    processes: 3,
    flags: ['--store', `${postgresUrl}?schema=${schema}`, '--ledger', 'ledger', '--lease-seconds', '10'],
    backUp: async () => execFileSync('pg_dump', [postgresUrl, '-n', schema, '-f', 'backup.sql'], { cwd }),
    restore: async () => {
      await dropSchema(schema)
      execFileSync('psql', [postgresUrl, '-q', '-v', 'ON_ERROR_STOP=1', '-f', 'backup.sql'], { cwd, stdio: 'ignore' })
    },
    holding: (text) => rowsInPostgres(schema, text),
  }
}

async function succeeded(running: Promise<CommandResult>): Promise<void> {
  const { status, stderr } = await running
  if (status !== 0) throw new Error(stderr)
}

describe.skipIf(reason)('a person who is erased', () => {
  it.each([
    ['SQLite', sqlite],
    ['PostgreSQL, three processes', postgres],
  ] as const)('is found in no byte that Sluice keeps, before and after a restore (%s)', async (_, kindOf) => {
    const cwd = mkdtempSync(join(tmpdir(), 'sluice-canary-'))
    closing.push(() => rmSync(cwd, { recursive: true }))
    const receiver = await startReceiver(({ path }) => ({ '/refuses': 400, '/waits': 503 })[path] ?? 200)
    closing.push(() => receiver.close())
    const namespace = freshSchema()
    closing.push(() => dropSchema(namespace))
    closing.push(() => askMysql(`drop database if exists \`${namespace}\``))
    const lake = await startS3Server(['lake'])
    closing.push(() => lake.close())
    const workspace = canaryWorkspace({ receiver: receiver.url, namespace, s3: lake.origin })
    writeFileSync(join(cwd, 'workspace.json'), JSON.stringify(workspace))
    const kind = kindOf(cwd)

    const urls: string[] = []
    const running: RunningCommand[] = []
    const start = async (): Promise<void> => {
      const flags = ['--workspace', 'workspace.json', '--port', '0', '--allow-address', '127.0.0.1', ...kind.flags]
      for (let n = 0; n < kind.processes; n += 1) {
        const command = startCommand(['serve', ...flags], { cwd, env })
        closing.push(() => command.child.kill('SIGKILL'))
        running.push(command)
        urls.push((await command.printed(/Serving on (\S+)/))[1] ?? '')
      }
    }
    const logs: string[] = []
    const stop = async (): Promise<void> => {
      urls.length = 0
      for (const command of running.splice(0)) {
        command.child.kill('SIGTERM')
        const { stdout, stderr } = await command.ended
        logs.push(stdout, stderr)
      }
    }
    let calls = 0
    const call = async (path: string, method = 'GET', body?: object, headers: object = bearer) => {
      calls += 1
      const url = `${urls[calls % urls.length]}${path}`
      const answer = await fetch(url, {
        method,
        headers: { ...headers },
        body: body ? JSON.stringify(body) : undefined,
      })
      return { status: answer.status, text: await answer.text() }
    }
    const send = async (round: string): Promise<void> => {
      for (const event of canaryEvents(round)) {
        const offer = () => call('/v1/batch', 'POST', { batch: [event] }, { authorization: basic('web-key', '') })
        // Sent again, as clients do, while a process that a busy machine has starved refuses it.
        await until(async () => {
          const { status } = await offer()
          if (status !== 503) expect(status).toBe(200)
          return status === 200
        })
      }
    }
    const warehousesHolding = async (text: string) => [
      ...(await rowsInPostgres(namespace, text)),
      ...(await rowsInMysql(namespace, text)),
      ...filesWith(lake.folder, text),
    ]
    const answers = async (text: string): Promise<readonly string[]> => {
      const paths = [
        '/schemas/event-models',
        '/v2/dead-letters',
        '/v1/stats',
        ...personIds.map((id) => `/v2/users/${id}/report`),
      ]
      const texts = await Promise.all(paths.map(async (path) => `${path}: ${(await call(path)).text}`))
      return texts.filter((each) => each.includes(text))
    }
    const holding = async (text: string): Promise<readonly string[]> => [
      ...(await kind.holding(text)),
      ...(await warehousesHolding(text)),
      ...(urls.length > 0 ? await answers(text) : []),
      ...logs.filter((each) => each.includes(text)),
    ]
    const arrived = (text: string): number => receiver.received.filter(({ body }) => body.includes(text)).length

    await start()
    await send('first')
    const loaded = async () =>
      (await Promise.all([rowsInPostgres(namespace, canary), rowsInMysql(namespace, canary)])).map(
        (rows) => rows.length > 5,
      )
    await eventually(loaded).toEqual([true, true])
    await eventually(() =>
      ['/takes', '/refuses', '/waits'].map((path) =>
        receiver.received.some((each) => each.path === path && each.body.includes(canary)),
      ),
    ).toEqual([true, true, true])
    await eventually(async () => (await call('/v2/dead-letters')).text).toContain('refuses')
    expect((await kind.holding(canary)).length).toBeGreaterThan(0)
    await kind.backUp(urls[0] ?? '')

    const users = personIds.map((userId) => ({ userId }))
    const created = await call('/v2/regulations', 'POST', { regulationType: 'suppress_with_delete', users })
    expect(created.status).toBe(201)
    const ids = async (): Promise<readonly string[]> =>
      JSON.parse((await call('/v2/regulations')).text).data.map(({ id }: { readonly id: string }) => id)
    expect((await ids()).length).toBe(personIds.length)
    const areOver = async () =>
      Promise.all(
        (await ids()).map(async (id) => JSON.parse((await call(`/v2/regulations/${id}/deletions`)).text).isOver),
      )
    await eventually(areOver).toEqual(personIds.map(() => true))
    expect(await holding(canary)).toEqual([])
    expect((await holding(staying)).length).toBeGreaterThan(3)
    const certificates = await Promise.all(
      (await ids()).map(async (id) => JSON.parse((await call(`/v2/regulations/${id}/certificate`)).text)),
    )
    // What was sent to products without deletion is there: the certificates name them, and nothing else.
    for (const { request_status, places } of certificates) {
      expect(request_status).toBe('incomplete')
      const open = places.filter(({ status }: { readonly status: string }) => status !== 'complete')
      expect(open.map(({ name }: { readonly name: string }) => name)).toEqual(['refuses', 'takes', 'waits'])
    }
    const before = arrived(canary)
    await send('second')
    await eventually(() => arrived('second-10')).toBeGreaterThan(0)

    await stop()
    await kind.restore()
    expect((await kind.holding(canary)).length).toBeGreaterThan(0)
    await start()
    await send('third')
    await eventually(() => arrived('third-10')).toBeGreaterThan(0)
    await eventually(() => holding(canary)).toEqual([])
    await stop()
    expect(await holding(canary)).toEqual([])
    expect(arrived(canary)).toBe(before)
    expect((await holding(staying)).length).toBeGreaterThan(3)
  })
})
