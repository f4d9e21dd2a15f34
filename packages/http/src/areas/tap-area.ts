import { errorTraits } from '@sluice/core'
import type { Tap, TapEntry } from '@sluice/pipeline'
import Type, { type Static } from 'typebox'
import { problem } from '../gate/answer.ts'
import type { OperatorGate } from '../gate/operator-gate.ts'
import { type Area, createArea } from '../routing/area.ts'
import { workspaceQuery } from './operations/operations-schemas.ts'

export interface TapAreaOptions {
  readonly gate: OperatorGate
  readonly tap: Tap
}

/** Entries per second that a person can follow. Programs may request up to `perSecondMax`. */
const perSecondDefault = 50
const perSecondMax = 1_000
/** Entries buffered for a slow reader, about 100 KB. */
const bufferedMax = 500
const secondMs = 1_000
/** Proxies close connections that are silent for longer. */
const heartbeatSeconds = 15

const outcomes = ['accepted', 'delivered', 'deferred', 'dropped', 'failed'] as const
const tapQuery = Type.Object({
  ...workspaceQuery,
  source: Type.Optional(Type.String({ description: 'only events of this source' })),
  destination: Type.Optional(Type.String({ description: 'only what happens at this destination' })),
  event: Type.Optional(Type.String({ description: 'only events of this name' })),
  type: Type.Optional(Type.String({ description: 'only events of this type' })),
  outcome: Type.Optional(Type.Enum([...outcomes], { description: outcomes.join(', ') })),
  messageId: Type.Optional(Type.String({ description: 'only this event' })),
  perSecond: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: perSecondMax,
      description: `maximum of entries per second, 1 to ${perSecondMax}; default ${perSecondDefault}`,
    }),
  ),
})
type TapQuery = Static<typeof tapQuery>

/** `GET /v1/tap`: a live stream of what happens to events, as server-sent events without payloads. */
export function createTapArea({ gate, tap }: TapAreaOptions): Area {
  return createArea([
    gate({
      path: '/v1/tap',
      operationId: 'tapEvents',
      summary: 'Watch what happens to events, live',
      query: tapQuery,
      errors: ['tapsTooMany'],
      responses: {
        200: {
          description:
            'Server-sent events: `event: entry` with one entry as JSON; `event: leftOut` with `{"count"}`, at most once a second, when entries were skipped.',
          schema: Type.String(),
          contentType: 'text/event-stream',
        },
      },
      handle: ({ workspaces, query, signal }) => {
        const ids = workspaces.map(({ id }) => id)
        const stream = openStream(tap, ids, query, signal)
        if (stream === undefined)
          return problem(
            'tapsTooMany',
            'too many clients are watching, most of them this workspace; close one or try again later',
          )
        return new Response(stream, {
          headers: {
            'content-type': 'text/event-stream; charset=utf-8',
            'cache-control': 'no-store',
            // Proxies must not buffer the stream.
            'x-accel-buffering': 'no',
          },
        })
      },
    }),
  ])
}

function openStream(
  tap: Tap,
  workspaceIds: readonly string[],
  query: TapQuery,
  signal: AbortSignal,
): ReadableStream<Uint8Array> | undefined {
  const { perSecond = perSecondDefault } = query
  const encoder = new TextEncoder()
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let shown = 0
  let leftOut = 0
  let seconds = 0
  const write = (text: string): void => controller?.enqueue(encoder.encode(text))
  const end = (): void => {
    clearInterval(timer)
    leave?.()
    signal.removeEventListener('abort', end)
    const open = controller
    controller = undefined
    open?.close()
  }
  const leave = tap.open(workspaceIds, {
    show: (entry) => {
      if (!isWanted(entry, query)) return
      if (shown >= perSecond || (controller?.desiredSize ?? 0) <= 0) leftOut += 1
      else {
        shown += 1
        write(`event: entry\ndata: ${JSON.stringify(shownEntry(entry))}\n\n`)
      }
    },
    end: () => end(),
  })
  if (leave === undefined) return undefined
  const timer = setInterval(() => {
    shown = 0
    seconds += 1
    if ((controller?.desiredSize ?? 0) <= 0) return
    if (leftOut > 0) write(`event: leftOut\ndata: {"count":${leftOut}}\n\n`)
    else if (seconds % heartbeatSeconds === 0) write(': still here\n\n')
    leftOut = 0
  }, secondMs)
  signal.addEventListener('abort', end)
  return new ReadableStream(
    {
      start: (started) => {
        controller = started
        // Sent immediately, so that the client knows that the stream is open.
        write(': watching\n\n')
      },
      cancel: () => {
        controller = undefined
        end()
      },
    },
    { highWaterMark: bufferedMax },
  )
}

function isWanted(entry: TapEntry, query: TapQuery): boolean {
  return (
    isSame(entry.sourceId, query.source) &&
    isSame(entry.destinationId, query.destination) &&
    isSame(entry.event, query.event) &&
    isSame(entry.type, query.type) &&
    isSame(entry.outcome, query.outcome) &&
    isSame(entry.messageId, query.messageId)
  )
}

function isSame(value: string | undefined, wanted: string | undefined): boolean {
  return wanted === undefined || value === wanted
}

/** Replaces the message of an error, which may quote a payload, by the fixed text of its code. */
function shownEntry({ at, code, ...entry }: TapEntry) {
  return { at: new Date(at).toISOString(), ...entry, ...(code ? { code, reason: errorTraits[code].summary } : {}) }
}
