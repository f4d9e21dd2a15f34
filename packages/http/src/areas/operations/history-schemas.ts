import { historyLengths, historyRanges } from '@sluice/pipeline'
import Type, { type Static } from 'typebox'
import { workspaceQuery } from './operations-schemas.ts'

const closed = { additionalProperties: false }
const time = (description: string) => Type.String({ format: 'date-time', description: `${description}, ISO 8601.` })
const keysOf = <Key extends string>(table: Readonly<Record<Key, unknown>>) => Object.keys(table) as Key[]

export const historyQuery = Type.Object({
  ...workspaceQuery,
  range: Type.Optional(
    Type.Enum(keysOf(historyRanges), {
      description: `how far back from now: ${keysOf(historyRanges).join(', ')}; default 24h`,
    }),
  ),
  since: Type.Optional(time('In place of range: the first moment')),
  until: Type.Optional(time('With since: the moment behind the last one; default now')),
  every: Type.Optional(
    Type.Enum(keysOf(historyLengths), {
      description: `length of a slot: ${keysOf(historyLengths).join(', ')}; default so that there are at most 200. Days are those of UTC`,
    }),
  ),
})

const delay = {
  halfWithinMs: Type.Optional(
    Type.Integer({ description: 'Half of the delays were at most this long. Absent when longer than three hours.' }),
  ),
  almostAllWithinMs: Type.Optional(Type.Integer({ description: 'The same of 99 of 100 delays.' })),
  count: Type.Integer({ description: 'How many delays were measured.' }),
}

export const historyReportSchema = Type.Object(
  {
    since: time('Start of the first slot'),
    until: time('End of the last slot, which may have only begun'),
    everyMs: Type.Integer({ description: 'Length of a slot in milliseconds.' }),
    workspaces: Type.Array(
      Type.Object(
        {
          workspaceId: Type.String(),
          series: Type.Array(
            Type.Object(
              {
                sourceId: Type.String({ description: 'Empty for what belongs to no source.' }),
                destinationId: Type.Optional(Type.String({ description: 'Absent for counts of the source itself.' })),
                kind: Type.String({
                  description:
                    'What was counted, such as `accepted`, `delivered`, `failed`, `retried`, `bytes` or `answered`.',
                }),
                reason: Type.Optional(
                  Type.String({ description: 'Why, such as an error code or the reason of a drop; a status.' }),
                ),
                total: Type.Integer({ description: 'Sum of all slots.' }),
                counts: Type.Array(Type.Integer(), { description: 'One per slot, the oldest first.' }),
              },
              closed,
            ),
            { description: '`(others)` stands for the smallest, when there are more than 500.' },
          ),
          delays: Type.Array(
            Type.Object(
              {
                destinationId: Type.String(),
                of: Type.Enum(['delivery', 'answer', 'load'], {
                  description:
                    'delivery: from receiving an event to its delivery; answer: from a request to its reply; load: of a load into a warehouse.',
                }),
                ...delay,
                slots: Type.Array(Type.Object(delay, closed), { description: 'One per slot, the oldest first.' }),
              },
              closed,
            ),
          ),
          oldestWaiting: Type.Array(
            Type.Object(
              {
                destinationId: Type.String(),
                agesMs: Type.Array(Type.Integer(), {
                  description: 'Age of the oldest event that waited at the end of a minute: the highest of each slot.',
                }),
              },
              closed,
            ),
          ),
        },
        closed,
      ),
    ),
  },
  {
    ...closed,
    description: 'What was counted over time. The sums are those by which the counters of /v1/stats have grown.',
  },
)

/** Body of `GET /v2/history`. */
export type HistoryReportAnswer = Static<typeof historyReportSchema>
