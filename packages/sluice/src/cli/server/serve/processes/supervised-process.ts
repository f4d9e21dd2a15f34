import cluster, { type Worker } from 'node:cluster'
import { closeGivenConnections } from './close-given-connections.ts'
import { createWholeLines } from './output/whole-lines.ts'
import type { MessageToProcess, MessageToSupervisor, ProcessPlace } from './process-messages.ts'
import { processVariable } from './process-messages.ts'

/** How often a process is asked whether it still runs. */
const pingMs = 5_000
/** Questions without an answer after which a process is ended: a minute. They are counted, because this process may sleep, too. */
const silentMax = 12

/** What is reported about a process from its start to its end. */
interface ProcessEvents {
  message(message: MessageToSupervisor): void
  /** A line that it has written, to one of its outputs. */
  line(line: string, output: 'stdout' | 'stderr'): void
  /** Once, also when it could not be started. @param reason a signal, an exit status, or why it did not start. */
  ended(reason: string): void
}

/** One life of a process of the server. */
export class SupervisedProcess {
  /** Whether it takes requests. */
  isServing = false
  /** Whether it ever did. */
  hasServed = false
  readonly #startedAt = performance.now()
  readonly #events: ProcessEvents
  readonly #worker: Worker | undefined
  readonly #pings: NodeJS.Timeout | undefined
  #unanswered = 0
  #isOver = false

  constructor(place: ProcessPlace, events: ProcessEvents) {
    this.#events = events
    try {
      this.#worker = cluster.fork({ [processVariable]: JSON.stringify(place) })
    } catch (error) {
      // There is no process left for it, or no file. Its end is reported later, as that of any other.
      setImmediate(() => this.#end(textOf(error)))
      return
    }
    this.#worker.on('message', (message: MessageToSupervisor) => this.#take(message))
    const { process: child } = this.#worker
    // Without a process it did not start; else its channel is broken, and it is about to end.
    this.#worker.on('error', (error: unknown) => (child.pid === undefined ? this.#end(textOf(error)) : this.kill()))
    closeGivenConnections(child)
    this.#readLines()
    // After its outputs, so that its last words are before the report of its end.
    child.on('close', (status: number | null, signal: string | null) => this.#end(signal ?? `status ${status}`))
    this.#pings = setInterval(() => this.#ping(), pingMs)
  }

  /** Milliseconds since its start. */
  get ranMs(): number {
    return performance.now() - this.#startedAt
  }

  /** Sends a message, unless the process is about to end. */
  send(message: MessageToProcess): void {
    if (this.#worker?.isConnected()) this.#worker.process.send(message, () => {})
  }

  /** Ends it at once. */
  kill(): void {
    this.#worker?.process.kill('SIGKILL')
  }

  #take(message: MessageToSupervisor): void {
    if (this.#isOver) return
    this.#unanswered = 0
    if (message.kind === 'pong') return
    if (message.kind === 'serving') {
      this.isServing = true
      this.hasServed = true
    }
    this.#events.message(message)
  }

  #ping(): void {
    this.#unanswered += 1
    if (this.#unanswered > silentMax) this.kill()
    else this.send({ kind: 'ping' })
  }

  #readLines(): void {
    for (const output of ['stdout', 'stderr'] as const) {
      const lines = createWholeLines((line) => this.#events.line(line, output))
      this.#worker?.process[output]?.on('data', (chunk: Buffer) => lines.add(chunk)).on('end', () => lines.end())
    }
  }

  #end(reason: string): void {
    if (this.#isOver) return
    this.#isOver = true
    this.isServing = false
    clearInterval(this.#pings)
    this.#events.ended(reason)
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
