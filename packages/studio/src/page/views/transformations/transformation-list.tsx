import { DataTable } from '../../parts/data-table.tsx'
import { countText } from '../../parts/format/count.tsx'
import { Time } from '../../parts/format/time.tsx'
import { EmptyState } from '../../parts/page/empty-state.tsx'
import { Icon } from '../../parts/signs/icon.tsx'
import { Pill } from '../../parts/signs/pill.tsx'
import { addressOf } from '../../shell/router.ts'
import { type History, totalOf, useHistory } from '../destinations/health/history.ts'
import { isOfCode } from './publish/version-steps.ts'
import type { Transformation } from './transformation.ts'

/** All transformations: whether they are live, where they run, and how many events came and failed within a day. */
export function TransformationList({ transformations }: { readonly transformations: readonly Transformation[] }) {
  const history = useHistory('24h')
  if (transformations.length === 0)
    return (
      <EmptyState icon="code-xml" title="There is none yet.">
        Create one, try it on recorded events, and publish it when you like what it does.
      </EmptyState>
    )
  return (
    <DataTable
      caption="Transformations, with the last 24 hours at their destinations"
      rows={transformations}
      keyOf={({ id }) => id}
      empty=""
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
        { title: 'State', cell: (each) => <State transformation={each} /> },
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

function State({ transformation }: { readonly transformation: Transformation }) {
  const { publishedVersionId, versionId } = transformation
  if (publishedVersionId === null) return <Pill state="idle">never published</Pill>
  return publishedVersionId === versionId ? (
    <Pill state="good">live</Pill>
  ) : (
    <Pill state="note" icon="git-compare">
      live, with a newer revision
    </Pill>
  )
}

type Fits = Parameters<typeof totalOf>[1]

/** Returns the sum at the destinations of a transformation; empty while it is not known, or where it runs nowhere. */
function numberOf(history: History | undefined, { destinations = [] }: Transformation, fits: Fits): string {
  if (history === undefined || destinations.length === 0) return ''
  const ids = new Set(destinations.map(({ id }) => id))
  return countText(totalOf(history, (series) => fits(series) && ids.has(series.destinationId ?? '')))
}
