import { Type } from 'typebox'

const names = (title: string, description: string, option: string) =>
  Type.Optional(
    Type.Array(Type.Object({ eventName: Type.String({ description: 'Name of a track event.' }) }), {
      title,
      description,
      shownWhen: { eventFilteringOption: option },
      allowed: 'a list of event names',
    }),
  )

/** Settings that limit a destination to some track events. See `eventLists`. */
export const eventFilterSettings = {
  blacklistedEvents: names(
    'Events to drop',
    'Track events to drop, with eventFilteringOption blacklistedEvents.',
    'blacklistedEvents',
  ),
  whitelistedEvents: names(
    'Events to accept',
    'The only track events to accept, with eventFilteringOption whitelistedEvents.',
    'whitelistedEvents',
  ),
  eventFilteringOption: Type.Optional(
    Type.Enum(['disable', 'whitelistedEvents', 'blacklistedEvents'], {
      title: 'Track events',
      choices: { disable: 'All', whitelistedEvents: 'Only those listed', blacklistedEvents: 'All except those listed' },
      description: 'The list that applies; neither when disable or absent.',
    }),
  ),
}
