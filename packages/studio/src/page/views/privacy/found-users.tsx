import { usePolled } from '../../api/polled.ts'
import { request } from '../../api/request.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { Time } from '../../parts/format/time.tsx'
import { Notice } from '../../parts/notice.tsx'
import { addressOf } from '../../shell/router.ts'

/** What a user can be found by in events, with its name on the page. */
export const searches = { email: 'e-mail', phone: 'phone', anonymousId: 'anonymousId' } as const

export interface UserSearch {
  readonly by: keyof typeof searches
  readonly text: string
}

/** As `GET /v2/users` answers. */
interface Found {
  readonly data: readonly {
    readonly userId?: string
    readonly anonymousIds: readonly string[]
    readonly events: number
    readonly lastSeenAt: string
  }[]
  readonly notes: readonly string[]
}

/** Users whose events have an e-mail address, phone number or anonymousId; each leads to what is held of that user. */
export function FoundUsers({ search: { by, text } }: { readonly search: UserSearch }) {
  const path = `/v2/users?${new URLSearchParams({ [by]: text })}`
  const { state } = usePolled(path, (signal) => request<Found>(path, { signal, waitMs: 60_000 }), 0)
  const { value, error } = state.value
  if (error) return <Notice kind="bad">{error.message}</Notice>
  if (value === undefined) return <p class="hint">Searching the event log …</p>
  const rows = value.data.map((each) => ({ ...each, id: each.userId ?? each.anonymousIds[0] ?? '' }))
  return (
    <>
      <DataTable
        caption={`Users with this ${searches[by]}`}
        rows={rows}
        keyOf={({ id }) => id}
        empty={`No event in the log has this ${searches[by]}.`}
        columns={[
          { title: 'user', cell: ({ id }) => <a href={addressOf('/privacy', { user: id })}>{id}</a> },
          { title: 'id', cell: ({ userId }) => (userId === undefined ? 'anonymousId' : 'userId') },
          { title: 'events', isNumber: true, cell: ({ events }) => events },
          { title: 'last seen', cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
        ]}
      />
      {value.notes.map((note) => (
        <p key={note} class="hint">
          {note}
        </p>
      ))}
    </>
  )
}
