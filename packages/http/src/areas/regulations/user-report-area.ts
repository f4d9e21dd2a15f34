import type { UserReport } from '@sluice/pipeline'
import Type from 'typebox'
import { answer } from '../../gate/answer.ts'
import type { TokenGate } from '../../gate/token-gate.ts'
import { type Area, createArea } from '../../routing/area.ts'

export interface UserReportAreaOptions {
  readonly gate: TokenGate
  reportUser(workspaceId: string, userId: string): Promise<UserReport>
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

/** `GET /v2/users/{userId}/report`. Source: packages/docs/api/regulations.md#report-of-a-user. */
export function createUserReportArea({ gate, reportUser }: UserReportAreaOptions): Area {
  return createArea([
    gate.route({
      method: 'get',
      path: '/v2/users/{userId}/report',
      operationId: 'reportUser',
      summary: 'Count what is held of a user, and the events that each destination got',
      area: 'Data Regulation',
      scopes: ['read'],
      errors: [],
      responses: { 200: { description: 'The report.', schema: reportSchema } },
      handle: async ({ workspace, param }) => {
        const { regulations, ...report } = await reportUser(workspace.id, param('userId'))
        return answer({
          ...report,
          regulations: regulations.map(({ id, regulationType, createdAt }) => ({ id, regulationType, createdAt })),
        })
      },
    }),
  ])
}
