import Type, { type TProperties } from 'typebox'
import { deferredKeyword } from '../../routing/validator.ts'

export const pageSize = 100
const pageSizeMax = 1_000
const idsMax = 1_000

const closed = { additionalProperties: false }
const optional = (description: string) => Type.Optional(Type.String({ description }))
const time = (description: string) => Type.String({ format: 'date-time', description })

const filter = {
  destinationId: optional('only dead letters of this destination'),
  sourceId: optional('only events of this source'),
  code: optional('only failures with this code'),
  reason: optional('only failures with this reason: that of a dead letter, or of a group'),
  since: Type.Optional(time('ISO 8601: only those that failed at this time or later')),
  until: Type.Optional(time('ISO 8601: only those that failed before this time')),
}

export const maskedQuery = Type.Object({
  masked: Type.Optional(
    Type.Boolean({
      description:
        'true or false: whether to mask personal data, and to leave out suppressed users. Reading without it needs the scope write, too, and is written to the audit log.',
    }),
  ),
})

export const listQuery = Type.Object({
  ...filter,
  ...maskedQuery.properties,
  order: Type.Optional(
    Type.Enum(['asc', 'desc'], { description: 'asc (default): oldest failure first; desc: newest' }),
  ),
  after: optional('id of the last dead letter of the previous page'),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: pageSizeMax, description: `1 to ${pageSizeMax}; default ${pageSize}` }),
  ),
})

const ids = Type.Optional(
  Type.Array(Type.String(), { minItems: 1, maxItems: idsMax, description: `a list of 1 to ${idsMax} ids` }),
)
/** The handlers say which members choose. */
const deferred = { [deferredKeyword]: ['anyOf'] }
const chosen = {
  ids,
  destinationId: optional('all dead letters of this destination, instead of ids'),
}
export const choice = Type.Object(chosen, {
  anyOf: Object.keys(chosen).map((name) => ({ required: [name], maxProperties: 1 })),
  ...deferred,
})
export const jobChoice = Type.Object(
  { ids, ...filter },
  {
    anyOf: [
      { required: ['ids'], maxProperties: 1 },
      ...Object.keys(filter).map((name) => ({ required: [name], properties: { ids: false } })),
    ],
    ...deferred,
  },
)

const letter: TProperties = {
  id: Type.String(),
  destinationId: Type.String(),
  sourceId: Type.String(),
  messageId: Type.String(),
  at: Type.String({ description: 'Time of the failure, ISO 8601.' }),
  stage: Type.String({ description: 'Stage that failed.' }),
  code: Type.String(),
  reason: Type.String(),
  docs: Type.String({ description: 'Path of the page that explains the code.' }),
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
}
export const letterSchema = Type.Object(letter, closed)

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

export const pageSchema = Type.Object(
  {
    data: Type.Array(letterSchema),
    usage: usageSchema,
    paging: Type.Object({ next: Type.Optional(Type.String({ description: 'Path of the next page.' })) }, closed),
  },
  closed,
)

export const groupsSchema = Type.Object(
  {
    groups: Type.Array(
      Type.Object(
        {
          destinationId: Type.String(),
          code: Type.String(),
          reason: Type.String({ description: 'The first 300 characters of the reason, personal data masked.' }),
          count: Type.Integer(),
          first: time('Time of the oldest failure.'),
          last: time('Time of the newest failure.'),
          newestId: Type.String({ description: 'Id of the newest dead letter.' }),
          counts: Type.Optional(
            Type.Array(Type.Integer(), {
              description: 'How many failed in each slot, the oldest first; with `every`.',
            }),
          ),
        },
        closed,
      ),
      { description: 'The largest first, at most 500.' },
    ),
    slots: Type.Optional(
      Type.Object(
        { since: time('When the first slot begins.'), everyMs: Type.Integer(), count: Type.Integer() },
        { ...closed, description: 'The slots of `counts`. The last one is under way.' },
      ),
    ),
  },
  closed,
)

export const jobSchema = Type.Object(
  {
    id: Type.String(),
    state: Type.Enum(['running', 'done', 'stopped', 'failed']),
    total: Type.Integer({ description: 'Dead letters that were chosen when it began.' }),
    done: Type.Integer({ description: 'Events that are on their way.' }),
    failed: Type.Integer({ description: 'Dead letters that no longer existed, or whose destination is gone.' }),
    startedAt: time('When it began.'),
    endedAt: Type.Optional(time('When it ended.')),
    problem: Type.Optional(Type.String({ description: 'Why it failed.' })),
  },
  closed,
)
