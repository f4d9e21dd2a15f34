import Type from 'typebox'

const closed = { additionalProperties: false }
const time = (description: string) => Type.String({ description: `${description}, ISO 8601.` })
const reasons = Type.Record(Type.String(), Type.Integer(), { description: 'Counts by reason.' })

export const workspaceQuery = {
  workspaceId: Type.Optional(Type.String({ description: 'with admin credentials: only this workspace' })),
}

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
          outputs: Type.Integer({ description: 'Requests that were delivered.' }),
          versionId: Type.Optional(Type.String({ description: 'Version of the user transformation that ran.' })),
          attempts: Type.Optional(Type.Integer()),
          nextTryAt: Type.Optional(time('Time of the next attempt')),
          deadLetterIds: Type.Array(Type.String(), { description: 'See /v2/dead-letters.' }),
        },
        closed,
      ),
    ),
  },
  closed,
)
