import { outcomeReasons } from '@sluice/pipeline'
import Type, { type Static } from 'typebox'
import { workspaceQuery } from './operations-schemas.ts'

const closed = { additionalProperties: false }
const dayText = { pattern: '^\\d{4}-\\d\\d-\\d\\d$' }
const ofName = {
  type: Type.String({ description: 'Type of the events, such as `track`; empty for what stands for several names.' }),
  event: Type.String({
    description:
      'Name of track events, otherwise empty. `(others)` stands for the names of the day beyond 200, `(no type)` for events without a type.',
  }),
}

export const outcomesQuery = Type.Object({
  ...workspaceQuery,
  source: Type.String({ description: 'id of the source' }),
  event: Type.Optional(Type.String({ description: 'only track events of this name' })),
  type: Type.Optional(Type.String({ description: 'only events of this type, such as page; default track with event' })),
  day: Type.Optional(
    Type.String({
      ...dayText,
      description: 'day of receipt in UTC, such as 2026-11-28; default today. 90 days are kept',
    }),
  ),
  destination: Type.Optional(Type.String({ description: 'only this destination' })),
})

export const outcomesSchema = Type.Object(
  {
    workspaceId: Type.String(),
    sourceId: Type.String(),
    day: Type.String({ ...dayText, description: 'Day on which the events were received, in UTC.' }),
    type: Type.Optional(ofName.type),
    event: Type.Optional(ofName.event),
    accepted: Type.Integer({ description: 'Events that the source accepted.' }),
    suppressed: Type.Integer({
      description:
        'Events of suppressed users that were not accepted, of any name: such a count is kept for the source as a whole only.',
    }),
    names: Type.Array(Type.Object({ ...ofName, accepted: Type.Integer() }, closed), {
      description: 'All names of the day, the most frequent first.',
    }),
    destinations: Type.Array(
      Type.Object(
        {
          destinationId: Type.String(),
          state: Type.Enum(['enabled', 'paused', 'failing', 'disabled', 'deleted'], {
            description: 'Whether events are sent to it now: `failing` and `paused` say why some wait.',
          }),
          accepted: Type.Integer({ description: 'accepted + replayed = delivered + all of notReached + waiting.' }),
          replayed: Type.Integer({ description: 'Sent again from the log or the dead letters; each ends once more.' }),
          delivered: Type.Integer(),
          notReached: Type.Array(
            Type.Object(
              {
                why: Type.Enum([...outcomeReasons], { description: 'The reason; the page lists what each means.' }),
                outcome: Type.Optional(Type.Enum(['dropped', 'failed'], { description: 'What a transformation did.' })),
                versionId: Type.Optional(Type.String({ description: 'Version of the transformation.' })),
                code: Type.Optional(Type.String({ description: 'Code of the error, where events failed.' })),
                events: Type.Integer(),
              },
              closed,
            ),
          ),
          waiting: Type.Integer({ description: 'Not yet ended.' }),
        },
        closed,
      ),
    ),
  },
  closed,
)

export type OutcomesAnswer = Static<typeof outcomesSchema>
