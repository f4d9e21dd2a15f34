import { useState } from 'preact/hooks'
import { usePolled } from '../../api/polled.ts'
import { allows } from '../../api/session.ts'
import { Meter } from '../../parts/charts/meter.tsx'
import { Spark } from '../../parts/charts/spark.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { SearchField } from '../../parts/fields/search-field.tsx'
import { Segmented } from '../../parts/fields/segmented.tsx'
import { countText } from '../../parts/format/count.tsx'
import { durationText } from '../../parts/format/duration-text.ts'
import { shareText } from '../../parts/format/share-text.ts'
import { Notice } from '../../parts/notice.tsx'
import { EmptyState } from '../../parts/page/empty-state.tsx'
import { PageHead } from '../../parts/page/page-head.tsx'
import { Skeleton } from '../../parts/page/skeleton.tsx'
import { Icon } from '../../parts/signs/icon.tsx'
import { LetterMark } from '../../parts/signs/letter-mark.tsx'
import { addressOf } from '../../shell/router.ts'
import { useCircuits } from './circuit.tsx'
import { destinationNumbers } from './health/destination-numbers.ts'
import { HealthPill, healthOf } from './health/health-pill.tsx'
import { useHistory } from './health/history.ts'
import { type Destination, type Records, readRecords } from './records.ts'
import { useDefinitions } from './settings/use-definitions.ts'

type Shown = 'all' | 'bad' | 'off'

/** All destinations: how well each receives events, and how much within a day. */
export function DestinationList() {
  const { value, error } = usePolled('records', readRecords, 10_000).state.value
  const circuits = useCircuits()
  const [search, setSearch] = useState('')
  const [shown, setShown] = useState<Shown>('all')
  const destinations = value?.destinations ?? []
  const stateOf = ({ id, enabled }: Destination) => healthOf(enabled, circuits.of(id)).state
  const bad = destinations.filter((each) => stateOf(each) === 'bad')
  const on = destinations.filter(({ enabled }) => enabled).length
  const isShown = (each: Destination): boolean =>
    `${each.name} ${each.type}`.toLowerCase().includes(search.trim().toLowerCase()) &&
    (shown === 'all' || (shown === 'off' ? !each.enabled : stateOf(each) === 'bad'))
  return (
    <>
      <PageHead
        title="Destinations"
        note={
          value ? `${on} of ${destinations.length} are on${bad.length > 0 ? `, ${bad.length} of them fail` : ''}.` : ''
        }
        actions={
          <>
            <SearchField label="Name or type" value={search} onInput={setSearch} />
            <Segmented
              label="State"
              options={[
                { value: 'all', text: 'All' },
                { value: 'bad', text: 'Fail' },
                { value: 'off', text: 'Off' },
              ]}
              value={shown}
              onChange={setShown}
            />
            {allows('write') && allows('operate') ? (
              <a class="btn main" href={addressOf('/destinations/new')}>
                <Icon name="plus" />
                Add a destination
              </a>
            ) : null}
          </>
        }
      />
      {error ? <Notice kind="bad">{error.message}</Notice> : null}
      {value === undefined ? (
        error ? null : (
          <Skeleton lines={6} />
        )
      ) : destinations.length === 0 ? (
        <EmptyState icon="send" title="There is no destination yet.">
          Events are kept in the log until there is one.
        </EmptyState>
      ) : (
        <DestinationTable records={value} rows={destinations.filter(isShown)} circuits={circuits} />
      )}
    </>
  )
}

interface DestinationTableProps {
  readonly records: Records
  readonly rows: readonly Destination[]
  readonly circuits: ReturnType<typeof useCircuits>
}

function DestinationTable({ records: { sources, connections }, rows, circuits }: DestinationTableProps) {
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
                <span class="quiet">none</span>
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
                <span class="cell presence">
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
