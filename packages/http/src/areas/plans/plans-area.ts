import {
  type Configuration,
  type ConfigurationEntry,
  createTrackingPlans,
  customTypeNamed,
  customTypeRules,
  itemTypesOf,
  type PlanParts,
} from '@sluice/configuration'
import { isJsonObject, type JsonObject } from '@sluice/core'
import type { TokenGate } from '../../gate/access/token-gate.ts'
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
  const withParts = (shown: (entry: ConfigurationEntry, parts: PlanParts) => JsonObject) => (workspaceId: string) => {
    const parts = plans.parts(workspaceId)
    return (entry: ConfigurationEntry) => shown(entry, parts)
  }
  const resources: readonly PlanResource[] = [
    { kind: 'category', list: 'categories', noun: 'category', shownFor: () => shownPart },
    { kind: 'customType', list: 'custom-types', noun: 'custom type', shownFor: withParts(shownCustomType) },
    { kind: 'property', list: 'properties', noun: 'property', shownFor: withParts(shownProperty) },
    { kind: 'event', list: 'events', noun: 'event', shownFor: () => shownEvent },
    { kind: 'plan', list: 'tracking-plans', noun: 'tracking plan', shownFor: () => shownPlan },
  ]
  return createArea([
    ...resources.flatMap((resource) => partRoutes(gate, plans, resource)),
    ...ruleRoutes(gate, plans),
    ...eventStreamSourceRoutes(gate, configuration),
    ...unsupportedRoutes(gate),
  ])
}

/** Returns a property as JSON, with the ids of the custom types that it names. */
function shownProperty(entry: ConfigurationEntry, parts: PlanParts): JsonObject {
  const { type, propConfig } = entry.body
  const config = isJsonObject(propConfig) ? propConfig : {}
  const custom = customTypeNamed(String(type), parts)
  const [item = ''] = itemTypesOf(config)
  return {
    description: '',
    ...shownPart(entry),
    propConfig: custom ? { $ref: `#/$defs/${String(type)}` } : config,
    definitionId: custom?.id ?? '',
    itemDefinitionId: customTypeNamed(item, parts)?.id ?? '',
  }
}

function shownCustomType(entry: ConfigurationEntry, parts: PlanParts): JsonObject {
  return {
    description: '',
    config: {},
    properties: [],
    ...shownPart(entry),
    dataType: entry.body['type'] ?? '',
    version: entry.revision ?? 1,
    rules: customTypeRules(entry, parts),
    itemDefinitions: [],
  }
}
