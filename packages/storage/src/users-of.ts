import { type Event, identifiersOf, type SourcedEvent } from '@sluice/core'

/**
 * Returns the users that a stored event belongs to, as cleaned text: those of the accepted event, of what user code made
 * of it, and of all other accepted events that it may have been made of.
 */
export function usersOf({
  source,
  outputs = [],
}: {
  readonly source: SourcedEvent
  readonly outputs?: readonly { readonly event: Event }[]
}): readonly string[] {
  const users = new Set(identifiersOf(source.event))
  for (const { event } of outputs) for (const user of identifiersOf(event)) users.add(user)
  for (const { identifiers } of source.otherOrigins ?? []) for (const user of identifiers) users.add(user)
  return [...users]
}
