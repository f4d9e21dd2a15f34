/** Where a destination type comes from: built in, Segment's definitions, or modules of the user. */
export const kinds = ['native', 'segment', 'own'] as const

export type DestinationKind = (typeof kinds)[number]
