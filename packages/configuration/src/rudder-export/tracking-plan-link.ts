import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'

/** How a source of an export uses a tracking plan, whose rules the export does not have. */
interface TrackingPlanLink {
  /** Whether events or parts of them that the plan does not allow are dropped, or this cannot be read. */
  readonly drops: boolean
}

/** Returns how a source uses a tracking plan; undefined when it has none. */
export function trackingPlanLink({
  trackingPlan,
  dgSourceTrackingPlanConfig,
}: JsonObject): TrackingPlanLink | undefined {
  const link = isJsonObject(dgSourceTrackingPlanConfig) ? dgSourceTrackingPlanConfig : undefined
  const plan = link ? link['trackingPlan'] : trackingPlan
  if (!isJsonObject(plan) || Object.keys(plan).length === 0 || link?.['deleted'] === true) return undefined
  const configs = [plan['config'], link?.['config'], link?.['mergedConfig']]
  return { drops: configs.some((config) => config !== undefined && config !== null && drops(config)) }
}

/** Settings apply to all events, or to those of one type. */
function drops(config: JsonValue): boolean {
  if (!isJsonObject(config)) return true
  return [config, ...Object.values(config).filter(isJsonObject)].some((rules) =>
    Object.entries(rules).some(
      ([name, value]) =>
        value === 'drop' ||
        (name === 'allowUnplannedEvents' && String(value) === 'false') ||
        (name.startsWith('drop') && String(value) === 'true'),
    ),
  )
}
