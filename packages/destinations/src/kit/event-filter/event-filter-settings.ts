import { Type } from 'typebox'

const names = (description: string) =>
  Type.Optional(
    Type.Array(Type.Object({ eventName: Type.String({ description: 'Name of a track event.' }) }), {
      description,
      allowed: 'a list of event names',
    }),
  )

/** Settings by which a destination takes only some track events. See `eventLists`. */
export const eventFilterSettings = {
  blacklistedEvents: names('Names of the track events to leave out, with eventFilteringOption blacklistedEvents.'),
  whitelistedEvents: names('Names of the only track events to take, with eventFilteringOption whitelistedEvents.'),
  eventFilteringOption: Type.Optional(
    Type.Enum(['disable', 'whitelistedEvents', 'blacklistedEvents'], {
      description: 'Which of the two lists counts; none when disable or left out.',
    }),
  ),
}
