import type { Workspace } from '@sluice/core'
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

describe('write keys', () => {
  it('lead from a write key to its source and what is connected to it, once', () => {
    const writeKeys = new WriteKeys([workspace('a', 'ka'), workspace('b', 'kb')])
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
    const source = new WriteKeys([workspace('a', 'ka')]).find('ka')
    if (source === undefined) throw new Error('the source was not found')
    const changed = { ...workspace('a', 'ka'), connections: [] }
    expect(new WriteKeys([changed]).current(source)).toEqual({ ...source, destinationIds: [] })
    expect(new WriteKeys([workspace('a', 'other')]).current(source)).toBeUndefined()
    expect(new WriteKeys([workspace('b', 'ka')]).current(source)).toBeUndefined()
  })

  it('refuse a write key that two sources share, and do not show it', () => {
    expect(() => new WriteKeys([workspace('a', 'secret-key'), workspace('b', 'secret-key')])).toThrow(
      /^source s of workspace b/,
    )
    expect(() => new WriteKeys([workspace('a', 'secret-key'), workspace('b', 'secret-key')])).not.toThrow(/secret-key/)
  })
})
