import type { Clock } from '@sluice/core'
import type { CounterStore } from '@sluice/pipeline'
import { type Deletions, type FindUsers, type Regulations, regulationTypes } from '@sluice/regulation'
import { deletionReportText } from '@sluice/regulation/deletion-report'
import Type, { type Static } from 'typebox'
import type { TokenGate } from '../../gate/access/token-gate.ts'
import { answer, noContent, problem, textAnswer } from '../../gate/answer.ts'
import { type Area, createArea } from '../../routing/area.ts'
import { cursorOf, placeOf } from './cursor-of.ts'
import { deletionAnswer } from './deletion-answer.ts'
import { deletionTryRoute } from './deletion-try-route.ts'
import { doneRoute } from './done-route.ts'
import { overviewRoute } from './overview-route.ts'
import { refusing } from './refusing.ts'
import { countsSchema, creation, deletionsSchema, listQuery, listSchema, pageSize } from './regulations-schemas.ts'
import { withUserIds } from './with-user-ids.ts'

export interface RegulationsAreaOptions {
  readonly gate: TokenGate
  readonly regulations: Regulations
  readonly deletions: Pick<Deletions, 'ofRegulation' | 'doneByHand' | 'tryNow'>
  readonly counters: CounterStore
  readonly clock: Clock
  /** Finds users whose events have any of the identifiers. */
  findUsers(workspaceId: string, search: Parameters<FindUsers>[0]): ReturnType<FindUsers>
}

/** Data Regulation API: `/v2/regulations`. Source: packages/docs/api/regulations.md. */
export function createRegulationsArea({
  gate,
  regulations,
  deletions,
  counters,
  clock,
  findUsers,
}: RegulationsAreaOptions): Area {
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
          const users = await withUserIds(body.users, (search) => findUsers(workspace.id, search))
          const [first, ...more] = await regulations.create(workspace.id, { ...body, users, regulationType })
          const isOne = first !== undefined && more.length === 0
          return textAnswer('Created', isOne ? { Location: `/v2/regulations/${first.id}/deletions` } : {})
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
          userId,
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
        return answer(deletionAnswer(regulation, await deletions.ofRegulation(workspace.id, regulation.id), workspace))
      },
    }),
    gate.route({
      method: 'get',
      path: '/v2/regulations/{id}/report',
      operationId: 'reportDeletion',
      summary: 'Write the proof of a deletion, as `sluice regulations report` does',
      area,
      scopes: ['operate'],
      errors: ['regulationUnknown'],
      responses: {
        200: { description: 'The report as text.', schema: Type.String(), contentType: 'text/plain' },
      },
      handle: async ({ workspace, param, origin }) => {
        const regulation = await regulations.find(workspace.id, param('id'))
        if (regulation === undefined)
          return problem('regulationUnknown', 'there is no such regulation; GET /v2/regulations lists them')
        const jobs = await deletions.ofRegulation(workspace.id, regulation.id)
        const report = deletionAnswer(regulation, jobs, workspace)
        const madeAt = new Date(clock.now()).toISOString()
        const text = deletionReportText({ madeAt, server: origin, regulations: [report], isOver: report.isOver })
        return { status: 200, text: `${text}\n` }
      },
    }),
    doneRoute({ gate, regulations, deletions }),
    deletionTryRoute({ gate, regulations, deletions }),
    overviewRoute({ gate, regulations, deletions }),
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
            destinationId: destinationId === '' ? undefined : destinationId,
            day: reason,
            events: count,
          }))
        return answer({ data })
      },
    }),
  ])
}

/** Returns the path of the next page. */
function nextPath(place: number, { limit, userId }: Static<typeof listQuery>): string {
  const query = new URLSearchParams({ after_cursor: cursorOf(place) })
  if (limit !== undefined) query.set('limit', String(limit))
  if (userId !== undefined) query.set('userId', userId)
  return `/v2/regulations?${query}`
}
