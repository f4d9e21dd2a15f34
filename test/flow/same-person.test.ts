import { createManualClock, identifierText, systemClock, systemRandom } from '@sluice/core'
import { reply } from '@sluice/delivery'
import { findUsers, reportUser, type Store, searchUser, type UserSearch } from '@sluice/pipeline'
import { searchPerson } from '@sluice/regulation'
import { createCatalogue, type InTurns } from '@sluice/schema'
import { createMemoryStore } from '@sluice/storage'
import fc from 'fast-check'
import type { Sluice } from 'sluice'
import { describe, expect, it } from 'vitest'
import { migratedStores } from '../support/databases/migrated-store.ts'
import { eventually } from '../support/eventually.ts'
import { serveWorkspaces } from '../support/served-workspace.ts'

const amplitudeUrl = 'https://amplitude.com/api/2/deletions/users'
const workspace = {
  id: 'w1',
  sources: [{ id: 's1', writeKey: 'k1' }],
  destinations: [
    { id: 'amplitude', type: 'AM', settings: { apiKey: 'key', apiSecret: 'secret' } },
    { id: 'hook', type: 'WEBHOOK', settings: { webhookUrl: 'http://hook.test/in' } },
  ],
  connections: [{ source: 's1', destination: 'hook' }],
}
const serve = serveWorkspaces({ workspace, clock: systemClock })
const stores = {
  memory: async () => createMemoryStore({ clock: createManualClock(), random: systemRandom }),
  SQLite: migratedStores({ clock: createManualClock(), random: systemRandom }),
}
const clock = createManualClock()
/** Looks at all events in one turn. */
const engine = { inTurns: (): InTurns => async (items, work) => items.map(work) }
const look = { clock, engine }

/** The id of a person, and texts that clean to it. */
const person = 'zo\u00eb-42'
const blank = fc.constantFrom('', ' ', '\t', '\ufeff', '\u200b', '\u00a0', '\n', '\u2060')
const writing = fc
  .tuple(fc.boolean(), blank, blank, fc.constantFrom('', '\u200b', '\u00ad', '\u034f', '\u0000'))
  .map(([isDecomposed, before, after, inside]) => {
    const text = isDecomposed ? person.normalize('NFD') : person
    return `${before}${text.slice(0, -2)}${inside}${text.slice(-2)}${after}`
  })

async function erase(sluice: Sluice, userId: string): Promise<void> {
  const [regulation] = await sluice.regulations.create('w1', {
    regulationType: 'suppress_with_delete',
    users: [{ userId }],
  })
  const statuses = async () =>
    (await sluice.deletions.ofRegulation('w1', regulation?.id ?? '')).map(({ status }) => status)
  await eventually(statuses).toEqual(['complete', 'complete', 'aborted'])
}

describe.each(Object.entries(stores))('one person, over the %s store', (_, open) => {
  async function start() {
    const store: Store = await open()
    let status = 200
    const { sluice, transport } = await serve({
      store,
      answer: ({ endpoint }) => reply(endpoint.includes('hook') ? status : 200),
      delivery: { retry: { attemptsMax: 1, baseMs: 1, capMs: 1 } },
      retries: { backoff: { baseMs: 1, capMs: 1 } },
    })
    const hookAnswers = (next: number): void => {
      status = next
    }
    return { sluice, store, transport, hookAnswers }
  }

  it('is the same in suppression, log, dead letters, retries, report and products, however the id is written', async () => {
    const law = fc.asyncProperty(writing, writing, writing, async (sent, asked, regulated) => {
      expect(identifierText(sent)).toBe(person)
      const { sluice, store, transport, hookAnswers } = await start()
      const event = { type: 'track', event: 'E', userId: sent, properties: { note: 'canary' } }
      hookAnswers(400)
      await sluice.ingest('k1', [event, { ...event, userId: 'other' }])
      await sluice.settled()
      hookAnswers(503)
      await sluice.ingest('k1', [event])
      await eventually(async () => (await store.retries.ofUser('w1', person)).length).toBe(1)
      const { held } = await reportUser({ workspaceId: 'w1', userId: asked }, store, look)
      expect(held.map(({ where, count }) => `${count} in ${where}`)).toEqual([
        '2 in event log',
        '1 in waiting for a destination',
        '1 in dead letters',
        expect.stringMatching(/in samples of the catalogue$/),
      ])
      await erase(sluice, regulated)
      const after = await reportUser({ workspaceId: 'w1', userId: asked }, store, look)
      expect(after.held).toEqual([])
      expect(after.regulations).toHaveLength(1)
      expect((await sluice.regulations.list('w1', { limit: 9, userId: asked })).regulations).toHaveLength(1)
      expect(JSON.stringify(await store.deadLetters.list('w1', { limit: 9 }))).toContain('other')
      const sentTo = transport.requests.flatMap(({ endpoint, body }) =>
        endpoint === amplitudeUrl ? [body.JSON['user_ids']] : [],
      )
      expect(sentTo).toEqual([sent === person ? [person] : [person, sent]])
      await eventually(() => store.regulations.writings.of('w1', [person])).toEqual([])
      const before = transport.requests.length
      hookAnswers(200)
      await sluice.ingest('k1', [event])
      await sluice.settled()
      expect(transport.requests).toHaveLength(before)
      await sluice.stop()
    })
    await fc.assert(law, { numRuns: 12 })
  })

  /** Rows of the table of packages/docs/behaviour/same-person.md: an event of the person, or not. */
  const id = '42'
  const rows: readonly { readonly name: string; readonly event: object; readonly isTheirs: boolean }[] = [
    { name: 'userId as a text', event: { type: 'track', userId: '42' }, isTheirs: true },
    { name: 'userId as a number', event: { type: 'track', userId: 42 }, isTheirs: true },
    { name: 'userId with blanks', event: { type: 'track', userId: ' 42\t' }, isTheirs: true },
    { name: 'userId with leading zeros', event: { type: 'track', userId: '042' }, isTheirs: false },
    { name: 'anonymousId', event: { type: 'track', anonymousId: '42' }, isTheirs: true },
    {
      name: 'anonymousId beside another userId',
      event: { type: 'track', userId: 'u', anonymousId: '42' },
      isTheirs: true,
    },
    { name: 'previousId of an alias', event: { type: 'alias', userId: 'u', previousId: '42' }, isTheirs: true },
    { name: 'traits.id', event: { type: 'identify', anonymousId: 'a', traits: { id: 42 } }, isTheirs: true },
    { name: 'traits.userId', event: { type: 'identify', anonymousId: 'a', traits: { userId: '42' } }, isTheirs: true },
    {
      name: 'context.traits.id',
      event: { type: 'track', anonymousId: 'a', context: { traits: { id: '42' } } },
      isTheirs: true,
    },
    {
      name: 'id of context.externalId',
      event: { type: 'track', userId: 'u', context: { externalId: [{ type: 'crm', id: '42' }] } },
      isTheirs: true,
    },
    { name: 'groupId', event: { type: 'group', userId: 'u', groupId: '42' }, isTheirs: false },
    {
      name: 'traits.id of a group',
      event: { type: 'group', userId: 'u', groupId: 'g', traits: { id: '42' } },
      isTheirs: false,
    },
    {
      name: 'an id among properties',
      event: { type: 'track', userId: 'u', properties: { id: '42', userId: '42' } },
      isTheirs: false,
    },
    {
      name: 'an anonymousId that the person had before',
      event: { type: 'track', anonymousId: 'before' },
      isTheirs: false,
    },
  ]

  for (const { name, event, isTheirs } of rows)
    it(`${name}: ${isTheirs ? 'is' : 'is not'} the person`, async () => {
      const { sluice, store, transport } = await start()
      const named = { event: 'E', messageId: 'm1', properties: {}, ...event }
      await sluice.ingest('k1', [{ type: 'identify', userId: id, anonymousId: 'before', messageId: 'm0' }, named])
      await sluice.settled()
      const logged = async () =>
        (await store.log.read('w1', 0, 9)).flatMap(({ events }) => events.map(({ messageId }) => messageId))
      const { held } = await reportUser({ workspaceId: 'w1', userId: id }, store, look)
      expect(held.find(({ where }) => where === 'event log')?.count).toBe(isTheirs ? 2 : 1)
      await erase(sluice, id)
      expect(await logged()).toEqual([undefined, isTheirs ? undefined : 'm1'])
      const before = transport.requests.length
      await sluice.ingest('k1', [{ ...named, messageId: 'm2' }])
      await sluice.settled()
      expect(transport.requests.length - before).toBe(isTheirs ? 0 : 1)
    })

  /** A regulation with other identifiers, and events of guests and of others who share one. */
  const guest = { userId: 'kim', email: ' Kim@Mail.test', phone: '+49 (30) 12', anonymousId: 'dev', loyalty: '77' }
  const byOthers: readonly { readonly name: string; readonly event: object; readonly isTheirs: boolean }[] = [
    {
      name: 'an e-mail address in the traits of a guest',
      event: { traits: { email: 'kim@mail.TEST ' } },
      isTheirs: true,
    },
    {
      name: 'an e-mail address in the traits of the context of a guest',
      event: { context: { traits: { email: 'kim@mail.test' } } },
      isTheirs: true,
    },
    {
      name: 'an e-mail address in the properties of a guest',
      event: { properties: { email: 'kim@mail.test' } },
      isTheirs: true,
    },
    {
      name: 'a phone number of a guest, in other groups',
      event: { properties: { phone: '+49/3012' } },
      isTheirs: true,
    },
    { name: 'a phone number of a guest, as a number', event: { traits: { phone: 493012 } }, isTheirs: true },
    { name: 'an anonymousId of a guest', event: { anonymousId: ' dev' }, isTheirs: true },
    {
      name: 'an e-mail address and an external id of a guest',
      event: { traits: { email: 'kim@mail.test' }, context: { externalId: [{ type: 'crm', id: '7' }] } },
      isTheirs: true,
    },
    {
      name: 'an e-mail address of another user',
      event: { userId: 'lee', traits: { email: 'kim@mail.test' } },
      isTheirs: false,
    },
    {
      name: 'an e-mail address of another user, named by the traits',
      event: { traits: { id: 'lee', email: 'kim@mail.test' } },
      isTheirs: false,
    },
    { name: 'an anonymousId of another user', event: { userId: 'lee', anonymousId: 'dev' }, isTheirs: false },
    {
      name: 'an e-mail address of a group',
      event: { type: 'group', groupId: 'g', traits: { email: 'kim@mail.test' } },
      isTheirs: false,
    },
    { name: 'another e-mail address', event: { traits: { email: 'kim@mail.test.example' } }, isTheirs: false },
    { name: 'an id that looks like the address', event: { userId: 'email:kim@mail.test' }, isTheirs: false },
    { name: 'an identifier of another name', event: { properties: { loyalty: '77' } }, isTheirs: false },
  ]
  for (const { name, event, isTheirs } of byOthers)
    it(`${name}: ${isTheirs ? 'is' : 'is not'} the person of a deletion, in log, retries, dead letters and suppression`, async () => {
      const { sluice, store, hookAnswers } = await start()
      const regulate = async (regulationType: 'suppress' | 'suppress_with_delete') => {
        const [regulation] = await sluice.regulations.create('w1', { regulationType, users: [guest] })
        return regulation?.id ?? ''
      }
      const send = (messageId: string) =>
        sluice.ingest('k1', [{ type: 'track', event: 'E', anonymousId: 'a', properties: {}, ...event, messageId }])
      // Other identifiers serve deletion only.
      await regulate('suppress')
      hookAnswers(400)
      await send('failed')
      await sluice.settled()
      hookAnswers(503)
      await send('waiting')
      const waiting = async () =>
        (
          await store.retries.read(
            'w1',
            (await store.retries.entries('w1', 'hook')).map(({ id }) => id),
          )
        ).length
      await eventually(waiting).toBe(1)
      const letters = async () => (await store.deadLetters.list('w1', { limit: 9 })).length
      expect(await letters()).toBe(1)
      const id = await regulate('suppress_with_delete')
      await eventually(async () =>
        (await sluice.deletions.ofRegulation('w1', id)).map(
          ({ destinationId, status }) => `${destinationId} ${status}`,
        ),
      ).toContain(' complete')
      const logged = (await store.log.read('w1', 0, 9)).flatMap(({ events }) =>
        events.map(({ messageId }) => messageId),
      )
      expect(logged).toEqual(isTheirs ? [undefined, undefined] : ['failed', 'waiting'])
      expect(await letters()).toBe(isTheirs ? 0 : 1)
      expect(await waiting()).toBe(isTheirs ? 0 : 1)
      await send('later')
      const end = (await store.log.read('w1', 0, 9)).flatMap(({ events }) => events)
      expect(end).toHaveLength(isTheirs ? 2 : 3)
      const { searched } = await searchUser(
        { workspaceId: 'w1', attributes: guest },
        { store, catalogue: createCatalogue({ store: store.schema, observers: { all: () => [] } }), ...look },
      )
      expect(searched.filter(({ count }) => count > 0)).toEqual([])
    })

  it('leaves no sample of a guest whose e-mail address is masked in it', async () => {
    const { sluice, store } = await start()
    const secret = 'Elm Street 7'
    await sluice.ingest('k1', [
      { type: 'track', event: 'E', anonymousId: 'a', properties: { email: 'kim@mail.test', street: secret } },
    ])
    await sluice.settled()
    const samples = async () => {
      const [model] = await store.schema.models('w1')
      const [version] = await store.schema.versions('w1', model?.eventId ?? '')
      return JSON.stringify(await store.schema.samples('w1', version?.versionId ?? ''))
    }
    expect(await samples()).toContain(secret)
    expect(await samples()).not.toContain('kim@mail.test')
    const [regulation] = await sluice.regulations.create('w1', {
      regulationType: 'suppress_with_delete',
      users: [{ userId: 'kim', email: 'KIM@mail.test' }],
    })
    const ofSluice = async () =>
      (await sluice.deletions.ofRegulation('w1', regulation?.id ?? '')).find(
        ({ destinationId }) => destinationId === '',
      )
    await eventually(async () => (await ofSluice())?.status).toBe('complete')
    expect(await samples()).not.toContain(secret)
  })

  it('is found with all ids in events that wait and in dead letters, after the log has forgotten them', async () => {
    const { sluice, store, hookAnswers } = await start()
    const send = (event: object) => sluice.ingest('k1', [{ type: 'track', event: 'E', ...event }])
    const externalId = [{ type: 'crm', id: 'crm-7' }]
    hookAnswers(400)
    await send({ userId: 'kim', anonymousId: 'a1', context: { externalId, traits: { email: 'Kim@mail.test' } } })
    await sluice.settled()
    hookAnswers(503)
    await send({ anonymousId: 'a2', traits: { phone: '+49 (30) 12' } })
    await send({ anonymousId: 'a3', traits: { id: 'lee', email: 'lee@mail.test' } })
    await eventually(async () => (await store.retries.entries('w1', 'hook')).length).toBe(2)
    const by = (search: UserSearch, match?: 'any') =>
      findUsers('w1', search, store, { clock: systemClock, engine }, match)
    const both = { email: ' KIM@mail.test', phone: '493012' }
    expect(await by(both)).toMatchObject({ users: [], isCut: false })
    // The event is in the log and among the dead letters.
    expect((await by({ email: both.email })).users).toMatchObject([{ userId: 'kim', events: 1 }])
    expect(await store.log.forgetUsers('w1', ['kim', 'a2', 'a3'])).toBe(3)
    const { users, isCut, notes } = await by(both, 'any')
    const found = users.map(({ userId, anonymousIds, otherIds, events }) => ({
      userId,
      anonymousIds,
      otherIds,
      events,
    }))
    expect(new Set(found)).toEqual(
      new Set([
        { userId: 'kim', anonymousIds: ['a1'], otherIds: ['crm-7'], events: 1 },
        { userId: undefined, anonymousIds: ['a2'], otherIds: [], events: 1 },
      ]),
    )
    expect([isCut, notes]).toEqual([false, [expect.stringMatching(/event log, events that wait .* and dead letters/)]])
    expect(await searchPerson(both, (search) => by(search, 'any'))).toEqual({
      userIds: ['kim'],
      guestIds: ['a2'],
      otherIds: ['crm-7'],
      isCut: false,
    })
    expect((await by({ email: 'lee@mail.test' })).users).toMatchObject([{ userId: 'lee', anonymousIds: ['a3'] }])
  })
})
