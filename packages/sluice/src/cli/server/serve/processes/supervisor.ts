import type { Logger } from 'pino'
import { CliError } from '../../../cli-error.ts'
import type { ServePorts } from '../listen/serve-ports.ts'
import { ProcessReplies } from './figures/process-replies.ts'
import type { MessageToSupervisor } from './process-messages.ts'
import type { RestartTimes } from './restart-delays.ts'
import { ServerProcess } from './server-process.ts'

interface SupervisorOptions {
  readonly processes: number
  /** The ports that all share. */
  readonly ports: ServePorts
  readonly isTerminal: boolean
  readonly log: Logger
  readonly restarts: RestartTimes
  /** Time for all processes to end in order. */
  readonly stopMs: number
  /** A line of a process. */
  onLine(process: number, line: string, output: 'stdout' | 'stderr'): void
  /** All processes take requests for the first time. @param lines for the operator. */
  onServing(lines: readonly string[]): void
}

/**
 * Keeps the processes of a server running: the first alone, because it may migrate the database, then the others. What keeps
 * the first from serving ends the server, as it does with one process.
 */
export class Supervisor {
  /** Resolves when all processes have ended after `stop`; rejects when the server cannot continue, and all have ended. */
  readonly ended: Promise<void>
  readonly #options: SupervisorOptions
  readonly #processes: readonly ServerProcess[]
  readonly #replies: ProcessReplies
  /** Numbers of the processes that have served. */
  readonly #served = new Set<number>()
  #resolve = (): void => {}
  #reject = (_: Error): void => {}
  #isStopping = false
  #failure: CliError | undefined
  #overdue: NodeJS.Timeout | undefined
  #reloading: Promise<void> = Promise.resolve()

  constructor(options: SupervisorOptions) {
    const { processes: of, ports, isTerminal, log, restarts, onLine } = options
    this.#options = options
    this.ended = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    this.#processes = Array.from({ length: of }, (_, index) => {
      const number = index + 1
      return new ServerProcess({
        place: { number, of, ports, isTerminal },
        log,
        restarts,
        onLine: (line, output) => onLine(number, line, output),
        onMessage: (process, message) => this.#take(process, message),
        onEnded: () => {
          this.#replies.ended(number)
          this.#endWhenEmpty()
        },
        hasServed: () => this.#served.size > 0,
        onFailed: (error) => this.#fail(error),
      })
    })
    this.#replies = new ProcessReplies({
      processes: () => this.#processes,
      send: (number, id, question) => this.#processes[number - 1]?.send({ kind: 'question', id, question }),
    })
  }

  start(): void {
    this.#processes[0]?.start()
  }

  /**
   * Has one process apply the workspace file again, and the others when that went well: a file with errors is reported once.
   * @returns what to print.
   */
  reload(): Promise<string> {
    const reloaded = this.#reloading.then(() => this.#reloadAll())
    this.#reloading = reloaded.then(() => {})
    return reloaded
  }

  /** Ends all processes at the same time, and at once those that have not ended in time. */
  stop(): void {
    if (this.#isStopping) return
    this.#isStopping = true
    this.#overdue = setTimeout(() => this.#endLate(), this.#options.stopMs)
    for (const process of this.#processes) process.stop()
    this.#endWhenEmpty()
  }

  /** Ends all processes at once. What they have acknowledged is stored. */
  kill(): void {
    for (const process of this.#processes) process.kill()
  }

  #take(process: ServerProcess, message: MessageToSupervisor): void {
    if (message.kind === 'serving') this.#serves(process, message.lines)
    else if (message.kind === 'answer') this.#replies.answered(process.number, message.id, message.answer)
    else if (message.kind === 'ask') {
      const { id, question } = message
      void this.#replies.replyTo(process.number, question).then((reply) => process.send({ kind: 'reply', id, reply }))
    }
  }

  #serves({ number }: ServerProcess, lines: readonly string[]): void {
    const before = this.#served.size
    this.#served.add(number)
    if (this.#isStopping || this.#served.size === before) return
    if (before === 0) for (const other of this.#processes.slice(1)) other.start()
    if (this.#served.size === this.#processes.length) this.#options.onServing(lines)
  }

  #fail(error: CliError): void {
    this.#failure ??= error
    this.stop()
  }

  #endWhenEmpty(): void {
    if (!this.#isStopping || this.#processes.some(({ isRunning }) => isRunning)) return
    clearTimeout(this.#overdue)
    if (this.#failure) this.#reject(this.#failure)
    else this.#resolve()
  }

  #endLate(): void {
    const late = this.#processes.filter(({ isRunning }) => isRunning).map(({ number }) => number)
    this.#failure ??= new CliError(
      `could not stop in time: process ${late.join(', ')}; unfinished work is repeated after a restart`,
    )
    this.kill()
  }

  async #reloadAll(): Promise<string> {
    const [first, ...others] = this.#processes.filter(({ isServing }) => isServing)
    if (first === undefined) return 'no process serves; each reads the workspace file when it starts'
    const result = await first.reload()
    if (!result.isApplied) return result.text
    const results = await Promise.all(others.map((process) => process.reload()))
    const failed = results.filter(({ isApplied }) => !isApplied).map(({ text }) => text)
    return [`${result.text}, in ${1 + results.length - failed.length} processes`, ...failed].join('\n')
  }
}
