import Type, { type Static } from 'typebox'

const closed = { additionalProperties: false }
const time = (description: string) => Type.String({ format: 'date-time', description })
const types = Type.Record(Type.String(), Type.String(), { description: 'Type name by dotted key path.' })
const counts = Type.Record(Type.String(), Type.Integer(), { description: 'Events that had each key.' })

export const modelsQuery = Type.Object({
  sourceId: Type.Optional(Type.String({ description: 'only events of this source' })),
  keys: Type.Optional(Type.Boolean({ description: 'true or false: whether to count the keys of each event' })),
})

const modelSchema = Type.Object(
  {
    id: Type.String(),
    sourceId: Type.String({ description: 'Empty when the source is gone.' }),
    type: Type.String(),
    event: Type.String({ description: 'Name of a track event; empty for other types.' }),
    createdAt: time('When it was first seen.'),
    lastSeen: time('When it was last seen.'),
    totalCount: Type.Integer(),
    schema: types,
    keyCounts: Type.Optional(counts),
  },
  closed,
)
export const modelsSchema = Type.Object({ models: Type.Array(modelSchema) }, closed)

export const driftQuery = Type.Object({
  since: Type.String({ format: 'date-time', description: 'ISO 8601: what is new at this time or later' }),
  sourceId: Type.Optional(Type.String({ description: 'only events of this source' })),
})

export const driftSchema = Type.Object(
  {
    models: Type.Array(
      Type.Object(
        {
          model: modelSchema,
          isNew: Type.Boolean({ description: 'Whether the event itself is new.' }),
          versions: Type.Array(
            Type.Object(
              { id: Type.String(), firstSeen: time('When it was first seen.'), totalCount: Type.Integer() },
              closed,
            ),
            { description: 'New versions, oldest first.' },
          ),
          newKeys: { ...types, description: 'Type by path of keys that no version had before; none for a new event.' },
          changedKeys: Type.Record(
            Type.String(),
            Type.Object({ from: Type.Array(Type.String()), to: Type.String() }, closed),
            { description: 'Keys with a type that they did not have before.' },
          ),
        },
        closed,
      ),
    ),
  },
  closed,
)

export const plansSchema = Type.Object(
  {
    plans: Type.Array(
      Type.Object(
        {
          sourceId: Type.String(),
          onViolation: Type.Enum(['mark', 'strip', 'strip-unplanned', 'drop']),
          unplanned: Type.Enum(['pass', 'mark', 'drop']),
          events: Type.Array(
            Type.Object(
              {
                type: Type.String(),
                event: Type.String({ description: 'Name of a track event; empty for other types.' }),
                schema: Type.Record(Type.String(), Type.Unknown(), { description: 'JSON Schema.' }),
                violations: Type.Record(Type.String(), Type.Integer(), {
                  description: 'Accepted events by type of violation; an event counts once for each of its types.',
                }),
              },
              closed,
            ),
          ),
          unplannedEvents: Type.Integer({
            description: 'Accepted events that the plan does not list; 0 where it lets them pass.',
          }),
        },
        closed,
      ),
      { description: 'Sources without a plan are left out. Counts are since the store was created.' },
    ),
  },
  closed,
)

const versionSchema = Type.Object(
  {
    id: Type.String(),
    firstSeen: time('When it was first seen.'),
    lastSeen: time('When it was last seen.'),
    totalCount: Type.Integer(),
    schema: types,
    missingKeys: Type.Array(Type.String(), { description: 'Keys of other versions that it lacks.' }),
  },
  closed,
)
export const detailSchema = Type.Object(
  {
    model: modelSchema,
    keyCounts: counts,
    columns: Type.Record(Type.String(), Type.String(), {
      description:
        'Keys that share the name of a column of warehouses with another key, and the column of the second one where an event has both, in lower case.',
    }),
    days: Type.Array(
      Type.Object({ day: Type.String({ format: 'date', description: 'In UTC.' }), events: Type.Integer() }, closed),
      {
        description:
          'Events by day, oldest first, of the last 90 days up to the newest. Days without events are left out.',
      },
    ),
    versions: Type.Array(versionSchema, { description: 'Newest first.' }),
  },
  closed,
)

export const valuesSchema = Type.Object(
  {
    samples: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
      description: 'Randomly chosen events, personal data masked.',
    }),
    frequentValues: Type.Record(
      Type.String(),
      Type.Array(Type.Object({ value: Type.String(), share: Type.Number({ minimum: 0, maximum: 1 }) }, closed)),
      { description: 'Values by key path, most frequent first.' },
    ),
  },
  closed,
)

export const jsonSchemaSchema = Type.Record(Type.String(), Type.Unknown())

/** Body of `GET /v2/tracking-plans`. */
export type TrackingPlans = Static<typeof plansSchema>
/** Body of `GET /v2/catalogue/drift`. */
export type CatalogueDrift = Static<typeof driftSchema>
/** Body of `GET /v2/catalogue/models`. */
export type CatalogueModels = Static<typeof modelsSchema>
/** Body of `GET /v2/catalogue/models/{id}`. */
export type CatalogueDetail = Static<typeof detailSchema>
/** Body of `GET /v2/catalogue/models/{id}/values`. */
export type CatalogueValues = Static<typeof valuesSchema>
