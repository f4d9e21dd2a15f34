import { useState } from 'preact/hooks'
import { usePolled } from '../../api/polled.ts'
import { request } from '../../api/request.ts'
import { JsonDifference } from '../../parts/code/json-difference.tsx'
import { JsonTree } from '../../parts/code/json-tree.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Skeleton } from '../../parts/page/skeleton.tsx'
import { nameIn, type WatchedPlaces } from '../watch/watched-places.ts'
import { asSent, useEventPayload } from './event-payload.ts'
import type { EventTrace } from './event-trace.ts'

interface StagesTabProps {
  readonly messageId: string
  readonly trace: EventTrace
  readonly places: WatchedPlaces | undefined
}

/** An answer of the Test API, as far as it is shown. */
interface Tested {
  readonly data: readonly {
    readonly user_transformed_payload?: unknown
    readonly dest_transformed_payload?: unknown
  }[]
}

/** What each stage before a destination makes of an event now, since outputs of events that ended are not kept. */
export function StagesTab({ messageId, trace, places }: StagesTabProps) {
  const { value, error } = useEventPayload(messageId, false)
  const destinations = trace.destinations.filter(({ destinationId }) =>
    places?.destinations.some(({ id, enabled }) => id === destinationId && enabled),
  )
  const changed = destinations.find(({ versionId }) => versionId !== undefined) ?? destinations[0]
  const [given, setGiven] = useState<string>()
  const id = given ?? changed?.destinationId
  if (error?.status === 404)
    return <p class="side-note">Its content is no longer kept: it has ended, and is not in the log.</p>
  if (error) return <Notice kind="bad">{error.message}</Notice>
  if (value === undefined) return <Skeleton />
  if (id === undefined) return <p class="side-note">It went to no destination that is on.</p>
  return (
    <div class="side-body">
      <div class="side-bar">
        <label>
          <span class="unseen">Destination</span>
          <select value={id} onChange={(event) => setGiven(event.currentTarget.value)}>
            {destinations.map(({ destinationId }) => (
              <option key={destinationId} value={destinationId}>
                {nameIn(places?.destinations ?? [], destinationId)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Stages key={id} messageId={messageId} destinationId={id} event={asSent(value.event)} places={places} />
    </div>
  )
}

interface StagesProps {
  readonly messageId: string
  readonly destinationId: string
  readonly event: Readonly<Record<string, unknown>>
  readonly places: WatchedPlaces | undefined
}

/** Longest wait for a try, in milliseconds. */
const waitMs = 60_000

function Stages({ messageId, destinationId, event, places }: StagesProps) {
  const place = places?.destinations.find(({ id }) => id === destinationId)
  const transformation = place?.transformation
  const name = place?.name ?? destinationId
  const { value, error } = usePolled(
    `stages ${messageId} ${destinationId}`,
    (signal) => {
      const stage = { user_transform: transformation !== undefined, dest_transform: true, send_to_destination: false }
      const path = `/v0/testDestination/${encodeURIComponent(destinationId)}?force=true`
      return request<Tested>(path, { method: 'POST', body: { stage, message: event }, waitMs, signal })
    },
    0,
  ).state.value
  if (error) return <Notice kind="bad">{error.message}</Notice>
  if (value === undefined) return <Skeleton />
  return (
    <section aria-label={`stages before ${name}`}>
      <p class="side-note">By the code and settings that are live now. Nothing was sent or counted.</p>
      {value.data.length === 0 ? <p class="side-note">Nothing is left of it: it is filtered.</p> : null}
      {value.data.map((output, n) => (
        <Output key={n} output={output} event={event} name={name} number={n + 1} code={transformation?.name} />
      ))}
    </section>
  )
}

interface OutputProps {
  readonly output: Tested['data'][number]
  readonly event: object
  readonly name: string
  readonly number: number
  /** Name of the transformation, where there is one. */
  readonly code: string | undefined
}

function Output({ output, event, name, number, code }: OutputProps) {
  const { user_transformed_payload: transformed, dest_transformed_payload: mapped } = output
  const ended = errorIn(transformed) ?? errorIn(mapped)
  if (ended !== undefined) return <p class="side-note">It ends here: {ended}</p>
  return (
    <>
      {code === undefined ? null : (
        <>
          <h3 class="side-title">What {code} changes</h3>
          <JsonDifference
            label={`Transformed for ${name}, output ${number}`}
            before={event}
            after={transformed}
            equal="It passes the event unchanged."
          />
        </>
      )}
      <h3 class="side-title">What is sent</h3>
      <JsonTree label={`Requests to ${name}, output ${number}`} value={mapped} />
    </>
  )
}

/** Returns why a stage gave nothing: the Test API answers with the error in place of a payload. */
function errorIn(payload: unknown): string | undefined {
  const { error, ...others } = Object(payload) as { error?: unknown }
  return typeof error === 'string' && Object.keys(others).length === 0 ? error : undefined
}
