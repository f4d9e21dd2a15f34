import { createManualClock, type Workspace } from '@sluice/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { WriteKeys } from './write-keys.ts'

const workspace = (id: string, writeKey: string): Workspace => ({
  id,
  name: id,
  sources: [{ id: 's', name: 's', writeKey, enabled: true }],
  destinations: [],
  connections: [
    { sourceId: 's', destinationId: 'd1' },
    { sourceId: 's', destinationId: 'd1' },
    { sourceId: 'other', destinationId: 'd2' },
  ],
  accessTokens: [],
})

const clock = createManualClock()

describe('write keys', () => {
  it('lead from a write key to its source and what is connected to it, once', () => {
    const writeKeys = new WriteKeys([workspace('a', 'ka'), workspace('b', 'kb')], clock)
    expect(writeKeys.find('kb')).toEqual({
      workspaceId: 'b',
      sourceId: 's',
      writeKey: 'kb',
      enabled: true,
      destinationIds: ['d1'],
    })
    expect(writeKeys.find('kc')).toBeUndefined()
  })
  it('find what a source is now, unless it is gone or has another key', () => {
    const source = new WriteKeys([workspace('a', 'ka')], clock).find('ka')
    if (source === undefined) throw new Error('the source was not found')
    const changed = { ...workspace('a', 'ka'), connections: [] }
    expect(new WriteKeys([changed], clock).current(source)).toEqual({ ...source, destinationIds: [] })
    expect(new WriteKeys([workspace('a', 'other')], clock).current(source)).toBeUndefined()
    expect(new WriteKeys([workspace('b', 'ka')], clock).current(source)).toBeUndefined()
  })

  it('find a source by its former key until that ends, and call its events those of the present key', () => {
    const time = createManualClock()
    const [web] = workspace('a', 'new-key').sources
    if (web === undefined) throw new Error('there is no source')
    const rotated = { ...web, formerWriteKey: { writeKey: 'old-key', validUntil: time.now() + 1_000 } }
    const writeKeys = new WriteKeys([{ ...workspace('a', 'new-key'), sources: [rotated] }], time)
    expect(writeKeys.find('old-key')).toEqual(writeKeys.find('new-key'))
    expect(writeKeys.find('old-key')).toMatchObject({ writeKey: 'new-key' })
    time.advance(1_000)
    expect(writeKeys.find('old-key')).toBeUndefined()
    expect(writeKeys.find('new-key')).toBeDefined()
  })

  it('are the same after any changes as when they are built from the last state', () => {
    const sources = Array.from({ length: 6 }, (_, n) => ({ id: `s${n}`, name: '', writeKey: `k${n}`, enabled: true }))
    const connections = sources.flatMap(({ id }) =>
      ['d1', 'd2'].map((destinationId) => ({ sourceId: id, destinationId })),
    )
    const state = fc.record({
      sources: fc.shuffledSubarray(sources),
      connections: fc.shuffledSubarray(connections),
    })
    fc.assert(
      fc.property(fc.array(state, { minLength: 1, maxLength: 5 }), (states) => {
        const writeKeys = new WriteKeys([], clock)
        for (const each of states) {
          writeKeys.change([{ id: 'a', ...each }])()
          const built = new WriteKeys([{ id: 'a', ...each }], clock)
          for (const { writeKey } of sources) {
            const found = writeKeys.find(writeKey)
            expect(found).toEqual(built.find(writeKey))
            expect(found && writeKeys.current(found)).toEqual(found)
          }
        }
      }),
    )
  })

  it('refuse a write key that two sources share, and do not show it', () => {
    expect(() => new WriteKeys([workspace('a', 'secret-key'), workspace('b', 'secret-key')], clock)).toThrow(
      /^source s of workspace b/,
    )
    expect(() => new WriteKeys([workspace('a', 'secret-key'), workspace('b', 'secret-key')], clock)).not.toThrow(
      /secret-key/,
    )
  })
})
