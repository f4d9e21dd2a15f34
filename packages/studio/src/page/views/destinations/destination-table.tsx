import { Meter } from '../../parts/charts/meter.tsx'
import { Spark } from '../../parts/charts/spark.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { countText } from '../../parts/format/count.tsx'
import { durationText } from '../../parts/format/duration-text.ts'
import { shareText } from '../../parts/format/share-text.ts'
import { Icon } from '../../parts/signs/icon.tsx'
import { LetterMark } from '../../parts/signs/letter-mark.tsx'
import { addressOf } from '../../shell/router.ts'
import type { useCircuits } from './circuit.tsx'
import { destinationNumbers } from './health/destination-numbers.ts'
import { HealthPill } from './health/health-pill.tsx'
import { useHistory } from './health/history.ts'
import type { Destination, Records } from './records.ts'
import { useDefinitions } from './settings/use-definitions.ts'

interface DestinationTableProps {
  readonly records: Records
  readonly rows: readonly Destination[]
  readonly circuits: ReturnType<typeof useCircuits>
}

/** All destinations that are shown, with their last 24 hours. */
export function DestinationTable({ records: { sources, connections }, rows, circuits }: DestinationTableProps) {
  const history = useHistory('24h')
  const definitions = useDefinitions().value
  const numbers = new Map(history ? rows.map(({ id }) => [id, destinationNumbers(history, id)]) : [])
  const typeOf = ({ type }: Destination): string => definitions?.find((each) => each.type === type)?.displayName ?? type
  const from = ({ id }: Destination): string => {
    const connected = sources.filter((source) =>
      connections.some((each) => each.destinationId === id && each.sourceId === source.id),
    )
    if (connected.length === 0) return 'no source'
    return connected.length === sources.length && sources.length > 2
      ? 'all sources'
      : connected.map(({ name }) => name).join(', ')
  }
  return (
    <section class="panel" aria-label="All destinations">
      <DataTable
        caption="The last 24 hours"
        rows={rows}
        keyOf={({ id }) => id}
        empty="No destination matches."
        columns={[
          {
            title: 'Destination',
            cell: (each) => (
              <span class="cell">
                <LetterMark name={typeOf(each)} />
                <span>
                  <a href={addressOf(`/destinations/${encodeURIComponent(each.id)}`)}>{each.name}</a>
                  <small>{typeOf(each)}</small>
                </span>
              </span>
            ),
          },
          {
            title: 'State',
            cell: ({ id, enabled, problems }) =>
              problems ? (
                <span class="in bad">not in use: {problems[0]?.allowed}</span>
              ) : (
                <HealthPill isEnabled={enabled} circuit={circuits.of(id)} />
              ),
          },
          { title: 'From', cell: from },
          {
            title: 'Your code',
            cell: ({ transformation: code }) =>
              code === undefined ? (
                <span class="soft">none</span>
              ) : code.id === undefined ? (
                code.name
              ) : (
                <a href={addressOf(`/transformations/${code.id}`)}>{code.name}</a>
              ),
          },
          {
            title: 'Delivered',
            cell: ({ id, enabled }) => {
              const known = numbers.get(id)
              return known && enabled ? (
                <span class="cell graph">
                  <Spark values={known.deliveredBySlot} />
                </span>
              ) : null
            },
          },
          {
            title: 'Of what ended',
            cell: ({ id }) => {
              const { ended = 0, delivered = 0 } = numbers.get(id) ?? {}
              return ended === 0 ? null : (
                <span class="cell">
                  <Meter share={delivered / ended} state="good" />
                  {shareText(delivered, ended, 0)}
                </span>
              )
            },
          },
          {
            title: 'Failed',
            isNumber: true,
            cell: ({ id }) => {
              const failed = numbers.get(id)?.failed
              if (!failed) return failed === undefined ? '' : '0'
              return (
                <a class="in bad" href={addressOf('/failed', { destination: id })}>
                  {countText(failed)}
                </a>
              )
            },
          },
          {
            title: '99 % within',
            isNumber: true,
            cell: ({ id }) => {
              const ms = numbers.get(id)?.almostAllWithinMs
              return ms === undefined ? '–' : durationText(ms)
            },
          },
          {
            title: 'Set up by',
            cell: ({ managedBy }) =>
              managedBy === 'file' ? (
                <span class="cell">
                  <Icon name="lock" />
                  file
                </span>
              ) : (
                'API or studio'
              ),
          },
        ]}
      />
    </section>
  )
}
