import type { Answers, Question } from '../process-messages.ts'

/** Time for all processes to answer a question. */
export const answerMs = 1_000

/** The processes that a question goes to. */
interface AskedOptions {
  /** Numbers of the processes that take requests. */
  serving(): readonly number[]
  send(number: number, id: number, question: Question): void
  /** Default `answerMs`. */
  readonly timeMs?: number
}

interface Round {
  readonly missing: Set<number>
  readonly answers: Map<number, unknown>
  finish(): void
}

/**
 * Asks all processes at once. Each question is under way once at most; callers that come meanwhile share the next time, so
 * that what was true before a call is in its answers.
 */
export class AskedProcesses {
  readonly #options: AskedOptions
  readonly #rounds = new Map<number, Round>()
  readonly #running = new Map<Question, Promise<unknown>>()
  readonly #next = new Map<Question, Promise<unknown>>()
  #lastId = 0

  constructor(options: AskedOptions) {
    this.#options = options
  }

  /** Returns the answers by process, without those of processes that have not answered in time. */
  ask<Q extends Question>(question: Q): Promise<ReadonlyMap<number, Answers[Q]>> {
    const running = this.#running.get(question)
    const asked = running ? (this.#next.get(question) ?? this.#after(running, question)) : this.#start(question)
    return asked as Promise<ReadonlyMap<number, Answers[Q]>>
  }

  answered(number: number, id: number, answer: unknown): void {
    const round = this.#rounds.get(id)
    if (!round?.missing.delete(number)) return
    round.answers.set(number, answer)
    if (round.missing.size === 0) round.finish()
  }

  /** A process has ended: nothing waits for it, and what it has answered is of a life that is over. */
  ended(number: number): void {
    for (const round of this.#rounds.values()) {
      round.answers.delete(number)
      if (round.missing.delete(number) && round.missing.size === 0) round.finish()
    }
  }

  #after(running: Promise<unknown>, question: Question): Promise<unknown> {
    const next = running.then(() => {
      this.#next.delete(question)
      return this.#start(question)
    })
    this.#next.set(question, next)
    return next
  }

  #start(question: Question): Promise<unknown> {
    const asked = this.#askAll(question)
    const running = asked.finally(() => {
      if (this.#running.get(question) === running) this.#running.delete(question)
    })
    this.#running.set(question, running)
    return running
  }

  #askAll(question: Question): Promise<ReadonlyMap<number, unknown>> {
    this.#lastId += 1
    const id = this.#lastId
    return new Promise((resolve) => {
      const answers = new Map<number, unknown>()
      const finish = (): void => {
        clearTimeout(timer)
        this.#rounds.delete(id)
        resolve(answers)
      }
      const timer = setTimeout(finish, this.#options.timeMs ?? answerMs)
      const missing = new Set(this.#options.serving())
      this.#rounds.set(id, { missing, answers, finish })
      for (const number of missing) this.#options.send(number, id, question)
      if (missing.size === 0) finish()
    })
  }
}
