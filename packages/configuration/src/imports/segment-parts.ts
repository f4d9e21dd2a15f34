import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { camelCase } from '@sluice/core/camel-case'

/** Lists of an export of Segment, with the names of its Public API. */
export type SegmentParts = ReadonlyMap<string, readonly JsonObject[]>

/**
 * Returns the lists in exports of Segment: answers of its Public API (`{data: {destinations: […]}}`, also without
 * `data`), the state of its Terraform provider, and the output of `terraform show -json`.
 */
export function segmentParts(files: readonly JsonValue[]): SegmentParts {
  const parts = new Map<string, JsonObject[]>()
  const add = (list: string, items: readonly JsonObject[]): void => {
    parts.set(list, [...(parts.get(list) ?? []), ...items])
  }
  for (const file of files.flat().filter(isJsonObject)) {
    for (const { type, values } of terraformResources(file)) add(listOfType(type), [fromTerraform(values)])
    if (isTerraform(file)) continue
    const answer = isJsonObject(file['data']) ? file['data'] : file
    for (const [list, items] of Object.entries(answer)) {
      if (Array.isArray(items)) add(list, items.filter(isJsonObject))
      // An answer with a single one: {destination: {…}}.
      else if (isJsonObject(items) && 'id' in items) add(`${list}s`, [items])
    }
  }
  return parts
}

interface Resource {
  readonly type: string
  readonly values: JsonObject
}

function isTerraform(file: JsonObject): boolean {
  return 'terraform_version' in file || 'lineage' in file
}

/** Returns the managed resources of a state, in version 4 or as `terraform show -json` prints it. */
function terraformResources(file: JsonObject): readonly Resource[] {
  if (!isTerraform(file)) return []
  const { resources, values } = file
  if (Array.isArray(resources))
    return resources.filter(isJsonObject).flatMap(({ type, instances }) => {
      const listed = Array.isArray(instances) ? instances.filter(isJsonObject) : []
      return listed.flatMap(({ attributes }) =>
        isJsonObject(attributes) ? [{ type: String(type), values: attributes }] : [],
      )
    })
  return isJsonObject(values) && isJsonObject(values['root_module']) ? moduleResources(values['root_module'], 0) : []
}

/** Deepest nesting of modules; Terraform's own plans stay far below. */
const modulesMax = 50

function moduleResources(module: JsonObject, depth: number): readonly Resource[] {
  if (depth > modulesMax) return []
  const { resources, child_modules: children } = module
  const own = Array.isArray(resources) ? resources.filter(isJsonObject) : []
  const inside = Array.isArray(children) ? children.filter(isJsonObject) : []
  return [
    ...own.flatMap(({ type, values, mode }) =>
      isJsonObject(values) && mode !== 'data' ? [{ type: String(type), values }] : [],
    ),
    ...inside.flatMap((child) => moduleResources(child, depth + 1)),
  ]
}

/** `segment_destination_subscription` → `subscriptions` */
function listOfType(type: string): string {
  const noun = camelCase(type.replace(/^segment_/, '').replace(/^destination_subscription$/, 'subscription'))
  return `${noun}s`
}

/** Terraform's names have underscores, and its settings are text. */
function fromTerraform(values: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [camelCase(key), key === 'settings' ? parsed(value) : value]),
  )
}

function parsed(value: JsonValue | undefined): JsonValue {
  if (typeof value !== 'string') return value ?? null
  try {
    return JSON.parse(value) as JsonValue
  } catch {
    return {}
  }
}
