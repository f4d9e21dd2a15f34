import { request } from '../../api/request.ts'
import { allows } from '../../api/session.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { useAction } from '../../parts/use-action.ts'
import { addressOf, go } from '../../shell/router.ts'
import type { Source } from '../destinations/records.ts'

/** All sources, and a form that creates one. */
export function Sources({ sources }: { readonly sources: readonly Source[] }) {
  return (
    <>
      <DataTable
        caption="Sources"
        rows={sources}
        keyOf={({ id }) => id}
        empty="There is no source yet."
        columns={[
          { title: 'name', cell: ({ id, name }) => <a href={addressOf(sourcePath(id))}>{name}</a> },
          { title: 'state', cell: ({ enabled }) => (enabled ? 'enabled' : 'disabled') },
          { title: 'write keys', cell: ({ formerWriteKey }) => (formerWriteKey ? 'two, for a while' : 'one') },
          { title: 'managed by', cell: ({ managedBy }) => managedBy },
        ]}
      />
      {allows('write') && allows('operate') ? <NewSource /> : null}
    </>
  )
}

function NewSource() {
  const action = useAction()
  return (
    <>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault()
          const name = String(new FormData(event.currentTarget).get('name') ?? '')
          void action.run(async () => {
            const { source } = await request<{ source: Source }>('/v2/sources', { method: 'POST', body: { name } })
            go(sourcePath(source.id))
            return undefined
          })
        }}
      >
        <label>
          Name of a new source
          <input name="name" required maxLength={200} />
        </label>
        <button type="submit" disabled={action.isBusy}>
          Create source
        </button>
      </form>
      <Outcome action={action} />
    </>
  )
}

const sourcePath = (id: string): string => `/sources/${encodeURIComponent(id)}`
