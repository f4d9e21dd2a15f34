import type { Event, JsonObject } from '@sluice/core'
import type { Dialect } from '../../dialects/dialect.ts'
import type { Casing } from '../../naming/clean-name.ts'
import type { RowSettings } from '../row-settings.ts'

/** Paths that one event may bring. Unlike those of the settings, they are read for each event. */
const pathsMax = 1_000

/** The settings that apply to one event. */
interface EventOptions {
  readonly settings: RowSettings
  readonly casing: Casing
  /** Key paths to be stored as JSON. The same list as long as only the settings decide. */
  readonly paths: readonly string[]
}

/**
 * Returns what finds the settings of each event: those of the destination, with the options that the event itself has
 * in `integrations.<PROVIDER>.options`.
 */
export function createEventOptions(dialect: Dialect, settings: RowSettings): (event: Event) => EventOptions {
  const { jsonPaths } = settings
  const listed = dialect.readsJsonPaths && typeof jsonPaths === 'string' ? jsonPaths.split(',') : []
  const usual: EventOptions = {
    settings,
    casing: settings.underscoreDivideNumbers ? 'divided' : 'default',
    paths: listed.map((path) => path.trim()).filter((path) => path !== ''),
  }
  const provider = dialect.provider.toUpperCase()
  return ({ integrations }) => {
    if (integrations === undefined) return usual
    const own = optionsAt(integrations, provider)
    const shared = dialect.readsSharedOptions ? optionsAt(integrations, 'DATA_WAREHOUSE') : undefined
    return own === undefined && shared === undefined ? usual : combined(usual, own, shared)
  }
}

function combined(usual: EventOptions, own: JsonObject | undefined, shared: JsonObject | undefined): EventOptions {
  const flag = (name: 'skipTracksTable' | 'skipUsersTable' | 'skipReservedKeywordsEscaping') =>
    own?.[name] === true ? { [name]: true } : {}
  const paths = [...pathsIn(own), ...pathsIn(shared)]
  return {
    settings: {
      ...usual.settings,
      ...flag('skipTracksTable'),
      ...flag('skipUsersTable'),
      ...flag('skipReservedKeywordsEscaping'),
    },
    casing: own?.['useBlendoCasing'] === true ? 'blendo' : usual.casing,
    paths: paths.length === 0 ? usual.paths : [...usual.paths, ...paths],
  }
}

function optionsAt(integrations: unknown, name: string): JsonObject | undefined {
  return objectAt(objectAt(integrations, name), 'options') as JsonObject | undefined
}

function objectAt(value: unknown, key: string): object | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  const found = (value as Readonly<Record<string, unknown>>)[key]
  return typeof found === 'object' && found !== null ? found : undefined
}

function pathsIn(options: JsonObject | undefined): readonly string[] {
  const paths = options?.['jsonPaths']
  return Array.isArray(paths) ? paths.slice(0, pathsMax).filter((path) => typeof path === 'string') : []
}
