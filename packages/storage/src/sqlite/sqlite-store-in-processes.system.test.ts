import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createManualClock, createSeededRandom } from '@sluice/core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { StoreInUseError } from '../store-errors.ts'
import { openSqliteStore, type SqliteStoreOptions } from './sqlite-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-processes-'))
afterAll(() => rmSync(folder, { recursive: true }))
const open = (options: Pick<SqliteStoreOptions, 'path' | 'onUncleanShutdown'>) =>
  openSqliteStore({ clock: createManualClock(), random: createSeededRandom(1), ...options })

describe('a SQLite store between processes', () => {
  const built = new URL('../../dist/index.js', import.meta.url)
  beforeAll(() => {
    if (!existsSync(built)) throw new Error('@sluice/storage is not built: run `tsc -b` before these tests')
  })

  const children: ChildProcess[] = []
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
  })
  /** Runs the body in its own process, where `store` is open and `say` prints a line. */
  const run = (path: string, body: string) => {
    const program = `
      import { openSqliteStore } from ${JSON.stringify(built.href)}
      const clock = { now: () => Date.now(), sleep: async () => {} }
      const random = { fill: (bytes) => crypto.getRandomValues(bytes) }
      // Waits for room in the pipe: the reader may be slower.
      const say = (line) => new Promise((resolve) => process.stdout.write(line + '\\n', resolve))
      const store = await openSqliteStore({ path: ${JSON.stringify(path)}, clock, random })
      ${body}`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    children.push(child)
    return { child, lines: createInterface({ input: child.stdout }) }
  }

  it('refuses a second process, with the name of the folder', async () => {
    const path = join(folder, 'shared', 'sluice.db')
    const { child, lines } = run(path, `say('open'); setInterval(() => {}, 1_000)`)
    await once(lines, 'line')
    const second = open({ path })
    await expect(second).rejects.toThrow(StoreInUseError)
    await expect(second).rejects.toThrow(join(folder, 'shared'))
    child.kill('SIGKILL')
    await once(child, 'exit')
    await (await open({ path })).close()
  })

  it('loses no acknowledged batch when its process is killed', async () => {
    const path = join(folder, 'killed', 'sluice.db')
    const { child, lines } = run(
      path,
      `
      const appender = async (name) => {
        for (let i = 0; ; i += 1) {
          const messageId = name + '-' + i
          const batch = { workspaceId: 'w1', sourceId: 's1', writeKey: 'k1', receivedAt: 0, destinationIds: [] }
          await store.log.append({ ...batch, events: [{ messageId, text: 'x'.repeat(2_000) }] }, [])
          await say(messageId)
        }
      }
      for (let i = 0; i < 8; i += 1) void appender('a' + i)`,
    )
    const acknowledged: string[] = []
    for await (const line of lines) {
      acknowledged.push(line)
      if (acknowledged.length === 500) child.kill('SIGKILL')
    }
    expect(acknowledged.length).toBeGreaterThanOrEqual(500)
    const reported: unknown[] = []
    const store = await open({ path, onUncleanShutdown: (recovery) => reported.push(recovery) })
    expect(reported).toEqual([{ isUnclean: true, lost: undefined, lostCommits: 0 }])
    const kept = new Set(
      (await store.log.read('w1', 0, 1_000_000)).flatMap(({ events }) => events.map(({ messageId }) => messageId)),
    )
    expect(acknowledged.filter((messageId) => !kept.has(messageId))).toEqual([])
    await store.close()
  })
})
