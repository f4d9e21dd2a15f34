import type { Event } from '@sluice/core'

/**
 * Returns why an event is dropped for a destination, or undefined if it passes. The reason is a short fixed text,
 * because drops are counted by reason.
 */
export type EventFilter = (event: Event) => string | undefined
