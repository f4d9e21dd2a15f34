import type { DeadLetter, DeadLetterChoice, DeadLetters } from '@sluice/pipeline'
import Type, { type Static } from 'typebox'
import { answer, noContent, problem } from '../gate/answer.ts'
import type { TokenGate } from '../gate/token-gate.ts'
import { type Area, createArea } from '../routing/area.ts'

export interface DeadLettersAreaOptions {
  readonly gate: TokenGate
  readonly deadLetters: DeadLetters
}

const pageSize = 100
const pageSizeMax = 1_000
const idsMax = 1_000

const closed = { additionalProperties: false }
const listQuery = Type.Object({
  destinationId: Type.Optional(Type.String({ description: 'only dead letters of this destination' })),
  after: Type.Optional(Type.String({ description: 'id of the last dead letter of the previous page' })),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: pageSizeMax, description: `1 to ${pageSizeMax}; default ${pageSize}` }),
  ),
})
const choice = Type.Object({
  ids: Type.Optional(
    Type.Array(Type.String(), { minItems: 1, maxItems: idsMax, description: `a list of 1 to ${idsMax} ids` }),
  ),
  destinationId: Type.Optional(Type.String({ description: 'all dead letters of this destination, instead of ids' })),
})

const letterSchema = Type.Object(
  {
    id: Type.String(),
    destinationId: Type.String(),
    sourceId: Type.String(),
    messageId: Type.String(),
    at: Type.String({ description: 'Time of the failure, ISO 8601.' }),
    stage: Type.String({ description: 'Stage that failed.' }),
    code: Type.String(),
    reason: Type.String(),
    request: Type.Optional(Type.Unknown({ description: 'The last request, secrets masked.' })),
    reply: Type.Optional(Type.Unknown({ description: 'Beginning of the last reply.' })),
    status: Type.Optional(Type.Integer({ description: 'HTTP status of the last reply.' })),
    attempts: Type.Optional(Type.Integer()),
    steps: Type.Optional(
      Type.Array(Type.Record(Type.String(), Type.Unknown()), {
        description: 'The HTTP requests of an action: method, endpoint, and status or cause. At most the last 10.',
      }),
    ),
    event: Type.Record(Type.String(), Type.Unknown(), { description: 'The accepted event.' }),
  },
  closed,
)
const usageSchema = Type.Object(
  {
    letters: Type.Integer(),
    lettersMax: Type.Integer(),
    bytes: Type.Integer(),
    bytesMax: Type.Integer(),
    share: Type.Number({
      description: 'Used share of the limit that is closer. All workspaces share the limits; see `/v1/usage`.',
    }),
  },
  { ...closed, description: 'Use by this workspace, and limits for all workspaces together.' },
)

/**
 * `/v2/dead-letters`: lists, replays and removes events that failed at a destination. They are not retried
 * automatically.
 */
export function createDeadLettersArea({ gate, deadLetters }: DeadLettersAreaOptions): Area {
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
      responses: {
        200: {
          description: 'A page of dead letters.',
          schema: Type.Object(
            {
              data: Type.Array(letterSchema),
              usage: usageSchema,
              paging: Type.Object(
                { next: Type.Optional(Type.String({ description: 'Path of the next page.' })) },
                closed,
              ),
            },
            closed,
          ),
        },
      },
      handle: async ({ workspace, query }) => {
        const { destinationId, after, limit = pageSize } = query
        const page = await deadLetters.list(workspace.id, {
          // Read one more to know whether there is another page.
          limit: limit + 1,
          ...(destinationId === undefined ? {} : { destinationId }),
          ...(after === undefined ? {} : { after }),
        })
        const last = page[limit - 1]
        const next = new URLSearchParams({
          ...(destinationId === undefined ? {} : { destinationId }),
          limit: String(limit),
        })
        if (last) next.set('after', last.id)
        const { letters, bytes, share } = await deadLetters.usage(workspace.id)
        const { lettersMax, bytesMax } = deadLetters.limits
        return answer({
          data: page.slice(0, limit).map(shown),
          usage: { letters, lettersMax, bytes, bytesMax, share },
          paging: page.length > limit ? { next: `/v2/dead-letters?${next}` } : {},
        })
      },
    }),
    gate.route({
      ...shared,
      method: 'get',
      path: '/v2/dead-letters/{id}',
      operationId: 'readDeadLetter',
      summary: 'Get one failed event',
      errors: ['deadLetterUnknown'],
      responses: { 200: { description: 'The dead letter.', schema: letterSchema } },
      handle: async ({ workspace, param }) => {
        const letter = await deadLetters.find(workspace.id, param('id'))
        return letter ? answer(shown(letter)) : problem('deadLetterUnknown', unknown)
      },
    }),
    gate.route({
      ...shared,
      method: 'post',
      path: '/v2/dead-letters/replay',
      operationId: 'replayDeadLetters',
      summary: 'Send failed events to their destinations again; events of users suppressed since then are dropped',
      body: choice,
      errors: ['deadLettersUnchosen'],
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
        return { status: 202, body: { replayed: await deadLetters.replay(workspace.id, which) } }
      },
    }),
    gate.route({
      ...shared,
      method: 'post',
      path: '/v2/dead-letters/remove',
      operationId: 'removeDeadLetters',
      summary: 'Delete failed events permanently',
      body: choice,
      errors: ['deadLettersUnchosen'],
      responses: {
        200: { description: 'The dead letters are deleted.', schema: Type.Object({ removed: Type.Integer() }, closed) },
      },
      handle: async ({ workspace, body }) => {
        const which = choiceOf(body)
        if (which === undefined) return problem('deadLettersUnchosen', unchosen)
        return answer({ removed: await deadLetters.remove(workspace.id, which) })
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

const unknown = 'there is no such dead letter; GET /v2/dead-letters lists them'
const unchosen = 'give either ids (a list) or destinationId (all dead letters of that destination)'

function choiceOf({ ids, destinationId }: Static<typeof choice>): DeadLetterChoice | undefined {
  if (ids !== undefined) return destinationId === undefined ? { ids } : undefined
  return destinationId === undefined ? undefined : { destinationId }
}

function shown({ id, destinationId, at, stage, error, source }: DeadLetter) {
  const { request, reply, status, attempts, steps } = error.detail ?? {}
  return {
    id,
    destinationId,
    sourceId: source.sourceId,
    messageId: source.event.messageId ?? '',
    at: new Date(at).toISOString(),
    stage,
    code: error.code,
    reason: error.message,
    ...(request === undefined ? {} : { request }),
    ...(reply === undefined ? {} : { reply }),
    ...(status === undefined ? {} : { status }),
    ...(attempts === undefined ? {} : { attempts }),
    ...(steps === undefined ? {} : { steps }),
    event: source.event,
  }
}
