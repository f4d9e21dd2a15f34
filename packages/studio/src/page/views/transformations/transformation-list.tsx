import { Meter } from '../../parts/charts/meter.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { countText } from '../../parts/format/count.tsx'
import { shareText } from '../../parts/format/share-text.ts'
import { Time } from '../../parts/format/time.tsx'
import { EmptyState } from '../../parts/page/empty-state.tsx'
import { Icon } from '../../parts/signs/icon.tsx'
import { addressOf } from '../../shell/router.ts'
import { type History, totalOf, useHistory } from '../destinations/health/history.ts'
import { LivePill } from './live-pill.tsx'
import { passedCode } from './passed-code.ts'
import { isOfCode } from './publish/version-steps.ts'
import type { Transformation } from './transformation.ts'

interface TransformationListProps {
  readonly transformations: readonly Transformation[]
  /** Text in the name or the code of those that are shown. */
  readonly search: string
}

/** All transformations: whether they are live, where they run, and how many events came, passed and failed within a day. */
export function TransformationList({ transformations, search }: TransformationListProps) {
  const history = useHistory('24h')
  const wanted = search.trim().toLowerCase()
  if (transformations.length === 0)
    return (
      <EmptyState icon="code-xml" title="There is none yet.">
        Create one, try it on recorded events, and publish it when you like what it does.
      </EmptyState>
    )
  return (
    <DataTable
      caption="Transformations, with the last 24 hours at their destinations"
      rows={transformations.filter(({ name, code }) => `${name}\n${code}`.toLowerCase().includes(wanted))}
      keyOf={({ id }) => id}
      empty="No transformation matches."
      columns={[
        {
          title: 'Name',
          cell: ({ id, name, language }) => (
            <span class="cell">
              <span class="mark">
                <Icon name="code-xml" />
              </span>
              <span>
                <a href={addressOf(`/transformations/${id}`)}>{name}</a>
                <small>{language === 'typescript' ? 'TypeScript' : 'JavaScript'}</small>
              </span>
            </span>
          ),
        },
        { title: 'Live', cell: (each) => <LivePill transformation={each} /> },
        {
          title: 'Runs before',
          cell: ({ destinations = [] }) =>
            destinations.length === 0
              ? 'nothing'
              : destinations.map(({ id, name }, n) => (
                  <span key={id}>
                    {n === 0 ? '' : ', '}
                    <a href={addressOf(`/destinations/${encodeURIComponent(id)}`)}>{name}</a>
                  </span>
                )),
        },
        { title: 'Came', isNumber: true, cell: (each) => numberOf(history, each, ({ kind }) => kind === 'accepted') },
        {
          title: 'Passed, of what ended',
          cell: ({ destinations = [] }) => {
            if (history === undefined || destinations.length === 0) return null
            const { ended, passed } = passedCode(history, new Set(destinations.map(({ id }) => id)))
            return ended === 0 ? null : (
              <span class="cell">
                <Meter share={passed / ended} state="good" />
                {shareText(passed, ended, 0)}
              </span>
            )
          },
        },
        {
          title: 'Failed in code',
          isNumber: true,
          cell: (each) => {
            const text = numberOf(history, each, isOfCode)
            const [first] = each.destinations ?? []
            return text === '0' || text === '' || first === undefined ? (
              text
            ) : (
              <a class="in bad" href={addressOf('/failed', { destination: first.id })}>
                {text}
              </a>
            )
          },
        },
        { title: 'Saved', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
      ]}
    />
  )
}

type Fits = Parameters<typeof totalOf>[1]

/** Returns the sum at the destinations of a transformation; empty while it is not known, or where it runs nowhere. */
function numberOf(history: History | undefined, { destinations = [] }: Transformation, fits: Fits): string {
  if (history === undefined || destinations.length === 0) return ''
  const ids = new Set(destinations.map(({ id }) => id))
  return countText(totalOf(history, (series) => fits(series) && ids.has(series.destinationId ?? '')))
}
