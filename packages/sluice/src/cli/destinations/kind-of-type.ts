import type { DestinationRegistry } from '@sluice/destinations'
import { nativeDestinations } from '../../workspace/known-destinations.ts'
import type { DestinationKind } from './destination-kind.ts'

const native: ReadonlySet<string> = new Set(nativeDestinations().map(({ type }) => type))

/** Returns where a known destination type comes from. */
export function kindOfType(type: string, registry: DestinationRegistry): DestinationKind {
  if (native.has(type)) return 'native'
  return registry.familyOf(type)?.prefix === 'segment/' ? 'segment' : 'own'
}
