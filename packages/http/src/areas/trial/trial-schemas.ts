import Type from 'typebox'

/** Requests and answers of the Test API. Source: packages/docs/api/test.md#request and #result. */

const closed = { additionalProperties: false }
const failure = Type.Object({ error: Type.String() }, closed)
const anyObject = Type.Record(Type.String(), Type.Unknown())

export const trialQuery = Type.Object({
  force: Type.Optional(
    Type.Enum(['true', 'false'], { description: 'true also tests disabled sources and destinations' }),
  ),
})

const flag = (what: string) => Type.Optional(Type.Boolean({ description: `${what}; default false` }))

export const trialBody = Type.Object({
  stage: Type.Object(
    {
      user_transform: flag('run the user transformation'),
      dest_transform: flag('map to the destination'),
      send_to_destination: flag('send the mapped requests; ignored without dest_transform'),
    },
    { description: 'which stages run' },
  ),
  message: Type.Optional(Type.Unknown({ description: 'the event; its type must be one of the six' })),
  destinationConfig: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'settings that replace stored ones for this call; only for the test of one destination',
    }),
  ),
})

const requestSchema = Type.Object(
  {
    version: Type.String(),
    type: Type.String(),
    method: Type.String(),
    endpoint: Type.String(),
    headers: Type.Record(Type.String(), Type.String()),
    params: anyObject,
    body: Type.Object({
      JSON: anyObject,
      JSON_ARRAY: anyObject,
      XML: anyObject,
      FORM: anyObject,
      RAW: Type.Optional(Type.Object({ text: Type.String() }, closed)),
    }),
    files: anyObject,
  },
  closed,
)

const previewSchema = Type.Object(
  {
    action: Type.String({ description: 'Endpoint of the ACTION request.' }),
    assumed: Type.String({ description: 'Replies that the preview assumes.' }),
    requests: Type.Array(requestSchema),
    error: Type.Optional(Type.String({ description: 'Why the action ended without success.' })),
  },
  closed,
)

export const resultSchema = Type.Object(
  {
    destinationId: Type.String(),
    destination: Type.String({ description: 'Type of the destination.' }),
    destinationName: Type.String(),
    data: Type.Array(
      Type.Object(
        {
          user_transformed_payload: Type.Optional(anyObject),
          dest_transformed_payload: Type.Optional(Type.Union([Type.Array(requestSchema), failure])),
          notices: Type.Optional(
            Type.Array(Type.String(), {
              description: 'Secrets that were left out because the request goes to another origin than the stored one.',
            }),
          ),
          actions: Type.Optional(
            Type.Array(previewSchema, {
              description: 'What the actions of a destination would send. Only when nothing is sent.',
            }),
          ),
          destination_response: Type.Optional(Type.Union([Type.Array(Type.Unknown()), failure])),
          destination_response_status: Type.Optional(Type.Array(Type.Integer())),
        },
        closed,
      ),
      { description: 'One element per output of the user transformation.' },
    ),
  },
  closed,
)

export const disabledSchema = Type.Object(
  { destinationId: Type.String(), destinationName: Type.String(), error: Type.String() },
  closed,
)

export const messageSchema = Type.Object({ message: Type.String() }, closed)
