import type { Catalogue } from '@sluice/schema'
import type { TObject } from 'typebox'
import type { ResponseDescription } from '../../routing/route.ts'
import { metadataRecord, versionRecord } from './governance-records.ts'
import {
  diffSchema,
  jsonSchemaSchema,
  keyCountsSchema,
  metadataSchema,
  missingKeysSchema,
  versionsQuery,
  versionsSchema,
} from './governance-schemas.ts'

/** A route of the Data Governance API that answers with one record of the catalogue. */
export interface Lookup {
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly query?: TObject
  readonly found: ResponseDescription
  /** Names of the parameters that name the record, in path or query. A request without one of them is refused. */
  readonly ids: readonly (keyof Ids)[]
  /** Returns the body, or undefined when the workspace has no such record. */
  find(catalogue: Catalogue, workspaceId: string, ids: Ids): Promise<object | undefined>
  /** Says that there is no such record. */
  unknown(ids: Ids): string
  /** RudderStack's answer when there is no such record. Its text is `unknown` if there is none here. */
  readonly strict: { readonly body: object } | { readonly status: 400 | 404 | 500; text?(ids: Ids): string }
}

/** Parameters by name. Blank are only those that the route does not have. */
export type Ids = Readonly<Record<'EventID' | 'VersionID' | 'from' | 'to', string>>

const noModel = ({ EventID }: Pick<Ids, 'EventID'>): string =>
  `No EventModel found for given EventID : ${shownId(EventID)}`
const noVersion = ({ VersionID }: Ids): string => `No SchemaVersion found for given VersionID : ${shownId(VersionID)}`
const noMetadata = (kind: string, id: string): string => `No Metadata found for given ${kind} : ${shownId(id)}`

const shownId = (id: string): string => id.slice(0, 100)

const missingKeys = {
  found: { description: 'Key paths.', schema: missingKeysSchema },
  ids: ['VersionID'],
  find: (catalogue, workspaceId, { VersionID }) => catalogue.missingKeys(workspaceId, VersionID),
  unknown: noVersion,
  strict: { status: 500 },
} satisfies Partial<Lookup>

export const governanceLookups: readonly Lookup[] = [
  {
    path: '/schemas/event-versions',
    operationId: 'listEventVersions',
    summary: 'List the shapes of an event',
    query: versionsQuery,
    found: { description: 'All versions of the model.', schema: versionsSchema },
    ids: ['EventID'],
    find: async (catalogue, workspaceId, { EventID }) =>
      (await catalogue.versions(workspaceId, EventID))?.map(versionRecord),
    unknown: noModel,
    strict: { body: [] },
  },
  {
    path: '/schemas/event-model/{EventID}/metadata',
    operationId: 'getEventModelMetadata',
    summary: 'Get samples and frequent values of an event',
    found: { description: 'Metadata of all versions.', schema: metadataSchema },
    ids: ['EventID'],
    find: async (catalogue, workspaceId, { EventID }) => {
      const metadata = await catalogue.modelMetadata(workspaceId, EventID)
      return metadata && metadataRecord(metadata)
    },
    unknown: ({ EventID }) => noMetadata('EventID', EventID),
    // RudderStack's text names the wrong parameter.
    strict: { status: 400, text: ({ EventID }) => noMetadata('VersionID', EventID) },
  },
  {
    path: '/schemas/event-version/{VersionID}/metadata',
    operationId: 'getEventVersionMetadata',
    summary: 'Get samples and frequent values of a version',
    found: { description: 'Metadata of the version.', schema: metadataSchema },
    ids: ['VersionID'],
    find: async (catalogue, workspaceId, { VersionID }) => {
      const metadata = await catalogue.versionMetadata(workspaceId, VersionID)
      return metadata && metadataRecord(metadata)
    },
    unknown: ({ VersionID }) => noMetadata('VersionID', VersionID),
    strict: { status: 400 },
  },
  {
    path: '/schemas/event-model/{EventID}/key-counts',
    operationId: 'getKeyCounts',
    summary: 'Count the events that had each key',
    found: { description: 'Count by key path.', schema: keyCountsSchema },
    ids: ['EventID'],
    find: (catalogue, workspaceId, { EventID }) => catalogue.keyCounts(workspaceId, EventID),
    unknown: noModel,
    strict: { body: {} },
  },
  {
    ...missingKeys,
    path: '/schemas/event-version/{VersionID}/missing-keys',
    operationId: 'getMissingKeys',
    summary: 'List the keys of the event that a version lacks',
  },
  {
    ...missingKeys,
    path: '/schemas/{VersionID}/missing-keys',
    operationId: 'getMissingKeysOfVersion',
    summary: 'List the keys of the event that a version lacks, at an alternative path',
  },
  {
    path: '/schemas/event-model/{EventID}/json-schema',
    operationId: 'getEventModelJsonSchema',
    summary: 'Get a JSON Schema that accepts every event of the model',
    found: { description: 'JSON Schema, draft 2020-12.', schema: jsonSchemaSchema },
    ids: ['EventID'],
    find: (catalogue, workspaceId, { EventID }) => catalogue.jsonSchema(workspaceId, EventID),
    unknown: noModel,
    strict: { status: 404 },
  },
  {
    path: '/schemas/event-model/{EventID}/diff',
    operationId: 'diffEventVersions',
    summary: 'Compare two versions of an event',
    query: diffSchema.query,
    found: { description: 'Key paths.', schema: diffSchema.answer },
    ids: ['EventID', 'from', 'to'],
    find: (catalogue, workspaceId, { EventID, from, to }) => catalogue.diff(workspaceId, EventID, from, to),
    unknown: ({ EventID, from, to }) => `${noModel({ EventID })} with the versions ${shownId(from)} and ${shownId(to)}`,
    strict: { status: 404 },
  },
]
