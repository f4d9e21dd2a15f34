import Type from 'typebox'

const closed = { additionalProperties: false }
const time = (description: string) => Type.String({ description: `${description}: ISO 8601.` })
const reasons = Type.Record(Type.String(), Type.Integer(), { description: 'By reason.' })

export const workspaceQuery = {
  workspaceId: Type.Optional(Type.String({ description: 'with admin credentials, one of several workspaces' })),
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
                duplicates: Type.Integer({ description: 'Accepted before, where that is asked.' }),
                accepted: Type.Integer(),
                countedOnly: Type.Integer({
                  description: 'Accepted events whose shapes were not learnt: too much was new, or too large.',
                }),
                destinations: Type.Array(
                  Type.Object(
                    {
                      destinationId: Type.String(),
                      accepted: Type.Integer({ description: 'With replayed: delivered + dropped + failed + pending.' }),
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
  { ...closed, description: 'Counts of input events since the store was made.' },
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
                budget: Type.String({ description: 'What is shared, such as `deadLetters`.' }),
                unit: Type.Enum(['bytes', 'count']),
                used: Type.Integer({ description: 'By this workspace.' }),
                limit: Type.Optional(Type.Integer({ description: 'Of all workspaces together.' })),
                reserved: Type.Optional(
                  Type.Integer({ description: 'What this workspace can use whatever the others do.' }),
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
  { ...closed, description: 'What workspaces share, and how much of it they use.' },
)

const ended = ['delivered', 'dropped', 'failed'] as const

export const eventSchema = Type.Object(
  {
    messageId: Type.String(),
    workspaceId: Type.String(),
    sourceId: Type.String(),
    acceptedAt: Type.Optional(time('When it was accepted')),
    destinations: Type.Array(
      Type.Object(
        {
          destinationId: Type.String(),
          outcome: Type.Enum([...ended, 'pending', 'waiting'], {
            description: 'pending: its turn has not come; waiting: it is tried again.',
          }),
          stages: Type.Array(
            Type.Object({ stage: Type.String(), outcome: Type.Enum([...ended, 'passed', 'waiting']) }, closed),
            { description: 'In order, up to where it ended or waits.' },
          ),
          at: Type.Optional(time('When it ended')),
          reason: Type.Optional(Type.String()),
          code: Type.Optional(Type.String()),
          outputs: Type.Integer({ description: 'Requests that were delivered.' }),
          versionId: Type.Optional(Type.String({ description: 'Of the user transformation that ran.' })),
          attempts: Type.Optional(Type.Integer()),
          nextTryAt: Type.Optional(time('When it is tried next')),
          deadLetterIds: Type.Array(Type.String(), { description: 'See /v2/dead-letters.' }),
        },
        closed,
      ),
    ),
  },
  closed,
)
