import type { AuditFilter, AuditLog } from '@sluice/pipeline'
import Type, { type Static } from 'typebox'
import type { TokenGate } from '../gate/access/token-gate.ts'
import { answer } from '../gate/answer.ts'
import { type Area, createArea } from '../routing/area.ts'

export interface AuditAreaOptions {
  readonly gate: TokenGate
  readonly audit: Pick<AuditLog, 'list'>
}

const closed = { additionalProperties: false }
const pageSize = 100
const pageSizeMax = 1_000
const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const
const time = (description: string) => Type.String({ format: 'date-time', description })

const listQuery = Type.Object({
  token: Type.Optional(Type.String({ description: 'only calls with the token of this name' })),
  method: Type.Optional(Type.Enum([...methods], { description: `one of ${methods.join(', ')}` })),
  path: Type.Optional(Type.String({ description: 'only paths that begin with this text' })),
  since: Type.Optional(time('ISO 8601: only calls at this time or later')),
  until: Type.Optional(time('ISO 8601: only calls before this time')),
  after: Type.Optional(Type.Integer({ minimum: 1, description: 'id of the last entry of the previous page' })),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: pageSizeMax, description: `1 to ${pageSizeMax}; default ${pageSize}` }),
  ),
})

const pageSchema = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          id: Type.Integer(),
          at: time('When it was answered.'),
          token: Type.String({ description: 'Name of the access token; `studio` for the link of the studio.' }),
          user: Type.String({ description: 'The user name sent with the token, which is not checked.' }),
          method: Type.String(),
          path: Type.String({ description: 'Without the query.' }),
          status: Type.Integer({ description: 'Status of the answer.' }),
        },
        closed,
      ),
    ),
    paging: Type.Object({ next: Type.Optional(Type.String({ description: 'Path of the next page.' })) }, closed),
  },
  closed,
)

/** `GET /v2/audit`: who changed what, and read personal data unmasked. Source: packages/docs/api/operations.md#audit. */
export function createAuditArea({ gate, audit }: AuditAreaOptions): Area {
  return createArea([
    gate.route({
      method: 'get',
      path: '/v2/audit',
      operationId: 'listAudit',
      summary: 'List calls that changed something or read personal data unmasked, newest first',
      area: 'Operations',
      scopes: ['admin'],
      query: listQuery,
      errors: [],
      responses: { 200: { description: 'A page of entries.', schema: pageSchema } },
      handle: async ({ workspace, query }) => {
        const { after: _, limit = pageSize, ...filter } = query
        // Read one more to know whether there is another page.
        const found = await audit.list(workspace.id, limit + 1, filterOf(query))
        const entries = found.slice(0, limit)
        const next = new URLSearchParams({ ...filter, limit: String(limit), after: String(entries.at(-1)?.id) })
        return answer({
          data: entries.map(({ workspaceId: _, at, ...entry }) => ({ ...entry, at: new Date(at).toISOString() })),
          paging: found.length > limit ? { next: `/v2/audit?${next}` } : {},
        })
      },
    }),
  ])
}

function filterOf({ token, method, path, since, until, after }: Static<typeof listQuery>): AuditFilter {
  return {
    token,
    method,
    path,
    since: since === undefined ? undefined : Date.parse(since),
    until: until === undefined ? undefined : Date.parse(until),
    before: after,
  }
}
