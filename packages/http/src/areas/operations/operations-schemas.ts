import { healths } from '@sluice/pipeline'
import Type, { type Static } from 'typebox'

const closed = { additionalProperties: false }
const time = (description: string) => Type.String({ description: `${description}, ISO 8601.` })
const reasons = Type.Record(Type.String(), Type.Integer(), { description: 'Counts by reason.' })

/** Same text for unknown ids, suppressed events and events without a record, so that it reveals no suppression. */
export const eventUnknownText = 'no event with this id is known'

export const workspaceQuery = {
  workspaceId: Type.Optional(Type.String({ description: 'with admin credentials: only this workspace' })),
}

const counts = {
  received: Type.Integer(),
  rejected: Type.Integer(),
  suppressed: Type.Integer(),
  accepted: Type.Integer(),
}
const countsAtDestination = {
  destinationId: Type.String(),
  delivered: Type.Integer(),
  dropped: Type.Integer(),
  failed: Type.Integer(),
  pending: Type.Integer(),
}

export const historySchema = Type.Object(
  {
    everyMs: Type.Integer({ description: 'Milliseconds between two points.' }),
    workspaces: Type.Array(
      Type.Object(
        {
          workspaceId: Type.String(),
          points: Type.Array(
            Type.Object(
              {
                at: time('When it was counted'),
                sources: Type.Array(
                  Type.Object(
                    {
                      sourceId: Type.String(),
                      ...counts,
                      destinations: Type.Array(Type.Object(countsAtDestination, closed)),
                    },
                    closed,
                  ),
                ),
              },
              closed,
            ),
            { description: 'Oldest first, of the last hour at most, since the process started.' },
          ),
        },
        closed,
      ),
    ),
  },
  { ...closed, description: 'Counts since the store was created, as they were at several times.' },
)

export const statsSchema = Type.Object(
  {
    workspaces: Type.Array(
      Type.Object(
        {
          workspaceId: Type.String(),
          sources: Type.Array(
            Type.Object(
              {
                sourceId: Type.String(),
                received: Type.Integer({ description: 'rejected + suppressed + duplicates + accepted' }),
                rejected: reasons,
                suppressed: Type.Integer(),
                duplicates: Type.Integer({ description: 'Events accepted before, if deduplication is on.' }),
                accepted: Type.Integer(),
                largeNumbers: Type.Integer({
                  description:
                    'Accepted events with a number beyond ±2^53, which is rounded, or beyond 1.8e308, which becomes null.',
                }),
                invalidTimes: Type.Integer({
                  description: 'Accepted events whose timestamp was no time in ISO 8601, so that it was computed.',
                }),
                countedOnly: Type.Integer({
                  description: 'Accepted events whose shapes were not learnt: too many new ones, or too large.',
                }),
                destinations: Type.Array(
                  Type.Object(
                    {
                      destinationId: Type.String(),
                      accepted: Type.Integer({
                        description: 'accepted + replayed = delivered + dropped + failed + pending.',
                      }),
                      replayed: Type.Integer(),
                      delivered: Type.Integer(),
                      dropped: reasons,
                      failed: reasons,
                      forgotten: reasons,
                      pending: Type.Integer(),
                      outputs: Type.Integer({ description: 'Requests that were delivered.' }),
                    },
                    closed,
                  ),
                ),
              },
              closed,
            ),
          ),
        },
        closed,
      ),
    ),
  },
  { ...closed, description: 'Counts of input events since the store was created.' },
)

export const usageSchema = Type.Object(
  {
    workspaces: Type.Array(
      Type.Object(
        {
          workspaceId: Type.String(),
          budgets: Type.Array(
            Type.Object(
              {
                budget: Type.String({ description: 'Name of the shared budget, such as `deadLetters`.' }),
                unit: Type.Enum(['bytes', 'count']),
                used: Type.Integer({ description: 'Amount used by this workspace.' }),
                limit: Type.Optional(Type.Integer({ description: 'Limit for all workspaces together.' })),
                reserved: Type.Optional(
                  Type.Integer({ description: 'Amount that other workspaces cannot take from this one.' }),
                ),
              },
              closed,
            ),
          ),
        },
        closed,
      ),
    ),
  },
  { ...closed, description: 'Budgets that workspaces share, and how much each of them uses.' },
)

export const circuitsSchema = Type.Object(
  {
    workspaces: Type.Array(
      Type.Object(
        {
          workspaceId: Type.String(),
          destinations: Type.Array(
            Type.Object(
              {
                destinationId: Type.String(),
                state: Type.Enum(['closed', 'open', 'paused'], {
                  description:
                    'closed: events are sent; open: it fails, or asked for a pause, and is left alone until `nextTryAt`; paused: by POST /v2/destinations/{id}/pause, or for a `reason`.',
                }),
                health: Type.Enum([...healths], {
                  description:
                    'failing: more than half of at least five events that ended in the last five minutes failed; slow: the oldest waiting event is older than a minute and than ten times the usual delay; waiting: it does not answer, or asked for a pause; paused; works; idle: nothing ended lately, and nothing waits.',
                }),
                waiting: Type.Integer({ description: 'Events that have not ended.' }),
                oldestAt: Type.Optional(
                  time('Since when the oldest of them waits; in a cluster as of the end of the last minute'),
                ),
                endedLately: Type.Integer({ description: 'Events that ended in the last five minutes and this one.' }),
                failedLately: Type.Integer({ description: 'Those of them that failed.' }),
                failingSince: Type.Optional(time('Since when requests fail, also while the circuit is still closed')),
                nextTryAt: Type.Optional(time('Time of the next request')),
                pausedAt: Type.Optional(time('When it was paused')),
                reason: Type.Optional(
                  Type.String({
                    description: 'Why it was paused, when no person did it: resume it when that is mended.',
                  }),
                ),
              },
              closed,
            ),
          ),
        },
        closed,
      ),
    ),
  },
  closed,
)

const ended = ['delivered', 'dropped', 'failed'] as const

export const eventSchema = Type.Object(
  {
    messageId: Type.String(),
    workspaceId: Type.String(),
    sourceId: Type.String(),
    acceptedAt: Type.Optional(time('Time of acceptance')),
    destinations: Type.Array(
      Type.Object(
        {
          destinationId: Type.String(),
          outcome: Type.Enum([...ended, 'pending', 'waiting'], {
            description: 'pending: not processed yet; waiting: will be tried again.',
          }),
          stages: Type.Array(
            Type.Object({ stage: Type.String(), outcome: Type.Enum([...ended, 'passed', 'waiting']) }, closed),
            { description: 'Stages in order, up to the last one reached.' },
          ),
          at: Type.Optional(time('Time of the final outcome')),
          reason: Type.Optional(Type.String()),
          code: Type.Optional(Type.String()),
          docs: Type.Optional(Type.String({ description: 'Path of the page that explains the code.' })),
          outputs: Type.Integer({ description: 'Requests that were delivered.' }),
          versionId: Type.Optional(Type.String({ description: 'Version of the user transformation that ran.' })),
          attempts: Type.Optional(Type.Integer()),
          tries: Type.Optional(
            Type.Array(
              Type.Object(
                {
                  at: time('When it began'),
                  status: Type.Optional(Type.Integer({ description: 'Status of the reply.' })),
                  code: Type.Optional(Type.String({ description: 'Why there was no reply, such as ECONNREFUSED.' })),
                  tookMs: Type.Number({ description: 'Milliseconds until it was answered, or given up.' }),
                },
                closed,
              ),
              { description: 'The newest ten tries, in order, where the first one did not deliver the event.' },
            ),
          ),
          position: Type.Optional(
            Type.Integer({ description: 'Position of its batch in the log, while its turn has not come.' }),
          ),
          nextTryAt: Type.Optional(time('Time of the next attempt')),
          deadLetterIds: Type.Array(Type.String(), { description: 'See /v2/dead-letters.' }),
        },
        closed,
      ),
    ),
  },
  closed,
)

/** Body of `GET /v1/circuits`. */
export type CircuitsAnswer = Static<typeof circuitsSchema>
/** Body of `GET /v1/stats`. */
export type StatsAnswer = Static<typeof statsSchema>
/** Body of `GET /v1/history`. */
export type HistoryAnswer = Static<typeof historySchema>
