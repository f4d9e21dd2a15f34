import { IncomingMessage } from 'node:http'
import type { PlainRequest } from '../plain-request.ts'

/** Receives a body. No method is called after `onEnd`, `onFail` or `stop`. */
interface BodyReader {
  onChunk(chunk: Uint8Array): void
  onEnd(): void
  /** The sender disconnected. */
  onFail(): void
}

/**
 * Reads a body chunk by chunk as it arrives.
 * @param env context of Node's server adapter. Reading Node's own request is much cheaper than a stream of the fetch
 * API.
 * @returns a function that stops reading; later chunks are discarded.
 */
export function readBodyChunks(request: Pick<PlainRequest, 'body'>, env: unknown, reader: BodyReader): () => void {
  const incoming = (env as { incoming?: unknown } | undefined)?.incoming
  return isUnread(incoming) ? readIncoming(incoming, reader) : readStream(request, reader)
}

/** Returns whether something is a request of Node's server whose body is still to be read from it. */
export function isUnread(incoming: unknown): incoming is IncomingMessage {
  const canBeRead = incoming instanceof IncomingMessage && !incoming.readableDidRead && !incoming.destroyed
  // Some hosts have already read the body and stored it in `rawBody`.
  return canBeRead && !('rawBody' in incoming)
}

function readIncoming(incoming: IncomingMessage, { onChunk, onEnd, onFail }: BodyReader): () => void {
  const ends = { data: onChunk, end: onEnd, error: onFail, close: onFail }
  const stop = (): void => {
    for (const [name, listener] of Object.entries(ends)) incoming.off(name, listener)
    // A later error does not matter, but without a listener it would end the process.
    incoming.on('error', () => {})
  }
  for (const [name, listener] of Object.entries(ends)) incoming.on(name, listener)
  return stop
}

function readStream({ body }: Pick<PlainRequest, 'body'>, { onChunk, onEnd, onFail }: BodyReader): () => void {
  const reader = body?.getReader()
  let isStopped = false
  const read = async (): Promise<void> => {
    try {
      while (!isStopped) {
        const result = await reader?.read()
        if (isStopped) return
        if (result === undefined || result.done) return onEnd()
        onChunk(result.value)
      }
    } catch {
      if (!isStopped) onFail()
    }
  }
  void read()
  return () => {
    isStopped = true
    void reader?.cancel().catch(() => {})
  }
}
