import type { Workspace } from '@sluice/core'
import type { CounterStore } from '@sluice/pipeline'
import {
  type Deletions,
  deletionStatuses,
  ownData,
  type RegulatedUser,
  RegulationError,
  type RegulationErrorCode,
  type Regulations,
  regulationTypes,
  SuppressionUnavailableError,
} from '@sluice/regulation'
import Type, { type Static } from 'typebox'
import { type Answer, answer, noContent, problem, type TokenGate, textAnswer } from '../gate/token-gate.ts'
import { type Area, createArea } from '../routing/route.ts'
import { errorKeyword, privateKeyword } from '../routing/validator.ts'

export interface RegulationsAreaOptions {
  readonly gate: TokenGate
  readonly regulations: Regulations
  readonly deletions: Pick<Deletions, 'ofRegulation'>
  readonly counters: CounterStore
}

const pageSize = 100
const pageSizeMax = 1_000

const closed = { additionalProperties: false }
const texts = Type.Record(Type.String(), Type.String())
const ids = (what: string) =>
  Type.Array(Type.String(), { description: `a list of ids of ${what}; absent or empty: all` })

const creation = Type.Object({
  regulationType: Type.String({
    description: regulationTypes.join(' or '),
    [errorKeyword]: 'regulationTypeUnknown' satisfies RegulationErrorCode,
  }),
  sourceIds: Type.Optional(ids('sources, with suppress only')),
  destinationIds: Type.Optional(ids('destinations, with suppress_with_delete only')),
  users: Type.Array(
    // `Regulations` checks users and reports every invalid one by its index; a schema would stop at the first.
    Type.Unsafe<RegulatedUser>({
      description: 'an object: userId, and other identifiers, each a string',
      examples: [{ userId: 'user-42', email: 'u42@shop.test' }],
    }),
    {
      description: 'a list of users: userId, and other identifiers, each a string',
      [errorKeyword]: 'usersMissing' satisfies RegulationErrorCode,
      [privateKeyword]: true,
    },
  ),
})

const listQuery = Type.Object({
  after_cursor: Type.Optional(Type.String({ description: 'the after_cursor in paging.next of the previous page' })),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: pageSizeMax, description: `1 to ${pageSizeMax}; default ${pageSize}` }),
  ),
  userId: Type.Optional(
    Type.String({ description: 'a userId: only regulations of this user', [privateKeyword]: true }),
  ),
})

const listSchema = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          workspaceId: Type.String(),
          canceled: Type.Boolean(),
          regulationType: Type.String(),
          attributes: Type.Intersect([Type.Object({ userId: Type.String() }), texts]),
        },
        closed,
      ),
    ),
    paging: Type.Object({ next: Type.Optional(Type.String({ description: 'Path of the next page.' })) }, closed),
  },
  closed,
)

const countsSchema = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          sourceId: Type.String(),
          destinationId: Type.Optional(
            Type.String({
              description:
                'Destination that accepted events were suppressed at. Absent for events suppressed at ingestion.',
            }),
          ),
          day: Type.String({ description: 'Day in UTC, YYYY-MM-DD.' }),
          events: Type.Integer({
            description: 'Number of events. With destinationId, an event counts once per destination.',
          }),
        },
        closed,
      ),
    ),
  },
  closed,
)

const deletionsSchema = Type.Object(
  {
    regulation: Type.Object(
      {
        id: Type.String(),
        regulationType: Type.String(),
        attributes: Type.Intersect([Type.Object({ userId: Type.String() }), texts]),
        canceled: Type.Boolean(),
        createdAt: Type.String({ description: 'ISO 8601.' }),
      },
      closed,
    ),
    data: Type.Array(
      Type.Object(
        {
          destinationId: Type.Optional(Type.String({ description: "Absent for Sluice's own data." })),
          destination: Type.String({ description: 'Name of the destination.' }),
          status: Type.Enum([...deletionStatuses]),
          reason: Type.Optional(Type.String({ description: 'Why it failed or was aborted, or a remark.' })),
          attempts: Type.Integer(),
          nextAt: Type.Optional(Type.String({ description: 'Time of the next attempt, ISO 8601.' })),
          updatedAt: Type.String({ description: 'ISO 8601.' }),
        },
        closed,
      ),
    ),
    isOver: Type.Boolean({ description: 'Whether every deletion is complete or aborted.' }),
  },
  closed,
)

/** Data Regulation API: `/v2/regulations`. Source: packages/docs/api/regulations.md. */
export function createRegulationsArea({ gate, regulations, deletions, counters }: RegulationsAreaOptions): Area {
  const area = 'Data Regulation'
  return createArea([
    gate.route({
      method: 'post',
      path: '/v2/regulations',
      operationId: 'createRegulation',
      summary: 'Suppress the events of users, from the next batch on',
      area,
      scopes: ['write', 'operate'],
      body: creation,
      errors: [
        'regulationTypeUnknown',
        'sourcesNotAllowed',
        'destinationsNotAllowed',
        'sourceUnknown',
        'destinationUnknown',
        'usersMissing',
        'usersTooMany',
        'usersInvalid',
        'deletionsTooMany',
        'suppressionUnavailable',
      ],
      responses: {
        201: {
          description: 'The regulations are in force.',
          schema: Type.Literal('Created'),
          contentType: 'text/plain',
        },
      },
      handle: ({ workspace, body }) =>
        refusing(async () => {
          const regulationType = regulationTypes.find((type) => type === body.regulationType)
          if (regulationType === undefined)
            return problem(
              'regulationTypeUnknown',
              `regulationType is ${JSON.stringify(body.regulationType.slice(0, 80))}, must be ${regulationTypes.join(' or ')}`,
            )
          await regulations.create(workspace.id, { ...body, regulationType })
          return textAnswer('Created')
        }),
    }),
    gate.route({
      method: 'get',
      path: '/v2/regulations',
      operationId: 'listRegulations',
      summary: 'List regulations in order of creation, including cancelled ones',
      area,
      scopes: ['read'],
      query: listQuery,
      errors: ['cursorInvalid'],
      responses: { 200: { description: 'A page of regulations.', schema: listSchema } },
      handle: async ({ workspace, query }) => {
        const after = placeOf(query.after_cursor)
        if (after === undefined)
          return problem(
            'cursorInvalid',
            'unknown after_cursor: use paging.next of the previous page, or leave it out for the first page',
          )
        const { limit, userId } = query
        const page = await regulations.list(workspace.id, {
          after,
          limit: limit ?? pageSize,
          ...(userId === undefined ? {} : { userId }),
        })
        return answer({
          data: page.regulations.map(({ id, workspaceId, canceled, regulationType, attributes }) => ({
            id,
            workspaceId,
            canceled,
            regulationType,
            attributes,
          })),
          paging: page.next === undefined ? {} : { next: nextPath(page.next, query) },
        })
      },
    }),
    gate.route({
      method: 'delete',
      path: '/v2/regulations/{id}',
      operationId: 'cancelRegulation',
      summary: 'Cancel a regulation, from the next batch on',
      area,
      scopes: ['write', 'operate'],
      errors: ['regulationUnknown', 'suppressionUnavailable'],
      responses: { 204: { description: 'The regulation is cancelled, or already was.' } },
      handle: ({ workspace, param }) =>
        refusing(async () =>
          (await regulations.cancel(workspace.id, param('id')))
            ? noContent
            : problem('regulationUnknown', 'there is no such regulation; GET /v2/regulations lists them'),
        ),
    }),
    gate.route({
      method: 'get',
      path: '/v2/regulations/{id}/deletions',
      operationId: 'listDeletions',
      summary: 'Report the deletion of a user, by destination',
      area,
      scopes: ['operate'],
      errors: ['regulationUnknown'],
      responses: { 200: { description: 'The regulation and its deletions.', schema: deletionsSchema } },
      handle: async ({ workspace, param }) => {
        const regulation = await regulations.find(workspace.id, param('id'))
        if (regulation === undefined)
          return problem('regulationUnknown', 'there is no such regulation; GET /v2/regulations lists them')
        const { id, regulationType, attributes, canceled, createdAt } = regulation
        const jobs = await deletions.ofRegulation(workspace.id, id)
        return answer({
          regulation: { id, regulationType, attributes, canceled, createdAt },
          data: jobs.map((job) => ({
            ...(job.destinationId === ownData ? {} : { destinationId: job.destinationId }),
            destination: nameOf(workspace, job.destinationId),
            status: job.status,
            ...(job.reason === undefined ? {} : { reason: job.reason }),
            attempts: job.attempts,
            ...(job.status === 'failed' ? { nextAt: new Date(job.dueAt).toISOString() } : {}),
            updatedAt: new Date(job.updatedAt).toISOString(),
          })),
          isOver: jobs.every(({ status }) => status === 'complete' || status === 'aborted'),
        })
      },
    }),
    gate.route({
      method: 'get',
      path: '/v2/regulations/suppressions',
      operationId: 'countSuppressions',
      summary: 'Count suppressed events by source, destination and day in UTC, never by user',
      area,
      scopes: ['operate'],
      errors: [],
      responses: { 200: { description: 'The counts.', schema: countsSchema } },
      handle: async ({ workspace }) => {
        const counts = await counters.read(workspace.id)
        const data = counts
          .filter(({ kind }) => kind === 'suppressed')
          .map(({ sourceId, destinationId, reason, count }) => ({
            sourceId,
            ...(destinationId === '' ? {} : { destinationId }),
            day: reason,
            events: count,
          }))
        return answer({ data })
      },
    }),
  ])
}

async function refusing(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof RegulationError) {
      const users = error.users.map(({ index, message }) => ({ index, message }))
      return problem(error.code, error.message, users.length > 0 ? { users } : undefined)
    }
    if (error instanceof SuppressionUnavailableError)
      return problem(
        'suppressionUnavailable',
        `${error.message}; the change is stored and takes effect once they are available. Repeating is safe.`,
      )
    throw error
  }
}

function nameOf({ destinations }: Workspace, destinationId: string): string {
  if (destinationId === ownData) return 'Sluice'
  return destinations.find(({ id }) => id === destinationId)?.name ?? destinationId
}

/** Returns the path of the next page. Its cursor is a position in the list, encoded to be opaque. */
function nextPath(place: number, { limit, userId }: Static<typeof listQuery>): string {
  const query = new URLSearchParams({ after_cursor: Buffer.from(`after:${place}`).toString('base64url') })
  if (limit !== undefined) query.set('limit', String(limit))
  if (userId !== undefined) query.set('userId', userId)
  return `/v2/regulations?${query}`
}

function placeOf(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return 0
  const digits = /^after:(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1]
  return digits === undefined ? undefined : Number(digits)
}
