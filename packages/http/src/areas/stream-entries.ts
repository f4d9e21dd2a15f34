import type { Watching } from '@sluice/pipeline'
import Type from 'typebox'
import { type Answer, problem } from '../gate/answer.ts'
import type { ResponseDescription } from '../routing/route.ts'

/** Entries per second that a person can follow. Programs may request up to `perSecondMax`. */
const perSecondDefault = 50
const perSecondMax = 1_000
/** Entries buffered for a slow reader, about 100 KB. */
const bufferedMax = 500
const secondMs = 1_000
/** Proxies close connections that are silent for longer. */
const heartbeatSeconds = 15

export const perSecond = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: perSecondMax,
    description: `maximum of entries per second, 1 to ${perSecondMax}; default ${perSecondDefault}`,
  }),
)

/** The response of a route that calls `streamEntries`; its errors have `tapsTooMany`. */
export const entryStream: ResponseDescription = {
  description:
    'Server-sent events: `event: entry` with one entry as JSON; `event: leftOut` with `{"count"}`, at most once a second, when entries were skipped.',
  schema: Type.String(),
  contentType: 'text/event-stream',
}

interface StreamOptions<Entry> {
  /** Default 50. */
  readonly perSecond?: number | undefined
  /** Entries that come first, whatever their number. Default none. */
  readonly earlier?: readonly Entry[]
  /** Returns what the client gets of an entry, false for nothing. */
  shown(entry: Entry): object | false
}

/** Answers with what is watched, until the client leaves. Entries that it cannot follow are left out and counted. */
export function streamEntries<Entry>(
  watching: Watching<Entry>,
  workspaceIds: readonly string[],
  options: StreamOptions<Entry>,
  signal: AbortSignal,
): Answer | Response {
  const stream = openStream(watching, workspaceIds, options, signal)
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
}

function openStream<Entry>(
  watching: Watching<Entry>,
  workspaceIds: readonly string[],
  { perSecond = perSecondDefault, earlier = [], shown: shownEntry }: StreamOptions<Entry>,
  signal: AbortSignal,
): ReadableStream<Uint8Array> | undefined {
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
  const leave = watching.open(workspaceIds, {
    show: (entry) => {
      const visible = shownEntry(entry)
      if (visible === false) return
      if (shown >= perSecond || (controller?.desiredSize ?? 0) <= 0) leftOut += 1
      else {
        shown += 1
        write(asText(visible))
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
        const visible = earlier.map(shownEntry).filter((entry) => entry !== false)
        // In one piece, which counts once for a slow reader.
        if (visible.length > 0) write(visible.map(asText).join(''))
      },
      cancel: () => {
        controller = undefined
        end()
      },
    },
    { highWaterMark: bufferedMax },
  )
}

function asText(entry: object): string {
  return `event: entry\ndata: ${JSON.stringify(entry)}\n\n`
}
