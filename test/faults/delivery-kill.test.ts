import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock, systemRandom } from '@sluice/core'
import { openSqliteStore } from '@sluice/storage'
import { createSluice } from 'sluice'
import { describe, expect, it } from 'vitest'
import { startFaultyServer, treatments } from '../support/faulty-server.ts'

const options = (webhookUrl: string) => ({
  workspace: {
    id: 'w',
    sources: [{ id: 's', writeKey: 'k' }],
    destinations: [{ id: 'd', type: 'WEBHOOK', settings: { webhookUrl } }],
    connections: [{ source: 's', destination: 'd' }],
  },
  allowAddresses: ['localhost'],
  sandbox: { mode: 'in-process' as const },
  delivery: { timeMs: 500, retry: { attemptsMax: 3, baseMs: 1, capMs: 5 }, circuit: { failuresMax: 1_000 } },
  retries: { windowMs: 60_000, backoff: { baseMs: 10, capMs: 50 } },
})

/** Takes in events of six users without end, and says which were acknowledged, until it is killed. */
const child = `
const [, folder, round, options] = process.argv
const { systemClock: clock, systemRandom: random } = await import('@sluice/core')
const { openSqliteStore } = await import('@sluice/storage')
const { createSluice } = await import('sluice')
const store = await openSqliteStore({ path: folder + '/sluice.db', clock, random })
const sluice = await createSluice({ store, ...JSON.parse(options) })
for (let n = 0; ; n++) {
  const events = [...'abcdef'].map((userId) => ({
    type: 'track', event: 'E', userId, messageId: userId + (round * 10000 + n),
  }))
  const { ok } = await sluice.ingest('k', events)
  if (ok) console.log(events.map(({ messageId }) => messageId).join(' '))
  await new Promise((resolve) => setTimeout(resolve, 5))
}
`

/** Kills the child so long after it began to take events in. @returns what it had acknowledged. */
function runAndKill(folder: string, round: number, url: string, afterMs: number): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const args = ['--input-type=module', '-e', child, folder, String(round), JSON.stringify(options(url))]
    const running = spawn(process.execPath, args, { cwd: import.meta.dirname, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    let errors = ''
    running.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text
    })
    running.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (output === '') setTimeout(() => running.kill('SIGKILL'), afterMs)
      output += text
    })
    running.on('close', () => {
      if (errors === '') resolve(output.split(/\s+/).filter((id) => /^[a-f]\d+$/.test(id)))
      else reject(new Error(errors))
    })
  })
}

describe('killing a process while events wait for another try', () => {
  it('loses none, keeps the order of each user, and sends nothing again that was committed as delivered', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-delivery-kill-'))
    // Half of the users cannot be delivered to for now, one of them now and then.
    let isBack = false
    let asked = 0
    const isTaken = (messageId: string): boolean => {
      asked += 1
      return isBack || /^[a-c]/.test(messageId) || (messageId.startsWith('d') && asked % 3 === 0)
    }
    const server = await startFaultyServer((messageId) => (isTaken(messageId) ? treatments.takes : treatments.isBusy))
    const acknowledged: string[] = []
    /** Where in what was seen a process began. */
    const begins: number[] = []
    for (const [round, afterMs] of [60, 350, 700].entries()) {
      begins.push(server.seen.length)
      acknowledged.push(...(await runAndKill(folder, round, server.url, afterMs)))
    }
    expect(acknowledged.length).toBeGreaterThan(100)

    const store = await openSqliteStore({ path: join(folder, 'sluice.db'), clock: systemClock, random: systemRandom })
    expect((await store.retries.entries('w', 'd')).length).toBeGreaterThan(0)
    const committed = new Set<string>()
    for (const messageId of acknowledged)
      for (const { outcome } of await store.receipts.find('w', messageId))
        if (outcome === 'delivered') committed.add(messageId)
    expect(committed.size).toBeGreaterThan(0)
    begins.push(server.seen.length)
    isBack = true
    const sluice = await createSluice({ store, ...options(server.url) })
    await sluice.settled()

    const lost = acknowledged.filter((messageId) => !server.taken.includes(messageId))
    expect(lost).toEqual([])
    expect(server.seen.slice(begins.at(-1)).filter((messageId) => committed.has(messageId))).toEqual([])
    const [stats] = await sluice.stats()
    const [destination] = stats?.destinations ?? []
    expect(destination).toMatchObject({ delivered: stats?.accepted, dropped: {}, failed: {}, pending: 0 })
    expect(stats?.accepted).toBeGreaterThanOrEqual(acknowledged.length)
    for (const user of 'abcdef') {
      const numbersOf = (ids: readonly string[]) =>
        ids.filter((id) => id.startsWith(user)).map((id) => Number(id.slice(1)))
      const inOrder = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b)
      for (const [process, begin] of begins.entries()) {
        const numbers = numbersOf(server.seen.slice(begin, begins[process + 1]))
        expect(numbers, `${user} in process ${process}`).toEqual(inOrder(numbers))
      }
      const arrivals = [...new Set(numbersOf(server.taken))]
      expect(arrivals, user).toEqual(inOrder(arrivals))
    }
    await sluice.stop()
    await server.close()
    rmSync(folder, { recursive: true })
  }, 60_000)
})
