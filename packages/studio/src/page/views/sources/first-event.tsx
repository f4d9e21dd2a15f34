import type { StatsAnswer } from '@sluice/http'
import { useEffect, useState } from 'preact/hooks'
import { usePolled } from '../../api/polled.ts'
import { request } from '../../api/request.ts'
import { visitor } from '../../api/session.ts'
import { type TapEntry, watchTap } from '../../api/tap.ts'
import { Time } from '../../parts/format/time.tsx'
import { Pill } from '../../parts/signs/pill.tsx'
import { addressOf } from '../../shell/router.ts'

/** How often the counts are read: they notice what the stream of live events left out. */
const everyMs = 5_000

/** Says that a source waits for its first event, and by itself what came when one has come. */
export function FirstEvent({ sourceId }: { readonly sourceId: string }) {
  const [last, setLast] = useState<TapEntry>()
  useEffect(() => {
    const over = new AbortController()
    watchTap((message) => {
      if (message.kind !== 'entries') return
      const own = message.entries.findLast((entry) => entry.sourceId === sourceId && entry.outcome === 'accepted')
      if (own) setLast(own)
    }, over.signal)
    return () => over.abort()
  }, [sourceId])
  const { state } = usePolled(`first-event ${sourceId}`, (signal) => readCounts(sourceId, signal), everyMs)
  const { value } = state.value
  return (
    <p role="status">
      {last ? (
        <>
          <Pill state="good" isLive>
            An event came
          </Pill>{' '}
          {last.type} <strong>{last.event}</strong>, <Time at={last.at} />.{' '}
          <a href={addressOf(`/live/${encodeURIComponent(last.messageId)}`)}>Its journey</a>
        </>
      ) : value === undefined ? (
        ''
      ) : value.accepted > 0 ? (
        `${value.accepted} events have come so far.`
      ) : value.rejected > 0 ? (
        `Waiting for the first event. ${value.rejected} were refused: the answer to the sender says why.`
      ) : (
        <Pill state="wait" isLive>
          Waiting for the first event…
        </Pill>
      )}
    </p>
  )
}

async function readCounts(sourceId: string, signal: AbortSignal) {
  const { workspaces } = await request<StatsAnswer>('/v1/stats', { signal })
  const own = workspaces.find(({ workspaceId }) => workspaceId === visitor.value?.workspace.id)
  const source = own?.sources.find((each) => each.sourceId === sourceId)
  const rejected = Object.values(source?.rejected ?? {}).reduce((sum, count) => sum + count, 0)
  return { accepted: source?.accepted ?? 0, rejected }
}
