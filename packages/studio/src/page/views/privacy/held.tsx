import { type Polled, usePolled } from '../../api/polled.ts'
import { request } from '../../api/request.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { Count, countText } from '../../parts/format/count.tsx'
import { Notice } from '../../parts/notice.tsx'

/** What is held of a user, as `GET /v2/users/{userId}/report` shows it. */
interface Report {
  readonly held: readonly { readonly where: string; readonly count: number; readonly note?: string }[]
  readonly destinations: readonly { readonly destinationId: string; readonly events: number }[]
  /** What could not be counted. */
  readonly notes: readonly string[]
}

/** Reads what is held of a user every few seconds: deletions go on. */
export function useHeld(userId: string) {
  const path = `/v2/users/${encodeURIComponent(userId)}/report`
  return usePolled(path, (signal) => request<Report>(path, { signal }), 10_000)
}

/** Returns how much a deletion of the user is about, in words. */
export function heldText({ held, destinations }: Report): string {
  const records = held.reduce((sum, { count }) => sum + count, 0)
  const places = destinations.length === 1 ? '1 destination' : `${destinations.length} destinations`
  return `${countText(records)} records are held in Sluice, and ${places} got events, as far as is known.`
}

/** What Sluice holds of a user, and which destinations got events of the user. */
export function Held({ report: { value, error } }: { readonly report: Polled<Report> }) {
  if (error && value === undefined) return <Notice kind="bad">{error.message}</Notice>
  if (value === undefined) return <p class="hint">Looking up what is held …</p>
  return (
    <>
      {error ? <Notice kind="bad">{error.message}</Notice> : null}
      <div class="columns">
        <DataTable
          caption="Held in Sluice"
          rows={value.held}
          keyOf={({ where }) => where}
          empty="Nothing is held of this user."
          columns={[
            { title: 'where', cell: ({ where }) => where },
            { title: 'records', isNumber: true, cell: ({ count }) => <Count value={count} /> },
            { title: 'note', cell: ({ note }) => note },
          ]}
        />
        <DataTable
          caption="Sent to destinations, as far as receipts are kept"
          rows={value.destinations}
          keyOf={({ destinationId }) => destinationId}
          empty="No receipt says that a destination got an event of this user."
          columns={[
            { title: 'destination', cell: ({ destinationId }) => destinationId },
            { title: 'events', isNumber: true, cell: ({ events }) => <Count value={events} /> },
          ]}
        />
      </div>
      {value.notes.map((note) => (
        <p key={note} class="hint">
          {note}
        </p>
      ))}
    </>
  )
}
