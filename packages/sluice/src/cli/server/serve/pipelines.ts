import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Requests of one connection that wait. A client that sends more without reading answers is disconnected. */
const waitingMax = 100
/** Bytes of bodies read before the turn of their requests: more than the largest body. */
const aheadBytesMax = 8 * 1_024 ** 2
/** The same for all connections. Without room, a connection is read from again when the turn comes. */
const allAheadBytesMax = 64 * 1_024 ** 2

/** The requests of one connection. */
interface Pipeline {
  waiting: number
  aheadBytes: number
  /** Settles when the newest request is handled. */
  last: Promise<unknown>
  readonly closed: Promise<void>
}

/** A body that is read before the turn of its request. */
interface ReadAhead {
  /** Settles when all is read that can be: whole, cut off, or without room for more. */
  readonly read: Promise<void>
  /** Leaves it to the handler. */
  handOver(): void
}

/** The requests that clients send without waiting for the answers to earlier ones, as Segment's PHP SDK does. */
interface Pipelines {
  /**
   * Handles a request when all earlier ones of its connection are answered; otherwise all answers would be held in memory
   * until the first is read. When the connection closes before, those that arrived whole are handled all the same, one
   * after another: their client does not look at answers. @returns undefined when too many wait.
   */
  inTurn<T>(incoming: IncomingMessage, outgoing: ServerResponse, handle: () => Promise<T>): Promise<T | undefined>
}

export function createPipelines(): Pipelines {
  const pipelines = new WeakMap<Socket, Pipeline>()
  let allAheadBytes = 0

  function pipelineOf(socket: Socket): Pipeline {
    const known = pipelines.get(socket)
    if (known) return known
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    const pipeline = { waiting: 0, aheadBytes: 0, last: Promise.resolve(), closed }
    pipelines.set(socket, pipeline)
    return pipeline
  }

  async function wait(pipeline: Pipeline, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const before = pipeline.last
    const body = incoming.method === 'GET' ? undefined : readAhead(pipeline, incoming)
    pipeline.waiting += 1
    const isNext = new Promise((resolve) => outgoing.once('socket', resolve))
    await Promise.race([isNext, pipeline.closed.then(() => before)])
    pipeline.waiting -= 1
    await body?.read
    body?.handOver()
  }

  /** Reads a body, which is lost with the connection otherwise, as far as there is room. */
  function readAhead(pipeline: Pipeline, incoming: IncomingMessage): ReadAhead {
    const chunks: Buffer[] = []
    let bytes = 0
    const take = (count: number): void => {
      bytes += count
      pipeline.aheadBytes += count
      allAheadBytes += count
    }
    let stop = (): void => {}
    const whole = new Promise<void>((resolve) => {
      stop = resolve
    })
    const read = (): void => {
      while (pipeline.aheadBytes < aheadBytesMax && allAheadBytes < allAheadBytesMax) {
        const chunk: Buffer | null = incoming.read()
        if (chunk === null) return
        chunks.push(chunk)
        take(chunk.length)
      }
      incoming.off('readable', read)
      stop()
    }
    const ignore = (): void => {}
    incoming.on('readable', read).on('error', ignore).once('end', stop).once('close', stop)
    const handOver = (): void => {
      incoming.off('readable', read)
      if (!incoming.destroyed) incoming.off('error', ignore)
      take(-bytes)
      if (!incoming.complete) {
        if (chunks.length > 0) incoming.unshift(Buffer.concat(chunks))
        return
      }
      for (let chunk = incoming.read(); chunk !== null; chunk = incoming.read()) chunks.push(chunk)
      // The adapter and `readBody` take the body from here.
      Object.assign(incoming, { rawBody: Buffer.concat(chunks) })
    }
    return { read: whole, handOver }
  }

  return {
    async inTurn(incoming, outgoing, handle) {
      const pipeline = pipelineOf(incoming.socket)
      const isWaiting = outgoing.socket === null
      if (isWaiting && pipeline.waiting >= waitingMax) {
        incoming.socket.destroy()
        return undefined
      }
      const handled = isWaiting ? wait(pipeline, incoming, outgoing).then(handle) : handle()
      pipeline.last = handled.catch(() => undefined)
      return handled
    },
  }
}
