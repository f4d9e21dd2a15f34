import { errorTraits } from '@sluice/core'
import type { Tap, TapEntry } from '@sluice/pipeline'
import Type, { type Static } from 'typebox'
import type { OperatorGate } from '../gate/operator-gate.ts'
import { problem } from '../gate/token-gate.ts'
import { type Area, createArea } from '../routing/route.ts'
import { workspaceQuery } from './operations/operations-schemas.ts'

export interface TapAreaOptions {
  readonly gate: OperatorGate
  readonly tap: Tap
}

/** What a person can still follow; a program may ask for more, up to what a socket takes easily. */
const perSecondDefault = 50
const perSecondMax = 1_000
/** Entries that may wait for a slow reader: some 100 KB. */
const bufferedMax = 500
const secondMs = 1_000
/** Proxies close what is silent for longer. */
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
      description: `how many are shown in a second, 1 to ${perSecondMax}; default ${perSecondDefault}`,
    }),
  ),
})
type TapQuery = Static<typeof tapQuery>

/** `GET /v1/tap`: what happens to events now, as server-sent events; no payload. Ends when the tap is closed. */
export function createTapArea({ gate, tap }: TapAreaOptions): Area {
  return createArea([
    gate({
      path: '/v1/tap',
      operationId: 'tapEvents',
      summary: 'What happens to events now, as it happens',
      query: tapQuery,
      errors: ['tapsTooMany'],
      responses: {
        200: {
          description:
            'Server-sent events: `event: entry` with one entry as JSON, `event: leftOut` with `{"count"}` once a second when there were more than are shown.',
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
            'as many watch as may, most of them this workspace; close one or ask again later',
          )
        return new Response(stream, {
          headers: {
            'content-type': 'text/event-stream; charset=utf-8',
            'cache-control': 'no-store',
            // What collects answers before it passes them on would show nothing.
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
    tell: (entry) => {
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
        // At once, so that the reader knows that it watches.
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

/** The fixed text of an error stands for its own, which may quote a payload. */
function shownEntry({ at, code, ...entry }: TapEntry) {
  return { at: new Date(at).toISOString(), ...entry, ...(code ? { code, reason: errorTraits[code].summary } : {}) }
}
