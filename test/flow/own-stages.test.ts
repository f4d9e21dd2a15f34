import { drop, type Event, fail, pass, type SourcedEvent, type Stage } from '@sluice/core'
import type { RecordingTransport } from '@sluice/delivery'
import { createSluice, type Sluice, type StageOptions } from 'sluice'
import { afterEach, describe, expect, it } from 'vitest'
import { createApiClient, hashOf } from '../support/http/api-client.ts'
import { shop } from '../support/scenes/shop.ts'
import { serveWorkspaces } from '../support/served-workspace.ts'

/** A stage that computes its outcome for each event separately. */
function stageOf(
  name: string,
  answer: (item: SourcedEvent) => ReturnType<typeof pass<SourcedEvent>> | ReturnType<typeof drop>,
): Stage<SourcedEvent> {
  return { name, run: async (batch) => batch.map(answer) }
}
const withEvent = (item: SourcedEvent, more: Event): SourcedEvent => ({ ...item, event: { ...item.event, ...more } })
const marking = stageOf('mark', (item) => pass(withEvent(item, { marked: true })))
const broken: Stage<SourcedEvent> = {
  name: 'broken-one',
  run: () => Promise.reject(new Error('wires crossed')),
}

let transport: RecordingTransport
let sluice: Sluice
const errors: unknown[] = []
afterEach(() => {
  errors.length = 0
})
const serve = serveWorkspaces({
  workspace: shop('', {
    accessTokens: [{ name: 'all', token: hashOf('all-token') }],
    destinations: ['hook', 'other'].map((id) => ({
      id,
      type: 'WEBHOOK',
      settings: { webhookUrl: `http://${id}.test/in` },
    })),
    connections: ['hook', 'other'].map((destination) => ({ source: 'web', destination })),
  }),
  onError: (error) => errors.push(error),
})

async function start(stages: StageOptions): Promise<void> {
  ;({ sluice, transport } = await serve({ stages }))
}

async function ingest(...names: readonly string[]) {
  const events = names.map((name) => ({ type: 'track', userId: 'u1', event: name, messageId: name }))
  const result = await sluice.ingest('web-key', events)
  await sluice.settled()
  return result
}
const bodies = (id: string) =>
  transport.requests.filter(({ endpoint }) => endpoint.includes(id)).map(({ body }) => body.JSON)
const endOf = async (messageId: string) =>
  Object.fromEntries(
    (await sluice.receipts(messageId)).map(({ destinationId, outcome, stage, reason }) => [
      destinationId,
      reason === undefined ? `${outcome} in ${stage}` : `${outcome} in ${stage}: ${reason}`,
    ]),
  )

describe('a stage before the log', () => {
  it('changes events for all destinations, but not the messageId that the sender received', async () => {
    await start({ beforeLog: [marking, stageOf('rename', (item) => pass(withEvent(item, { messageId: 'forged' })))] })
    expect(await ingest('a')).toMatchObject({ ok: true, messageIds: ['a'] })
    expect(bodies('hook')).toEqual([expect.objectContaining({ messageId: 'a', marked: true })])
    expect(bodies('other')).toHaveLength(1)
    expect(await endOf('a')).toEqual({ hook: 'delivered in deliver', other: 'delivered in deliver' })
  })

  it('can drop events: they are acknowledged, counted as rejected with its name, and go nowhere', async () => {
    const choosy = stageOf('choosy', (item) => {
      if (item.event['event'] === 'dropped') return drop('not wanted')
      return item.event['event'] === 'bad' ? fail({ code: 'transform.threw', message: 'bad' }) : pass(item)
    })
    await start({ beforeLog: [choosy] })
    expect(await ingest('a', 'dropped', 'bad')).toMatchObject({ ok: true, messageIds: ['a', 'dropped', 'bad'] })
    const [stats] = await sluice.stats()
    const rejected = { 'choosy: not wanted': 1, 'choosy: transform.threw': 1 }
    expect(stats).toMatchObject({ received: 3, accepted: 1, suppressed: 0, rejected })
    expect(bodies('hook')).toHaveLength(1)
    expect(await sluice.trace('dropped')).toBeUndefined()
  })

  it('that throws fails its call, which the sender repeats: nothing of it is accepted, and the next call is not affected', async () => {
    let isBroken = true
    const flaky = {
      ...marking,
      run: (...args: Parameters<typeof marking.run>) => (isBroken ? broken : marking).run(...args),
    }
    await start({ beforeLog: [flaky] })
    expect(await ingest('a')).toMatchObject({ ok: false, code: 'unavailable' })
    expect(errors).toEqual([expect.objectContaining({ message: 'stage mark is broken: wires crossed' })])
    isBroken = false
    expect(await ingest('a')).toMatchObject({ ok: true })
    expect(bodies('hook')).toHaveLength(1)
  })

  it('cannot turn one event into two', async () => {
    await start({ beforeLog: [stageOf('twice', (item) => pass(item, item))] })
    expect(await ingest('a')).toMatchObject({ ok: false, code: 'unavailable' })
    expect(String(errors[0])).toContain('stage twice is broken: before the log')
  })

  it('never sees a suppressed event', async () => {
    const seen: unknown[] = []
    await start({
      beforeLog: [
        stageOf('look', (item) => {
          seen.push(item.event.userId)
          return pass(item)
        }),
      ],
    })
    await sluice.regulations.create('shop', { regulationType: 'suppress', users: [{ userId: 'u1' }] })
    expect(await ingest('a')).toMatchObject({ ok: true })
    expect(seen).toEqual([])
  })

  it('has the same effect when events are processed without a log', async () => {
    await start({ beforeLog: [stageOf('choosy', (item) => (item.event.messageId === 'b' ? drop('no') : pass(item)))] })
    const result = await sluice.process('web-key', [
      { type: 'track', userId: 'u1', event: 'A', messageId: 'a' },
      { type: 'track', userId: 'u1', event: 'B', messageId: 'b' },
    ])
    if (!result.ok) throw new Error(result.message)
    expect(
      result.events.map(({ destinations }) => destinations.map(({ outcome, stage }) => `${outcome} in ${stage}`)),
    ).toEqual([
      ['delivered in deliver', 'delivered in deliver'],
      ['dropped in choosy', 'dropped in choosy'],
    ])
  })
})

describe('a stage at a destination', () => {
  it('changes, multiplies and drops the events of that destination, as receipts and traces show', async () => {
    const twiceOrNot = stageOf('twice', (item) => (item.event['event'] === 'b' ? drop('no b') : pass(item, item)))
    await start({ perDestination: ({ destination }) => (destination.id === 'hook' ? [marking, twiceOrNot] : []) })
    await ingest('a', 'b')
    expect(bodies('hook').map((body) => body['marked'])).toEqual([true, true])
    expect(bodies('other').map((body) => body['marked'])).toEqual([undefined, undefined])
    expect(await endOf('b')).toEqual({ hook: 'dropped in twice: no b', other: 'delivered in deliver' })
    const { destinations = [] } = (await sluice.trace('b')) ?? {}
    expect(destinations[0]?.stages.map(({ stage, outcome }) => `${stage} ${outcome}`)).toEqual([
      'permission passed',
      'mark passed',
      'twice dropped',
    ])
  })

  it('that throws fails only the events of that destination; they can be replayed once it is repaired', async () => {
    let isBroken = true
    const flaky = {
      ...marking,
      run: (...args: Parameters<typeof marking.run>) => (isBroken ? broken : marking).run(...args),
    }
    await start({ perDestination: ({ destination }) => (destination.id === 'hook' ? [flaky] : []) })
    await ingest('a')
    expect(await endOf('a')).toEqual({
      hook: 'failed in mark: stage mark is broken: wires crossed',
      other: 'delivered in deliver',
    })
    isBroken = false
    const deadLetters = await sluice.deadLetters.list('shop', { limit: 10 })
    await sluice.deadLetters.replay('shop', { ids: deadLetters.map(({ id }) => id) })
    await sluice.settled()
    expect(bodies('hook')).toEqual([expect.objectContaining({ messageId: 'a', marked: true })])
  })

  it('that takes too long fails its batch', async () => {
    const never: Stage<SourcedEvent> = { ...marking, name: 'never', run: () => new Promise(() => {}) }
    await start({ perDestination: [never], timeMs: 20 })
    await ingest('a')
    expect((await endOf('a'))['hook']).toBe('failed in never: stage never is broken: it took longer than 20 ms')
  })

  it('runs in the Test API', async () => {
    await start({ perDestination: [marking] })
    const client = await createApiClient(sluice, 'Bearer all-token')
    const stage = { user_transform: false, dest_transform: true, send_to_destination: false }
    const message = { type: 'track', userId: 'u1', event: 'A' }
    const { body } = await client.post('/v0/testDestination/hook', { stage, message })
    expect(JSON.stringify(body)).toContain('"marked":true')
  })
})

describe('names of own stages', () => {
  for (const [name, problem] of [
    ['deliver', 'taken by a built-in stage'],
    ['Not a name', 'must be lower-case letters'],
    ['mark', 'two stages have the name mark'],
  ] as const)
    it(`refuse ${name}: ${problem}`, async () => {
      await start({})
      const stages = { beforeLog: [marking, { ...marking, name }] }
      await expect(createSluice({ workspace: shop('http://hook.test/in'), stages })).rejects.toThrow(problem)
    })
})
