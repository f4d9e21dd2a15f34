import type { ConfigurationEntry } from '@sluice/configuration'
import type { JsonObject } from '@sluice/core'
import Type, { type TProperties } from 'typebox'
import { ExternalId } from '../../routing/external-id.ts'

/** Area of the routes in the OpenAPI document. */
export const area = 'Tracking plans'

const open = { additionalProperties: true }
const text = (description: string) => Type.String({ format: 'text', maxLength: 10_000, description })
const name = text('the name')
const optional = (description: string) => Type.Optional(text(description))
/** Settings such as `minLength`: their names are checked together with their values. */
const keywords = Type.Optional(
  Type.Record(Type.String(), Type.Unknown(), { description: 'keywords of JSON Schema, and itemTypes' }),
)
/** Rules refer to properties at any depth, so their form is checked where they are put into a plan. */
const rules = (description: string) =>
  Type.Optional(Type.Array(Type.Record(Type.String(), Type.Unknown()), { maxItems: 5_000, description }))
const externalId = Type.Optional(ExternalId)

/** Members of each kind, without the external id. */
const members = {
  categories: { name },
  events: {
    name: Type.Optional(text('the name of a track event; empty for other types')),
    description: optional('for people'),
    eventType: text('track, identify, page, screen or group'),
    categoryId: Type.Optional(
      Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'the id of a category, or null' }),
    ),
  },
  properties: {
    name,
    description: optional('for people'),
    type: text('types of JSON with commas between them, or the name of a custom type'),
    propConfig: keywords,
  },
  'custom-types': {
    name,
    description: optional('for people'),
    type: text('a type of JSON'),
    config: keywords,
    properties: rules('of an object: {id, required} of each property'),
    variants: rules('what an object has where a property has some value'),
  },
  'tracking-plans': { name, description: optional('for people') },
} as const satisfies Record<string, TProperties>

export type PlanList = keyof typeof members

/** Body of a request that creates a part of a kind. */
export const newPart = (list: PlanList) => Type.Object({ ...(members[list] as TProperties), externalId })
/** Body of a request that changes one. */
export const partChange = (list: PlanList) => Type.Object({ ...(members[list] as TProperties), externalId })

export const RulesBody = Type.Object({
  events: Type.Array(
    Type.Object({
      id: text('the id of an event'),
      properties: rules('{id, required, additionalProperties, properties?} of each property'),
      additionalProperties: Type.Optional(Type.Boolean({ description: 'whether others are allowed' })),
      identitySection: Type.Optional(text('properties, traits, context.traits, or nothing')),
      variants: rules('what the event has where a property has some value'),
    }),
    { maxItems: 100, description: 'a list of at most 100 rules, one for each event' },
  ),
})

const answerOf = (description: string) => Type.Optional(Type.Enum(['drop', 'forward'], { type: 'string', description }))
const flag = (description: string) =>
  Type.Optional(Type.Enum(['true', 'false'], { type: 'string', description: `${description}: true or false, as text` }))
const ofType = {
  propagateValidationErrors: flag('whether events get their violations'),
  unplannedProperties: answerOf('drop or forward: what a property costs that the plan does not have'),
  anyOtherViolation: answerOf('drop or forward: what another violation costs'),
}
/** How a plan is applied to the events of a source. Members that are not sent are not stored. */
export const LinkBody = Type.Object({
  config: Type.Object({
    track: Type.Optional(Type.Object({ ...ofType, allowUnplannedEvents: flag('whether other events are allowed') })),
    identify: Type.Optional(Type.Object(ofType)),
    group: Type.Optional(Type.Object(ofType)),
    page: Type.Optional(Type.Object(ofType)),
    screen: Type.Optional(Type.Object(ofType)),
  }),
})

export const PlanQuery = Type.Object({
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'the page, from 1' })),
  hasExternalId: Type.Optional(
    Type.Boolean({ description: 'true or false: only records with, or without, an external id' }),
  ),
})
export const FormatQuery = Type.Object({
  format: Type.Optional(
    Type.Enum(['properties', 'schema'], {
      type: 'string',
      description: 'properties (the default): the rule; schema: JSON Schema in the member rules',
    }),
  ),
})

export const Part = Type.Object(
  {
    id: Type.String(),
    externalId: Type.String({ description: 'Empty when none was given.' }),
    workspaceId: Type.String(),
    createdAt: Type.String({ format: 'date-time' }),
    updatedAt: Type.String({ format: 'date-time' }),
    name: Type.String(),
  },
  open,
)
export const Page = Type.Object(
  { data: Type.Array(Part), total: Type.Integer(), currentPage: Type.Integer(), pageSize: Type.Integer() },
  { additionalProperties: false },
)
export const Plans = Type.Object({ trackingPlans: Type.Array(Part) }, { additionalProperties: false })
export const Nothing = Type.Object({}, { additionalProperties: false })

/** Returns what all kinds show, and their own members. */
export function shownPart({
  id,
  workspaceId,
  externalId = '',
  createdAt,
  updatedAt,
  body,
}: ConfigurationEntry): JsonObject {
  const time = (at: number | undefined): string => new Date(at ?? 0).toISOString()
  return {
    id,
    externalId,
    workspaceId,
    createdAt: time(createdAt),
    updatedAt: time(updatedAt),
    createdBy: null,
    updatedBy: null,
    name: '',
    ...body,
  }
}
