import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock, systemRandom } from '@sluice/core'
import { createSuppressionIndex } from '@sluice/regulation'
import { openSqliteStore } from '@sluice/storage'
import { describe, expect, it } from 'vitest'

const usersPerRequest = 5_000

/**
 * Creates regulations of 5,000 users each, cancels one now and then, and prints what was answered, until it is killed.
 */
const child = `
const [, folder, round] = process.argv
const { systemClock: clock, systemRandom: random } = await import('@sluice/core')
const { createRegulations, createSuppressionIndex } = await import('@sluice/regulation')
const { openSqliteStore } = await import('@sluice/storage')
const store = await openSqliteStore({ path: folder + '/sluice.db', clock, random })
const index = createSuppressionIndex({ store: store.regulations, clock, random })
await index.catchUp()
const workspace = () => ({ sourceIds: new Set(), destinations: new Map() })
const regulations = createRegulations({ store: store.regulations, index, clock, random, workspace })
for (let request = 0; ; request++) {
  const users = Array.from({ length: ${usersPerRequest} }, (_, i) => ({ userId: [round, request, i].join('-') }))
  console.log('begin', request)
  const [first] = await regulations.create('w', { regulationType: 'suppress', users })
  console.log('created', request)
  await regulations.cancel('w', first.id)
  console.log('cancelled', request)
}
`

interface Moment {
  /** Printed first by the child. */
  readonly word: 'begin' | 'created'
  readonly afterMs: number
}

/** Kills the child this long after its first line. @returns the requests it had answered. */
function runAndKill(
  folder: string,
  round: number,
  { word, afterMs }: Moment,
): Promise<{ created: number; cancelled: number }> {
  return new Promise((resolve, reject) => {
    const running = spawn(process.execPath, ['--input-type=module', '-e', child, folder, String(round)], {
      cwd: import.meta.dirname,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    let errors = ''
    running.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text
    })
    running.stdout.setEncoding('utf8').on('data', (text: string) => {
      const isFirst = !output.includes(word)
      output += text
      if (isFirst && output.includes(word)) setTimeout(() => running.kill('SIGKILL'), afterMs)
    })
    running.on('close', () => {
      if (errors !== '') reject(new Error(errors))
      const count = (word: string): number => output.split(`${word} `).length - 1
      resolve({ created: count('created'), cancelled: count('cancelled') })
    })
  })
}

describe('killing a process that creates regulations', () => {
  it('keeps all users of a request or none, keeps what was answered, and the index agrees', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-kill-'))
    const answered: { created: number; cancelled: number }[] = []
    const moments: readonly Moment[] = [
      { word: 'begin', afterMs: 20 },
      { word: 'begin', afterMs: 90 },
      { word: 'created', afterMs: 0 },
      { word: 'created', afterMs: 60 },
    ]
    for (const [round, moment] of moments.entries()) {
      answered.push(await runAndKill(folder, round, moment))
      const store = await openSqliteStore({ path: join(folder, 'sluice.db'), clock: systemClock, random: systemRandom })
      const active = new Set<string>()
      const perRequest = new Map<string, number>()
      for (let after: number | undefined = 0; after !== undefined; ) {
        const page = await store.regulations.list('w', { after, limit: 1_000 })
        for (const { attributes, canceled } of page.regulations) {
          const request = attributes.userId.split('-').slice(0, 2).join('-')
          perRequest.set(request, (perRequest.get(request) ?? 0) + 1)
          if (!canceled) active.add(attributes.userId)
        }
        after = page.next
      }
      expect([...perRequest.values()].filter((users) => users !== usersPerRequest)).toEqual([])
      const index = createSuppressionIndex({ store: store.regulations, clock: systemClock, random: systemRandom })
      await index.catchUp()
      expect(index.size).toBe(active.size)
      for (const [earlier, { created, cancelled }] of answered.entries()) {
        const requests = Array.from({ length: created }, (_, request) => `${earlier}-${request}`)
        const questions = requests.flatMap((request) =>
          [0, 1, usersPerRequest - 1].map((i) => ({ workspaceId: 'w', sourceId: 's', userId: `${request}-${i}` })),
        )
        const expected = questions.map(({ userId }) => active.has(userId))
        expect(await index.check(questions)).toEqual(expected)
        for (const request of requests.slice(0, cancelled)) expect(active.has(`${request}-0`)).toBe(false)
        for (const request of requests) expect(active.has(`${request}-1`)).toBe(true)
      }
      await index.close()
      await store.close()
    }
    expect(answered.some(({ created }) => created > 0)).toBe(true)
    rmSync(folder, { recursive: true })
  })
})
