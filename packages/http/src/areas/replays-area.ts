import type { DeadLetters, Engine } from '@sluice/pipeline'
import Type from 'typebox'
import type { TokenGate } from '../gate/access/token-gate.ts'
import { answer, problem } from '../gate/answer.ts'
import { type Area, createArea } from '../routing/area.ts'
import { missingDestination } from './missing-destination.ts'

export interface ReplaysAreaOptions {
  readonly gate: TokenGate
  readonly engine: { readonly replays: { readonly log: Engine['replays']['log'] } }
  readonly deadLetters: Pick<DeadLetters, 'replaySince'>
}

const closed = { additionalProperties: false }
const time = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }))
const body = Type.Object(
  {
    destinationId: Type.String(),
    source: Type.Optional(
      Type.Union([Type.Literal('log'), Type.Literal('dead-letters')], {
        description: 'log (default): all events still in the log, delivered or not; dead-letters: failed events',
      }),
    ),
    from: time('ISO 8601: only events received (log) or failed (dead-letters) at this time or later'),
    to: time('ISO 8601: only events received or failed before this time'),
    dryRun: Type.Optional(Type.Boolean({ description: 'counts only' })),
    after: Type.Optional(Type.String({ description: '`next` of the previous step' })),
  },
  closed,
)

/**
 * `POST /v2/replays`: sends events to a destination again, one step per call. The caller repeats with `next` as `after`
 * until there is no `next`, and may stop after any step.
 */
export function createReplaysArea({ gate, engine, deadLetters }: ReplaysAreaOptions): Area {
  return createArea([
    gate.route({
      area: 'Replays',
      scopes: ['operate'],
      method: 'post',
      path: '/v2/replays',
      operationId: 'replay',
      summary: 'Send events to a destination again, in steps; events of users suppressed since then are left out',
      body,
      errors: ['destinationMissing', 'replayBusy', 'replayCursorInvalid'],
      responses: {
        200: {
          description: 'The step is done and its events are queued.',
          schema: Type.Object(
            {
              matched: Type.Integer({ description: 'Events of this step.' }),
              next: Type.Optional(
                Type.String({ description: 'Value for `after` of the next step. Absent after the last step.' }),
              ),
            },
            closed,
          ),
        },
      },
      handle: async ({ workspace, body: { destinationId, source = 'log', from, to, dryRun = false, after } }) => {
        const missing = missingDestination(workspace, destinationId)
        if (missing) return missing
        const within = {
          destinationId,
          dryRun,
          since: from === undefined ? 0 : Date.parse(from),
          until: to === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(to),
        }
        if (source === 'dead-letters') return answer(await deadLetters.replaySince(workspace.id, { ...within, after }))
        const position = Number(after ?? 0)
        if (!Number.isSafeInteger(position) || position < 0)
          return problem(
            'replayCursorInvalid',
            'unknown `after`: pass the `next` of the previous step, or leave it out to start',
          )
        const step = await engine.replays.log(workspace.id, { ...within, after: position })
        if (step === undefined)
          return problem('destinationMissing', `destination ${destinationId} is disabled; enable it to replay events`)
        if (step.isBusy)
          return problem(
            'replayBusy',
            `too many events are waiting for ${destinationId}; continue when some of them are delivered`,
          )
        return answer({
          matched: step.matched,
          next: step.next === undefined ? undefined : String(step.next),
        })
      },
    }),
  ])
}
