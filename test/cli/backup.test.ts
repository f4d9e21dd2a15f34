import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createManualClock, systemRandom } from '@sluice/core'
import { openSqliteStore } from '@sluice/storage'
import { createSluice } from 'sluice'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { basic } from '../support/http/api-client.ts'
import { runCommand, startCommand } from '../support/processes/command.ts'
import { runHosted } from '../support/processes/command-host.ts'
import { startReceiver } from '../support/receiver.ts'
import { shop } from '../support/scenes/shop.ts'

const admin = { user: 'root', password: 'secret' }
const env = { SERVICE_ADMIN_USER: admin.user, SERVICE_ADMIN_PASSWORD: admin.password }

let cwd: string
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'sluice-backup-'))
})
afterEach(() => rmSync(cwd, { recursive: true }))

const running: { kill(signal: 'SIGKILL'): void }[] = []
afterAll(() => {
  for (const child of running) child.kill('SIGKILL')
})

describe('sluice backup', () => {
  it('copies the store of a running server and, later, that of a folder; salvage reads both copies', async () => {
    const receiver = await startReceiver()
    writeFileSync(join(cwd, 'workspace.json'), JSON.stringify(shop(receiver.url)))
    const server = startCommand(
      ['serve', '--workspace', 'workspace.json', '--port', '0', '--allow-address', 'localhost'],
      { cwd, env },
    )
    running.push(server.child)
    const [, url = ''] = await server.printed(/Serving on (http:\S+)/)
    const track = async (messageId: string): Promise<void> => {
      const headers = { authorization: basic('web-key', '') }
      const body = JSON.stringify({ type: 'track', event: 'E', userId: 'u', messageId })
      expect((await fetch(`${url}/v1/track`, { method: 'POST', headers, body })).status).toBe(200)
    }
    await track('kept')

    const copied = await runCommand(['backup', 'copy.db', '--url', url], { cwd, env })
    expect([copied.status, copied.stdout, copied.stderr]).toEqual([0, expect.stringMatching(/copy\.db: \d+ bytes/), ''])
    expect(statSync(join(cwd, 'copy.db')).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(cwd, 'copy.db')).includes('"messageId":"kept"')).toBe(true)
    const [again, stranger, used] = await Promise.all([
      runHosted(['backup', 'copy.db', '--url', url], { cwd, env }),
      runHosted(['backup', 'other.db', '--url', url], { cwd, env: { ...env, SERVICE_ADMIN_PASSWORD: 'wrong' } }),
      runHosted(['backup', 'other.db', '--data', '.sluice'], { cwd }),
    ])
    expect([again.status, again.stderr]).toEqual([1, expect.stringContaining('already exists')])
    expect([stranger.status, stranger.stderr]).toEqual([1, expect.stringContaining('401')])
    expect([used.status, used.stderr]).toEqual([1, expect.stringContaining('in use')])
    expect(existsSync(join(cwd, 'other.db'))).toBe(false)

    await track('later')
    server.child.kill('SIGTERM')
    await server.ended
    await receiver.close()
    const idle = await runHosted(['backup', 'idle.db', '--data', '.sluice', '--json'], { cwd })
    expect([idle.status, JSON.parse(idle.stdout)]).toEqual([0, { file: 'idle.db', bytes: expect.any(Number) }])
    const saved = await runHosted(['salvage', 'idle.db', 'saved.db', '--json'], { cwd })
    expect([saved.status, JSON.parse(saved.stdout)]).toMatchObject([0, { isComplete: true, lostBatches: [] }])
    // The first copy is restored: the server reports what is missing.
    copyFileSync(join(cwd, 'copy.db'), join(cwd, '.sluice/sluice.db'))
    const older = await runHosted(['serve', '--workspace', 'workspace.json', '--once'], { cwd, env })
    expect([older.status, older.stderr]).toEqual([
      0,
      expect.stringContaining('batches 2 to 2 of the log were acknowledged but are missing from the store'),
    ])
    const restarted = await runHosted(['serve', '--workspace', 'workspace.json', '--once'], { cwd, env })
    expect([restarted.status, restarted.stderr]).toEqual([0, expect.stringContaining('lost in earlier runs')])
    // A page of the log is destroyed: the server says what to do, and doing so saves the rest.
    const bytes = readFileSync(join(cwd, 'idle.db'))
    const page = Math.floor(bytes.indexOf('"messageId":"kept"') / 4_096) * 4_096
    bytes.fill(0xa5, page, page + 4_096)
    writeFileSync(join(cwd, 'broken.db'), bytes)
    const broken = await runCommand(['salvage', 'broken.db', 'rest.db'], { cwd })
    expect([broken.status, broken.stdout]).toEqual([2, expect.stringMatching(/log_batch +0 +at most \d\n/)])
    expect(broken.stdout).toContain('move broken.db-wal away: it does not belong to the new file')
    expect(broken.stdout).toContain('Lost batches of the log, unless they had been trimmed: 1')
    expect(readdirSync(cwd).filter((name) => /partial|damaged/.test(name))).toEqual([])
  })
})

describe('GET /v1/backup', () => {
  const ask = (method: string, authorization = basic(admin.user, admin.password), signal?: AbortSignal) =>
    new Request('http://sluice.test/v1/backup', { method, headers: { authorization }, signal })

  it('is for the admin only, one at a time, and leaves no copy behind, even when the client disconnects', async () => {
    const clock = createManualClock()
    const store = await openSqliteStore({ path: join(cwd, 'sluice.db'), clock, random: systemRandom })
    const sandbox = { mode: 'in-process' as const }
    const sluice = await createSluice({ workspace: shop('http://hook.test'), store, admin, sandbox })
    for (const credentials of ['', basic('web-key', ''), basic('root', ''), basic('', 'secret')])
      expect((await sluice.fetch(ask('GET', credentials))).status).toBe(401)
    const head = await sluice.fetch(ask('HEAD'))
    expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([
      200,
      'application/octet-stream',
      '',
    ])
    const leaving = new AbortController()
    const first = await sluice.fetch(ask('GET', undefined, leaving.signal))
    expect([first.status, first.headers.get('access-control-allow-origin')]).toEqual([200, null])
    expect((await sluice.fetch(ask('GET'))).status).toBe(409)
    leaving.abort()
    await expect(first.arrayBuffer()).rejects.toThrow()
    const second = await sluice.fetch(ask('GET'))
    await second.body?.cancel()
    let third = Response.error()
    await eventually(async () => {
      third = await sluice.fetch(ask('GET'))
      return third.status
    }).toBe(200)
    const bytes = Buffer.from(await third.arrayBuffer())
    expect([bytes.toString('latin1', 0, 15), String(bytes.length)]).toEqual([
      'SQLite format 3',
      third.headers.get('content-length'),
    ])
    expect(readdirSync(cwd).filter((name) => name.includes('backup'))).toEqual([])
    await sluice.stop()
  })

  it('does not exist for a store in memory, nor on the main port when the admin API has its own port', async () => {
    const sandbox = { mode: 'in-process' as const }
    const inMemory = await createSluice({ workspace: shop('http://hook.test'), admin, sandbox })
    expect((await inMemory.fetch(ask('GET'))).status).toBe(501)
    await inMemory.stop()
    const apart = await createSluice({ workspace: shop('http://hook.test'), admin, sandbox, governanceApart: true })
    expect((await apart.fetch(ask('GET'))).status).toBe(404)
    expect((await apart.areas.governance?.fetch(ask('GET')))?.status).toBe(501)
    await apart.stop()
  })
})
