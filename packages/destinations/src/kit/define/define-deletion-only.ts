import type { TObject } from 'typebox'
import { type DestinationDefinition, defineDestination } from './define-destination.ts'
import type { DeletionRule } from './deletion.ts'

export type DeletionOnly<Settings extends TObject> = Pick<
  DestinationDefinition<Settings>,
  'type' | 'displayName' | 'settings' | 'secrets' | 'limits' | 'account'
> & { readonly deletion: DeletionRule }

/**
 * Declares a destination that deletes users but does not accept events yet. It supports no message type, so every event
 * for it is dropped.
 */
export function defineDeletionOnly<Settings extends TObject>(
  declared: DeletionOnly<Settings>,
): DestinationDefinition<Settings> & { readonly deletion: DeletionRule } {
  const { deletion } = declared
  return { ...defineDestination({ ...declared, supports: [], requests: () => [], examples: [] }), deletion }
}
