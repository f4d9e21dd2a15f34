import Type from 'typebox'
import type { ResponseDescription } from '../../routing/route.ts'

/** The records of the Data Governance API. Source: packages/docs/api/governance.md#event-model. */

const closed = { additionalProperties: false }
const time = Type.String({ format: 'date-time' })
const schemaOfEvents = Type.Record(Type.String(), Type.String(), { description: 'Type name by dotted key path.' })

export const modelsSchema = Type.Array(
  Type.Object(
    {
      ID: Type.Integer(),
      EventID: Type.String(),
      WriteKey: Type.String(),
      EventType: Type.String(),
      EventIdentifier: Type.String(),
      CreatedAt: time,
      Schema: schemaOfEvents,
      LastSeen: time,
      TotalCount: Type.Integer(),
    },
    closed,
  ),
)

export const versionsSchema = Type.Array(
  Type.Object(
    {
      ID: Type.Integer(),
      VersionID: Type.String(),
      EventModelID: Type.String(),
      Schema: schemaOfEvents,
      FirstSeen: time,
      LastSeen: time,
      TotalCount: Type.Integer(),
    },
    closed,
  ),
)

export const metadataSchema = Type.Object(
  {
    SampledEvents: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
      description: 'Randomly chosen events, personal data masked.',
    }),
    TotalCount: Type.Integer(),
    FrequentValues: Type.Record(
      Type.String(),
      Type.Array(Type.Object({ Value: Type.String(), Frequency: Type.Number({ minimum: 0, maximum: 1 }) }, closed)),
      { description: 'Values by key path, most frequent first.' },
    ),
  },
  closed,
)

export const keyCountsSchema = Type.Record(Type.String(), Type.Integer())
export const missingKeysSchema = Type.Array(Type.String())
export const jsonSchemaSchema = Type.Record(Type.String(), Type.Unknown())

const types = Type.Record(Type.String(), Type.String())
export const diffSchema = {
  query: Type.Object({
    from: Type.String({ minLength: 1, description: 'VersionID of the earlier version.' }),
    to: Type.String({ minLength: 1, description: 'VersionID of the later version.' }),
  }),
  answer: Type.Object(
    {
      added: types,
      removed: types,
      changed: Type.Record(Type.String(), Type.Object({ from: Type.String(), to: Type.String() }, closed)),
    },
    closed,
  ),
}

export const boundsSchema = Type.Array(
  Type.Object({ WriteKey: Type.String(), Limit: Type.String(), Count: Type.Integer() }, closed),
)

export const modelsQuery = Type.Object({
  WriteKey: Type.Optional(Type.String({ description: 'Only models of this source.' })),
})
export const versionsQuery = Type.Object({
  EventID: Type.String({ minLength: 1, description: 'EventID of an event model.' }),
})

export const refusal: ResponseDescription = {
  description: 'The request failed: wrong credentials, a missing parameter, or an unknown record.',
  schema: Type.String({ description: 'A line of JSON: {"msg": …}' }),
  contentType: 'text/plain',
}
