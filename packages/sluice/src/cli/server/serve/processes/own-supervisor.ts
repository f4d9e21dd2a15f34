import type { DestinationCircuit } from '@sluice/pipeline'
import type { ProcessAnswers, Siblings, UnwellProcess } from '../../../../siblings.ts'
import { joinCircuits } from '../../../../telemetry/join-circuits.ts'
import type { Sample } from '../../../../telemetry/metric-table.ts'
import { answerMs } from './figures/asked-processes.ts'
import type {
  Answers,
  MessageToProcess,
  MessageToSupervisor,
  ProcessPlace,
  Question,
  Reloaded,
  Replies,
} from './process-messages.ts'

/** Time for the reply of the supervisor: it may wait for the round before, and has a turn to take itself. */
const replyMs = 2 * answerMs + 500

/** What one of several processes does when the supervisor asks it to. */
interface ProcessActs {
  stop(): void
  /** Applies the workspace file again. */
  reload(): Promise<Reloaded>
}

/** The supervisor, as one of its processes sees it, and through it the other processes. */
export class OwnSupervisor implements Siblings {
  readonly place: ProcessPlace
  readonly #replies = new Map<number, (reply: Replies[Question]) => void>()
  #acts: Partial<ProcessActs> = {}
  #answers: ProcessAnswers | undefined
  #lastId = 0

  /** Begins to listen. The process ends when the supervisor does: `node:cluster` sees to that. */
  constructor(place: ProcessPlace) {
    this.place = place
    process.on('message', (message: MessageToProcess) => this.#take(message))
    this.#send({ kind: 'listens' })
  }

  /** Sets what the process does when asked. What is set later replaces what was set before. */
  on(acts: Partial<ProcessActs>): void {
    this.#acts = { ...this.#acts, ...acts }
  }

  /** Reports that the process takes requests. @param lines for the operator. */
  serving(lines: readonly string[]): void {
    this.#send({ kind: 'serving', lines })
  }

  /** Reports that the process cannot start. Resolves when that was sent. */
  refused(text: string, exitStatus: number): Promise<void> {
    return new Promise((resolve) => this.#send({ kind: 'refused', text, exitStatus }, resolve))
  }

  answerWith(answers: ProcessAnswers): void {
    this.#answers = answers
  }

  async samples(): Promise<readonly Sample[]> {
    return (await this.#ask('samples')) ?? [...((await this.#answers?.samples()) ?? []), ...this.#alone()]
  }

  async unwell(): Promise<readonly UnwellProcess[]> {
    return (await this.#ask('health')) ?? this.#others().map((number) => ({ process: number, reason: 'noAnswer' }))
  }

  async circuits(workspaceId: string): Promise<readonly DestinationCircuit[]> {
    const all = (await this.#ask('circuits')) ?? [this.#answers?.circuits() ?? {}]
    return joinCircuits(all.map((each) => each[workspaceId] ?? []))
  }

  #others(): readonly number[] {
    const { number, of } = this.place
    return Array.from({ length: of }, (_, index) => index + 1).filter((each) => each !== number)
  }

  /** Says that the figures are of this process alone. */
  #alone(): readonly Sample[] {
    const answered = (number: number, value: number): Sample => ({
      name: 'sluice_process_answered',
      labels: { process: String(number) },
      value,
    })
    return [answered(this.place.number, 1), ...this.#others().map((number) => answered(number, 0))]
  }

  #take(message: MessageToProcess): void {
    if (message.kind === 'ping') this.#send({ kind: 'pong' })
    else if (message.kind === 'stop') this.#acts.stop?.()
    else if (message.kind === 'reload') void this.#reload()
    else if (message.kind === 'question') void this.#answer(message.id, message.question)
    else if (message.kind === 'reply') this.#replies.get(message.id)?.(message.reply)
  }

  async #reload(): Promise<void> {
    const result = await this.#acts.reload?.()
    this.#send({ kind: 'reloaded', ...(result ?? { isApplied: true, text: 'nothing to apply' }) })
  }

  /** A question that cannot be answered, for example without a database, is not: the supervisor names the process. */
  async #answer(id: number, question: Question): Promise<void> {
    try {
      const answer: Answers[Question] | undefined = await this.#answers?.[question]()
      if (answer !== undefined) this.#send({ kind: 'answer', id, answer })
    } catch {
      // The cause is logged where it happens.
    }
  }

  /** Returns undefined when the supervisor does not reply in time. */
  #ask<Q extends Question>(question: Q): Promise<Replies[Q] | undefined> {
    this.#lastId += 1
    const id = this.#lastId
    return new Promise((resolve) => {
      const finish = (reply?: Replies[Question]): void => {
        clearTimeout(timer)
        this.#replies.delete(id)
        resolve(reply as Replies[Q] | undefined)
      }
      const timer = setTimeout(finish, replyMs)
      this.#replies.set(id, finish)
      this.#send({ kind: 'ask', id, question })
    })
  }

  #send(message: MessageToSupervisor, onSent = (): void => {}): void {
    if (process.connected) process.send?.(message, undefined, undefined, () => onSent())
    else onSent()
  }
}
