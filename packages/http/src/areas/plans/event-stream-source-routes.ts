import { type Configuration, type ConfigurationEntry, linkOf } from '@sluice/configuration'
import { isJsonObject, type JsonObject } from '@sluice/core'
import Type from 'typebox'
import type { TokenGate } from '../../gate/access/token-gate.ts'
import { answer, problem } from '../../gate/answer.ts'
import { ExternalId, ExternalIdBody } from '../../routing/external-id.ts'
import type { Route } from '../../routing/route.ts'
import { eventStreamType } from './event-stream-type.ts'
import { planAnswer, planErrors } from './plan-answer.ts'
import { area, Nothing } from './plan-schemas.ts'

const path = '/v2/event-stream-sources'
const text = (description: string) => Type.String({ format: 'text', maxLength: 1_000, description })
const enabled = Type.Optional(Type.Boolean({ description: 'true (the default) or false' }))
const NewSource = Type.Object({
  externalId: Type.Optional(ExternalId),
  name: text('the name'),
  type: text('such as javascript or go'),
  enabled,
})
const SourceChange = Type.Object({ name: Type.Optional(text('the name')), enabled })
const Source = Type.Object(
  {
    id: Type.String(),
    externalId: Type.String({ description: 'Empty when none was given.' }),
    name: Type.String(),
    type: Type.String(),
    enabled: Type.Boolean(),
    workspaceId: Type.String(),
    trackingPlan: Type.Union([
      Type.Null(),
      Type.Object(
        { id: Type.String(), config: Type.Record(Type.String(), Type.Unknown()) },
        { additionalProperties: false },
      ),
    ]),
  },
  { additionalProperties: false },
)
const Sources = Type.Object(
  { data: Type.Array(Source), paging: Type.Object({ total: Type.Integer() }, { additionalProperties: false }) },
  { additionalProperties: false },
)

/** Creates the routes by which rudder-cli manages sources, with the tracking plan that each is linked to. */
export function eventStreamSourceRoutes(gate: TokenGate, configuration: Configuration): readonly Route[] {
  const write = { area, scopes: ['write', 'operate'], errors: planErrors } as const
  const responses = { 200: { description: 'The source.', schema: Source } }
  const one = (entries: readonly ConfigurationEntry[]) => {
    const [entry] = entries
    return entry ? answer(shown(entry)) : problem('planPartUnknown', 'source not found')
  }
  return [
    gate.route({
      method: 'get',
      path,
      operationId: 'listEventStreamSources',
      summary: 'The sources whose type rudder-cli knows',
      area,
      scopes: ['read'],
      responses: { 200: { description: 'All of them.', schema: Sources } },
      errors: [],
      handle: ({ workspace }) => {
        const all = configuration
          .list(workspace.id, 'source')
          .filter(({ body }) => eventStreamType(body['type']) !== undefined)
        return answer({ data: all.map(shown), paging: { total: all.length } })
      },
    }),
    gate.route({
      ...write,
      method: 'post',
      path,
      operationId: 'createEventStreamSource',
      summary: 'Create a source',
      body: NewSource,
      responses,
      handle: async ({ workspace, body: { externalId, ...body } }) => {
        if (eventStreamType(body.type) === undefined)
          return problem('planPartInvalid', `type is ${body.type}; allowed is: the name of an SDK, such as javascript`)
        const external = externalId === undefined ? {} : { externalId }
        const created = await configuration.change(workspace.id, [
          { action: 'create', kind: 'source', ...external, body: { enabled: true, ...body } },
        ])
        return planAnswer(created, one)
      },
    }),
    gate.route({
      ...write,
      method: 'put',
      path: `${path}/{id}`,
      operationId: 'updateEventStreamSource',
      summary: 'Rename a source, or switch it on or off',
      body: SourceChange,
      responses,
      handle: async ({ workspace, param, body }) =>
        planAnswer(
          await configuration.change(workspace.id, [
            { action: 'update', kind: 'source', id: param('id'), body: body as JsonObject },
          ]),
          one,
        ),
    }),
    gate.route({
      ...write,
      method: 'put',
      path: `${path}/{id}/external-id`,
      operationId: 'setEventStreamSourceExternalId',
      summary: 'Give a source an external id',
      body: ExternalIdBody,
      responses,
      handle: async ({ workspace, param, body: { externalId } }) =>
        planAnswer(
          await configuration.change(workspace.id, [
            { action: 'update', kind: 'source', id: param('id'), externalId, body: {} },
          ]),
          one,
        ),
    }),
    gate.route({
      ...write,
      method: 'delete',
      path: `${path}/{id}`,
      operationId: 'deleteEventStreamSource',
      summary: 'Delete a source; one that is gone already is fine',
      responses: { 200: { description: 'It is gone.', schema: Nothing } },
      handle: async ({ workspace, param }) =>
        planAnswer(
          await configuration.change(workspace.id, [{ action: 'delete', kind: 'source', id: param('id') }]),
          () => answer({}),
        ),
    }),
  ]
}

function shown({ id, workspaceId, externalId = '', body }: ConfigurationEntry): JsonObject {
  const link = linkOf(body)
  return {
    id,
    externalId,
    name: body['name'] ?? id,
    type: eventStreamType(body['type']) ?? '',
    enabled: body['enabled'] ?? true,
    workspaceId,
    trackingPlan: link ? { id: link.id, config: readForm(link.config) } : null,
  }
}

/** What a link is set to, in the words by which clients read it: other ones than they send. */
function readForm(config: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(config).map(([type, given]) => {
      const { propagateValidationErrors, unplannedProperties, anyOtherViolation, allowUnplannedEvents } = isJsonObject(
        given,
      )
        ? given
        : {}
      return [
        type,
        {
          propagateViolations:
            propagateValidationErrors === undefined ? undefined : propagateValidationErrors === 'true',
          dropUnplannedProperties: unplannedProperties === undefined ? undefined : unplannedProperties === 'drop',
          dropOtherViolations: anyOtherViolation === undefined ? undefined : anyOtherViolation === 'drop',
          dropUnplannedEvents: allowUnplannedEvents === undefined ? undefined : allowUnplannedEvents === 'false',
        },
      ]
    }),
  )
}
