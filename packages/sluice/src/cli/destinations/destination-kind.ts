import { builtInDestinations, type DestinationRegistry } from '@sluice/destinations'

/** Where a destination type comes from: built in, Segment's definitions, or modules of the user. */
export const kinds = ['native', 'segment', 'own'] as const

export type DestinationKind = (typeof kinds)[number]

const native: ReadonlySet<string> = new Set(builtInDestinations.map(({ type }) => type))

export function destinationKind(type: string, registry: DestinationRegistry): DestinationKind {
  if (native.has(type)) return 'native'
  return registry.familyOf(type)?.prefix === 'segment/' ? 'segment' : 'own'
}
