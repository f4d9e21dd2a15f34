import { createManualClock, createSeededRandom, markedKey } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import type { Regulation } from '../regulation.ts'
import type { RegulationChange, RegulationStore, SettledIndex, StoredSegment } from '../regulation-store.ts'
import { createSuppressStage } from './suppress-stage.ts'
import { createSuppressionIndex, type SuppressionIndex } from './suppression-index.ts'

/** What the index uses of the port, kept by hand. */
function storeOf() {
  const active: Regulation[] = []
  const changes: RegulationChange[] = []
  const segments = new Map<number, StoredSegment>()
  const state = {
    isDown: false,
    settled: { position: 0 } as SettledIndex,
    resets: 0,
    asked: [] as string[],
    secret: undefined as Uint8Array | undefined,
  }
  const up = <T>(value: T): Promise<T> =>
    state.isDown ? Promise.reject(new Error('the disk is gone')) : Promise.resolve(value)
  const store: Pick<RegulationStore, 'activeAt' | 'activeOf' | 'hasFurtherKeys' | 'changes' | 'index'> = {
    activeOf: (workspaceId, userIds) => {
      state.asked.push(...userIds)
      return up(active.filter((each) => each.workspaceId === workspaceId && userIds.includes(each.attributes.userId)))
    },
    activeAt: (at) => up(changes.some((change) => change.position > at) ? undefined : active.length),
    hasFurtherKeys: () => up(false),
    changes: (after, limit) => up(changes.filter(({ position }) => position > after).slice(0, limit)),
    index: {
      secret: (fresh) => {
        state.secret ??= fresh
        return up(state.secret)
      },
      write: async (segment) => {
        segments.set(segment.number, segment)
      },
      settle: async (position, digest) => {
        state.settled = { position, digest }
        changes.splice(0, changes.findLastIndex((change) => change.position <= position) + 1)
      },
      settled: () => up(state.settled),
      numbers: () => up([...segments.keys()]),
      read: (number) => up(segments.get(number)),
      reset: async () => {
        state.resets += 1
        state.settled = { position: 0 }
        segments.clear()
        changes.splice(0)
        for (const { workspaceId, attributes } of active) change(workspaceId, attributes.userId, 1)
      },
    },
  }
  let position = 0
  function change(workspaceId: string, userId: string, delta: 1 | -1): void {
    position += 1
    changes.push({ position, workspaceId, userId, delta })
  }
  return {
    store: store as RegulationStore,
    state,
    segments,
    add(workspaceId: string, userId: string, sourceIds: readonly string[] = []): void {
      const rest = { canceled: false, destinationIds: [], createdAt: '2026-01-01T00:00:00.000Z' }
      const id = `${active.length}`
      active.push({ id, workspaceId, regulationType: 'suppress', attributes: { userId }, sourceIds, ...rest })
      change(workspaceId, userId, 1)
    },
    /** Removes the last regulation without a change, as by hand. */
    forget(): void {
      active.pop()
    },
    cancel(workspaceId: string, userId: string): void {
      const isIt = (each: Regulation) => each.workspaceId === workspaceId && each.attributes.userId === userId
      active.splice(active.findIndex(isIt), 1)
      change(workspaceId, userId, -1)
    },
  }
}

function indexOf({ store }: ReturnType<typeof storeOf>, onError: (error: unknown) => void = () => {}) {
  const clock = createManualClock()
  return { clock, index: createSuppressionIndex({ store, clock, random: createSeededRandom(1), onError }) }
}

const ask = async (index: SuppressionIndex, userId: unknown, workspaceId = 'w', sourceId = 's') =>
  (await index.check([{ workspaceId, sourceId, userId }]))[0]

describe('the suppression index', () => {
  it('answers for each question by workspace, source and cleaned userId', async () => {
    const kept = storeOf()
    kept.add('w', 'everywhere')
    kept.add('w', 'here', ['s'])
    kept.add('w', 'there', ['other'])
    const { index } = indexOf(kept)
    await index.catchUp()
    const questions = ['everywhere', 'here', 'there', ' every\u200bwhere ', 'unknown', '', undefined, 7].map(
      (userId) => ({
        workspaceId: 'w',
        sourceId: 's',
        userId,
      }),
    )
    expect(await index.check(questions)).toEqual([true, true, false, true, false, false, false, false])
    expect(await ask(index, 'everywhere', 'other workspace')).toBe(false)
    expect(index.size).toBe(3)
  })

  it('looks for other keys than userIds from the first regulation that has one, and before it is loaded', async () => {
    const kept = storeOf()
    kept.add('w', 'u1')
    const { index } = indexOf(kept)
    expect(index.hasFurtherKeys).toBe(true)
    await index.catchUp()
    expect(index.hasFurtherKeys).toBe(false)
    kept.add('w', markedKey('email', 'ann@mail.test'))
    await index.catchUp()
    expect(index.hasFurtherKeys).toBe(true)
  })

  it('reads no regulation of users under none', async () => {
    const kept = storeOf()
    kept.add('w', 'u1')
    const { index } = indexOf(kept)
    await index.catchUp()
    expect(await ask(index, 'u2')).toBe(false)
    expect(kept.state.asked).toEqual([])
  })

  it('keeps a user suppressed until the last of several regulations is cancelled', async () => {
    const kept = storeOf()
    kept.add('w', 'u1')
    kept.add('w', 'u1')
    const { index } = indexOf(kept)
    kept.cancel('w', 'u1')
    await index.catchUp()
    expect(await ask(index, 'u1')).toBe(true)
    kept.cancel('w', 'u1')
    await index.catchUp()
    expect([await ask(index, 'u1'), index.size]).toEqual([false, 0])
  })

  it('answers nothing before it is loaded', async () => {
    const { index } = indexOf(storeOf())
    expect(index.isReady).toBe(false)
    await expect(ask(index, 'u1')).rejects.toThrow('not loaded')
    await index.catchUp()
    expect(index.isReady).toBe(true)
  })

  it('answers nothing while a change may be missing, and tries again at most once a second', async () => {
    const kept = storeOf()
    const errors: unknown[] = []
    const { clock, index } = indexOf(kept, (error) => errors.push(error))
    await index.catchUp()
    kept.state.isDown = true
    await expect(index.catchUp()).rejects.toThrow('cannot be read')
    kept.state.isDown = false
    kept.add('w', 'u1')
    await expect(ask(index, 'u1')).rejects.toThrow('not loaded')
    await new Promise(setImmediate)
    expect(index.isReady).toBe(false)
    clock.advance(1_000)
    await expect(ask(index, 'u1')).rejects.toThrow('not loaded')
    await expect.poll(() => index.isReady, { interval: 1 }).toBe(true)
    expect(await ask(index, 'u1')).toBe(true)
    expect(errors).toEqual([])
  })

  it('refuses to answer when the regulations of a match cannot be read', async () => {
    const kept = storeOf()
    kept.add('w', 'u1')
    const { index } = indexOf(kept)
    await index.catchUp()
    kept.state.isDown = true
    await expect(ask(index, 'u1')).rejects.toThrow('cannot be read')
    expect(await ask(index, 'u2')).toBe(false)
  })

  it('has after a restart what it stored when it was closed', async () => {
    const kept = storeOf()
    for (let i = 0; i < 50; i += 1) kept.add('w', `u${i}`)
    const first = indexOf(kept).index
    await first.catchUp()
    await first.close()
    kept.cancel('w', 'u7')
    const { index } = indexOf(kept)
    await index.catchUp()
    expect([index.size, await ask(index, 'u49'), await ask(index, 'u7')]).toEqual([49, true, false])
  })

  it('applies no change twice when it ended while it stored itself', async () => {
    const kept = storeOf()
    for (let i = 0; i < 50; i += 1) kept.add('w', `u${i}`)
    const first = indexOf(kept).index
    await first.catchUp()
    kept.store.index.settle = () => Promise.reject(new Error('killed'))
    await expect(first.close()).rejects.toThrow('killed')
    const { index } = indexOf(kept)
    await index.catchUp()
    expect(index.size).toBe(50)
  })

  it('is rebuilt from the regulations, and reports it, when a stored part is damaged', async () => {
    const kept = storeOf()
    for (let i = 0; i < 50; i += 1) kept.add('w', `u${i}`)
    const first = indexOf(kept).index
    await first.catchUp()
    await first.close()
    const [segment] = kept.segments.values()
    if (segment) kept.segments.set(segment.number, { ...segment, bytes: segment.bytes.slice(0, -1) })
    const errors: unknown[] = []
    const { index } = indexOf(kept, (error) => errors.push(error))
    await index.catchUp()
    expect([index.size, await ask(index, 'u0'), kept.state.resets]).toEqual([50, true, 1])
    expect(String(errors[0])).toContain('damaged')
  })

  const tamperings: readonly { readonly name: string; tamper(kept: ReturnType<typeof storeOf>): void }[] = [
    { name: 'its secret was changed', tamper: ({ state }) => (state.secret = new Uint8Array(8).fill(7)) },
    {
      name: 'its position was raised',
      tamper: ({ state }) => (state.settled = { ...state.settled, position: state.settled.position + 5 }),
    },
    { name: 'its digest was removed', tamper: ({ state }) => (state.settled = { position: state.settled.position }) },
    {
      name: 'its state was removed as a whole',
      tamper: ({ state }) => {
        state.settled = { position: 0 }
        state.secret = new Uint8Array(8).fill(7)
      },
    },
    { name: 'a part of it was removed', tamper: ({ segments }) => segments.delete([...segments.keys()][0] ?? 0) },
    { name: 'a regulation was removed', tamper: ({ forget }) => forget() },
  ]
  for (const { name, tamper } of tamperings) {
    it(`lets no event pass when ${name}, until it is rebuilt`, async () => {
      const kept = storeOf()
      for (let i = 0; i < 50; i += 1) kept.add('w', `u${i}`)
      const first = indexOf(kept).index
      await first.catchUp()
      await first.close()
      tamper(kept)
      const errors: unknown[] = []
      const { clock, index } = indexOf(kept, (error) => errors.push(error))
      await index.catchUp().catch(() => {})
      const item = { workspaceId: 'w', sourceId: 's', writeKey: 'k', event: { type: 'track', userId: 'u49' } } as const
      const run = (onUnavailable: 'refuse' | 'pass') =>
        createSuppressStage(index, onUnavailable).run([item], new AbortController().signal)
      if (name === 'its state was removed as a whole') {
        // Nothing is lost then: it is rebuilt from the regulations at once.
        expect([await ask(index, 'u49'), kept.state.resets]).toEqual([true, 1])
        return
      }
      expect(index.isReady).toBe(false)
      for (const onUnavailable of ['refuse', 'pass'] as const)
        await expect(run(onUnavailable)).rejects.toThrow('sluice regulations rebuild')
      expect(String(errors[0])).toContain('does not belong to the regulations')
      await kept.store.index.reset()
      clock.advance(1_000)
      await index.catchUp()
      expect(index.isReady).toBe(true)
      expect(await ask(index, 'u49')).toBe(name !== 'a regulation was removed')
    })
  }
})

describe('an index of several processes', () => {
  it('is read again when another process has deleted changes that it had not read', async () => {
    const { store, add } = storeOf()
    const open = (isLeader: boolean): SuppressionIndex =>
      createSuppressionIndex({
        store,
        clock: createManualClock(),
        random: createSeededRandom(1),
        cluster: { isServing: true, isLeader },
      })
    const [leader, silent] = [open(true), open(false)]
    add('w1', 'before')
    await Promise.all([leader.catchUp(), silent.catchUp()])
    add('w1', 'missed')
    await leader.catchUp()
    // Stores the index, and deletes the changes that are in it.
    await leader.close()
    expect(await store.changes(0, 9)).toEqual([])
    await silent.catchUp()
    const of = (userId: string) => ({ workspaceId: 'w1', sourceId: 's1', userId })
    expect(await silent.check([of('before'), of('missed'), of('other')])).toEqual([true, true, false])
  })
})
