import type { DeadLetters, Engine } from '@sluice/pipeline'
import Type from 'typebox'
import { answer, problem, type TokenGate } from '../gate/token-gate.ts'
import { type Area, createArea } from '../routing/route.ts'

export interface ReplaysAreaOptions {
  readonly gate: TokenGate
  readonly engine: Pick<Engine, 'replayLog'>
  readonly deadLetters: Pick<DeadLetters, 'replaySince'>
}

const closed = { additionalProperties: false }
const time = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }))
const body = Type.Object(
  {
    destinationId: Type.String(),
    source: Type.Optional(
      Type.Union([Type.Literal('log'), Type.Literal('dead-letters')], {
        description: 'what the log still has, delivered or not (default), or what failed',
      }),
    ),
    from: time('ISO 8601: received, or failed, at this time or later'),
    to: time('ISO 8601: … and before this time'),
    dryRun: Type.Optional(Type.Boolean({ description: 'counts only' })),
    after: Type.Optional(Type.String({ description: '`next` of the step before' })),
  },
  closed,
)

/**
 * `POST /v2/replays`: sends events down the line of a destination again, some at a time. Whoever calls goes on with `next`
 * until there is none, and may stop at any step.
 */
export function createReplaysArea({ gate, engine, deadLetters }: ReplaysAreaOptions): Area {
  return createArea([
    gate.route({
      area: 'Replays',
      scopes: ['operate'],
      method: 'post',
      path: '/v2/replays',
      operationId: 'replay',
      summary: 'Send events down the line of a destination again, some at a time; who is suppressed now is left out',
      body,
      errors: ['destinationMissing', 'replayBusy', 'replayCursorInvalid'],
      responses: {
        200: {
          description: 'One step is done; the events of it are on their way.',
          schema: Type.Object(
            {
              matched: Type.Integer({ description: 'Events of this step.' }),
              next: Type.Optional(
                Type.String({ description: 'For `after` of the next step; absent, it was the last.' }),
              ),
            },
            closed,
          ),
        },
      },
      handle: async ({ workspace, body: { destinationId, source = 'log', from, to, dryRun = false, after } }) => {
        if (!workspace.destinations.some(({ id }) => id === destinationId))
          return problem('destinationMissing', `there is no destination ${destinationId}`)
        const within = {
          destinationId,
          dryRun,
          since: from === undefined ? 0 : Date.parse(from),
          until: to === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(to),
        }
        if (source === 'dead-letters')
          return answer(
            await deadLetters.replaySince(workspace.id, { ...within, ...(after === undefined ? {} : { after }) }),
          )
        const position = Number(after ?? 0)
        if (!Number.isSafeInteger(position) || position < 0)
          return problem('replayCursorInvalid', 'after is not the `next` of a step before')
        const step = await engine.replayLog(workspace.id, { ...within, after: position })
        if (step === undefined)
          return problem('destinationMissing', `destination ${destinationId} is disabled: it takes nothing`)
        if (step.isBusy)
          return problem(
            'replayBusy',
            `too many events wait for ${destinationId}; go on when some of them are delivered`,
          )
        return answer({
          matched: step.matched,
          ...(step.next === undefined ? {} : { next: String(step.next) }),
        })
      },
    }),
  ])
}
