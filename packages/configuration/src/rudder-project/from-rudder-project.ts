import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { camelCase } from '@sluice/core/camel-case'
import type { Problem } from '../definition/problems/problem.ts'
import { isDeviceMode } from '../rudder-export/is-device-mode.ts'
import { idIn, type Part, partsIn, type RudderResource, specOf, textsOf } from './resource.ts'
import { type PlanCatalogue, trackingPlanOf } from './tracking-plan-of.ts'

export { isRudderResource, type RudderResource } from './resource.ts'

/** A place in a file of the project. */
interface Origin {
  readonly file: string
  readonly path: string
}

interface RudderProject {
  /** In the form of a workspace file, not validated. */
  readonly workspace: JsonObject
  /** Location in the file of each element, such as `destinations[2]`. */
  readonly origins: ReadonlyMap<string, Origin>
  readonly problems: readonly (Problem & Origin)[]
  /** What has no counterpart, or works differently. */
  readonly notes: readonly (Origin & { readonly text: string })[]
}

/** Kinds that describe events: they have an effect through the tracking plan of a source. */
const kinds = {
  sources: ['event-stream-source'],
  connections: ['event-stream-connections'],
  destinations: ['destination'],
  transformations: ['transformation'],
  libraries: ['transformation-library'],
  plans: ['tracking-plan', 'tp'],
  events: ['events'],
  properties: ['properties'],
  customTypes: ['custom-types'],
  ignored: ['categories', 'import-manifest'],
} as const

/**
 * Converts a project of RudderStack's rudder-cli to a workspace. The write key of a source is read from the variable
 * `SLUICE_WRITE_KEY_` and its id, unless `own` has the source with a write key.
 *
 * @param own the workspace file beside the project. Its members win: ids, tokens, write keys, settings.
 */
export function fromRudderProject(resources: readonly RudderResource[], own: JsonObject = {}): RudderProject {
  const problems: (Problem & Origin)[] = []
  const notes: (Origin & { text: string })[] = []
  const report = ({ file, path }: Part, value: string, allowed: string): void => {
    problems.push({ file, path, value, allowed })
  }
  const note = ({ file, path }: Part, text: string): void => {
    notes.push({ file, path, text })
  }
  const ofKind = (name: keyof typeof kinds): readonly Part[] =>
    resources.filter(({ content }) => (kinds[name] as readonly unknown[]).includes(content['kind'])).map(specOf)
  const known: readonly unknown[] = Object.values(kinds).flat()
  for (const resource of resources)
    if (!known.includes(resource.content['kind']))
      note({ ...specOf(resource), path: 'kind' }, `${String(resource.content['kind'])}: Sluice has no counterpart`)

  const catalogue: PlanCatalogue = {
    properties: byId(ofKind('properties').flatMap((part) => partsIn(part, 'properties'))),
    customTypes: byId(ofKind('customTypes').flatMap((part) => partsIn(part, 'types'))),
    events: byId(ofKind('events').flatMap((part) => partsIn(part, 'events'))),
    plans: byId(ofKind('plans')),
    report,
    note,
  }
  const codes = byId(
    ofKind('transformations').flatMap((part) =>
      Array.isArray(part.value['transformations']) ? partsIn(part, 'transformations') : [part],
    ),
  )
  const sources = ofKind('sources').map((part) => ({ part, element: sourceOf(part, catalogue) }))
  const destinations = ofKind('destinations').map((part) => ({
    part,
    element: destinationOf(part, codes, report),
  }))
  const types = new Map(sources.map(({ element: { id, type } }) => [id, typeof type === 'string' ? type : undefined]))
  const modes = new Map(destinations.map(({ part, element: { id } }) => [id, modesIn(part)]))
  const connections = ofKind('connections')
    .flatMap((part) => partsIn(part, 'connections'))
    .map((part) => {
      const element = connectionOf(part)
      const { source, destination, enabled } = element
      if (enabled === false || !isDeviceMode(modes.get(destination) ?? {}, types.get(source))) return { part, element }
      note(part, 'device mode: SDKs of this kind send themselves, so the connection is disabled')
      return { part, element: { ...element, enabled: false } }
    })
  const libraries = ofKind('libraries').map((part) => ({ part, element: libraryOf(part, report) }))

  const origins = new Map<string, Origin>()
  const merged = (
    list: string,
    elements: readonly Converted[],
    keyOf: (element: JsonObject) => string,
  ): JsonValue[] => {
    const ownList = Array.isArray(own[list]) ? own[list].filter(isJsonObject) : []
    const byKey = new Map(ownList.map((element) => [keyOf(element), element]))
    const converted = elements.map(({ part, element }, i) => {
      origins.set(`${list}[${i}]`, { file: part.file, path: part.path })
      const beside = byKey.get(keyOf(element))
      byKey.delete(keyOf(element))
      return { ...element, ...beside }
    })
    return [...converted, ...byKey.values()]
  }
  const idOf = ({ id }: JsonObject): string => String(id)
  const withLibraries = merged('libraries', libraries, ({ name }) => String(name))
  const workspace = {
    ...own,
    id: own['id'] ?? 'default',
    // RudderStack has more settings.
    lenient: own['lenient'] ?? true,
    sources: merged('sources', sources, idOf),
    destinations: merged('destinations', destinations, idOf),
    connections: merged('connections', connections, (each) => JSON.stringify([each['source'], each['destination']])),
    ...(withLibraries.length > 0 ? { libraries: withLibraries } : {}),
  }
  return { workspace, origins, problems, notes }
}

interface Converted {
  readonly part: Part
  readonly element: JsonObject
}

function byId(parts: readonly Part[]): ReadonlyMap<string, Part> {
  return new Map(parts.map((part) => [String(part.value['id']), part]))
}

function sourceOf(part: Part, catalogue: PlanCatalogue): JsonObject {
  const { id, name, type, enabled } = part.value
  const trackingPlan = trackingPlanOf(part, catalogue)
  return defined({
    id,
    name,
    type,
    enabled,
    writeKey: `env:SLUICE_WRITE_KEY_${variableName(String(id))}`,
    trackingPlan,
  })
}

/** `my-web` → `MY_WEB` */
function variableName(id: string): string {
  return id.replaceAll(/[^A-Za-z0-9]+/g, '_').toUpperCase()
}

function destinationOf(part: Part, codes: ReadonlyMap<string, Part>, report: PlanCatalogue['report']): JsonObject {
  const { id, display_name: name, type, enabled, config, transformation } = part.value
  const settings = isJsonObject(config) ? settingsOf(config, { ...part, path: `${part.path}.config` }, report) : {}
  const { connectionMode: _, ...others } = settings
  return defined({
    id,
    name,
    type: typeof type === 'string' ? type.toUpperCase() : type,
    enabled,
    settings: others,
    transformation: transformation === undefined ? undefined : codeOf(part, transformation, codes, report),
  })
}

/** Returns the settings that say whether SDKs send themselves. */
function modesIn({ value: { config } }: Part): JsonObject {
  const { connection_mode: connectionMode, use_native_sdk: useNativeSDK } = isJsonObject(config) ? config : {}
  return defined({ connectionMode, useNativeSDK })
}

/** Converts names with underscores, and the variables of rudder-cli: `{{ .NAME }}` → `env:NAME`. */
function settingsOf(config: JsonObject, part: Part, report: PlanCatalogue['report']): JsonObject {
  const convert = (value: JsonValue | undefined, path: string): JsonValue => {
    if (Array.isArray(value)) return value.map((item: JsonValue, i) => convert(item, `${path}[${i}]`))
    if (isJsonObject(value))
      return Object.fromEntries(
        Object.entries(value).map(([key, member]) => [
          /^[a-z0-9]+(_[a-z0-9]+)+$/.test(key) ? camelCase(key) : key,
          convert(member, `${path}.${key}`),
        ]),
      )
    if (typeof value !== 'string' || !/\{\{\s*\.\w+\s*\}\}/.test(value)) return value ?? null
    const name = /^\s*\{\{\s*\.([A-Za-z_]\w*)\s*\}\}\s*$/.exec(value)?.[1]
    if (name === undefined)
      report({ ...part, path }, 'a variable within a text', 'a variable as the whole value: {{ .NAME }}')
    return `env:${name ?? ''}`
  }
  return convert(config, part.path) as JsonObject
}

/** @returns undefined when the destination must not run without it: that is reported. */
function codeOf(
  part: Part,
  reference: JsonValue,
  codes: ReadonlyMap<string, Part>,
  report: PlanCatalogue['report'],
): JsonObject | undefined {
  const at = { ...part, path: `${part.path}.transformation` }
  const code = codes.get(idIn(reference) ?? '')
  if (code === undefined) {
    report(at, String(idIn(reference) ?? 'no reference'), 'a transformation of the project, such as #transformation:ID')
    return undefined
  }
  return { name: code.value['name'] ?? code.value['id'], ...textOf(code, report) }
}

function libraryOf(part: Part, report: PlanCatalogue['report']): JsonObject {
  const { import_name: importName, name, id } = part.value
  return { name: importName ?? name ?? id, ...textOf(part, report) }
}

function textOf(part: Part, report: PlanCatalogue['report']): JsonObject {
  const { language = 'javascript', code, file } = part.value
  if (!textsOf(language).includes('javascript'))
    report({ ...part, path: `${part.path}.language` }, String(language), 'javascript; rewrite the code')
  if (typeof file !== 'string') return defined({ code })
  const folder = part.file.includes('/') ? part.file.slice(0, part.file.lastIndexOf('/') + 1) : ''
  return { file: `${folder}${file}` }
}

function connectionOf({ value }: Part): JsonObject {
  const { source, destination, enabled } = value
  return defined({ source: idIn(source) ?? source, destination: idIn(destination) ?? destination, enabled })
}

function defined(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))
}
