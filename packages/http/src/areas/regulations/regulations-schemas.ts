import {
  deletionStatuses,
  type RegulatedUser,
  type RegulationErrorCode,
  regulationTypes,
  usersMax,
} from '@sluice/regulation'
import Type from 'typebox'
import { deferredKeyword, errorKeyword, privateKeyword } from '../../routing/validator.ts'

export const pageSize = 100

const pageSizeMax = 1_000

const closed = { additionalProperties: false }

const texts = Type.Record(Type.String(), Type.String())

const ids = (what: string) =>
  Type.Array(Type.String(), {
    minItems: 1,
    [deferredKeyword]: ['minItems'],
    description: `a list of one or more ids of ${what}; absent: all`,
  })

/** Members by which a user is named, or found. */
const userMembers = ['userId', 'email', 'phone', 'anonymousId']

export const creation = Type.Object({
  regulationType: Type.Enum([...regulationTypes], {
    type: 'string',
    description: regulationTypes.join(' or '),
    [errorKeyword]: 'regulationTypeUnknown' satisfies RegulationErrorCode,
  }),
  sourceIds: Type.Optional(ids('sources, with suppress only')),
  destinationIds: Type.Optional(ids('destinations, with suppress_with_delete only')),
  users: Type.Array(
    // `Regulations` checks users and reports every invalid one by its index; a schema would stop at the first.
    Type.Unsafe<RegulatedUser>({
      [deferredKeyword]: true,
      type: 'object',
      maxProperties: 20,
      propertyNames: { maxLength: 100 },
      additionalProperties: { type: 'string', maxLength: 1_000 },
      anyOf: userMembers.map((name) => ({
        required: [name],
        properties: { [name]: { type: 'string', pattern: '\\S' } },
      })),
      description: 'an object: userId, and other identifiers, each a string',
      examples: [{ userId: 'user-42', email: 'u42@shop.test' }],
    }),
    {
      description: 'a list of users: userId, and other identifiers, each a string',
      minItems: 1,
      maxItems: usersMax,
      [deferredKeyword]: ['minItems', 'maxItems'],
      [errorKeyword]: 'usersMissing' satisfies RegulationErrorCode,
      [privateKeyword]: true,
    },
  ),
})

const noteMax = 500

export const doneBody = Type.Object({
  note: Type.String({
    format: 'text',
    pattern: '\\S',
    maxLength: noteMax,
    description: `how it was done, 1 to ${noteMax} characters; without personal data, for it appears in the certificate`,
  }),
})

export const listQuery = Type.Object({
  after_cursor: Type.Optional(Type.String({ description: 'the after_cursor in paging.next of the previous page' })),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: pageSizeMax, description: `1 to ${pageSizeMax}; default ${pageSize}` }),
  ),
  userId: Type.Optional(
    Type.String({ description: 'a userId: only regulations of this user', [privateKeyword]: true }),
  ),
})

export const listSchema = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          workspaceId: Type.String(),
          canceled: Type.Boolean(),
          regulationType: Type.String(),
          attributes: Type.Intersect([Type.Object({ userId: Type.String() }), texts]),
        },
        closed,
      ),
    ),
    paging: Type.Object({ next: Type.Optional(Type.String({ description: 'Path of the next page.' })) }, closed),
  },
  closed,
)

export const overviewQuery = Type.Object({
  ...listQuery.properties,
  regulationType: Type.Optional(Type.Enum([...regulationTypes], { description: 'only regulations of this type' })),
  state: Type.Optional(Type.Enum(['inForce', 'canceled'], { description: 'inForce or canceled' })),
  deletions: Type.Optional(
    Type.Enum(['open', 'aborted'], {
      description: 'only regulations with a deletion that is open, or was aborted; needs the scope operate',
    }),
  ),
})

export const overviewSchema = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          regulationType: Type.Enum([...regulationTypes]),
          attributes: Type.Intersect([Type.Object({ userId: Type.String() }), texts]),
          createdAt: Type.String({ description: 'ISO 8601.' }),
          state: Type.Enum(['inForce', 'canceled']),
          deletions: Type.Optional(
            Type.Object(
              {
                total: Type.Integer({ description: 'Destinations, and Sluice itself.' }),
                complete: Type.Integer(),
                open: Type.Integer({ description: 'Pending, waiting, running, or to be tried again.' }),
                aborted: Type.Integer(),
                waiting: Type.Optional(
                  Type.Integer({
                    description:
                      'Of those that are open, how many need SLUICE_LEDGER_KEY, under which the ids of the user are encrypted. Left out when it is none.',
                  }),
                ),
              },
              { ...closed, description: 'For suppress_with_delete, with the scope operate.' },
            ),
          ),
        },
        closed,
      ),
      { description: 'In order of creation. Filters may make a page short.' },
    ),
    paging: Type.Object({ next: Type.Optional(Type.String({ description: 'Path of the next page.' })) }, closed),
  },
  closed,
)

export const countsSchema = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          sourceId: Type.String(),
          destinationId: Type.Optional(
            Type.String({
              description:
                'Destination that accepted events were suppressed at. Absent for events suppressed at ingestion.',
            }),
          ),
          day: Type.String({ description: 'Day in UTC, YYYY-MM-DD.' }),
          events: Type.Integer({
            description: 'Number of events. With destinationId, an event counts once per destination.',
          }),
        },
        closed,
      ),
    ),
  },
  closed,
)

export const deletionsSchema = Type.Object(
  {
    regulation: Type.Object(
      {
        id: Type.String(),
        regulationType: Type.String(),
        attributes: Type.Intersect([Type.Object({ userId: Type.String() }), texts]),
        canceled: Type.Boolean(),
        createdAt: Type.String({ description: 'ISO 8601.' }),
      },
      closed,
    ),
    data: Type.Array(
      Type.Object(
        {
          destinationId: Type.Optional(Type.String({ description: "Absent for Sluice's own data." })),
          destination: Type.String({ description: 'Name of the destination.' }),
          status: Type.Enum([...deletionStatuses]),
          reason: Type.Optional(Type.String({ description: 'Why it failed or was aborted, or a remark.' })),
          byHand: Type.Optional(
            Type.Literal(true, { description: 'A person has done it; `reason` has who, and the note.' }),
          ),
          attempts: Type.Integer(),
          nextAt: Type.Optional(Type.String({ description: 'Time of the next attempt, ISO 8601.' })),
          updatedAt: Type.String({ description: 'ISO 8601.' }),
        },
        closed,
      ),
    ),
    isOver: Type.Boolean({ description: 'Whether every deletion is complete or aborted.' }),
  },
  closed,
)
