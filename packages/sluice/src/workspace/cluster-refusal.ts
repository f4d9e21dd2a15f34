import type { JsonObject } from '@sluice/core'
import type { DestinationDefinition } from '@sluice/destinations'
import { localTypes } from './local-types.ts'

const rotating =
  'its account issues a new refresh token each time and ends the one before, so that the processes would lock each other out'

/** Returns what is allowed instead of a destination that several processes cannot share; undefined when they can. */
export function clusterRefusal(
  { type, account, action }: Pick<DestinationDefinition, 'type' | 'account' | 'action'>,
  settings: JsonObject,
): string | undefined {
  const isRotating = account?.rotates === true || action?.account?.mayRotate?.(settings) === true
  const reason = localTypes[type] ?? (isRotating ? rotating : undefined)
  return reason && `types that work in several processes (${reason}), or a store for one process`
}
