import type { UserReport, UserSearch, UsersFound } from '@sluice/pipeline'
import Type from 'typebox'
import type { TokenGate } from '../../gate/access/token-gate.ts'
import { answer } from '../../gate/answer.ts'
import type { SearchTurns } from '../../gate/search-turns.ts'
import { type Area, createArea } from '../../routing/area.ts'
import { privateKeyword } from '../../routing/validator.ts'

export interface UserReportAreaOptions {
  readonly gate: TokenGate
  readonly searches: SearchTurns
  reportUser(workspaceId: string, userId: string): Promise<UserReport>
  findUsers(workspaceId: string, search: UserSearch): Promise<UsersFound>
}

const closed = { additionalProperties: false }
const reportSchema = Type.Object(
  {
    held: Type.Array(
      Type.Object(
        {
          where: Type.String(),
          count: Type.Integer({ description: 'Number of records.' }),
          note: Type.Optional(Type.String({ description: 'What was not looked through.' })),
        },
        closed,
      ),
      { description: 'Places that hold records of the user.' },
    ),
    destinations: Type.Array(
      Type.Object(
        { destinationId: Type.String(), events: Type.Integer({ description: 'Delivered events of the user.' }) },
        closed,
      ),
      { description: 'As far as log and receipts are kept.' },
    ),
    regulations: Type.Array(
      Type.Object(
        { id: Type.String(), regulationType: Type.String(), createdAt: Type.String({ description: 'ISO 8601.' }) },
        closed,
      ),
      { description: 'Regulations of the user in force.' },
    ),
    notes: Type.Array(Type.String(), { description: 'What cannot be known.' }),
  },
  closed,
)

const searchText = (description: string) =>
  Type.Optional(Type.String({ description, [privateKeyword]: true, minLength: 1 }))
const searchQuery = Type.Object(
  {
    email: searchText('an e-mail address, in upper or lower case'),
    phone: searchText('a phone number; only its digits count'),
    anonymousId: searchText('an anonymousId'),
  },
  { ...closed, minProperties: 1, description: 'at least one of email, phone and anonymousId' },
)
const foundSchema = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          userId: Type.Optional(Type.String({ description: 'Absent where the events have only an anonymousId.' })),
          anonymousIds: Type.Array(Type.String()),
          otherIds: Type.Array(Type.String(), {
            description: 'External ids, ids in traits and previous ids by which these events name the person, too.',
          }),
          events: Type.Integer({ description: 'Number of events that match.' }),
          lastSeenAt: Type.String({ description: 'ISO 8601.' }),
        },
        closed,
      ),
      { description: 'The user seen last first.' },
    ),
    notes: Type.Array(Type.String(), { description: 'What was looked through, and what was not.' }),
  },
  closed,
)

/**
 * `GET /v2/users` and `GET /v2/users/{userId}/report`. Source: packages/docs/api/regulations.md#report-of-a-user and
 * #search-for-users.
 */
export function createUserReportArea({ gate, searches, reportUser, findUsers }: UserReportAreaOptions): Area {
  return createArea([
    gate.route({
      method: 'get',
      path: '/v2/users',
      operationId: 'findUsers',
      summary: 'Find users by what their events say of them',
      area: 'Data Regulation',
      scopes: ['read'],
      query: searchQuery,
      errors: ['searchesTooMany'],
      responses: { 200: { description: 'The users found; none is an empty list.', schema: foundSchema } },
      handle: ({ workspace, query }) =>
        searches(workspace.id, async () => {
          const { users, notes } = await findUsers(workspace.id, query)
          return answer({
            data: users.map((user) => ({ ...user, lastSeenAt: new Date(user.lastSeenAt).toISOString() })),
            notes,
          })
        }),
    }),
    gate.route({
      method: 'get',
      path: '/v2/users/{userId}/report',
      operationId: 'reportUser',
      summary: 'Count what is held of a user, and the events that each destination got',
      area: 'Data Regulation',
      scopes: ['read'],
      errors: ['searchesTooMany'],
      responses: { 200: { description: 'The report.', schema: reportSchema } },
      handle: ({ workspace, param }) =>
        searches(workspace.id, async () => {
          const { regulations, ...report } = await reportUser(workspace.id, param('userId'))
          return answer({
            ...report,
            regulations: regulations.map(({ id, regulationType, createdAt }) => ({ id, regulationType, createdAt })),
          })
        }),
    }),
  ])
}
