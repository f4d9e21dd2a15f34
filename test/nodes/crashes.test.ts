import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { dropSchema, freshSchema, noPostgres, postgresUrl } from '../support/databases/postgres.ts'
import { sized } from '../support/long.ts'
import { type Killable, startKillable } from '../support/processes/killable.ts'

/** Places of the events that end a process; each ends several. `faults/crash-loop` always has two, with one process. */
const poisonAt = sized([3], [3, 8])

/** One of the processes. An event `Poison` at the destination `bad` ends it, as running out of memory does. */
const program = `
const { appendFileSync } = await import('node:fs')
const { systemClock: clock, systemRandom: random } = await import('@sluice/core')
const { defineDestination, everyType, json } = await import('@sluice/destinations')
const { openPostgresStore } = await import('@sluice/postgres')
const { createSluice } = await import('sluice')
const { default: Type } = await import('typebox')
const [, folder, url, schema, isFirst] = process.argv
const mine = defineDestination({
  type: 'MINE', displayName: 'Mine', supports: everyType, secrets: [], examples: [],
  settings: Type.Object({ name: Type.String() }),
  requests: (event, { name }) => {
    if (name === 'bad' && event.event === 'Poison') process.kill(process.pid, 'SIGKILL')
    return json({ method: 'POST', endpoint: 'https://mine.test/' + name, body: { id: event.messageId } })
  },
})
const send = async ({ endpoint, body }) => {
  appendFileSync(folder + '/delivered', endpoint.split('/').pop() + ' ' + JSON.stringify(body.JSON) + '\\n')
  return { kind: 'reply', status: 200, headers: {}, body: '' }
}
const times = { leaseMs: 2_000, beatMs: 300, marginMs: 400, handOverMs: 300 }
const store = await openPostgresStore({ url, schema, clock, random, times })
const sluice = await createSluice({
  workspace: {
    id: 'a',
    sources: [{ id: 's', writeKey: 'key' }],
    destinations: ['bad', 'good'].map((name) => ({ id: name, type: 'MINE', settings: { name } })),
    connections: ['bad', 'good'].map((name) => ({ source: 's', destination: name })),
  },
  destinations: [mine], transport: { send }, store, logger: 'off', onError: () => {},
})
if (isFirst === 'true') {
  // Users in many lanes; some of them have an event that ends the process.
  const events = (round) => Array.from({ length: 12 }, (_, n) => ({
    type: 'track', userId: 'u' + n, messageId: round + '-' + n,
    event: round === 1 && ${JSON.stringify(poisonAt)}.includes(n) ? 'Poison' : 'Seen',
  }))
  // In one call: an event may end the process before the next one.
  await sluice.ingest('key', [0, 1, 2].flatMap(events))
}
report('ready')
for (;;) {
  const [{ accepted, destinations }] = await sluice.stats('a').catch(() => [{ accepted: 0, destinations: [] }])
  if (accepted === 36 && destinations.every(({ pending }) => pending === 0)) break
  await new Promise((resolve) => setTimeout(resolve, 20))
}
report('settled', { stats: await sluice.stats('a'), letters: await store.deadLetters.list('a', { limit: 100 }) })
await asked
await sluice.stop()
await store.close()
`

const folder = mkdtempSync(join(tmpdir(), 'sluice-crash-'))
const schema = freshSchema()

afterEach(async () => {
  rmSync(folder, { recursive: true })
  await dropSchema(schema)
})

interface Settled {
  readonly stats: readonly { readonly destinations: readonly Record<string, unknown>[] }[]
  readonly letters: readonly {
    readonly error: { readonly code: string }
    readonly source: { readonly event: { readonly messageId: string } }
  }[]
}

describe.skipIf(noPostgres)('an event that ends every process that takes it', () => {
  it('becomes a dead letter, and all others are delivered', async () => {
    let deaths = 0
    let isFirst = true
    let settled: Settled | undefined
    const children = new Set<Killable>()
    // As a supervisor does that keeps two processes running.
    const keepOne = async (): Promise<void> => {
      while (settled === undefined && deaths < 30) {
        const args = [folder, postgresUrl, schema, String(isFirst)]
        isFirst = false
        const child = await startKillable(program, args)
        children.add(child)
        const done = (await child.reported('settled').catch(() => undefined)) as Settled | undefined
        if (done) settled = done
        else {
          deaths += 1
          children.delete(child)
        }
      }
    }
    await Promise.all([keepOne(), keepOne()])
    for (const child of children) child.stop()
    for (const child of children) expect(await child.ended).toBe('')
    const poisoned = settled?.letters.map(({ error, source }) => `${error.code} ${source.event.messageId}`).sort()
    expect(poisoned).toEqual(poisonAt.map((n) => `stage.crashed 1-${n}`))
    const delivered = new Set(readFileSync(join(folder, 'delivered'), 'utf8').trim().split('\n'))
    for (let round = 0; round < 3; round += 1)
      for (let n = 0; n < 12; n += 1) {
        const id = `${round}-${n}`
        expect([id, delivered.has(`good {"id":"${id}"}`)]).toEqual([id, true])
        expect([id, delivered.has(`bad {"id":"${id}"}`)]).toEqual([id, !(round === 1 && poisonAt.includes(n))])
      }
    expect(settled?.stats[0]?.destinations).toMatchObject([
      {
        destinationId: 'bad',
        delivered: 36 - poisonAt.length,
        failed: { 'stage.crashed': poisonAt.length },
        pending: 0,
      },
      { destinationId: 'good', delivered: 36, failed: {}, pending: 0 },
    ])
    process.stdout.write(`${deaths} processes ended until the events were set aside\n`)
  })
})
