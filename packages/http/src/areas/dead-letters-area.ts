import type { DeadLetter, DeadLetters, LetterChoice } from '@sluice/pipeline'
import Type, { type Static } from 'typebox'
import { answer, noContent, problem, type TokenGate } from '../gate/token-gate.ts'
import { type Area, createArea } from '../routing/route.ts'

export interface DeadLettersAreaOptions {
  readonly gate: TokenGate
  readonly deadLetters: DeadLetters
}

const pageSize = 100
const pageSizeMax = 1_000
const idsMax = 1_000

const closed = { additionalProperties: false }
const listQuery = Type.Object({
  destinationId: Type.Optional(Type.String({ description: 'only those of this destination' })),
  after: Type.Optional(Type.String({ description: 'the id of the last letter of the page before' })),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: pageSizeMax, description: `1 to ${pageSizeMax}; default ${pageSize}` }),
  ),
})
const choice = Type.Object({
  ids: Type.Optional(Type.Array(Type.String(), { maxItems: idsMax, description: `a list of at most ${idsMax} ids` })),
  destinationId: Type.Optional(Type.String({ description: 'all letters of this destination, instead of ids' })),
})

const letterSchema = Type.Object(
  {
    id: Type.String(),
    destinationId: Type.String(),
    sourceId: Type.String(),
    messageId: Type.String(),
    at: Type.String({ description: 'When it failed: ISO 8601.' }),
    stage: Type.String({ description: 'Where it failed.' }),
    code: Type.String(),
    reason: Type.String(),
    request: Type.Optional(Type.Unknown({ description: 'What was sent last, secrets masked.' })),
    reply: Type.Optional(Type.Unknown({ description: 'The beginning of the last reply.' })),
    status: Type.Optional(Type.Integer({ description: 'Of the last reply.' })),
    attempts: Type.Optional(Type.Integer()),
    event: Type.Record(Type.String(), Type.Unknown(), { description: 'As it was accepted.' }),
  },
  closed,
)
const usageSchema = Type.Object(
  {
    letters: Type.Integer(),
    lettersMax: Type.Integer(),
    bytes: Type.Integer(),
    bytesMax: Type.Integer(),
    share: Type.Number({ description: 'Of the nearer limit, which all workspaces share; see `/v1/usage`.' }),
  },
  { ...closed, description: 'How many there are of the workspace, and may be of all.' },
)

/** Events that failed at a destination: `/v2/dead-letters`. To look at, replay or remove; nothing else brings them back. */
export function createDeadLettersArea({ gate, deadLetters }: DeadLettersAreaOptions): Area {
  const shared = { area: 'Dead letters', scopes: ['operate'] } as const
  return createArea([
    gate.route({
      ...shared,
      method: 'get',
      path: '/v2/dead-letters',
      operationId: 'listDeadLetters',
      summary: 'Events that failed, in the order in which they did',
      query: listQuery,
      errors: [],
      responses: {
        200: {
          description: 'A page of them.',
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
          // One more tells whether there is another page.
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
      summary: 'One event that failed',
      errors: ['deadLetterUnknown'],
      responses: { 200: { description: 'The letter.', schema: letterSchema } },
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
      summary: 'Send events down the line of their destination again; who is suppressed now is dropped',
      body: choice,
      errors: ['deadLettersUnchosen'],
      responses: {
        202: {
          description: 'On their way.',
          schema: Type.Object({ replayed: Type.Integer({ description: 'Those that are gone are left out.' }) }, closed),
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
      summary: 'Forget events that failed, for good',
      body: choice,
      errors: ['deadLettersUnchosen'],
      responses: {
        200: { description: 'They are gone.', schema: Type.Object({ removed: Type.Integer() }, closed) },
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
      summary: 'Forget one event that failed, for good',
      errors: ['deadLetterUnknown'],
      responses: { 204: { description: 'It is gone.' } },
      handle: async ({ workspace, param }) =>
        (await deadLetters.remove(workspace.id, { ids: [param('id')] })) > 0
          ? noContent
          : problem('deadLetterUnknown', unknown),
    }),
  ])
}

const unknown = 'there is no such dead letter; GET /v2/dead-letters lists them'
const unchosen = 'give either ids (a list) or destinationId (all letters of that destination)'

function choiceOf({ ids, destinationId }: Static<typeof choice>): LetterChoice | undefined {
  if (ids !== undefined) return destinationId === undefined ? { ids } : undefined
  return destinationId === undefined ? undefined : { destinationId }
}

function shown({ id, destinationId, at, stage, error, source }: DeadLetter) {
  const { request, reply, status, attempts } = error.detail ?? {}
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
    event: source.event,
  }
}
