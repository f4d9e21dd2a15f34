import { type Configuration, type ConfigurationEntry, createTrackingPlans } from '@sluice/configuration'
import { isJsonObject, type JsonObject } from '@sluice/core'
import type { TokenGate } from '../../gate/token-gate.ts'
import { type Area, createArea } from '../../routing/area.ts'
import { eventStreamSourceRoutes } from './event-stream-source-routes.ts'
import { type PlanResource, partRoutes } from './part-routes.ts'
import { shownPart } from './plan-schemas.ts'
import { ruleRoutes, shownEvent, shownPlan } from './rule-routes.ts'
import { unsupportedRoutes } from './unsupported-routes.ts'

export interface PlansAreaOptions {
  readonly gate: TokenGate
  readonly configuration: Configuration
}

/**
 * The catalogue of RudderStack's API: events, properties, custom types, categories and tracking plans, and the sources that
 * are linked to plans. Source: packages/docs/api/tracking-plans.md.
 */
export function createPlansArea({ gate, configuration }: PlansAreaOptions): Area {
  const plans = createTrackingPlans(configuration)
  const typeNamed = (workspaceId: string, name: unknown): ConfigurationEntry | undefined =>
    plans.list(workspaceId, 'customType').find(({ body }) => body['name'] === name)
  const shownProperty = (entry: ConfigurationEntry): JsonObject => {
    const { type, propConfig } = entry.body
    const config = isJsonObject(propConfig) ? propConfig : {}
    const custom = typeNamed(entry.workspaceId, type)
    const { itemTypes } = config
    const [item] = Array.isArray(itemTypes) ? itemTypes : []
    return {
      description: '',
      ...shownPart(entry),
      propConfig: custom ? { $ref: `#/$defs/${String(type)}` } : config,
      definitionId: custom?.id ?? '',
      itemDefinitionId: typeNamed(entry.workspaceId, item)?.id ?? '',
    }
  }
  const shownCustomType = (entry: ConfigurationEntry): JsonObject => ({
    description: '',
    config: {},
    properties: [],
    ...shownPart(entry),
    dataType: entry.body['type'] ?? '',
    version: entry.revision ?? 1,
    rules: plans.customTypeRules(entry.workspaceId, entry.id),
    itemDefinitions: [],
  })
  const resources: readonly PlanResource[] = [
    { kind: 'category', list: 'categories', noun: 'category', shown: shownPart },
    { kind: 'customType', list: 'custom-types', noun: 'custom type', shown: shownCustomType },
    { kind: 'property', list: 'properties', noun: 'property', shown: shownProperty },
    { kind: 'event', list: 'events', noun: 'event', shown: shownEvent },
    { kind: 'plan', list: 'tracking-plans', noun: 'tracking plan', shown: shownPlan },
  ]
  return createArea([
    ...resources.flatMap((resource) => partRoutes(gate, plans, resource)),
    ...ruleRoutes(gate, plans),
    ...eventStreamSourceRoutes(gate, configuration),
    ...unsupportedRoutes(gate),
  ])
}
