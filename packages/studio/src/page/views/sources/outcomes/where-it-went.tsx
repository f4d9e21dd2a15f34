import type { OutcomesAnswer } from '@sluice/http'
import { useState } from 'preact/hooks'
import { usePolled } from '../../../api/polled.ts'
import { readAll } from '../../../api/read-all.ts'
import { request } from '../../../api/request.ts'
import { allows } from '../../../api/session.ts'
import { BalanceBar } from '../../../parts/charts/balance-bar.tsx'
import { countText } from '../../../parts/format/count.tsx'
import { Notice } from '../../../parts/notice.tsx'
import { EmptyState } from '../../../parts/page/empty-state.tsx'
import { Panel } from '../../../parts/page/panel.tsx'
import { Skeleton } from '../../../parts/page/skeleton.tsx'
import { addressOf } from '../../../shell/router.ts'
import type { Destination } from '../../destinations/records.ts'
import { outcomeParts } from './outcome-parts.ts'

interface WhereItWentProps {
  readonly sourceId: string
  /** Only events of this type and name; left out, all events of the source. */
  readonly event?: { readonly type: string; readonly event: string }
}

const dayMs = 86_400_000
/** How long days are kept. */
const keptDays = 90

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** What became of the events of a day at each destination, and why some did not reach it. */
export function WhereItWent({ sourceId, event }: WhereItWentProps) {
  const today = dayOf(Date.now())
  const [day, setDay] = useState(today)
  const query = new URLSearchParams({ source: sourceId, day, ...(event ? chosen(event) : {}) })
  const address = `/v2/outcomes?${query}`
  const { value, error } = usePolled(
    address,
    async (signal) => {
      if (!allows('operate')) return undefined
      const [outcomes, destinations] = await Promise.all([
        request<OutcomesAnswer>(address, { signal }),
        readAll<Destination>('/v2/destinations', 'destinations', signal),
      ])
      return { outcomes, names: new Map(destinations.map(({ id, name }) => [id, name])) }
    },
    10_000,
  ).state.value
  if (!allows('operate')) return null
  return (
    <Panel
      title="Where it went"
      note="Events of one day, and why some did not arrive"
      actions={
        <label class="row">
          <span>Day</span>
          <input
            type="date"
            value={day}
            max={today}
            min={dayOf(Date.now() - keptDays * dayMs)}
            onChange={(change) => setDay(change.currentTarget.value || today)}
          />
        </label>
      }
      foot={value === undefined ? undefined : <span>{footOf(value.outcomes)}</span>}
    >
      {error ? <Notice kind="bad">{error.message}</Notice> : null}
      {value === undefined ? error ? null : <Skeleton lines={4} /> : <Destinations {...value} />}
    </Panel>
  )
}

function Destinations({
  outcomes: { accepted, destinations },
  names,
}: {
  readonly outcomes: OutcomesAnswer
  readonly names: ReadonlyMap<string, string>
}) {
  if (accepted === 0)
    return (
      <EmptyState icon="radio" title="No events">
        None was accepted on this day.
      </EmptyState>
    )
  return destinations.map((at) => (
    <BalanceBar
      key={at.destinationId}
      label={names.get(at.destinationId) ?? at.destinationId}
      title={names.get(at.destinationId) ?? at.destinationId}
      whole={at.accepted + at.replayed}
      parts={outcomeParts(at, addressOf('/failed', { destination: at.destinationId }))}
    />
  ))
}

function chosen({ type, event }: NonNullable<WhereItWentProps['event']>): Record<string, string> {
  return event === '' ? { type } : { type, event }
}

function footOf({ suppressed }: OutcomesAnswer): string {
  const days = 'Days are those of UTC.'
  if (suppressed === 0) return days
  return `${days} ${countText(suppressed)} further events of the source, of any name, were suppressed.`
}
