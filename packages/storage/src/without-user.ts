import { type Event, identifierText } from '@sluice/core'

/** The events with `{}` in the place of those of a user, and how many that were. */
export function withoutUser(
  events: readonly Event[],
  userId: string,
): { readonly kept: readonly Event[]; readonly erased: number } {
  let erased = 0
  const kept = events.map((event) => {
    if (identifierText(event['userId']) !== userId) return event
    erased += 1
    return {}
  })
  return { kept, erased }
}
