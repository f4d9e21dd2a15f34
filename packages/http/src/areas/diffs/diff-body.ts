import Type from 'typebox'

const closed = { additionalProperties: false }
const time = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }))

/** Most events that a comparison runs. */
const sampleMax = 10_000
export const sampleUsual = 500

export const diffBody = Type.Object(
  {
    what: Type.Object(
      {
        transformationId: Type.Optional(Type.String({ description: 'a transformation that changes' })),
        libraryId: Type.Optional(Type.String({ description: 'or a library' })),
        destinationId: Type.Optional(Type.String({ description: 'or the settings of a destination' })),
        versionId: Type.Optional(Type.String({ description: 'the version that the code would become' })),
        code: Type.Optional(Type.String({ description: 'or its code; needs the scope write, too' })),
        settings: Type.Optional(
          Type.Record(Type.String(), Type.Unknown(), { description: 'settings that replace those of the destination' }),
        ),
      },
      { ...closed, description: 'what changes: one record, and what becomes of it' },
    ),
    events: Type.Optional(
      Type.Object(
        {
          sourceId: Type.Optional(Type.String()),
          destinationId: Type.Optional(Type.String({ description: 'only events that were accepted for it' })),
          event: Type.Optional(Type.String({ description: 'only events of this name' })),
          from: time('ISO 8601: only events received at this time or later'),
          to: time('ISO 8601: only events received before this time'),
          sample: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: sampleMax,
              description: `most events, the newest: 1 to ${sampleMax}; default ${sampleUsual}`,
            }),
          ),
        },
        { ...closed, description: 'which events of the log; default: the newest' },
      ),
    ),
  },
  closed,
)

const totals = Type.Object(
  {
    passed: Type.Integer(),
    dropped: Type.Integer(),
    failed: Type.Integer(),
    requests: Type.Integer(),
    p50Ms: Type.Number({ description: 'Time of a batch divided by its events, the middle one, in milliseconds.' }),
    p99Ms: Type.Number(),
  },
  closed,
)

export const diffAnswer = Type.Object(
  {
    masked: Type.Boolean({ description: 'Whether personal data is masked.' }),
    events: Type.Integer({ description: 'Events that were run.' }),
    changed: Type.Integer({ description: 'Events with at least one change.' }),
    isCut: Type.Boolean({ description: 'Whether the log may have more events that match.' }),
    groups: Type.Array(
      Type.Object(
        {
          destination: Type.Optional(Type.String({ description: 'Absent where outputs of code are compared.' })),
          path: Type.String({ description: 'Such as `requests[].body.JSON.value` or `outcome`.' }),
          change: Type.String({ description: 'Such as `null → number`.' }),
          events: Type.Integer(),
          byName: Type.Array(Type.Object({ name: Type.String(), events: Type.Integer() }, closed)),
          example: Type.Object(
            {
              event: Type.Integer({ description: 'Place among the events, from 1, the oldest first.' }),
              messageId: Type.Union([Type.String(), Type.Null()]),
              before: Type.Optional(Type.Unknown()),
              after: Type.Optional(Type.Unknown()),
            },
            { ...closed, description: 'The smallest event of the group.' },
          ),
        },
        closed,
      ),
      { description: 'Those with the most events first.' },
    ),
    groupsLeftOut: Type.Integer({ description: 'Changes at more places than are distinguished.' }),
    before: totals,
    after: totals,
  },
  closed,
)
