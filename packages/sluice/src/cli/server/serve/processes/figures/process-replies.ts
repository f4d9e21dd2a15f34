import type { UnwellProcess } from '../../../../../siblings.ts'
import type { Sample } from '../../../../../telemetry/metric-table.ts'
import type { Answers, Question, Replies } from '../process-messages.ts'
import { AskedProcesses } from './asked-processes.ts'
import { ProcessCounters } from './process-counters.ts'

/** A process, as far as others ask about it. */
interface KnownProcess {
  readonly number: number
  readonly isServing: boolean
  readonly restarts: number
}

interface ProcessRepliesOptions {
  processes(): readonly KnownProcess[]
  send(number: number, id: number, question: Question): void
}

/** Replies to what one process asks about all: it asks them, and joins what they answer. One that is silent is named. */
export class ProcessReplies {
  readonly #options: ProcessRepliesOptions
  readonly #asked: AskedProcesses
  readonly #counters = new ProcessCounters()

  constructor(options: ProcessRepliesOptions) {
    this.#options = options
    const serving = () => options.processes().filter(({ isServing }) => isServing)
    this.#asked = new AskedProcesses({ serving: () => serving().map(({ number }) => number), send: options.send })
  }

  answered(number: number, id: number, answer: unknown): void {
    this.#asked.answered(number, id, answer)
  }

  ended(number: number): void {
    this.#counters.ended(number)
    this.#asked.ended(number)
  }

  async replyTo(asking: number, question: Question): Promise<Replies[Question]> {
    if (question === 'circuits') return [...(await this.#asked.ask(question)).values()]
    if (question === 'health') return this.#unwell(asking, await this.#asked.ask(question))
    const answers = await this.#asked.ask(question)
    return [...this.#counters.joined(answers), ...this.#samplesOf(answers)]
  }

  #samplesOf(answers: ReadonlyMap<number, unknown>): readonly Sample[] {
    return this.#options.processes().flatMap(({ number, restarts }) => {
      const labels = { process: String(number) }
      return [
        { name: 'sluice_process_answered', labels, value: answers.has(number) ? 1 : 0 },
        { name: 'sluice_process_restarts_total', labels, value: restarts },
      ]
    })
  }

  #unwell(asking: number, answers: ReadonlyMap<number, Answers['health']>): readonly UnwellProcess[] {
    return this.#options
      .processes()
      .filter(({ number }) => number !== asking)
      .map(({ number, isServing }) => ({
        process: number,
        reason: answers.get(number) ?? (isServing ? 'noAnswer' : 'starting'),
      }))
      .filter(({ reason }) => reason !== 'ok')
  }
}
