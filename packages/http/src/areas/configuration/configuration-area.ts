import type { Configuration } from '@sluice/configuration'
import type { Transformations } from '@sluice/transformations'
import type { TokenGate } from '../../gate/access/token-gate.ts'
import { type Area, createArea } from '../../routing/area.ts'
import { changeRoutes } from './change-routes.ts'
import {
  ConnectionBody,
  ConnectionRecord,
  DestinationBody,
  DestinationRecord,
  NewConnection,
  NewDestination,
  NewSource,
  SourceBody,
  SourceRecord,
} from './configuration-schemas.ts'
import { credentialRoutes } from './credential-routes.ts'
import { destinationTransformationRoutes } from './destination-transformation-routes.ts'
import { pauseRoutes } from './pause-routes.ts'
import { type RecordResource, recordRoutes } from './record-routes.ts'
import { rotationRoutes } from './rotation-routes.ts'
import { savedQueryRoutes } from './saved-query-routes.ts'
import { shownConnection, shownDestination, shownSource } from './shown-entry.ts'
import { tokenRoutes } from './token-routes.ts'
import { workspaceRoutes } from './workspace-routes.ts'

export interface ConfigurationOptions {
  readonly gate: TokenGate
  readonly configuration: Configuration
  readonly transformations: Transformations
  /** Returns the address of the server for others. */
  addressOf(url: string): string
}

/** Members of answers that a request may repeat, and that change nothing. */
const ignored: ReadonlySet<string> = new Set([
  'workspaceId',
  'managedBy',
  'revision',
  'createdAt',
  'updatedAt',
  'problems',
])

const resources: readonly RecordResource[] = [
  {
    kind: 'source',
    plural: 'sources',
    noun: 'source',
    unknown: 'sourceMissing',
    body: SourceBody,
    creation: NewSource,
    record: SourceRecord,
    toBody: ({ config: _, planLink: __, formerWriteKey, ...body }) => ({
      ...given(body),
      ...(formerWriteKey === null ? { formerWriteKey } : {}),
    }),
    shown: shownSource,
  },
  {
    kind: 'destination',
    plural: 'destinations',
    noun: 'destination',
    unknown: 'destinationMissing',
    body: DestinationBody,
    creation: NewDestination,
    record: DestinationRecord,
    toBody: ({ config, transformation: _, ...body }) => ({
      ...given(body),
      ...(config === undefined ? {} : { settings: config }),
    }),
    shown: shownDestination,
  },
  {
    kind: 'connection',
    plural: 'connections',
    noun: 'connection',
    unknown: 'recordUnknown',
    body: ConnectionBody,
    creation: NewConnection,
    record: ConnectionRecord,
    toBody: ({ sourceId, destinationId, config, ...body }) => ({
      ...given(body),
      ...(sourceId === undefined ? {} : { source: sourceId }),
      ...(destinationId === undefined ? {} : { destination: destinationId }),
      ...(config === undefined ? {} : { settings: config }),
    }),
    shown: shownConnection,
  },
]

function given<T extends object>(body: T): T {
  return Object.fromEntries(Object.entries(body).filter(([member]) => !ignored.has(member))) as T
}

/**
 * Reads and changes the configuration of the token's workspace, with secret settings masked. What the workspace file
 * defines is shown and cannot be changed. Source: packages/docs/api/configuration.md.
 */
export function createConfigurationArea(options: ConfigurationOptions): Area {
  const { gate, configuration, transformations, addressOf } = options
  return createArea([
    ...workspaceRoutes(gate, configuration, addressOf),
    ...resources.flatMap((resource) => recordRoutes(gate, configuration, resource)),
    ...rotationRoutes(gate, configuration),
    ...pauseRoutes(gate, configuration),
    ...destinationTransformationRoutes(gate, transformations),
    ...tokenRoutes(gate, configuration),
    ...credentialRoutes(gate, configuration),
    ...savedQueryRoutes(gate, configuration),
    ...changeRoutes(gate, configuration),
  ])
}
