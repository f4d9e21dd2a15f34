import type { Configuration, ConfigurationEntry } from '@sluice/configuration'
import type { JsonObject } from '@sluice/core'
import Type from 'typebox'
import type { TokenGate } from '../../gate/access/token-gate.ts'
import { answer, noContent } from '../../gate/answer.ts'
import type { Route } from '../../routing/route.ts'
import { toAnswer } from './to-answer.ts'

const path = '/v2/saved-queries'
const kind = 'query'
const closed = { additionalProperties: false }

const Body = Type.Object({
  name: Type.String({ format: 'text', pattern: '\\S', maxLength: 100, description: 'a name that no other query has' }),
  sql: Type.String({ format: 'text', pattern: '\\S', maxLength: 10_000, description: 'one statement of SQL' }),
})

const querySchema = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    sql: Type.String(),
    updatedAt: Type.String({ format: 'date-time', description: 'When it was last changed.' }),
  },
  closed,
)
const one = Type.Object({ query: querySchema }, closed)

/**
 * Queries of warehouses that people saved, for everyone who may run one: SQL can name persons, so they need the same scopes
 * as its rows. Source: packages/docs/api/warehouses.md.
 */
export function savedQueryRoutes(gate: TokenGate, configuration: Configuration): readonly Route[] {
  const shared = { area: 'Warehouses', scopes: ['operate', 'write'] } as const
  const errors = ['configurationFull', 'configurationBusy', 'recordTaken'] as const
  return [
    gate.route({
      ...shared,
      method: 'get',
      path,
      operationId: 'listSavedQueries',
      summary: 'List the queries that were saved',
      errors: [],
      responses: {
        200: {
          description: 'At most 100, in order of creation.',
          schema: Type.Object({ queries: Type.Array(querySchema) }, closed),
        },
      },
      handle: ({ workspace }) => answer({ queries: configuration.list(workspace.id, kind).map(shown) }),
    }),
    gate.route({
      ...shared,
      method: 'post',
      path,
      operationId: 'saveQuery',
      summary: 'Save a query under a name',
      body: Body,
      errors,
      responses: { 201: { description: 'The query.', schema: one } },
      handle: async ({ workspace, body: { name, sql } }) =>
        toAnswer(
          await configuration.change(workspace.id, [{ action: 'create', kind, body: { name: name.trim(), sql } }]),
          ([entry]) => (entry ? { status: 201, body: { query: shown(entry) } } : noContent),
        ),
    }),
    gate.route({
      ...shared,
      method: 'put',
      path: `${path}/{id}`,
      operationId: 'changeSavedQuery',
      summary: 'Change the name or the SQL of a saved query',
      body: Type.Partial(Body),
      errors: [...errors, 'recordUnknown'],
      responses: { 200: { description: 'The query.', schema: one } },
      handle: async ({ workspace, param, body: { name, sql } }) => {
        const body = {
          ...(name === undefined ? {} : { name: name.trim() }),
          ...(sql === undefined ? {} : { sql }),
        } satisfies JsonObject
        return toAnswer(
          await configuration.change(workspace.id, [{ action: 'update', kind, id: param('id'), body }]),
          ([entry]) => (entry ? answer({ query: shown(entry) }) : noContent),
        )
      },
    }),
    gate.route({
      ...shared,
      method: 'delete',
      path: `${path}/{id}`,
      operationId: 'deleteSavedQuery',
      summary: 'Delete a saved query; one that is gone already is fine',
      errors: ['configurationBusy'],
      responses: { 204: { description: 'It is gone.' } },
      handle: async ({ workspace, param }) =>
        toAnswer(
          await configuration.change(workspace.id, [{ action: 'delete', kind, id: param('id') }]),
          () => noContent,
        ),
    }),
  ]
}

function shown({ id, body: { name, sql }, updatedAt = 0 }: ConfigurationEntry) {
  return { id, name: String(name), sql: String(sql), updatedAt: new Date(updatedAt).toISOString() }
}
