import type { Writable } from 'node:stream'
import { errorCode } from '../../transport/error-code.ts'
import { withinTime } from '../../transport/time/within-time.ts'
import { hostOf, type Transport, type TransportResult } from '../../transport/transport.ts'
import { linesOf } from './lines-of.ts'

export interface ConsoleSinkOptions {
  /** Default: the streams of the process. */
  readonly stdout?: Writable
  readonly stderr?: Writable
}

/**
 * Creates a sink that writes lines to `console:stdout` or `console:stderr`. Lines are delivered when the stream has
 * accepted them, so a slow reader of a pipe slows delivery down. Control characters of terminals are escaped.
 */
export function createConsoleSink({ stdout, stderr }: ConsoleSinkOptions = {}): Transport {
  const streams = new Map<string, () => Writable>([
    ['stdout', () => stdout ?? process.stdout],
    ['stderr', () => stderr ?? process.stderr],
  ])
  const listened = new WeakSet<Writable>()

  function streamOf(name: string): Writable | undefined {
    const stream = streams.get(name)?.()
    if (stream && !listened.has(stream)) {
      listened.add(stream)
      // A failing stream also emits `error`, which would end the process without a listener.
      stream.on('error', () => {})
    }
    return stream
  }

  return {
    send: (request, options) =>
      withinTime(request, options, async () => {
        const stream = streamOf(request.endpoint.slice('console:'.length))
        if (!stream)
          return {
            kind: 'unsendable',
            code: 'ERR_NO_STREAM',
            message: 'The endpoint must be console:stdout or console:stderr.',
          }
        const error = await write(stream, linesOf(request).replace(/[\u007f-\u009f]/g, escaped))
        if (!error) return { kind: 'reply', status: 200, headers: {}, body: '' }
        const code = errorCode(error)
        return {
          kind: 'network',
          code,
          message: `${hostOf(request)} cannot be written to (${code}).`,
        } satisfies TransportResult
      }),
  }
}

const write = (stream: Writable, text: string): Promise<Error | null | undefined> =>
  new Promise((resolve) => stream.write(text, resolve))

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
