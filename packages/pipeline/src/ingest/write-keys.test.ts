import type { Workspace } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { createRoutes } from './write-keys.ts'

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

describe('routes', () => {
  it('lead from a write key to its source and what is connected to it, once', () => {
    const routes = createRoutes([workspace('a', 'ka'), workspace('b', 'kb')])
    expect(routes('kb')).toEqual({
      workspaceId: 'b',
      sourceId: 's',
      writeKey: 'kb',
      enabled: true,
      destinationIds: ['d1'],
    })
    expect(routes('kc')).toBeUndefined()
  })
  it('refuse a write key that two sources share, without telling it', () => {
    expect(() => createRoutes([workspace('a', 'secret-key'), workspace('b', 'secret-key')])).toThrow(
      /^source s of workspace b/,
    )
    expect(() => createRoutes([workspace('a', 'secret-key'), workspace('b', 'secret-key')])).not.toThrow(/secret-key/)
  })
})
