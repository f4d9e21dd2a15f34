import type { Clock } from '@sluice/core'
import type { DeadLetters } from '@sluice/pipeline'
import Type, { type Static } from 'typebox'
import type { TokenGate } from '../../gate/access/token-gate.ts'
import { answer, noContent, problem } from '../../gate/answer.ts'
import { type Area, createArea } from '../../routing/area.ts'
import { missingDestination } from '../missing-destination.ts'
import {
  choice,
  groupsSchema,
  jobChoice,
  letterSchema,
  listQuery,
  maskedQuery,
  pageSchema,
  pageSize,
} from './dead-letters-schemas.ts'
import { choiceOf, filterOf, shownLetter } from './shown-letter.ts'
import { countsOf, slotsByGroup, slotsOf, trendQuery } from './trend.ts'

export interface DeadLettersAreaOptions {
  readonly gate: TokenGate
  readonly deadLetters: DeadLetters
  readonly clock: Pick<Clock, 'now'>
}

const closed = { additionalProperties: false }
const unknown = 'there is no such dead letter; GET /v2/dead-letters lists them'
const unchosen = 'give either ids (a list) or destinationId (all dead letters of that destination)'
const unchosenToRemove = 'give either ids (a list), or a filter such as destinationId'
const isUnmasked = ({ masked = false }: Static<typeof maskedQuery>): boolean => !masked

/** Size of the letters of a page: some ten milliseconds to read and to write. A page with large letters has fewer. */
const pageBytesMax = 1_024 * 1_024

/**
 * `/v2/dead-letters`: lists, replays and removes events that failed at a destination. They are not retried
 * automatically. Source: packages/docs/api/operations.md.
 */
export function createDeadLettersArea({ gate, deadLetters, clock }: DeadLettersAreaOptions): Area {
  const shared = { area: 'Dead letters', scopes: ['operate'] } as const
  return createArea([
    gate.route({
      ...shared,
      method: 'get',
      path: '/v2/dead-letters',
      operationId: 'listDeadLetters',
      summary: 'List failed events, oldest failure first',
      query: listQuery,
      errors: [],
      responses: { 200: { description: 'A page of dead letters.', schema: pageSchema } },
      reveals: isUnmasked,
      handle: async ({ workspace, query }) => {
        const { after, limit = pageSize, order, masked = false, ...filter } = query
        const wanted = { ...filterOf(filter), newestFirst: order === 'desc' }
        const letters = await deadLetters.list(workspace.id, {
          ...wanted,
          limit,
          bytesMax: pageBytesMax,
          ...(after === undefined ? {} : { after }),
        })
        const last = letters.at(-1)
        const isMore =
          last && (await deadLetters.list(workspace.id, { ...wanted, limit: 1, after: last.id })).length > 0
        const next = new URLSearchParams({
          ...filter,
          ...(order === undefined ? {} : { order }),
          ...(masked ? { masked: 'true' } : {}),
          limit: String(limit),
        })
        if (last) next.set('after', last.id)
        const { letters: used, bytes, share } = await deadLetters.usage(workspace.id)
        const { lettersMax, bytesMax } = deadLetters.limits
        return answer({
          data: (masked ? await deadLetters.masked(workspace.id, letters) : letters).map(shownLetter),
          usage: { letters: used, lettersMax, bytes, bytesMax, share },
          paging: isMore ? { next: `/v2/dead-letters?${next}` } : {},
        })
      },
    }),
    gate.route({
      ...shared,
      method: 'get',
      path: '/v2/dead-letters/groups',
      operationId: 'groupDeadLetters',
      summary: 'Count failed events by destination, code and reason, and by time',
      query: trendQuery,
      errors: ['rangeInvalid'],
      responses: { 200: { description: 'The groups.', schema: groupsSchema } },
      handle: async ({ workspace, query }) => {
        const slots = slotsOf(query, clock.now())
        if (typeof slots === 'string') return problem('rangeInvalid', slots)
        const [groups, found] = await Promise.all([
          deadLetters.groups(workspace.id),
          slots ? deadLetters.slots(workspace.id, slots) : [],
        ])
        const byGroup = slotsByGroup(found)
        return answer({
          groups: groups.map((group) => ({
            ...group,
            first: isoTime(group.first),
            last: isoTime(group.last),
            ...(slots ? { counts: countsOf(group, byGroup, slots) } : {}),
          })),
          ...(slots ? { slots: { ...slots, since: isoTime(slots.since) } } : {}),
        })
      },
    }),
    gate.route({
      ...shared,
      method: 'get',
      path: '/v2/dead-letters/{id}',
      operationId: 'readDeadLetter',
      summary: 'Get one failed event',
      query: maskedQuery,
      errors: ['deadLetterUnknown'],
      responses: { 200: { description: 'The dead letter.', schema: letterSchema } },
      reveals: isUnmasked,
      handle: async ({ workspace, param, query: { masked = false } }) => {
        const letter = await deadLetters.find(workspace.id, param('id'))
        const found = letter ? [letter] : []
        const [shown] = masked ? await deadLetters.masked(workspace.id, found) : found
        return shown ? answer(shownLetter(shown)) : problem('deadLetterUnknown', unknown)
      },
    }),
    gate.route({
      ...shared,
      method: 'post',
      path: '/v2/dead-letters/replay',
      operationId: 'replayDeadLetters',
      summary: 'Send failed events to their destinations again; events of users suppressed since then are dropped',
      body: choice,
      errors: ['deadLettersUnchosen', 'destinationMissing'],
      responses: {
        202: {
          description: 'The events are queued.',
          schema: Type.Object(
            {
              replayed: Type.Integer({
                description: 'Number of queued events. Dead letters that no longer exist are skipped.',
              }),
            },
            closed,
          ),
        },
      },
      handle: async ({ workspace, body }) => {
        const which = choiceOf(body)
        if (which === undefined) return problem('deadLettersUnchosen', unchosen)
        const missing = body.destinationId === undefined ? undefined : missingDestination(workspace, body.destinationId)
        if (missing) return missing
        return { status: 202, body: { replayed: await deadLetters.replay(workspace.id, which) } }
      },
    }),
    gate.route({
      ...shared,
      method: 'post',
      path: '/v2/dead-letters/remove',
      operationId: 'removeDeadLetters',
      summary: 'Delete failed events permanently: by id, or all that match a filter',
      body: jobChoice,
      errors: ['deadLettersUnchosen', 'destinationMissing'],
      responses: {
        200: { description: 'The dead letters are deleted.', schema: Type.Object({ removed: Type.Integer() }, closed) },
      },
      handle: async ({ workspace, body }) => {
        const which = choiceOf(body)
        if (which === undefined) return problem('deadLettersUnchosen', unchosenToRemove)
        const removed = await deadLetters.remove(workspace.id, which)
        // Those of a destination that is gone can be removed.
        const missing =
          removed > 0 || body.destinationId === undefined
            ? undefined
            : missingDestination(workspace, body.destinationId)
        return missing ?? answer({ removed })
      },
    }),
    gate.route({
      ...shared,
      method: 'delete',
      path: '/v2/dead-letters/{id}',
      operationId: 'removeDeadLetter',
      summary: 'Delete one failed event permanently',
      errors: ['deadLetterUnknown'],
      responses: { 204: { description: 'The dead letter is deleted.' } },
      handle: async ({ workspace, param }) =>
        (await deadLetters.remove(workspace.id, { ids: [param('id')] })) > 0
          ? noContent
          : problem('deadLetterUnknown', unknown),
    }),
  ])
}

const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString()
