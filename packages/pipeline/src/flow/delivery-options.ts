import type { CircuitBreakerOptions, DeliverOptions } from '@sluice/delivery'

/** How the requests of one destination are sent; the same for every destination. */
export interface DeliveryOptions extends Pick<DeliverOptions, 'concurrency' | 'timeMs' | 'slowMs' | 'retry'> {
  /** When a destination that fails is left alone, and for how long. */
  readonly circuit?: Omit<CircuitBreakerOptions, 'clock' | 'onChange'>
}
