import { identifierText, type SourcedEvent, someIdentifier } from '@sluice/core'
import type { Writing, WritingStore } from '@sluice/regulation'

/**
 * Longer ones are not kept, nor passed to destinations that delete. In characters: several times what an identifier may
 * have.
 */
const writtenLengthMax = 2_000

/** A store that keeps writings. */
export interface WritingsOf {
  readonly regulations: { readonly writings: Pick<WritingStore, 'add'> }
}

/**
 * Keeps the identifiers of events that are written in another way than they are compared. To be awaited before the events
 * can reach a destination. Nearly all events have none.
 */
export async function recordWritings({ regulations }: WritingsOf, items: readonly SourcedEvent[]): Promise<void> {
  const writings: Writing[] = []
  for (const { event } of items)
    someIdentifier(event, (written) => {
      if (typeof written !== 'string' || written.length > writtenLengthMax) return false
      const userId = identifierText(written)
      if (userId !== written && userId !== '') writings.push({ userId, written })
      return false
    })
  const [first] = items
  if (first !== undefined && writings.length > 0) await regulations.writings.add(first.workspaceId, writings)
}
