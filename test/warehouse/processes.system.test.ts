import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@sluice/core'
import type { DestinationDefinition, Loader } from '@sluice/destinations'
import { createRowMaker, queryDuckDB, warehouseDestinations } from '@sluice/warehouse'
import { afterEach, describe, expect, it } from 'vitest'
import { noDuckDB } from '../support/databases/duckdb.ts'
import { eventually } from '../support/eventually.ts'
import { startKillable } from '../support/processes/killable.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const live = new AbortController().signal
const definitions = warehouseDestinations({ allowAddresses: ['localhost'] })
const rowsOf = createRowMaker({ provider: 'duckdb', now: () => 0, uuid: () => 'none' })

function definitionOf(type: string): DestinationDefinition {
  const found = definitions.find((each) => each.type === type)
  if (found === undefined) throw new Error(`no type ${type}`)
  return found
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'sluice-processes-'))
  closing.push(() => rmSync(path, { recursive: true, force: true }))
  return path
}

const pace = { syncSeconds: 1, syncEvents: 1_000, newTablesPerHour: 1_000, loadMode: 'merge' }

function loaderOf(type: string, settings: object, workspaceId = 'w'): Loader {
  const { load } = definitionOf(type)
  if (load === undefined) throw new Error(`${type} loads nothing`)
  return load.open({ ...pace, ...settings }, { workspaceId, destinationId: 'd', now: () => systemClock.now() })
}

function add(loader: Loader, count: number, event: (at: number) => string): void {
  for (let at = 0; at < count; at += 1) {
    const made = rowsOf({ type: 'track', event: event(at), messageId: `m${at}`, userId: 'u' }, { sourceId: 'web' })
    if (made.ok) loader.add({}, [{ body: { JSON: { rows: made.rows } } }] as unknown as Parameters<Loader['add']>[1])
  }
}

/** Ids of the processes of warehouses that this process has started. */
function processes(): readonly number[] {
  const listed = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' })
  return listed
    .split('\n')
    .filter((line) => line.includes('work-main'))
    .map((line) => Number.parseInt(line, 10))
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Folders of such processes. */
const foldersOfWork = (): readonly string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('sluice-work-'))

/** A server that accepts connections and says nothing. */
async function silentServer() {
  const sockets = new Set<Socket>()
  let most = 0
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)))
    most = Math.max(most, sockets.size)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    connections: () => sockets.size,
    most: () => most,
  }
}

const server = (port: number) => ({ host: '127.0.0.1', port, user: 'u', database: 'd', sslMode: 'disable' })

describe.skipIf(noDuckDB)('loads in processes of their own', () => {
  it('succeed, and their process is used again', async () => {
    const path = join(folder(), 'w.duckdb')
    const loader = loaderOf('DUCKDB', { path })
    add(loader, 3, () => 'Seen')
    const report = await loader.load('l1', live)
    expect(report.tables.map(({ table, rows, isNew }) => [table, rows, isNew])).toEqual([
      ['tracks', 3, true],
      ['seen', 3, true],
    ])
    const before = processes()
    expect(await loader.settle('l1', live)).toBe(true)
    expect(await loader.settle('l2', live)).toBe(false)
    await expect(loader.load('l1', live)).rejects.toThrow('settled before')
    expect(processes()).toEqual(before)
    expect(await queryDuckDB(path, 'select count(*) as n from sluice.seen')).toEqual([{ n: '3' }])
  })

  it('plan what they would do, without a file', async () => {
    const path = join(folder(), 'w.duckdb')
    const made = rowsOf({ type: 'track', event: 'A', messageId: 'm', userId: 'u' }, { sourceId: 'web' })
    const requests = made.ok
      ? ([{ body: { JSON: { rows: made.rows } } }] as unknown as Parameters<Loader['add']>[1])
      : []
    const planned = await loaderOf('DUCKDB', { path }).plan([requests, requests], live)
    expect(planned.map(({ table, rows, isNew }) => [table, rows, isNew])).toEqual([
      ['tracks', 2, true],
      ['a', 2, true],
    ])
    expect(existsSync(path)).toBe(false)
  })

  it('fail when their process is killed, leave no files of rows behind, and succeed when they are repeated', async () => {
    const { port, connections } = await silentServer()
    const waiting = loaderOf('POSTGRES', server(port)).settle('l1', live)
    await eventually(connections).toBeGreaterThan(0)
    const others = foldersOfWork().length
    for (const pid of processes()) process.kill(pid, 'SIGKILL')
    await expect(waiting).rejects.toThrow('The process of the warehouse ended (SIGKILL)')
    await eventually(() => foldersOfWork().length).toBeLessThan(others)
    const loader = loaderOf('DUCKDB', { path: join(folder(), 'w.duckdb') })
    add(loader, 1, () => 'Seen')
    expect((await loader.load('l2', live)).tables).toHaveLength(2)
  })

  it('end with the process that began them, also when that is killed before they run, and take their files along', async () => {
    const before = new Set(foldersOfWork())
    const parent = await startKillable(
      `
const { systemClock } = await import('@sluice/core')
const { warehouseDestinations } = await import('@sluice/warehouse')
const [, port] = process.argv
const type = warehouseDestinations({ allowAddresses: ['localhost'] }).find((each) => each.type === 'POSTGRES')
const server = { host: '127.0.0.1', port: Number(port), user: 'u', database: 'd', sslMode: 'disable' }
const pace = { syncSeconds: 1, syncEvents: 1000, newTablesPerHour: 1000, loadMode: 'merge' }
const place = { workspaceId: 'w', destinationId: 'd', now: () => systemClock.now() }
void type.load.open({ ...pace, ...server }, place).settle('l1', new AbortController().signal).catch(() => {})
const { execFileSync } = await import('node:child_process')
report('pids', execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' })
  .split('\\n').filter((line) => line.includes('work-main')).map((line) => Number.parseInt(line, 10)))
await asked
`,
      [String((await silentServer()).port)],
    )
    const pids = (await parent.reported('pids')) as readonly number[]
    const folders = foldersOfWork().filter((name) => !before.has(name))
    parent.kill()
    await parent.ended
    expect(pids).toHaveLength(1)
    await eventually(() => pids.filter(isRunning)).toEqual([])
    expect(foldersOfWork().filter((name) => folders.includes(name))).toEqual([])
  })

  it('end with the reason of the signal, also at a server that never answers', async () => {
    const { port, connections } = await silentServer()
    const stop = new AbortController()
    const waiting = loaderOf('MYSQL', server(port)).settle('l1', stop.signal)
    await eventually(connections).toBeGreaterThan(0)
    stop.abort(new Error('stopping'))
    await expect(waiting).rejects.toThrow('stopping')
  })

  it('of one workspace never take the turns of another, though its servers never answer', async () => {
    const { port, connections, most } = await silentServer()
    const stop = new AbortController()
    const hanging = Array.from({ length: 20 }, (_, at) =>
      loaderOf('POSTGRES', server(port), 'A').settle(`l${at}`, stop.signal),
    )
    const ended = Promise.allSettled(hanging)
    await eventually(connections).toBe(2)
    const loader = loaderOf('DUCKDB', { path: join(folder(), 'w.duckdb') }, 'B')
    add(loader, 1, () => 'Seen')
    expect((await loader.load('l', live)).tables).toHaveLength(2)
    expect(most()).toBe(2)
    stop.abort(new Error('stopping'))
    expect((await ended).map(({ status }) => status)).toEqual(hanging.map(() => 'rejected'))
  })

  it('give events with many names tables of their own up to the limit of their source, in every load', async () => {
    const path = join(folder(), 'w.duckdb')
    const loader = loaderOf('DUCKDB', { path, newTablesPerHour: 300 })
    const eachName = async (load: string) => {
      add(loader, 700, (at) => `name ${at} x`)
      const report = await loader.load(load, live)
      loader.discard()
      return report
    }
    const { tables, others, leftOut, newTables } = await eachName('l1')
    expect([tables.length, others?.tables, leftOut, newTables]).toEqual([
      100,
      201,
      { tables: 400, rows: 400 },
      { web: 300 },
    ])
    expect((await eachName('l2')).leftOut).toEqual({ tables: 400, rows: 400 })
    expect(await queryDuckDB(path, 'select count(*) as n from sluice.tracks')).toEqual([{ n: '700' }])
    expect(await queryDuckDB(path, 'select count(*) as n from sluice.name_299_x')).toEqual([{ n: '1' }])
    expect(await queryDuckDB(path, "select count(*) as n from duckdb_tables() where table_name like 'name%'")).toEqual([
      { n: '300' },
    ])
  })
})
