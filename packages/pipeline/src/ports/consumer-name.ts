/** The consumer of the log that learns what events look like. */
export const observer = 'observe'

const prefix = 'destination/'

/** The consumer of the log that delivers to a destination. */
export function consumerNameOf(destinationId: string): string {
  return prefix + destinationId
}

/** Of any consumer but the observer. */
export function destinationOf(consumer: string): string {
  return consumer.slice(prefix.length)
}

/** Answers whether a consumer delivers to a destination. */
export function isDeliveryConsumer(consumer: string): boolean {
  return consumer.startsWith(prefix)
}
