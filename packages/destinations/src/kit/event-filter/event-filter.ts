import type { Event } from '@sluice/core'

/**
 * Returns why an event is dropped for a destination, or undefined if it passes. A short fixed text, since it is
 * counted.
 */
export type EventFilter = (event: Event) => string | undefined
