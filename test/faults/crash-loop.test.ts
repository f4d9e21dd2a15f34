import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { startKillable } from '../support/processes/killable.ts'

/** Delivers to a file; an event `Poison` at the destination `bad` ends the process, as running out of memory does. */
const program = `
const { appendFileSync } = await import('node:fs')
const { systemClock: clock, systemRandom: random } = await import('@sluice/core')
const { defineDestination, everyType, json } = await import('@sluice/destinations')
const { openSqliteStore } = await import('@sluice/storage')
const { createSluice } = await import('sluice')
const { default: Type } = await import('typebox')
const [, folder, isFirst] = process.argv
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
const workspace = (id, names) => ({
  id,
  sources: [{ id: 's', writeKey: id + '-key' }],
  destinations: names.map((name) => ({ id: name, type: 'MINE', settings: { name } })),
  connections: names.map((name) => ({ source: 's', destination: name })),
})
const store = await openSqliteStore({ path: folder + '/sluice.db', clock, random, synchronous: 'normal' })
const sluice = await createSluice({
  workspace: { workspaces: [workspace('a', ['bad', 'good']), workspace('b', ['other'])] },
  destinations: [mine], transport: { send }, store, logger: 'off', onError: (error) => console.error(error),
})
if (isFirst === 'true') {
  const events = (prefix, poisonAt) => Array.from({ length: 6 }, (_, n) => ({
    type: 'track', userId: 'u', messageId: prefix + n, event: n === poisonAt ? 'Poison' : 'Seen',
  }))
  await Promise.all([
    sluice.ingest('a-key', events('x')), sluice.ingest('a-key', events('y', 3)), sluice.ingest('a-key', events('z', 0)),
    sluice.ingest('b-key', events('w')),
  ])
}
await sluice.settled()
report('settled', {
  stats: { a: await sluice.stats('a'), b: await sluice.stats('b') },
  letters: await store.deadLetters.list('a', { limit: 100 }),
})
await asked
await sluice.stop()
await store.close()
`

const folder = mkdtempSync(join(tmpdir(), 'sluice-crash-'))
afterEach(() => rmSync(folder, { recursive: true }))

interface Settled {
  readonly stats: Readonly<Record<'a' | 'b', readonly { readonly destinations: readonly Record<string, unknown>[] }[]>>
  readonly letters: readonly {
    readonly error: { readonly code: string }
    readonly source: { readonly event: { readonly messageId: string } }
  }[]
}

it('an event that ends the process at every start becomes a dead letter, and its neighbours are delivered', async () => {
  let settled: Settled | undefined
  let starts = 0
  for (; settled === undefined && starts < 10; starts += 1) {
    const child = await startKillable(program, [folder, String(starts === 0)])
    settled = (await child.reported('settled').catch(() => undefined)) as Settled | undefined
    child.stop()
    expect(await child.ended).toBe('')
  }
  // Two tries of the batch, then two for each of the two events.
  expect(starts).toBeLessThanOrEqual(8)
  const poisoned = settled?.letters.map(({ error, source }) => `${error.code} ${source.event.messageId}`).sort()
  expect(poisoned).toEqual(['stage.crashed y3', 'stage.crashed z0'])
  const delivered = new Set(readFileSync(join(folder, 'delivered'), 'utf8').trim().split('\n'))
  const all = ['x', 'y', 'z'].flatMap((prefix) => Array.from({ length: 6 }, (_, n) => `${prefix}${n}`))
  for (const id of all) {
    expect(delivered.has(`good {"id":"${id}"}`)).toBe(true)
    expect(delivered.has(`bad {"id":"${id}"}`)).toBe(!['y3', 'z0'].includes(id))
  }
  const counts = (workspace: 'a' | 'b') => settled?.stats[workspace].flatMap(({ destinations }) => destinations)
  expect(counts('a')).toMatchObject([
    { destinationId: 'bad', delivered: 16, failed: { 'stage.crashed': 2 }, pending: 0 },
    { destinationId: 'good', delivered: 18, failed: {}, pending: 0 },
  ])
  expect(counts('b')).toMatchObject([{ destinationId: 'other', delivered: 6, pending: 0 }])
})
