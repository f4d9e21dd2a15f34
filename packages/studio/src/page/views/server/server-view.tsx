import { usePolled } from '../../api/polled.ts'
import { request } from '../../api/request.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { bytesText } from '../../parts/format/bytes-text.ts'
import { countText } from '../../parts/format/count.tsx'
import { Time } from '../../parts/format/time.tsx'
import { Notice } from '../../parts/notice.tsx'

interface Server {
  readonly version: string
  readonly startedAt: string
  readonly uptimeSeconds: number
  readonly store: { readonly kind?: string }
  /** Where regulations are kept a second time; left out for nowhere. */
  readonly ledger?: string
  readonly retention: { readonly ageMs: number; readonly bytesMax: number; readonly receiptsMax: number }
  readonly cluster?: {
    readonly nodes: number
    readonly lanes: number
    readonly isLeader: boolean
    readonly otherDefinitions: number
    readonly hasOlderDefinition: boolean
  }
}
interface Budget {
  readonly budget: string
  readonly unit: 'bytes' | 'count'
  readonly used: number
  readonly limit?: number
  readonly reserved?: number
}
interface Usage {
  readonly workspaces: readonly { readonly budgets: readonly Budget[] }[]
}

const read = async (signal: AbortSignal) => {
  const [server, usage] = await Promise.all([
    request<Server>('/v2/server', { signal }),
    request<Usage>('/v1/usage', { signal }),
  ])
  return { server, budgets: usage.workspaces[0]?.budgets ?? [] }
}

/** The process that answers, and what is used of each budget. */
export function ServerView() {
  const { value, error } = usePolled('server', read, 10_000).state.value
  return (
    <>
      {error ? <Notice kind="bad">{error.message}</Notice> : null}
      {value ? (
        <>
          <OtherDefinitions cluster={value.server.cluster} />
          <About server={value.server} />
          <DataTable
            caption="Budgets, shared by all workspaces"
            rows={value.budgets}
            keyOf={({ budget }) => budget}
            empty="There are no budgets."
            columns={[
              { title: 'budget', cell: ({ budget }) => budget },
              { title: 'used here', cell: ({ used, unit }) => amount(used, unit), isNumber: true },
              { title: 'limit', cell: ({ limit, unit }) => amount(limit, unit), isNumber: true },
              {
                title: 'kept for this workspace',
                cell: ({ reserved, unit }) => amount(reserved, unit),
                isNumber: true,
              },
            ]}
          />
        </>
      ) : null}
    </>
  )
}

/** Says that processes have different workspace files, and what that means. */
function OtherDefinitions({ cluster }: { readonly cluster: Server['cluster'] }) {
  if (cluster === undefined || cluster.otherDefinitions === 0) return null
  return (
    <Notice kind="bad">
      {cluster.otherDefinitions} of {cluster.nodes} processes have another definition of workspaces than this one, which
      has {cluster.hasOlderDefinition ? 'an older file' : 'the newest file'}. New events go where the newest says. Give
      all processes the same file, and restart those with an older one or send SIGHUP to them.
    </Notice>
  )
}

function About({
  server: { version, startedAt, uptimeSeconds, store, ledger, retention, cluster },
}: {
  readonly server: Server
}) {
  return (
    <dl class="facts">
      <dt>Version</dt>
      <dd>{version}</dd>
      <dt>Running since</dt>
      <dd>
        <Time at={startedAt} /> ({duration(uptimeSeconds)})
      </dd>
      <dt>Store</dt>
      <dd>{store.kind ?? 'of its own'}</dd>
      <dt>Ledger of regulations</dt>
      <dd>{ledger ?? 'none: a store that is restored forgets later regulations'}</dd>
      <dt>Log keeps</dt>
      <dd>
        {duration(retention.ageMs / 1_000)}, at most {amount(retention.bytesMax, 'bytes')}
      </dd>
      <dt>Receipts</dt>
      <dd>{retention.receiptsMax === 0 ? 'are off' : `the newest ${countText(retention.receiptsMax)}`}</dd>
      {cluster ? (
        <>
          <dt>Cluster</dt>
          <dd>
            {cluster.nodes} processes; this one holds {cluster.lanes} lanes{cluster.isLeader ? ' and leads' : ''}
          </dd>
        </>
      ) : null}
    </dl>
  )
}

function amount(value: number | undefined, unit: Budget['unit']): string {
  if (value === undefined) return 'none'
  return unit === 'count' ? countText(value) : bytesText(value)
}

const steps = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

function duration(seconds: number): string {
  const [unit = 'second', size = 1] = steps.find(([, each]) => seconds >= 2 * each) ?? []
  const count = Math.floor(seconds / size)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
