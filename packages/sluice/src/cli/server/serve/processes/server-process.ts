import type { Logger } from 'pino'
import { CliError } from '../../../cli-error.ts'
import type { MessageToProcess, MessageToSupervisor, ProcessPlace, Reloaded } from './process-messages.ts'
import { createRestartDelays, type RestartTimes } from './restart-delays.ts'
import { SupervisedProcess } from './supervised-process.ts'

interface ServerProcessOptions {
  readonly place: ProcessPlace
  readonly log: Logger
  readonly restarts: RestartTimes
  onLine(line: string, output: 'stdout' | 'stderr'): void
  onMessage(process: ServerProcess, message: MessageToSupervisor): void
  onEnded(process: ServerProcess): void
  /** Whether the server has taken requests: until then, the end of a process is the end of the server. */
  hasServed(): boolean
  /** The process cannot be started. */
  onFailed(error: CliError): void
}

/** Time for a process to apply the workspace file. */
const reloadMs = 60_000

/** A process of the server: when it ends it is started again, later each time, until it is stopped. */
export class ServerProcess {
  /** How often it was started again. */
  restarts = 0
  readonly #options: ServerProcessOptions
  readonly #waitAfter: ReturnType<typeof createRestartDelays>
  #life: SupervisedProcess | undefined
  #timer: NodeJS.Timeout | undefined
  #isStopping = false
  /** Why the present life could not start. */
  #refusal: { readonly text: string; readonly exitStatus: number } | undefined
  #loggedCause: string | undefined
  #onReloaded: ((result: Reloaded) => void) | undefined

  constructor(options: ServerProcessOptions) {
    this.#options = options
    this.#waitAfter = createRestartDelays(options.restarts)
  }

  get number(): number {
    return this.#options.place.number
  }

  get isRunning(): boolean {
    return this.#life !== undefined
  }

  get isServing(): boolean {
    return this.#life?.isServing === true
  }

  start(): void {
    const { place, onLine } = this.#options
    this.#refusal = undefined
    this.#life = new SupervisedProcess(place, {
      message: (message) => this.#take(message),
      line: onLine,
      ended: (reason) => this.#ended(reason),
    })
  }

  send(message: MessageToProcess): void {
    this.#life?.send(message)
  }

  /** Ends it in order, and starts it no more. */
  stop(): void {
    this.#isStopping = true
    clearTimeout(this.#timer)
    this.send({ kind: 'stop' })
  }

  /** Ends it at once. */
  kill(): void {
    this.#life?.kill()
  }

  /** Has it apply the workspace file again. */
  reload(): Promise<Reloaded> {
    return new Promise((resolve) => {
      const finish = (result: Reloaded): void => {
        clearTimeout(timer)
        this.#onReloaded = undefined
        resolve(result)
      }
      const late = { isApplied: false, text: `process ${this.number} has not applied the workspace file in time` }
      const timer = setTimeout(() => finish(late), reloadMs)
      this.#onReloaded = finish
      this.send({ kind: 'reload' })
    })
  }

  #take(message: MessageToSupervisor): void {
    // A stop that was sent before it listened is lost.
    if (message.kind === 'listens' && this.#isStopping) this.send({ kind: 'stop' })
    if (message.kind === 'refused') this.#refusal = message
    if (message.kind === 'reloaded') this.#onReloaded?.(message)
    if (message.kind === 'serving') {
      this.#loggedCause = undefined
      if (this.restarts > 0) this.#options.log.info({ process: this.number }, 'the process serves again')
    }
    this.#options.onMessage(this, message)
  }

  #ended(reason: string): void {
    const { onEnded, onFailed, hasServed } = this.#options
    const { ranMs = 0, hasServed: thisServed = false } = this.#life ?? {}
    this.#life = undefined
    this.#onReloaded?.({ isApplied: false, text: `process ${this.number} has ended` })
    onEnded(this)
    if (this.#isStopping) return
    const cause = this.#refusal?.text ?? `it ended with ${reason}`
    if (!hasServed()) {
      onFailed(new CliError(this.#refusal ? cause : `the first process: ${cause}`, this.#refusal?.exitStatus))
      return
    }
    const waitMs = this.#waitAfter({ ranMs, hasServed: thisServed })
    if (waitMs === undefined)
      onFailed(
        new CliError(
          `process ${this.number} could not start ${this.#options.restarts.failedMax} times in a row: ${cause}`,
        ),
      )
    else this.#startLater(waitMs, cause)
  }

  #startLater(waitMs: number, cause: string): void {
    const fields = { process: this.number, waitMs }
    if (this.#loggedCause === cause)
      this.#options.log.error(fields, 'the process has ended again, and is started again')
    else this.#options.log.error({ ...fields, reason: cause }, 'the process has ended, and is started again')
    this.#loggedCause = cause
    this.#timer = setTimeout(() => {
      this.restarts += 1
      this.start()
    }, waitMs)
  }
}
