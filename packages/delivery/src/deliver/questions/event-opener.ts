import type { Ask } from '@sluice/destinations'
import type { BatchSender } from '../batch-sender.ts'
import type { DeliverCall } from '../deliver-call.ts'
import { type DeliverableEvent, type EventDelivery, questionPlace } from '../event-delivery.ts'
import type { Answer, Questions } from './questions.ts'
import { continueMapping, type WaitingMapping } from './waiting-mapping.ts'

interface EventOpenerOptions<T extends DeliverableEvent> {
  readonly questions: Questions
  readonly sender: Pick<BatchSender<T>, 'send'>
  /**
   * Limits the concurrent requests to the destination. Resolves when what is sent has ended, or the caller of the call
   * keeps the event.
   */
  limit(delivery: EventDelivery<T>, call: DeliverCall, send: (call: DeliverCall) => Promise<void>): Promise<void>
}

/**
 * Finds the requests of events whose mappings wait for answers. Questions are sent like all requests: retried, stopped
 * by the circuit breaker, and postponed with their event.
 */
export class EventOpener<T extends DeliverableEvent> {
  readonly #options: EventOpenerOptions<T>

  constructor(options: EventOpenerOptions<T>) {
    this.#options = options
  }

  /** Continues the mapping as far as cached answers allow. */
  openWithKnown(delivery: EventDelivery<T>): void {
    const { questions } = this.#options
    for (let open = delivery.open; open; open = delivery.open) {
      const answer = questions.known(open.ask)
      if (answer === undefined) return
      proceed(delivery, open, answer)
    }
  }

  /** Continues the mapping to its end: then the requests of the event are known, or it is over. */
  async open(delivery: EventDelivery<T>, call: DeliverCall): Promise<void> {
    this.openWithKnown(delivery)
    for (let open = delivery.open; open; open = delivery.open) {
      const answer = await this.#ask(open.ask, delivery, call)
      if (answer === undefined) return
      proceed(delivery, open, answer)
      this.openWithKnown(delivery)
    }
  }

  /** @returns undefined when there is no answer; the delivery then has its outcome. */
  async #ask(ask: Ask, delivery: EventDelivery<T>, call: DeliverCall): Promise<Answer | undefined> {
    const { questions, sender, limit } = this.#options
    const { request } = ask
    let answer: Answer | undefined
    const exchange = async (signal: AbortSignal) => {
      const answered = await questions.ask(ask, signal)
      answer = answered.answer
      return answered.exchange
    }
    const items = [{ delivery, place: questionPlace, request }]
    await limit(delivery, call, (kept) => sender.send({ request, items, exchange }, kept))
    return delivery.isOver ? undefined : answer
  }
}

function proceed<T extends DeliverableEvent>(delivery: EventDelivery<T>, open: WaitingMapping, answer: Answer): void {
  const continued = continueMapping(open, answer)
  if (continued.kind === 'waiting') delivery.asks(continued.mapping)
  else if (continued.kind === 'mapped') delivery.opened(continued.requests)
  else delivery.failed(questionPlace, continued.error)
}
