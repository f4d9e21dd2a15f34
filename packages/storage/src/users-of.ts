import { type Event, keysOfEvent, type SourcedEvent } from '@sluice/core'

/**
 * Returns the keys of the persons that a stored event belongs to, see `keysOfEvent`: those of the accepted event, of what user code made
 * of it, and of all other accepted events that it may have been made of.
 */
export function usersOf({
  source,
  outputs = [],
}: {
  readonly source: SourcedEvent
  readonly outputs?: readonly { readonly event: Event }[]
}): readonly string[] {
  const users = new Set(keysOfEvent(source.event))
  for (const { event } of outputs) for (const user of keysOfEvent(event)) users.add(user)
  for (const { identifiers } of source.otherOrigins ?? []) for (const user of identifiers) users.add(user)
  return [...users]
}
