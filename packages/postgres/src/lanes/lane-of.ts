import { type Event, userKeyOf } from '@sluice/core'

/**
 * Number of lanes of every workspace: the most processes that can share the delivery of one. Events of a user are in one
 * lane, which one process at a time reads, so they stay in order. Never changed: it decides where stored events are.
 */
export const laneCount = 32

/** Returns the lane of an event: FNV-1a of the UTF-16 code units of its user key. Never changed. */
export function laneOf(event: Event): number {
  const key = userKeyOf(event)
  let hash = 0x811c9dc5
  for (let i = 0; i < key.length; i += 1) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193)
  // The low bits of FNV alone depend on few bits of the key.
  return ((hash >>> 16) ^ hash) & (laneCount - 1)
}
