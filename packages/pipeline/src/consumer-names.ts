/** The consumer that learns what events look like. */
export const observer = 'observe'

const destinationPrefix = 'destination/'

/** The consumer of the log that delivers to a destination. */
export function consumerOf(destinationId: string): string {
  return destinationPrefix + destinationId
}

/** @returns undefined when it delivers to none. */
export function destinationOf(consumer: string): string | undefined {
  return consumer.startsWith(destinationPrefix) ? consumer.slice(destinationPrefix.length) : undefined
}
