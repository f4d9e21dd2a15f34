import type { DeliverableEvent, EventDelivery } from './event-delivery.ts'
import type { SendCall } from './send.ts'

/** Tells the caller of each delivery of a call once, when it has ended. */
export class Settling {
  readonly #open: Map<EventDelivery<DeliverableEvent>, number>
  readonly #settled: SendCall['settled']

  constructor(deliveries: readonly EventDelivery<DeliverableEvent>[], settled: SendCall['settled']) {
    this.#open = new Map(deliveries.map((delivery, index) => [delivery, index]))
    this.#settled = settled
  }

  /** Something was done for these deliveries. */
  report(some: readonly EventDelivery<DeliverableEvent>[]): void {
    for (const delivery of some) if (delivery.hasEnded) this.#tell(delivery)
  }

  /** Nothing more is done for any. */
  rest(): void {
    for (const delivery of [...this.#open.keys()]) this.#tell(delivery)
  }

  #tell(delivery: EventDelivery<DeliverableEvent>): void {
    const index = this.#open.get(delivery)
    if (index === undefined) return
    this.#open.delete(delivery)
    this.#settled(index, delivery.outcome())
  }
}
