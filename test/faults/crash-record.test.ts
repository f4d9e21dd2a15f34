import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { startKillable } from '../support/processes/killable.ts'

/** Delivers to a file; whatever is sent to the destination `bad` ends the process by an exception in a timer. */
const program = `
const { appendFileSync, existsSync, readFileSync } = await import('node:fs')
const { pauseDestinations } = await import('@sluice/configuration')
const { systemClock: clock, systemRandom: random } = await import('@sluice/core')
const { defineDestination, everyType, json } = await import('@sluice/destinations')
const { openSqliteStore } = await import('@sluice/storage')
const { createSluice } = await import('sluice')
const { CrashRecord } = await import('../packages/sluice/dist/cli/server/serve/crashes/crash-record.js')
const { recordExceptions } = await import('../packages/sluice/dist/cli/server/serve/crashes/record-exceptions.js')
const { default: Type } = await import('typebox')
const [, folder, start] = process.argv
const mine = defineDestination({
  type: 'MINE', displayName: 'Mine', supports: everyType, secrets: [], examples: [],
  settings: Type.Object({ name: Type.String() }),
  requests: (event, { name }) => json({ method: 'POST', endpoint: 'https://mine.test/' + name, body: { id: event.messageId } }),
})
const send = async ({ endpoint, body }) => {
  const name = endpoint.split('/').pop()
  if (name === 'bad') {
    setTimeout(() => { throw new RangeError('bytes of a stranger') }, 40)
    return new Promise(() => {})
  }
  appendFileSync(folder + '/delivered', name + ' ' + body.JSON.id + '\\n')
  return { kind: 'reply', status: 200, headers: {}, body: '' }
}
const record = new CrashRecord(folder + '/crashes.json', Date.now())
recordExceptions(record)
const store = await openSqliteStore({ path: folder + '/sluice.db', clock, random, synchronous: 'normal' })
await pauseDestinations(store.configuration, record.suspects, clock)
const names = ['bad', 'good']
const sluice = await createSluice({
  workspace: {
    workspaces: [{
      id: 'a', sources: [{ id: 's', writeKey: 'key' }],
      destinations: names.map((name) => ({ id: name, type: 'MINE', settings: { name } })),
      connections: names.map((name) => ({ source: 's', destination: name })),
    }],
  },
  admin: { user: 'u', password: 'pass-word-1' },
  destinations: [mine], transport: { send }, store, telemetry: record.telemetry, logger: 'off', onError: (error) => console.error(error),
})
await sluice.ingest('key', [{ type: 'track', event: 'E', userId: 'u', messageId: 'm' + start }])
const headers = { authorization: 'Basic ' + Buffer.from('u:pass-word-1').toString('base64') }
report('started', { suspects: record.suspects, circuits: await (await sluice.fetch(new Request('http://test/v1/circuits', { headers }))).json() })
const path = folder + '/delivered'
const isDone = () => start === '3' && existsSync(path) && readFileSync(path, 'utf8').includes('good m3')
while (!isDone()) await new Promise((resolve) => setTimeout(resolve, 20))
report('alive')
await asked
await sluice.stop()
await store.close()
record.stopped()
`

const folder = mkdtempSync(join(tmpdir(), 'sluice-crash-record-'))
afterEach(() => rmSync(folder, { recursive: true }))

it('a destination that ends the process when something is sent to it is paused at the third start, which survives', async () => {
  for (const start of [1, 2]) {
    const child = await startKillable(program, [folder, String(start)])
    await expect(child.reported('alive')).rejects.toThrow('ended before')
    const errors = await child.ended
    expect(errors).toContain('an exception that nothing handled: RangeError')
    expect(errors).toMatch(/Under way: .*a\/bad/)
  }
  const child = await startKillable(program, [folder, '3'])
  await child.reported('alive')
  const reason = expect.stringContaining(
    'The process ended 2 times while something was sent to this destination: RangeError',
  )
  expect(await child.reported('started')).toEqual({
    suspects: [{ workspaceId: 'a', destinationId: 'bad', reason }],
    circuits: {
      workspaces: [
        {
          workspaceId: 'a',
          destinations: [
            expect.objectContaining({
              destinationId: 'bad',
              state: 'paused',
              health: 'paused',
              pausedAt: expect.any(String),
              reason,
            }),
            // How many events wait depends on what the starts before have accepted.
            expect.objectContaining({ destinationId: 'good', state: 'closed' }),
          ],
        },
      ],
    },
  })
  child.stop()
  expect(await child.ended).toBe('')
  // The second start may end before it has accepted its event.
  const delivered = new Set(readFileSync(join(folder, 'delivered'), 'utf8').trim().split('\n'))
  expect([...delivered].filter((line) => line !== 'good m2')).toEqual(['good m1', 'good m3'])
  expect(JSON.parse(readFileSync(join(folder, 'crashes.json'), 'utf8'))).toMatchObject({
    isRunning: false,
    crashes: [],
  })
})
