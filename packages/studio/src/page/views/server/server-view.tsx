import './server.css'
import { usePolled } from '../../api/polled.ts'
import { request } from '../../api/request.ts'
import { bytesText } from '../../parts/format/bytes-text.ts'
import { countText } from '../../parts/format/count.tsx'
import { Notice } from '../../parts/notice.tsx'
import { PageHead } from '../../parts/page/page-head.tsx'
import { Skeleton } from '../../parts/page/skeleton.tsx'
import { Pill } from '../../parts/signs/pill.tsx'
import { BackUp } from './back-up.tsx'
import { Budgets } from './budgets.tsx'
import { Processes } from './processes.tsx'
import type { Budget, Cluster, Server } from './server.ts'
import { ServerTiles } from './server-tiles.tsx'

const read = async (signal: AbortSignal) => {
  const [server, usage] = await Promise.all([
    request<Server>('/v2/server', { signal }),
    request<{ readonly workspaces: readonly { readonly budgets: readonly Budget[] }[] }>('/v1/usage', { signal }),
  ])
  return { server, budgets: usage.workspaces[0]?.budgets ?? [] }
}

/** What runs, in which store, and how full it is. */
export function ServerView() {
  const { value, error } = usePolled('server', read, 10_000).state.value
  // Waits for a beat of each process, so it is read by itself.
  const cluster = usePolled('cluster', (signal) => request<Cluster>('/v2/cluster', { signal }), 15_000).state.value
  const silent = cluster.value?.processes.filter(({ state }) => state === 'silent').length ?? 0
  const count = cluster.value?.processes.length ?? 0
  return (
    <>
      <PageHead
        title="Server"
        note="What runs here, and how much of each budget is used."
        state={
          count === 0 ? null : silent > 0 ? (
            <Pill state="bad">
              {silent} of {count} processes are silent
            </Pill>
          ) : (
            <Pill state="good" isLive>
              {count === 1 ? '1 process works' : `${count} processes work`}
            </Pill>
          )
        }
        actions={
          <div class="row">
            <a class="btn" href="/openapi.json" target="_blank" rel="noreferrer">
              API
            </a>
            {value ? <BackUp kind={value.server.store.kind} /> : null}
          </div>
        }
      />
      {error ? <Notice kind="bad">{error.message}</Notice> : null}
      {cluster.error ? <Notice kind="bad">{cluster.error.message}</Notice> : null}
      {value === undefined ? (
        error ? null : (
          <Skeleton isTall />
        )
      ) : (
        <>
          <OtherDefinitions cluster={value.server.cluster} />
          <ServerTiles server={value.server} />
          <div class="grid main-side">
            {cluster.value ? (
              <Processes cluster={cluster.value} server={value.server} />
            ) : cluster.error ? (
              <span />
            ) : (
              <Skeleton isTall />
            )}
            <Budgets budgets={value.budgets} server={value.server} />
          </div>
          <p class="help">
            {value.server.retention.receiptsMax === 0
              ? 'Receipts are off: what became of an event is known while it is in the log.'
              : `The newest ${countText(value.server.retention.receiptsMax)} receipts are kept.`}{' '}
            The log of this workspace may take {bytesText(value.server.retention.bytesMax)} before old events make room.
          </p>
        </>
      )}
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
