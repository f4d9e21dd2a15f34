import { accessScopes } from '@sluice/core'
import { maskedText } from '@sluice/destinations/kit'
import Type, { type TObject, type TProperties } from 'typebox'
import { ExternalId } from '../../routing/external-id.ts'
import { deferredKeyword, privateKeyword } from '../../routing/validator.ts'

/** Area of the routes in the OpenAPI document. */
export const area = 'Configuration'

const closed = { additionalProperties: false }
const time = Type.String({ format: 'date-time', description: 'ISO 8601, UTC, milliseconds.' })

// Requests. The configuration itself checks most values, so that an answer lists all problems.

const deferred = { [deferredKeyword]: true }
const id = Type.Optional(
  Type.String({
    format: 'text',
    pattern: '^[!-.0-~]{1,100}$',
    [deferredKeyword]: ['pattern'],
    allOf: [{ maxLength: 1_000 }],
    description: 'up to 100 visible ASCII characters, no slash; default: a new one',
  }),
)
const text = (description: string, more: object = {}) =>
  Type.Optional(Type.String({ ...deferred, ...more, description }))
const name = text('text of 1 to 200 characters; default: the id', { minLength: 1, maxLength: 200 })
const anything = (description: string) => Type.Optional(Type.Unsafe<unknown>({ description }))
const enabled = Type.Optional(Type.Boolean({ ...deferred, description: 'true (the default) or false' }))
const note = (description: string) => Type.Optional(Type.Boolean({ ...deferred, description }))
const externalId = Type.Optional(ExternalId)
const ignored = Type.Optional(Type.Unsafe<unknown>({ readOnly: true, description: 'as in answers; ignored' }))
/** Members of answers that a request may repeat. */
const repeatable = {
  workspaceId: ignored,
  managedBy: ignored,
  revision: ignored,
  createdAt: ignored,
  updatedAt: ignored,
  problems: ignored,
}

export const SourceBody = Type.Object({
  id: ignored,
  name,
  type: text('what kind of sender it is, such as javascript'),
  // Not deferred: null would make up a new one.
  writeKey: Type.Optional(
    Type.String({
      [privateKeyword]: true,
      description: 'up to 200 visible ASCII characters, no colon; default: a new one',
    }),
  ),
  formerWriteKey: anything('null ends the former write key; anything else is ignored'),
  enabled,
  onInvalid: text('refuse-call or refuse-event: what a malformed event costs; null for what the server says'),
  observe: anything('what the schema catalogue keeps; null for the default'),
  trackingPlan: anything('expected events; null for none'),
  geoEnrichmentEnabled: note('whether to add places of addresses; kept, without effect'),
  transient: note('whether not to keep events for later attempts; kept, without effect'),
  planLink: ignored,
  config: Type.Optional(
    Type.Object({}, { type: ['object', 'null'], description: 'an empty object or null: sources have no settings' }),
  ),
  externalId,
  ...repeatable,
})
export const DestinationBody = Type.Object({
  id: ignored,
  name,
  type: text('a type of GET /destination-definitions'),
  enabled,
  config: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      ...deferred,
      description: 'the settings, whole; a mask stands for the stored secret',
    }),
  ),
  version: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'version of the type; kept, without effect' }),
  ),
  externalId,
  transformation: ignored,
  ...repeatable,
})
export const ConnectionBody = Type.Object({
  id: ignored,
  sourceId: text('the id of a source'),
  destinationId: text('the id of a destination'),
  enabled,
  config: anything('what applies to this connection alone'),
  externalId,
  ...repeatable,
})
/** Returns the schema of what is created: it may choose its id, and must have some members. */
const creation = <Body extends TObject>(
  body: Body,
  required: readonly (keyof Body['properties'] & string)[],
): Body => ({
  ...body,
  properties: { ...body.properties, id },
  required: [...required],
  [deferredKeyword]: ['required'],
})
export const NewSource = creation(SourceBody, [])
export const NewDestination = creation(DestinationBody, ['type'])
export const NewConnection = creation(ConnectionBody, ['sourceId', 'destinationId'])
/** What a workspace shows besides its own members. */
const shownWithWorkspace = { environment: ignored, status: ignored, region: ignored, dataPlaneURL: ignored }
export const WorkspaceBody = Type.Object({
  name,
  showSecrets: Type.Optional(
    Type.Boolean({
      ...deferred,
      description: 'true or false (the default): whether tokens with the scope secrets are shown secret settings',
    }),
  ),
  id: ignored,
  ...shownWithWorkspace,
  ...repeatable,
})
export const TokenBody = Type.Object({
  name: Type.String({ format: 'text', maxLength: 200, description: 'text of 1 to 200 characters, unique' }),
  scopes: Type.Optional(
    Type.Array(Type.Enum([...accessScopes], { type: 'string' }), {
      minItems: 1,
      description: 'a list of read, write, operate, admin; default: read, write and operate',
    }),
  ),
})
export const CredentialBody = Type.Object({
  value: Type.String({
    [privateKeyword]: true,
    format: 'text',
    description: 'the value, or env: and the name of a variable that holds it',
  }),
})
export const RotationBody = Type.Object({
  validForSeconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 30 * 24 * 3_600,
      description: 'how long the present key stays valid, 0 to 2592000 (30 days); default 86400 (a day)',
    }),
  ),
})

export const ValidateQuery = Type.Object({
  validate: Type.Optional(Type.Boolean({ description: 'true or false: whether to check only, and change nothing' })),
})
export const DeleteQuery = Type.Object({
  ...ValidateQuery.properties,
  force: Type.Optional(
    Type.Boolean({
      description: 'true or false: whether destinations go for which events wait, which become dead letters',
    }),
  ),
})
/** Header with the revision that a change is based on. */
export const ifMatch = {
  'If-Match': Type.String({
    pattern: '^(?:\\*|(?:W/)?"[0-9]{1,15}")$',
    description:
      'The ETag of an answer. When the record has another revision, nothing is changed. * means any revision.',
  }),
}
/** Header with the revision of a record. */
export const etag = { ETag: 'The revision, for If-Match. Absent for what the workspace file defines.' }
/** Most records of a page. */
export const pageMax = 1_000
export const PageQuery = Type.Object({
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'the page, from 1' })),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: pageMax, description: `records of a page, 1 to ${pageMax} (the default)` }),
  ),
  hasExternalId: Type.Optional(
    Type.Boolean({ description: 'true or false: only records with, or without, an external id' }),
  ),
})

// Answers.

const stored = {
  workspaceId: Type.String(),
  managedBy: Type.Enum(['file', 'api'], {
    description: 'file: the workspace file defines it; the API cannot change it.',
  }),
  revision: Type.Optional(
    Type.Integer({ description: 'Absent, like the times, for what the workspace file defines.' }),
  ),
  createdAt: Type.Optional(time),
  updatedAt: Type.Optional(time),
  externalId: Type.Optional(Type.String()),
  problems: Type.Optional(
    Type.Array(Type.Object({ path: Type.String(), value: Type.String(), allowed: Type.String() }, closed), {
      description: 'Why it is not in use. Absent when it is.',
    }),
  ),
}
const record = <P extends TProperties>(properties: P) =>
  Type.Object({ id: Type.String(), ...properties, ...stored }, closed)
const key = Type.String({ description: `Masked (${maskedText}) unless the token has the scope write.` })

export const SourceRecord = record({
  name: Type.String(),
  type: Type.Optional(Type.String()),
  writeKey: key,
  formerWriteKey: Type.Optional(
    Type.Object({ writeKey: key, validUntil: time }, { ...closed, description: 'The key before the last rotation.' }),
  ),
  enabled: Type.Boolean(),
  onInvalid: Type.Optional(Type.String({ description: 'What a malformed event costs: its call, or only itself.' })),
  geoEnrichmentEnabled: Type.Optional(Type.Boolean()),
  transient: Type.Optional(Type.Boolean()),
  observe: Type.Optional(
    Type.Object(
      {
        samples: Type.Optional(Type.Boolean()),
        values: Type.Optional(Type.Boolean()),
        maskPaths: Type.Optional(Type.Array(Type.String())),
        detectors: Type.Optional(Type.Array(Type.String())),
      },
      { ...closed, description: 'Parts of its events that the schema catalogue keeps.' },
    ),
  ),
  trackingPlan: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  planLink: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), { description: 'The stored plan that trackingPlan is made from.' }),
  ),
  config: Type.Object({}, closed),
})
export const DestinationRecord = record({
  name: Type.String(),
  type: Type.String(),
  enabled: Type.Boolean(),
  version: Type.Integer({ description: 'The version of the type that a client gave; 1 when it gave none.' }),
  config: Type.Record(Type.String(), Type.Unknown(), {
    description: 'The settings as they were sent, secrets masked; of the workspace file, with defaults.',
  }),
  transformation: Type.Optional(
    Type.Object(
      { id: Type.Optional(Type.String()), name: Type.String(), versionId: Type.String() },
      { ...closed, description: 'The connected transformation. Has no id when the workspace file defines it.' },
    ),
  ),
})
export const ConnectionRecord = record({
  sourceId: Type.String(),
  destinationId: Type.String(),
  enabled: Type.Boolean(),
  config: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})
export const WorkspaceRecord = record({
  name: Type.String(),
  showSecrets: Type.Boolean({ description: 'Whether tokens with the scope secrets are shown secret settings.' }),
  environment: Type.Literal('PRODUCTION'),
  status: Type.Literal('ACTIVE'),
  region: Type.Literal('self-hosted'),
  dataPlaneURL: Type.String({ description: 'The address of this server for senders.' }),
})
export const TokenRecord = record({
  name: Type.String(),
  scopes: Type.Array(Type.String()),
  token: Type.Optional(Type.String({ description: 'The token. Only in the answer to its creation.' })),
})
export const CredentialRecord = Type.Object({ name: Type.String(), ...stored }, closed)

export const listOf = <Name extends string, Item extends Type.TSchema>(name: Name, item: Item) =>
  Type.Object(
    {
      [name]: Type.Array(item),
      paging: Type.Object(
        { total: Type.Integer(), next: Type.Optional(Type.String({ description: 'Path of the next page.' })) },
        closed,
      ),
    },
    closed,
  )
export const one = <Name extends string, Item extends Type.TSchema>(name: Name, item: Item) =>
  Type.Object({ [name]: item }, closed)
