import { useState } from 'preact/hooks'
import { DiffView } from '../../../editor/lazy-diff-view.tsx'
import { DataTable } from '../../../parts/data-table.tsx'
import { Time } from '../../../parts/format/time.tsx'
import { Panel } from '../../../parts/page/panel.tsx'

export interface LibraryVersion {
  readonly versionId: string
  readonly code: string
  readonly createdAt: string
  readonly isPublished: boolean
}

/** All versions of a library, newest first, and what changed since the live one. */
export function LibraryVersions({ versions }: { readonly versions: readonly LibraryVersion[] }) {
  const [shown, setShown] = useState<string>()
  const live = versions.find(({ isPublished }) => isPublished)
  const chosen = versions.find(({ versionId }) => versionId === shown)
  return (
    <Panel title="Versions" isFlush>
      <DataTable
        caption="All versions, newest first"
        rows={versions}
        keyOf={({ versionId }) => versionId}
        empty="There is none."
        columns={[
          { title: 'saved', cell: ({ createdAt }) => <Time at={createdAt} /> },
          { title: 'version', cell: ({ versionId }) => <code>{versionId}</code> },
          { title: 'state', cell: ({ isPublished }) => (isPublished ? <b class="in good">live</b> : '') },
          {
            title: 'compare',
            cell: (each) => (
              <button
                type="button"
                aria-pressed={shown === each.versionId}
                onClick={() => setShown(shown === each.versionId ? undefined : each.versionId)}
              >
                {live && live !== each ? 'Changes from the live version' : 'Show'}
              </button>
            ),
          },
        ]}
      />
      {chosen ? (
        <DiffView label="Changes from the live version" before={(live ?? chosen).code} after={chosen.code} />
      ) : null}
    </Panel>
  )
}
