import type { Event } from '@sluice/core'

/**
 * Returns why an event is dropped for a destination, or undefined if it passes. The reason is a short fixed text,
 * because drops are counted by reason.
 *
 * @param sourceType type of the source of the event, such as `Javascript`, if known.
 */
export type EventFilter = (event: Event, sourceType?: string) => string | undefined
