import type { PersonFound, UserReport, UserSearch, UsersFound } from '@sluice/pipeline'
import Type from 'typebox'
import type { TokenGate } from '../../gate/access/token-gate.ts'
import { type Answer, answer } from '../../gate/answer.ts'
import type { SearchTurns } from '../../gate/search-turns.ts'
import { type Area, createArea } from '../../routing/area.ts'
import { privateKeyword } from '../../routing/validator.ts'

export interface UserReportAreaOptions {
  readonly gate: TokenGate
  readonly searches: SearchTurns
  reportUser(workspaceId: string, userId: string): Promise<UserReport>
  findUsers(workspaceId: string, search: UserSearch): Promise<UsersFound>
  findPerson(workspaceId: string, identifier: string): Promise<PersonFound>
}

const closed = { additionalProperties: false }
const counts = {
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
}
const personSchema = Type.Object(
  {
    userKeys: Type.Array(
      Type.Object(
        { kind: Type.Enum(['userId', 'anonymousId', 'otherId']), id: Type.String() },
        { ...closed, description: '`otherId`: an external id, an id in traits or a previous id.' },
      ),
      { description: 'Ids by which events name the person. Empty for one who is not known, or is suppressed.' },
    ),
    ...counts,
    notes: Type.Array(Type.String(), { description: 'What cannot be known.' }),
  },
  closed,
)
const idLengthMax = 1_000
const reportSchema = Type.Object(
  {
    ...counts,
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

const identifierBody = Type.Object({
  identifier: Type.String({
    [privateKeyword]: true,
    minLength: 1,
    maxLength: idLengthMax,
    description: `a userId, anonymousId or other id, an e-mail address, or a phone number; up to ${idLengthMax} characters`,
  }),
})
const userBody = Type.Object({
  userId: Type.String({
    [privateKeyword]: true,
    minLength: 1,
    maxLength: idLengthMax,
    description: `the userId, up to ${idLengthMax} characters`,
  }),
})

/**
 * `GET /v2/users`, `GET /v2/users/{userId}/report`, and `POST /v2/users/find` and `/report`, which have what they look for in
 * the body. Source: packages/docs/api/regulations.md#report-of-a-user, #search-for-users and #find-a-person.
 */
export function createUserReportArea({
  gate,
  searches,
  reportUser,
  findUsers,
  findPerson,
}: UserReportAreaOptions): Area {
  const report = (workspaceId: string, userId: string): Promise<Answer> =>
    searches(workspaceId, async () => {
      const { regulations, ...counted } = await reportUser(workspaceId, userId)
      return answer({
        ...counted,
        regulations: regulations.map(({ id, regulationType, createdAt }) => ({ id, regulationType, createdAt })),
      })
    })
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
      handle: ({ workspace, param }) => report(workspace.id, param('userId')),
    }),
    gate.route({
      method: 'post',
      path: '/v2/users/report',
      operationId: 'reportUserInBody',
      summary: 'The same report, without the userId in an address',
      area: 'Data Regulation',
      scopes: ['read'],
      body: userBody,
      errors: ['searchesTooMany'],
      responses: { 200: { description: 'The report.', schema: reportSchema } },
      handle: ({ workspace, body }) => report(workspace.id, body.userId),
    }),
    gate.route({
      method: 'post',
      path: '/v2/users/find',
      operationId: 'findPerson',
      summary: 'Find a person by any identifier, which is in no address, and count what is held',
      area: 'Data Regulation',
      scopes: ['read'],
      body: identifierBody,
      errors: ['searchesTooMany'],
      responses: {
        200: {
          description: 'The person; one who is suppressed is answered like one who is not known.',
          schema: personSchema,
        },
      },
      handle: ({ workspace, body }) =>
        searches(workspace.id, async () => answer(await findPerson(workspace.id, body.identifier))),
    }),
  ])
}
