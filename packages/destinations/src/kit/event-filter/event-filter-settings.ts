import { Type } from 'typebox'

const group = 'Event list'

const names = (title: string, description: string, option: string) =>
  Type.Optional(
    Type.Array(Type.Object({ eventName: Type.String({ isFixed: true, description: 'Name of a track event.' }) }), {
      title,
      description,
      group,
      shownWhen: { eventFilteringOption: option },
      isFixed: true,
      allowed: 'a list of objects with eventName, written out: a variable or a template gives a text',
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
      group,
      isFixed: true,
    }),
  ),
}
