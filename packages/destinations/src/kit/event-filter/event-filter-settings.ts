import { Type } from 'typebox'

const names = (description: string) =>
  Type.Optional(
    Type.Array(Type.Object({ eventName: Type.String({ description: 'Name of a track event.' }) }), {
      description,
      allowed: 'a list of event names',
    }),
  )

/** Settings that limit a destination to some track events. See `eventLists`. */
export const eventFilterSettings = {
  blacklistedEvents: names('Track events to drop, with eventFilteringOption blacklistedEvents.'),
  whitelistedEvents: names('The only track events to accept, with eventFilteringOption whitelistedEvents.'),
  eventFilteringOption: Type.Optional(
    Type.Enum(['disable', 'whitelistedEvents', 'blacklistedEvents'], {
      description: 'The list that applies; neither when disable or absent.',
    }),
  ),
}
