import { type ChangeFilter, type ChangeLog, changeKinds } from '@sluice/pipeline'
import Type, { type Static } from 'typebox'
import type { TokenGate } from '../gate/access/token-gate.ts'
import { answer } from '../gate/answer.ts'
import { type Area, createArea } from '../routing/area.ts'

export interface ChangesAreaOptions {
  readonly gate: TokenGate
  readonly changeLog: Pick<ChangeLog, 'list'>
}

const closed = { additionalProperties: false }
const pageSize = 100
const pageSizeMax = 1_000
const time = (description: string) => Type.String({ format: 'date-time', description })

const listQuery = Type.Object({
  since: Type.Optional(time('ISO 8601: only changes at this time or later')),
  until: Type.Optional(time('ISO 8601: only changes before this time')),
  kind: Type.Optional(Type.Enum([...changeKinds], { description: `one of ${changeKinds.join(', ')}` })),
  subjectKind: Type.Optional(Type.String({ description: 'only changes of this kind of part, such as destination' })),
  subject: Type.Optional(Type.String({ description: 'only changes of the part with this id' })),
  after: Type.Optional(Type.Integer({ minimum: 1, description: 'id of the last change of the previous page' })),
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
          at: time('When it was changed.'),
          who: Type.String({
            description:
              'The user name sent with the access token, which is not checked; without one the name of the token. Else `the workspace file` or `the program`.',
          }),
          kind: Type.Enum([...changeKinds]),
          subject: Type.Object(
            {
              kind: Type.String({ description: 'Such as destination, transformation or token.' }),
              id: Type.String(),
              name: Type.String({ description: 'As it was called then.' }),
            },
            closed,
          ),
          text: Type.String({ description: 'The sentence after `who`, such as `paused destination Webhook`.' }),
          before: Type.Optional(Type.String({ description: 'What was there before; never a secret.' })),
          after: Type.Optional(Type.String({ description: 'What is there since.' })),
          call: Type.Optional(Type.String({ description: 'Method and path. Absent for what no call did.' })),
          ref: Type.Optional(
            Type.String({ description: 'Id of the version that was saved or published; digest of a workspace file.' }),
          ),
        },
        closed,
      ),
    ),
    paging: Type.Object({ next: Type.Optional(Type.String({ description: 'Path of the next page.' })) }, closed),
  },
  closed,
)

/** `GET /v2/changes`: who changed what, as sentences. Source: packages/docs/api/operations.md#changes. */
export function createChangesArea({ gate, changeLog }: ChangesAreaOptions): Area {
  return createArea([
    gate.route({
      method: 'get',
      path: '/v2/changes',
      operationId: 'listChanges',
      summary: 'List who changed what, as sentences for people, newest first',
      area: 'Operations',
      scopes: ['operate'],
      query: listQuery,
      errors: [],
      responses: { 200: { description: 'A page of changes.', schema: pageSchema } },
      handle: async ({ workspace, query }) => {
        const { after: _, limit = pageSize, ...filter } = query
        // Read one more to know whether there is another page.
        const found = await changeLog.list(workspace.id, limit + 1, filterOf(query))
        const changes = found.slice(0, limit)
        const next = new URLSearchParams({ ...filter, limit: String(limit), after: String(changes.at(-1)?.id) })
        return answer({
          data: changes.map(({ workspaceId: _, at, ...change }) => ({ ...change, at: new Date(at).toISOString() })),
          paging: found.length > limit ? { next: `/v2/changes?${next}` } : {},
        })
      },
    }),
  ])
}

function filterOf({ since, until, kind, subjectKind, subject, after }: Static<typeof listQuery>): ChangeFilter {
  return {
    since: since === undefined ? undefined : Date.parse(since),
    until: until === undefined ? undefined : Date.parse(until),
    kind,
    subjectKind,
    subjectId: subject,
    before: after,
  }
}
