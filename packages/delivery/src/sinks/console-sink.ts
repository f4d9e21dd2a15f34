import type { Writable } from 'node:stream'
import { errorCode } from '../deliver/error-code.ts'
import { withinTime } from '../deliver/within-time.ts'
import { hostOf, type Transport, type TransportResult } from '../transport/transport.ts'
import { linesOf } from './lines-of.ts'

export interface ConsoleSinkOptions {
  /** Default: those of the process. */
  readonly stdout?: Writable
  readonly stderr?: Writable
}

/**
 * Writes lines where `console:stdout` or `console:stderr` say. What it writes is delivered when the stream has taken it, so
 * a slow reader of a pipe slows delivery down. Characters that could steer a terminal are escaped.
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
      // A stream that fails tells the writer and everybody; unheard, the latter would end the process.
      stream.on('error', () => {})
    }
    return stream
  }

  return {
    send: (request, options) =>
      withinTime(request, options, async () => {
        const stream = streamOf(request.endpoint.slice('console:'.length))
        if (!stream) return { kind: 'unsendable', code: 'ERR_NO_STREAM', message: 'There is no such stream.' }
        const error = await write(stream, linesOf(request).replace(/[\u007f-\u009f]/g, escaped))
        if (!error) return { kind: 'reply', status: 200, headers: {}, body: '' }
        const code = errorCode(error)
        return {
          kind: 'network',
          code,
          message: `${hostOf(request)} takes nothing (${code}).`,
        } satisfies TransportResult
      }),
  }
}

const write = (stream: Writable, text: string): Promise<Error | null | undefined> =>
  new Promise((resolve) => stream.write(text, resolve))

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
