import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ConfigurationRecord } from './configuration-record.ts'
import { type Part, type WorkspaceParts, WorkspacePartsDraft } from './workspace-parts.ts'

const none = {
  source: new Map(),
  destination: new Map(),
  connection: new Map(),
  token: new Map(),
  credential: new Map(),
}
const empty: WorkspaceParts = {
  id: 'w',
  name: 'w',
  parts: none,
  defined: {
    source: new Set(),
    destination: new Set(),
    connection: new Set(),
    token: new Set(),
    credential: new Set(),
  },
  pauses: new Map(),
  workspace: { id: 'w', name: 'w', sources: [], destinations: [], connections: [], accessTokens: [] },
}

function sourceOf(id: string, name: string): Part<WorkspaceParts['workspace']['sources'][number]> {
  const record: ConfigurationRecord = {
    workspaceId: 'w',
    kind: 'source',
    id,
    revision: 1,
    createdAt: 0,
    updatedAt: 0,
    body: {},
  }
  return { id, record, element: {}, value: { id, name, writeKey: id, enabled: true } }
}

it('a workspace lists what its parts mean, in their order, after any changes', () => {
  const id = fc.constantFrom('s1', 's2', 's3', 's4')
  const change = fc.record({ id, isRemoval: fc.boolean(), name: fc.string() })
  fc.assert(
    fc.property(fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 6 }), (drafts) => {
      let parts = empty
      for (const changes of drafts) {
        const before = parts.workspace.sources.map(({ name }) => name)
        const draft = new WorkspacePartsDraft(parts)
        for (const { id, isRemoval, name } of changes) {
          if (isRemoval) draft.remove('source', id)
          else draft.put('source', sourceOf(id, name))
        }
        const next = draft.finish()
        expect(next.workspace.sources).toEqual([...next.parts.source.values()].map(({ value }) => value))
        expect(parts.workspace.sources.map(({ name }) => name)).toEqual(before)
        parts = next
      }
    }),
  )
})
