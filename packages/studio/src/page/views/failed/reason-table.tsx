import { SparkBars } from '../../parts/charts/spark-bars.tsx'
import { Count } from '../../parts/format/count.tsx'
import { Time } from '../../parts/format/time.tsx'
import { Scroll } from '../../parts/scroll.tsx'
import { LetterMark } from '../../parts/signs/letter-mark.tsx'
import { addressOf, filters, setFilters } from '../../shell/router.ts'
import { type LetterGroup, mendingPlaceOf, mendingPlaces, reasonText } from '../watch/letter-groups.ts'
import { nameIn, type Place } from '../watch/watched-places.ts'

interface ReasonTableProps {
  readonly groups: readonly LetterGroup[]
  readonly chosen: LetterGroup | undefined
  readonly destinations: readonly Place[]
}

/** Bars of a trend: so many that each is seen. */
const barsMax = 24

/** Failed events by reason, the most frequent first. Choosing one shows it beside the table. */
export function ReasonTable({ groups, chosen, destinations }: ReasonTableProps) {
  if (groups.length === 0) return <p class="hint reason-none">No reason has these words.</p>
  return (
    <Scroll label="Failed events by reason">
      <table class="reason-table">
        <caption class="unseen">Failed events by reason</caption>
        <thead>
          <tr>
            <th scope="col">Reason</th>
            <th scope="col" class="graph">
              Trend
            </th>
            <th scope="col" class="number">
              Events
            </th>
            <th scope="col" class="number">
              Last
            </th>
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => {
            const { destinationId, code, reason, count, last, counts } = group
            const place = destinations.find(({ id }) => id === destinationId)
            const choice = { at: destinationId, code, reason }
            return (
              <tr key={`${destinationId} ${code} ${reason}`} class={group === chosen ? 'chosen' : ''}>
                <th scope="row">
                  <span class="cell">
                    <LetterMark name={place?.type || destinationId} />
                    <span>
                      <a
                        href={addressOf('/failed', { ...filters.value, ...choice })}
                        aria-current={group === chosen ? 'true' : undefined}
                        onClick={(event) => {
                          if (event.ctrlKey || event.metaKey || event.shiftKey) return
                          event.preventDefault()
                          setFilters(choice)
                        }}
                      >
                        {reasonText(reason)}
                      </a>
                      <small>
                        {nameIn(destinations, destinationId)}, <code>{code}</code>
                      </small>
                    </span>
                  </span>
                </th>
                <td class="graph">
                  <SparkBars values={inBars(counts)} state={mendingPlaces[mendingPlaceOf(code)].state} />
                </td>
                <td class="number">
                  <Count value={count} />
                </td>
                <td class="number">
                  <Time at={last} />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </Scroll>
  )
}

function inBars(counts: readonly number[]): readonly number[] {
  const together = Math.max(1, Math.ceil(counts.length / barsMax))
  return Array.from({ length: Math.ceil(counts.length / together) }, (_, n) =>
    counts.slice(n * together, (n + 1) * together).reduce((sum, count) => sum + count, 0),
  )
}
