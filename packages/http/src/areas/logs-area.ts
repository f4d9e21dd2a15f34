import type { CodeLog, CodeLogEntry } from '@sluice/pipeline'
import Type, { type Static } from 'typebox'
import type { OperatorGate } from '../gate/access/operator-gate.ts'
import { type Area, createArea } from '../routing/area.ts'
import { workspaceQuery } from './operations/operations-schemas.ts'
import { entryStream, perSecond, streamEntries } from './stream-entries.ts'

export interface LogsAreaOptions {
  readonly gate: OperatorGate
  readonly codeLog: CodeLog
}

const logsQuery = Type.Object({
  ...workspaceQuery,
  transformationId: Type.Optional(
    Type.String({ description: 'only this transformation: its id, or its name in the workspace file' }),
  ),
  versionId: Type.Optional(Type.String({ description: 'only this version' })),
  destination: Type.Optional(Type.String({ description: 'only code that runs for this destination' })),
  perSecond,
})

/** `GET /v1/logs`: what user code logs, live, as server-sent events. Source: packages/docs/api/operations.md#logs-of-user-code. */
export function createLogsArea({ gate, codeLog }: LogsAreaOptions): Area {
  return createArea([
    gate({
      path: '/v1/logs',
      operationId: 'watchLogs',
      summary: 'Watch what user code logs, live',
      query: logsQuery,
      errors: ['tapsTooMany'],
      responses: { 200: entryStream },
      handle: ({ workspaces, query, signal }) => {
        const ids = workspaces.map(({ id }) => id)
        const shown = (entry: CodeLogEntry) =>
          isWanted(entry, query) && { ...entry, at: new Date(entry.at).toISOString() }
        return streamEntries(codeLog, ids, { perSecond: query.perSecond, shown }, signal)
      },
    }),
  ])
}

function isWanted(entry: CodeLogEntry, query: Static<typeof logsQuery>): boolean {
  const { transformationId = entry.transformationId, versionId = entry.versionId } = query
  return (
    entry.transformationId === transformationId &&
    entry.versionId === versionId &&
    entry.destinationId === (query.destination ?? entry.destinationId)
  )
}
