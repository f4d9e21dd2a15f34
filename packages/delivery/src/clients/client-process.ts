import type { ChildProcess } from 'node:child_process'
import type { LookupFunction } from 'node:net'
import type { SendOptions, TransportResult } from '../transport/transport.ts'
import type { ClientSetup, MessageFromClient, MessageToClient } from './client-messages.ts'
import { forkApart } from './fork-apart.ts'
import { Outbox } from './outbox.ts'
import { Pulse } from './pulse.ts'

/** The compiled entry, also when the sources run: a process of Node 20 cannot load TypeScript. */
const entry = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/clients/client-main.js' : './client-main.js',
  import.meta.url,
)

/** Memory for JavaScript values of a process, in MiB. */
const heapMiB = 256
/** Memory of a process in all, in bytes: buffers are not in the heap. */
const memoryBytesMax = 512 * 1_024 * 1_024
/** How long a process may take to start, on a busy machine. */
const startMs = 20_000
/** How often a process with requests under way is asked whether it still runs, and how long it has to answer. */
const pingMs = 2_000
const pongMs = 10_000
/** How long a process may take to close its connections. */
const closeMs = 2_500

export interface ClientProcessOptions {
  readonly setup: Omit<ClientSetup, 'kind' | 'memoryBytesMax'>
  /** Looks up names for an owner, and returns allowed addresses only. */
  lookupOf(owner: string): LookupFunction
  /** Called once when the process ends without having been closed. @param owners those with requests under way. */
  onLost(owners: ReadonlySet<string>): void
}

/** A request for a process. */
interface ClientRequest extends Pick<SendOptions, 'timeMs' | 'mayLeave'> {
  readonly text: string
  readonly owner: string
}

interface Waiting extends ClientRequest {
  resolve(result: TransportResult): void
}

/** A process in which clients of one kind run, from its start to its end. */
export class ClientProcess {
  /** Resolves when requests can be sent, or cannot any more. */
  readonly started: Promise<void>
  /** When the last request ended, on the clock of `performance.now()`. */
  idleSince = performance.now()
  readonly #options: ClientProcessOptions
  readonly #process: ChildProcess
  readonly #outbox = new Outbox<MessageToClient>((messages) => {
    // It may have ended meanwhile; then `exit` says so.
    if (this.#process.connected) this.#process.send([...messages], () => {})
  })
  readonly #waiting = new Map<number, Waiting>()
  readonly #ended: Promise<void>
  #lastId = 0
  #reason: string | undefined
  #isOver = false
  #isClosing = false
  readonly #pulse = new Pulse({
    askEveryMs: pingMs,
    silentMaxMs: pongMs,
    ask: () => this.#post({ kind: 'ping' }),
    onSilent: (reason) => this.#kill(reason),
  })

  constructor(options: ClientProcessOptions) {
    this.#options = options
    let setStarted = (): void => {}
    let setEnded = (): void => {}
    this.started = new Promise((resolve) => {
      setStarted = resolve
    })
    this.#ended = new Promise((resolve) => {
      setEnded = resolve
    })
    this.#process = forkApart(entry, { heapMiB })
    const tooLate = setTimeout(() => this.#kill('it did not start in time'), startMs).unref()
    this.#process.on('message', (messages: readonly MessageFromClient[]) => {
      this.#pulse.heard()
      for (const message of messages) {
        this.#take(message)
        if (message.kind !== 'ready') continue
        clearTimeout(tooLate)
        setStarted()
      }
    })
    const end = (reason: string): void => {
      clearTimeout(tooLate)
      this.#end(reason)
      setStarted()
      setEnded()
    }
    this.#process.on('error', ({ message }) => end(message))
    this.#process.on('exit', (code, signal) => end(signal ?? `code ${code}`))
    this.#post({ kind: 'setup', ...options.setup, memoryBytesMax })
  }

  /** False when it has ended, or is about to. */
  get isUsable(): boolean {
    return !this.#isOver && !this.#isClosing && this.#reason === undefined
  }

  /** Number of requests under way. */
  get busy(): number {
    return this.#waiting.size
  }

  /** Sends a request once. Resolves with a network failure when the process ends first. @param stopped aborts when no result is waited for any more. */
  exchange(request: ClientRequest, stopped: AbortSignal): Promise<TransportResult> {
    if (!this.isUsable) return Promise.resolve(this.#failure())
    this.#lastId += 1
    const id = this.#lastId
    const { text, owner, timeMs, mayLeave } = request
    return new Promise((resolve) => {
      this.#waiting.set(id, { ...request, resolve })
      stopped.addEventListener('abort', () => this.#stop(id), { once: true })
      this.#post({ kind: 'send', id, request: text, owner, timeMs, asks: mayLeave !== undefined })
      this.#pulse.start()
    })
  }

  /** Closes all connections, and ends the process. Can be called twice. */
  async close(): Promise<void> {
    if (!this.#isClosing && !this.#isOver) this.#post({ kind: 'close' })
    this.#isClosing = true
    const timer = setTimeout(() => this.#process.kill('SIGKILL'), closeMs)
    await this.#ended
    clearTimeout(timer)
  }

  #take(message: MessageFromClient): void {
    if (message.kind === 'result') this.#settle(message.id)?.resolve(message.result)
    else if (message.kind === 'failing') this.#reason ??= message.reason
    else if (message.kind === 'asks') {
      // A request whose result is not waited for any more must not leave later.
      const found = this.#waiting.get(message.id)
      const isAllowed = found !== undefined && found.mayLeave?.() !== false
      this.#post({ kind: 'may-leave', id: message.id, isAllowed })
    } else if (message.kind === 'look-up') {
      const { id, owner, hostname } = message
      this.#options.lookupOf(owner)(hostname, { all: true }, (error, found) => {
        const addresses = Array.isArray(found) ? found : []
        this.#post({ kind: 'found', id, addresses, error: error ? (error.code ?? 'ENOTFOUND') : undefined })
      })
    }
  }

  #stop(id: number): void {
    if (this.#settle(id) !== undefined) this.#post({ kind: 'stop', id })
  }

  #settle(id: number): Waiting | undefined {
    const found = this.#waiting.get(id)
    this.#waiting.delete(id)
    this.idleSince = performance.now()
    if (this.#waiting.size === 0) this.#pulse.stop()
    return found
  }

  #kill(reason: string): void {
    this.#reason ??= reason
    this.#process.kill('SIGKILL')
  }

  #end(reason: string): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#reason ??= reason
    this.#pulse.stop()
    const owners = new Set([...this.#waiting.values()].map(({ owner }) => owner))
    for (const id of [...this.#waiting.keys()]) this.#settle(id)?.resolve(this.#failure())
    if (!this.#isClosing) this.#options.onLost(owners)
  }

  #failure(): TransportResult {
    const { client } = this.#options.setup
    const why = this.#reason === undefined ? '' : ` (${this.#reason})`
    return { kind: 'network', code: 'ECLIENTENDED', message: `The process of the ${client} client ended${why}.` }
  }

  #post(message: MessageToClient): void {
    this.#outbox.post(message)
  }
}
