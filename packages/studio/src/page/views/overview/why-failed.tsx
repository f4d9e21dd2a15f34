import { Meter } from '../../parts/charts/meter.tsx'
import { countText } from '../../parts/format/count.tsx'
import { EmptyState } from '../../parts/page/empty-state.tsx'
import { Panel } from '../../parts/page/panel.tsx'
import { addressOf } from '../../shell/router.ts'
import { failureReasons } from '../watch/destination-sums.ts'
import { groupFilters, type LetterGroup, reasonText } from '../watch/letter-groups.ts'
import type { WatchedHistory } from '../watch/watched-history.ts'
import { nameIn, type Place } from '../watch/watched-places.ts'

interface WhyFailedProps {
  readonly history: WatchedHistory
  readonly destinations: readonly Place[]
  readonly groups: readonly LetterGroup[]
}

/** Reasons that are shown: the others are one click away. */
const reasonsMax = 5

/** Why events failed in a range, the most frequent first. */
export function WhyFailed({ history, destinations, groups }: WhyFailedProps) {
  const reasons = failureReasons(
    history,
    destinations.map(({ id }) => id),
  ).slice(0, reasonsMax)
  return (
    <Panel
      title="Why events failed"
      actions={
        <a class="btn ghost small" href={addressOf('/failed')}>
          All reasons
        </a>
      }
    >
      {reasons.length === 0 ? (
        <EmptyState icon="circle-check" title="No event failed">
          In this time, each event was delivered, filtered, or still waits.
        </EmptyState>
      ) : (
        <ul class="bars-list">
          {reasons.map(({ destinationId, code, count }) => {
            const group = groups.find((each) => each.destinationId === destinationId && each.code === code)
            const filters = group ? groupFilters(group) : { destination: destinationId }
            return (
              <li key={`${destinationId} ${code}`}>
                <a href={addressOf('/failed', filters)}>
                  {group ? reasonText(group.reason) : code}
                  <small>{nameIn(destinations, destinationId)}</small>
                </a>
                <b>{countText(count)}</b>
                <Meter share={count / (reasons[0]?.count ?? 1)} state="bad" />
              </li>
            )
          })}
        </ul>
      )}
    </Panel>
  )
}
