import type { Engine, LoadAttempt, LoadState, SourceStats } from '@sluice/pipeline'
import Type from 'typebox'
import type { TokenGate } from '../gate/access/token-gate.ts'
import { answer, problem } from '../gate/answer.ts'
import { type Area, createArea } from '../routing/area.ts'

export interface WarehousesAreaOptions {
  readonly gate: TokenGate
  readonly engine: Pick<Engine, 'loads' | 'reports'>
  /**
   * Runs SQL that only reads, on a warehouse that is a file.
   * @returns at most `rowsMax` rows, as JSON with a comma between two, in pieces, whether there are more, the columns, and how
   * long it ran; undefined when the destination is no such warehouse. @throws an Error with a text for people when the query
   * fails.
   */
  query(
    workspaceId: string,
    destinationId: string,
    sql: string,
    rowsMax: number,
  ): Promise<
    | {
        readonly rows: readonly Uint8Array[]
        readonly isCut: boolean
        readonly columns: readonly { readonly name: string; readonly type: string }[]
        readonly tookMs: number
      }
    | undefined
  >
}

/** Longest wait for loads; they continue after it. */
const syncMs = 50_000

/** Longest SQL of a query, in characters. */
const sqlLengthMax = 100_000

/** Rows of a query that a person can look at. */
const queryRowsMax = 1_000

const closed = { additionalProperties: false }
const time = (description: string) => Type.String({ format: 'date-time', description })

const tableSchema = Type.Object(
  {
    table: Type.String(),
    rows: Type.Integer({ description: 'Rows that were loaded, those that replaced others included.' }),
    discards: Type.Integer({ description: 'Values that did not fit; they are in rudder_discards with the reason.' }),
    reasons: Type.Array(
      Type.Object(
        {
          column: Type.String(),
          reason: Type.String(),
          values: Type.Integer({ description: 'Values that did not fit for this reason.' }),
        },
        closed,
      ),
      { description: 'Why values did not fit, the most frequent reason first; at most 20.' },
    ),
    newColumns: Type.Array(Type.Object({ name: Type.String(), type: Type.String() }, closed), {
      description: 'Columns that were added to the table; all of them when it is new.',
    }),
    isNew: Type.Boolean({ description: 'Whether the load created the table.' }),
  },
  closed,
)

const loadSchema = Type.Object(
  {
    startedAt: time('Start of the attempt.'),
    endedAt: time('Its end.'),
    events: Type.Integer({ description: 'Events that were to be loaded.' }),
    loadId: Type.Optional(Type.String({ description: 'Id in the table sluice_loads; absent when it failed.' })),
    tables: Type.Optional(
      Type.Array(tableSchema, { description: 'At most 100: those with values that did not fit first.' }),
    ),
    others: Type.Optional(
      Type.Object(
        { tables: Type.Integer(), rows: Type.Integer(), discards: Type.Integer() },
        { ...closed, description: 'The sum of further tables.' },
      ),
    ),
    leftOut: Type.Optional(
      Type.Object(
        { tables: Type.Integer(), rows: Type.Integer() },
        {
          ...closed,
          description:
            'New tables of events that were not created, because their source made more than newTablesPerHour, and their rows. These events are in the table tracks only.',
        },
      ),
    ),
    error: Type.Optional(Type.String({ description: 'Why it failed, and what to do.' })),
  },
  closed,
)

const conflictSchema = Type.Object(
  {
    table: Type.String(),
    column: Type.String(),
    reason: Type.String({ description: 'The type of the column, and what it cannot hold.' }),
  },
  closed,
)

const stateSchema = Type.Object(
  {
    destinationId: Type.String(),
    pending: Type.Integer({ description: 'Events that were accepted and are not in the warehouse yet.' }),
    collected: Type.Integer({ description: 'Events that the process that answers has collected for its next load.' }),
    failingSince: Type.Optional(time('Since when loads fail; absent while they work.')),
    lastLoad: Type.Optional(loadSchema),
  },
  closed,
)

/**
 * Loads into warehouses: `GET /v2/warehouses`, `GET /v2/warehouses/{id}/loads|conflicts`, `POST …/{id}/sync|query`. The last
 * hundred attempts are kept; the table `sluice_loads` has all loads.
 */
export function createWarehousesArea({ gate, engine, query }: WarehousesAreaOptions): Area {
  const unknown = (id: string) => problem('destinationMissing', `${id} is not a warehouse of this workspace`)
  return createArea([
    gate.route({
      area: 'Warehouses',
      scopes: ['read'],
      method: 'get',
      path: '/v2/warehouses',
      operationId: 'listWarehouses',
      summary: 'Get the state of all warehouses: what waits, the last load, since when loads fail',
      errors: [],
      responses: {
        200: {
          description: 'The warehouses, in order of id.',
          schema: Type.Object({ data: Type.Array(stateSchema) }, closed),
        },
      },
      handle: async ({ workspace: { id } }) => {
        const states = await Promise.all(engine.loads.warehouses(id).map((each) => engine.loads.state(id, each, 1)))
        const stats = await engine.reports.stats(id)
        return answer({ data: states.flatMap((state) => (state ? stateOf(state, stats) : [])) })
      },
    }),
    gate.route({
      area: 'Warehouses',
      scopes: ['read'],
      method: 'get',
      path: '/v2/warehouses/{id}/loads',
      operationId: 'listLoads',
      summary: 'Get the last attempts at loads of a warehouse, the newest first, at most 100',
      errors: ['destinationMissing'],
      responses: {
        200: { description: 'The attempts.', schema: Type.Object({ data: Type.Array(loadSchema) }, closed) },
      },
      handle: async ({ workspace, param }) => {
        const state = await engine.loads.state(workspace.id, param('id'))
        return state ? answer({ data: state.attempts.map(loadOf) }) : unknown(param('id'))
      },
    }),
    gate.route({
      area: 'Warehouses',
      scopes: ['read'],
      method: 'get',
      path: '/v2/warehouses/{id}/conflicts',
      operationId: 'listLoadConflicts',
      summary:
        'Compare the schema catalogue with the tables of a warehouse: which columns do not fit values that were seen',
      errors: ['destinationMissing', 'warehouseUnavailable'],
      responses: {
        200: {
          description: 'The columns, in order of table. Such a value becomes NULL, and a row in rudder_discards.',
          schema: Type.Object({ data: Type.Array(conflictSchema) }, closed),
        },
      },
      handle: async ({ workspace, param }) => {
        const id = param('id')
        if (!engine.loads.warehouses(workspace.id).includes(id)) return unknown(id)
        try {
          return answer({ data: (await engine.loads.conflicts(workspace.id, id, AbortSignal.timeout(syncMs))) ?? [] })
        } catch (error) {
          return problem('warehouseUnavailable', error instanceof Error ? error.message : String(error))
        }
      },
    }),
    gate.route({
      area: 'Warehouses',
      scopes: ['operate'],
      method: 'post',
      path: '/v2/warehouses/{id}/sync',
      operationId: 'syncWarehouse',
      summary: 'Load now what was accepted so far, and get the state after it',
      errors: ['destinationMissing'],
      responses: {
        200: { description: 'The state, after a load or an attempt that failed.', schema: stateSchema },
      },
      handle: async ({ workspace, param }) => {
        const state = await engine.loads.sync(workspace.id, param('id'), AbortSignal.timeout(syncMs))
        return state ? answer(stateOf(state, await engine.reports.stats(workspace.id))) : unknown(param('id'))
      },
    }),
    gate.route({
      area: 'Warehouses',
      // Rows have personal data, which only a token with the scope write may see.
      scopes: ['operate', 'write'],
      method: 'post',
      path: '/v2/warehouses/{id}/query',
      operationId: 'queryWarehouse',
      summary: 'Run SQL that only reads on an embedded DuckDB file, at most 10 s and 1,000 rows',
      body: Type.Object({
        sql: Type.String({ format: 'text', maxLength: sqlLengthMax, description: 'one statement of SQL' }),
      }),
      // Each character escaped as a pair of surrogates. What is longer is refused before it is parsed.
      bodyBytesMax: sqlLengthMax * 12 + 1_024,
      errors: ['destinationMissing', 'queryInvalidSql'],
      responses: {
        200: {
          description: 'The rows; values of types that JSON does not have are texts.',
          schema: Type.Object(
            {
              rows: Type.Array(Type.Record(Type.String(), Type.Unknown())),
              isCut: Type.Boolean({ description: 'Whether there are more rows.' }),
              columns: Type.Array(Type.Object({ name: Type.String(), type: Type.String() }, closed), {
                description: 'Names and types of DuckDB, in order.',
              }),
              tookMs: Type.Number({ description: 'Time of the query itself, in milliseconds.' }),
            },
            closed,
          ),
        },
      },
      handle: async ({ workspace, param, body }) => {
        const id = param('id')
        try {
          const found = await query(workspace.id, id, body.sql, queryRowsMax)
          if (found === undefined) return problem('destinationMissing', `${id} is not a DuckDB file of this workspace`)
          const { rows, ...members } = found
          // The other members follow the rows, which are never parsed here.
          return {
            status: 200,
            pieces: [bytesOf('{"rows":['), ...rows, bytesOf(`],${JSON.stringify(members).slice(1)}`)],
          }
        } catch (error) {
          return problem('queryInvalidSql', error instanceof Error ? error.message : String(error))
        }
      },
    }),
  ])
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

function stateOf(
  { destinationId, collected, failingSince, attempts: [last] }: LoadState,
  stats: readonly SourceStats[],
) {
  const here = stats.flatMap(({ destinations }) => destinations.filter((each) => each.destinationId === destinationId))
  return {
    destinationId,
    pending: here.reduce((sum, { pending }) => sum + pending, 0),
    collected,
    failingSince: failingSince === undefined ? undefined : new Date(failingSince).toISOString(),
    lastLoad: last ? loadOf(last) : undefined,
  }
}

function loadOf({ startedAt, endedAt, events, report, error }: LoadAttempt) {
  return {
    startedAt: new Date(startedAt).toISOString(),
    endedAt: new Date(endedAt).toISOString(),
    events,
    ...(report ? reportShown(report) : {}),
    error,
  }
}

function reportShown({ loadId, tables, others, leftOut }: NonNullable<LoadAttempt['report']>) {
  return { loadId, tables, others, leftOut }
}
