import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createManualClock, type ManualClock, systemRandom } from '@sluice/core'
import { openSqliteStore } from '@sluice/storage'
import { createSluice, type Sluice } from 'sluice'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { basic, hashOf } from '../support/http/api-client.ts'
import { openTap, type TapReader } from '../support/http/tap-reader.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { shop } from '../support/scenes/shop.ts'

const canaries = ['canary-user', 'canary-message', 'canary-value', 'canary-key', 'canary-event', 'canary-anonymous']
const suppressed = {
  type: 'track',
  event: 'canary-event',
  userId: 'canary-user',
  anonymousId: 'canary-anonymous',
  messageId: 'canary-message',
  properties: { 'canary-key': 'canary-value' },
}
const accepted = {
  ...suppressed,
  event: 'E',
  userId: 'someone',
  anonymousId: 'a',
  messageId: 'm1',
  properties: { k: 'v' },
}
const code = "export function transformEvent(event) { log('saw ' + event.userId); return event }"

let folder: string
let receiver: Receiver
let sluice: Sluice
let clock: ManualClock
/** What the receiver answers, and when. */
let answer: () => number | Promise<number>
const errors: string[] = []
let tap: TapReader

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-trace-'))
  answer = () => 200
  receiver = await startReceiver(() => answer())
  clock = createManualClock()
  sluice = await start()
  tap = await openTap(sluice, '', 'Bearer token')
})
afterEach(async () => {
  await sluice.stop()
  await receiver.close()
  rmSync(folder, { recursive: true })
})

async function start(budget: { budgetBytes?: number } = {}): Promise<Sluice> {
  const definition = shop(`${receiver.url}/hook`, { accessTokens: [{ name: 'all', token: hashOf('token') }] })
  const [hook] = definition.destinations ?? []
  return createSluice({
    allowAddresses: ['localhost'],
    workspace: { ...definition, ...(hook ? { destinations: [{ ...hook, transformation: { code } }] } : {}) },
    store: await openSqliteStore({ path: join(folder, 'sluice.db'), clock, random: systemRandom, ...budget }),
    clock,
    sandbox: { mode: 'in-process' },
    admin: { user: 'admin', password: 'password' },
    onError: (error) => errors.push(String(error)),
    logger: { debug: log, info: log, warn: log, error: log },
  })
}

const log = (fields: object, text: string): void => {
  errors.push(`${text} ${JSON.stringify(fields)}`)
}

async function ask(path: string, authorization: string, body?: unknown): Promise<{ head: string; text: string }> {
  const response = await sluice.fetch(
    new Request(`http://x${path}`, {
      headers: { authorization },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    }),
  )
  return { head: `${response.status} ${JSON.stringify([...response.headers])}`, text: await response.text() }
}
const send = (event: unknown) => ask('/v1/track', basic('web-key', ''), event)
const suppress = (userId: string) =>
  ask('/v2/regulations', 'Bearer token', { regulationType: 'suppress', users: [{ userId }] })

const outcomes = async () => (await sluice.stats())[0]?.destinations[0]

/** Stops all responses of the receiver. @returns a function that answers the requests that wait and those that come. */
function holdAnswers(): () => void {
  let release = () => {}
  const released = new Promise<number>((resolve) => {
    release = () => resolve(200)
  })
  answer = () => released
  return release
}

/** Everything that people or disks can see. */
async function everything(): Promise<string> {
  const admin = basic('admin', 'password')
  const seen = [
    (await ask('/schemas/event-models', admin)).text,
    (await ask('/schemas/event-versions', admin)).text,
    (await ask('/v2/regulations/suppressions', 'Bearer token')).text,
    (await ask('/health', '')).text,
    (await ask('/metrics', admin)).text,
    (await ask('/v1/stats', admin)).text,
    (await ask('/v1/events/canary-message', admin)).text,
    tap.text(),
    JSON.stringify(await sluice.stats()),
    JSON.stringify(await sluice.receipts('canary-message')),
    JSON.stringify(receiver.received),
    errors.join('\n'),
  ]
  await sluice.stop()
  const files = readdirSync(folder).map((file) => readFileSync(join(folder, file)).toString('latin1'))
  return [...seen, ...files].join('\n')
}

describe('a suppressed event', () => {
  it('leaves nothing of itself anywhere: data folder, models, counts, receipts, metrics, tap, logs, receivers', async () => {
    // The regulation itself keeps its user id; the canary is the other content of the event.
    await suppress('canary-user')
    await send(suppressed)
    await send(accepted)
    await sluice.settled()
    const seen = await everything()
    expect(seen).toContain('someone')
    // Shows that the tap was watching.
    await eventually(() => tap.entries.map(({ messageId }) => messageId)).toEqual(['m1', 'm1'])
    for (const canary of canaries.slice(1)) expect(seen).not.toContain(canary)
    const outside = receiver.received.map((request) => JSON.stringify(request)).join()
    expect(outside).not.toContain('canary-user')
  })

  it('gets the same response, byte for byte, as an accepted one', async () => {
    await suppress('canary-user')
    expect(await send(suppressed)).toEqual(await send(accepted))
    const batch = (event: object) => ask('/v1/batch', basic('web-key', ''), { batch: [event] })
    expect(await batch(suppressed)).toEqual(await batch(accepted))
  })

  it('gets the same response as any other when the store is full', async () => {
    await sluice.stop()
    sluice = await start({ budgetBytes: 1 })
    await suppress('canary-user')
    const answers = [await send(accepted), await send(suppressed)]
    expect(answers[0]?.head).toMatch(/^503 /)
    expect(answers[1]).toEqual(answers[0])
  })

  it('is no longer delivered when it was in the log before, and is then only counted', async () => {
    // The log is read further when the request under way has been answered.
    const release = holdAnswers()
    await send(accepted)
    await eventually(() => receiver.received.length).toBe(1)
    await send(suppressed)
    await suppress('canary-user')
    release()
    await sluice.settled()
    expect(receiver.received.map(({ body }) => JSON.parse(body).userId)).toEqual(['someone'])
    expect(await outcomes()).toMatchObject({ accepted: 2, delivered: 1, dropped: { suppressed: 1 } })
    expect(await sluice.receipts('canary-message')).toEqual([])
  })

  it('is no longer delivered when other events of its batch are already under way', async () => {
    const release = holdAnswers()
    const batch = Array.from({ length: 5 }, (_, i) => ({ ...suppressed, messageId: `canary-${i}` }))
    await ask('/v1/batch', basic('web-key', ''), { batch: [...batch, accepted] })
    // The first request of each of the two users.
    await eventually(() => receiver.received.length).toBe(2)
    await suppress('canary-user')
    release()
    await sluice.settled()
    expect(receiver.received.length).toBe(2)
    expect(await outcomes()).toMatchObject({ accepted: 6, delivered: 2, dropped: { suppressed: 4 }, outputs: 2 })
    expect([await sluice.receipts('canary-0'), await sluice.receipts('canary-1')]).toMatchObject([
      [{ outcome: 'delivered' }],
      [],
    ])
  })

  it('is not sent again when it waits for a retry', async () => {
    answer = () => 503
    await send(suppressed)
    await eventually(() => receiver.received.length).toBe(1)
    await suppress('canary-user')
    const pendingLater = async () => {
      clock.advance(60_000)
      return (await outcomes())?.pending
    }
    await eventually(pendingLater).toBe(0)
    expect(receiver.received.length).toBe(1)
    expect(await outcomes()).toMatchObject({ accepted: 1, delivered: 0, dropped: { suppressed: 1 }, failed: {} })
    expect(await sluice.receipts('canary-message')).toEqual([])
  })

  it('that arrives after the regulation is cancelled is delivered', async () => {
    await suppress('canary-user')
    const { regulations } = await sluice.regulations.list('shop', { limit: 1 })
    await sluice.regulations.cancel('shop', regulations[0]?.id ?? '')
    await send(suppressed)
    await sluice.settled()
    expect(receiver.received.length).toBe(1)
  })
})
