import { accessScopes, detectors, eventTypes, onInvalidChoices } from '@sluice/core'
import Type, { type Static } from 'typebox'

const closed = { additionalProperties: false }
const Name = Type.String({ minLength: 1, maxLength: 200, description: 'text of 1 to 200 characters' })
const Id = Type.String({
  pattern: '^[!-.0-~]{1,100}$',
  description: 'up to 100 visible ASCII characters, no slash',
})
const WriteKey = Type.String({
  pattern: '^[!-9;-~]{1,200}$',
  description: 'up to 200 visible ASCII characters, no colon (it travels as the user name of Basic authentication)',
})
const Enabled = Type.Optional(Type.Boolean({ default: true, description: 'true (the default) or false' }))

/** What the schema catalogue stores of a source. */
const Observe = Type.Object(
  {
    samples: Type.Optional(Type.Boolean()),
    values: Type.Optional(Type.Boolean()),
    maskPaths: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 500 }), {
        maxItems: 100,
        description: 'at most 100 key paths like context.traits.*',
      }),
    ),
    detectors: Type.Optional(Type.Array(Type.Enum([...detectors]))),
  },
  closed,
)

/** Expected events, each with a JSON Schema of the whole event. */
const TrackingPlan = Type.Object(
  {
    onViolation: Type.Enum(['mark', 'strip', 'strip-unplanned', 'quarantine', 'drop']),
    unplanned: Type.Optional(Type.Enum(['pass', 'mark', 'quarantine', 'drop'])),
    events: Type.Array(
      Type.Object(
        {
          type: Type.Enum([...eventTypes]),
          event: Type.Optional(Type.String()),
          schema: Type.Record(Type.String(), Type.Unknown()),
          onViolation: Type.Optional(Type.Enum(['pass', 'mark', 'strip', 'strip-unplanned', 'quarantine', 'drop'])),
        },
        closed,
      ),
      { maxItems: 1_000 },
    ),
  },
  closed,
)

/** User code: inline, or in a file beside the workspace file. Exactly one of the two. */
const code = {
  code: Type.Optional(Type.String({ maxLength: 1_000_000 })),
  file: Type.Optional(Type.String({ minLength: 1 })),
}

/** A token is written as its hash, or as the name of a variable that holds it. */
export const AccessToken = Type.Object(
  {
    name: Name,
    token: Type.String({
      pattern: '^(sha256:[0-9a-f]{64}|env:[A-Za-z_][A-Za-z0-9_]*)$',
      description: 'sha256: and 64 hex digits (`sluice token create` makes one), or env: and the name of a variable',
    }),
    scopes: Type.Optional(
      Type.Array(Type.Enum([...accessScopes]), {
        minItems: 1,
        description: `a list of ${accessScopes.join(', ')}; without it: read, write and operate`,
      }),
    ),
  },
  closed,
)

export const Source = Type.Object(
  {
    id: Id,
    name: Type.Optional(Name),
    type: Type.Optional(Name),
    writeKey: WriteKey,
    formerWriteKey: Type.Optional(
      Type.Object(
        {
          writeKey: WriteKey,
          validUntil: Type.String({
            pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,3})?Z$',
            description: 'a time in UTC such as 2027-01-31T12:00:00Z',
          }),
        },
        closed,
      ),
    ),
    enabled: Enabled,
    onInvalid: Type.Optional(
      Type.Enum([...onInvalidChoices], {
        description: 'refuse-call or refuse-event: what a malformed event costs; without it, as the server says',
      }),
    ),
    geoEnrichmentEnabled: Type.Optional(Type.Boolean({ description: 'true or false: kept, without effect' })),
    transient: Type.Optional(Type.Boolean({ description: 'true or false: kept, without effect' })),
    observe: Type.Optional(Observe),
    trackingPlan: Type.Optional(TrackingPlan),
    planLink: Type.Optional(
      Type.Object(
        { id: Id, config: Type.Record(Type.String(), Type.Unknown()) },
        { ...closed, description: 'the stored tracking plan that trackingPlan is made from' },
      ),
    ),
  },
  closed,
)

export const Destination = Type.Object(
  {
    id: Id,
    name: Type.Optional(Name),
    type: Name,
    version: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'kept, without effect' })),
    enabled: Enabled,
    settings: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    transformation: Type.Optional(Type.Object({ name: Type.Optional(Name), ...code }, closed)),
  },
  closed,
)

export const Connection = Type.Object(
  {
    source: Id,
    destination: Id,
    enabled: Enabled,
    settings: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  closed,
)

export const WorkspaceSchema = Type.Object(
  {
    id: Id,
    name: Type.Optional(Name),
    lenient: Type.Optional(
      Type.Boolean({
        description:
          'true or false (the default): whether settings that a destination type does not have are accepted, without effect',
      }),
    ),
    showSecrets: Type.Optional(
      Type.Boolean({
        description: 'true or false (the default): whether tokens with the scope secrets are shown secret settings',
      }),
    ),
    sandbox: Type.Optional(
      Type.Object(
        {
          code: Type.Optional(
            Type.Union([Type.Literal('untrusted'), Type.Literal('trusted')], {
              description:
                'untrusted (the default) or trusted: whether user code is of people who could deploy code to the server anyway. Trusted code runs in V8, which is faster, and can reach files and the network of the server',
            }),
          ),
        },
        closed,
      ),
    ),
    accessTokens: Type.Optional(Type.Array(AccessToken)),
    sources: Type.Array(Source),
    destinations: Type.Array(Destination),
    connections: Type.Array(Connection),
    credentials: Type.Optional(
      Type.Record(
        Type.String({ pattern: '^[^\\s].{0,99}$' }),
        Type.String({
          minLength: 1,
          maxLength: 10_000,
          description: 'the value, or env: and the name of a variable that holds it',
        }),
        closed,
      ),
    ),
    credentialVariables: Type.Optional(
      Type.Array(Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]*$' }), {
        description:
          'variables that credentials saved through the API may name. Without the list: SLUICE_CREDENTIAL_… of a process with one workspace, otherwise none',
      }),
    ),
    libraries: Type.Optional(Type.Array(Type.Object({ name: Name, ...code }, closed))),
  },
  closed,
)

/** The form of a workspace file, and of what `createSluice` takes: one entry per workspace. */
export const WorkspacesSchema = Type.Object({ workspaces: Type.Array(WorkspaceSchema, { minItems: 1 }) }, closed)

export type WorkspaceForm = Static<typeof WorkspaceSchema>
export type WorkspacesForm = Static<typeof WorkspacesSchema>
