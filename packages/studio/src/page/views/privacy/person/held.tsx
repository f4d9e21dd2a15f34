import { Meter } from '../../../parts/charts/meter.tsx'
import { Count, countText } from '../../../parts/format/count.tsx'
import { Icon, type IconName } from '../../../parts/signs/icon.tsx'
import { heldCount, type PersonReport } from './person-report.ts'

const icons: Readonly<Record<string, IconName>> = {
  'event log': 'database',
  'dead letters': 'mail-warning',
  'samples of the catalogue': 'book-open',
}

interface HeldProps {
  readonly report: PersonReport
  /** What was held before the deletion, where it is known. */
  readonly before: PersonReport | undefined
}

/** What Sluice holds of a person, by place. */
export function Held({ report, before }: HeldProps) {
  const shown = before ?? report
  const most = Math.max(1, ...shown.held.map(({ count }) => count))
  const left = new Map(report.held.map(({ where, count }) => [where, count]))
  return (
    <>
      <h3 class="side-title">
        {before ? 'Held in Sluice before the deletion' : 'Held in Sluice'}
        <small>{countText(heldCount(shown))} records</small>
      </h3>
      {shown.held.length === 0 ? <p class="side-note">Nothing is held of this person.</p> : null}
      <ul class="list held">
        {shown.held.map(({ where, count, note }) => (
          <li key={where}>
            <span class="mark">
              <Icon name={icons[where] ?? 'clock'} />
            </span>
            <span>
              {where}
              {note ? <small>{note}</small> : null}
            </span>
            <Meter share={count / most} state="guard" />
            <b>
              <Count value={count} />
            </b>
            {before && (left.get(where) ?? 0) === 0 ? (
              <span class="in good gone">
                <Icon name="check" />
                gone
              </span>
            ) : null}
          </li>
        ))}
      </ul>
      {report.notes.length === 0 ? null : (
        <footer class="panel-foot">
          {report.notes.map((note) => (
            <span key={note}>{note}</span>
          ))}
        </footer>
      )}
    </>
  )
}
