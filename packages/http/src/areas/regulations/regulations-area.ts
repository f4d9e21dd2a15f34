import type { Workspace } from '@sluice/core'
import type { CounterStore } from '@sluice/pipeline'
import {
  type Deletions,
  ownData,
  RegulationError,
  type Regulations,
  regulationTypes,
  SuppressionUnavailableError,
} from '@sluice/regulation'
import Type, { type Static } from 'typebox'
import { type Answer, answer, noContent, problem, textAnswer } from '../../gate/answer.ts'
import type { TokenGate } from '../../gate/token-gate.ts'
import { type Area, createArea } from '../../routing/area.ts'
import { countsSchema, creation, deletionsSchema, listQuery, listSchema, pageSize } from './regulations-schemas.ts'

export interface RegulationsAreaOptions {
  readonly gate: TokenGate
  readonly regulations: Regulations
  readonly deletions: Pick<Deletions, 'ofRegulation'>
  readonly counters: CounterStore
}

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
        'sourcesMissing',
        'destinationsMissing',
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
