import { createManualClock, createSeededRandom } from '@sluice/core'
import { createRegulations, createSuppressionIndex } from '@sluice/regulation'
import { createMemoryStore } from '@sluice/storage'
import { describe, expect, it } from 'vitest'

function setUp() {
  const clock = createManualClock()
  const random = createSeededRandom(3)
  const store = createMemoryStore({ clock, random })
  const index = createSuppressionIndex()
  return { store, index, clock, regulations: createRegulations({ store: store.regulations, index, clock, random }) }
}

describe('regulations', () => {
  it('are one per user of the request, listed in order of creation', async () => {
    const { regulations, clock } = setUp()
    const users = [{ userId: 'u1', email: 'u1@mail.test' }, { userId: ' 2 ' }]
    await regulations.create('w', { regulationType: 'suppress', sourceIds: ['s1'], users })
    clock.advance(1)
    await regulations.create('w', {
      regulationType: 'suppress_with_delete',
      destinationIds: ['d1'],
      users: [{ userId: 'u3' }],
    })
    const listed = await regulations.list('w', { limit: 10 })
    expect(listed.map(({ attributes, sourceIds, destinationIds }) => [attributes, sourceIds, destinationIds])).toEqual(
      expect.arrayContaining([
        [{ userId: 'u1', email: 'u1@mail.test' }, ['s1'], []],
        [{ userId: '2' }, ['s1'], []],
        [{ userId: 'u3' }, [], ['d1']],
      ]),
    )
    expect(listed.at(-1)?.attributes.userId).toBe('u3')
    expect(listed[0]).toMatchObject({ workspaceId: 'w', canceled: false, createdAt: '2026-01-01T00:00:00.000Z' })
  })

  it('are in force when create returned, and out of force when cancel returned, which may be repeated', async () => {
    const { regulations, index } = setUp()
    const [regulation] = await regulations.create('w', { regulationType: 'suppress', users: [{ userId: 'u1' }] })
    expect(index.matches('w', 'any', 'u1')).toBe(true)
    for (let times = 0; times < 2; times += 1) expect(await regulations.cancel('w', regulation?.id ?? '')).toBe(true)
    expect(index.matches('w', 'any', 'u1')).toBe(false)
    expect((await regulations.list('w', { limit: 1 }))[0]?.canceled).toBe(true)
    expect(await regulations.cancel('w', 'no-such-id')).toBe(false)
  })

  it('suppress on all sources when data is to be deleted too', async () => {
    const { regulations, index } = setUp()
    await regulations.create('w', { regulationType: 'suppress_with_delete', users: [{ userId: 'u1' }] })
    expect(index.matches('w', 'any', 'u1')).toBe(true)
  })

  it('are there again after a restart, without those that were cancelled', async () => {
    const { regulations, store, clock } = setUp()
    const users = Array.from({ length: 2_500 }, (_, i) => ({ userId: `u${i}` }))
    const created = await regulations.create('w', { regulationType: 'suppress', users })
    await regulations.cancel('w', created[0]?.id ?? '')
    const index = createSuppressionIndex()
    const again = createRegulations({ store: store.regulations, index, clock, random: createSeededRandom(4) })
    await again.load('w')
    expect(users.filter(({ userId }) => !index.matches('w', 's', userId))).toEqual([{ userId: 'u0' }])
  })

  const contradictions = [
    {
      name: 'destinations to a mere suppression',
      request: { regulationType: 'suppress', destinationIds: ['d'] },
      text: /^destinationIds/,
    },
    {
      name: 'sources to a deletion',
      request: { regulationType: 'suppress_with_delete', sourceIds: ['s'] },
      text: /^sourceIds/,
    },
    {
      name: 'a user without id',
      request: { regulationType: 'suppress', users: [{ userId: 'u' }, { userId: '\u200b' }] },
      text: /^users\[1\]/,
    },
  ] as const
  for (const { name, request, text } of contradictions) {
    it(`refuse ${name}, and store nothing`, async () => {
      const { regulations, index } = setUp()
      await expect(regulations.create('w', { users: [{ userId: 'u' }], ...request })).rejects.toThrow(text)
      expect(await regulations.list('w', { limit: 10 })).toEqual([])
      expect(index.matches('w', 's', 'u')).toBe(false)
    })
  }
})
