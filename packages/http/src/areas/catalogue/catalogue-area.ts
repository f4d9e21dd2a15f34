import type { Workspace } from '@sluice/core'
import type { CounterStore } from '@sluice/pipeline'
import { type Catalogue, dayMs, type EventModel } from '@sluice/schema'
import type { TokenGate } from '../../gate/access/token-gate.ts'
import { answer, problem } from '../../gate/answer.ts'
import { type Area, createArea } from '../../routing/area.ts'
import {
  type CatalogueModels,
  detailSchema,
  driftQuery,
  driftSchema,
  jsonSchemaSchema,
  modelsQuery,
  modelsSchema,
  valuesSchema,
} from './catalogue-schemas.ts'
import { planRoute } from './plan-route.ts'

export interface CatalogueAreaOptions {
  readonly gate: TokenGate
  readonly catalogue: Catalogue
  /** Has the violations of tracking plans. */
  readonly counters: Pick<CounterStore, 'read'>
  /** Returns the columns that keys get in warehouses, by key path, of those that share the name of a column. */
  sharedColumns(paths: readonly string[]): Readonly<Record<string, string>>
}

const unknown = 'there is no such event; GET /v2/catalogue/models lists them'

/**
 * The schema catalogue of the token's workspace: `/v2/catalogue/models`. Shapes and counts need the scope `read`; samples and
 * values, which come from events, need `operate`. The Data Governance API shows the same with admin credentials. Source:
 * packages/docs/api/governance.md#with-a-token.
 */
export function createCatalogueArea({ gate, catalogue, counters, sharedColumns }: CatalogueAreaOptions): Area {
  const shared = { method: 'get', area: 'Catalogue' } as const
  return createArea([
    planRoute(gate, counters),
    gate.route({
      ...shared,
      scopes: ['read'],
      path: '/v2/catalogue/models',
      operationId: 'listModels',
      summary: 'List the events that were received, with their shapes',
      query: modelsQuery,
      errors: ['sourceMissing'],
      responses: { 200: { description: 'All event models, the newest first.', schema: modelsSchema } },
      handle: async ({ workspace, query: { sourceId, keys } }) => {
        const source = workspace.sources.find(({ id }) => id === sourceId)
        if (sourceId !== undefined && source === undefined)
          return problem('sourceMissing', `there is no source ${sourceId.slice(0, 100)}`)
        const models = [...(await catalogue.models(workspace.id, source?.writeKey))].reverse()
        const shown = models.map(async (model) => ({
          ...modelOf(model, workspace),
          ...(keys ? { keyCounts: (await catalogue.keyCounts(workspace.id, model.eventId)) ?? {} } : {}),
        }))
        return answer({ models: await Promise.all(shown) })
      },
    }),
    gate.route({
      ...shared,
      scopes: ['read'],
      path: '/v2/catalogue/drift',
      operationId: 'readDrift',
      summary: 'Get what is new since a time: events, versions, keys and types',
      query: driftQuery,
      errors: ['sourceMissing'],
      responses: { 200: { description: 'Events with something new, the newest first.', schema: driftSchema } },
      handle: async ({ workspace, query: { since, sourceId } }) => {
        const source = workspace.sources.find(({ id }) => id === sourceId)
        if (sourceId !== undefined && source === undefined)
          return problem('sourceMissing', `there is no source ${sourceId.slice(0, 100)}`)
        const drifts = await catalogue.drift(workspace.id, Date.parse(since), source?.writeKey)
        return answer({
          models: [...drifts].reverse().map(({ model, isNew, versions, newKeys, changedKeys }) => ({
            model: modelOf(model, workspace),
            isNew,
            versions: versions.map(({ versionId, firstSeen, totalCount }) => ({
              id: versionId,
              firstSeen: isoTime(firstSeen),
              totalCount,
            })),
            newKeys,
            changedKeys,
          })),
        })
      },
    }),
    gate.route({
      ...shared,
      scopes: ['read'],
      path: '/v2/catalogue/models/{id}',
      operationId: 'readModel',
      summary: 'Get an event with its versions and how often each key occurs',
      errors: ['modelUnknown'],
      responses: { 200: { description: 'The model.', schema: detailSchema } },
      handle: async ({ workspace, param }) => {
        const id = param('id')
        const [models, versions, keyCounts, days] = await Promise.all([
          catalogue.models(workspace.id),
          catalogue.versions(workspace.id, id),
          catalogue.keyCounts(workspace.id, id),
          catalogue.days(workspace.id, id),
        ])
        const model = models.find(({ eventId }) => eventId === id)
        if (model === undefined || versions === undefined) return problem('modelUnknown', unknown)
        const keys = Object.keys(model.schema)
        return answer({
          model: modelOf(model, workspace),
          keyCounts: keyCounts ?? {},
          columns: sharedColumns(keys),
          days: days.map(({ day, count }) => ({ day: isoTime(day * dayMs).slice(0, 10), events: count })),
          versions: [...versions].reverse().map(({ versionId, firstSeen, lastSeen, totalCount, schema }) => ({
            id: versionId,
            firstSeen: isoTime(firstSeen),
            lastSeen: isoTime(lastSeen),
            totalCount,
            schema,
            missingKeys: keys.filter((key) => !Object.hasOwn(schema, key)),
          })),
        })
      },
    }),
    gate.route({
      ...shared,
      scopes: ['read', 'operate'],
      path: '/v2/catalogue/models/{id}/values',
      operationId: 'readModelValues',
      summary: 'Get samples and frequent values of an event',
      errors: ['modelUnknown'],
      responses: { 200: { description: 'Samples and values, personal data masked.', schema: valuesSchema } },
      handle: async ({ workspace, param }) => {
        const found = await catalogue.modelMetadata(workspace.id, param('id'))
        if (found === undefined) return problem('modelUnknown', unknown)
        const frequentValues = Object.entries(found.frequentValues).map(([path, values]) => [
          path,
          values.map(({ value, frequency }) => ({ value, share: frequency })),
        ])
        return answer({ samples: found.sampledEvents, frequentValues: Object.fromEntries(frequentValues) })
      },
    }),
    gate.route({
      ...shared,
      scopes: ['read'],
      path: '/v2/catalogue/models/{id}/json-schema',
      operationId: 'readModelJsonSchema',
      summary: 'Get a JSON Schema that accepts every event of the model, for a tracking plan',
      errors: ['modelUnknown'],
      responses: { 200: { description: 'JSON Schema, draft 2020-12.', schema: jsonSchemaSchema } },
      handle: async ({ workspace, param }) => {
        const found = await catalogue.jsonSchema(workspace.id, param('id'))
        return found ? answer(found) : problem('modelUnknown', unknown)
      },
    }),
  ])
}

function modelOf(model: EventModel, { sources }: Workspace): CatalogueModels['models'][number] {
  return {
    id: model.eventId,
    sourceId: sources.find(({ writeKey }) => writeKey === model.writeKey)?.id ?? '',
    type: model.eventType,
    event: model.eventIdentifier,
    createdAt: isoTime(model.createdAt),
    lastSeen: isoTime(model.lastSeen),
    totalCount: model.totalCount,
    schema: model.schema,
  }
}

const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString()
